//! A steady tick of a whole world allocates nothing: sensing, thinking, rings, steering, moving.

mod counting;

use counting::allocations;
use warband::args::Arg;
use warband::blackboard::ValueType;
use warband::math::{direction, vec3};
use warband::{
    ActorDesc, ActorId, AgentDesc, BoardOf, Config, Drive, KeyDecl, RouteOrder, Scope, Spec, SquadDesc, World,
};

fn node(name: &str) -> Spec {
    Spec::new(name)
}
fn guard(when: Spec, child: Spec) -> Spec {
    node("guard").when(when).with(child)
}
fn wait(seconds: f64) -> Spec {
    node("wait").set("seconds", seconds)
}

/// The hunt: guards over bands, a search, a patrol.
fn hunt() -> Spec {
    let bands = node("bands")
        .set("margin", 1.5)
        .with(node("direct_chase").edge("below", 8.0))
        .with(node("formation").set("radius", 6.0).set("close_in", true).edge("below", 12.0))
        .with(node("formation").set("radius", 12.0).set("close_in", true));
    node("reactive_selector")
        .with(guard(node("sees_target"), bands))
        .with(guard(node("remembers_target").set("within", 2.0), node("search")))
        .with(node("patrol"))
}

/// Steering leaves side by side, beside timers that end and start again all the time.
fn busy() -> Spec {
    let blend = node("blend")
        .with(node("wander"))
        .with(node("separation"))
        .with(node("alignment"))
        .with(node("cohesion"))
        .with(node("face").set("to", "home"));
    let beat = node("repeat_times").with(
        node("sequence")
            .with(wait(0.1))
            .with(node("increment").set("key", "own"))
            .with(node("increment").set("key", "shared"))
            .with(node("compare").set("key", "shared").set("is", ">=").set("to", 0.0))
            .with(node("set").set("key", "place").set("to", vec3(1.0, 2.0, 3.0)))
            .with(node("command").set("name", "howl"))
            .with(node("cooldown").set("seconds", 0.05).with(node("succeed"))),
    );
    let limited = node("repeat_times").with(
        node("force_success")
            .with(node("time_limit").set("seconds", 0.3).with(node("retry").with(node("fail")))),
    );
    let flips = node("repeat_times").with(
        node("sequence")
            .with(node("set").set("key", "open").set("to", true))
            .with(wait(0.05))
            .with(node("set").set("key", "open").set("to", false))
            .with(wait(0.05)),
    );
    let guarded = node("selector")
        .with(guard(
            node("has_value").set("key", "open"),
            node("mode").set("name", "open").with(node("flee")),
        ))
        .with(guard(
            node("invert").with(node("has_value").set("key", "open")),
            node("mode").set("name", "shut").with(node("arrive").set("to", "home")),
        ))
        .with(wait(9.0));
    node("parallel").with(blend).with(beat).with(limited).with(flips).with(guarded)
}

/// Tells others of targets, and learns of them.
fn news() -> Spec {
    let share = node("share_target").set("to", "whom").set("at", "where").set("interval", 0.1);
    let learn = node("learn_target").set("from", "whom").set("at", "where");
    share.with(
        learn.with(
            node("reactive_sequence").with(node("succeed")).with(
                node("subtree").with(
                    node("follow_path").set(
                        "points",
                        Arg::List(vec![vec3(3.0, 0.0, 9.0).into(), vec3(90.0, 0.0, 9.0).into()]),
                    ),
                ),
            ),
        ),
    )
}

/// Everything that chooses, counts, waits or goes through a list, again and again.
fn choices() -> Spec {
    let again = |child: Spec| node("repeat_times").with(node("force_success").with(child));
    let live = || Arg::Key("shared".to_owned());
    let fails = |seconds: f64| node("sequence").with(wait(seconds)).with(node("fail"));
    let shuffled = node("random_sequence").with(wait(0.05)).with(node("succeed")).with(wait(0.1));
    let drawn = node("random_selector").with(fails(0.05)).with(fails(0.1)).with(wait(0.05));
    let weighted = node("weighted_selector")
        .with(fails(0.05).edge("weight", 2.0))
        .with(wait(0.1).edge("weight", live()));
    let switch = node("switch").set("key", "open").set("reactive", true);
    let switch = switch.with(wait(0.1).edge("case", true)).with(wait(0.1));
    let useful = node("utility_selector").set("interval", 0.0).with(wait(0.2).edge("score", live()));
    let useful = useful.with(fails(0.1).edge("score", 3.0).edge("curve", "logistic"));
    let opens = || node("has_value").set("key", "open");
    let branches = node("if_then_else").when(opens()).with(wait(0.1)).with(fails(0.1));
    let branches = node("finally").with(node("try_catch").with(branches).with(wait(0.05))).with(wait(0.05));
    let whiles = node("while_do").when(opens()).with(wait(0.3)).with(wait(0.3));
    let listed = node("for_each").set("list", "spots").set("item", "place").with(wait(0.05));
    let calls = node("sequence")
        .with(node("skip_if").when(node("receive").set("name", "hoo")).with(node("send").set("name", "hoo")))
        .with(node("set").set("key", "open").set("to", true))
        .with(node("wait_random").set("low", 0.02).set("high", 0.1))
        .with(node("set").set("key", "open").set("to", false))
        .with(
            node("delay").set("seconds", 0.05).with(node("chance").set("probability", 0.5).with(wait(0.05))),
        );
    let raced = node("race").with(node("wait_for").set("key", "open").set("change", true)).with(wait(0.04));
    let cover = node("find_place").set("into", "place").set("around", "home").set("outer", 9.0);
    let cover = cover.set("hidden_from", "squad").set("away_from_mates", 1.0);
    let cover = node("sequence").with(node("force_success").with(cover)).with(wait(0.1));
    let all = [cover, shuffled, drawn, weighted, switch, useful, branches, whiles, listed, calls, raced];
    node("parallel").with_all(all.map(again))
}

fn declare(world: &mut World) {
    for (name, scope, ty) in [
        ("own", Scope::Agent, ValueType::Integer),
        ("shared", Scope::Squad, ValueType::Number),
        ("place", Scope::Agent, ValueType::Vec3),
        ("open", Scope::Agent, ValueType::Bool),
        ("whom", Scope::Team, ValueType::Entity),
        ("where", Scope::Team, ValueType::Vec3),
    ] {
        let decl = KeyDecl::new(name, scope, ty);
        world.declare(if ty == ValueType::Vec3 { decl.ttl(0.5) } else { decl }).expect("the key is legal");
    }
    let spots = KeyDecl::new("spots", Scope::World, ValueType::List);
    world.declare(spots.default(vec![vec3(1.0, 0.0, 0.0), vec3(2.0, 0.0, 0.0)])).expect("the key is legal");
}

/// 200 agents in ten squads, with four trees among them, and a hero.
fn world(drive: Drive) -> (World, ActorId) {
    let mut world = World::new(Config { drive, ..Config::default() });
    declare(&mut world);
    for (name, tree) in [("hunt", hunt()), ("busy", busy()), ("news", news()), ("choices", choices())] {
        world.add_tree(name, &tree).unwrap_or_else(|error| panic!("{error}"));
    }
    let hero = world.add_actor(ActorDesc::at(vec3(0.0, 0.0, 0.0)));
    for number in 0..10 {
        let desc = SquadDesc {
            name: format!("squad {number}"),
            team: Some("all".to_owned()),
            route: vec![vec3(0.0, 0.0, 5.0), vec3(9.0, 0.0, 5.0), vec3(4.0, 0.0, -5.0)],
            route_order: RouteOrder::Loop,
            ..SquadDesc::default()
        };
        let squad = world.add_squad(desc).expect("a new name");
        let tree = ["hunt", "busy", "news", "choices"][number % 4];
        for at in 0..20 {
            let place = direction(number as f32 * 0.63) * 14.0 + direction(at as f32) * 3.0;
            let facing = -place;
            let desc = AgentDesc { tree: tree.to_owned(), facing, ..AgentDesc::at(place) };
            world.spawn(squad, desc).expect("there is room");
        }
    }
    world.observe(BoardOf::Team("all"), "whom").expect("the key is declared");
    (world, hero)
}

fn tick(world: &mut World, hero: ActorId) {
    let time = world.now() as f32;
    let place = direction(time * 0.2) * 6.0;
    world.set_actor(hero, place, direction(time * 0.2 + 1.57) * 1.2);
    world.tick(1.0 / 60.0);
    // Whoever reads the outputs allocates nothing either.
    assert!(world.outputs().all(|out| out.position.is_finite()));
}

fn steady(drive: Drive) {
    let (mut world, hero) = world(drive);
    // A game that never says where a body is is told so, which is a problem.
    let first = world.outputs().next().map(|out| (out.agent, out.position)).expect("somebody");
    world.set_agent(first.0, first.1, vec3(0.0, 0.0, 0.0));
    // The hero's round is 31 s: after two every squad has dealt its ring, every agent has followed as many rules at once as it ever
    // will (its list of them grows with the first time), and every buffer is as large as it must be.
    for _ in 0..3800 {
        tick(&mut world, hero);
    }
    let mut made = Vec::with_capacity(600);
    let (mut commands, mut moving) = (0, 0);
    for number in 0..600 {
        let before = world.digest();
        let count = allocations(|| tick(&mut world, hero));
        if count > 0 {
            made.push((number, count));
        }
        commands += world.commands().len();
        moving += usize::from(world.digest() != before);
    }
    let hunts = world.outputs().filter(|out| ["direct", "narrow", "wide"].contains(&out.mode)).count();
    assert!(hunts > 0, "nobody hunts");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    assert!(commands > 1000 && moving == 600, "{commands} commands, {moving} ticks in which something moved");
    assert_eq!(made, [], "ticks that allocated, and how often");
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(7)))), 1);
}

#[test]
fn a_steady_tick_of_a_world_allocates_nothing() {
    steady(Drive::World);
}

#[test]
fn a_steady_tick_of_a_world_whose_bodies_the_game_moves_allocates_nothing() {
    steady(Drive::Game);
}

/// On their way round corners agents allocate nothing between two searches: corners are passed in place.
#[cfg(feature = "navmesh")]
#[test]
fn a_steady_tick_on_a_way_allocates_nothing() {
    let corner = |x: f32, z: f32| vec3(x, 0.0, z);
    let outline = [corner(-60.0, -60.0), corner(60.0, -60.0), corner(60.0, 60.0), corner(-60.0, 60.0)];
    let wall = warband::Wall::segment(corner(0.0, -60.0), corner(0.0, 40.0)).expect("it is a wall");
    let walls = warband::Walls::new(vec![wall]);
    let mut world = World::new(Config::default());
    world.set_walls(walls.clone());
    world.set_navigation(warband::nav::NavMesh::new(&outline, &walls, &[0.5]).expect("there is room"));
    world.add_tree("goes", &node("arrive").set("to", vec3(40.0, 0.0, 0.0))).expect("it is a tree");
    let squad = world.add_squad(SquadDesc::default()).expect("it is a squad");
    for z in 0..20 {
        let at = corner(-8.0 - (z % 4) as f32 * 2.0, -20.0 + z as f32 * 2.0);
        world.spawn(squad, AgentDesc { tree: "goes".into(), ..AgentDesc::at(at) }).expect("it is an agent");
    }
    (0..120).for_each(|_| world.tick(1.0 / 60.0));
    let led = |world: &World| world.outputs().filter(|wolf| wolf.path.is_some()).count();
    assert!(led(&world) > 10, "they are on their way");
    let found = allocations(|| (0..60).for_each(|_| world.tick(1.0 / 60.0)));
    assert!(led(&world) > 10, "and still are");
    assert_eq!(found, 0, "allocations in 60 ticks");
}

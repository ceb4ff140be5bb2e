//! A steady tick with all that movement has allocates nothing: formations, squads that share a target, every steering behaviour,
//! avoidance between walls, patrols in formation, and a second search like the first.

mod counting;

use counting::allocations;
use warband::math::{Vec3, direction, vec3};
use warband::steer::FlowField;
use warband::{ActorDesc, ActorId, AgentDesc, Config, Senses, Spec, SquadDesc, Wall, Walls, World};

const SHAPES: [&str; 6] = ["line", "column", "wedge", "box", "arc", "two_rings"];

fn node(name: &str) -> Spec {
    Spec::new(name)
}

/// A behaviour that is a rule of its own, beside the flock.
fn beside(rule: Spec) -> Spec {
    node("blend").with(rule).with(node("separation")).with(node("alignment")).with(node("cohesion"))
}

/// Trees whose agents never come to an end of what they do.
fn behaviours() -> Vec<(&'static str, Spec)> {
    let again = |child: Spec| node("repeat_times").with(node("force_success").with(child));
    let to = vec3(30.0, 0.0, 0.0);
    let bounds = node("blend").with(node("wander")).with(node("obstacle_avoidance"));
    let bounds = bounds.with(node("containment").set("radius", 9.0)).with(node("queue").set("to", to));
    let context = node("blend").set("by", "context").with(node("pursue")).with(node("obstacle_avoidance"));
    vec![
        ("hide", again(node("hide"))),
        ("interpose", again(node("interpose"))),
        ("wing", node("offset_pursuit").set("offset", vec3(-2.0, 0.0, 2.0))),
        ("follows", node("leader_following")),
        ("bounds", bounds),
        ("context", again(context)),
        ("evades", beside(node("evade"))),
        ("along", node("wall_following").set("speed", 2.0).set("distance", 1.5)),
        ("drifts", again(node("flow_field").set("field", "drift"))),
        ("patrols", node("patrol").set("shape", "wedge").set("order", "random")),
    ]
}

fn pillar(at: Vec3) -> Wall {
    Wall::circle(at, 1.2).expect("a pillar")
}

fn all_round() -> Senses {
    Senses { range: 90.0, lose_range: 90.0, angle: 360.0, ..Senses::default() }
}

/// A squad of eight at a place, all with one tree, but for the first, if there is another for it.
fn squad(world: &mut World, name: &str, first: &str, at: Vec3) {
    let route = vec![at, at + vec3(8.0, 0.0, 0.0), at + vec3(4.0, 0.0, 6.0)];
    let id =
        world.add_squad(SquadDesc { name: name.into(), route, ..SquadDesc::default() }).expect("a new name");
    for number in 0..8 {
        let place = at + vec3((number % 4) as f32 * 1.4, 0.0, (number / 4) as f32 * 1.4);
        let tree = if number == 0 { first } else { name };
        let desc = AgentDesc { tree: tree.into(), senses: all_round(), ..AgentDesc::at(place) };
        world.spawn(id, desc).expect("there is room");
    }
}

/// A squad for each behaviour and shape and two with rings; all see the hero, and all but those who patrol mind him.
fn world() -> (World, ActorId) {
    let mut world = World::new(Config::default());
    world.set_walls(Walls::new((0..12).map(|at| pillar(direction(at as f32 * 0.52) * 26.0)).collect()));
    let swirl =
        FlowField::new(vec3(-80.0, 0.0, -80.0), vec3(80.0, 0.0, 80.0), 4.0, |at| vec3(-at.z, 0.0, at.x));
    world.set_flow_field("drift", swirl.expect("a field"));
    let hero = world.add_actor(ActorDesc::at(Vec3::ZERO));
    let leads = node("patrol");
    world.add_tree("leads", &leads).expect("a tree");
    let shape = |name: &'static str| (name, node("formation").set("shape", name).set("radius", 8.0));
    let ring =
        |name: &'static str, radius: f64| (name, node("formation").set("radius", radius).set("hold", true));
    let rings = [ring("wide", 12.0), ring("narrow", 6.0)];
    let trees = behaviours().into_iter().chain(SHAPES.map(shape)).chain(rings);
    for (number, (name, tree)) in trees.enumerate() {
        world.add_tree(name, &tree).unwrap_or_else(|error| panic!("{error}"));
        let led = ["wing", "follows"].contains(&name);
        let at = direction(number as f32 * 0.35) * 18.0;
        squad(&mut world, name, if led { "leads" } else { name }, at);
    }
    (world, hero)
}

/// The hero goes round in 31 s.
fn tick(world: &mut World, hero: ActorId) {
    let time = world.now() as f32;
    world.set_actor(hero, direction(time * 0.2) * 6.0, direction(time * 0.2 + 1.57) * 1.2);
    world.tick(1.0 / 60.0);
}

#[test]
fn a_steady_tick_of_all_behaviours_and_shapes_allocates_nothing() {
    let (mut world, hero) = world();
    // Four rounds of the hero: by then there were never more who touch or see each other at once.
    (0..4 * 1885).for_each(|_| tick(&mut world, hero));
    let before: Vec<Vec3> = world.outputs().map(|out| out.position).collect();
    let mut made = Vec::with_capacity(600);
    for number in 0..600 {
        let count = allocations(|| tick(&mut world, hero));
        if count > 0 {
            made.push((number, count));
        }
    }
    let moved = world.outputs().zip(&before).filter(|(out, before)| out.position.distance(**before) > 1.0);
    let (moved, shaped) = (moved.count(), world.outputs().filter(|out| SHAPES.contains(&out.mode)).count());
    assert!(moved > 90 && shaped == 48, "{moved} moved, {shaped} in shapes");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    assert_eq!(made, [], "ticks that allocated, and how often");
}

#[test]
fn a_second_search_allocates_nothing() {
    let mut world = World::new(Config::default());
    let corner = |x: f32, z: f32| vec3(x, 0.0, z);
    let house = [corner(4.0, -4.0), corner(12.0, -4.0), corner(12.0, 4.0), corner(4.0, 4.0)];
    world.set_walls(Walls::new(vec![Wall::polygon(&house).expect("a house")]));
    let search = node("guard")
        .when(node("remembers_target").set("within", 30.0))
        .with(node("search").set("spread", true).set("target_speed", 4.0));
    world.add_tree("seeker", &search).expect("a tree");
    let hero = world.add_actor(ActorDesc::at(corner(0.0, 0.0)));
    squad(&mut world, "seeker", "seeker", corner(-12.0, 0.0));
    // In view before the house for a second, and then in it; twice.
    let hunt = |world: &mut World| {
        let mut counts = 0;
        for tick in 0..900 {
            let place = if tick < 60 { corner(0.0, 0.0) } else { corner(8.0, 0.0) };
            world.set_actor(hero, place, Vec3::ZERO);
            counts += allocations(|| world.tick(1.0 / 60.0));
            // The first ticks of a search are told as events, which are the same again.
            assert!(world.outputs().all(|out| out.position.is_finite()));
        }
        (counts, world.outputs().filter(|out| out.mode == "search").count())
    };
    let (first, _) = hunt(&mut world);
    for _ in 0..2 {
        hunt(&mut world);
    }
    let (later, searching) = hunt(&mut world);
    assert_eq!(searching, 8, "all search");
    assert!(first > 0);
    assert_eq!(later, 0, "allocations in the fourth search of 15 s");
}

/// Far from a focus that comes and goes some coast, and who does changes from tick to tick.
#[test]
fn who_coasts_allocates_nothing() {
    let mut world = World::new(Config { steer_detail: vec![(40.0, 0.1), (80.0, 0.25)], ..Config::default() });
    world.add_tree("patrol", &node("patrol")).expect("a tree");
    for number in 0..8 {
        let at = vec3(number as f32 * 30.0, 0.0, 0.0);
        let route = vec![at, at + vec3(0.0, 0.0, 40.0), at + vec3(9.0, 0.0, 40.0)];
        let name = format!("pack {number}");
        let id = world.add_squad(SquadDesc { name, route, ..SquadDesc::default() }).expect("a new name");
        for member in 0..6 {
            let place = at + vec3((member % 3) as f32 * 1.5, 0.0, (member / 3) as f32 * 1.5);
            let desc = AgentDesc { tree: "patrol".into(), ..AgentDesc::at(place) };
            world.spawn(id, desc).expect("there is room");
        }
    }
    let tick = |world: &mut World| {
        let focus = vec3(120.0 + 240.0 * libm::sinf(world.now() as f32), 0.0, 20.0);
        world.set_focus(&[focus]);
        world.tick(1.0 / 60.0);
        world.coasting()
    };
    (0..6000).for_each(|_| {
        tick(&mut world);
    });
    let (mut coasted, mut made) = (0, 0);
    for _ in 0..1200 {
        made += allocations(|| coasted += tick(&mut world));
    }
    assert!(coasted > 1200, "too few coast: {coasted}");
    assert_eq!(made, 0, "allocations in 20 s");
}

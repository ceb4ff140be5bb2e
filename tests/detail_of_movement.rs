//! Movement far from every focus: agents that walk freely are steered in turns, and nothing of that is seen but what it costs.

mod saves;

use saves::through_bytes;
use warband::{
    ActorDesc, AgentDesc, AgentId, BoardOf, Config, KeyDecl, Scope, Spec, SquadDesc, ValueType, Vec3, Wall,
    Walls, World, vec3,
};

const DT: f64 = 1.0 / 60.0;
const TOP: f32 = 5.0;
const ACCELERATION: f32 = 20.0;

fn detail() -> Vec<(f32, f32)> {
    vec![(50.0, 0.1), (100.0, 0.25)]
}

/// A round about a block of walls, some metres off it.
fn round(middle: Vec3) -> Vec<Vec3> {
    [(-20.0, -12.0), (20.0, -12.0), (20.0, 12.0), (-20.0, 12.0)]
        .map(|(x, z)| middle + vec3(x, 0.0, z))
        .to_vec()
}

/// A block whose walls are so far within the round, m.
fn block(middle: Vec3, gap: f32) -> Wall {
    let corner = |x: f32, z: f32| middle + vec3(x * (20.0 - gap), 0.0, z * (12.0 - gap));
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    Wall::polygon(&corners).expect("convex")
}

/// How far a point is off the lines between the points of a route.
fn off(route: &[Vec3], at: Vec3) -> f32 {
    let leg = |index: usize| {
        let (from, to) = (route[index], route[(index + 1) % route.len()]);
        let share = ((at - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
        (from + (to - from) * share).distance(at)
    };
    (0..route.len()).map(leg).fold(f32::MAX, f32::min)
}

/// A pack that patrols round a block, 300 m from the focus.
fn patrol(config: Config, members: usize, gap: f32) -> (World, Vec<Vec3>) {
    let mut world = World::new(config);
    let middle = vec3(300.0, 0.0, 0.0);
    world.set_walls(Walls::new(vec![block(middle, gap)]));
    world.add_tree("patrol", &Spec::new("patrol")).expect("right");
    let route = round(middle);
    let desc = SquadDesc { name: "pack".into(), route: route.clone(), ..SquadDesc::default() };
    let squad = world.add_squad(desc).expect("new");
    for at in 0..members {
        let place = route[0] + vec3(at as f32 * 4.0, 0.0, 0.0);
        world.spawn(squad, AgentDesc { tree: "patrol".into(), ..AgentDesc::at(place) }).expect("new");
    }
    world.set_focus(&[Vec3::ZERO]);
    (world, route)
}

/// What a minute on patrol comes to: how far off its route anybody ever was, how near the block, how far all walked, and
/// the share of walkers that coasted.
fn minute(steer_detail: Vec<(f32, f32)>, dt: f64, gap: f32) -> (f32, f32, f32, f32) {
    let (mut world, route) = patrol(Config { steer_detail, ..Config::default() }, 6, gap);
    let block = Walls::new(vec![block(vec3(300.0, 0.0, 0.0), gap)]);
    let (mut astray, mut nearest, mut walked, mut coasted) = (0.0_f32, f32::MAX, 0.0, 0);
    let ticks = (60.0 / dt) as usize;
    for tick in 0..ticks {
        world.tick(dt);
        coasted += world.coasting();
        for out in world.outputs() {
            walked += out.velocity.length() * dt as f32;
            nearest = nearest.min(block.nearest(out.position, 9.0).map_or(9.0, |wall| wall.distance));
            if tick > ticks / 20 {
                astray = astray.max(off(&route, out.position));
            }
        }
    }
    (astray, nearest, walked, coasted as f32 / (ticks * 6) as f32)
}

#[test]
fn a_far_pack_walks_its_round_as_a_near_one_does() {
    for dt in [DT, 1.0 / 30.0, 1.0 / 144.0] {
        let (near, far) = (minute(Vec::new(), dt, 4.0), minute(detail(), dt, 4.0));
        println!(
            "tick {dt:.4} s: off the route {:.2} and {:.2} m, {:.0} % coast",
            near.0,
            far.0,
            far.3 * 100.0
        );
        assert!(near.3 == 0.0 && far.3 > 0.5, "{near:?} {far:?}");
        assert!(far.0 <= near.0 + 0.1, "corners are cut or overshot: {} m, and {} near by", far.0, near.0);
        assert!(far.1 >= 0.5 - 1e-3, "{} m from the middle of a body to the block", far.1);
        assert!((far.2 / near.2 - 1.0).abs() < 0.02, "as far as near by: {} and {} m", far.2, near.2);
    }
}

/// Where the pack has no room to walk as it would, its inner ones are led into the walls; and ticks that are far longer than a turn are
/// cut into steps. In none of them anybody is in the block.
#[test]
fn nobody_enters_a_wall() {
    for (dt, gap) in [(DT, 1.5), (1.0 / 20.0, 0.8), (0.2, 1.5), (0.2, 4.0)] {
        let (near, far) = (minute(Vec::new(), dt, gap), minute(vec![(50.0, 3.0)], dt, gap));
        println!("tick {dt:.4} s, {gap} m: {near:?} {far:?}");
        assert!(far.3 > 0.2 && far.1 >= 0.5 - 1e-3, "{far:?}");
        assert!(far.0 <= near.0 + 0.3, "{far:?} {near:?}");
    }
}

/// Walkers on lanes of their own, each a round of 80 m; none meets another.
fn lanes(config: Config, count: usize) -> (World, Vec<AgentId>) {
    let mut world = World::new(config);
    world.declare(KeyDecl::new("halt", Scope::World, ValueType::Bool).default(false)).expect("legal");
    let stays = Spec::new("guard")
        .when(Spec::new("has_value").set("key", "halt"))
        .with(Spec::new("wait").set("seconds", 1e6));
    let tree = Spec::new("reactive_selector").with(stays).with(Spec::new("patrol"));
    world.add_tree("walk", &tree).expect("right");
    let mut agents = Vec::new();
    for lane in 0..count {
        let from = vec3(0.0, 0.0, lane as f32 * 12.0);
        let route = [(0.0, 0.0), (35.0, 0.0), (35.0, 5.0), (0.0, 5.0)].map(|(x, z)| from + vec3(x, 0.0, z));
        let desc = SquadDesc { name: format!("lane {lane}"), route: route.to_vec(), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("new");
        let desc = AgentDesc { tree: "walk".into(), ..AgentDesc::at(from) };
        agents.push(world.spawn(squad, desc).expect("new"));
    }
    (world, agents)
}

/// How far beyond what a tick allows anybody ever moved (m) and changed its velocity (m/s), while the focus comes and goes.
fn worst_jump(steer_detail: Vec<(f32, f32)>) -> (f32, f32, usize) {
    let (mut world, agents) = lanes(Config { steer_detail, ..Config::default() }, 12);
    let (mut jump, mut jerk, mut coasted) = (0.0_f32, 0.0_f32, 0);
    let mut last: Vec<(Vec3, Vec3)> = Vec::new();
    for tick in 0..2400_usize {
        // From 400 m off to the midst of them and back, every seven seconds; sometimes at once.
        let away = if tick % 997 < 40 { 0.0 } else { 200.0 + 200.0 * (tick as f32 * 0.015).cos() };
        world.set_focus(&[vec3(17.0, 0.0, 60.0 + away)]);
        world.tick(DT);
        coasted += world.coasting();
        let outputs = agents.iter().filter_map(|agent| world.output(*agent));
        let now: Vec<_> = outputs.map(|out| (out.position, out.velocity)).collect();
        for (was, is) in last.iter().zip(&now) {
            jump = jump.max(was.0.distance(is.0) - TOP * DT as f32);
            jerk = jerk.max(was.1.distance(is.1) - ACCELERATION * DT as f32);
        }
        last = now;
    }
    (jump, jerk, coasted)
}

#[test]
fn nothing_jumps_when_a_focus_comes_near() {
    let (jump, jerk, coasted) = worst_jump(detail());
    println!("{jump} m and {jerk} m/s beyond what a tick allows; {coasted} coasted");
    assert!(coasted > 2400, "too few coast: {coasted}");
    assert!(jump < 1e-3, "{jump} m");
    assert!(jerk < 1e-3, "{jerk} m/s");
}

/// Who is told to stop stops in the tick in which it is told, wherever its turn is.
#[test]
fn who_wants_something_else_is_steered_at_once() {
    for at in 300..316_i32 {
        let (mut world, agents) = lanes(Config { steer_detail: detail(), ..Config::default() }, 16);
        world.set_focus(&[vec3(1000.0, 0.0, 0.0)]);
        (0..at).for_each(|_| world.tick(DT));
        assert!(world.coasting() > 4, "{}", world.coasting());
        let speeds: Vec<_> =
            agents.iter().filter_map(|agent| world.output(*agent)).map(|out| out.velocity.length()).collect();
        world.set_value(BoardOf::World, "halt", true).expect("its key");
        world.tick(DT);
        assert_eq!(world.coasting(), 0);
        for (agent, before) in agents.iter().zip(speeds) {
            let now = world.output(*agent).expect("it is there").velocity.length();
            assert!(now < before - 0.9 * ACCELERATION * DT as f32 || now == 0.0, "{before} to {now} m/s");
        }
    }
}

/// Who is put elsewhere, or turned about by the game, is steered in the next step.
#[test]
fn who_is_put_elsewhere_does_not_go_on_as_before() {
    let (mut world, agents) = lanes(Config { steer_detail: detail(), ..Config::default() }, 16);
    world.set_focus(&[vec3(1000.0, 0.0, 0.0)]);
    (0..300).for_each(|_| world.tick(DT));
    let before = world.coasting();
    for (at, agent) in agents.iter().enumerate() {
        let place = vec3(20.0, 0.0, at as f32 * 12.0 + 2.5);
        world.set_agent(*agent, place, Vec3::ZERO);
    }
    world.tick(DT);
    assert!(before > 4 && world.coasting() == 0, "{before}, then {}", world.coasting());
}

/// Packs that patrol, hunt and meet each other, some within the focus; what is done to them is a function of the tick alone.
fn mixed(config: Config, order: &[u32]) -> World {
    let mut world = World::new(Config { seed: 9, ..config });
    let chase = Spec::new("bands")
        .with(Spec::new("direct_chase").edge("below", 8.0))
        .with(Spec::new("formation").set("radius", 12.0));
    let hunt = Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("sees_target")).with(chase))
        .with(Spec::new("patrol"));
    world.add_tree("hunt", &hunt).expect("right");
    world.set_walls(Walls::new(vec![block(vec3(140.0, 0.0, 30.0), 4.0)]));
    for pack in order {
        let from = vec3((pack % 6) as f32 * 40.0, 0.0, (pack / 6) as f32 * 30.0);
        let route = vec![from, from + vec3(38.0, 0.0, 6.0), from + vec3(30.0, 0.0, 26.0)];
        let desc =
            SquadDesc { name: format!("pack {pack}"), route, key: Some(*pack), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("new");
        for key in 0..6 {
            let key = if order[0] == 0 { key } else { 5 - key };
            let place = from + vec3((key % 3) as f32 * 1.6, 0.0, (key / 3) as f32 * 1.6);
            let desc = AgentDesc { tree: "hunt".into(), key: Some(key), ..AgentDesc::at(place) };
            world.spawn(squad, desc).expect("new");
        }
    }
    world.add_actor(ActorDesc::at(vec3(150.0, 0.0, 70.0)));
    world
}

fn go_on(world: &mut World, tick: usize) {
    let away = 60.0 + 60.0 * (tick as f32 * 0.01).sin();
    world.set_focus(&[vec3(0.0, 0.0, -away)]);
    let agents = world.outputs().count();
    if tick % 61 == 60 {
        let agent = world.outputs().nth(tick * 7 % agents).expect("there are some").agent;
        world.set_agent(agent, vec3((tick % 200) as f32, 0.0, 40.0), Vec3::ZERO);
    }
    if tick % 97 == 96 {
        let agent = world.outputs().nth(tick * 11 % agents).expect("there are some").agent;
        world.remove(agent);
    }
    if tick % 83 == 82 {
        let squad = world.squads().nth(tick % 5).expect("there are some");
        let place = vec3((tick % 180) as f32, 0.0, 10.0);
        world.spawn(squad, AgentDesc { tree: "hunt".into(), ..AgentDesc::at(place) }).expect("new");
    }
    world.tick(if tick % 50 == 49 { 0.13 } else { DT });
}

const ORDER: [u32; 18] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17];

fn digests(config: Config, order: &[u32]) -> Vec<u64> {
    let mut world = mixed(config, order);
    let mut coasted = 0;
    let digests = (0..500)
        .map(|tick| {
            go_on(&mut world, tick);
            coasted += world.coasting();
            world.digest()
        })
        .collect();
    assert!(coasted > 5000, "too few coast: {coasted}");
    digests
}

fn coarse() -> Config {
    Config { steer_detail: detail(), ..Config::default() }
}

#[test]
fn neither_sleep_nor_the_order_of_insertion_is_felt() {
    let plain = digests(coarse(), &ORDER);
    assert_eq!(digests(Config { sleep: false, ..coarse() }, &ORDER), plain, "without sleep");
    let mut other = ORDER;
    other.reverse();
    assert_eq!(digests(coarse(), &other), plain, "inserted the other way round");
}

/// With the feature `parallel`; without it there is one thread.
#[test]
fn threads_are_not_felt() {
    let order: Vec<u32> = (0..480).collect();
    let run = |threads| {
        let mut world = mixed(Config { threads, ..coarse() }, &order);
        let ticks = 0..90;
        let seen = ticks.map(|tick| {
            go_on(&mut world, tick);
            (world.digest(), world.coasting())
        });
        seen.collect::<Vec<_>>()
    };
    let alone = run(1);
    let most = alone.iter().map(|(_, coasting)| *coasting).max().unwrap_or_default();
    assert!(most > 1100, "enough coast for several chunks: {most}");
    for threads in [2, 5, 0] {
        assert!(run(threads) == alone, "{threads} threads");
    }
}

#[test]
fn a_saved_world_goes_on_as_the_one_that_was_not_saved() {
    let mut played = mixed(coarse(), &ORDER);
    let mut saves = Vec::new();
    let mut seen = Vec::new();
    for tick in 0..500 {
        if tick % 41 == 7 {
            saves.push((tick, through_bytes(&played.snapshot()), played.coasting()));
        }
        go_on(&mut played, tick);
        seen.push(played.digest());
    }
    assert!(saves.iter().filter(|(_, _, coasting)| *coasting > 4).count() > 8, "some coast when it is saved");
    for (tick, snapshot, _) in saves {
        let mut world = mixed(coarse(), &ORDER);
        world.restore(&snapshot).expect("it is whole");
        for (now, digest) in seen.iter().enumerate().skip(tick).take(90) {
            go_on(&mut world, now);
            assert_eq!(world.digest(), *digest, "saved at {tick}, now {now}");
        }
    }
}

/// Whoever arrives far away comes to rest where it would near by.
#[test]
fn nobody_overshoots_its_goal() {
    let ends = |steer_detail| {
        let mut world = World::new(Config { steer_detail, ..Config::default() });
        world.add_tree("go", &Spec::new("patrol")).expect("right");
        world.set_focus(&[vec3(0.0, 0.0, -1000.0)]);
        let mut agents = Vec::new();
        for at in 0..24 {
            let goal = vec3(30.0 + at as f32 * 0.37, 0.0, at as f32 * 6.0);
            let desc = SquadDesc { name: format!("{at}"), route: vec![goal], ..SquadDesc::default() };
            let squad = world.add_squad(desc).expect("new");
            let desc = AgentDesc { tree: "go".into(), ..AgentDesc::at(vec3(0.0, 0.0, goal.z)) };
            agents.push((world.spawn(squad, desc).expect("new"), goal));
        }
        let (mut beyond, mut coasted) = (f32::MIN, 0);
        for _ in 0..1200 {
            world.tick(DT);
            coasted += world.coasting();
            for (agent, goal) in &agents {
                beyond = beyond.max(world.output(*agent).expect("it is there").position.x - goal.x);
            }
        }
        let off = agents.iter().map(|(agent, goal)| world.position(*agent).expect("it is").distance(*goal));
        (off.fold(0.0, f32::max), beyond, coasted)
    };
    let (near, far) = (ends(Vec::new()), ends(detail()));
    println!("near {near:?}, far {far:?}");
    assert!(near.2 == 0 && far.2 > 24 * 100, "{near:?} {far:?}");
    assert!(far.0 <= 0.3 + 1e-3 && far.1 <= near.1.max(0.0) + 1e-3, "{near:?} {far:?}");
}

/// Lists that are out of range, or without a focus, change nothing.
#[test]
fn without_a_focus_or_a_sound_list_everybody_is_steered() {
    for steer_detail in
        [vec![], vec![(f32::NAN, 0.2)], vec![(0.0, f32::NAN)], vec![(0.0, -1.0)], vec![(0.0, 0.0)]]
    {
        let (mut world, _) = lanes(Config { steer_detail: steer_detail.clone(), ..Config::default() }, 4);
        world.set_focus(&[vec3(1000.0, 0.0, 0.0)]);
        for _ in 0..200 {
            world.tick(DT);
            assert_eq!(world.coasting(), 0, "{steer_detail:?}");
        }
    }
    let (mut world, _) = lanes(coarse(), 4);
    (0..200).for_each(|_| world.tick(DT));
    assert_eq!(world.coasting(), 0);
}

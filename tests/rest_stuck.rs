//! Who wants to get on and cannot: it tries to get round, says that it is blocked, and goes on when the way is free.

mod crowd;

use crowd::Crowd;
use warband::{AgentDesc, AgentId, Config, EventKind, Spec, SquadDesc, Vec3, Walls, World, vec3};

const DT: f64 = 1.0 / 60.0;

fn x(x: f32, z: f32) -> Vec3 {
    vec3(x, 0.0, z)
}

/// A pen of 2 m round the origin.
fn pen() -> [(Vec3, Vec3); 4] {
    [
        (x(-1.0, -1.0), x(1.0, -1.0)),
        (x(1.0, -1.0), x(1.0, 1.0)),
        (x(1.0, 1.0), x(-1.0, 1.0)),
        (x(-1.0, 1.0), x(-1.0, -1.0)),
    ]
}

/// A world with one agent at the origin that runs this tree.
fn one(tree: &Spec) -> (World, AgentId) {
    let mut world = World::new(Config::default());
    world.add_tree("tree", tree).expect("a good tree");
    let squad = world.add_squad(SquadDesc::default()).expect("a squad");
    let agent = world.spawn(squad, AgentDesc { tree: "tree".into(), ..AgentDesc::at(Vec3::ZERO) });
    (world, agent.expect("an agent"))
}

fn walled(world: &mut World) {
    let segment = |(a, b): (Vec3, Vec3)| warband::Wall::segment(a, b).expect("a wall");
    world.set_walls(Walls::new(pen().into_iter().map(segment).collect()));
}

#[test]
fn one_walled_in_is_blocked_after_three_seconds_and_gets_on_when_it_is_freed() {
    for avoid in [true, false] {
        let (mut world, agent) = one(&Spec::new("seek").set("to", x(9.0, 0.0)));
        world.set_avoid(agent, avoid);
        walled(&mut world);
        let mut told = Vec::new();
        for _ in 0..600 {
            world.tick(DT);
            let blocked = world.events().iter().filter(|event| event.kind == EventKind::Blocked);
            told.extend(blocked.map(|event| (event.agent, event.seconds())));
        }
        assert!(world.output(agent).expect("there").blocked);
        assert_eq!(told.len(), 1, "told once: {told:?}");
        assert!(told[0].0 == Some(agent) && (3.0..4.0).contains(&told[0].1), "{told:?}");
        world.set_walls(Walls::default());
        (0..180).for_each(|_| world.tick(DT));
        let out = world.output(agent).expect("there");
        assert!(!out.blocked && out.position.x > 8.0, "{out:?}");
    }
}

#[test]
fn an_arrive_that_gets_nowhere_fails_and_whatever_comes_next_has_its_own_time() {
    let mode = |name: &str, child: Spec| Spec::new("mode").set("name", name).with(child);
    let arrive = |to: Vec3| Spec::new("arrive").set("to", to);
    let tree = Spec::new("selector")
        .with(mode("first", arrive(x(9.0, 0.0))))
        .with(mode("second", arrive(x(-9.0, 0.0))))
        .with(mode("path", Spec::new("follow_path").set("points", vec![x(0.0, 9.0)])))
        .with(mode("gave up", Spec::new("wait").set("seconds", 99.0)));
    let (mut world, agent) = one(&tree);
    walled(&mut world);
    let mut turns = Vec::new();
    for _ in 0..900 {
        world.tick(DT);
        for event in world.events() {
            if let EventKind::Mode { to, .. } = &event.kind {
                turns.push((to.to_string(), event.seconds()));
            }
        }
    }
    let names: Vec<&str> = turns.iter().map(|turn| turn.0.as_str()).collect();
    assert_eq!(names, ["first", "second", "path", "gave up"], "{turns:?}");
    for pair in turns.windows(2) {
        assert!((2.9..4.5).contains(&(pair[1].1 - pair[0].1)), "{turns:?}");
    }
    assert!(!world.output(agent).expect("there").blocked, "it wants nothing any more");
}

#[test]
fn a_chase_goes_on_and_a_condition_says_that_it_is_blocked() {
    let tree =
        Spec::new("parallel").with(Spec::new("seek").set("to", x(9.0, 0.0))).with(
            Spec::new("reactive_selector")
                .with(Spec::new("guard").when(Spec::new("blocked")).with(
                    Spec::new("mode").set("name", "stuck").with(Spec::new("wait").set("seconds", 99.0)),
                ))
                .with(Spec::new("mode").set("name", "free").with(Spec::new("wait").set("seconds", 99.0))),
        );
    let (mut world, agent) = one(&tree);
    walled(&mut world);
    (0..120).for_each(|_| world.tick(DT));
    assert_eq!(world.output(agent).expect("there").mode, "free");
    (0..120).for_each(|_| world.tick(DT));
    assert_eq!(world.output(agent).expect("there").mode, "stuck");
    world.set_walls(Walls::default());
    (0..60).for_each(|_| world.tick(DT));
    assert_eq!(world.output(agent).expect("there").mode, "free");
}

#[test]
fn one_between_a_wall_and_one_who_stands_gets_out() {
    // Row 13: the way along the wall is closed by one who stands there, a hair too near for a body.
    for gap in [0.0_f32, 0.3, 0.6, 0.9] {
        let mut crowd = Crowd::new(Config::default());
        crowd.walker(x(0.0, 0.5), x(8.0, 0.5));
        crowd.idler(x(3.0, 0.5 + gap));
        crowd.walls(&[(x(-5.0, 0.0), x(20.0, 0.0))]);
        let time = crowd.until_arrived(8.0, DT);
        assert!(time < 8.0 && crowd.gap >= 0.95, "gap {gap}: {time} s, nearest {}", crowd.gap);
        crowd.run(3.0, DT);
        assert!(crowd.at(1).distance(x(3.0, 0.5 + gap)) <= 0.2, "it is back at {}", crowd.at(1));
    }
}

#[test]
fn who_does_what_it_was_told_slowly_is_not_blocked() {
    let (mut world, agent) = one(&Spec::new("arrive").set("to", x(5.0, 0.0)).set("speed", 0.12));
    for _ in 0..600 {
        world.tick(DT);
        assert!(!world.output(agent).expect("there").blocked);
    }
    assert!(world.output(agent).expect("there").position.x > 1.0);
}

#[test]
fn a_steady_crowd_allocates_nothing() {
    let mut crowd = Crowd::new(Config::default());
    for at in crowd::lattice(36, 1.4, x(-9.0, 0.0)) {
        crowd.walker(at, x(9.0, 0.0) - at);
    }
    crowd::lattice(16, 1.5, x(0.0, 0.0)).into_iter().for_each(|at| crowd.idler(at));
    crowd.walls(&[(x(-20.0, 7.0), x(20.0, 7.0)), (x(-20.0, -7.0), x(20.0, -7.0))]);
    crowd.world.add_actor(warband::ActorDesc::at(x(3.0, 3.0)));
    (0..90).for_each(|_| crowd.world.tick(DT));
    let count = counting::allocations(|| (0..240).for_each(|_| crowd.world.tick(DT)));
    assert_eq!(count, 0, "allocations");
}

mod counting;

//! Ways round bodies that stand, ground that changes under one's feet, and what trees are told where there is no way.
#![cfg(feature = "navmesh")]

use warband::math::{Vec3, vec3};
use warband::nav::{Disc, NavMesh, Navigation, PathStatus};
use warband::{ActorDesc, AgentDesc, AgentId, Config, Spec, SquadDesc, Wall, Walls, World};

const DT: f64 = 1.0 / 60.0;

fn wall(from: [f32; 2], to: [f32; 2]) -> Wall {
    Wall::segment(vec3(from[0], 0.0, from[1]), vec3(to[0], 0.0, to[1]))
        .expect("it is a wall")
        .see_through(true)
}

fn mesh(walls: &Walls) -> NavMesh {
    let outline =
        [vec3(-30.0, 0.0, -20.0), vec3(30.0, 0.0, -20.0), vec3(30.0, 0.0, 20.0), vec3(-30.0, 0.0, 20.0)];
    NavMesh::new(&outline, walls, &[0.5]).expect("there is room")
}

/// A wall across the yard with a door at z = 4 to 8 and, perhaps, another at its far end.
fn doors(other: bool) -> Walls {
    let end = if other { 16.0 } else { 20.0 };
    Walls::new(vec![wall([0.0, -20.0], [0.0, 4.0]), wall([0.0, 8.0], [0.0, end])])
}

/// A world with the mesh of these walls, one agent with a tree, and actors that stand.
fn world(walls: &Walls, tree: &Spec, from: Vec3, standing: &[Vec3]) -> (World, AgentId) {
    let mut world = World::new(Config::default());
    world.set_walls(walls.clone());
    world.set_navigation(mesh(walls));
    world.add_tree("walker", tree).expect("it is a tree");
    for at in standing {
        world.add_actor(ActorDesc { faction: "wolves".into(), ..ActorDesc::at(*at) });
    }
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("a squad");
    let agent = world.spawn(squad, AgentDesc { tree: "walker".into(), ..AgentDesc::at(from) });
    (world, agent.expect("it is an agent"))
}

/// Arrives somewhere, then rests there; where it cannot, it says so.
fn go(to: Vec3) -> Spec {
    let named = |name: &str, child: Spec| Spec::new("mode").set("name", name).with(child);
    let rest = || Spec::new("wait").set("seconds", 1e6);
    let walk = named("walks", Spec::new("arrive").set("to", to));
    let there = Spec::new("sequence").with(walk).with(named("there", rest()));
    Spec::new("selector").with(there).with(named("no_way", rest()))
}

fn until(world: &mut World, agent: AgentId, mode: &str, most: f64) -> f64 {
    let mut seconds = 0.0;
    while seconds < most && world.output(agent).expect("it is there").mode != mode {
        world.tick(DT);
        seconds += DT;
    }
    seconds
}

const IN_THE_DOOR: [Vec3; 3] = [vec3(0.0, 0.0, 4.6), vec3(0.0, 0.0, 6.0), vec3(0.0, 0.0, 7.4)];

/// Field report 12 of the peers: a door that is full of idle bodies. There is another, and the walker takes it.
#[test]
fn a_full_door_is_walked_round() {
    let goal = vec3(15.0, 0.0, 6.0);
    let (mut world, agent) = world(&doors(true), &go(goal), vec3(-8.0, 0.0, 6.0), &IN_THE_DOOR);
    let seconds = until(&mut world, agent, "there", 30.0);
    let at = world.output(agent).expect("it is there").position;
    // 23 m straight, 36 m round: 7 s, and the time until it has seen that nobody moves.
    assert!(seconds < 14.0 && at.distance(goal) < 0.5, "{seconds} s, at {at}");
}

/// There is no other door: it gives up in time, and says why.
#[test]
fn a_full_door_without_another_is_given_up() {
    let (mut world, agent) =
        world(&doors(false), &go(vec3(15.0, 0.0, 6.0)), vec3(-8.0, 0.0, 6.0), &IN_THE_DOOR);
    let mut told = false;
    let mut seconds = 0.0;
    while seconds < 20.0 && world.output(agent).expect("it is there").mode != "no_way" {
        world.tick(DT);
        seconds += DT;
        told |= world.output(agent).expect("it is there").path == Some(PathStatus::Blocked);
    }
    assert!(told && seconds < 14.0, "told: {told}, {seconds} s");
    assert!(world.problems().is_empty());
}

#[test]
fn the_way_round_discs_is_the_shortest_that_is_free() {
    let ground = mesh(&doors(true));
    let (from, to) = (vec3(-8.0, 0.0, 6.0), vec3(15.0, 0.0, 6.0));
    let discs = IN_THE_DOOR.map(|centre| Disc { centre, radius: 0.5 });
    let mut way = Vec::new();
    let length = |way: &[Vec3]| {
        let starts = std::iter::once(&from).chain(way);
        starts.zip(way).map(|(a, b)| a.distance(*b)).sum::<f32>()
    };
    assert_eq!(ground.path_around(from, to, 0.5, &discs, &mut way), PathStatus::Complete);
    assert!((30.0..33.0).contains(&length(&way)), "{} m: {way:?}", length(&way));
    // One body alone is passed by: there is room beside it.
    assert_eq!(ground.path_around(from, to, 0.5, &discs[..1], &mut way), PathStatus::Complete);
    assert!(length(&way) < 23.5, "{way:?}");
    for leg in std::iter::once(&from).chain(&way).zip(&way) {
        let share = ((discs[0].centre - *leg.0).dot(*leg.1 - *leg.0) / leg.0.distance_squared(*leg.1))
            .clamp(0.0, 1.0);
        let nearest = *leg.0 + (*leg.1 - *leg.0) * share;
        assert!(nearest.distance(discs[0].centre) > 0.999, "{leg:?}");
    }
    // Without discs it is the path, and one that stands on the walker itself holds nobody.
    assert_eq!(ground.path_around(from, to, 0.5, &[], &mut way), PathStatus::Complete);
    assert_eq!(way, [to]);
    let own = Disc { centre: from + vec3(0.1, 0.0, 0.0), radius: 0.5 };
    assert_eq!(ground.path_around(from, to, 0.5, &[own], &mut way), PathStatus::Complete);
    // A ground of the game's own may leave them out.
    let open = warband::nav::OpenGround::default();
    assert_eq!(open.path_around(from, to, 0.5, &discs, &mut way), PathStatus::Complete);
}

/// A wall goes up where one stands: one is put out to the nearest place, and goes on by a way that there is.
#[test]
fn who_is_in_a_new_wall_is_put_out() {
    let goal = vec3(15.0, 0.0, -6.0);
    let (mut world, agent) = world(&doors(true), &go(goal), vec3(-8.0, 0.0, 6.0), &[]);
    while world.output(agent).expect("it is there").position.x < -0.3 {
        world.tick(DT);
    }
    let mut shut = doors(true).all().to_vec();
    let block = [vec3(-1.5, 0.0, 4.0), vec3(1.5, 0.0, 4.0), vec3(1.5, 0.0, 8.0), vec3(-1.5, 0.0, 8.0)];
    shut.push(Wall::polygon(&block).expect("it is a wall"));
    let shut = Walls::new(shut);
    world.set_walls(shut.clone());
    world.set_navigation(mesh(&shut));
    world.tick(DT);
    let ground = mesh(&shut);
    let at = world.output(agent).expect("it is there").position;
    assert!(ground.is_walkable(at, 0.48) && at.x.abs() < 2.6, "{at}");
    until(&mut world, agent, "there", 30.0);
    let at = world.output(agent).expect("it is there").position;
    assert!(at.distance(goal) < 0.5, "{at}");
}

/// Waypoints in a wall or beyond the yard are moved to where a body has room, and that is told once.
#[test]
fn a_waypoint_in_a_wall_is_moved() {
    let block = [vec3(4.0, 0.0, -4.0), vec3(12.0, 0.0, -4.0), vec3(12.0, 0.0, 4.0), vec3(4.0, 0.0, 4.0)];
    let walls = Walls::new(vec![Wall::polygon(&block).expect("it is a wall")]);
    let mut world = World::new(Config::default());
    world.set_walls(walls.clone());
    world.set_navigation(mesh(&walls));
    world.add_tree("patrol", &Spec::new("patrol").set("spread", 0.0)).expect("it is a tree");
    let route = vec![vec3(-10.0, 0.0, 0.0), vec3(5.0, 0.0, 0.0), vec3(-10.0, 0.0, 40.0)];
    let desc = SquadDesc { name: "guards".into(), route, ..SquadDesc::default() };
    let squad = world.add_squad(desc).expect("it is a squad");
    let guard =
        world.spawn(squad, AgentDesc { tree: "patrol".into(), ..AgentDesc::at(vec3(-10.0, 0.0, -2.0)) });
    let guard = guard.expect("it is an agent");
    let (mut right, mut up) = (f32::MIN, f32::MIN);
    for tick in 0..60 * 60 {
        world.tick(DT);
        let told = world.problems().iter().filter(|problem| problem.error.to_string().contains("waypoint"));
        assert_eq!(told.count(), usize::from(tick == 0), "tick {tick}");
        let at = world.output(guard).expect("it is there").position;
        (right, up) = (right.max(at.x), up.max(at.z));
    }
    let told = world.all_problems()[0].error.to_string();
    assert!(told.starts_with("waypoint 2 of squad 'guards' at [5, 0, 0] is on no walkable ground"), "{told}");
    // It went on from there, to the edge of the yard.
    assert!((3.0..3.6).contains(&right) && up > 18.5, "{right} {up}");
}

/// Two rules that lead behind one wall: both go round it, and neither pulls into it.
#[test]
fn all_rules_of_a_blend_are_led() {
    let goal = vec3(6.0, 0.0, -10.0);
    let blend = Spec::new("blend")
        .with(Spec::new("arrive").set("to", goal))
        .with(Spec::new("seek").set("to", goal + vec3(0.0, 0.0, -3.0)).set("weight", 3.0));
    let (mut world, agent) = world(&doors(true), &blend, vec3(-6.0, 0.0, -10.0), &[]);
    let mut slowest = f32::INFINITY;
    let mut seconds = 0.0;
    while world.output(agent).expect("it is there").position.x < 1.0 && seconds < 20.0 {
        world.tick(DT);
        seconds += DT;
        if seconds > 1.0 {
            slowest = slowest.min(world.output(agent).expect("it is there").velocity.length());
        }
    }
    // 15 m to the door at 5 m/s.
    assert!(seconds < 4.5 && slowest > 2.5, "{seconds} s, {slowest} m/s");
}

/// What is searched for cannot be reached: they look about where the way ends.
#[test]
fn a_search_looks_about_at_the_end_of_its_way() {
    let cell =
        [[10.0, -3.0, 16.0, -3.0], [16.0, -3.0, 16.0, 3.0], [16.0, 3.0, 10.0, 3.0], [10.0, 3.0, 10.0, -3.0]];
    let walls = Walls::new(cell.map(|side| wall([side[0], side[1]], [side[2], side[3]])).to_vec());
    let mut world = World::new(Config::default());
    world.set_walls(walls.clone());
    world.set_navigation(mesh(&walls));
    let tree = Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("sees_target")).with(Spec::new("direct_chase")))
        .with(Spec::new("search"));
    world.add_tree("wolf", &tree).expect("it is a tree");
    let hero = world.add_actor(ActorDesc::at(vec3(13.0, 0.0, 0.0)));
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("a squad");
    let wolf = world.spawn(squad, AgentDesc { tree: "wolf".into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) });
    let wolf = wolf.expect("it is a wolf");
    world.tick(DT);
    world.set_actor(hero, vec3(-300.0, 0.0, 0.0), Vec3::ZERO);
    let mut turned = 0.0;
    let mut facing = Vec3::X;
    // It forgets after 5 s; after 2.5 s it has got there.
    for tick in 0..60 * 9 / 2 {
        world.tick(DT);
        let now = world.output(wolf).expect("it is there");
        if tick > 60 * 5 / 2 {
            turned += now.facing.angle_between(facing);
        }
        facing = now.facing;
    }
    let out = world.output(wolf).expect("it is there");
    assert!((out.position.x - 9.5).abs() < 0.4, "by the wall of the cell: {}", out.position);
    assert_eq!(out.mode, "search");
    // At 90 degrees a second for 2 s.
    assert!((2.0..4.0).contains(&turned), "it turned by {turned} radians");
}

/// The same walk in a mirror world is as long, whichever axis the mirror stands on.
#[test]
fn mirror_worlds_have_mirror_ways() {
    let mut dice = warband::rng::Dice::new(6, &[]);
    let mut bent = 0;
    for seed in 0..40 {
        let mut ends = Vec::new();
        for _ in 0..6 + seed % 8 {
            let at = [dice.range(-27.0, 27.0) as f32, dice.range(-17.0, 17.0) as f32];
            ends.push((at, [at[0] + dice.range(-7.0, 7.0) as f32, at[1] + dice.range(0.5, 7.0) as f32]));
        }
        let ground = |turn: fn([f32; 2]) -> [f32; 2]| {
            mesh(&Walls::new(ends.iter().map(|(a, b)| wall(turn(*a), turn(*b))).collect()))
        };
        let worlds: [fn([f32; 2]) -> [f32; 2]; 4] =
            [|at| at, |[x, z]| [-x, z], |[x, z]| [x, -z], |[x, z]| [-x, -z]];
        let grounds = worlds.map(ground);
        for _ in 0..10 {
            let mut end = || [dice.range(-29.0, 29.0) as f32, dice.range(-19.0, 19.0) as f32];
            let (from, to) = (end(), end());
            let mut lengths = [0.0_f32; 4];
            let mut status = [PathStatus::None; 4];
            for (number, (ground, turn)) in grounds.iter().zip(worlds).enumerate() {
                let place = |at: [f32; 2]| vec3(turn(at)[0], 0.0, turn(at)[1]);
                let mut way = Vec::new();
                status[number] = ground.path(place(from), place(to), 0.5, &mut way);
                let starts = std::iter::once(place(from)).chain(way.iter().copied());
                lengths[number] = starts.zip(&way).map(|(a, b)| a.distance(*b)).sum();
                bent += usize::from(number == 0 && way.len() > 1);
            }
            assert!(
                status.iter().all(|own| *own == status[0]),
                "seed {seed}: {status:?} from {from:?} to {to:?}"
            );
            let (least, most) =
                lengths.iter().fold((f32::MAX, 0.0_f32), |(l, m), own| (l.min(*own), m.max(*own)));
            assert!(most - least <= 2e-3 * most, "seed {seed}: {lengths:?} from {from:?} to {to:?}");
        }
    }
    assert!(bent > 40, "{bent} bent");
}

//! Agents on a mesh: they get round what holds them without one, in turn, and the same way however they were added.
#![cfg(feature = "navmesh")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use warband::math::{Vec3, vec3};
use warband::nav::{NavMesh, Navigation, PathStatus};
use warband::{
    ActorDesc, AgentDesc, AgentId, Config, Snapshot, Spec, SquadDesc, SquadId, Wall, Walls, World,
};

const DT: f64 = 1.0 / 60.0;

fn wall(from: [f32; 2], to: [f32; 2]) -> Wall {
    Wall::segment(vec3(from[0], 0.0, from[1]), vec3(to[0], 0.0, to[1])).expect("it is a wall")
}

/// A yard of 60 m by 40 m.
fn outline() -> [Vec3; 4] {
    [vec3(-30.0, 0.0, -20.0), vec3(30.0, 0.0, -20.0), vec3(30.0, 0.0, 20.0), vec3(-30.0, 0.0, 20.0)]
}

/// A U, open towards −x, with its back at x = 6: it can be seen through.
fn pocket() -> Walls {
    let sides =
        [wall([-4.0, -8.0], [6.0, -8.0]), wall([6.0, -8.0], [6.0, 8.0]), wall([6.0, 8.0], [-4.0, 8.0])];
    Walls::new(sides.into_iter().map(|side| side.see_through(true)).collect())
}

fn mesh(walls: &Walls) -> NavMesh {
    NavMesh::new(&outline(), walls, &[0.5]).expect("there is room")
}

/// Wolves that run at a player at (15, 0), who stands behind the pocket.
struct Hunt {
    world: World,
    wolves: Vec<AgentId>,
}

impl Hunt {
    fn new(walls: Walls, config: Config) -> Hunt {
        let mut world = World::new(config);
        world.set_walls(walls);
        world.add_tree("wolf", &Spec::new("direct_chase")).expect("it is a tree");
        world.add_actor(ActorDesc::at(vec3(15.0, 0.0, 0.0)));
        Hunt { world, wolves: Vec::new() }
    }

    fn squad(&mut self, name: &str, key: u32) -> SquadId {
        let desc = SquadDesc { name: name.into(), key: Some(key), ..SquadDesc::default() };
        self.world.add_squad(desc).expect("it is a squad")
    }

    fn wolf(&mut self, squad: SquadId, key: u32, at: Vec3) {
        let senses = warband::Senses { range: 60.0, ..warband::Senses::default() };
        let desc = AgentDesc { tree: "wolf".into(), key: Some(key), senses, ..AgentDesc::at(at) };
        self.wolves.push(self.world.spawn(squad, desc).expect("it is a wolf"));
    }

    fn pack(&mut self, count: u32) {
        let squad = self.squad("pack", 0);
        for key in 0..count {
            let at = vec3(-4.0 - (key / 8) as f32 * 1.2, 0.0, (key % 8) as f32 * 1.2 - 4.2);
            self.wolf(squad, key, at);
        }
    }

    fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / DT).round() as u32 {
            self.world.tick(DT);
        }
    }

    fn farthest(&self) -> f32 {
        let away = self.world.outputs().map(|wolf| wolf.position.distance(vec3(15.0, 0.0, 0.0)));
        away.fold(0.0, f32::max)
    }
}

/// The pocket holds all who run straight; on the mesh all get round it.
#[test]
fn a_pocket_holds_nobody_on_a_mesh() {
    let mut held = Hunt::new(pocket(), Config::default());
    held.pack(6);
    held.run(20.0);
    let stuck = held.world.outputs().filter(|wolf| wolf.position.x < 6.0).count();
    assert_eq!(stuck, 6, "without a mesh the pocket holds them");

    let mut free = Hunt::new(pocket(), Config::default());
    free.world.set_navigation(mesh(&pocket()));
    free.pack(6);
    let mut seconds = 0.0;
    while free.farthest() > 3.5 && seconds < 20.0 {
        free.run(0.25);
        seconds += 0.25;
    }
    // 10 m out of the pocket, 20 m along it and back, at 5 m/s.
    assert!(free.farthest() <= 3.5 && seconds < 12.0, "{seconds} s, {} m off", free.farthest());
    assert!(free.world.problems().is_empty());
}

/// Counts questions for ways.
struct Counted(NavMesh, Arc<AtomicUsize>);

impl Navigation for Counted {
    fn nearest(&self, point: Vec3, radius: f32, reach: f32) -> Option<Vec3> {
        self.0.nearest(point, radius, reach)
    }
    fn path(&self, from: Vec3, to: Vec3, radius: f32, corners: &mut Vec<Vec3>) -> PathStatus {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.path(from, to, radius, corners)
    }
    fn straight(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.0.straight(from, to, radius)
    }
}

/// Ways are spread over ticks: never more than the bound in one, in the order of keys, and everybody has one soon.
#[test]
fn ways_are_spread_over_ticks() {
    let asked = Arc::new(AtomicUsize::new(0));
    let mut hunt = Hunt::new(pocket(), Config { paths_per_tick: 4, ..Config::default() });
    hunt.world.set_navigation(Counted(mesh(&pocket()), asked.clone()));
    hunt.pack(32);
    for tick in 0..240 {
        let before = asked.load(Ordering::Relaxed);
        // A long tick is cut into steps, and is one tick all the same.
        hunt.world.tick(if tick == 1 { 0.2 } else { DT });
        let now = asked.load(Ordering::Relaxed);
        assert!(now - before <= 4, "{} in tick {tick}", now - before);
        if tick < 8 {
            let with = hunt.wolves.iter().take_while(|wolf| !hunt.world.path(**wolf).is_empty()).count();
            assert_eq!(with, 4 * (tick + 1), "tick {tick}: the lowest keys first");
        }
    }
    assert!(asked.load(Ordering::Relaxed) < 150, "{} ways for 32 wolves", asked.load(Ordering::Relaxed));
}

/// Two squads, added and filled in two orders: every wolf goes the same way, bit by bit.
#[test]
fn the_order_of_adding_is_not_felt() {
    let run = |turned: bool| {
        let mut hunt = Hunt::new(pocket(), Config { paths_per_tick: 2, ..Config::default() });
        hunt.world.set_navigation(mesh(&pocket()));
        let mut squads = [("a", 0), ("b", 1)];
        let mut keys: Vec<u32> = (0..7).collect();
        if turned {
            squads.reverse();
            keys.reverse();
        }
        for (name, key) in squads {
            let squad = hunt.squad(name, key);
            for wolf in &keys {
                hunt.wolf(squad, *wolf, vec3(-3.0 - key as f32 * 2.0, 0.0, *wolf as f32 * 1.5 - 4.0));
            }
        }
        hunt.run(6.0);
        hunt.world.digest()
    };
    assert_eq!(run(false), run(true));
}

/// Saved in the middle of a way, with some still waiting for theirs, a world goes on bit by bit.
#[test]
fn a_way_is_part_of_a_snapshot() {
    let world = || {
        let mut hunt = Hunt::new(pocket(), Config { paths_per_tick: 1, ..Config::default() });
        hunt.world.set_navigation(mesh(&pocket()));
        hunt
    };
    for ticks in [3, 40, 100] {
        let mut played = world();
        played.pack(8);
        (0..ticks).for_each(|_| played.world.tick(DT));
        let json = serde_json::to_string(&played.world.snapshot()).expect("it is data");
        let bytes = played.world.snapshot().to_bytes().expect("it is data");
        let by_bytes = Snapshot::from_bytes(&bytes).expect("it is one");
        let by_json: Snapshot = serde_json::from_str(&json).expect("it is one");
        let mut others = [by_bytes, by_json].map(|snapshot| {
            let mut other = world();
            other.world.restore(&snapshot).expect("it can go on");
            other
        });
        for tick in 0..300 {
            played.world.tick(DT);
            for other in &mut others {
                other.world.tick(DT);
                assert_eq!(other.world.digest(), played.world.digest(), "tick {tick} after {ticks}");
            }
        }
    }
}

/// The way that is shut while one is on it: everybody turns round and goes the other one.
#[test]
fn a_ground_that_changes_gives_new_ways() {
    let gate = |shut: bool| {
        let mut walls = vec![wall([0.0, -20.0], [0.0, 4.0]), wall([0.0, 8.0], [0.0, 17.0])];
        walls.extend(shut.then(|| wall([0.0, 4.0], [0.0, 8.0])));
        Walls::new(walls.into_iter().map(|wall| wall.see_through(true)).collect())
    };
    let mut hunt = Hunt::new(gate(false), Config::default());
    hunt.world.set_navigation(mesh(&gate(false)));
    let squad = hunt.squad("pack", 0);
    hunt.wolf(squad, 0, vec3(-10.0, 0.0, -6.0));
    hunt.run(1.5);
    assert!(hunt.world.path(hunt.wolves[0])[0].z < 8.0, "through the gate");
    hunt.world.set_walls(gate(true));
    hunt.world.set_navigation(mesh(&gate(true)));
    hunt.run(0.1);
    assert!(hunt.world.path(hunt.wolves[0])[0].z > 16.0, "round the end of the wall");
    hunt.run(10.0);
    assert!(hunt.farthest() < 2.0, "{} m off", hunt.farthest());
}

/// A player in a cell: the wolves go to its near side, stand there, and say that the way is a part of one. When it opens they
/// come in.
#[test]
fn who_cannot_get_there_stands_at_the_nearest_place() {
    let cell = |open: bool| {
        let mut walls = vec![
            wall([12.0, -3.0], [18.0, -3.0]),
            wall([18.0, -3.0], [18.0, 3.0]),
            wall([18.0, 3.0], [12.0, 3.0]),
        ];
        walls.extend((!open).then(|| wall([12.0, 3.0], [12.0, -3.0])));
        Walls::new(walls.into_iter().map(|wall| wall.see_through(true)).collect())
    };
    let mut hunt = Hunt::new(cell(false), Config::default());
    hunt.world.set_navigation(mesh(&cell(false)));
    let squad = hunt.squad("pack", 0);
    hunt.wolf(squad, 0, vec3(-5.0, 0.0, 1.0));
    hunt.run(8.0);
    let stands = hunt.world.output(hunt.wolves[0]).expect("it is there").position;
    hunt.run(3.0);
    let wolf = hunt.world.output(hunt.wolves[0]).expect("it is there");
    assert_eq!(wolf.path, Some(PathStatus::Partial));
    assert!(wolf.position.distance(stands) < 0.05, "it rests: {stands} and {}", wolf.position);
    assert!((wolf.position.x - 11.5).abs() < 0.4, "by the wall: {}", wolf.position);
    assert_eq!(wolf.velocity.length(), 0.0);
    hunt.world.set_walls(cell(true));
    hunt.world.set_navigation(mesh(&cell(true)));
    hunt.run(3.0);
    assert!(hunt.farthest() < 1.6, "{} m off", hunt.farthest());
    assert_eq!(hunt.world.output(hunt.wolves[0]).expect("it is there").path, None);
}

/// Random yards and rough ticks: nobody is ever off the ground, and nothing is ever not a number.
#[test]
fn nobody_leaves_the_ground() {
    let mut dice = warband::rng::Dice::new(3, &[]);
    let mut steps = 0;
    for _ in 0..6 {
        let mut walls = Vec::new();
        for _ in 0..14 {
            let at = [dice.range(-25.0, 25.0) as f32, dice.range(-16.0, 16.0) as f32];
            let to = [at[0] + dice.range(-9.0, 9.0) as f32, at[1] + dice.range(0.2, 6.0) as f32];
            walls.push(wall(at, to).see_through(true));
        }
        let inner = Walls::new(walls.clone());
        let ground = mesh(&inner);
        let edge = outline();
        walls.extend((0..4).map(|at| {
            let (a, b) = (edge[at], edge[(at + 1) % 4]);
            wall([a.x, a.z], [b.x, b.z]).see_through(true)
        }));
        let mut hunt = Hunt::new(Walls::new(walls), Config::default());
        let squad = hunt.squad("pack", 0);
        let mut key = 0;
        while key < 20 {
            let at = vec3(dice.range(-29.0, 29.0) as f32, 0.0, dice.range(-19.0, 19.0) as f32);
            if ground.is_walkable(at, 0.5) {
                hunt.wolf(squad, key, at);
                key += 1;
            }
        }
        hunt.world.set_navigation(mesh(&inner));
        for tick in 0..900 {
            hunt.world.tick(if tick % 100 == 99 { 0.5 } else { DT });
            for wolf in hunt.world.outputs() {
                assert!(wolf.velocity.is_finite() && wolf.facing.is_finite());
                // Overlaps of bodies may push a body against a wall by a hair.
                assert!(
                    ground.is_walkable(wolf.position, 0.45),
                    "tick {tick}: {} at {}",
                    wolf.key,
                    wolf.position
                );
                steps += 1;
            }
        }
    }
    assert!(steps > 100_000);
}

/// A route through a wall is walked round its end, by a patrol and by `follow_path` with points of its own.
#[test]
fn a_route_through_a_wall_is_walked_round_it() {
    let points = vec![vec3(-10.0, 0.0, -5.0), vec3(10.0, 0.0, -5.0), vec3(10.0, 0.0, 5.0)];
    let own = warband::args::Arg::List(points.iter().map(|point| (*point).into()).collect());
    for tree in [Spec::new("patrol"), Spec::new("follow_path").set("points", own)] {
        let walls = Walls::new(vec![wall([0.0, -20.0], [0.0, 6.0])]);
        let mut hunt = Hunt::new(walls.clone(), Config::default());
        hunt.world.set_navigation(mesh(&walls));
        hunt.world.add_tree("walker", &tree).expect("it is a tree");
        let route_order = warband::RouteOrder::Once;
        let route = if tree.node == "patrol" { points.clone() } else { vec![vec3(-25.0, 0.0, 0.0)] };
        let desc = SquadDesc { faction: "hero".into(), route, route_order, ..SquadDesc::default() };
        let squad = hunt.world.add_squad(desc).expect("it is a squad");
        let desc = AgentDesc { tree: "walker".into(), ..AgentDesc::at(vec3(-15.0, 0.0, -5.0)) };
        let walker = hunt.world.spawn(squad, desc).expect("it is an agent");
        let mut nearest = [f32::INFINITY; 3];
        for _ in 0..1800 {
            hunt.world.tick(DT);
            let at = hunt.world.output(walker).expect("it is there").position;
            for (near, point) in nearest.iter_mut().zip(&points) {
                *near = near.min(at.distance(*point));
            }
        }
        assert!(nearest.iter().all(|near| *near < 1.0), "{}: {nearest:?}", tree.node);
    }
}

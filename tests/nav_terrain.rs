//! Ground with heights: ramps, storeys above each other, ledges.
#![cfg(feature = "navmesh")]

use warband::math::{Vec3, vec3};
use warband::nav::{Navigation, PathStatus, Terrain, TerrainDesc};
use warband::{ActorDesc, AgentDesc, Config, Spec, SquadDesc, World};

/// Points and triangles of a level, from flat four-sided sheets.
#[derive(Default)]
struct Level {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Level {
    /// A sheet over x and z, with the heights of its low-z and its high-z side.
    fn sheet(mut self, x: [f32; 2], z: [f32; 2], y: [f32; 2]) -> Level {
        let from = self.points.len() as u32;
        self.points.extend([
            vec3(x[0], y[0], z[0]),
            vec3(x[1], y[0], z[0]),
            vec3(x[1], y[1], z[1]),
            vec3(x[0], y[1], z[1]),
        ]);
        self.triangles.extend([[from, from + 2, from + 1], [from, from + 3, from + 2]]);
        self
    }

    fn terrain(&self, desc: &TerrainDesc) -> Terrain {
        Terrain::new(&self.points, &self.triangles, desc).expect("there is room")
    }
}

/// A hall of 20 m by 30 m, with a ramp at its side from (1..4, 4) up to (1..4, 14), where a storey 4 m up begins that lies over the
/// hall from there on.
fn house() -> Level {
    Level::default()
        .sheet([0.0, 20.0], [0.0, 30.0], [0.0, 0.0])
        .sheet([1.0, 4.0], [4.0, 14.0], [0.0, 4.0])
        .sheet([0.0, 20.0], [14.0, 30.0], [4.0, 4.0])
}

fn length(from: Vec3, corners: &[Vec3]) -> f32 {
    let starts = std::iter::once(&from).chain(corners);
    starts.zip(corners).map(|(a, b)| a.distance(*b)).sum()
}

#[test]
fn the_way_up_is_the_ramp() {
    let terrain = house().terrain(&TerrainDesc::default());
    let (below, above) = (vec3(15.0, 0.0, 25.0), vec3(15.0, 4.0, 25.0));
    let mut way = Vec::new();
    assert_eq!(terrain.path(below, above, 0.5, &mut way), PathStatus::Complete);
    let way_up = length(below, &way);
    // Out from under the storey to the foot of the ramp, up, and back: never through the floor.
    assert!((45.0..60.0).contains(&way_up), "{way_up} m: {way:?}");
    assert!(way.iter().any(|corner| corner.z < 6.0 && corner.y < 1.0), "{way:?}");
    assert!((way.last().expect("it ends").y - 4.0).abs() < 0.1, "{way:?}");
    assert!(!terrain.straight(below, above, 0.5), "not through the floor");
    assert!(terrain.straight(below, vec3(5.0, 0.0, 25.0), 0.5));
    let mut down = Vec::new();
    assert_eq!(terrain.path(above, below, 0.5, &mut down), PathStatus::Complete);
    assert!((length(above, &down) - way_up).abs() < 0.2, "{} m down, {way_up} m up", length(above, &down));
}

#[test]
fn the_nearest_place_is_that_of_the_own_storey() {
    let terrain = house().terrain(&TerrainDesc::default());
    let near = |y: f32| terrain.nearest(vec3(10.0, y, 20.0), 0.5, 9.0).expect("there is ground").y;
    assert!(near(0.0).abs() < 0.1 && near(1.2).abs() < 0.1, "{} {}", near(0.0), near(1.2));
    assert!((near(4.0) - 4.0).abs() < 0.1 && (near(3.0) - 4.0).abs() < 0.1, "{} {}", near(4.0), near(3.0));
    assert!((terrain.height(vec3(2.5, 2.0, 9.0), 0.5).expect("the ramp") - 2.0).abs() < 0.15);
    assert_eq!(terrain.nearest(vec3(10.0, 60.0, 20.0), 0.5, 9.0), None);
    // From off the ground the nearest place is at the border, half a metre in.
    let off = terrain.nearest(vec3(10.0, 0.0, -3.0), 0.5, 9.0).expect("there is ground");
    assert!((0.4..0.9).contains(&off.z) && (off.x - 10.0).abs() < 0.1, "{off}");
}

/// A wolf walks from the hall up to a hero on the storey above its head: it is on the ground all the way, and gets there.
#[test]
fn a_wolf_walks_up_the_ramp() {
    let level = house();
    let terrain = level.terrain(&TerrainDesc::default());
    let mut world = World::new(Config::default());
    world.set_navigation(level.terrain(&TerrainDesc::default()));
    world.add_tree("wolf", &Spec::new("direct_chase")).expect("it is a tree");
    let hero = world.add_actor(ActorDesc::at(vec3(15.0, 4.0, 25.0)));
    let pack = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("a squad");
    let senses = warband::Senses { range: 60.0, ..warband::Senses::default() };
    let desc = AgentDesc { tree: "wolf".into(), senses, ..AgentDesc::at(vec3(7.0, 0.0, 25.0)) };
    let wolf = world.spawn(pack, desc).expect("it is a wolf");
    let mut seconds = 0.0;
    while seconds < 30.0 {
        world.set_actor(hero, vec3(15.0, 4.0, 25.0), Vec3::ZERO);
        world.tick(1.0 / 60.0);
        seconds += 1.0 / 60.0;
        let at = world.output(wolf).expect("it is there").position;
        let ground = terrain.height(at, 0.5).expect("it is on the ground");
        assert!((at.y - ground).abs() < 0.02, "{seconds} s: at {at}, the ground at {ground}");
        if at.distance(vec3(15.0, 4.0, 25.0)) < 2.0 {
            break;
        }
    }
    assert!(seconds < 16.0, "{seconds} s, at {}", world.output(wolf).expect("it is there").position);
}

/// What is higher than a step is a ledge, whichever way; what is too steep is no ramp, and what is too low is no room.
#[test]
fn what_stops_a_body_is_what_was_said() {
    let ledge = |up: f32| {
        Level::default().sheet([0.0, 20.0], [0.0, 10.0], [0.0, 0.0]).sheet(
            [0.0, 20.0],
            [10.0, 20.0],
            [up, up],
        )
    };
    let mut way = Vec::new();
    let mut over = |level: &Level, desc: &TerrainDesc, up: f32| {
        let terrain = level.terrain(desc);
        terrain.path(vec3(10.0, 0.0, 3.0), vec3(10.0, up, 17.0), 0.5, &mut way)
    };
    let desc = TerrainDesc::default();
    assert_eq!(over(&ledge(0.3), &desc, 0.3), PathStatus::Complete);
    assert_eq!(over(&ledge(1.0), &desc, 1.0), PathStatus::Partial);
    assert_eq!(over(&ledge(1.0), &TerrainDesc { climb: 1.2, ..desc.clone() }, 1.0), PathStatus::Complete);
    let ramp = Level::default()
        .sheet([0.0, 20.0], [0.0, 6.0], [0.0, 0.0])
        .sheet([0.0, 20.0], [6.0, 14.0], [0.0, 5.0])
        .sheet([0.0, 20.0], [14.0, 20.0], [5.0, 5.0]);
    // The ramp is at 32 degrees.
    assert_eq!(over(&ramp, &desc, 5.0), PathStatus::Complete);
    assert_eq!(over(&ramp, &TerrainDesc { slope: 28.0, ..desc.clone() }, 5.0), PathStatus::Partial);
    let beam = |under: f32| {
        Level::default().sheet([0.0, 20.0], [0.0, 20.0], [0.0, 0.0]).sheet(
            [0.0, 20.0],
            [9.0, 11.0],
            [under, under],
        )
    };
    assert_eq!(over(&beam(2.2), &desc, 0.0), PathStatus::Complete);
    assert_eq!(over(&beam(1.5), &desc, 0.0), PathStatus::Partial);
}

/// Random steps of any length end on the ground, at its height, and nowhere else.
#[test]
fn steps_end_on_the_ground() {
    let terrain = house().terrain(&TerrainDesc::default());
    let mut dice = warband::rng::Dice::new(9, &[]);
    let mut at = vec3(15.0, 0.0, 25.0);
    let (mut up, mut down) = (0, 0);
    for number in 0..100_000 {
        let stride = if number % 50 == 0 { 30.0 } else { 1.0 };
        // A drift that turns now and then, so that it gets about.
        let drift = [vec3(-0.3, 0.0, -0.3), vec3(0.0, 0.0, 0.4), vec3(0.4, 0.0, 0.1), vec3(-0.4, 0.0, 0.0)];
        let random = vec3(dice.range(-1.0, 1.0) as f32, 0.0, dice.range(-1.0, 1.0) as f32) * stride;
        let to = at + random + drift[number / 300 % 4];
        let next = terrain.step(at, to, 0.5);
        assert!(next.is_finite());
        let ground = terrain.nearest(next, 0.5, 0.05).expect("it is on the ground");
        assert!(ground.distance(next) < 1e-3, "step {number}: {next}, the ground at {ground}");
        assert!(stride > 1.0 || (next.y - at.y).abs() < 1.5, "step {number}: from {at} to {next}");
        up += u32::from(at.y < 2.0 && next.y >= 2.0);
        down += u32::from(at.y >= 2.0 && next.y < 2.0);
        at = next;
    }
    assert!(up > 2 && down > 2, "{up} times up, {down} times down");
}

/// A search that may do little says so, and asked again from where it got to it gets there.
#[test]
fn a_budget_is_held() {
    let terrain = house().terrain(&TerrainDesc::default()).with_budget(4);
    let (mut at, goal) = (vec3(15.0, 0.0, 3.0), vec3(15.0, 4.0, 25.0));
    let mut way = Vec::new();
    assert_eq!(terrain.path(at, goal, 0.5, &mut way), PathStatus::Unfinished);
    at = *way.last().expect("it leads somewhere");
    assert!(terrain.nearest(at, 0.5, 0.05).is_some(), "{at}");
    let twin = house().terrain(&TerrainDesc::default()).with_budget(4);
    let mut again = Vec::new();
    twin.path(vec3(15.0, 0.0, 3.0), goal, 0.5, &mut again);
    assert_eq!(way, again);
}

#[test]
fn what_is_no_ground_is_refused() {
    let level = house();
    let said = |points: &[Vec3], triangles: &[[u32; 3]], desc: TerrainDesc| {
        Terrain::new(points, triangles, &desc).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let desc = TerrainDesc::default;
    assert_eq!(said(&level.points, &[], desc()), "a terrain needs triangles, got none");
    let none = TerrainDesc { radii: Vec::new(), ..desc() };
    assert_eq!(
        said(&level.points, &level.triangles, none),
        "a terrain needs the radii of those who walk on it, got none"
    );
    assert_eq!(
        said(&level.points, &[[0, 1, 99]], desc()),
        "triangle 0 of the terrain has a corner beyond its 12 points"
    );
    assert_eq!(said(&[Vec3::NAN], &[[0, 0, 0]], desc()), "point 0 of the terrain must be finite");
    let steep = TerrainDesc { slope: 90.0, ..desc() };
    assert_eq!(
        said(&level.points, &level.triangles, steep),
        "the slope of a terrain must be 0 to 85, got 90"
    );
    let fine = TerrainDesc { cell: Some(0.001), ..desc() };
    assert!(said(&level.points, &level.triangles, fine).contains("make the cell of the terrain larger"));
    let wide = TerrainDesc { radii: vec![11.0], ..desc() };
    assert!(said(&level.points, &level.triangles, wide).starts_with("a body of radius 11 m has no room"));
    // A triangle without an area is no ground, and no trouble.
    assert!(said(&[Vec3::ZERO; 3], &[[0, 1, 2]], desc()).starts_with("a body of radius 0.5 m has no room"));
}

//! A house of two storeys, given as triangles: a wolf below hears nothing of ceilings, and walks up the ramp to a hero above its
//! head. The ground is made of the level's own triangles, and the wolf is at its height all the way.
//!
//! ```text
//! the way up: 6 corners, 48.0 m
//!  0 s: ( 7.0, 25.0), 0.0 m up
//!  1 s: ( 6.5, 20.6), 0.0 m up
//!  2 s: ( 5.9, 15.7), 0.0 m up
//!  3 s: ( 5.2, 10.7), 0.0 m up
//!  4 s: ( 4.6,  5.8), 0.0 m up
//!  5 s: ( 3.2,  5.9), 0.8 m up
//!  6 s: ( 3.3, 10.9), 2.8 m up
//!  7 s: ( 4.3, 15.5), 4.0 m up
//!  8 s: ( 8.1, 18.8), 4.0 m up
//!  9 s: (11.8, 22.1), 4.0 m up
//! 10 s: (13.9, 24.0), 4.0 m up
//! 11 s: (13.9, 24.0), 4.0 m up
//! 12 s: (13.9, 24.0), 4.0 m up
//! 13 s: (13.9, 24.0), 4.0 m up
//! ```
use warband::nav::{Navigation, Terrain, TerrainDesc};
use warband::{ActorDesc, AgentDesc, Config, Result, Senses, Spec, SquadDesc, Vec3, World, vec3};

/// Points and triangles, as a level editor would give them.
#[derive(Default)]
struct Level {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Level {
    /// A floor with four sides over x and z, `y` high at its low-z and at its high-z side: level, or a ramp.
    fn floor(&mut self, x: [f32; 2], z: [f32; 2], y: [f32; 2]) {
        let first = self.points.len() as u32;
        self.points.extend([vec3(x[0], y[0], z[0]), vec3(x[1], y[0], z[0])]);
        self.points.extend([vec3(x[1], y[1], z[1]), vec3(x[0], y[1], z[1])]);
        self.triangles.extend([[first, first + 2, first + 1], [first, first + 3, first + 2]]);
    }
}

fn main() -> Result<()> {
    let mut level = Level::default();
    level.floor([0.0, 20.0], [0.0, 30.0], [0.0, 0.0]);
    level.floor([0.0, 20.0], [14.0, 30.0], [4.0, 4.0]);
    level.floor([1.0, 4.0], [4.0, 14.0], [0.0, 4.0]);
    let ground = Terrain::new(&level.points, &level.triangles, &TerrainDesc::default())?;

    let (den, perch) = (vec3(7.0, 0.0, 25.0), vec3(15.0, 4.0, 25.0));
    let mut way = Vec::new();
    ground.path(den, perch, 0.5, &mut way);
    let starts = std::iter::once(&den).chain(&way);
    let length: f32 = starts.zip(&way).map(|(a, b)| a.distance(*b)).sum();
    println!("the way up: {} corners, {length:.1} m", way.len());

    let mut world = World::new(Config::default());
    world.set_navigation(ground);
    world.add_tree("wolf", &Spec::new("direct_chase"))?;
    world.add_actor(ActorDesc::at(perch));
    let pack = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() })?;
    let senses = Senses { range: 60.0, ..Senses::default() };
    let wolf = world.spawn(pack, AgentDesc { tree: "wolf".into(), senses, ..AgentDesc::at(den) })?;
    for second in 0..14 {
        let at = world.output(wolf).map_or(den, |out| out.position);
        println!("{second:2} s: ({:4.1}, {:4.1}), {:3.1} m up", at.x, at.z, at.y);
        (0..60).for_each(|_| world.tick(1.0 / 60.0));
    }
    Ok(())
}

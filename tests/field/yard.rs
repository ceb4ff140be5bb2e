//! A yard with walls, a mesh on it, and one who walks: for the reports about ways.

use warband::nav::{NavMesh, Navigation};
use warband::rng::Dice;
use warband::steer::Limits;
use warband::{AgentDesc, AgentId, Config, Spec, SquadDesc, Vec3, Wall, Walls, World, vec3};

pub fn wall(from: [f32; 2], to: [f32; 2]) -> Wall {
    Wall::segment(vec3(from[0], 0.0, from[1]), vec3(to[0], 0.0, to[1]))
        .expect("it is a wall")
        .see_through(true)
}

/// A yard of 60 m by 40 m round the origin.
pub fn outline() -> [Vec3; 4] {
    [vec3(-30.0, 0.0, -20.0), vec3(30.0, 0.0, -20.0), vec3(30.0, 0.0, 20.0), vec3(-30.0, 0.0, 20.0)]
}

pub fn mesh(walls: &Walls) -> NavMesh {
    NavMesh::new(&outline(), walls, &[0.5]).expect("there is room")
}

/// So many lines of 3 to 10 m, anywhere in the yard.
pub fn lines(seed: u64, count: u32) -> Walls {
    let mut dice = Dice::new(seed, &[4]);
    let mut line = || {
        let at = [dice.range(-27.0, 27.0) as f32, dice.range(-17.0, 17.0) as f32];
        wall(at, [at[0] + dice.range(-7.0, 7.0) as f32, at[1] + dice.range(0.5, 7.0) as f32])
    };
    Walls::new((0..count).map(|_| line()).collect())
}

/// A random place where a body of 0.5 m has room.
pub fn free(dice: &mut Dice, mesh: &NavMesh) -> Vec3 {
    loop {
        let at = vec3(dice.range(-29.0, 29.0) as f32, 0.0, dice.range(-19.0, 19.0) as f32);
        if mesh.is_walkable(at, 0.5) {
            return at;
        }
    }
}

/// One agent that arrives at a place, and names what it does then: `there`, or `no_way`.
pub struct Walker {
    pub world: World,
    pub agent: AgentId,
}

impl Walker {
    pub fn new(
        walls: &Walls,
        ground: impl Navigation + 'static,
        from: Vec3,
        to: Vec3,
        limits: Limits,
    ) -> Walker {
        let mut world = World::new(Config::default());
        world.set_walls(walls.clone());
        world.set_navigation(ground);
        let named = |name: &str, child: Spec| Spec::new("mode").set("name", name).with(child);
        let rest = || Spec::new("wait").set("seconds", 1e6);
        let go = Spec::new("sequence")
            .with(named("walks", Spec::new("arrive").set("to", to)))
            .with(named("there", rest()));
        let tree = Spec::new("selector").with(go).with(named("no_way", rest()));
        world.add_tree("walker", &tree).expect("it is a tree");
        let squad = world.add_squad(SquadDesc { name: "walkers".into(), ..SquadDesc::default() });
        let desc = AgentDesc { tree: "walker".into(), limits, facing: to - from, ..AgentDesc::at(from) };
        let agent = world.spawn(squad.expect("it is a squad"), desc).expect("it is an agent");
        Walker { world, agent }
    }

    pub fn at(&self) -> Vec3 {
        self.world.output(self.agent).expect("it is there").position
    }

    pub fn mode(&self) -> String {
        self.world.output(self.agent).expect("it is there").mode.to_string()
    }

    /// Ticks until it has a mode, for so many seconds at most; how long that took.
    pub fn until(&mut self, mode: &str, dt: f64, most: f64) -> f64 {
        let mut seconds = 0.0;
        while seconds < most && self.mode() != mode {
            self.world.tick(dt);
            seconds += dt;
        }
        seconds
    }
}

/// A wall with its end at the origin: the way from one side to the other goes round that end.
pub fn corner() -> Walls {
    Walls::new(vec![wall([0.0, -20.0], [0.0, 0.0])])
}

/// The time that a walk round the corner takes, divided by that of an ideal one: the shortest way at top speed, with the one
/// start and the one braking.
pub fn corner_time(limits: Limits, dt: f64) -> f64 {
    let (from, to) = (vec3(-12.0, 0.0, -8.0), vec3(12.0, 0.0, -8.0));
    let mut way = Vec::new();
    mesh(&corner()).path(from, to, 0.5, &mut way);
    let starts = std::iter::once(&from).chain(&way);
    let length: f32 = starts.zip(&way).map(|(a, b)| a.distance(*b)).sum();
    let ideal = length / limits.max_speed + limits.max_speed / limits.max_acceleration;
    let mut walker = Walker::new(&corner(), mesh(&corner()), from, to, limits);
    walker.until("there", dt, 60.0) / f64::from(ideal)
}

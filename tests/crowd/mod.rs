//! Walkers with a goal each, and those who only stand, for tests of crowds.
#![allow(dead_code, reason = "not every test uses all of it")]

use warband::math::flat;
use warband::nav::{Navigation, OpenGround, PathStatus};
use warband::{AgentDesc, AgentId, Config, Limits, Spec, SquadDesc, SquadId, Vec3, Wall, Walls, World, vec3};

/// A world with one squad, whose members are added one by one.
pub struct Crowd {
    pub world: World,
    pub squad: SquadId,
    pub agents: Vec<AgentId>,
    pub goals: Vec<Option<Vec3>>,
    pub limits: Limits,
    /// The way that each agent has walked, m.
    pub walked: Vec<f32>,
    /// The least distance of two agents over the sum of their radii, so far.
    pub gap: f32,
}

impl Crowd {
    pub fn new(config: Config) -> Self {
        let mut world = World::new(config);
        let squad =
            world.add_squad(SquadDesc { name: "crowd".into(), ..SquadDesc::default() }).expect("a squad");
        Self {
            world,
            squad,
            agents: Vec::new(),
            goals: Vec::new(),
            limits: Limits::of(0.5, 5.0),
            walked: Vec::new(),
            gap: f32::MAX,
        }
    }

    /// A crowd of walkers from here to there.
    pub fn walking(ways: &[(Vec3, Vec3)]) -> Self {
        let mut crowd = Self::new(Config::default());
        ways.iter().for_each(|(from, to)| crowd.walker(*from, *to));
        crowd
    }

    pub fn walker(&mut self, from: Vec3, to: Vec3) {
        self.add(AgentDesc { facing: to - from, ..AgentDesc::at(from) }, Some(to));
    }

    pub fn idler(&mut self, at: Vec3) {
        self.add(AgentDesc::at(at), None);
    }

    pub fn add(&mut self, desc: AgentDesc, goal: Option<Vec3>) {
        let mut tree = String::new();
        if let Some(goal) = goal {
            tree = format!("to {} {} {}", goal.x, goal.y, goal.z);
            let spec = Spec::new("arrive").set("to", goal);
            self.world.add_tree(&tree, &spec).expect("the tree is right");
        }
        let limits = self.limits;
        let desc = AgentDesc { tree, limits, ..desc };
        self.agents.push(self.world.spawn(self.squad, desc).expect("a new agent"));
        self.goals.push(goal);
        self.walked.push(0.0);
    }

    pub fn walls(&mut self, walls: &[(Vec3, Vec3)]) {
        let segment = |(a, b): &(Vec3, Vec3)| Wall::segment(*a, *b).expect("a wall");
        self.world.set_walls(Walls::new(walls.iter().map(segment).collect()));
    }

    /// A wall along z through the origin with a door of this width, and ways through it.
    pub fn door(&mut self, width: f32) {
        let half = width / 2.0;
        let walls =
            [(vec3(0.0, 0.0, half), vec3(0.0, 0.0, 20.0)), (vec3(0.0, 0.0, -half), vec3(0.0, 0.0, -20.0))];
        self.walls(&walls);
        let segment = |(a, b): &(Vec3, Vec3)| Wall::segment(*a, *b).expect("a wall");
        let walls = Walls::new(walls.iter().map(segment).collect());
        self.world.set_navigation(Door(OpenGround::new(walls)));
    }

    pub fn at(&self, index: usize) -> Vec3 {
        self.world.position(self.agents[index]).expect("it is there")
    }

    pub fn places(&self) -> Vec<Vec3> {
        (0..self.agents.len()).map(|index| self.at(index)).collect()
    }

    pub fn tick(&mut self, dt: f64) {
        let before = self.places();
        self.world.tick(dt);
        let after = self.places();
        for (index, (from, to)) in before.iter().zip(&after).enumerate() {
            assert!(to.is_finite(), "agent {index} is nowhere");
            self.walked[index] += flat(*to - *from).length();
        }
        self.gap = self.gap.min(least_gap(&after, self.limits.radius));
    }

    pub fn run(&mut self, seconds: f64, dt: f64) {
        for _ in 0..(seconds / dt).round() as usize {
            self.tick(dt);
        }
    }

    /// Runs until all have arrived; the time, or infinity when that takes longer than `most`.
    pub fn until_arrived(&mut self, most: f64, dt: f64) -> f64 {
        for tick in 1..=(most / dt).round() as usize {
            self.tick(dt);
            if self.arrived() == self.goals.iter().flatten().count() {
                return tick as f64 * dt;
            }
        }
        f64::INFINITY
    }

    /// How many of those with a goal are within a body of it.
    pub fn arrived(&self) -> usize {
        let near = |(index, goal): (usize, &Option<Vec3>)| {
            goal.is_some_and(|goal| flat(self.at(index) - goal).length() <= self.limits.radius)
        };
        self.goals.iter().enumerate().filter(|one| near(*one)).count()
    }

    pub fn speeds(&self) -> Vec<f32> {
        self.world.outputs().map(|out| out.velocity.length()).collect()
    }
}

/// Ground of a game's own: all ways lead through a door at the origin.
struct Door(OpenGround);

impl Navigation for Door {
    fn nearest(&self, point: Vec3, radius: f32, reach: f32) -> Option<Vec3> {
        self.0.nearest(point, radius, reach)
    }
    fn path(&self, from: Vec3, to: Vec3, _: f32, corners: &mut Vec<Vec3>) -> PathStatus {
        corners.clear();
        let side = if from.x < 0.0 { 1.0 } else { -1.0 };
        if from.x * to.x < 0.0 {
            corners.extend([vec3(-0.6 * side, 0.0, 0.0), vec3(0.6 * side, 0.0, 0.0)]);
        }
        corners.push(to);
        PathStatus::Complete
    }
    fn straight(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.0.straight(from, to, radius)
    }
}

/// The least distance of two places over twice the radius.
pub fn least_gap(places: &[Vec3], radius: f32) -> f32 {
    let mut least = f32::MAX;
    for (at, one) in places.iter().enumerate() {
        for other in &places[at + 1..] {
            least = least.min(flat(*one - *other).length());
        }
    }
    least / (2.0 * radius)
}

/// Places on a lattice of `apart` metres round `middle`.
pub fn lattice(count: usize, apart: f32, middle: Vec3) -> Vec<Vec3> {
    let side = (count as f32).sqrt().ceil() as usize;
    let half = (side as f32 - 1.0) / 2.0;
    let place = |at: usize| vec3((at % side) as f32 - half, 0.0, (at / side) as f32 - half) * apart;
    (0..count).map(|at| middle + place(at)).collect()
}

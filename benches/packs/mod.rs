//! Packs of eight that patrol, see an actor, chase it and surround it: what the benches of whole worlds tick.
#![allow(dead_code, reason = "each bench has this module of its own, and uses a part")]

use criterion::Criterion;
use std::time::{Duration, Instant};
use warband::{ActorDesc, AgentDesc, Config, Spec, SquadDesc, Vec3, World, vec3};

pub const DT: f64 = 1.0 / 60.0;

/// Metres between the middles of packs.
const APART: f32 = 16.0;

/// How a row is measured: short, so that all of them together take some minutes.
pub fn criterion() -> Criterion {
    Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(900))
        .sample_size(10)
}

/// The time of so many ticks.
#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
pub fn ticked(world: &mut World, ticks: u64) -> Duration {
    let start = Instant::now();
    (0..ticks).for_each(|_| world.tick(DT));
    start.elapsed()
}

fn hunt() -> Spec {
    let chase = Spec::new("bands")
        .with(Spec::new("direct_chase").edge("below", 8.0))
        .with(Spec::new("formation").set("radius", 12.0));
    Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("sees_target")).with(chase))
        .with(Spec::new("patrol"))
}

/// What a world is made of.
#[derive(Clone, Copy)]
pub struct Packs {
    pub agents: usize,
    /// One pack in so many hunts and patrols; the others wait.
    pub awake: usize,
    /// One actor in each square of so many packs by so many, beside one of those that are awake; `None` for one in the middle.
    pub prey: Option<usize>,
    /// Whether agents walk round each other.
    pub avoid: bool,
    /// On how many threads a tick may work, see [`Config::threads`].
    pub threads: usize,
}

impl Packs {
    fn count(self) -> usize {
        self.agents / 8
    }

    /// The column and the row in which a pack stands.
    fn cell(self, pack: usize) -> (usize, usize) {
        let side = (self.count() as f32).sqrt().ceil() as usize;
        (pack % side, pack / side)
    }

    fn middle(self, pack: usize) -> Vec3 {
        let (column, row) = self.cell(pack);
        vec3(column as f32, 0.0, row as f32) * APART
    }

    /// The packs that have an actor beside them: all of them are awake.
    fn hunters(self) -> Vec<usize> {
        let awake = |pack: usize| pack - pack % self.awake;
        match self.prey {
            Some(each) => {
                let has_prey = |pack: &usize| {
                    let (column, row) = self.cell(*pack);
                    column % each == each / 2 && row % each == each / 2
                };
                (0..self.count()).filter(has_prey).map(awake).collect()
            }
            None => vec![awake(self.count() / 2)],
        }
    }

    pub fn world(self) -> World {
        let mut world = World::new(Config { threads: self.threads, ..Config::default() });
        world.add_tree("hunt", &hunt()).expect("right");
        world.add_tree("wait", &Spec::new("wait").set("seconds", 1e6)).expect("right");
        for pack in 0..self.count() {
            let tree = if pack % self.awake == 0 { "hunt" } else { "wait" };
            self.pack(&mut world, pack, tree);
        }
        for pack in self.hunters() {
            world.add_actor(ActorDesc::at(self.middle(pack) + vec3(10.0, 0.0, 2.0)));
        }
        (0..60).for_each(|_| world.tick(DT));
        world
    }

    fn pack(self, world: &mut World, pack: usize, tree: &str) {
        let middle = self.middle(pack);
        let route = vec![middle + vec3(-6.0, 0.0, 0.0), middle + vec3(6.0, 0.0, 0.0)];
        let name = format!("pack {pack}");
        let desc = SquadDesc { name, route, key: Some(pack as u32), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        for at in 0..8 {
            let place = middle + vec3((at % 4) as f32 * 1.5, 0.0, (at / 4) as f32 * 1.5);
            let desc = AgentDesc { tree: tree.into(), avoid: self.avoid, ..AgentDesc::at(place) };
            world.spawn(squad, desc).expect("a new agent");
        }
    }

    /// Agents do what the work says.
    pub fn check(self, world: &World) {
        assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
        let moving = world.outputs().filter(|out| out.velocity.length() > 0.5).count();
        let hunting = world.outputs().filter(|out| out.mode == "direct" || out.mode == "formation").count();
        println!("{} agents: {moving} move, {hunting} hunt, {} sleep", self.agents, world.asleep());
        assert!(moving * self.awake * 4 > self.agents, "too few move");
        assert!(hunting >= self.hunters().len(), "too few hunt");
        if self.awake > 1 {
            assert!(world.asleep() * 10 > self.agents * 9, "too few sleep");
        }
    }
}

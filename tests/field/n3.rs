//! A long frame throws agents through things.
//!
//! 60 steps of 1/60 s, one of 3.0 s, one of 0, one negative, one not a number, and 60 steps of 1/60 s during the narrow ring.
//! The player walks on at 3 m/s, through a fence that agents can look through and not pass.
//! Asked for: no tick moves an agent farther than speed × the longest tick; no overlap above 0.1 m after; what is no step is
//! left out with one diagnostic each; nobody is thrown through the fence; the clock of the search agrees with the time that was accepted.

use super::common::nearest_pair;
use super::{Measure, at_least, at_most, exactly, within};
use std::path::Path;
use warband::{ActorDesc, ActorId, AgentDesc, Config, EventKind, SquadDesc, Vec3, Wall, Walls, World, vec3};

const STEP: f64 = 1.0 / 60.0;
const SPEED: f64 = 5.0;
/// Where the fence stands, m along z.
const FENCE: f32 = 9.0;

/// The steps of the scenario: the odd ones in the middle.
fn steps() -> Vec<f64> {
    let mut steps = vec![STEP; 60];
    steps.extend([3.0, 0.0, -0.5, f64::NAN]);
    steps.extend([STEP; 60]);
    steps
}

struct Fight {
    world: World,
    player: ActorId,
    place: Vec3,
}

impl Fight {
    /// Eight with the shipped `encircle.lua`, all in the narrow ring.
    fn narrow(seed: u64) -> Self {
        let mut world = World::new(Config { seed, ..Config::default() });
        world.set_script_root(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts"));
        world.load("encircle.lua").expect("it is right");
        let fence = Wall::segment(vec3(-200.0, 0.0, FENCE), vec3(200.0, 0.0, FENCE)).expect("a wall");
        world.set_walls(Walls::new(vec![fence.see_through(true)]));
        let player = world.add_actor(ActorDesc::at(Vec3::ZERO));
        let desc = SquadDesc { name: "pack".into(), route: vec![vec3(-20.0, 0.0, 0.0)], ..SquadDesc::default() };
        let pack = world.add_squad(desc).expect("new");
        for at in 0..8 {
            let desc = AgentDesc {
                tree: "encircle".into(),
                ..AgentDesc::at(vec3(-18.0, 0.0, at as f32 * 1.5 - 5.0))
            };
            world.spawn(pack, desc).expect("new");
        }
        let mut fight = Self { world, player, place: Vec3::ZERO };
        for _ in 0..1800 {
            fight.tick(STEP);
            if fight.world.outputs().all(|out| out.mode == "narrow") {
                return fight;
            }
        }
        panic!("seed {seed}: never all in the narrow ring");
    }

    fn tick(&mut self, dt: f64) {
        self.world.set_actor(self.player, self.place, Vec3::ZERO);
        self.world.tick(dt);
    }

    fn places(&self) -> Vec<Vec3> {
        self.world.outputs().map(|out| out.position).collect()
    }
}

pub fn measure() -> Vec<Measure> {
    let (mut farthest, mut reached) = (0.0_f64, f32::MIN);
    let (mut nearest, mut told, mut accepted) = (f32::MAX, 0, 0.0_f64);
    let (mut least, mut most) = (f64::MAX, f64::MIN);
    for seed in 1..=5 {
        let mut fight = Fight::narrow(seed);
        let (before, longest) = (fight.world.now(), f64::from(Config::default().longest_tick));
        for dt in steps() {
            let from = fight.places();
            fight.place.z += 3.0 * if dt > 0.0 { dt as f32 } else { 0.0 };
            fight.tick(dt);
            reached = fight.places().iter().map(|place| place.z).fold(reached, f32::max);
            let all = from.iter().zip(fight.places());
            let moved = all.map(|(from, to)| f64::from(from.distance(to))).fold(0.0, f64::max);
            // A tick that is no step, or none at all, moves nobody: any way in it counts as endless.
            let allowed = SPEED * if dt > 0.0 { dt.min(longest) } else { 0.0 };
            let share = if moved > 0.0 { moved / allowed } else { 0.0 };
            farthest = farthest.max(share);
            nearest = nearest.min(nearest_pair(&fight.places()));
            told += fight.world.problems().len();
        }
        accepted = accepted.max((fight.world.now() - before - 3.0).abs());
        let search = search(fight);
        (least, most) = (least.min(search), most.max(search));
    }
    vec![
        at_most("farthest move in a tick, of speed × accepted time", farthest, 1.001),
        at_least("farthest move all the same: they run", farthest, 0.5),
        at_most("farthest that a centre got towards the fence at 9 m, m", reached, 8.51),
        at_least("farthest that a centre got towards the fence at 9 m, at least, m", reached, 8.0),
        at_least("least distance between two, m", nearest, 0.9),
        exactly("diagnostics for two steps that are none, in 5 runs", told as f64, 10.0),
        at_most("clock off 60/60 + 1 + 60/60 s, s", accepted, 1e-6),
        within("least accepted time from loss to patrol, s", least, 5.0 - STEP, 5.0 + 2.0 * STEP),
        within("most accepted time from loss to patrol, s", most, 5.0 - STEP, 5.0 + 2.0 * STEP),
    ]
}

/// How long on the world's clock it takes from when the player is gone until all patrol, with the odd steps between.
fn search(mut fight: Fight) -> f64 {
    fight.place = vec3(300.0, 0.0, 0.0);
    let lost = fight.world.now();
    let mut last = 0.0;
    for dt in steps().into_iter().chain([STEP; 600]) {
        fight.tick(dt);
        let back = |kind: &EventKind| matches!(kind, EventKind::Mode { to, .. } if &**to == "patrol");
        if fight.world.events().iter().any(|event| back(&event.kind)) {
            last = fight.world.now();
        }
    }
    last - lost
}

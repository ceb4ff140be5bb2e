//! Behaviour depends on frame rate.
//!
//! A scripted player path (patrol, detect, wide, narrow, chase, lose, search, patrol) at dt 1/30, 1/60, 1/144. Asked for:
//! the same sequence of modes, change times within 0.15 s, positions at changes within 0.75 m.
//!
//! The path takes 26 s and not 20: up to 1 s until the player is seen, 15 s until both rings have closed and the last chases,
//! 0.3 s of grace and 4.7 s of search are 21, and before and after there must be something to be seen.
//!
//! Three hunters hold every bound. Eight cannot, one by one: whom the ring gives which place hangs on who is nearer by how
//! little. A step of 1/30 s moves an agent 5 / 30 = 0.17 m, while eight in a clump have ways to two neighbouring places
//! that differ by less, and a place is 2 × 12 m × sin(180° / 8) = 9.2 m from the next, which takes 9.2 / 5 = 1.8 s each way.
//! What holds for eight is what all do together: the last of them goes over to each of the modes that the player's
//! path brings about at the same time, and all but 1 in 80 go through the same modes in the same order.

use super::{Measure, at_least, at_most, exactly};
use std::path::Path;
use warband::rng::Dice;
use warband::tree::RouteOrder;
use warband::{ActorDesc, ActorId, AgentDesc, Config, EventKind, SquadDesc, Vec3, World, vec3};

const DEN: Vec3 = vec3(-16.0, 0.0, 0.0);
const SEEDS: std::ops::RangeInclusive<u64> = 1..=20;
/// What one goes through from end to end.
const WHOLE: [&str; 6] = ["patrol", "wide", "narrow", "direct", "search", "patrol"];

/// A pack with the shipped `encircle.lua`, and the player of the scripted path.
pub struct Scripted {
    pub world: World,
    player: ActorId,
}

impl Scripted {
    /// A pack that patrols to and fro by its den, in a clump of its own for each seed.
    pub fn new(seed: u64, count: u32) -> Self {
        let mut world = World::new(Config { seed, ..Config::default() });
        world.set_script_root(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts"));
        world.load("encircle.lua").expect("it is right");
        let player = world.add_actor(ActorDesc::at(Vec3::ZERO));
        let route = vec![DEN + vec3(3.0, 0.0, 0.0), DEN - vec3(9.0, 0.0, 0.0)];
        let desc =
            SquadDesc { name: "pack".into(), route, route_order: RouteOrder::Loop, ..SquadDesc::default() };
        let pack = world.add_squad(desc).expect("a new squad");
        let mut dice = Dice::new(seed, &[99]);
        for place in super::common::clump(&mut dice, count, DEN, 3.0) {
            let desc = AgentDesc { tree: "encircle".into(), facing: -DEN, ..AgentDesc::at(place) };
            world.spawn(pack, desc).expect("a new wolf");
        }
        Self { world, player }
    }

    /// The player is behind a door, from 1 s on in view, and from 19.7 s on behind a door again.
    pub fn tick(&mut self, time: f64, dt: f64) {
        // A nanosecond early, so that sums of steps do not decide.
        let in_view = (1.0..19.7).contains(&(time + 1e-9));
        let place = if in_view { Vec3::ZERO } else { vec3(300.0, 0.0, 0.0) };
        self.world.set_actor(self.player, place, Vec3::ZERO);
        self.world.tick(dt);
    }
}

/// One change of mode.
struct Turn {
    to: String,
    at: f64,
    place: Vec3,
}

/// The changes of mode of each agent over the path.
fn story(seed: u64, count: u32, rate: f64) -> Vec<Vec<Turn>> {
    let mut pack = Scripted::new(seed, count);
    let mut turns: Vec<Vec<Turn>> = (0..count).map(|_| Vec::new()).collect();
    for tick in 1..=(26.0 * rate).round() as usize {
        pack.tick(tick as f64 / rate, 1.0 / rate);
        for event in pack.world.events() {
            if let EventKind::Mode { to, .. } = &event.kind {
                let out = pack.world.output(event.agent.expect("an agent")).expect("it is there");
                turns[out.key as usize].push(Turn {
                    to: to.to_string(),
                    at: event.seconds(),
                    place: out.position,
                });
            }
        }
    }
    turns
}

fn modes(turns: &[Turn]) -> Vec<&str> {
    turns.iter().map(|turn| turn.to.as_str()).collect()
}

/// The stories of all seeds: at 30, 60 and 144 Hz.
fn stories(count: u32) -> Vec<[Vec<Vec<Turn>>; 3]> {
    SEEDS.map(|seed| [30.0, 60.0, 144.0].map(|rate| story(seed, count, rate))).collect()
}

pub fn measure() -> Vec<Measure> {
    let mut measures = of_three();
    measures.extend(of_eight());
    measures
}

fn of_three() -> Vec<Measure> {
    let (mut other, mut late, mut off) = (0, 0.0_f64, 0.0_f32);
    for rates in stories(3) {
        other += rates.iter().flatten().filter(|turns| modes(turns) != WHOLE).count();
        let [coarse, middle, fine] = &rates;
        for (one, two) in [coarse, fine].iter().flat_map(|rate| rate.iter().zip(middle)) {
            for (one, two) in one.iter().zip(two) {
                late = late.max((one.at - two.at).abs());
                off = off.max(one.place.distance(two.place));
            }
        }
    }
    vec![
        exactly("three: sequences of modes unlike the whole, of 180", other as f64, 0.0),
        at_most("three: change times apart, s", late, 0.15),
        at_most("three: places at changes apart, m", off, 0.75),
    ]
}

fn of_eight() -> Vec<Measure> {
    let last = |story: &[Vec<Turn>], mode: &str| {
        let all = story.iter().flatten().filter(|turn| turn.to == mode);
        all.map(|turn| turn.at).fold(0.0, f64::max)
    };
    let (mut same, mut late, mut first) = (0, 0.0_f64, f64::MAX);
    for [coarse, middle, fine] in stories(8) {
        for other in [&coarse, &fine] {
            same += (0..8).filter(|key| modes(&middle[*key]) == modes(&other[*key])).count();
            for mode in ["wide", "search", "patrol"] {
                let (one, two) = (last(&middle, mode), last(other, mode));
                first = first.min(one);
                late = late.max((one - two).abs());
            }
        }
    }
    vec![
        at_least("eight: agents with the same sequence of modes, of 320", same as f64, 316.0),
        at_least("eight: the first of the modes that all go over to, s", first, 1.0),
        at_most("eight: the last to go over to wide, search, patrol, apart, s", late, 0.15),
    ]
}

//! Rows P1 to P10 of the faults of perception that other systems were reported for.

use super::common::{Hunt, encircle, squad_at};
use super::{Measure, at_least, at_most, exactly, within};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use warband::{
    ActorDesc, AgentDesc, Config, EventKind, LineOfSight, RouteOrder, SquadDesc, Vec3, Wall, Walls, World, vec3,
};

const DT: f64 = 1.0 / 60.0;
const AWAY: Vec3 = Vec3::new(500.0, 0.0, 0.0);

fn count(hunt: &Hunt, kind: &str) -> usize {
    hunt.world.events().iter().filter(|event| event.kind.name() == kind).count()
}

/// A wolf with a route that sees the player 20 m off.
fn wolf() -> Hunt {
    let mut hunt = squad_at(&encircle(), 1, &[(0, Vec3::ZERO)], vec3(20.0, 0.0, 0.0));
    hunt.world.set_route(hunt.pack, vec![Vec3::ZERO], RouteOrder::Loop);
    hunt
}

/// The whole story of a loss: seen for 1 s, gone, forgotten, and there again 1 m before the wolf.
struct Story {
    events: BTreeMap<&'static str, usize>,
    forgot_after: f64,
    again: f64,
    farthest: f32,
    modes: BTreeSet<String>,
}

fn story() -> Story {
    let mut hunt = wolf();
    let mut story = Story {
        events: BTreeMap::new(),
        forgot_after: f64::NAN,
        again: f64::NAN,
        farthest: 0.0,
        modes: BTreeSet::new(),
    };
    let lost = 1.0 + DT;
    while hunt.world.now() < 9.0 {
        // It goes away to behind the wolf: who reads where it truly is runs there.
        let place = if hunt.world.now() < 1.0 - 1e-9 { vec3(20.0, 0.0, 0.0) } else { -AWAY };
        hunt.tick(place, Vec3::ZERO, DT);
        for kind in ["gained", "lost", "forgotten"] {
            *story.events.entry(kind).or_default() += count(&hunt, kind);
        }
        if count(&hunt, "forgotten") > 0 {
            story.forgot_after = hunt.world.now() - lost;
        }
        let out = hunt.world.outputs().next().expect("a wolf");
        story.modes.insert(out.mode.to_owned());
        story.farthest = story.farthest.max(-out.position.x);
    }
    let shown = hunt.world.now();
    while story.again.is_nan() && hunt.world.now() < shown + 2.0 {
        let out = hunt.world.outputs().next().expect("a wolf");
        let place = out.position + vec3(0.0, 0.0, 1.0);
        hunt.tick(place, Vec3::ZERO, DT);
        if count(&hunt, "gained") > 0 {
            story.again = hunt.world.now() - shown;
        }
    }
    story
}

/// Changes of mode, and of what is in view, while a wall stands between for 0.3 s less a tick.
fn hidden_for_a_moment() -> f64 {
    let mut hunt = wolf();
    let mut changes = 0;
    for tick in 0..240 {
        let hidden = (120..137).contains(&tick);
        let wall = Wall::segment(vec3(18.0, 0.0, -99.0), vec3(18.0, 0.0, 99.0)).expect("a wall");
        hunt.world.set_walls(if hidden { Walls::new(vec![wall]) } else { Walls::default() });
        hunt.tick(vec3(20.0, 0.0, 0.0), Vec3::ZERO, DT);
        let turn = |kind: &EventKind| matches!(kind, EventKind::Mode { .. } | EventKind::Lost { .. });
        let told = hunt.world.events().iter().filter(|event| turn(&event.kind)).count();
        changes += if (119..160).contains(&tick) { told } else { 0 };
    }
    changes as f64
}

/// When each line was asked for last, by where it begins, and the longest time between two.
#[derive(Default)]
struct Log {
    now: f64,
    asked: BTreeMap<(i64, i64), (f64, f64)>,
}

struct Listening(Arc<Mutex<Log>>);

impl LineOfSight for Listening {
    fn clear(&self, from: Vec3, to: Vec3) -> bool {
        let mut log = self.0.lock().expect("nobody panics with it");
        let now = log.now;
        let id = |place: Vec3| ((f64::from(place.x) * 100.0).round() as i64) * 1_000_000 + (f64::from(place.z) * 100.0).round() as i64;
        let (last, longest) = log.asked.entry((id(from), id(to))).or_insert((now, 0.0));
        (*longest, *last) = (longest.max(now - *last), now);
        true
    }
}

/// Pairs of 500 observers and 20 targets, all within reach, and the longest time that one is not tested, s, at rates that
/// jump about.
fn latency() -> (f64, f64) {
    let mut world = World::new(Config { collide: false, ..Config::default() });
    let log = Arc::new(Mutex::new(Log::default()));
    world.set_line_of_sight(Listening(log.clone()));
    for squad in 0..20 {
        let desc = SquadDesc { name: format!("squad {squad}"), ..SquadDesc::default() };
        let squad_id = world.add_squad(desc).expect("a new squad");
        for at in 0..25 {
            let desc = AgentDesc::at(vec3(at as f32 * 0.25, 0.0, squad as f32 * 0.25));
            world.spawn(squad_id, desc).expect("a new agent");
        }
    }
    for at in 0..20 {
        world.add_actor(ActorDesc::at(vec3(25.0, 0.0, at as f32 * 0.25)));
    }
    for tick in 0..400 {
        let dt = [1.0 / 60.0, 1.0 / 144.0, 1.0 / 30.0, 1.0 / 61.0][tick / 3 % 4];
        log.lock().expect("nobody panics with it").now += dt;
        world.tick(dt);
    }
    let log = log.lock().expect("nobody panics with it");
    let unasked = log.asked.values().map(|(last, _)| log.now - last).fold(0.0, f64::max);
    (log.asked.len() as f64, log.asked.values().map(|(_, longest)| *longest).fold(unasked, f64::max))
}

pub fn measure() -> Vec<Measure> {
    let story = story();
    let told = |kind: &str| story.events.get(kind).map_or(f64::NAN, |count| *count as f64);
    let branches = ["wide", "search", "patrol"].iter().filter(|mode| story.modes.contains(**mode)).count();
    let (pairs, longest) = latency();
    let mut empty = World::new(Config::default());
    empty.tick(DT);
    vec![
        at_most("P1: seen again 1 m off after it was forgotten, after s", story.again, DT + 1e-6),
        at_most("P2, P5: way towards where it truly is, m", story.farthest, 0.5),
        exactly("P3: branches of the hunt that ran, of three", branches as f64, 3.0),
        exactly("P4: changes while hidden for less than 0.3 s", hidden_for_a_moment(), 0.0),
        exactly("P7: gained", told("gained"), 1.0),
        exactly("P7: lost", told("lost"), 1.0),
        exactly("P7: forgotten", told("forgotten"), 1.0),
        within("P8: forgotten after the loss, s", story.forgot_after, 5.0 - DT - 1e-6, 5.0 + DT + 1e-6),
        at_least("P9: pairs that were tested", pairs, 10_000.0),
        at_most("P9: longest time that a pair is not tested, s", longest, 0.25 + 1e-6),
        exactly("P10: agents driven in a world that nobody was put into", empty.health().driven as f64, 0.0),
    ]
}

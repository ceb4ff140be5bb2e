//! Player teleports far away.

use super::common::{encircle, keyed, squad_at};
use super::{Measure, at_least, at_most, exactly, within};
use warband::{EventKind, RouteOrder, Vec3, vec3};

const DT: f64 = 1.0 / 60.0;

pub fn measure() -> Vec<Measure> {
    let places = keyed((0..8).map(|i| vec3(-20.0, 0.0, i as f32 * 1.5 - 5.0)));
    let mut hunt = squad_at(&encircle(), 1, &places, Vec3::ZERO);
    hunt.world.set_route(hunt.pack, vec![vec3(-20.0, 0.0, 0.0)], RouteOrder::Loop);
    let (mut believed, mut farthest, mut searching, mut step) = (0.0_f32, 0.0_f32, 0, 0.0_f32);
    let mut patrol = f64::NAN;
    for tick in 1..=420 {
        let time = f64::from(tick) * DT;
        let before = hunt.places();
        let gone = time >= 1.0 - 1e-9;
        let place = if gone { vec3(60.0, 0.0, 0.0) } else { Vec3::ZERO };
        // What a naive game says of the velocity in that tick.
        let jump = if gone && time < 1.0 + DT { vec3(3600.0, 0.0, 0.0) } else { Vec3::ZERO };
        hunt.tick(place, jump, DT);
        let moved = before.iter().zip(hunt.places()).map(|(before, now)| before.distance(now));
        step = step.max(moved.fold(0.0, f32::max));
        let knowledge = hunt.world.knowledge(hunt.pack).expect("the squad");
        believed = believed.max(knowledge.target().map_or(0.0, |track| track.position.length()));
        for out in hunt.world.outputs().filter(|out| out.mode == "search") {
            // Each member has a place of its own in the disc of the search; the first one's is its middle.
            farthest = farthest.max(if out.key == 0 { out.goal.map_or(f32::NAN, Vec3::length) } else { 0.0 });
            searching += 1;
        }
        let to_patrol = |kind: &EventKind| matches!(kind, EventKind::Mode { to, .. } if &**to == "patrol");
        if gone && patrol.is_nan() && hunt.world.events().iter().any(|event| to_patrol(&event.kind)) {
            patrol = time;
        }
    }
    vec![
        at_most("farthest that it is believed from where it was lost, m", believed, 1e-3),
        at_least("searching agents, summed over ticks", f64::from(searching), 100.0),
        at_most("farthest middle of the search from there, m", farthest, 1.0),
        at_most("longest way in a tick, m", step, 5.0 * DT + 1e-4),
        within("patrol begins at, s", patrol, 6.0 - 1e-6, 6.0 + DT + 1e-6),
        exactly("problems", hunt.world.all_problems().len() as f64, 0.0),
    ]
}

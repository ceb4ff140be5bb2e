//! Home/target tug-of-war at the leash.

use super::common::squad_at;
use super::{Measure, at_least, at_most, exactly};
use warband::{EventKind, RouteOrder, Spec, Vec3, vec3};

const DT: f64 = 1.0 / 60.0;

fn guard() -> Spec {
    let chase = Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("sees_target")).with(Spec::new("direct_chase")))
        .with(Spec::new("guard").when(Spec::new("remembers_target")).with(Spec::new("search")));
    let leash = Spec::new("leash").set("home", vec3(-25.0, 0.0, 0.0)).set("range", 30.0).set("back", 5.0);
    Spec::new("reactive_selector").with(leash.with(chase)).with(Spec::new("patrol"))
}

/// Changes of mode in 30 s, the longest way from home, how far it walks in the last 5 s, and the last mode. The player
/// stands at `from` metres from home for as long as the agent is less than `until` from it, and then at 31 m.
fn watch(from: f32, until: f32) -> (f64, f32, f32, String) {
    let home = vec3(-25.0, 0.0, 0.0);
    let at = |off: f32| home + Vec3::X * off;
    // The agent starts 25 m from its home.
    let mut hunt = squad_at(&guard(), 1, &[(0, Vec3::ZERO)], at(from));
    hunt.world.set_route(hunt.pack, vec![home], RouteOrder::Loop);
    let (mut changes, mut off, mut walked, mut gone) = (0, 0.0_f32, 0.0, false);
    for tick in 1..=1800 {
        let before = hunt.places()[0];
        gone |= before.distance(home) >= until;
        hunt.tick(at(if gone { 31.0 } else { from }), Vec3::ZERO, DT);
        let to = |kind: &EventKind| matches!(kind, EventKind::Mode { from, .. } if !from.is_empty());
        changes += hunt.world.events().iter().filter(|event| to(&event.kind)).count();
        let now = hunt.places()[0];
        off = off.max(now.distance(home));
        walked += if tick > 1500 { before.distance(now) } else { 0.0 };
    }
    let mode = hunt.world.outputs().next().map_or(String::new(), |out| out.mode.to_owned());
    (changes as f64, off, walked, mode)
}

pub fn measure() -> Vec<Measure> {
    let (stands, off, still, mode) = watch(31.0, 0.0);
    // Lured over the end of the leash: the player stands within it until the agent is 29 m out, and then runs off to 40 m.
    let (lured, reached, walked, last) = lure();
    vec![
        at_most("a player at 31 m: changes of mode in 30 s", stands, 2.0),
        at_most("farthest from home, m", off, 31.0),
        at_most("walked in the last 5 s, m", still, 0.05),
        exactly("it patrols at the end", f64::from(u8::from(mode == "patrol")), 1.0),
        at_most("lured over the end: changes of mode in 30 s", lured, 2.0),
        at_least("farthest from home, m", reached, 30.0),
        at_most("walked in the last 5 s, m", walked, 0.05),
        exactly("it patrols at the end", f64::from(u8::from(last == "patrol")), 1.0),
    ]
}

/// As [`watch`]: the player walks ahead of the agent to 40 m, and stands there, in view.
fn lure() -> (f64, f32, f32, String) {
    let home = vec3(-25.0, 0.0, 0.0);
    let mut hunt = squad_at(&guard(), 1, &[(0, Vec3::ZERO)], home + Vec3::X * 28.0);
    hunt.world.set_route(hunt.pack, vec![home], RouteOrder::Loop);
    let (mut changes, mut off, mut walked) = (0, 0.0_f32, 0.0);
    for tick in 1..=1800 {
        let before = hunt.places()[0];
        let player = 28.0 + (tick as f32 / 60.0 * 5.0).min(12.0);
        hunt.tick(home + Vec3::X * player, Vec3::ZERO, DT);
        let to = |kind: &EventKind| matches!(kind, EventKind::Mode { from, .. } if !from.is_empty());
        changes += hunt.world.events().iter().filter(|event| to(&event.kind)).count();
        let now = hunt.places()[0];
        off = off.max(now.distance(home));
        walked += if tick > 1500 { before.distance(now) } else { 0.0 };
    }
    let mode = hunt.world.outputs().next().map_or(String::new(), |out| out.mode.to_owned());
    (changes as f64, off, walked, mode)
}

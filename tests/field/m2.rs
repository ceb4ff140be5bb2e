//! Coincident agents give NaN.

use super::common::{keyed, nearest_pair, squad_at};
use super::{Measure, at_least, exactly};
use warband::{Spec, vec3};

/// Eight on one point that chase a player: whether all was finite, the least distance after 2 s, and the digest.
fn run() -> (bool, f32, u64) {
    let player = vec3(25.0, 0.0, 5.0);
    let eight = keyed([vec3(5.0, 0.0, 5.0); 8]);
    let mut hunt = squad_at(&Spec::new("direct_chase"), 1, &eight, player);
    let mut finite = true;
    for _ in 0..120 {
        hunt.tick(player, vec3(0.0, 0.0, 0.0), 1.0 / 60.0);
        finite &= hunt.world.outputs().all(|out| out.position.is_finite() && out.velocity.is_finite());
    }
    (finite, nearest_pair(&hunt.places()), hunt.world.digest())
}

pub fn measure() -> Vec<Measure> {
    let (first, second) = (run(), run());
    vec![
        exactly("ticks with all finite, in both runs (1 = yes)", u32::from(first.0 && second.0), 1.0),
        at_least("least distance after 2 s, m", first.1, 0.9),
        exactly("bits in which the runs differ", (first.2 ^ second.2).count_ones(), 0.0),
    ]
}

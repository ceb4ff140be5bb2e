//! Chaser runs to where the player was.

use super::common::{Hunt, keyed, squad_at};
use super::{Measure, at_most};
use warband::math::flat;
use warband::{Spec, Vec3, vec3};

pub fn measure() -> Vec<Measure> {
    let mut hunt: Hunt = squad_at(&Spec::new("direct_chase"), 1, &keyed([Vec3::ZERO]), vec3(15.0, 0.0, 0.0));
    let (mut worst, mut player) = (0.0_f32, vec3(15.0, 0.0, 0.0));
    for tick in 0..210 {
        let time = tick as f32 / 60.0;
        let velocity = vec3(0.0, 0.0, if time < 2.0 { 3.0 } else { -3.0 });
        player += velocity / 60.0;
        hunt.tick(player, velocity, 1.0 / 60.0);
        let wolf = hunt.world.outputs().next().expect("it lives");
        let (way, velocity) = (flat(player - wolf.position), flat(wolf.velocity));
        if time >= 2.25 && way.length() > 2.5 && velocity.length() > 0.5 {
            worst = worst.max(velocity.angle_between(way).to_degrees());
        }
    }
    vec![at_most("heading off the bearing to the player from 0.25 s after the turn on, degrees", worst, 15.0)]
}

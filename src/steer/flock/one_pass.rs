//! The rules of a flock that one agent follows, in one pass over its neighbours instead of one for each.

use super::{Flock, Radii, flock, flock_of_nearest};
use crate::math::Vec3;
use crate::steer::{Me, Near, Order, separation};

/// What those of an agent's rules want that are rules of a flock: bit for bit what each of them wants alone.
#[derive(Clone, Copy, Debug)]
pub struct OnePass {
    radii: Radii,
    /// How many neighbours count at most in all of them.
    most: Option<usize>,
    flock: Flock,
}

impl OnePass {
    /// Takes up the rules, each by name and order. Of two with one name the first counts.
    ///
    /// ```
    /// use warband::math::{Vec3, vec3};
    /// use warband::steer::{Limits, Me, Near, OnePass, Order, cohesion, separation};
    /// let me = Me::new(0, Vec3::ZERO, Vec3::X, &Limits::of(0.5, 5.0));
    /// let position = [Vec3::ZERO, vec3(1.0, 0.0, 0.0)];
    /// let near = Near {
    ///     indices: &[0, 1],
    ///     position: &position,
    ///     velocity: &[Vec3::ZERO; 2],
    ///     radius: &[0.5; 2],
    ///     id: &[0, 1],
    ///     ..Near::NOBODY
    /// };
    /// let order = Order::to(Vec3::ZERO);
    /// let both = OnePass::new(&me, &near, [("separation", &order), ("cohesion", &order)].into_iter());
    /// assert_eq!(both.of(&me, "separation", &order), Some((separation::DEF.run)(&me, &order, &near, 0.1)));
    /// assert_eq!(both.of(&me, "cohesion", &order), Some((cohesion::DEF.run)(&me, &order, &near, 0.1)));
    /// assert_eq!(both.of(&me, "seek", &order), None);
    /// ```
    pub fn new<'a>(me: &Me, near: &Near, rules: impl Iterator<Item = (&'a str, &'a Order)>) -> Self {
        let (mut radii, mut most) = (Radii::NONE, None);
        for (name, order) in rules {
            let first = radii == Radii::NONE;
            let Some(radius) = part(&mut radii, name).filter(|radius| **radius == 0.0) else { continue };
            // Those that let another number of neighbours count go alone.
            if first || most == separation::most(order) {
                (*radius, most) = (separation::radius(me, order), separation::most(order));
            }
        }
        let flock = match most {
            _ if radii == Radii::NONE => Flock::default(),
            Some(most) => flock_of_nearest(me, near, &radii, most),
            None => flock(me, near, &radii),
        };
        Self { radii, most, flock }
    }

    /// What the rule of that name and order wants; `None` when it is no rule of a flock or was not taken up.
    pub fn of(&self, me: &Me, name: &str, order: &Order) -> Option<Vec3> {
        let radius = *part(&mut { self.radii }, name)?;
        let velocity = match name {
            "separation" => self.flock.separation,
            "alignment" => self.flock.alignment,
            _ => self.flock.cohesion,
        };
        let counts = self.most == separation::most(order);
        (counts && radius > 0.0 && radius == separation::radius(me, order)).then_some(velocity)
    }
}

fn part<'r>(radii: &'r mut Radii, name: &str) -> Option<&'r mut f32> {
    match name {
        "separation" => Some(&mut radii.separation),
        "alignment" => Some(&mut radii.alignment),
        "cohesion" => Some(&mut radii.cohesion),
        _ => None,
    }
}

//! Asking: layout, cheap steps over all points, then ground and sight in the order of rank.

use super::{COSTLY, Layout, MOST_POINTS, Place, Query, Step};
use crate::math::Vec3;
use crate::nav::Navigation;
use crate::sense::LineOfSight;

/// Who asks, and what is round about.
#[derive(Clone, Copy)]
pub struct Asker<'a> {
    /// Where the asker is.
    pub position: Vec3,
    /// Its radius in metres.
    pub radius: f32,
    /// The height of its eyes in metres.
    pub eyes: f32,
    /// Where the members of its squad are.
    pub mates: &'a [Vec3],
    /// Which of them the asker is.
    pub rank: usize,
    /// Walkable ground.
    pub ground: &'a dyn Navigation,
    /// What blocks the view.
    pub sight: &'a dyn LineOfSight,
    /// Where a place is as the asker knows it; `None` if it does not.
    pub find: &'a dyn Fn(Place) -> Option<Vec3>,
}

/// What a query found, and the room that it works in: kept and used again, it allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Found {
    left: Vec<Vec3>,
    ranks: Vec<f32>,
    order: Vec<u32>,
    found: Vec<Vec3>,
    spent: u32,
    complete: bool,
}

impl Found {
    /// The points that were found, the best first.
    pub fn points(&self) -> &[Vec3] {
        &self.found
    }
    /// The points that cheap sieves left, while ranks are given from outside.
    pub fn candidates(&self) -> &[Vec3] {
        &self.left
    }
    /// The work units that were spent.
    pub fn spent(&self) -> u32 {
        self.spent
    }
    /// Whether every point was looked at that had to be: the budget held out.
    pub fn is_complete(&self) -> bool {
        self.complete
    }
    /// Adds ranks from outside to those of [`Found::candidates`], in that order. What is not finite counts as 0, and
    /// so do those that are missing.
    pub fn rank(&mut self, ranks: impl IntoIterator<Item = f32>, weight: f32) {
        for (sum, rank) in self.ranks.iter_mut().zip(ranks) {
            *sum += if rank.is_finite() { rank * weight } else { 0.0 };
        }
    }

    /// Room for the corners of a way.
    pub(super) fn corners(&mut self) -> &mut Vec<Vec3> {
        &mut self.found
    }

    /// Spends units; false when they are not there.
    fn spend(&mut self, units: usize, budget: u32) -> bool {
        let after = self.spent.saturating_add(u32::try_from(units).unwrap_or(u32::MAX));
        let there = after <= budget;
        if there {
            self.spent = after;
        }
        self.complete &= there;
        there
    }
}

/// The golden angle in radians: points laid out by it never line up.
pub(super) const GOLDEN: f32 = 2.399_963_2;

impl Query {
    /// Looks for up to `most` points, the best first. A place that the asker does not know, as a target that there is
    /// none of, leaves nothing.
    pub fn ask(&self, asker: &Asker<'_>, most: usize, found: &mut Found) {
        self.gather(asker, found);
        self.pick(asker, most, found);
    }

    /// The first half of [`Query::ask`]: lays out points, and does what is cheap. Ranks from outside may be added
    /// then, before [`Query::pick`].
    pub fn gather(&self, asker: &Asker<'_>, found: &mut Found) {
        found.left.clear();
        found.ranks.clear();
        found.found.clear();
        (found.spent, found.complete) = (0, true);
        self.lay_out(asker, found);
        for step in self.steps.iter().filter(|step| !step.is_costly() && !step.is_rank()) {
            self.sieve(*step, asker, found);
        }
        found.ranks.resize(found.left.len(), 0.0);
        let ranks = self.steps.iter().copied().filter(|step| step.is_rank());
        let nearest = Step::Near(Place::Me, 1.0);
        let default = (!self.steps.iter().any(|step| step.is_rank())).then_some(nearest);
        ranks.chain(default).for_each(|step| self.add_rank(step, asker, found));
    }

    /// The second half: looks at ground and sight in the order of rank until `most` points are found.
    pub fn pick(&self, asker: &Asker<'_>, most: usize, found: &mut Found) {
        let Found { order, ranks, .. } = found;
        order.clear();
        order.extend(0..ranks.len() as u32);
        order.sort_unstable_by(|a, b| ranks[*b as usize].total_cmp(&ranks[*a as usize]).then(a.cmp(b)));
        for at in 0..found.order.len() {
            if found.found.len() >= most || !found.complete {
                return;
            }
            let point = found.left[found.order[at] as usize];
            if let Some(point) = self.passes(point, asker, found) {
                found.found.push(point);
            }
        }
    }

    fn lay_out(&self, asker: &Asker<'_>, found: &mut Found) {
        let count = self.points();
        if !found.spend(count, self.budget) {
            return;
        }
        // As much as could ever be needed, so that a later answer with more points in it allocates nothing.
        found.left.reserve(count);
        found.ranks.reserve(count);
        found.order.reserve(count);
        match &self.layout {
            Layout::Ring { around, inner, outer, count } => {
                let Some(centre) = (asker.find)(*around) else { return };
                let (low, high) = (inner * inner, outer * outer);
                found.left.extend((0..*count).map(|number| {
                    let share = (number as f32 + 0.5) / *count as f32;
                    let radius = libm::sqrtf(low + (high - low) * share);
                    let angle = GOLDEN * number as f32;
                    centre + Vec3::new(radius * libm::cosf(angle), 0.0, radius * libm::sinf(angle))
                }));
            }
            Layout::Grid { around, half, spacing } => {
                let Some(centre) = (asker.find)(*around) else { return };
                let steps = (half / spacing) as i32;
                found.left.extend((-steps..=steps).flat_map(|z| {
                    (-steps..=steps).map(move |x| centre + Vec3::new(x as f32, 0.0, z as f32) * *spacing)
                }));
            }
            Layout::Points(points) => found.left.extend_from_slice(points),
        }
        debug_assert!(found.left.len() <= MOST_POINTS);
    }

    fn sieve(&self, step: Step, asker: &Asker<'_>, found: &mut Found) {
        let each = if matches!(step, Step::AwayFromMates(_)) { asker.mates.len() } else { 1 };
        if !found.spend(found.left.len() * each, self.budget) {
            found.left.clear();
            return;
        }
        match step {
            Step::Within(place, distance) => keep(asker, place, found, |apart| apart <= distance * distance),
            Step::Beyond(place, distance) => keep(asker, place, found, |apart| apart >= distance * distance),
            Step::AwayFromMates(distance) => found.left.retain(|point| {
                let mates = asker.mates.iter().enumerate().filter(|(rank, _)| *rank != asker.rank);
                mates.map(|(_, mate)| mate.distance_squared(*point)).all(|apart| apart >= distance * distance)
            }),
            _ => {}
        }
    }

    fn add_rank(&self, step: Step, asker: &Asker<'_>, found: &mut Found) {
        let (Step::Near(place, weight) | Step::Far(place, weight)) = step else { return };
        let Some(from) = (asker.find)(place) else { return };
        if !found.spend(found.left.len(), self.budget) {
            return;
        }
        let distances = found.left.iter().map(|point| point.distance(from));
        let (low, high) =
            distances.clone().fold((f32::MAX, 0.0_f32), |(low, high), d| (low.min(d), high.max(d)));
        let span = (high - low).max(1e-6);
        let near = matches!(step, Step::Near(..));
        for (sum, distance) in found.ranks.iter_mut().zip(distances) {
            let share = (distance - low) / span;
            *sum += weight * if near { 1.0 - share } else { share };
        }
    }

    /// The point if ground and sight let it pass, on the ground where that was asked for.
    fn passes(&self, mut point: Vec3, asker: &Asker<'_>, found: &mut Found) -> Option<Vec3> {
        for step in self.steps.iter().filter(|step| step.is_costly()) {
            if !found.spend(COSTLY as usize, self.budget) {
                return None;
            }
            match *step {
                Step::Visible(place) if !asker.sees(place, point) => return None,
                Step::Hidden(place) if asker.sees(place, point) => return None,
                Step::Walkable => point = asker.ground.nearest(point, asker.radius, asker.radius)?,
                _ => {}
            }
        }
        Some(point)
    }
}

fn keep(asker: &Asker<'_>, place: Place, found: &mut Found, holds: impl Fn(f32) -> bool) {
    match (asker.find)(place) {
        Some(from) => found.left.retain(|point| holds(point.distance_squared(from))),
        None => found.left.clear(),
    }
}

impl Asker<'_> {
    /// Whether a point is in view of a place, eye to eye; from a place that is not known nothing is.
    fn sees(&self, place: Place, point: Vec3) -> bool {
        let eyes = Vec3::new(0.0, self.eyes, 0.0);
        (self.find)(place).is_some_and(|from| self.sight.clear(from + eyes, point + eyes))
    }
}

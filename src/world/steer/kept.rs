//! Neighbours that are kept: who was about an agent is looked at again for a while before the index is asked anew.
//!
//! A list reaches farther than what is looked at, by a margin that bodies need some time to cross. How far they have come is not
//! assumed but measured: as long as an agent's own way since its list was made, and the sum of the longest steps that anybody took
//! meanwhile, stay within the margin, nobody can have come near unnoticed, and what is picked out of the list by its true distance is
//! what the index would find, bit for bit. Whoever is put elsewhere takes a long step: then all ask anew.

use crate::math::{Vec3, nanoseconds, room};
use crate::space::Grid;
use crate::world::World;
use crate::world::cast::phase;

/// How many neighbours are kept; who has more asks the index in every step.
const MOST: usize = 28;
/// The longest that a list is kept, s.
const LONGEST: f32 = 1.0;
/// What distances may be off by for rounding, as a part and in m.
const ROUNDING: f32 = 1e-4;

/// Who was about an agent.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    /// Where the agent was then, m, and how far the fastest had come in all.
    at: Vec3,
    come: f64,
    /// How far the list reaches, m; negative for none.
    reach: f32,
    /// When it is made anew in any case, ns.
    due: u64,
    /// In ascending order; more than [`MOST`] are not kept.
    count: u32,
    bodies: [u32; MOST],
}

impl Kept {
    const NONE: Self = Self { at: Vec3::ZERO, come: 0.0, reach: -1.0, due: 0, count: 0, bodies: [0; MOST] };

    /// Fills `out` with the agents at most `radius` metres from the one of that index, in ascending order, as the grid would.
    pub fn within(
        &mut self,
        refresh: Refresh,
        grid: &Grid,
        at: (&[Vec3], u32),
        radius: f32,
        out: &mut Vec<u32>,
    ) {
        let (positions, tag) = (at.0, at.1);
        let place = refresh.place;
        let near = |other: &u32| (positions[*other as usize] - place).length_squared() <= radius * radius;
        let fresh = refresh.now < self.due;
        let come = (refresh.come - self.come) as f32 + self.at.distance(place);
        if fresh && self.reach >= (radius + come) * (1.0 + ROUNDING) + ROUNDING {
            out.clear();
            out.extend(self.bodies[..self.count as usize].iter().filter(|other| near(other)));
            return;
        }
        if fresh && self.count as usize > MOST {
            return grid.within(place, radius, out);
        }
        let reach = radius + refresh.margin;
        grid.within(place, reach, out);
        let turn = refresh.interval - phase(0, tag, refresh.interval);
        let due = (refresh.now + turn) / refresh.interval * refresh.interval + refresh.interval - turn;
        (self.at, self.come, self.due, self.count) = (place, refresh.come, due, out.len() as u32);
        self.reach = if out.len() <= MOST { reach } else { -1.0 };
        if out.len() <= MOST {
            self.bodies[..out.len()].copy_from_slice(out);
        }
        out.retain(near);
    }
}

/// How long lists are kept, and how far bodies have come until this step.
#[derive(Clone, Copy)]
pub(super) struct Refresh {
    /// Where the agent is that asks, m.
    place: Vec3,
    now: u64,
    interval: u64,
    margin: f32,
    come: f64,
}

impl Refresh {
    /// For one that is at `place`.
    pub fn at(self, place: Vec3) -> Self {
        Self { place, ..self }
    }
}

/// The lists of all agents, by body index.
#[derive(Default)]
pub(super) struct Vicinity {
    pub lists: Vec<Kept>,
    before: Vec<Vec3>,
    come: f64,
}

impl Vicinity {
    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        room(&self.lists) + room(&self.before)
    }

    /// Agents came or went.
    pub fn forget(&mut self) {
        self.lists.clear();
    }

    /// Notes how far the one has come that has come farthest since the last step.
    fn note(&mut self, positions: &[Vec3]) {
        let steps = self.before.iter().zip(positions).map(|(was, is)| was.distance_squared(*is));
        let (longest, sound) = steps
            .fold((0.0_f32, true), |(longest, sound), step| (longest.max(step), sound && step.is_finite()));
        if self.lists.len() != positions.len() || self.before.len() != positions.len() || !sound {
            self.lists.clear();
            self.lists.resize(positions.len(), Kept::NONE);
        }
        self.come += f64::from(libm::sqrtf(if longest.is_finite() { longest } else { 0.0 }));
        self.before.clear();
        self.before.extend_from_slice(positions);
    }
}

impl World {
    /// How lists of neighbours are kept in this step; `None` where the index is asked in every step.
    pub(super) fn keep_neighbours(&mut self, dt: f32) -> Option<Refresh> {
        let seconds = self.config.neighbour_refresh.min(LONGEST);
        if seconds <= dt || self.config.neighbour_refresh.is_nan() {
            self.helm.vicinity.forget();
            return None;
        }
        let margin = 2.0 * self.most().speed * (seconds + dt);
        let agents = self.scene.agents.len();
        let Self { helm, scene, .. } = self;
        helm.vicinity.note(&scene.bodies.position[..agents]);
        let (now, interval) = (helm.coasts.now, nanoseconds(seconds).max(1));
        let refresh = Refresh { place: Vec3::ZERO, now, interval, margin, come: helm.vicinity.come };
        margin.is_finite().then_some(refresh)
    }
}

//! The ground under a belief: a lattice of places round where the target was seen last, and which lead to which.
//!
//! Places and ways between them are looked at when the belief gets there, and remembered.

use crate::math::{Vec3, vec3};
use crate::nav::Navigation;
use serde::{Deserialize, Serialize};

/// The most places from the middle of the lattice to its edge.
pub const MOST: i32 = 48;
/// How much room a place needs, m: less than any body, so that no way is missed.
const ROOM: f32 = 0.05;
/// The four directions whose ways a place keeps; those of the other four are kept by the neighbours there.
const KEPT: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];
/// All directions.
pub const AROUND: [(i32, i32); 8] = [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)];

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    pub origin: Vec3,
    /// From one place to the next, m.
    pub cell: f32,
    /// Places from the middle to the edge.
    pub half: i32,
    places: Vec<Vec3>,
    /// Of each place, whether it is known to be walkable ground or not.
    grounds: Vec<Known>,
    /// Of each place and kept direction, whether one gets straight there.
    ways: Vec<[Known; 4]>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Known {
    #[default]
    #[serde(rename = "u")]
    Unknown,
    #[serde(rename = "y")]
    Yes,
    #[serde(rename = "n")]
    No,
}

impl Plot {
    /// Begins anew. It keeps what room it has.
    pub fn lay(&mut self, origin: Vec3, cell: f32, half: i32) {
        (self.origin, self.cell, self.half) = (origin, cell, half);
        let count = self.count();
        self.places.clear();
        self.places.resize(count, Vec3::ZERO);
        self.forget();
    }

    /// The ground is another: places and ways are to be looked at again.
    pub fn forget(&mut self) {
        let count = self.count();
        self.grounds.clear();
        self.grounds.resize(count, Known::Unknown);
        self.ways.clear();
        self.ways.resize(count, [Known::Unknown; 4]);
    }

    pub fn side(&self) -> i32 {
        2 * self.half + 1
    }
    pub fn count(&self) -> usize {
        (self.side() * self.side()) as usize
    }

    /// The place at so many steps from the middle, if it is on the lattice.
    pub fn at(&self, x: i32, z: i32) -> Option<usize> {
        let inside = x.abs() <= self.half && z.abs() <= self.half;
        inside.then(|| ((z + self.half) * self.side() + x + self.half) as usize)
    }
    /// How many steps a place is from the middle.
    pub fn steps(&self, place: usize) -> (i32, i32) {
        let (place, side) = (place as i32, self.side());
        (place % side - self.half, place / side - self.half)
    }
    pub fn is_edge(&self, place: usize) -> bool {
        let (x, z) = self.steps(place);
        x.abs() == self.half || z.abs() == self.half
    }
    /// The steps from the middle of the place nearest to a point; it may be off the lattice.
    pub fn nearest(&self, point: Vec3) -> (i32, i32) {
        let steps = |way: f32| libm::roundf(way / self.cell).clamp(-1e6, 1e6) as i32;
        (steps(point.x - self.origin.x), steps(point.z - self.origin.z))
    }
    /// Where a place is; once it is known to be ground, on that.
    pub fn point(&self, place: usize) -> Vec3 {
        if self.grounds[place] == Known::Yes {
            return self.places[place];
        }
        let (x, z) = self.steps(place);
        self.origin + vec3(x as f32, 0.0, z as f32) * self.cell
    }

    /// Whether there is ground at a place, or within its share of the lattice.
    pub fn is_ground(&mut self, place: usize, ground: &dyn Navigation) -> bool {
        if self.grounds[place] == Known::Unknown {
            let found = ground.nearest(self.point(place), ROOM, 0.7 * self.cell);
            self.places[place] = found.unwrap_or_default();
            self.grounds[place] = if found.is_some() { Known::Yes } else { Known::No };
        }
        self.grounds[place] == Known::Yes
    }

    /// The place in a direction, if one gets straight there.
    pub fn next(&mut self, from: usize, (x, z): (i32, i32), ground: &dyn Navigation) -> Option<usize> {
        let (here_x, here_z) = self.steps(from);
        let to = self.at(here_x + x, here_z + z)?;
        let kept = |way: (i32, i32)| KEPT.iter().position(|kept| *kept == way);
        let (place, way) = match kept((x, z)) {
            Some(way) => (from, way),
            None => (to, kept((-x, -z))?),
        };
        if self.ways[place][way] == Known::Unknown {
            let open = self.is_ground(from, ground) && self.is_ground(to, ground) && {
                let (a, b) = (self.places[from.min(to)], self.places[from.max(to)]);
                ground.straight(a, b, ROOM)
            };
            self.ways[place][way] = if open { Known::Yes } else { Known::No };
        }
        (self.ways[place][way] == Known::Yes).then_some(to)
    }

    /// Whether it can be one.
    pub fn is_sound(&self) -> bool {
        let count = self.count();
        (0..=MOST).contains(&self.half)
            && self.cell.is_finite()
            && self.cell > 0.0
            && self.origin.is_finite()
            && self.places.len() == count
            && self.grounds.len() == count
            && self.ways.len() == count
            && self.places.iter().all(|place| place.is_finite())
    }
}

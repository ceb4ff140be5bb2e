//! The mesh of one radius: the nearest place of it, and ways on it.

use super::cut::{Ring, cut};
use super::pieces::{Pieces, Spot};
use super::search::{Found, Search, Stop};
use crate::error::Result;
use polyanya::Mesh;

/// Where the middle of a body of one radius can be.
#[derive(Debug)]
pub(super) struct Ground {
    /// The radius it is made for, m.
    pub radius: f32,
    pub pieces: Pieces,
}

impl Ground {
    /// The mesh for bodies of `radius`; `None` when they have no room.
    pub fn new(radius: f32, outline: &[[f64; 2]], holes: &[Ring]) -> Result<Option<Ground>> {
        let Some(mesh) = cut(outline, holes)? else { return Ok(None) };
        let pieces = pieces(&mesh);
        Ok(pieces.is_any().then_some(Ground { radius, pieces }))
    }

    /// The place nearest to `at` within `reach`, on `island` if that is given; of equally near ones that of the first piece.
    pub fn nearest(&self, at: [f64; 2], reach: f64, island: Option<u32>) -> Option<Spot> {
        self.pieces.nearest(at, reach, island)
    }

    /// Writes the corners of the shortest way, the end included. Both ends are on one island.
    pub fn way(&self, from: &Spot, to: &Spot, budget: u32, way: &mut Vec<Stop>) -> Found {
        Search::run(&self.pieces, from, to, budget, way)
    }
}

fn pieces(mesh: &Mesh) -> Pieces {
    let layer = &mesh.layers[0];
    let points = layer.vertices.iter().map(|at| [f64::from(at.coords.x), f64::from(at.coords.y)]);
    let polygons: Vec<Vec<u32>> = layer.polygons.iter().map(|piece| piece.vertices.clone()).collect();
    Pieces::new(points.collect(), &polygons)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nav::pieces::distance;
    use crate::rng::Dice;

    fn length(from: [f64; 2], way: &[Stop]) -> f64 {
        let starts = std::iter::once(from).chain(way.iter().map(|stop| stop.at));
        starts.zip(way).map(|(a, b)| distance(a, b.at)).sum()
    }

    /// A yard of 40 m with so many blocks in it.
    fn yard(seed: u64, blocks: u32) -> (Vec<[f64; 2]>, Vec<Ring>) {
        let mut dice = Dice::new(seed, &[]);
        let mut block = || {
            let (x, z) = (dice.range(-19.0, 17.0), dice.range(-19.0, 17.0));
            let (w, d) = (dice.range(0.3, 5.0), dice.range(0.3, 5.0));
            vec![[x, z], [x + w, z], [x + w, z + d], [x, z + d]]
        };
        let holes = (0..blocks).map(|_| block()).collect();
        (vec![[-20.0, -20.0], [20.0, -20.0], [20.0, 20.0], [-20.0, 20.0]], holes)
    }

    /// The crate `polyanya` finds no shorter way, and a budget that is spent ends nearer to the goal than it began.
    #[test]
    fn ways_are_those_of_polyanya() {
        let (mut bent, mut most) = (0, 0);
        for seed in 0..60 {
            let (outline, holes) = yard(seed, 4 + seed as u32 % 40);
            let mut mesh = cut(&outline, &holes).expect("it is ground").expect("there is room");
            let pieces = pieces(&mesh);
            mesh.set_search_steps(1).set_search_delta(1e-3);
            mesh.bake();
            let mut dice = Dice::new(seed, &[1]);
            let mut way = Vec::new();
            for _ in 0..30 {
                let mut spot =
                    || pieces.nearest([dice.range(-20.0, 20.0), dice.range(-20.0, 20.0)], 9.0, None);
                let (Some(from), Some(to)) = (spot(), spot()) else { continue };
                if from.island != to.island {
                    continue;
                }
                let found = Search::run(&pieces, &from, &to, 100_000, &mut way);
                assert_eq!(found, Found::Goal, "seed {seed}: {from:?} to {to:?}");
                let own = length(from.at, &way);
                let flat = |at: [f64; 2]| glam::Vec2::new(at[0] as f32, at[1] as f32);
                if let Some(theirs) = mesh.path(flat(from.at), flat(to.at)) {
                    let theirs = f64::from(theirs.length);
                    assert!(
                        own < theirs + 1e-3,
                        "seed {seed}: {own} m, not {theirs} m, from {from:?} to {to:?}"
                    );
                }
                bent += u32::from(way.len() > 1);
                for budget in [0, 1, 3, 10, 40] {
                    let found = Search::run(&pieces, &from, &to, budget, &mut way);
                    let end = way.last().expect("it has an end").at;
                    let nearer = distance(end, to.at) <= distance(from.at, to.at);
                    assert!(nearer && (found == Found::Goal) == (end == to.at), "seed {seed}: {end:?}");
                    most = most.max(if found == Found::Goal { 0 } else { budget });
                }
            }
        }
        assert!(bent > 500 && most == 40, "{bent} bent, {most}");
    }
}

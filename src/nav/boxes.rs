//! A tree of bounding boxes over pieces of ground, for the nearest of them. Built once; a question costs a few steps down.

/// Low x, low z, high x, high z.
pub(super) type Bounds = [f64; 4];

/// The bounds of nothing, which grow round whatever is added.
const NOTHING: Bounds = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];

pub(super) fn bounds(corners: impl IntoIterator<Item = [f64; 2]>) -> Bounds {
    let around = |all: Bounds, at: [f64; 2]| {
        [all[0].min(at[0]), all[1].min(at[1]), all[2].max(at[0]), all[3].max(at[1])]
    };
    corners.into_iter().fold(NOTHING, around)
}

/// How far a point is outside of a box.
fn outside(bounds: &Bounds, at: [f64; 2]) -> f64 {
    let x = (bounds[0] - at[0]).max(at[0] - bounds[2]).max(0.0);
    let z = (bounds[1] - at[1]).max(at[1] - bounds[3]).max(0.0);
    libm::sqrt(x * x + z * z)
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Bounds,
    /// The piece of a leaf; in an inner node, whose first half follows it, where the second half is.
    next: u32,
    is_leaf: bool,
}

/// The tree, in preorder.
#[derive(Clone, Debug, Default)]
pub(super) struct Boxes {
    nodes: Vec<Node>,
}

impl Boxes {
    pub fn new(bounds: &[Bounds]) -> Boxes {
        let mut pieces: Vec<u32> = (0..bounds.len() as u32).collect();
        let mut boxes = Boxes { nodes: Vec::with_capacity(2 * bounds.len()) };
        boxes.add(bounds, &mut pieces);
        boxes
    }

    fn add(&mut self, bounds: &[Bounds], pieces: &mut [u32]) {
        let Some(first) = pieces.first().copied() else { return };
        let all = pieces.iter().fold(NOTHING, |all, piece| {
            let own = bounds[*piece as usize];
            [all[0].min(own[0]), all[1].min(own[1]), all[2].max(own[2]), all[3].max(own[3])]
        });
        let here = self.nodes.len();
        self.nodes.push(Node { bounds: all, next: first, is_leaf: pieces.len() == 1 });
        if pieces.len() == 1 {
            return;
        }
        let axis = usize::from(all[3] - all[1] > all[2] - all[0]);
        let middle = |piece: u32| bounds[piece as usize][axis] + bounds[piece as usize][axis + 2];
        pieces.sort_unstable_by(|a, b| middle(*a).total_cmp(&middle(*b)).then(a.cmp(b)));
        let (left, right) = pieces.split_at_mut(pieces.len() / 2);
        self.add(bounds, left);
        self.nodes[here].next = self.nodes.len() as u32;
        self.add(bounds, right);
    }

    /// Calls `visit` with pieces whose boxes are within `reach` of `at`, near ones first; it answers with the reach that
    /// is of interest from then on.
    pub fn near(&self, at: [f64; 2], reach: f64, visit: &mut impl FnMut(u32, f64) -> f64) {
        if !self.nodes.is_empty() {
            self.descend(0, at, reach, visit);
        }
    }

    fn descend(&self, here: usize, at: [f64; 2], reach: f64, visit: &mut impl FnMut(u32, f64) -> f64) -> f64 {
        let node = &self.nodes[here];
        if outside(&node.bounds, at) > reach {
            return reach;
        }
        if node.is_leaf {
            return visit(node.next, reach);
        }
        let (mut first, mut second) = (here + 1, node.next as usize);
        let away = |node: usize| outside(&self.nodes[node].bounds, at);
        if away(second) < away(first) {
            (first, second) = (second, first);
        }
        let reach = self.descend(first, at, reach, visit);
        self.descend(second, at, reach, visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Dice;

    /// The nearest of many boxes, also of none and of equal ones, is the one that a look at all finds.
    #[test]
    fn the_nearest_box_is_found() {
        let mut dice = Dice::new(5, &[]);
        for count in [0, 1, 2, 3, 33, 400] {
            let mut boxes: Vec<Bounds> = Vec::new();
            for number in 0..count {
                let (x, z) = (dice.range(-50.0, 50.0), dice.range(-50.0, 50.0));
                let own = bounds([[x, z], [x + dice.range(0.0, 9.0), z + dice.range(0.0, 9.0)]]);
                boxes.push(if number % 5 == 4 { boxes[number / 2] } else { own });
            }
            let tree = Boxes::new(&boxes);
            for _ in 0..50 {
                let at = [dice.range(-70.0, 70.0), dice.range(-70.0, 70.0)];
                let (mut seen, mut best) = (0, f64::INFINITY);
                tree.near(at, f64::INFINITY, &mut |piece, reach| {
                    seen += 1;
                    best = best.min(outside(&boxes[piece as usize], at));
                    reach.min(best)
                });
                let all = boxes.iter().map(|own| outside(own, at)).fold(f64::INFINITY, f64::min);
                assert_eq!(best, all);
                assert!(count < 400 || seen < 60, "{seen} looked at of {count}");
            }
        }
    }
}

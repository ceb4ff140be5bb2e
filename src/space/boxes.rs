//! A tree of bounding boxes on the ground, built once: which walls are worth a closer look.
//!
//! A tree rather than cells: each wall is met once and only once by a query, however large it is, without marks
//! to keep, and a wall of a kilometre costs as much as one of a metre.

use super::point::Point;

/// A box on the ground, as (x, z).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub low: Point,
    pub high: Point,
}

impl Bounds {
    pub fn around(a: Point, b: Point) -> Bounds {
        Bounds { low: a.min(b), high: a.max(b) }
    }

    pub fn with(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub fn grown(self, by: f64) -> Bounds {
        Bounds { low: self.low - Point { x: by, z: by }, high: self.high + Point { x: by, z: by } }
    }

    pub fn contains(&self, place: Point) -> bool {
        self.low.max(place) == place && self.high.min(place) == place
    }

    /// The box round all that a disc of `radius` touches on its way from `from` by `delta`, and a little more. Most boxes are told apart from it
    /// by comparisons alone, without the divisions of [`Bounds::crossed`].
    pub fn swept(from: Point, delta: Point, radius: f64) -> Bounds {
        Bounds::around(from, from + delta).grown(radius + 1e-6)
    }

    pub fn meets(&self, other: &Bounds) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.z <= other.high.z
            && other.low.z <= self.high.z
    }

    /// Whether the way from `from` by `delta` meets the box.
    pub fn crossed(&self, from: Point, delta: Point) -> bool {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let (low, high) = (self.low - from, self.high - from);
        for (low, high, delta) in [(low.x, high.x, delta.x), (low.z, high.z, delta.z)] {
            if delta == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return false;
                }
                continue;
            }
            let (a, b) = (low / delta, high / delta);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        // The tolerance keeps flat boxes, those of walls along an axis, from slipping through.
        enter <= leave + 1e-9
    }
}

const INNER: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node {
    bounds: Bounds,
    /// Where to go on when the box is of no interest.
    skip: u32,
    /// The item of a leaf, or [`INNER`].
    item: u32,
}

/// The tree, in preorder.
#[derive(Clone, Debug, Default)]
pub(super) struct Boxes {
    nodes: Vec<Node>,
}

impl Boxes {
    pub fn new(bounds: &[Bounds]) -> Boxes {
        let mut items: Vec<u32> = (0..bounds.len() as u32).collect();
        let mut boxes = Boxes { nodes: Vec::with_capacity(2 * bounds.len()) };
        boxes.add(bounds, &mut items);
        boxes
    }

    fn add(&mut self, bounds: &[Bounds], items: &mut [u32]) {
        let Some((&first, rest)) = items.split_first() else { return };
        let all = rest.iter().fold(bounds[first as usize], |all, &item| all.with(bounds[item as usize]));
        let here = self.nodes.len();
        let item = if rest.is_empty() { first } else { INNER };
        self.nodes.push(Node { bounds: all, skip: 0, item });
        if item == INNER {
            let size = all.high - all.low;
            let middle = |item: u32| {
                let twice = bounds[item as usize].low + bounds[item as usize].high;
                if size.z > size.x { twice.z } else { twice.x }
            };
            items.sort_unstable_by(|&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
            let (left, right) = items.split_at_mut(items.len() / 2);
            self.add(bounds, left);
            self.add(bounds, right);
        }
        self.nodes[here].skip = self.nodes.len() as u32;
    }

    /// Calls `visit` with every item whose box, and those around it, `meets`; each once, in a fixed order.
    pub fn visit(&self, meets: impl Fn(&Bounds) -> bool, mut visit: impl FnMut(u32)) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !meets(&node.bounds) {
                at = node.skip as usize;
                continue;
            }
            if node.item != INNER {
                visit(node.item);
            }
            at += 1;
        }
    }
}

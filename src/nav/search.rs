//! The shortest way over convex pieces, bending only at corners, with a bound on the work: the algorithm Polyanya (Cui, Harabor,
//! Grastien, 2017).
//!
//! A node of the search is a part of an edge (the *interval*) that can be seen whole from a corner (the *root*), together with the
//! length of the way to that corner. It is followed into the piece beyond: the parts of that piece's other edges that the root
//! sees through the interval are new nodes with the same root; where the interval ends at a corner of the border, what
//! lies behind that corner is seen from there, and the corner is the root. The node that is followed next is the
//! one whose way, straight on to the goal, would be the shortest; so the first that reaches the piece of the goal has the
//! shortest way there is.
//!
//! The crate `polyanya` is the same search in f32. This one is our own for three things that it does not offer: a budget, the best
//! place found so far when the budget is spent, and ground above ground (it takes a corner for the one on the storey below).

use super::pieces::{NONE, Pieces, Spot, cross, distance, dot, minus};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What is nearer than this, in metres, is the same place.
const SAME: f64 = 1e-6;

/// What came of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The goal.
    Goal,
    /// The budget was spent: the way leads to the place nearest to the goal that was seen.
    Best,
}

/// A part of an edge that can be seen from a root.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The piece that it leads into, and by which of its edges.
    piece: u32,
    edge: u32,
    /// The ends of the interval, as seen on going into the piece.
    left: [f64; 2],
    right: [f64; 2],
    /// Which turn of the way the root is.
    root: u32,
}

/// A place of a way, and a piece that it is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stop {
    pub at: [f64; 2],
    pub piece: u32,
}

/// A bend of a way: a corner, or the start.
#[derive(Clone, Copy, Debug)]
struct Turn {
    at: [f64; 2],
    piece: u32,
    corner: u32,
    /// The way up to it, m.
    walked: f64,
    /// The turn before it.
    before: u32,
}

/// A node in the queue: the least way in front, of equal ones that which has come further, then the younger.
#[derive(Clone, Copy, Debug)]
struct Entry {
    whole: f64,
    walked: f64,
    node: u32,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let way = other.whole.total_cmp(&self.whole);
        way.then(self.walked.total_cmp(&other.walked)).then(self.node.cmp(&other.node))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

/// A search for the way to one goal.
pub(super) struct Search<'a> {
    pieces: &'a Pieces,
    goal: Spot,
    queue: BinaryHeap<Entry>,
    nodes: Vec<Node>,
    turns: Vec<Turn>,
    /// For each corner the shortest way to it so far, m.
    shortest: Vec<f64>,
    /// The nearest to the goal that one could stand: how far off it is, where, and from which turn it is seen.
    best: (f64, Stop, u32),
    /// How many nodes were followed.
    pub followed: u32,
}

impl<'a> Search<'a> {
    /// Writes the corners of the shortest way in place of what `way` has, the goal included and the start left out. Follows at
    /// most `budget` nodes. Both ends are on one island.
    pub fn run(pieces: &'a Pieces, from: &Spot, goal: &Spot, budget: u32, way: &mut Vec<Stop>) -> Found {
        let mut search = Search {
            pieces,
            goal: *goal,
            queue: BinaryHeap::new(),
            nodes: Vec::new(),
            turns: vec![Turn { at: from.at, piece: from.piece, corner: NONE, walked: 0.0, before: NONE }],
            shortest: vec![f64::INFINITY; pieces.points.len()],
            best: (distance(from.at, goal.at), Stop { at: from.at, piece: from.piece }, 0),
            followed: 0,
        };
        search.find(from, budget, way)
    }

    fn find(&mut self, from: &Spot, budget: u32, way: &mut Vec<Stop>) -> Found {
        way.clear();
        if from.piece == self.goal.piece {
            way.push(Stop { at: self.goal.at, piece: self.goal.piece });
            return Found::Goal;
        }
        for edge in self.pieces.edges(from.piece) {
            let [right, left] = self.pieces.line(from.piece, edge);
            self.add(from.piece, edge, [right, left], 0);
        }
        while let Some(next) = self.queue.pop() {
            let node = self.nodes[next.node as usize];
            let turn = self.turns[node.root as usize];
            if turn.corner != NONE && turn.walked > self.shortest[turn.corner as usize] + SAME {
                continue;
            }
            if node.piece == self.goal.piece {
                self.write(&node, way);
                return Found::Goal;
            }
            if self.followed >= budget {
                break;
            }
            self.followed += 1;
            self.remember(&node);
            self.follow(&node);
        }
        self.lay(self.best.2, way);
        way.push(self.best.1);
        Found::Best
    }

    /// Keeps the place of the interval that is nearest to the goal, if it is the nearest so far.
    fn remember(&mut self, node: &Node) {
        let along = minus(node.left, node.right);
        let share = dot(minus(self.goal.at, node.right), along) / dot(along, along).max(1e-18);
        let share = share.clamp(0.0, 1.0);
        let place = [node.right[0] + along[0] * share, node.right[1] + along[1] * share];
        let away = distance(place, self.goal.at);
        if away < self.best.0 {
            self.best = (away, Stop { at: place, piece: node.piece }, node.root);
        }
    }

    /// Queues the part of an edge of `piece` that a root sees, if there is ground beyond.
    fn add(&mut self, piece: u32, edge: usize, [right, left]: [[f64; 2]; 2], root: u32) {
        let beyond = self.pieces.beyond[edge];
        if beyond == NONE || distance(left, right) < SAME {
            return;
        }
        let [a, b] = self.pieces.ends(piece, edge);
        let across = self.pieces.edges(beyond).find(|across| self.pieces.ends(beyond, *across) == [b, a]);
        let Some(across) = across else { return };
        let node = Node { piece: beyond, edge: across as u32, left, right, root };
        let walked = self.turns[root as usize].walked;
        let (_, ahead) = self.onward(&node);
        self.queue.push(Entry { whole: walked + ahead, walked, node: self.nodes.len() as u32 });
        self.nodes.push(node);
    }

    /// Where the way from the root through the interval to the goal bends, and how long it is. For a goal on this side of the
    /// interval it is that to its mirror image: there is no shorter one.
    fn onward(&self, node: &Node) -> (Option<[f64; 2]>, f64) {
        let root = self.turns[node.root as usize].at;
        let along = minus(node.left, node.right);
        let mut goal = self.goal.at;
        let side = |at: [f64; 2]| cross(along, minus(at, node.right));
        // On the left of the way from right to left is where one comes from.
        if node.piece != self.goal.piece && side(goal) * side(root) > 0.0 {
            let by = 2.0 * side(goal) / dot(along, along).max(1e-18);
            goal = [goal[0] + along[1] * by, goal[1] - along[0] * by];
        }
        let way = minus(goal, root);
        let bend = if cross(minus(node.right, root), way) < 0.0 {
            Some(node.right)
        } else if cross(minus(node.left, root), way) > 0.0 {
            Some(node.left)
        } else {
            None
        };
        match bend {
            Some(bend) => (Some(bend), distance(root, bend) + distance(bend, goal)),
            None => (None, distance(root, goal)),
        }
    }

    /// Queues what is seen beyond a node.
    fn follow(&mut self, node: &Node) {
        let root = self.turns[node.root as usize].at;
        let [a, b] = self.pieces.ends(node.piece, node.edge as usize);
        let ray = |end: [f64; 2]| {
            let way = minus(end, root);
            let length = libm::sqrt(dot(way, way));
            (length > SAME).then(|| [way[0] / length, way[1] / length])
        };
        let rays = (ray(node.right), ray(node.left));
        let right = self.corner_turn(node, b, node.right);
        let left = self.corner_turn(node, a, node.left);
        for edge in self.pieces.edges(node.piece).filter(|edge| *edge != node.edge as usize) {
            if self.pieces.beyond[edge] == NONE {
                continue;
            }
            let line = self.pieces.line(node.piece, edge);
            let [low, high] = seen(root, rays, line);
            let at = |share: f64| {
                let [p, q] = line;
                match share {
                    0.0 => p,
                    1.0 => q,
                    _ => [p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share],
                }
            };
            if low < high {
                self.add(node.piece, edge, [at(low), at(high)], node.root);
            }
            if let Some(turn) = right.filter(|_| low > 0.0) {
                self.add(node.piece, edge, [at(0.0), at(low)], turn);
            }
            if let Some(turn) = left.filter(|_| high < 1.0) {
                self.add(node.piece, edge, [at(high), at(1.0)], turn);
            }
        }
    }

    /// The turn at a corner, if the interval ends there, a way can bend there, and none is shorter to it.
    fn corner_turn(&mut self, node: &Node, corner: u32, end: [f64; 2]) -> Option<u32> {
        let at = self.pieces.point(corner);
        let before = self.turns[node.root as usize];
        let leg = distance(before.at, at);
        if !self.pieces.bends[corner as usize] || distance(at, end) > SAME || leg <= SAME {
            return None;
        }
        let walked = before.walked + leg;
        let shortest = &mut self.shortest[corner as usize];
        if walked > *shortest + SAME {
            return None;
        }
        *shortest = shortest.min(walked);
        self.turns.push(Turn { at, piece: node.piece, corner, walked, before: node.root });
        Some(self.turns.len() as u32 - 1)
    }

    fn write(&self, node: &Node, way: &mut Vec<Stop>) {
        self.lay(node.root, way);
        way.extend(self.onward(node).0.map(|at| Stop { at, piece: node.piece }));
        way.push(Stop { at: self.goal.at, piece: self.goal.piece });
    }

    /// The turns up to one, without the start.
    fn lay(&self, mut turn: u32, way: &mut Vec<Stop>) {
        while self.turns[turn as usize].before != NONE {
            let Turn { at, piece, before, .. } = self.turns[turn as usize];
            way.push(Stop { at, piece });
            turn = before;
        }
        way.reverse();
    }
}

/// A direction of sight; `None` when the end of the interval is where one stands, and so nothing on that side is hidden.
type Ray = Option<[f64; 2]>;

/// From where to where, as shares of an edge of the piece beyond, one sees between a right and a left ray. What is before that is
/// hidden on the right, what is behind it on the left. The edge goes from right to left.
fn seen(root: [f64; 2], (right, left): (Ray, Ray), [p, q]: [[f64; 2]; 2]) -> [f64; 2] {
    // How far a point is inside of a ray, m.
    let within =
        |ray: Ray, sign: f64, at| ray.map_or(f64::INFINITY, |ray| sign * cross(ray, minus(at, root)));
    let low = match (within(right, 1.0, p), within(right, 1.0, q)) {
        (at_p, _) if at_p > SAME => 0.0,
        // An edge that only touches the ray is hidden: it comes before what is seen, or behind it.
        (_, at_q) if at_q <= SAME => 1.0,
        (at_p, _) if at_p >= -SAME => 0.0,
        (at_p, at_q) => at_p / (at_p - at_q),
    };
    let high = match (within(left, -1.0, p), within(left, -1.0, q)) {
        (_, at_q) if at_q > SAME => 1.0,
        (at_p, _) if at_p <= SAME => 0.0,
        (_, at_q) if at_q >= -SAME => 1.0,
        (at_p, at_q) => at_p / (at_p - at_q),
    };
    [low, high]
}

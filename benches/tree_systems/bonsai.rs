//! bonsai-bt: an enum that is walked, and one closure for all actions.

use super::shape::{Shape, add, flag, on_board};
use super::{Crowd, Status};
use bonsai_bt::{ActionArgs, BT, Behavior, Event};

#[derive(Clone, Debug)]
enum Deed {
    Flag(u32),
    Count(u64),
    Run(u64),
    Read(usize),
}

/// What its users would call a blackboard is a struct of their own.
type Board = [f64; 8];

pub struct Bonsais {
    trees: Vec<BT<Deed, Board>>,
    event: Event,
}

fn behaviour(shape: &Shape) -> Behavior<Deed> {
    let all = |parts: &[Shape]| parts.iter().map(behaviour).collect::<Vec<_>>();
    match shape {
        Shape::Sequence { reactive, parts } => Behavior::Sequence(all(parts)).memory(!reactive),
        Shape::Selector { reactive, parts } => Behavior::Select(all(parts)).memory(!reactive),
        Shape::Flag(bit) => Behavior::Action(Deed::Flag(*bit)),
        Shape::Count(by) => Behavior::Action(Deed::Count(*by)),
        Shape::Run(by) => Behavior::Action(Deed::Run(*by)),
        Shape::Read(slot) => Behavior::Action(Deed::Read(*slot)),
        Shape::Wait => Behavior::WaitForever,
    }
}

impl Bonsais {
    pub fn new(shape: &Shape, agents: usize) -> Self {
        let board = std::array::from_fn(on_board);
        let trees = (0..agents).map(|_| BT::new(behaviour(shape), board)).collect();
        Self { trees, event: Event::zero_dt_args() }
    }
}

fn act(args: ActionArgs<'_, Event, Deed>, board: &mut Board) -> (bonsai_bt::Status, f64) {
    let status = match args.action {
        Deed::Flag(bit) if !flag(*bit) => bonsai_bt::Failure,
        Deed::Flag(_) => bonsai_bt::Success,
        Deed::Count(by) => {
            add(*by);
            bonsai_bt::Success
        }
        Deed::Run(by) => {
            add(*by);
            bonsai_bt::Running
        }
        Deed::Read(slot) => {
            add(board[*slot] as u64);
            bonsai_bt::Success
        }
    };
    (status, args.dt)
}

impl Crowd for Bonsais {
    fn agents(&self) -> usize {
        self.trees.len()
    }
    fn tick(&mut self, agent: usize) -> Status {
        let tree = &mut self.trees[agent];
        if tree.is_finished() {
            tree.reset_bt();
        }
        match tree.tick(&self.event, &mut act) {
            Some((bonsai_bt::Success, _)) => Status::Success,
            Some((bonsai_bt::Running, _)) => Status::Running,
            _ => Status::Failure,
        }
    }
}

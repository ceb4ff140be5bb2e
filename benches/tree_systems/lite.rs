//! behavior-tree-lite: boxed nodes, and a board of shared values by symbol.

use super::shape::{Shape, add, flag, on_board};
use super::{Crowd, Status};
use behavior_tree_lite::{
    BehaviorCallback, BehaviorNode, BehaviorNodeContainer, BehaviorResult, Context, Registry, Symbol,
};

/// A node without children.
struct Deed<F>(F);

impl<F: FnMut(&Context) -> BehaviorResult> BehaviorNode for Deed<F> {
    fn tick(&mut self, _: BehaviorCallback<'_>, context: &mut Context) -> BehaviorResult {
        (self.0)(context)
    }
}

fn leaf(deed: impl FnMut(&Context) -> BehaviorResult + 'static) -> BehaviorNodeContainer {
    BehaviorNodeContainer::new_node(Deed(deed))
}

fn read(slot: usize) -> BehaviorNodeContainer {
    let symbol = symbol(slot);
    leaf(move |context| match context.get::<f64>(symbol) {
        Some(number) => {
            add(*number as u64);
            BehaviorResult::Success
        }
        None => BehaviorResult::Fail,
    })
}

fn symbol(slot: usize) -> Symbol {
    format!("key_{slot}").into()
}

fn container(shape: &Shape) -> BehaviorNodeContainer {
    match shape {
        Shape::Sequence { reactive: false, parts } => branch("Sequence", parts),
        Shape::Sequence { parts, .. } => branch("ReactiveSequence", parts),
        Shape::Selector { reactive: false, parts } => branch("Fallback", parts),
        Shape::Selector { parts, .. } => branch("ReactiveFallback", parts),
        Shape::Flag(bit) => {
            let bit = *bit;
            leaf(move |_| if flag(bit) { BehaviorResult::Success } else { BehaviorResult::Fail })
        }
        Shape::Count(by) => done(*by, BehaviorResult::Success),
        Shape::Run(by) => done(*by, BehaviorResult::Running),
        Shape::Read(slot) => read(*slot),
        Shape::Wait => leaf(|_| BehaviorResult::Running),
    }
}

fn done(by: u64, result: BehaviorResult) -> BehaviorNodeContainer {
    leaf(move |_| {
        add(by);
        result
    })
}

/// A composite of the library; the reactive ones can be made by name only.
fn branch(name: &str, parts: &[Shape]) -> BehaviorNodeContainer {
    let node = Registry::default().build(name).expect("the library has it");
    let mut node = BehaviorNodeContainer::new_raw(node);
    for part in parts {
        assert!(node.add_child(container(part)).is_ok(), "a composite takes children");
    }
    node
}

pub struct Lites {
    trees: Vec<(BehaviorNodeContainer, Context)>,
}

impl Lites {
    pub fn new(shape: &Shape, agents: usize) -> Self {
        let tree = |_| {
            let mut context = Context::default();
            (0..8).for_each(|slot| context.set(symbol(slot), on_board(slot)));
            (container(shape), context)
        };
        Self { trees: (0..agents).map(tree).collect() }
    }
}

impl Crowd for Lites {
    fn agents(&self) -> usize {
        self.trees.len()
    }
    fn tick(&mut self, agent: usize) -> Status {
        let (tree, context) = &mut self.trees[agent];
        match tree.tick(&mut |_| None, context) {
            BehaviorResult::Success => Status::Success,
            BehaviorResult::Fail => Status::Failure,
            BehaviorResult::Running => Status::Running,
        }
    }
}

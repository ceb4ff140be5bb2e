//! What an agent keeps of a tree: a few words, however many agents share it.

use warband::blackboard::{Schema, ValueType};
use warband::tree::{Symbols, build};
use warband::{KeyDecl, Scope, Spec};

/// A selector of three guarded branches, each a sequence of one leaf that remembers a time.
fn guarded(decorate: impl Fn(Spec) -> Spec) -> Spec {
    let branch = |key: &str| {
        let wait = decorate(Spec::new("wait").set("seconds", 1.0));
        Spec::new("guard").when(Spec::new("has_value").set("key", key)).with(Spec::new("sequence").with(wait))
    };
    ["a", "b", "c"].into_iter().map(branch).fold(Spec::new("selector"), Spec::with)
}

fn size(spec: &Spec) -> (usize, usize) {
    let mut schema = Schema::default();
    for name in ["a", "b", "c"] {
        schema.declare(KeyDecl::new(name, Scope::Agent, ValueType::Bool)).expect("the key is legal");
    }
    let tree = build("tree", spec, &warband::node::registry(), &schema, &mut Symbols::default());
    let tree = tree.expect("the tree is legal");
    assert_eq!(tree.memory_bytes(), tree.memory().words().len() * 8);
    (tree.len(), tree.memory_bytes())
}

#[test]
fn a_usual_tree_of_thirteen_nodes_keeps_five_words() {
    assert_eq!(size(&guarded(|leaf| leaf)), (13, 40));
}

#[test]
fn a_tree_whose_leaves_all_have_a_timed_decorator_keeps_128_bytes_at_most() {
    let (nodes, bytes) = size(&guarded(|leaf| Spec::new("time_limit").set("seconds", 9.0).with(leaf)));
    assert!(nodes == 16 && (64..=128).contains(&bytes), "{bytes} bytes for {nodes} nodes");
}

//! What the oracle asks: conditions, guards, bands.

use super::{Oracle, number_of, text_of};
use crate::tree_sim::probe::{Book, book};
use warband::Spec;
use warband::args::Arg;
use warband::tree::Status;

impl Oracle {
    /// Asks a condition.
    pub(super) fn holds(&self, spec: &Spec) -> bool {
        let child = |at: usize| self.holds(&spec.children[at]);
        match spec.node.as_str() {
            "has_value" => self.keys.get(text_of(spec, "key")) == Some(&true),
            "asked" => {
                let probe = book(|book| book.number(text_of(spec, "name")));
                Book::drawn(self.seed, 0, probe, self.now) != Status::Failure
            }
            "invert" => !child(0),
            "sequence" => (0..spec.children.len()).all(child),
            "selector" => (0..spec.children.len()).any(child),
            other => panic!("'{other}' is no condition of these trees"),
        }
    }

    pub(super) fn ask(&mut self, guard: usize) -> bool {
        let when = self.nodes[guard].when.clone().expect("a guard has a condition");
        self.nodes[guard].was = self.holds(&when);
        self.nodes[guard].was
    }

    pub(super) fn aborts(&self, guard: usize, what: &str) -> bool {
        ["both", "", what].contains(&text_of(&self.nodes[guard].spec, "abort"))
    }

    /// The guards to which a running node gives way, each with the selector.
    pub(super) fn lowers(&self, node: usize) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut child = node;
        while let Some(parent) = self.nodes[child].parent {
            if self.nodes[parent].region != self.nodes[node].region {
                break;
            }
            if self.kind(parent) == "selector" {
                let earlier = self.nodes[parent].children.iter().take_while(|other| **other != child);
                let guards = earlier.flat_map(|branch| self.watching(*branch));
                found.extend(guards.map(|guard| (parent, guard)));
            }
            child = parent;
        }
        found
    }

    /// The guards that are the first thing that a branch does, and watch lower ones.
    pub(super) fn watching(&self, branch: usize) -> Vec<usize> {
        let children = &self.nodes[branch].children;
        match self.kind(branch) {
            "guard" if self.aborts(branch, "lower") => vec![branch],
            "sequence" | "reactive_sequence" | "subtree" => self.watching(children[0]),
            "selector" | "reactive_selector" => {
                children.iter().flat_map(|child| self.watching(*child)).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn band(&self, node: usize, now: Option<usize>) -> usize {
        let spec = &self.nodes[node].spec;
        let last = self.nodes[node].children.len() - 1;
        let border = |child: &Spec| match child.edge.first() {
            Some((_, Arg::Number(border))) => *border,
            _ => f64::INFINITY,
        };
        let borders = spec.children.iter().map(border).collect::<Vec<_>>();
        let margin = number_of(spec, "margin").unwrap_or(0.0);
        let Some(mut band) = now else {
            return borders.iter().position(|border| self.number < *border).unwrap_or(last).min(last);
        };
        while band < last && self.number > borders[band] + margin {
            band += 1;
        }
        let inwards = borders[..now.unwrap_or(0)].iter().position(|border| self.number <= border - margin);
        inwards.unwrap_or(band)
    }
}

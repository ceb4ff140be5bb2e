//! What a leaf of a script keeps from its enter to its exit: plain data, no object of a VM.

use super::mind::Mind;
use crate::entity::Entity;
use crate::math::Vec3;
use serde::{Deserialize, Serialize};

/// Data that means the same in every process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plain {
    /// Nothing.
    #[default]
    Nothing,
    /// A truth value.
    Bool(bool),
    /// A number; never NaN.
    Number(Exact),
    /// A text.
    Text(String),
    /// A point or direction.
    Vec3(Vec3),
    /// A body.
    Entity(Entity),
    /// Values numbered from 1.
    List(Vec<Plain>),
    /// Values by key, in the order of keys.
    Map(Vec<(PlainKey, Plain)>),
}

/// What a value can stand under: in order, truth values, numbers, texts, bodies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlainKey {
    /// A truth value.
    Bool(bool),
    /// A number; never NaN.
    Number(Exact),
    /// A text.
    Text(String),
    /// A body, packed.
    Entity(u64),
}

/// A number that is written as its bits, so that every format gives back the same one, also an infinite one.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Exact(u64);

impl Exact {
    /// Of a number.
    pub fn new(number: f64) -> Self {
        Self(number.to_bits())
    }
    /// The number.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Exact {}
impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Exact {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.get().total_cmp(&other.get())
    }
}

/// What one leaf keeps for one agent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Keep {
    /// The node.
    pub node: u16,
    /// The number under which a host has a thread or tables for it; 0 for none. It means something to that host only.
    #[serde(skip)]
    pub stay: u64,
    /// Whether the host may change the value without being seen to ask for it: a thread has it in a variable.
    #[serde(skip)]
    pub open: bool,
    /// What it keeps.
    pub value: Plain,
}

impl Plain {
    /// How deep tables may lie in each other.
    pub const DEEPEST: usize = 16;

    fn is_sound(&self, depth: usize) -> bool {
        let key = |key: &PlainKey| !matches!(key, PlainKey::Number(number) if number.get().is_nan());
        match self {
            Plain::List(list) => depth > 0 && list.iter().all(|value| value.is_sound(depth - 1)),
            Plain::Map(map) => {
                depth > 0
                    && map.is_sorted_by(|a, b| a.0 < b.0)
                    && map.iter().all(|(name, value)| key(name) && value.is_sound(depth - 1))
            }
            _ => true,
        }
    }
}

impl Keep {
    /// Whether it can be what a leaf kept.
    pub(crate) fn is_sound(&self) -> bool {
        self.value.is_sound(Plain::DEEPEST + 1)
    }
}

/// Equal when node and value are: what a host has for it is no part of what the agent is.
impl PartialEq for Keep {
    fn eq(&self, other: &Self) -> bool {
        (self.node, &self.value) == (other.node, &other.value)
    }
}

impl Mind {
    /// What is kept for a node, if anything is.
    pub fn keep(&self, node: u16) -> Option<&Keep> {
        self.keeps.binary_search_by_key(&node, |keep| keep.node).ok().map(|at| &self.keeps[at])
    }

    /// What is kept for a node, nothing at first.
    pub fn keep_mut(&mut self, node: u16) -> &mut Keep {
        let at = match self.keeps.binary_search_by_key(&node, |keep| keep.node) {
            Ok(at) => at,
            Err(at) => {
                self.keeps.insert(at, Keep { node, ..Keep::default() });
                at
            }
        };
        &mut self.keeps[at]
    }

    /// Nothing is kept for a node any more; what was.
    pub fn drop_keep(&mut self, node: u16) -> Option<Keep> {
        let at = self.keeps.binary_search_by_key(&node, |keep| keep.node).ok()?;
        Some(self.keeps.remove(at))
    }

    /// The host has no threads and tables for this agent any more: coroutines begin anew in its next thought, with
    /// what they keep.
    pub fn forget_threads(&mut self) {
        if self.keeps.is_empty() {
            return;
        }
        for keep in &mut self.keeps {
            (keep.stay, keep.open) = (0, false);
        }
        self.sleep = super::wake::Sleep::NONE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_same_in_every_format() {
        for number in [0.1, -0.0, 1e300, f64::INFINITY, f64::NEG_INFINITY, 5e-324] {
            let value =
                Plain::Map(vec![(PlainKey::Number(Exact::new(number)), Plain::Number(Exact::new(number)))]);
            let text = serde_json::to_string(&value).expect("it is data");
            let back: Plain = serde_json::from_str(&text).expect("it is data");
            assert_eq!(back, value, "{text}");
        }
    }

    #[test]
    fn keys_are_in_order() {
        let number = |number| PlainKey::Number(Exact::new(number));
        let text = |text: &str| PlainKey::Text(text.to_owned());
        let order = [PlainKey::Bool(true), number(-1.5), number(0.0), number(2.0), text("a"), text("b")];
        assert!(order.is_sorted());
    }

    #[test]
    fn keeps_are_by_node_and_equal_by_value() {
        let mut mind = Mind::default();
        for node in [5, 2, 9] {
            mind.keep_mut(node).stay = u64::from(node);
        }
        let nodes = mind.keeps.iter().map(|keep| keep.node).collect::<Vec<_>>();
        assert_eq!(nodes, [2, 5, 9]);
        let mut other = mind.clone();
        other.forget_threads();
        assert_eq!(mind, other);
        let text = serde_json::to_string(&mind.keeps).expect("it is data");
        let back: Vec<Keep> = serde_json::from_str(&text).expect("it is data");
        assert_eq!(back, mind.keeps);
        assert!(back.iter().all(|keep| keep.stay == 0), "a thread is of this process: {text}");
        assert_eq!(other.keep(5).map(|keep| keep.stay), Some(0));
        other.keep_mut(5).value = Plain::Bool(true);
        assert_ne!(mind, other);
        assert_eq!(mind.drop_keep(5).map(|keep| keep.stay), Some(5));
        assert!(mind.keep(5).is_none() && mind.drop_keep(5).is_none());
    }
}

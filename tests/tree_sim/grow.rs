//! Random trees and random changes of trees.

use super::{condition, guard_that, has, leaf, shell};
use warband::Spec;
use warband::args::Arg;
use warband::rng::Dice;

/// Grows trees whose leaves all have names of their own.
pub struct Grower {
    pub dice: Dice,
    /// Whether leaves are mostly such as wait, so that trees can be left alone.
    pub still: bool,
    next: usize,
    /// Whether it uses all nodes, or those alone that the second interpreter knows.
    wide: bool,
}

const KEYS: [&str; 6] = ["a", "b", "c", "d", "x", "y"];
const CHAINS: [&str; 4] = ["sequence", "selector", "reactive_sequence", "reactive_selector"];

impl Grower {
    pub fn new(seed: u64) -> Self {
        Self { dice: Dice::new(seed, &[]), still: false, next: 0, wide: false }
    }

    /// One that uses all composites, decorators and plain leaves of the library.
    pub fn wide(seed: u64) -> Self {
        Self { wide: true, ..Self::new(seed) }
    }

    pub fn below(&mut self, count: usize) -> usize {
        self.dice.below(count as u64) as usize
    }

    pub fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    pub fn key(&mut self) -> &'static str {
        self.one_of(&KEYS)
    }

    fn name(&mut self, kind: &str) -> String {
        self.next += 1;
        format!("{kind}{}", self.next)
    }

    /// A tree of about so many nodes.
    pub fn tree(&mut self, size: usize) -> Spec {
        if size <= 1 {
            return self.leaf();
        }
        let wide = self.wide && self.below(2) == 0;
        match self.below(9) {
            0..=2 if wide => self.widely_decorated(size),
            0..=2 => self.decorated(size),
            _ if wide => self.wide_composite(size),
            _ => self.composite(size),
        }
    }

    /// One in two carries what is left over.
    fn wait(&mut self, seconds: f64) -> Spec {
        let wait = Spec::new("wait").set("seconds", seconds);
        if self.below(2) == 0 { wait.set("carry", true) } else { wait }
    }

    fn leaf(&mut self) -> Spec {
        if self.still && self.below(2) == 0 {
            let seconds = self.below(15) as f64 * 0.1;
            return match self.below(if self.wide { 3 } else { 1 }) {
                0 => self.wait(seconds),
                1 => Spec::new("wait_random").set("low", seconds).set("high", seconds + 0.5),
                _ => {
                    let wait = Spec::new("wait_for").set("key", self.key()).set("change", self.below(2) == 0);
                    wait.set("seconds", seconds)
                }
            };
        }
        if self.wide && self.below(4) == 0 {
            return self.wide_leaf();
        }
        match self.below(12) {
            0 => self.question(1),
            1 => {
                let seconds = self.below(5) as f64 * 0.1;
                self.wait(seconds)
            }
            2 => Spec::new("set").set("key", self.key()).set("to", self.below(2) == 1),
            3 => Spec::new("increment").set("key", "n").set("by", self.below(9) as f64 - 4.0),
            4 => {
                let name = self.name("f");
                let key = self.key();
                leaf(&name).set("flips", key)
            }
            5 => {
                let name = self.name("i");
                leaf(&name).id(name.clone())
            }
            _ => {
                let name = self.name("l");
                leaf(&name)
            }
        }
    }

    fn question(&mut self, depth: usize) -> Spec {
        match self.below(if depth > 0 { 6 } else { 4 }) {
            0 if !self.still => {
                let name = self.name("q");
                condition(&name)
            }
            4 => Spec::new("invert").with(self.question(depth - 1)),
            5 => {
                let chain = self.one_of(&CHAINS[..2]);
                Spec::new(chain).with(self.question(depth - 1)).with(self.question(depth - 1))
            }
            _ => has(self.key()),
        }
    }

    fn children(&mut self, size: usize) -> Vec<Spec> {
        let count = 1 + self.below(4.min(size));
        let mut left = size.max(count);
        let mut children = Vec::new();
        for at in 0..count {
            let rest = count - at - 1;
            let share = if rest == 0 { left } else { 1 + self.below((left - rest).max(1)) };
            children.push(self.tree(share));
            left -= share.min(left - rest);
        }
        children
    }

    fn composite(&mut self, size: usize) -> Spec {
        let children = self.children(size - 1);
        match self.below(8) {
            0 | 1 => {
                let mut spec = Spec::new("parallel").with_all(children);
                if self.below(2) == 0 {
                    spec = spec.set("success", 1 + self.below(3) as i32);
                }
                if self.below(2) == 0 {
                    spec = spec.set("failure", 1 + self.below(3) as i32);
                }
                spec
            }
            2 => {
                let last = children.len() - 1;
                let edged = children.into_iter().enumerate().map(|(at, child)| {
                    if at < last { child.edge("below", at as f64 * 3.0 - 3.0) } else { child }
                });
                let by = Arg::Key("n".to_owned());
                Spec::new("bands").set("by", by).set("margin", 1.0).with_all(edged.collect::<Vec<_>>())
            }
            _ => Spec::new(self.one_of(&CHAINS)).with_all(children),
        }
    }

    fn decorated(&mut self, size: usize) -> Spec {
        let child = self.tree(size - 1);
        match self.below(14) {
            12 | 13 => Spec::new("skip_if").when(self.question(2)).with(child),
            0..=4 => {
                let abort = self.one_of(&["both", "both", "self", "lower", "none"]);
                guard_that(abort, self.question(2), child)
            }
            5 => Spec::new("time_limit").set("seconds", self.below(4) as f64 * 0.1).with(child),
            6 => {
                let spec = Spec::new("cooldown").set("seconds", self.below(5) as f64 * 0.1).with(child);
                let spec = spec.set("on", self.one_of(&["start", "finish", "success"]));
                spec.set("keep", self.one_of(&["persist", "reset"]))
            }
            7 => {
                let spec = Spec::new(self.one_of(&["repeat_times", "retry"])).with(child);
                if self.below(2) == 0 { spec.set("times", self.below(4) as i32) } else { spec }
            }
            8 | 9 if !self.still => {
                let name = self.name("s");
                shell(&name, child)
            }
            _ => {
                let plain = ["invert", "force_success", "force_failure", "subtree"];
                Spec::new(self.one_of(&plain)).with(child)
            }
        }
    }

    fn wide_leaf(&mut self) -> Spec {
        match self.below(6) {
            0 => Spec::new("wait_random").set("low", 0.0).set("high", self.below(5) as f64 * 0.1),
            1 => {
                let spec = Spec::new("wait_for").set("key", self.key()).set("change", self.below(2) == 0);
                if self.below(2) == 0 { spec.set("seconds", self.below(4) as f64 * 0.1) } else { spec }
            }
            2 => Spec::new("send").set("name", self.one_of(&["help", "flank"])),
            3 => Spec::new("receive").set("name", self.one_of(&["help", "flank"])),
            4 => Spec::new("append").set("key", "key_list").set("point", "home"),
            _ => Spec::new("clear").set("key", "key_list"),
        }
    }

    /// What a child is told, by its number.
    fn edged(&mut self, node: &str, child: Spec, at: usize) -> Spec {
        let live = |on: bool, number: f64| if on { Arg::Key("n".to_owned()) } else { Arg::Number(number) };
        let (number, on) = (self.below(4) as f64, self.below(3) == 0);
        match node {
            "weighted_selector" => child.edge("weight", live(on, number)),
            "utility_selector" => {
                let curve = self.one_of(&["linear", "quadratic", "root", "logistic", "bell"]);
                child.edge("score", live(on, number)).edge("curve", curve)
            }
            "switch" if at < 3 => child.edge("case", at as f64 - 1.0),
            _ => child,
        }
    }

    fn wide_composite(&mut self, size: usize) -> Spec {
        if self.below(5) < 2 {
            return self.pair(size);
        }
        let nodes =
            ["random_sequence", "random_selector", "weighted_selector", "utility_selector", "switch", "race"];
        let node = self.one_of(&nodes);
        let children = self.children(size - 1);
        let spec = children.into_iter().enumerate().fold(Spec::new(node), |spec, (at, child)| {
            let child = self.edged(node, child, at);
            spec.with(child)
        });
        match node {
            "switch" => spec.set("key", "n").set("reactive", self.below(2) == 0),
            "utility_selector" => {
                let interval = [0.0, 0.1, 0.5][self.below(3)];
                spec.set("interval", interval).set("inertia", self.below(2) as f64)
            }
            _ => spec,
        }
    }

    /// A composite of two, or of one and a condition.
    fn pair(&mut self, size: usize) -> Spec {
        let (one, other) = (self.tree(size / 2), self.tree(size / 2));
        match self.below(4) {
            0 => Spec::new("try_catch").with(one).with(other),
            1 => Spec::new("finally").with(one).with(other),
            _ => {
                let spec =
                    Spec::new(self.one_of(&["if_then_else", "while_do"])).when(self.question(2)).with(one);
                if self.below(2) == 0 { spec.with(other) } else { spec }
            }
        }
    }

    fn widely_decorated(&mut self, size: usize) -> Spec {
        let child = self.tree(size - 1);
        match self.below(7) {
            0 => Spec::new("repeat_until").set("on", self.one_of(&["success", "failure"])).with(child),
            1 => Spec::new("delay").set("seconds", self.below(3) as f64 * 0.1).with(child),
            2 => Spec::new("run_once").set("on", self.one_of(&["finish", "success"])).with(child),
            3 => {
                let spec = Spec::new("run_limit").set("times", self.below(5) as i32).with(child);
                spec.set("on", self.one_of(&["finish", "success", "failure"]))
            }
            4 => Spec::new("chance").set("probability", self.below(5) as f64 * 0.25).with(child),
            _ => Spec::new("for_each").set("list", "key_list").set("item", "key_vec3").with(child),
        }
    }

    /// A tree with one change: a part that is new, two children that changed places, a child more or less, or another
    /// number or name.
    pub fn changed(&mut self, spec: &Spec) -> Spec {
        let mut changed = spec.clone();
        let target = self.below(spec.count());
        if self.below(2) == 0 {
            let mut at = 0;
            let node = numbered(&mut changed, target, &mut at);
            if node.is_some_and(|node| self.edit(node)) {
                return changed;
            }
        }
        self.change_at(&mut changed, target, &mut 0);
        changed
    }

    /// The same tree with a leaf more behind all children of a node that takes it.
    pub fn with_more(&mut self, spec: &Spec) -> Spec {
        let mut changed = spec.clone();
        let target = self.below(spec.count());
        if let Some(node) = numbered(&mut changed, target, &mut 0).filter(|node| is_open(node)) {
            node.children.push(self.leaf());
        }
        changed
    }

    /// A small edit of one node; says whether there was anything to edit.
    fn edit(&mut self, spec: &mut Spec) -> bool {
        let free = spec.children.iter().filter(|child| child.role.is_none()).count();
        match self.below(3) {
            0 if is_open(spec) => {
                let at = self.below(free + 1);
                let size = 1 + self.below(3);
                let child = self.tree(size);
                spec.children.insert(at, child);
            }
            1 if free > 1 && (is_open(spec) || spec.node == "bands" || spec.node == "utility_selector") => {
                let last = free - 1;
                let at = if spec.node == "bands" { last } else { self.below(free) };
                spec.children.remove(at);
            }
            _ => return self.retune(spec),
        }
        true
    }

    fn retune(&mut self, spec: &mut Spec) -> bool {
        if matches!(spec.node.as_str(), "probe" | "shell" | "asked") {
            let name = self.name("r");
            spec.args[0].1 = Arg::Text(name);
            return true;
        }
        let number = spec.args.iter_mut().find_map(|(name, arg)| match arg {
            Arg::Number(number) if name == "seconds" || name == "interval" => Some(number),
            _ => None,
        });
        number.map(|number| *number += 0.1).is_some()
    }

    fn change_at(&mut self, spec: &mut Spec, target: usize, at: &mut usize) {
        let here = *at == target;
        *at += 1;
        // Conditions of guards are left alone: what is put in their place would have to be one.
        if here && spec.role.is_none() {
            let free = spec.children.iter().filter(|child| child.role.is_none()).count();
            if free > 1 && spec.node != "bands" && self.below(2) == 0 {
                let last = spec.children.len() - 1;
                spec.children.swap(last - 1, last);
            } else {
                let size = 1 + self.below(4);
                let edge = std::mem::take(&mut spec.edge);
                *spec = Spec { edge, ..self.tree(size) };
            }
            return;
        }
        if spec.role.is_some() {
            *at += spec.count() - 1;
            return;
        }
        for child in &mut spec.children {
            self.change_at(child, target, at);
        }
    }
}

/// Whether a node takes any number of children, and tells them nothing.
fn is_open(spec: &Spec) -> bool {
    let open = ["parallel", "race", "random_sequence", "random_selector"];
    CHAINS.contains(&&*spec.node) && spec.role.is_none() && !spec.children.is_empty()
        || open.contains(&&*spec.node)
}

/// The node of that number; none in the condition of a guard, which is not for every node.
fn numbered<'a>(spec: &'a mut Spec, target: usize, at: &mut usize) -> Option<&'a mut Spec> {
    if spec.role.is_some() {
        *at += spec.count();
        return None;
    }
    if *at == target {
        return Some(spec);
    }
    *at += 1;
    spec.children.iter_mut().find_map(|child| numbered(child, target, at))
}

/// A tree in one line, to be read by people.
pub fn words(spec: &Spec) -> String {
    let args = spec.args.iter().map(|(name, arg)| match arg {
        Arg::Text(text) | Arg::Key(text) => text.clone(),
        Arg::Number(number) => format!("{name}={number}"),
        other => format!("{name}={other:?}"),
    });
    let args = args.collect::<Vec<_>>().join(",");
    let children = spec.children.iter().map(words).collect::<Vec<_>>().join(" ");
    let node = format!("{}{}", if spec.role.is_some() { "?" } else { "" }, spec.node);
    match (args.is_empty(), children.is_empty()) {
        (true, true) => node,
        (false, true) => format!("{node}({args})"),
        (_, false) => format!("{node}({args})[{children}]"),
    }
}

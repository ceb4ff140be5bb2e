//! The lifecycle law over random trees, scripts, writes, halts, removals and swaps.
//!
//! 20,000 trees by default. `WARBAND_FUZZ_TREES=n` lets it be n, and `WARBAND_FUZZ_FROM=s` takes the seeds from s on
//! in place of those from 0: a tree is its seed, so runs over other seeds are other trees, and a seed that fails can
//! be run by itself. For a long run:
//! `WARBAND_FUZZ_FROM=1000000 WARBAND_FUZZ_TREES=5000000 cargo test --test lifecycle_fuzz the_lifecycle_law`.

mod tree_sim;

use tree_sim::grow::{Grower, words};
use tree_sim::law::{Law, Shape};
use tree_sim::{Book, DEFS, Note, book, declare_keys};
use warband::{AgentDesc, AgentId, BoardOf, Config, ErrorKind, Spec, SquadDesc, SquadId, World, vec3};

/// Trees whose story is told twice, to be compared.
const TREES: u64 = 2000;
const TICKS: usize = 30;

/// One random world: a tree, some agents, and what befalls them.
struct Run {
    grower: Grower,
    world: World,
    squad: SquadId,
    agents: Vec<(AgentId, u32)>,
    next_key: u32,
    spec: Spec,
    shape: Shape,
    law: Law,
    read: usize,
    /// All that happened, to be compared.
    story: Vec<Note>,
    asleep: usize,
}

fn shape(spec: &Spec) -> Shape {
    book(|book| Shape::new(spec, &mut |name| book.number(name)))
}

impl Run {
    fn new(seed: u64) -> Self {
        Self::of(seed, false, true)
    }

    /// With `still`, trees that mostly wait; with `sleep`, they are left alone while they do.
    fn of(seed: u64, still: bool, sleep: bool) -> Self {
        book(|book| *book = Book { seed: Some(seed), instant: still, ..Book::default() });
        let mut grower = Grower::wide(seed);
        grower.still = still;
        let size = 5 + grower.below(36);
        let spec = grower.tree(size);
        let mut world = World::new(Config { seed, sleep, ..Config::default() });
        DEFS.iter().for_each(|def| world.register(def).expect("the name is free"));
        declare_keys(|decl| {
            world.declare(decl).expect("the key is legal");
        });
        world.add_tree("tree", &spec).unwrap_or_else(|error| panic!("{error}\n{}", words(&spec)));
        let desc = SquadDesc { name: "pack".into(), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new name");
        let shape = shape(&spec);
        let law = Law::default();
        let agents = Vec::new();
        let mut run = Self {
            grower,
            world,
            squad,
            agents,
            next_key: 0,
            spec,
            shape,
            law,
            read: 0,
            story: Vec::new(),
            asleep: 0,
        };
        run.spawn();
        run.spawn();
        run
    }

    fn spawn(&mut self) {
        let place = vec3(self.next_key as f32 * 3.0, 0.0, 0.0);
        let desc = AgentDesc { tree: "tree".into(), key: Some(self.next_key), ..AgentDesc::at(place) };
        let agent = self.world.spawn(self.squad, desc).expect("there is room");
        self.agents.push((agent, self.next_key));
        self.next_key += 1;
    }

    /// Hands over to the law what happened since.
    fn watch(&mut self) {
        let Self { law, shape, read, story, .. } = self;
        book(|book| {
            law.watch(shape, &book.names, &book.log[*read..]);
            story.extend_from_slice(&book.log[*read..]);
            *read = book.log.len();
        });
    }

    fn write_a_key(&mut self) {
        let (agent, _) = self.agents[self.grower.below(self.agents.len())];
        let key = self.grower.key();
        let of = match key {
            "x" => BoardOf::World,
            "y" => BoardOf::Squad(self.squad),
            _ => BoardOf::Agent(agent),
        };
        let on = self.grower.below(2) == 1;
        self.world.set_value(of, key, on).expect("the key is declared");
        let number = self.grower.below(12) as f64 - 4.0;
        self.world.set_value(BoardOf::Agent(agent), "n", number).expect("the key is declared");
    }

    fn befall(&mut self) {
        let at = self.grower.below(self.agents.len());
        let (agent, key) = self.agents[at];
        match self.grower.below(40) {
            0 | 1 => {
                self.world.halt(agent);
                self.watch();
                self.law.nothing_runs(key, "a halt");
            }
            2 => {
                self.world.remove(agent);
                self.watch();
                self.law.nothing_runs(key, "its removal");
                self.agents.remove(at);
                self.spawn();
            }
            3 => {
                let before = self.story.len();
                self.world.add_tree("tree", &self.spec.clone()).expect("it was good before");
                self.watch();
                if self.story.len() > before {
                    self.law.faults.push("an identical tree was noticed".into());
                }
            }
            4 | 26..=28 => {
                for _ in 0..=self.grower.below(2) {
                    self.swap();
                }
            }
            5 => {
                self.world.set_tree(agent, "tree").expect("there is such a tree");
                self.watch();
                self.law.nothing_runs(key, "another tree");
            }
            6..=25 => self.write_a_key(),
            _ => {}
        }
    }

    fn swap(&mut self) {
        let changed = self.grower.changed(&self.spec);
        let ran = self.law.running();
        if self.world.add_tree("tree", &changed).is_ok() {
            self.watch();
            let old = std::mem::replace(&mut self.shape, shape(&changed));
            self.spec = changed;
            book(|book| self.law.swapped(&old, &self.shape, &book.names, &ran));
        }
    }

    /// To a tree with a node more, and back before anything is ticked.
    fn there_and_back(&mut self) -> bool {
        let more = self.grower.with_more(&self.spec);
        let before = (self.world.digest(), self.law.running());
        let there = self.world.add_tree("tree", &more).is_ok();
        self.world.add_tree("tree", &self.spec.clone()).expect("it was good before");
        self.watch();
        if before != (self.world.digest(), self.law.running()) {
            self.law.faults.push(format!("not as before, after {}", words(&more)));
        }
        there && more != self.spec
    }

    fn tick(&mut self, dt: f64) {
        self.world.tick(dt);
        self.asleep += self.world.asleep();
        self.watch();
        // In a step of no time nobody is ticked.
        if dt > 0.0 {
            let Self { law, shape, .. } = self;
            book(|book| law.end_of_tick(shape, &book.names));
        }
    }

    /// Runs to the end, and gives what was wrong.
    fn run(mut self) -> Self {
        for tick in 0..TICKS {
            self.befall();
            let dt =
                if self.grower.below(16) == 0 { 0.0 } else { [0.02, 0.05, 0.1, 0.1][self.grower.below(4)] };
            self.tick(dt);
            let budget =
                self.world.problems().iter().find(|problem| problem.error.kind() == ErrorKind::Budget);
            self.law.faults.extend(budget.map(|problem| format!("tick {tick}: {problem}")));
            if !self.law.faults.is_empty() {
                self.law.faults.insert(0, format!("in tick {tick} of {}", words(&self.spec)));
                return self;
            }
        }
        for (agent, key) in std::mem::take(&mut self.agents) {
            self.world.remove(agent);
            self.watch();
            self.law.nothing_runs(key, "the end");
        }
        self
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

#[test]
fn the_lifecycle_law_holds_over_random_trees() {
    let (mut faults, mut enters, mut aborts, mut tried) = (Vec::new(), 0, 0, 0);
    let (from, trees) = (number("WARBAND_FUZZ_FROM", 0), number("WARBAND_FUZZ_TREES", 20_000));
    for seed in from..from.saturating_add(trees) {
        let run = Run::new(seed).run();
        (enters, aborts, tried) = (enters + run.law.enters, aborts + run.law.aborts, tried + run.law.tried);
        if !run.law.faults.is_empty() {
            faults.push(format!("seed {seed}: {}", run.law.faults.join("\n    ")));
        }
    }
    let shortest = faults.iter().map(String::len).min();
    faults.sort_by_key(String::len);
    faults.truncate(3);
    assert_eq!(shortest, None, "\n{}\n", faults.join("\n"));
    eprintln!(
        "{trees} trees from seed {from}: {enters} enters, {aborts} aborts, {tried} tried, no violation"
    );
    // Enough happened for it to mean something.
    let trees = trees as usize;
    let enough = enters >= 25 * trees && aborts >= 5 * trees && 4 * tried >= trees;
    assert!(trees < 1000 || enough, "{enters} enters, {aborts} aborts, {tried} tried");
}

/// The same words in Lua are the same tree, and so the same story.
#[cfg(feature = "lua")]
#[test]
fn random_trees_are_the_same_from_lua() {
    let mut reader = tree_sim::lua::Reader::new();
    for seed in 0..500 {
        let mut run = Run::new(seed);
        let read = reader.through(&run.spec).unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
        run.world.add_tree("tree", &read).expect("it was good before");
        run.spec = read;
        let (from_lua, from_rust) = (run.run(), Run::new(seed).run());
        assert_eq!(from_lua.law.faults, Vec::<String>::new(), "seed {seed}");
        assert!(from_lua.story == from_rust.story, "seed {seed}: {}", words(&from_rust.spec));
        assert_eq!(from_lua.world.digest(), from_rust.world.digest(), "seed {seed}");
    }
}

/// A swap that takes nothing away, and one back to what there was, leave everything as it was.
#[test]
fn there_and_back_changes_nothing() {
    let mut swaps = 0;
    for seed in 0..TREES {
        let mut run = Run::new(seed);
        for _ in 0..TICKS {
            run.tick(0.1);
            swaps += usize::from(run.there_and_back());
            assert!(run.law.faults.is_empty(), "seed {seed}: {:?}\n{}", run.law.faults, words(&run.spec));
        }
    }
    assert!(swaps > 10_000, "only {swaps} swaps");
}

#[test]
fn two_identical_runs_give_identical_stories() {
    for seed in (0..TREES).step_by(8) {
        let [one, other] = [(); 2].map(|()| Run::new(seed).run());
        assert!(one.story == other.story && one.world.digest() == other.world.digest(), "seed {seed}");
    }
}

#[test]
fn a_tree_that_is_left_alone_while_it_waits_tells_the_same_story() {
    let (mut asleep, mut wrong) = (0, Vec::new());
    for seed in 0..TREES {
        let [sleeps, wakes] = [true, false].map(|sleep| Run::of(seed, true, sleep).run());
        asleep += sleeps.asleep;
        if sleeps.story != wakes.story || sleeps.world.digest() != wakes.world.digest() {
            wrong.push(format!("seed {seed}: {}", words(&wakes.spec)));
        }
    }
    wrong.sort_by_key(String::len);
    let count = wrong.len();
    wrong.truncate(4);
    assert!(wrong.is_empty(), "{count} of {TREES}\n{}\n", wrong.join("\n"));
    assert!(asleep > 5000, "only {asleep} ticks were slept through");
}

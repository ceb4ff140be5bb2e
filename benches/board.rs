//! What a key costs from outside of trees: read, written, written with what it is already, and watched.
//!
//! Rows are `board/<work>_10k/<system>`; a time is for ten thousand agents' numbers. Beside it a hash map by name for each
//! agent, as many write their boards, and behavior-tree-lite's board. Before its rows are timed, each system has to
//! come to the same sums.
//!
//! `cargo bench --no-default-features --bench board`

mod packs;

use behavior_tree_lite::{Context, Symbol};
use packs::{DT, criterion};
use rustc_hash::FxHashMap;
use warband::blackboard::{Key, KeyDecl, Scope, Value, ValueType};
use warband::{AgentDesc, AgentId, BoardOf, Config, SquadDesc, World, vec3};

const AGENTS: usize = 10_000;
const KEYS: [&str; 8] = ["rage", "fear", "pride", "hunger", "luck", "thirst", "hope", "doubt"];
const KEY: &str = KEYS[4];

/// The boards of many agents, with a number under each key.
trait Boards {
    fn set(&mut self, agent: usize, value: f64);
    fn get(&self, agent: usize) -> f64;
}

struct Ours {
    world: World,
    agents: Vec<AgentId>,
    key: Key<f64>,
}

impl Ours {
    fn new() -> Self {
        let mut world = World::new(Config::default());
        for key in KEYS {
            world.declare(KeyDecl::new(key, Scope::Agent, ValueType::Number)).expect("a new key");
        }
        let squad = world.add_squad(SquadDesc::default()).expect("a new squad");
        let place = |at: usize| vec3((at % 100) as f32 * 2.0, 0.0, (at / 100) as f32 * 2.0);
        let spawn = |at| world.spawn(squad, AgentDesc::at(place(at))).expect("a new agent");
        let agents = (0..AGENTS).map(spawn).collect();
        let key = world.key(KEY).expect("it was declared");
        Self { world, agents, key }
    }
}

impl Boards for Ours {
    fn set(&mut self, agent: usize, value: f64) {
        self.world.set(BoardOf::Agent(self.agents[agent]), self.key, value).expect("they live");
    }
    fn get(&self, agent: usize) -> f64 {
        let got = self.world.get(BoardOf::Agent(self.agents[agent]), self.key);
        got.expect("they live").expect("it was set")
    }
}

/// A map of values by name for each agent.
struct Maps(Vec<FxHashMap<String, Value>>);

impl Boards for Maps {
    fn set(&mut self, agent: usize, value: f64) {
        match self.0[agent].get_mut(KEY) {
            Some(kept) => *kept = Value::Number(value),
            None => drop(self.0[agent].insert(KEY.to_owned(), Value::Number(value))),
        }
    }
    fn get(&self, agent: usize) -> f64 {
        self.0[agent][KEY].as_number().expect("a number")
    }
}

/// behavior-tree-lite: boxed values by symbol.
struct Lite {
    contexts: Vec<Context>,
    symbol: Symbol,
}

impl Boards for Lite {
    fn set(&mut self, agent: usize, value: f64) {
        self.contexts[agent].set(self.symbol, value);
    }
    fn get(&self, agent: usize) -> f64 {
        *self.contexts[agent].get(self.symbol).expect("it was set")
    }
}

fn systems() -> Vec<(&'static str, Box<dyn Boards>)> {
    let map = || KEYS.iter().map(|key| ((*key).to_owned(), Value::Number(0.0))).collect();
    let context = || {
        let mut context = Context::default();
        KEYS.iter().for_each(|key| context.set(Symbol::from(*key), 0.0_f64));
        context
    };
    let lite = Lite { contexts: (0..AGENTS).map(|_| context()).collect(), symbol: KEY.into() };
    vec![
        ("warband", Box::new(Ours::new()) as Box<dyn Boards>),
        ("fx_hash_map", Box::new(Maps((0..AGENTS).map(|_| map()).collect()))),
        ("behavior_tree_lite", Box::new(lite)),
    ]
}

fn write(boards: &mut dyn Boards, plus: f64) {
    (0..AGENTS).for_each(|agent| boards.set(agent, agent as f64 + plus));
}

fn sum(boards: &dyn Boards) -> f64 {
    (0..AGENTS).map(|agent| boards.get(agent)).sum()
}

/// What is written is what is read.
fn check(system: &str, boards: &mut dyn Boards) -> f64 {
    let numbers = (0..AGENTS).map(|agent| agent as f64).sum::<f64>();
    write(boards, 1.0);
    assert_eq!(sum(boards), numbers + AGENTS as f64, "{system} keeps something else");
    write(boards, 0.0);
    assert_eq!(sum(boards), numbers, "{system} keeps what it had");
    numbers
}

fn main() {
    let mut criterion = criterion();
    for (system, mut boards) in systems() {
        let numbers = check(system, boards.as_mut());
        let mut row = |work: &str, run: &mut dyn FnMut(&mut dyn Boards)| {
            let name = format!("board/{work}_10k/{system}");
            criterion.bench_function(&name, |bencher| bencher.iter(|| run(boards.as_mut())));
        };
        row("get", &mut |boards| assert_eq!(sum(boards), numbers));
        row("set_equal", &mut |boards| write(boards, 0.0));
        let mut round = 0.0;
        row("set", &mut |boards| {
            round += 1.0;
            write(boards, round);
        });
    }
    observed(&mut criterion);
    criterion.final_summary();
}

/// A tick of ten thousand agents without trees, none of which is watched, or all; a tenth of the keys change.
fn observed(criterion: &mut criterion::Criterion) {
    for (name, watched) in [("warband_unwatched", 0), ("warband", AGENTS)] {
        let mut ours = Ours::new();
        write(&mut ours, 0.0);
        for agent in &ours.agents[..watched] {
            ours.world.observe(BoardOf::Agent(*agent), KEY).expect("they live");
        }
        ours.world.tick(DT);
        let mut round = 0.0;
        criterion.bench_function(&format!("board/observe_10k/{name}"), |bencher| {
            bencher.iter(|| {
                round += 1.0;
                (0..AGENTS).step_by(10).for_each(|agent| ours.set(agent, agent as f64 + round));
                ours.world.tick(DT);
                assert_eq!(ours.world.changed().len(), watched / 10);
            });
        });
    }
}

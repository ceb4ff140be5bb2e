//! What Lua costs, ns: a read of a key or a percept, a call of a leaf, a resume of a coroutine, with the guard armed
//! and the whole way through the tree; beside them the same in mlua alone, in a VM without guard or sandbox.
//!
//! Rows are `lua/<work>/<system>`. Reads are loops within one call, and a row is for one read with its turn of the loop;
//! calls and resumes are one tick of a tree each. Every system counts what it did; a count that is not right ends the
//! run.
//!
//! `cargo bench --bench lua`

use criterion::Criterion;
use mlua::{Function, Lua, Thread};
use std::sync::Arc;
use std::time::{Duration, Instant};
use warband::blackboard::{Board, KeyDecl, Schema, Scope, Value, ValueType};
use warband::entity::Entity;
use warband::nav::OpenGround;
use warband::rng::Dice;
use warband::script::{Script, ScriptLimits};
use warband::sense::{How, Knowledge, KnowledgeRules, Report};
use warband::space::{Bodies, Body};
use warband::squad::{Ring, RingRules};
use warband::steer::Limits;
use warband::tree::{
    AgentFacts, Desk, Host, Messages, Mind, Minds, Route, Runner, Scene, SquadScene, Symbols, Tree, Why,
    build,
};
use warband::{Vec3, vec3};

/// One agent that believes in a target 5 m away, and a script.
struct Stand {
    script: Script,
    scene: Arc<Scene>,
    minds: Minds,
    desk: Desk,
    tree: Arc<Tree>,
}

fn entity(slot: u64) -> Entity {
    Entity::unpack((1 << 24) | slot)
}

fn bodies() -> Bodies {
    let mut bodies = Bodies::default();
    for at in 0..2 {
        let position = vec3(at as f32 * 5.0, 0.0, 0.0);
        let (id, key) = (entity(at as u64 + 1), at as u32);
        let body =
            Body { id, key, tag: key, position, facing: Vec3::X, radius: 0.5, eyes: 1.6, faction: at as u16 };
        bodies.insert(at, body);
    }
    bodies
}

fn squad() -> SquadScene {
    let mut knowledge = Knowledge::default();
    let (target, position, by) = (entity(2), vec3(5.0, 0.0, 0.0), entity(1));
    knowledge.perceive(&Report {
        target,
        position,
        velocity: Vec3::ZERO,
        by,
        how: How::Sight,
        at: 1,
        hops: 0,
    });
    knowledge.settle(1, KnowledgeRules::default(), |_| false, |_, _| {});
    knowledge.choose(Vec3::ZERO, 1, warband::sense::ChoiceRules::default());
    SquadScene {
        id: warband::SquadId::default(),
        name: "wolves".into(),
        team: None,
        members: 0..1,
        board: Board::default(),
        knowledge,
        belief: warband::sense::Belief::default(),
        formation: warband::squad::Formation::default(),
        ring: Ring::new(RingRules::default()),
        route: Route::default(),
        messages: Messages::default(),
    }
}

fn scene(schema: Schema, symbols: Symbols) -> Scene {
    let limits = Limits::of(0.5, 5.0);
    let facts = AgentFacts {
        squad: 0,
        home: Vec3::ZERO,
        limits,
        flies: false,
        think_interval: 0,
        avoid: true,
        collide: true,
        priority: 0.0,
    };
    Scene {
        clock: 2_000_000_000,
        tick: 0,
        dt: 0.25,
        bodies: bodies(),
        agents: vec![facts],
        perceives: vec![true, false],
        squads: vec![squad()],
        teams: Vec::new(),
        board: Board::default(),
        ground: Arc::new(OpenGround::default()),
        sight: Arc::new(warband::space::Walls::default()),
        offers: warband::squad::Offers::default(),
        symbols,
        fields: Vec::new(),
        schema,
    }
}

impl Stand {
    fn new(text: &str) -> Self {
        let limits =
            ScriptLimits { instructions: 100_000_000, per_tick: u64::MAX, ..ScriptLimits::default() };
        let registry = warband::node::registry();
        let mut script = Script::new(&registry, 7, limits).expect("a VM");
        script.set_source("leaf.lua", Some(text.to_owned()));
        let loaded = script.load("leaf.lua").unwrap_or_else(|error| panic!("{error}"));
        let (mut schema, mut symbols) = (Schema::default(), Symbols::default());
        for name in ["luck", "sum"] {
            schema.declare(KeyDecl::new(name, Scope::Agent, ValueType::Number).default(1.0)).expect("legal");
        }
        let tree = build("leaf", &loaded.trees[0].1, &registry, &schema, &mut symbols).expect("right");
        let mut mind = Box::new(Mind::new(Dice::new(7, &[1])));
        mind.board.grow(schema.keys(Scope::Agent));
        let scene = Arc::new(scene(schema, symbols));
        let minds = std::iter::once(mind).collect();
        Self { script, scene, minds, desk: Desk::default(), tree }
    }

    fn within<R>(&mut self, work: impl FnOnce(&mut Runner<'_>) -> R) -> R {
        let Self { script, scene, minds, desk, tree } = self;
        work(&mut Runner::new(tree, scene, 0, &mut minds[0], desk, Some(script)))
    }

    /// So many ticks, and what the leaf counted.
    fn run(&mut self, ticks: u64) -> f64 {
        self.script.begin(&self.scene);
        for _ in 0..ticks {
            self.within(|runner| runner.tick());
        }
        self.within(|runner| runner.halt(Why::Halted));
        self.script.end();
        assert!(self.desk.problems.is_empty(), "{:?}", self.desk.problems);
        let key = self.scene.schema.id("sum").expect("a key");
        match self.minds[0].board.value(key) {
            Value::Number(sum) => *sum,
            other => panic!("no sum: {other:?}"),
        }
    }
}

/// A leaf that reads so often in one tick, and adds up what it read.
fn reading(read: &str, times: u64) -> String {
    format!(
        "return bt.action {{ tick = function(self)
            local sum = 0
            for i = 1, {times} do sum = sum + {read} end
            self.board.sum = sum
            return 'running'
        end }}"
    )
}

/// The time that this thread has had a processor, where the system tells (to some milliseconds): on a machine that others
/// use too, the clock on the wall says more about them.
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn timed(work: impl FnOnce()) -> Duration {
    let (start, before) = (Instant::now(), on_processor());
    work();
    let wall = start.elapsed();
    match (before, on_processor()) {
        (Some(before), Some(after)) if wall > Duration::from_millis(20) => after.saturating_sub(before),
        _ => wall,
    }
}

/// A read within a script: `each` is what one adds to the sum.
fn reads(criterion: &mut Criterion) {
    for (row, read, each) in [
        ("board_read", "self.board.luck", 1.0),
        ("target_read", "self.target.distance", 5.0),
        ("position_read", "self.position.x", 0.0),
        ("empty_loop", "1", 1.0),
    ] {
        let mut group = criterion.benchmark_group(format!("lua/{row}"));
        group.bench_function("warband", |bencher| {
            bencher.iter_custom(|times| {
                let mut stand = Stand::new(&reading(read, times));
                let mut sum = 0.0;
                let time = timed(|| sum = stand.run(1));
                assert_eq!(sum, each * times as f64, "{row}");
                time
            });
        });
        group.bench_function("bare_mlua", |bencher| bencher.iter_custom(|times| bare_reads(times, row)));
        group.finish();
    }
}

/// The same loop over a plain function of Rust's that takes two numbers.
fn bare_reads(times: u64, row: &str) -> Duration {
    let lua = Lua::new();
    let read =
        lua.create_function(|_, (id, key): (u64, u32)| Ok((id + u64::from(key)) as f64)).expect("a function");
    let text = if row == "empty_loop" { "1" } else { "read(1, 0)" };
    let text = format!(
        "local read = ... return function(n) local sum = 0 for i = 1, n do sum = sum + {text} end return sum end"
    );
    let call: Function = lua.load(text).call(read).expect("a chunk");
    let mut sum = 0.0;
    let time = timed(|| sum = call.call(times).expect("no fault"));
    assert_eq!(sum, times as f64);
    time
}

const TWO_READS: &str = "local n = 0
    return bt.action {
        tick = function(self)
            if self.board.luck > 0 and self.target.distance > 1 then n = n + 1 end
            return 'running'
        end,
        exit = function(self) self.board.sum = n n = 0 end }";

const NO_READ: &str = "local n = 0
    return bt.action {
        tick = function(self) n = n + 1 return 'running' end,
        exit = function(self) self.board.sum = n n = 0 end }";

const STORY: &str = "local n = 0
    return bt.coroutine {
        run = function(self) while true do n = n + 1 wait() end end,
        exit = function(self) self.board.sum = n n = 0 end }";

const ASLEEP: &str = "local n = 0
    return bt.coroutine {
        run = function(self) n = n + 1 wait(1e6) end,
        exit = function(self) self.board.sum = n n = 0 end }";

/// Ticks of a tree that is one leaf.
fn calls(criterion: &mut Criterion) {
    for (row, text) in [
        ("leaf_call", NO_READ),
        ("leaf_two_reads", TWO_READS),
        ("coroutine_resume", STORY),
        ("coroutine_waiting", ASLEEP),
    ] {
        let mut group = criterion.benchmark_group(format!("lua/{row}"));
        group.bench_function("warband", |bencher| {
            let mut stand = Stand::new(text);
            bencher.iter_custom(|ticks| {
                let mut sum = 0.0;
                let time = timed(|| sum = stand.run(ticks));
                assert_eq!(sum, if row == "coroutine_waiting" { 1.0 } else { ticks as f64 }, "{row}");
                time
            });
        });
        match row {
            "coroutine_resume" => drop(group.bench_function("bare_mlua", |b| b.iter_custom(bare_resumes))),
            "coroutine_waiting" => {}
            row => drop(group.bench_function("bare_mlua", |b| b.iter_custom(|ticks| bare_calls(ticks, row)))),
        }
        group.finish();
    }
}

fn bare_resumes(ticks: u64) -> Duration {
    let lua = Lua::new();
    let text =
        "return coroutine.create(function() local n = 0 while true do n = n + 1 coroutine.yield(n) end end)";
    let thread: Thread = lua.load(text).eval().expect("a thread");
    let mut last = 0.0;
    let time = timed(|| {
        for _ in 0..ticks {
            last = thread.resume(()).expect("no fault");
        }
    });
    assert_eq!(last, ticks as f64);
    time
}

fn bare_calls(ticks: u64, row: &str) -> Duration {
    let lua = Lua::new();
    let read =
        lua.create_function(|_, (id, key): (u64, u32)| Ok((id + u64::from(key)) as f64)).expect("a function");
    let test = if row == "leaf_call" { "true" } else { "read(id, 0) > 0 and read(id, 1) > 1" };
    let text =
        format!("local read = ... local n = 0 return function(id) if {test} then n = n + 1 end return n end");
    let call: Function = lua.load(text).call(read).expect("a chunk");
    let mut last = 0.0;
    let time = timed(|| {
        for _ in 0..ticks {
            last = call.call(1_u64).expect("no fault");
        }
    });
    assert_eq!(last, ticks as f64);
    time
}

fn main() {
    let mut criterion = Criterion::default()
        .configure_from_args()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(1))
        .sample_size(10);
    reads(&mut criterion);
    calls(&mut criterion);
    criterion.final_summary();
}

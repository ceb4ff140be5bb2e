//! The garbage of scripts: it stays bounded, and no tick collects more than its budget, by counts of the collector's steps.
#![cfg(feature = "lua")]

use warband::{AgentDesc, Config, SquadDesc, Vec3, World};

const DT: f64 = 1.0 / 60.0;
const BUDGET: usize = 128 << 10;
/// Whether a cycle may end in fewer steps than the budget has: those of Lua 5.4 and LuaJIT go further than they say.
const LARGE_STEPS: bool = cfg!(not(feature = "luau"));

/// A leaf that leaves so many short texts behind in each tick, and a hundred times as many in one tick out of fifty.
fn littering(texts: u32) -> String {
    format!(
        r#"
local kept = {{}}
for at = 1, 5000 do kept[at] = {{ at }} end
return bt.tree("leaf", bt.action {{ tick = function(self)
    local burst = self.board.count % 50 == 0
    self.board.count = self.board.count + 1
    for at = 1, {texts} * (burst and 100 or 1) do local text = "a text of some length, number " .. at end
    return kept[1] and "running"
end }})
"#
    )
}

struct Run {
    world: World,
    /// The most that a tick collected, and the most that was held after one, bytes.
    collected: usize,
    held: usize,
}

impl Run {
    fn new(config: Config, text: &str) -> Self {
        let mut world = World::new(config);
        world.reload("leaf.lua", &with_key(text)).unwrap_or_else(|error| panic!("{error}"));
        let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
        world.spawn(squad, AgentDesc { tree: "leaf".into(), ..AgentDesc::at(Vec3::ZERO) }).expect("new");
        Self { world, collected: 0, held: 0 }
    }

    fn ticks(&mut self, count: usize) {
        (self.collected, self.held) = (0, 0);
        for _ in 0..count {
            self.world.tick(DT);
            self.collected = self.collected.max(self.world.script_collected());
            self.held = self.held.max(self.world.script_memory());
        }
        assert!(self.world.all_problems().is_empty(), "{:?}", self.world.all_problems());
    }
}

fn with_key(text: &str) -> String {
    format!("blackboard {{ agent = {{ count = {{ 'integer', default = 0 }} }} }}\n{text}")
}

#[test]
fn garbage_stays_bounded_and_no_tick_collects_more_than_its_budget() {
    let config = Config { script_collection: BUDGET, ..Config::default() };
    let mut run = Run::new(config, &littering(100));
    run.ticks(500);
    let early = run.held;
    run.ticks(10_000);
    println!("{early} bytes early, {} late; {} collected in a tick at most", run.held, run.collected);
    assert!(run.collected <= BUDGET, "{}", run.collected);
    assert!(run.collected == BUDGET || LARGE_STEPS, "a burst takes all of it");
    assert!(run.held <= early + early / 20, "{early} bytes became {}", run.held);
    // Every tick left 8 KiB behind, and every fiftieth 800 KiB.
    assert!(run.held < 8 << 20, "{}", run.held);
}

#[test]
fn what_a_reload_leaves_is_collected_over_the_ticks_that_follow() {
    let config = Config { script_collection: BUDGET, ..Config::default() };
    let mut run = Run::new(config, &littering(1));
    let (mut early, mut late) = (0, 0);
    for version in 0..90 {
        run.ticks(60);
        // Pages of the first versions still find their places.
        let most = if version < 45 { &mut early } else { &mut late };
        *most = run.held.max(*most);
        // Another text, so that it takes over; the version before goes when the new one has passed its trial.
        run.world.reload("leaf.lua", &with_key(&format!("{} -- {version}", littering(1)))).expect("right");
        let after = run.world.script_memory();
        run.ticks(60);
        assert!(run.collected <= BUDGET, "{}", run.collected);
        assert!(run.collected == BUDGET || LARGE_STEPS, "it is worked off at full pace");
        assert!(run.world.script_memory() < after, "the version before is gone");
    }
    println!("{early} bytes in the first half, {late} in the second");
    assert!(late <= early + early / 20, "{early} bytes became {late}");
}

#[test]
fn the_budget_is_never_felt_in_a_result() {
    let digest = |budget: usize| {
        let mut run = Run::new(Config { script_collection: budget, ..Config::default() }, &littering(50));
        run.ticks(200);
        run.world.digest()
    };
    let digests = [0, BUDGET, usize::MAX].map(digest);
    assert!(digests.iter().all(|one| *one == digests[0]), "{digests:?}");
}

#[test]
fn a_world_that_leaves_nothing_behind_collects_nothing() {
    let text = "return bt.tree('leaf', bt.action { tick = function() return 'running' end })";
    let mut run = Run::new(Config::default(), text);
    run.ticks(200);
    run.ticks(200);
    if cfg!(feature = "luau") {
        assert_eq!(run.collected, 0, "what the load left is gone, and there is no more");
    }
}

#[test]
fn loads_without_a_tick_between_them_hold_no_more_than_half_of_the_memory() {
    let mut world = World::new(Config { script_memory: 16 << 20, ..Config::default() });
    let text = |version: u32| {
        format!(
            "local kept = {{}} for at = 1, 5000 do kept[at] = {{ at }} end return bt.tree('leaf', bt.wait {{ seconds = {version} }})"
        )
    };
    let mut most = 0;
    for version in 1..=200 {
        world.reload("leaf.lua", &text(version)).expect("right");
        most = most.max(world.script_memory());
    }
    assert!(most <= 9 << 20, "{most} bytes");
}

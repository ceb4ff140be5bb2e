//! A coroutine that waits or steers allocates nothing, neither in Rust nor in its VM: it is resumed, not made.
// To the other flavours a vector is a table, and each entry arms a hook: they allocate in every tick.
#![cfg(feature = "luau")]

mod counting;

use counting::allocations;
use warband::{AgentDesc, BoardOf, Config, SquadDesc, World, vec3};

const TALES: &str = r#"
blackboard { agent = { n = { "integer", default = 0 } } }
local function tale(run) return bt.coroutine { run = run } end
return {
    sleeps = tale(function(self) wait(1e6) end),
    ticks = tale(function(self) while true do self.board.n = self.board.n + 1 wait() end end),
    pauses = tale(function(self) while true do self.board.n = self.board.n + 1 wait(0.05) end end),
    asks = tale(function(self) wait_until(function() self.board.n = self.board.n + 1 return self.target end) end),
    walks = tale(function(self) self:seek(vec3(1e6, 0, 0)) end),
    holds = tale(function(self) self:separation() self:face(vec3(0, 0, 0)) self:wander() wait(1e6) end),
}
"#;

const NAMES: [&str; 6] = ["sleeps", "ticks", "pauses", "asks", "walks", "holds"];

#[test]
fn a_steady_tick_of_stories_allocates_nothing() {
    for sleep in [true, false] {
        let mut world = World::new(Config { sleep, ..Config::default() });
        world.reload("tales.lua", TALES).expect("the script is right");
        let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
        for at in 0..60 {
            let tree = NAMES[at % NAMES.len()].to_owned();
            let place = vec3(at as f32 * 3.0, 0.0, 0.0);
            world.spawn(squad, AgentDesc { tree, ..AgentDesc::at(place) }).expect("there is room");
        }
        let agents = world.members(squad).collect::<Vec<_>>();
        (0..600).for_each(|_| world.tick(1.0 / 60.0));
        let memory = world.script_memory();
        let made = (0..600).map(|_| allocations(|| world.tick(1.0 / 60.0))).sum::<usize>();
        assert_eq!((made, world.script_memory()), (0, memory), "allocations of 600 ticks");
        let count = |at: usize| world.value(BoardOf::Agent(agents[at]), "n").expect("a key").as_number();
        assert_eq!([1, 3].map(|at| count(at).expect("a number")), [1200.0; 2]);
        assert!((299.0..=401.0).contains(&count(2).expect("a number")), "{:?}", count(2));
        let x = world.position(agents[4]).expect("it lives").x;
        assert!(x > 17.0, "it walks from 12 m: {x}");
        assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    }
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(7)))), 1);
}

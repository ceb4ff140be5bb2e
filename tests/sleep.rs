//! Trees that wait are left alone, and nobody can tell by the results.

mod common;

use common::{encircle, square_walk};
use warband::rng::Dice;
use warband::{
    ActorDesc, AgentDesc, BoardOf, Config, KeyDecl, Scope, Spec, SquadDesc, Value, ValueType, Vec3, World,
    vec3,
};

fn trees() -> Vec<(&'static str, Spec)> {
    let has = |key: &str| Spec::new("has_value").set("key", key);
    let wait = |seconds: f64| Spec::new("wait").set("seconds", seconds);
    let carry = |seconds: f64| wait(seconds).set("carry", true);
    let count = || Spec::new("increment").set("key", "count");
    vec![
        ("hunt", encircle()),
        ("clock", Spec::new("sequence").with(wait(0.5)).with(count())),
        (
            "guarded",
            Spec::new("selector")
                .with(
                    Spec::new("guard")
                        .when(has("alarm"))
                        .with(Spec::new("sequence").with(count()).with(wait(0.3))),
                )
                .with(Spec::new("time_limit").set("seconds", 0.7).with(wait(5.0)))
                .with(wait(0.2)),
        ),
        (
            "reactive",
            Spec::new("reactive_selector")
                .with(
                    Spec::new("reactive_sequence")
                        .with(has("alarm"))
                        .with(Spec::new("invert").with(has("own")))
                        .with(wait(1.0)),
                )
                .with(
                    Spec::new("reactive_sequence")
                        .with(Spec::new("compare").set("key", "level").set("is", ">").set("to", 3.0))
                        .with(wait(0.4)),
                )
                .with(Spec::new("mode").set("name", "idle").with(wait(2.0))),
        ),
        (
            "beside",
            Spec::new("parallel")
                .set("success", 2.0)
                .with(wait(0.3))
                .with(Spec::new("guard").when(Spec::new("sees_target")).with(wait(0.6)))
                .with(Spec::new("sequence").with(wait(0.45)).with(count())),
        ),
        (
            "bands",
            Spec::new("bands")
                .set("by", warband::args::Arg::Key("level".into()))
                .set("margin", 1.0)
                .with(Spec::new("mode").set("name", "low").with(wait(9.0)).edge("below", 3.0))
                .with(Spec::new("mode").set("name", "high").with(wait(1.5))),
        ),
        (
            "memory",
            Spec::new("selector")
                .with(
                    Spec::new("guard")
                        .when(Spec::new("remembers_target").set("within", 2.0))
                        .with(wait(60.0)),
                )
                .with(wait(0.7)),
        ),
        (
            "carried",
            Spec::new("sequence").with(carry(0.37)).with(count()).with(carry(0.05)).with(carry(0.21)),
        ),
    ]
}

/// Stories that wait, each in its way.
#[cfg(feature = "lua")]
const TALES: &str = r#"
local function tale(run)
    return bt.sequence {
        bt.coroutine { run = run, exit = function(self, reason) self:say(reason) end },
        bt.increment { key = "count" },
    }
end
return {
    pauses = tale(function(self) for i = 1, 3 do wait(0.25) self:say(i) end wait(1) return "failure" end),
    walks = tale(function(self)
        self:separation()
        self:seek(self.home + vec3(3, 0, 0))
        wait(0.5)
        self:arrive("home")
        self:wander()
        wait(0.7)
        wait(0.4)
    end),
    looks = tale(function(self)
        self:say(wait_until(function() return self.perceives_target end, 1.5))
        wait(math.random())
        self:face()
        wait_until(function() return self.board.alarm end, 2)
    end),
    ticks = tale(function(self)
        for i = 1, 4 do wait() end
        coroutine.yield()
        local pause = coroutine.wrap(function() wait(0.3) coroutine.yield(1) wait(0.6) end)
        pause()
        self.memory.n = (self.memory.n or 0) + 1
        pause()
    end),
}
"#;

/// The names of the trees of the stories, which are given to the world.
#[cfg(feature = "lua")]
fn tales(world: &mut World) -> Vec<&'static str> {
    world.reload("tales.lua", TALES).expect("the script is right");
    vec!["pauses", "walks", "looks", "ticks"]
}
#[cfg(not(feature = "lua"))]
fn tales(_: &mut World) -> Vec<&'static str> {
    Vec::new()
}

struct Twin {
    world: World,
    player: warband::ActorId,
    agents: Vec<warband::AgentId>,
}

fn twin(sleep: bool) -> Twin {
    let mut world = World::new(Config { seed: 4, sleep, ..Config::default() });
    for decl in [
        KeyDecl::new("alarm", Scope::Squad, ValueType::Bool),
        KeyDecl::new("own", Scope::Agent, ValueType::Bool).ttl(0.4),
        KeyDecl::new("count", Scope::Agent, ValueType::Integer).default(0_i64),
        KeyDecl::new("level", Scope::World, ValueType::Number).default(0.0),
    ] {
        world.declare(decl).expect("a legal key");
    }
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    let mut names = tales(&mut world);
    for (name, tree) in trees() {
        world.add_tree(name, &tree).expect("the tree is right");
        names.push(name);
    }
    let agents = names.into_iter().enumerate().map(|(at, name)| {
        let place = vec3(-20.0, 0.0, at as f32 * 3.0 - 9.0);
        world.spawn(squad, AgentDesc { tree: name.into(), ..AgentDesc::at(place) }).expect("new")
    });
    let agents = agents.collect();
    let player = world.add_actor(ActorDesc::at(Vec3::ZERO));
    Twin { world, player, agents }
}

/// One tick with what the dice say: the player in or out of view, keys written, a tree halted or given anew.
fn step(twin: &mut Twin, tick: u32, dt: f64) {
    let mut dice = Dice::new(77, &[u64::from(tick)]);
    let (place, velocity) = square_walk(f64::from(tick) * dt);
    let hidden = (tick / 97) % 3 == 1;
    twin.world.set_actor(twin.player, if hidden { vec3(900.0, 0.0, 0.0) } else { place }, velocity);
    let squad = twin.world.squads().next().expect("a squad");
    if dice.below(40) == 0 {
        twin.world.set_value(BoardOf::Squad(squad), "alarm", dice.below(2) == 1).expect("right");
    }
    if dice.below(50) == 0 {
        twin.world.set_value(BoardOf::World, "level", dice.range(0.0, 6.0)).expect("right");
    }
    let agent = twin.agents[dice.below(twin.agents.len() as u64) as usize];
    match dice.below(60) {
        0 => twin.world.set_value(BoardOf::Agent(agent), "own", true).expect("right"),
        1 => twin.world.set_value(BoardOf::Agent(agent), "own", Value::Nothing).expect("right"),
        2 => twin.world.halt(agent),
        3 => twin.world.set_tree(agent, "clock").expect("a tree"),
        4 => twin.world.add_tree("guarded", &trees()[2].1).expect("right"),
        _ => {}
    }
    twin.world.tick(dt);
}

#[test]
fn a_world_is_the_same_whether_waiting_trees_are_ticked_or_not() {
    for dt in [0.1, 1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0] {
        let (mut one, mut other) = (twin(true), twin(false));
        let mut slept = 0;
        for tick in 1..(30.0 / dt) as u32 {
            step(&mut one, tick, dt);
            step(&mut other, tick, dt);
            assert_eq!(one.world.digest(), other.world.digest(), "dt {dt:.4}, tick {tick}");
            assert_eq!(one.world.events(), other.world.events(), "dt {dt:.4}, tick {tick}");
            assert_eq!(one.world.said(), other.world.said(), "dt {dt:.4}, tick {tick}");
            slept += one.world.asleep();
            assert_eq!(other.world.asleep(), 0);
        }
        assert_eq!(one.world.all_problems(), other.world.all_problems());
        assert!(
            one.world
                .all_problems()
                .iter()
                .all(|problem| problem.error.kind() == warband::ErrorKind::Warning)
        );
        assert!(slept as f64 > 30.0 / dt, "many ticks of trees are saved: {slept}");
    }
}

#[test]
fn a_tree_that_waits_is_not_visited() {
    let mut world = World::new(Config::default());
    world.declare(KeyDecl::new("alarm", Scope::World, ValueType::Bool)).expect("legal");
    let has = Spec::new("has_value").set("key", "alarm");
    let tree = Spec::new("selector")
        .with(Spec::new("guard").when(has).with(Spec::new("wait").set("seconds", 0.5)))
        .with(Spec::new("wait").set("seconds", 100.0));
    world.add_tree("waits", &tree).expect("right");
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    for i in 0..100 {
        let place = vec3(i as f32 * 5.0, 0.0, 0.0);
        world.spawn(squad, AgentDesc { tree: "waits".into(), ..AgentDesc::at(place) }).expect("new");
    }
    let visits: Vec<u64> = (0..10)
        .map(|_| {
            world.tick(0.1);
            world.visits()
        })
        .collect();
    // The selector, the guard's condition and the wait are entered, asked once more to learn what is waited for, and
    // then left alone.
    assert!(visits[0] > 0 && visits[1] > 0, "{visits:?}");
    assert!(visits[2..].iter().all(|visits| *visits == 0), "{visits:?}");
    world.set_value(BoardOf::World, "alarm", true).expect("right");
    world.tick(0.1);
    assert!(world.visits() > 0, "a key that is read wakes");
    world.declare(KeyDecl::new("other", Scope::Squad, ValueType::Bool)).expect("legal");
    world.tick(0.1);
    world.set_value(BoardOf::Squad(squad), "other", true).expect("right");
    world.tick(0.1);
    assert_eq!(world.visits(), 0, "a key of another scope does not");
}

#[test]
fn one_that_stands_still_looks_where_the_game_turns_it() {
    let mut world = World::new(Config::default());
    world.add_tree("rest", &Spec::new("wait").set("seconds", 1e6)).expect("a tree");
    let squad = world.add_squad(SquadDesc::default()).expect("a squad");
    let agent =
        world.spawn(squad, AgentDesc { tree: "rest".into(), ..AgentDesc::at(Vec3::ZERO) }).expect("one");
    (0..30).for_each(|_| world.tick(1.0 / 60.0));
    world.set_facing(agent, Vec3::Z);
    (0..3).for_each(|_| world.tick(1.0 / 60.0));
    assert_eq!(world.output(agent).expect("it is there").facing, Vec3::Z);
}

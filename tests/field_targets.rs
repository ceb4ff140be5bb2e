//! Field reports about targets and orders: T9 in Lua, and B11. T1 stands in `tests/field`.

use warband::tree::{Cx, Kind, Leaf, NodeDef, Part, Rule, Status};
use warband::{AgentDesc, AgentId, Config, ErrorKind, Spec, SquadDesc, World, vec3};

const DT: f64 = 1.0 / 60.0;

/// A world with so many agents of keys 0.. that run `tree`, 5 m apart.
fn agents(world: &mut World, count: u32) -> Vec<AgentId> {
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    let spawn = |at: u32| {
        let place = vec3(0.0, 0.0, at as f32 * 5.0);
        world.spawn(squad, AgentDesc { tree: "tree".into(), ..AgentDesc::at(place) }).expect("there is room")
    };
    (0..count).map(spawn).collect()
}

/// **B11 Leaf that orders a move and returns success does nothing.** Pass: the agent covers > 4 m in 1 s.
///
/// A body speeds up to its 5 m/s in 0.25 s at 20 m/s² and then keeps it: 5 × (1 − 0.125) = 4.375 m, less what the
/// smooth end of speeding up costs (0.05 s at 5 m/s, 0.25 m at most).
fn covers_four_metres(world: &mut World) {
    let agents = agents(world, 3);
    let starts = agents.iter().map(|agent| world.position(*agent).expect("there")).collect::<Vec<_>>();
    (0..60).for_each(|_| world.tick(DT));
    for (agent, start) in agents.iter().zip(starts) {
        let way = world.position(*agent).expect("there").distance(start);
        assert!(way > 4.0 && way <= 5.0, "{way} m");
    }
    // Such a tree is warned of when it is built: all in it ends at once, for ever.
    let faults = world.all_problems().iter().filter(|problem| problem.error.kind() != ErrorKind::Warning);
    assert_eq!(faults.count(), 0, "{:?}", world.all_problems());
}

/// A beginner's leaf: it orders a move and says that it is done.
static ORDERS: NodeDef = NodeDef {
    ..NodeDef::new("orders", Kind::Action, "orders a move and succeeds at once", |_| {
        Part::leaf(Orders(Rule::named("seek")?.to(vec3(100.0, 0.0, 0.0))))
    })
};

struct Orders(Rule);

impl Leaf for Orders {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.follow(self.0);
        Status::Success
    }
}

#[test]
fn b11_an_order_outlives_the_leaf_that_gave_it() {
    let mut world = World::new(Config::default());
    world.register(&ORDERS).expect("the name is free");
    world.add_tree("tree", &Spec::new("repeat_times").with(Spec::new("orders"))).expect("it is right");
    covers_four_metres(&mut world);
}

#[cfg(feature = "lua")]
#[test]
fn b11_also_from_lua() {
    let mut world = World::new(Config::default());
    let script = "return bt.tree(\"tree\", bt.repeat_times { bt.action { tick = function(self)
        self:seek(vec3(100, 0, 0))
        return \"success\"
    end } })";
    world.reload("tree.lua", script).expect("the script is right");
    covers_four_metres(&mut world);
}

/// **T9 An agent removed during the tick makes another skip its turn.** Ten agents; agent 4's Lua leaf despawns
/// itself, agent 2 and agent 7 at tick 50. Nothing is removed within a tick: a leaf asks by a command, and the game
/// removes when the tick is over. Pass: in tick 50 each is ticked once, in tick 51 each of the other seven, and
/// nobody else ever.
#[cfg(feature = "lua")]
#[test]
fn t9_nobody_skips_a_turn_when_others_are_removed() {
    let mut world = World::new(Config::default());
    let script = "local ticks = 0
        return bt.tree(\"tree\", bt.repeat_times { bt.action { tick = function(self)
            self:say(\"tick\")
            if self.key == 4 then
                ticks = ticks + 1
                if ticks == 50 then
                    for _, key in ipairs({ 4, 2, 7 }) do self:command(\"remove \" .. key) end
                end
            end
            return \"success\"
        end } })";
    world.reload("tree.lua", script).expect("the script is right");
    let all = agents(&mut world, 10);
    let mut alive = all.clone();
    for tick in 1..=100 {
        world.tick(DT);
        let ticked = world.said().iter().map(|(agent, _)| *agent).collect::<Vec<_>>();
        assert_eq!(ticked, alive, "tick {tick}: each once, in the order of keys");
        let asked = world.commands().iter().map(|command| command.name.to_string()).collect::<Vec<_>>();
        assert_eq!(asked.len(), if tick == 50 { 3 } else { 0 });
        for command in asked {
            let key = command.strip_prefix("remove ").and_then(|key| key.parse::<usize>().ok());
            let agent = all[key.expect("a key")];
            world.remove(agent);
            alive.retain(|other| *other != agent);
        }
    }
    assert_eq!(alive.len(), 7);
    assert!(all.iter().filter(|agent| !alive.contains(agent)).all(|agent| !world.exists(*agent)));
}

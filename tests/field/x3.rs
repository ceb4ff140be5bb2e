//! Garbage collector hiccups.
//!
//! 1,000 agents steady in the wide ring for ten minutes of simulation. Asked for: the Lua heap at the end ≤ 1.2 × that at
//! minute 1, and p99.9 of the tick ≤ 3 × the median. Each of the agents runs a leaf of Lua besides, which makes vectors and texts in
//! every tick: the ring alone makes no garbage.
//!
//! Here twenty times as short, so that the whole suite does not wait for it: the heap after 3 s and after 30. The collector
//! goes round the heap many times in either. The ten minutes, and the times, are in `cargo bench --bench growth`.

use super::{Measure, at_least, at_most};
use warband::math::direction;
use warband::{ActorDesc, AgentDesc, Config, SquadDesc, World, vec3};

const SCRIPT: &str = r#"
blackboard { agent = { note = "number" } }

local garbage = bt.action {
  tick = function(self)
    local way = vec3(1, 0, 0) * self.time + self.position
    local text = "at " .. way.x
    self.board.note = #text
    return "running"
  end,
}

return bt.tree("ring", bt.parallel { bt.formation { radius = 12, close_in = false, hold = true }, garbage })
"#;

/// 125 packs of eight, each round a player of its own, 100 m apart.
pub fn rings() -> World {
    let mut world = World::new(Config::default());
    world.reload("ring.lua", SCRIPT).expect("right");
    for number in 0..125_u32 {
        let centre = vec3((number % 12) as f32 * 100.0, 0.0, (number / 12) as f32 * 100.0);
        world.add_actor(ActorDesc::at(centre));
        let desc = SquadDesc { name: format!("pack {number}"), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("new");
        for at in 0..8 {
            let off = direction(at as f32 * 0.785) * 14.0;
            let desc = AgentDesc { tree: "ring".into(), facing: -off, ..AgentDesc::at(centre + off) };
            world.spawn(squad, desc).expect("new");
        }
    }
    world
}

pub fn measure() -> Vec<Measure> {
    let mut world = rings();
    let mut seconds = |count: usize| {
        (0..60 * count).for_each(|_| world.tick(1.0 / 60.0));
        world.script_memory() as f64
    };
    let (early, late) = (seconds(3), seconds(27));
    let calls = world.script_work().calls;
    let faults = world.all_problems().len();
    vec![
        at_most("heap after 30 s beside that after 3 s", late / early, 1.2),
        at_least("calls of Lua in a tick", calls as f64, 1000.0),
        at_most("problems", faults as f64, 0.0),
    ]
}

//! A node of the game's own: `regroup` walks to the middle of the squad until all its members are near. One
//! [`NodeDef`] says everything about it: its constructor in Lua, the checks of its parameters and its errors come
//! from there. The script `examples/lua/regroup.lua` uses it like any other.
//!
//! ```text
//! wrong.lua:1: unknown parameter 'witin' (did you mean 'within'?) (at regroup)
//! 1 s  (-4.6, 0.0) (0.0, 0.0) (4.6, 0.0)  sequence/1.regroup
//! 2 s  (-1.3, 1.8) (0.3, 0.9) (1.5, -0.2)  sequence/2.mode/1.arrive
//! 3 s  (-0.9, 6.8) (0.2, 5.9) (1.1, 4.7)  sequence/2.mode/1.arrive
//! 4 s  (-0.6, 11.8) (0.1, 10.9) (0.8, 9.7)  sequence/2.mode/1.arrive
//! 5 s  (-0.4, 16.7) (0.1, 15.8) (0.4, 14.7)  sequence/2.mode/1.arrive
//! 6 s  (-0.8, 21.1) (0.3, 20.6) (0.0, 19.6)  sequence/2.mode/1.arrive
//! ```
use warband::node::prelude::*;
use warband::{AgentDesc, Config, Result, SquadDesc, World, vec3};

static REGROUP: NodeDef = NodeDef {
    params: &[Param::number("within", "how near to the middle all must be")
        .unit("m")
        .range(0.5, 100.0)
        .default(3.0)],
    running: "a member is further off than that",
    success: "all are within",
    abort: "the rule is not followed any more",
    ..NodeDef::new("regroup", Kind::Action, "gathers the squad", |make| {
        Part::leaf(Regroup { within: make.number("within"), walk: Rule::named("arrive")? })
    })
};

struct Regroup {
    within: f32,
    walk: Rule,
}

impl Leaf for Regroup {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        let middle = cx.view().squad_centre();
        if cx.view().mate_positions().iter().all(|mate| mate.distance(middle) <= self.within) {
            return Status::Success;
        }
        cx.follow(self.walk.to(middle)); // asks steering, moves nothing
        Status::Running
    }
}

fn main() -> Result<()> {
    let mut world = World::new(Config::default());
    world.register(&REGROUP)?;
    world.load("examples/lua/regroup.lua")?;
    if let Err(error) = world.reload("wrong.lua", "return bt.tree('wrong', bt.regroup { witin = 3 })") {
        println!("{error}");
    }

    let pack = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() })?;
    for x in [-9.0, 0.0, 9.0] {
        world.spawn(pack, AgentDesc { tree: "careful".into(), ..AgentDesc::at(vec3(x, 0.0, 0.0)) })?;
    }
    for second in 1..=6 {
        for _ in 0..60 {
            world.tick(1.0 / 60.0);
        }
        let places: Vec<_> =
            world.outputs().map(|out| format!("({:.1}, {:.1})", out.position.x, out.position.z)).collect();
        let first = world.outputs().next().and_then(|out| world.running(out.agent)).unwrap_or("nothing");
        println!("{second} s  {}  {first}", places.join(" "));
    }
    Ok(())
}

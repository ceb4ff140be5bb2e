//! A node of the game's own: `regroup` walks to the middle of the squad until all its members are near. One
//! [`NodeDef`] says everything about it: its constructor in Lua, the checks of its parameters and its errors come
//! from there. The script `examples/lua/regroup.lua` uses it like any other.
//!
//! ```text
//! wrong.lua:1: unknown parameter 'witin' (did you mean 'within'?) (at regroup)
//! 1 s  (-4.6, 0.0) (0.0, 0.0) (4.6, 0.0)  sequence/1.regroup
//! 2 s  (-1.0, 1.5) (0.0, 1.7) (1.0, 1.5)  sequence/2.mode/1.arrive
//! 3 s  (-0.9, 6.3) (0.0, 6.8) (0.9, 6.3)  sequence/2.mode/1.arrive
//! 4 s  (-0.6, 11.1) (0.0, 11.9) (0.6, 11.1)  sequence/2.mode/1.arrive
//! 5 s  (-0.5, 16.0) (0.0, 16.9) (0.5, 16.0)  sequence/2.mode/1.arrive
//! 6 s  (-0.5, 19.2) (0.0, 20.1) (0.5, 19.2)  sequence/2.mode/1.arrive
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

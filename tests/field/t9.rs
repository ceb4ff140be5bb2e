//! An agent removed during the tick makes another skip its turn.
//!
//! Nothing is removed within a tick: a leaf asks by a command, and the game removes when the tick is over.

use super::{Measure, exactly};
use warband::tree::{Cx, Kind, Leaf, NodeDef, Part, Status};
use warband::{AgentDesc, Config, Entity, Spec, SquadDesc, World, vec3};

/// Says that it was ticked; the agent of key 4 asks in tick 50 for itself, 2 and 7 to be removed.
static ASKS: NodeDef =
    NodeDef { ..NodeDef::new("asks", Kind::Action, "asks for removals", |_| Part::leaf(Asks)) };

struct Asks;

impl Leaf for Asks {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.say("tick".to_owned());
        if cx.view().key() == 4 && cx.view().now() == 50_000_000_000 {
            for key in [4, 2, 7] {
                cx.command(format!("{key}").into(), Entity::default());
            }
        }
        Status::Running
    }
}

pub fn measure() -> Vec<Measure> {
    let mut world = World::new(Config::default());
    world.register(&ASKS).expect("the name is free");
    world.add_tree("tree", &Spec::new("asks")).expect("it is right");
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    let spawn = |world: &mut World, at: u32| {
        let place = vec3(0.0, 0.0, at as f32 * 5.0);
        world.spawn(squad, AgentDesc { tree: "tree".into(), ..AgentDesc::at(place) }).expect("there is room")
    };
    let all: Vec<_> = (0..10).map(|at| spawn(&mut world, at)).collect();
    let mut alive = all.clone();
    let (mut wrong, mut in_50, mut in_51) = (0, 0, 0);
    for tick in 1..=100 {
        world.tick(1.0);
        let ticked = world.said().iter().map(|(agent, _)| *agent).collect::<Vec<_>>();
        wrong += u32::from(ticked != alive);
        in_50 += if tick == 50 { ticked.len() } else { 0 };
        in_51 += if tick == 51 { ticked.len() } else { 0 };
        let asked: Vec<usize> = world.commands().iter().filter_map(|command| command.name.parse().ok()).collect();
        for key in asked {
            world.remove(all[key]);
            alive.retain(|other| *other != all[key]);
        }
    }
    vec![
        exactly("ticks in which not each of the living was ticked once, in order", f64::from(wrong), 0.0),
        exactly("agents ticked in tick 50", in_50 as f64, 10.0),
        exactly("agents ticked in tick 51", in_51 as f64, 7.0),
    ]
}

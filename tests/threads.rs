//! How many threads work on a tick is never visible in a result. With the feature `parallel`; without it there is one.

mod common;

use common::chase;
#[cfg(feature = "lua")]
use std::{env, fs, process};
use warband::{ActorDesc, AgentDesc, AgentId, Config, Spec, SquadDesc, Wall, Walls, World, vec3};

const DT: f64 = 1.0 / 60.0;
/// Enough for several chunks of each stage, even where most of them wait.
const PACKS: usize = 400;

/// Packs on a square with walls and prey in it: some hunt, some patrol, some wait, some do what a script says.
fn world(threads: usize) -> (World, Vec<AgentId>) {
    let mut world = World::new(Config { threads, seed: 3, ..Config::default() });
    world.add_tree("hunt", &chase(8.0, 12.0)).expect("right");
    world.add_tree("wait", &Spec::new("wait").set("seconds", 1e6)).expect("right");
    let trees = if cfg!(feature = "lua") {
        ["hunt", "scripted", "hunt", "wait"]
    } else {
        ["hunt", "hunt", "hunt", "wait"]
    };
    #[cfg(feature = "lua")]
    load_script(&mut world);
    let wall =
        |at: usize| Wall::segment(vec3(at as f32 * 40.0, 0.0, 20.0), vec3(at as f32 * 40.0 + 9.0, 0.0, 24.0));
    world.set_walls(Walls::new((0..6).filter_map(|at| wall(at).ok()).collect()));
    let mut agents = Vec::new();
    for pack in 0..PACKS {
        let middle = vec3((pack % 20) as f32, 0.0, (pack / 20) as f32) * 12.0;
        let route = vec![middle - vec3(5.0, 0.0, 0.0), middle + vec3(5.0, 0.0, 3.0)];
        let desc = SquadDesc { name: format!("pack {pack}"), route, ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        for at in 0..8 {
            let place = middle + vec3((at % 4) as f32 * 0.9, 0.0, (at / 4) as f32 * 0.9);
            let desc = AgentDesc { tree: trees[pack % 4].into(), ..AgentDesc::at(place) };
            agents.push(world.spawn(squad, desc).expect("a new agent"));
        }
    }
    for prey in 0..8 {
        world.add_actor(ActorDesc::at(vec3(prey as f32 * 30.0, 0.0, 100.0)));
    }
    (world, agents)
}

#[cfg(feature = "lua")]
const SCRIPT: &str = r#"
blackboard { world = { howls = { "integer", default = 0 } } }
local howl = bt.action {
  tick = function(self)
    self.board.howls = self.board.howls + 1
    self:set_mode("howl")
    return self:arrive(self.home + vec3(3, 0, 3))
  end,
}
return bt.tree("scripted", bt.sequence { howl, bt.wait { seconds = 0.3 }, bt.patrol {} })
"#;

#[cfg(feature = "lua")]
fn load_script(world: &mut World) {
    let file = env::temp_dir().join(format!("warband-threads-{}.lua", process::id()));
    fs::write(&file, SCRIPT).expect("the folder can be written to");
    world.load(&file).expect("right");
    fs::remove_file(&file).expect("it is there");
}

/// Digests of a run in which agents are hurt, moved and sent away, and all that was told.
fn run(threads: usize) -> (Vec<u64>, Vec<String>) {
    let (mut world, agents) = world(threads);
    let (mut digests, mut told) = (Vec::new(), Vec::new());
    for tick in 0..100_usize {
        if tick % 7 == 0 {
            world.set_agent(agents[tick * 11], vec3(tick as f32, 0.0, 60.0), vec3(0.0, 0.0, 0.0));
        }
        if tick % 50 == 49 {
            world.remove(agents[tick * 13]);
        }
        world.tick(DT);
        told.extend(world.events().iter().map(|event| format!("{event:?}")));
        if tick % 10 == 9 {
            digests.push(world.digest());
        }
    }
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    (digests, told)
}

#[test]
fn threads_are_not_felt() {
    let (alone, told) = run(1);
    assert!(told.len() > 300, "enough happens: {}", told.len());
    for threads in [2, 5, 0] {
        let (digests, its) = run(threads);
        assert_eq!(digests, alone, "{threads} threads");
        assert_eq!(its, told, "{threads} threads");
    }
}

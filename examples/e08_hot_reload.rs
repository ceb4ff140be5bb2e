//! A script that changes while the game runs. The program writes a script of its own into a temporary folder,
//! watches it, and saves it twice: first with a mistake, then right. A version with a mistake is refused with a
//! problem and the old one goes on; a good one takes over at the start of a tick, and boards keep their values.
//!
//! ```text
//! beats 2, mode slow
//! refused: drummer.lua:5: unknown parameter 'secnds' (did you mean 'seconds'?) (at sequence/2.mode/1.wait)
//! the old one goes on: mode slow
//! taken over: mode fast
//! the beats were counted on: true
//! ```
use std::path::PathBuf;
use std::time::Duration;
use warband::{AgentDesc, BoardOf, Config, EventKind, SquadDesc, WatchMode, World};

const GOOD: &str = r#"
blackboard { squad = { beats = { "integer", default = 0 } } }
return bt.tree("drummer", bt.sequence {
  bt.increment { key = "beats" },
  bt.mode { name = "slow", bt.wait { seconds = 0.5 } },
})
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Folder::new()?;
    folder.save(GOOD)?;
    let mut world = World::new(Config::default());
    world.load(folder.0.join("drummer.lua"))?;
    world.watch(WatchMode::Poll(Duration::from_millis(20)))?;
    let band = world.add_squad(SquadDesc { name: "band".into(), ..SquadDesc::default() })?;
    world.spawn(band, AgentDesc { tree: "drummer".into(), ..AgentDesc::default() })?;
    for _ in 0..100 {
        world.tick(0.01);
    }
    println!("beats {}, mode {}", world.value(BoardOf::Squad(band), "beats")?, mode(&world));

    folder.save(&GOOD.replace("seconds", "secnds"))?;
    until(&mut world, |world| !world.problems().is_empty());
    world.problems().iter().for_each(|problem| println!("refused: {problem}"));
    println!("the old one goes on: mode {}", mode(&world));

    folder.save(&GOOD.replace("slow", "fast").replace("0.5", "0.1"))?;
    until(&mut world, |world| {
        world.events().iter().any(|event| matches!(event.kind, EventKind::Reload { .. }))
    });
    world.tick(1.0);
    println!("taken over: mode {}", mode(&world));
    let kept = world.value(BoardOf::Squad(band), "beats")?.as_number() > Some(2.0);
    println!("the beats were counted on: {kept}");
    Ok(())
}

fn mode(world: &World) -> String {
    world.outputs().map(|out| out.mode.to_owned()).collect()
}

/// Ticks like a game until something has come up, for ten seconds at most.
fn until(world: &mut World, came_up: impl Fn(&World) -> bool) {
    for _ in 0..1000 {
        world.tick(0.01);
        if came_up(world) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A folder that goes when the program ends.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Self> {
        let path = std::env::temp_dir().join(format!("warband-e08-{}", std::process::id()));
        std::fs::create_dir_all(&path).map(|()| Self(path))
    }
    fn save(&self, text: &str) -> std::io::Result<()> {
        std::fs::write(self.0.join("drummer.lua"), text)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

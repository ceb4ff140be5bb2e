//! Two squads of one team. The lookouts see an enemy and write where to a key of the team, so the archers, who see
//! nothing, go there; `ttl` lets old news die out. A key of the squad stays private: the same name holds a value of
//! its own for each squad.
//!
//! ```text
//! 1 s  the team knows: (30, 0, 5); the archer is at x = 55.8
//! 2 s  the team knows: (30, 0, 5); the archer is at x = 50.8
//! 3 s  the team knows: (30, 0, 5); the archer is at x = 45.9
//! 4 s  the team knows: (30, 0, 5); the archer is at x = 41.0
//! 5 s  the team knows: (30, 0, 5); the archer is at x = 36.0
//! 6 s  the team knows: nothing; the archer is at x = 32.1
//! 7 s  the team knows: nothing; the archer is at x = 32.1
//! reports of the lookouts: 5
//! reports of the archers: 0
//! key 'reports' belongs to the squad, not to the team
//! ```
use warband::{ActorDesc, AgentDesc, BoardOf, Config, Result, SquadDesc, SquadId, Vec3, World, vec3};

fn squad(world: &mut World, name: &str, tree: &str, at: Vec3) -> Result<SquadId> {
    let desc = SquadDesc { name: name.into(), team: Some("town".into()), ..SquadDesc::default() };
    let squad = world.add_squad(desc)?;
    world.spawn(squad, AgentDesc { tree: tree.into(), facing: Vec3::X, ..AgentDesc::at(at) })?;
    Ok(squad)
}

fn main() -> Result<()> {
    let mut world = World::new(Config::default());
    world.load("examples/lua/town.lua")?;
    let lookouts = squad(&mut world, "lookouts", "lookout", vec3(0.0, 0.0, 0.0))?;
    let archers = squad(&mut world, "archers", "archer", vec3(60.0, 0.0, 0.0))?;
    let enemy = world.add_actor(ActorDesc::at(vec3(30.0, 0.0, 5.0)));

    for second in 1..=7 {
        world.set_present(enemy, second <= 4); // then it is gone
        for _ in 0..60 {
            world.tick(1.0 / 60.0);
        }
        let news = world.value(BoardOf::Team("town"), "enemy_at")?;
        let archer = world.outputs().find(|out| out.squad == archers);
        let x = archer.map_or(0.0, |out| out.position.x);
        println!("{second} s  the team knows: {news}; the archer is at x = {x:.1}");
    }
    for (name, squad) in [("lookouts", lookouts), ("archers", archers)] {
        println!("reports of the {name}: {}", world.value(BoardOf::Squad(squad), "reports")?);
    }
    if let Err(error) = world.value(BoardOf::Team("town"), "reports") {
        println!("{error}");
    }
    world.all_problems().iter().for_each(|problem| println!("{problem}"));
    Ok(())
}

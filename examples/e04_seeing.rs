//! Sight and memory: a watchman looks over a yard while a thief walks behind a wall. The squad gains the thief when
//! one member sees it, loses it a moment after the last one does not, and forgets it five seconds later. In between
//! it knows the place where it saw the thief last, and nothing of where it really is.
//!
//! ```text
//!  0.02 s  gained, by sight
//!  1.00 s  believed at z = -7.0, really at -7.0
//!  2.00 s  believed at z = -5.0, really at -5.0
//!  3.00 s  believed at z = -3.0, really at -3.0
//!  3.57 s  lost: out of sight since 3.27 s
//!  4.00 s  believed at z = -2.5, really at -1.0
//!  5.00 s  believed at z = -2.5, really at 1.0
//!  6.00 s  believed at z = -2.5, really at 3.0
//!  7.00 s  believed at z = -2.5, really at 5.0
//!  8.00 s  believed at z = -2.5, really at 7.0
//!  8.27 s  forgotten
//! ```
use warband::{
    ActorDesc, AgentDesc, Config, Entity, EventKind, Result, Spec, SquadDesc, SquadId, Wall, Walls, World,
    vec3,
};

fn main() -> Result<()> {
    let mut world = World::new(Config::default());
    world.set_walls(Walls::new(vec![Wall::segment(vec3(8.0, 0.0, -2.0), vec3(8.0, 0.0, 20.0))?]));
    let watch = Spec::new("guard").when(Spec::new("sees_target")).with(Spec::new("face"));
    world.add_tree(
        "watchman",
        &Spec::new("reactive_selector").with(watch).with(Spec::new("wait").set("seconds", 60.0)),
    )?;
    let squad = world.add_squad(SquadDesc { name: "watch".into(), ..SquadDesc::default() })?;
    world.spawn(squad, AgentDesc { tree: "watchman".into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) })?;
    let thief = world.add_actor(ActorDesc::at(vec3(12.0, 0.0, -9.0)));

    // The thief walks behind the wall at 2 m/s and on to its far end.
    for tick in 1..=540_u16 {
        let seconds = f32::from(tick) / 60.0;
        world.set_actor(thief, vec3(12.0, 0.0, 2.0 * seconds - 9.0), vec3(0.0, 0.0, 2.0));
        world.tick(1.0 / 60.0);
        tell(&world, squad, thief.into(), tick % 60 == 0);
    }
    Ok(())
}

fn tell(world: &World, squad: SquadId, thief: Entity, each_second: bool) {
    for event in world.events() {
        let seconds = event.seconds();
        match event.kind {
            EventKind::Gained { how, .. } => println!("{seconds:5.2} s  gained, by {}", how.name()),
            EventKind::Lost { since, .. } => {
                println!("{seconds:5.2} s  lost: out of sight since {:.2} s", since as f64 * 1e-9);
            }
            EventKind::Forgotten { .. } => println!("{seconds:5.2} s  forgotten"),
            _ => {}
        }
    }
    let known = world.knowledge(squad).and_then(|knowledge| knowledge.target());
    let really = world.position(thief);
    if let (true, Some(track), Some(really)) = (each_second, known, really) {
        let z = track.position.z;
        println!("{:5.2} s  believed at z = {z:.1}, really at {:.1}", world.now(), really.z);
    }
}

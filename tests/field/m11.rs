//! Enemies freeze while the player stands still.

use super::common::{Hunt, keyed, squad_at};
use super::{Measure, at_least};
use warband::{ActorDesc, AgentId, Spec, Vec3, vec3};

const DT: f64 = 1.0 / 60.0;

/// What happens while the agent is disabled.
#[derive(Clone, Copy)]
enum Meanwhile {
    Nothing,
    TheTargetIsAnother,
    TheTreeIsReloaded,
    TheWorldIsSavedAndLoaded,
}

pub fn measure() -> Vec<Measure> {
    let cases = [
        ("nothing else", Meanwhile::Nothing),
        ("the target switched", Meanwhile::TheTargetIsAnother),
        ("a reload", Meanwhile::TheTreeIsReloaded),
        ("a save and a load", Meanwhile::TheWorldIsSavedAndLoaded),
    ];
    let told = |what: &str| format!("speed to the still target 0.25 s after a stun with {what}, m/s");
    cases.into_iter().map(|(what, meanwhile)| at_least(told(what), resumed(meanwhile), 4.0)).collect()
}

fn chase() -> Spec {
    Spec::new("direct_chase")
}

/// The speed towards the goal a quarter of a second after an agent is enabled again, m/s.
fn resumed(meanwhile: Meanwhile) -> f32 {
    let mut hunt = squad_at(&chase(), 1, &keyed([Vec3::ZERO]), vec3(12.0, 0.0, 0.0));
    let agent: AgentId = hunt.world.members(hunt.pack).next().expect("it lives");
    let mut goal = vec3(12.0, 0.0, 0.0);
    run(&mut hunt, goal, 0.75);
    // As squad_at calls it.
    let tree = "tree";
    hunt.world.halt(agent);
    run(&mut hunt, goal, 0.5);
    match meanwhile {
        Meanwhile::Nothing => {}
        Meanwhile::TheTargetIsAnother => {
            hunt.world.set_present(hunt.player, false);
            goal = vec3(13.0, 0.0, 6.0);
            hunt.player = hunt.world.add_actor(ActorDesc::at(goal));
        }
        Meanwhile::TheTreeIsReloaded => hunt.world.add_tree(tree, &chase()).expect("a tree"),
        Meanwhile::TheWorldIsSavedAndLoaded => {
            let saved = hunt.world.snapshot();
            hunt.world.restore(&saved).expect("it fits");
        }
    }
    run(&mut hunt, goal, 0.5);
    hunt.world.set_tree(agent, tree).expect("the tree is there");
    run(&mut hunt, goal, 0.25);
    let out = hunt.world.outputs().next().expect("it lives");
    out.velocity.dot((goal - out.position).normalize())
}

fn run(hunt: &mut Hunt, player: Vec3, seconds: f64) {
    for _ in 0..(seconds / DT).round() as u32 {
        hunt.tick(player, Vec3::ZERO, DT);
    }
}

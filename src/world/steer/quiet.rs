//! Who need not be steered: bodies that stand, want nothing and are asked for nothing stay as they are.
//!
//! What steering makes of an agent follows from its intent, its stance, where it is, how it moves, and whether somebody asks it to make
//! way. Where two steps in a row found all of that the same, and nothing wanted, a third finds the same again: it is left out, and
//! what was found before stands. As with the sleep of trees nobody can see it in a result ([`crate::Config::sleep`]).

use super::Helm;
use crate::math::{Vec3, room};
use crate::tree::{Intent, Look};
use crate::world::World;

/// So many steps with nothing to do are enough: the first lets the stance settle, the second finds it settled.
const ENOUGH: u8 = 2;

/// Who stands still, and who is to be steered.
#[derive(Default)]
pub(in crate::world) struct Quiet {
    /// For how many steps each agent has wanted nothing, up to [`ENOUGH`], and where it stood then.
    steps: Vec<u8>,
    at: Vec<Vec3>,
    /// Whom the step is about, by body index.
    pub active: Vec<u32>,
    /// Who has wanted something since the last step.
    wants: Vec<bool>,
    /// Squads that may have a ring or a formation.
    pub forming: Vec<bool>,
}

impl Quiet {
    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        room(&self.steps) + room(&self.at) + room(&self.active) + room(&self.wants) + room(&self.forming)
    }

    /// Forgets who stands still: agents came, went or were changed.
    pub fn forget(&mut self) {
        self.steps.clear();
        self.forming.clear();
    }

    /// An agent was changed.
    pub fn wake(&mut self, index: usize) {
        if let Some(steps) = self.steps.get_mut(index) {
            *steps = 0;
        }
    }

    /// Who wants something: to be noted of those who think, by body index.
    pub fn wants(&mut self, agents: usize) -> &mut [bool] {
        self.wants.clear();
        self.wants.resize(agents, false);
        &mut self.wants
    }

    /// The step is about those too who stand still and are asked to make way.
    pub fn rouse(&mut self, is_asked: impl Fn(usize) -> bool, sleeps: bool) {
        let known = self.active.len();
        let still = |index: &usize| sleeps && self.steps[*index] >= ENOUGH && is_asked(*index);
        self.active.extend((0..self.steps.len()).filter(still).map(|index| index as u32));
        if self.active.len() > known {
            self.active.sort_unstable();
        }
    }
}

/// Whether nothing is wanted.
pub(in crate::world) fn is_idle(intent: &Intent) -> bool {
    intent.rules().is_empty() && intent.look == Look::Ahead
}

impl World {
    /// Finds out whom the step is about, and which squads may have something to form.
    pub(super) fn find_active(&mut self) {
        let Helm { quiet, facing, .. } = &mut self.helm;
        let (bodies, agents) = (&self.scene.bodies, self.scene.agents.len());
        if quiet.steps.len() != agents {
            quiet.forget();
        }
        quiet.steps.resize(agents, 0);
        quiet.at.resize(agents, Vec3::ZERO);
        quiet.wants.resize(agents, false);
        quiet.active.clear();
        for index in 0..agents {
            let stood = quiet.at[index] == bodies.position[index] && bodies.velocity[index] == Vec3::ZERO;
            // The game may have turned it.
            let looks = facing.get(index) == Some(&bodies.facing[index]);
            quiet.steps[index] *= u8::from(stood && looks && !quiet.wants[index]);
            if quiet.steps[index] < ENOUGH || !self.config.sleep {
                quiet.active.push(index as u32);
            }
        }
        quiet.wants.fill(false);
        if quiet.forming.len() != self.scene.squads.len() {
            quiet.forming.clear();
            quiet.forming.resize(self.scene.squads.len(), true);
        }
        for squad in &self.agenda.open {
            quiet.forming[*squad as usize] = true;
        }
    }

    /// Notes who had nothing to do in this step.
    pub(super) fn note_quiet(&mut self) {
        let Helm { quiet, velocity, facing, .. } = &mut self.helm;
        let bodies = &self.scene.bodies;
        for index in quiet.active.iter().map(|index| *index as usize) {
            let turns = bodies.facing[index] != facing[index];
            let moves = bodies.velocity[index] != Vec3::ZERO || velocity[index] != Vec3::ZERO || turns;
            let mind = &self.minds[index];
            let idle =
                !moves && !self.crowd.is_asked(index) && is_idle(&mind.intent) && mind.stance.is_settled();
            quiet.at[index] = bodies.position[index];
            quiet.steps[index] = if idle { (quiet.steps[index] + 1).min(ENOUGH) } else { 0 };
        }
    }

    /// Leaves out squads in which nobody asks for a place, and which have none.
    pub(super) fn note_forming(&mut self) {
        let (scene, minds) = (&self.scene, &self.minds);
        for (at, forming) in self.helm.quiet.forming.iter_mut().enumerate().filter(|(_, forming)| **forming) {
            let squad = &scene.squads[at];
            *forming = !squad.ring.places().is_empty()
                || !squad.formation.places().is_empty()
                || minds[squad.members.clone()].iter().any(|mind| mind.intent.ring.is_some());
        }
    }
}

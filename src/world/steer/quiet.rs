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
    /// For how many steps each agent has wanted nothing, up to [`ENOUGH`].
    steps: Vec<u8>,
    /// Who does not stand still, and who joins the next step, by body index.
    pub active: Vec<u32>,
    /// Those of them whom it is about: the others coast.
    pub steered: Vec<u32>,
    woken: Vec<u32>,
    /// Who wanted something when it thought: to be noted by those who think.
    pub wants: Vec<bool>,
    /// Squads that may have a ring or a formation.
    pub forming: Vec<bool>,
}

impl Quiet {
    /// The bytes that it holds outside of itself.
    pub fn bytes(&self) -> usize {
        let lists = room(&self.active) + room(&self.steered) + room(&self.woken);
        lists + room(&self.steps) + room(&self.wants) + room(&self.forming)
    }

    /// Forgets who stands still: agents came, went or were changed.
    pub fn forget(&mut self) {
        self.steps.clear();
        self.active.clear();
        self.woken.clear();
        self.forming.clear();
    }

    /// An agent was changed, moved or turned, or wants something: it is to be steered.
    pub fn wake(&mut self, index: usize) {
        if let Some(steps) = self.steps.get_mut(index) {
            if *steps >= ENOUGH {
                self.woken.push(index as u32);
            }
            *steps = 0;
        }
    }

    /// Wakes those of `thinkers` who want something.
    pub fn wake_who_wants(&mut self, thinkers: &[u32]) {
        for index in thinkers.iter().map(|index| *index as usize) {
            if std::mem::take(&mut self.wants[index]) {
                self.wake(index);
            }
        }
    }

    /// Finds out who does not stand still among so many.
    fn choose(&mut self, agents: usize, sleeps: bool) {
        if self.steps.len() != agents || !sleeps {
            self.steps.clear();
            self.steps.resize(agents, 0);
            self.active.clear();
            self.active.extend(0..agents as u32);
            self.woken.clear();
            self.woken.reserve(agents);
            self.steered.reserve(agents);
            return;
        }
        let Self { steps, active, woken, .. } = self;
        active.retain(|index| steps[*index as usize] < ENOUGH);
        join_sorted(active, woken);
        woken.clear();
    }

    /// The step is about those too who stand still and are asked to make way.
    pub fn rouse(&mut self, asked: impl Iterator<Item = u32>) {
        self.woken.extend(asked.filter(|index| self.steps[*index as usize] >= ENOUGH));
        join_sorted(&mut self.steered, &self.woken);
        join_sorted(&mut self.active, &self.woken);
        self.woken.clear();
    }
}

/// Adds what is in `more` to a list that is sorted, and stays so; nothing stands in it twice.
fn join_sorted(list: &mut Vec<u32>, more: &[u32]) {
    if !more.is_empty() {
        list.extend_from_slice(more);
        list.sort_unstable();
        list.dedup();
    }
}

/// Whether nothing is wanted.
pub(in crate::world) fn is_idle(intent: &Intent) -> bool {
    intent.rules().is_empty() && intent.look == Look::Ahead
}

impl World {
    /// Finds out whom the step is about, and which squads may have something to form.
    pub(super) fn find_active(&mut self) {
        let quiet = &mut self.helm.quiet;
        quiet.choose(self.scene.agents.len(), self.config.sleep);
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

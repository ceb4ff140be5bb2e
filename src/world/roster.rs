//! Who is in the world: looking up bodies and squads, and what squads are up to.

use super::World;
use crate::entity::{AgentId, Entity, SquadId};
use crate::math::Vec3;
use crate::sense::Knowledge;
use crate::squad::{Formation, Ring};
use std::sync::Arc;

impl World {
    /// Whether there is such a body.
    pub fn exists(&self, body: impl Into<Entity>) -> bool {
        self.scene.bodies.index_of(body.into()).is_some()
    }

    /// Where a body is; `None` when it is gone.
    pub fn position(&self, body: impl Into<Entity>) -> Option<Vec3> {
        self.scene.bodies.index_of(body.into()).map(|index| self.scene.bodies.position[index])
    }

    /// The members of a squad, by key.
    pub fn members(&self, squad: SquadId) -> impl Iterator<Item = AgentId> {
        let members = self.cast.squad(squad).map_or(0..0, |at| self.scene.squads[at].members.clone());
        self.scene.bodies.id[members].iter().map(|id| AgentId::new(*id))
    }

    /// The squads, by key.
    pub fn squads(&self) -> impl Iterator<Item = SquadId> {
        self.scene.squads.iter().map(|squad| squad.id)
    }

    /// The squad of that name.
    pub fn squad_named(&self, name: &str) -> Option<SquadId> {
        self.scene.squads.iter().find(|squad| &*squad.name == name).map(|squad| squad.id)
    }

    /// The name of a squad.
    pub fn squad_name(&self, squad: SquadId) -> Option<&Arc<str>> {
        self.cast.squad(squad).map(|at| &self.scene.squads[at].name)
    }

    /// The formation of a squad, if there is such a squad; it has places while members walk in one.
    pub fn formation(&self, squad: SquadId) -> Option<&Formation> {
        self.cast.squad(squad).map(|at| &self.scene.squads[at].formation)
    }

    /// The share of a squad's members in place, 0..1, in its formation or on its ring; 0 without members that have one.
    pub fn set_fraction(&self, squad: SquadId) -> f32 {
        self.cast.squad(squad).map_or(0.0, |at| self.scene.squads[at].set_fraction())
    }

    /// The mean distance of a squad's members from their places, m, in its formation or on its ring.
    pub fn place_error(&self, squad: SquadId) -> f32 {
        self.cast.squad(squad).map_or(0.0, |at| self.scene.squads[at].place_error())
    }

    /// The largest angle round a squad's target without any of the target's hunters, of whatever squad, degrees; 360 without a ring.
    pub fn largest_gap(&self, squad: SquadId) -> f32 {
        self.cast.squad(squad).map_or(360.0, |at| self.scene.squads[at].largest_gap())
    }

    /// The ring of a squad, if there is such a squad.
    pub fn ring(&self, squad: SquadId) -> Option<&Ring> {
        self.cast.squad(squad).map(|at| &self.scene.squads[at].ring)
    }

    /// What a squad knows of its targets, if there is such a squad.
    pub fn knowledge(&self, squad: SquadId) -> Option<&Knowledge> {
        self.cast.squad(squad).map(|at| &self.scene.squads[at].knowledge)
    }

    pub(super) fn agent_index(&self, agent: AgentId) -> Option<usize> {
        self.scene.bodies.index_of(agent.entity()).filter(|index| *index < self.scene.agents.len())
    }
}

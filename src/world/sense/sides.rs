//! Who is an enemy of whom, and how well bodies can be seen.

use super::super::World;
use crate::entity::{Entity, SquadId};
use crate::error::{Error, ErrorKind, Result};
use crate::sense::Attitude;

impl World {
    /// Sets how the faction `of` regards the faction `to` from the next tick on; both are named as in
    /// [`super::super::SquadDesc::faction`], and need not have any body. It is not mutual. Whoever is no enemy any more
    /// is forgotten. Within a faction all are friends.
    ///
    /// # Errors
    /// More than 65,535 factions.
    pub fn set_attitude(&mut self, of: &str, to: &str, attitude: Attitude) -> Result<()> {
        let (of, to) = (self.cast.faction(of)?, self.cast.faction(to)?);
        self.cast.attitudes.set(of, to, attitude);
        self.forget_sides();
        Ok(())
    }

    /// How the faction `of` regards the faction `to`.
    pub fn attitude(&self, of: &str, to: &str) -> Attitude {
        let number = |name: &str| self.cast.factions.iter().position(|known| known == name);
        match (number(of), number(to)) {
            (Some(of), Some(to)) => self.cast.attitudes.get(of as u16, to as u16),
            _ if of == to => Attitude::Friendly,
            _ => Attitude::Hostile,
        }
    }

    /// Whether there is a body that this faction is hostile to.
    pub(in crate::world) fn hunts_anybody(&self, faction: u16) -> bool {
        let bodies = &self.scene.bodies;
        let hostile =
            |index: usize| self.cast.attitudes.get(faction, bodies.faction[index]) == Attitude::Hostile;
        (0..bodies.len()).any(|index| bodies.present[index] && hostile(index))
    }

    /// How well lit a body is, from 0 to 1: in the dark it takes longer to become aware of it. Default 1. It counts for
    /// those whose [`crate::sense::Awareness`] builds up with time. What is outside counts as the nearer of the two.
    pub fn set_light(&mut self, body: impl Into<Entity>, light: f32) {
        if let Some(index) = self.scene.bodies.index_of(body.into()) {
            let light = if light.is_nan() { 1.0 } else { light.clamp(0.0, 1.0) };
            self.scene_mut().bodies.light[index] = light;
        }
    }

    /// How high above its foot a body's eyes are, and what others can see of it, in metres: lower for one that crouches.
    /// A height that is negative or not a number is left out, with a problem.
    pub fn set_eyes(&mut self, body: impl Into<Entity>, eyes: f32) {
        let Some(index) = self.scene.bodies.index_of(body.into()) else { return };
        if !(eyes.is_finite() && eyes >= 0.0) {
            let message = format!("'eyes' must be at least 0 m, got {eyes}");
            return self.report(Error::new(ErrorKind::OutOfRange, message).hint("the body stays as it was"));
        }
        self.scene_mut().bodies.eyes[index] = eyes;
    }

    /// Lets a squad be after this body as long as anything is known of it, whatever its score; `None` to go by scores
    /// again.
    pub fn prefer_target(&mut self, squad: SquadId, target: Option<Entity>) {
        if let Some(index) = self.cast.squad(squad) {
            self.knowledge_of(index).prefer(target);
        }
    }
}

//! What steering reads of a world, so that many threads may look at it at once: scripts and whatever else belongs to one thread
//! are no part of it.

use super::World;
use super::avoid::Crowd;
use super::steer::Helm;
use crate::sense::Senses;
use crate::space::{Grid, Walls};
use crate::steer::Me;
use crate::tree::{AgentFacts, Mind, Scene, SquadScene};
use std::ops::Deref;

/// What is read.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub scene: &'a Scene,
    pub walls: &'a Walls,
    pub grid: &'a Grid,
    /// By body index of agents.
    pub senses: &'a [Senses],
}

/// An agent with what it reads: nobody reads another one's mind.
#[derive(Clone, Copy)]
pub(super) struct Agent<'a> {
    pub view: View<'a>,
    /// Its body index.
    pub index: usize,
    pub mind: &'a Mind,
}

/// What the stages write.
pub(super) struct Written<'a> {
    pub minds: &'a mut [Box<Mind>],
    pub helm: &'a mut Helm,
    pub crowd: &'a mut Crowd,
}

impl<'a> View<'a> {
    /// The agent of that body index.
    pub fn agent(self, index: usize, mind: &'a Mind) -> Agent<'a> {
        Agent { view: self, index, mind }
    }
}

impl<'a> Deref for Agent<'a> {
    type Target = View<'a>;

    fn deref(&self) -> &View<'a> {
        &self.view
    }
}

impl<'a> Agent<'a> {
    pub fn facts(&self) -> &'a AgentFacts {
        &self.view.scene.agents[self.index]
    }

    pub fn squad(&self) -> &'a SquadScene {
        &self.view.scene.squads[self.facts().squad as usize]
    }

    /// Its body as steering takes it, no faster than it wants to go.
    pub fn me(&self) -> Me {
        let mut me = self.scene.me(self.index, self.mind);
        // Standing still is not a change of what one may do: only the wish to go is limited.
        me.max_speed = me.max_speed.min(self.mind.intent.speed.max(0.0));
        me
    }
}

impl World {
    pub(super) fn view(&self) -> View<'_> {
        View { scene: &self.scene, walls: &self.walls, grid: &self.grid, senses: &self.cast.senses }
    }

    pub(super) fn agent_view(&self, index: usize) -> Agent<'_> {
        self.view().agent(index, &self.minds[index])
    }

    /// What is read, and what is written.
    pub(super) fn apart(&mut self) -> (View<'_>, Written<'_>) {
        let Self { scene, walls, grid, cast, minds, helm, crowd, .. } = self;
        (View { scene, walls, grid, senses: &cast.senses }, Written { minds, helm, crowd })
    }
}

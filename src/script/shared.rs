//! What the functions that Lua calls share with the [`super::Script`] that owns the VM.

use super::load::{Library, Loading};
use super::meter::Meter;
use crate::entity::{AgentId, Entity};
use crate::error::{Error, ErrorKind, Result};
use crate::rng::Dice;
use crate::tree::{Desk, Mind, Pen, Scene, View};
use slotmap::Key;
use std::sync::Arc;

/// A value with several owners, one at a time. It is never held while Lua runs.
pub(super) struct Shared<T>(
    #[cfg(not(feature = "send"))] std::rc::Rc<std::cell::RefCell<T>>,
    #[cfg(feature = "send")] Arc<std::sync::Mutex<T>>,
);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

#[cfg(not(feature = "send"))]
impl<T> Shared<T> {
    pub fn new(value: T) -> Self {
        Self(std::rc::Rc::new(std::cell::RefCell::new(value)))
    }
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.0.borrow_mut())
    }
}

#[cfg(feature = "send")]
impl<T> Shared<T> {
    pub fn new(value: T) -> Self {
        Self(Arc::new(std::sync::Mutex::new(value)))
    }
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

/// What the VM is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing.
    #[default]
    Idle,
    /// A file is being loaded.
    Load,
    /// A leaf, service or hook is being called.
    Call,
    /// A condition is being asked: nothing may be written.
    Check,
}

/// What a call works on, and what is known between calls.
pub(super) struct Stage {
    pub phase: Phase,
    pub scene: Option<Arc<Scene>>,
    pub mind: Box<Mind>,
    pub desk: Desk,
    pub index: usize,
    /// The agent that is called, packed; 0 outside a call.
    pub agent: u64,
    /// The node whose function is called.
    pub node: u16,
    /// Whether the function is a coroutine, which goes on.
    pub tale: bool,
    /// Whether the call has asked for what its leaf keeps.
    pub touched: bool,
    /// How many numbers of stays were given out.
    pub stays: u64,
    pub meter: Meter,
    pub library: Library,
    pub loading: Option<Loading>,
    /// The queries that are being answered in this call, the innermost last, and how many there ever were.
    pub asks: Vec<super::query::Ask>,
    pub asked: u32,
    /// Room in which they are answered.
    pub found: crate::query::Found,
    /// What scripts print while they load.
    pub notes: Vec<String>,
    /// The dice of the load.
    pub dice: Dice,
}

impl Stage {
    /// What the agent `id` can see, if it is the one that is called.
    pub fn view(&self, id: u64) -> Result<View<'_>> {
        let scene = self.checked(id)?;
        Ok(View { scene, mind: &self.mind, desk: &self.desk, index: self.index })
    }

    /// What may be written for the agent `id`, if it is the one that is called and no condition is.
    pub fn pen(&mut self, id: u64) -> Result<Pen<'_>> {
        self.checked(id)?;
        if self.phase == Phase::Check {
            return Err(Error::new(ErrorKind::Script, "a condition changes nothing")
                .hint("write in an action or a service"));
        }
        let Some(scene) = &self.scene else { return Err(outside(id)) };
        Ok(Pen { scene, mind: &mut self.mind, desk: &mut self.desk, index: self.index })
    }

    /// The number under which the VM has things for the leaf that is called.
    pub fn number_of_stay(&mut self) -> u64 {
        let keep = self.mind.keep_mut(self.node);
        if keep.stay == 0 {
            self.stays += 1;
            keep.stay = self.stays;
        }
        keep.stay
    }

    fn checked(&self, id: u64) -> Result<&Scene> {
        let scene = self.scene.as_deref();
        match scene {
            Some(scene) if id == self.agent && id != 0 => Ok(scene),
            Some(scene) if scene.bodies.index_of(Entity::unpack(id)).is_none() => Err(gone(id)),
            _ => Err(outside(id)),
        }
    }

    pub fn alive(&self, id: u64) -> bool {
        let Some(scene) = &self.scene else { return false };
        scene.bodies.index_of(Entity::unpack(id)).is_some_and(|at| scene.bodies.present[at])
    }

    /// The dice that a draw of a script is made with.
    pub fn dice(&mut self) -> Result<&mut Dice> {
        match self.phase {
            Phase::Call => Ok(&mut self.mind.dice),
            Phase::Check => Err(Error::new(ErrorKind::Script, "a condition draws no dice")
                .hint("draw in an action or a service, and keep the result in a key")),
            Phase::Load | Phase::Idle => Ok(&mut self.dice),
        }
    }
}

/// What an agent is called in errors: its slot and generation.
pub(super) fn agent_name(id: u64) -> String {
    format!("agent {:?}", AgentId::new(Entity::unpack(id)).entity().data())
}

fn gone(id: u64) -> Error {
    Error::new(ErrorKind::Gone, format!("{} is gone", agent_name(id)))
}

fn outside(id: u64) -> Error {
    Error::new(ErrorKind::Script, format!("{} can be used only inside its own call", agent_name(id)))
        .hint("do not keep the agent in a variable outside the function")
}

//! The private side of an agent: its board, its dice, what it remembers of its tree and what it wants.

use super::history::History;
use super::intent::Intent;
use super::keep::Keep;
use super::memory::Memory;
use super::mute::Mute;
use super::request::Requests;
use super::wake::Sleep;
use crate::blackboard::Board;
use crate::math::room;
use crate::nav::Way;
use crate::rng::Dice;
use crate::steer::PathCursor;
use crate::steer::avoid::Stance;

/// What only the agent itself writes while it thinks.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Mind {
    /// Its own keys.
    pub board: Board,
    /// Its dice.
    pub dice: Dice,
    /// What it remembers of its tree.
    pub memory: Memory,
    /// What leaves of scripts keep for it, by node: those that run and keep something.
    #[serde(default)]
    pub keeps: Vec<Keep>,
    /// Functions of scripts that erred when they were called last, by node and part.
    #[serde(default)]
    pub mutes: Vec<Mute>,
    /// What it wants.
    pub intent: Intent,
    /// How far it is on its route.
    pub route: PathCursor,
    /// Its way round what stands between it and where it goes.
    #[serde(default)]
    pub way: Way,
    /// How it stands among others.
    #[serde(default)]
    pub stance: Stance,
    /// When its tree is to be ticked next, ns of the world's clock.
    pub due: u64,
    /// When its tree was ticked last, ns; 0 for never.
    pub thought_at: u64,
    /// How many nodes its tree visited then.
    pub visits: u32,
    /// The sleep of its tree.
    pub sleep: Sleep,
    /// The number of the first message of its squad that it has not heard.
    pub heard: u64,
    /// What it asked of the game.
    pub requests: Requests,
    /// What it did and why, while that is noted. It is no part of what the agent is: a digest leaves it out.
    #[serde(skip)]
    pub history: Option<Box<History>>,
    /// Whether it stands where it wanted to get to, as steering found in the last tick.
    pub arrived: bool,
}

impl Mind {
    /// The bytes of its own that it holds outside of itself, without board, memory and history.
    pub(crate) fn bytes(&self) -> usize {
        room(&self.keeps) + room(&self.mutes) + self.way.bytes() + self.requests.bytes() + self.intent.bytes()
    }

    /// A mind with these dice and nothing in it.
    pub fn new(dice: Dice) -> Self {
        Self {
            board: Board::default(),
            dice,
            memory: Memory::default(),
            keeps: Vec::new(),
            mutes: Vec::new(),
            intent: Intent::default(),
            route: PathCursor::default(),
            way: Way::default(),
            stance: Stance::default(),
            due: 0,
            thought_at: 0,
            visits: 0,
            sleep: Sleep::NONE,
            heard: 0,
            requests: Requests::default(),
            history: None,
            arrived: false,
        }
    }
}

impl Default for Mind {
    fn default() -> Self {
        Self::new(Dice::new(0, &[]))
    }
}

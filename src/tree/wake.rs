//! What a tree that runs is waiting for, so that it need not be ticked until then.
//!
//! After a tick in which nothing began or ended, the next tick does the same as long as nobody who is asked would
//! answer otherwise. Everybody who is asked says what his answer depends on: a time, boards, the squad's target. A
//! tree sleeps until any of them comes or changes; whoever cannot say keeps it awake.

use super::mind::Mind;
use super::scene::Scene;
use crate::blackboard::Scope;
use serde::{Deserialize, Serialize};

/// What an answer depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    at: u64,
    boards: u8,
}

/// The bit that stands for what the squad knows of its target.
const TARGET: u8 = 1 << 7;
/// The bit that stands for the tokens that bodies offer.
const OFFERS: u8 = 1 << 6;

impl Wake {
    /// Everything: it is to be asked each tick.
    pub const NOW: Wake = Wake { at: 0, boards: 0 };
    /// Nothing: it answers the same for ever.
    pub const NEVER: Wake = Wake { at: u64::MAX, boards: 0 };

    /// A point in time, ns of the world's clock.
    #[inline]
    pub fn at(time: u64) -> Self {
        Self { at: time, boards: 0 }
    }
    /// The keys of a scope.
    #[inline]
    pub fn on(scope: Scope) -> Self {
        Self { at: u64::MAX, boards: 1 << scope as u8 }
    }
    /// Which target the squad is after, whether it is in view, and since when not. Not where it is.
    #[inline]
    pub fn on_target() -> Self {
        Self { at: u64::MAX, boards: TARGET }
    }
    /// Who holds and who waits for the tokens that bodies offer. (Not those of the squad: they change while members
    /// think, so a member that slept would miss what it could have had in the same tick.)
    pub fn on_offers() -> Self {
        Self { at: u64::MAX, boards: OFFERS }
    }
    /// Either of two.
    #[inline]
    #[must_use]
    pub fn or(self, other: Wake) -> Self {
        Self { at: self.at.min(other.at), boards: self.boards | other.boards }
    }
    #[inline]
    pub(super) fn is_now(self) -> bool {
        self.at == 0
    }
    /// When, at the latest.
    #[inline]
    pub(super) fn time(self) -> u64 {
        self.at
    }

    /// A number that is another as soon as anything it depends on, but for the time, has changed: each counter that
    /// it is the sum of only grows.
    ///
    /// `own` says how often the agent's own board has changed; it is asked only where that counts.
    #[inline]
    fn stamp(self, scene: &Scene, squad: usize, own: impl FnOnce() -> u64) -> u64 {
        let asks = |bit: u8| self.boards & bit != 0;
        let squad = &scene.squads[squad];
        let mut sum = 0;
        if asks(TARGET) {
            sum += squad.knowledge.changes();
        }
        if self.boards & !TARGET == 0 {
            return sum;
        }
        if asks(1 << Scope::Agent as u8) {
            sum += own();
        }
        if asks(1 << Scope::Squad as u8) {
            sum += squad.board.changes();
        }
        if asks(1 << Scope::Team as u8) {
            sum += squad.team.map_or(0, |team| scene.teams[team as usize].changes());
        }
        if asks(1 << Scope::World as u8) {
            sum += scene.board.changes();
        }
        if asks(OFFERS) {
            sum += scene.offers.changes();
        }
        sum
    }
}

/// The sleep of an agent's tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sleep {
    until: u64,
    boards: u8,
    stamp: u64,
}

impl Sleep {
    /// No sleep: the tree is ticked.
    pub const NONE: Sleep = Sleep { until: 0, boards: 0, stamp: 0 };

    pub(super) fn begin(wake: Wake, scene: &Scene, squad: usize, mind: &Mind) -> Self {
        let stamp = wake.stamp(scene, squad, || mind.board.changes());
        Self { until: wake.at, boards: wake.boards, stamp }
    }

    /// Until when the tree sleeps, ns, if it waits for that time alone; else 0.
    #[inline]
    pub(crate) fn time_alone(self) -> u64 {
        if self.boards == 0 { self.until } else { 0 }
    }

    /// Whether the tree can sleep on in this tick. `own` says how often the agent's own board has changed.
    #[inline]
    pub fn lasts(self, scene: &Scene, squad: usize, own: impl FnOnce() -> u64) -> bool {
        let wake = Wake { at: self.until, boards: self.boards };
        scene.clock < self.until && (self.boards == 0 || wake.stamp(scene, squad, own) == self.stamp)
    }
}

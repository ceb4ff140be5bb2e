//! The first ticks of a script that took over: one that errs in them gives way to the version before.
//!
//! A version is good when it ran [`TRIAL`] ticks without a fault. While a new one is on trial the good one is kept,
//! with its functions. Scripts that took over together go back together: half a change is no version of anything.

use super::World;
use super::boards::Owner;
use super::report::EventKind;
use super::scripts::{Scripts, Taken, Version};
use crate::blackboard::{Change, KeyId, Value};
use crate::error::{Error, ErrorKind, Place};

/// How many ticks a new version is watched, and how many without a fault make it good.
pub(super) const TRIAL: u64 = 30;

/// What a script on trial goes back to.
pub(super) struct Trial {
    /// The last good version.
    pub good: Version,
    /// The tick up to which the new one is watched.
    pub until: u64,
    /// The transaction in which the new one took over; all of one go back together.
    pub change: u64,
    /// Values of keys to which the new version gave another type.
    pub values: Vec<Kept>,
}

/// A value that a key of another type has driven out.
#[derive(Clone)]
pub(super) struct Kept {
    pub owner: Owner,
    pub key: KeyId,
    pub value: Value,
}

impl World {
    /// What all boards hold under these keys, before it is lost.
    pub(super) fn values_of(&self, keys: &[KeyId]) -> Vec<Kept> {
        let mut kept = Vec::new();
        for &key in keys {
            for owner in self.owners(key.scope) {
                let value = self.board_of(&owner).map(|board| board.value(key).clone());
                kept.extend(value.map(|value| Kept { owner, key, value }));
            }
        }
        kept
    }

    fn put_values_back(&mut self, values: Vec<Kept>) {
        let now = self.scene.clock;
        for Kept { owner, key, value } in values {
            let info = self.scene.schema.info(key).clone();
            let Some(value) = value.fit(info.ty) else { continue };
            if let Some(board) = self.board_mut(&owner) {
                board.apply(&info, &Change::Set(value), now);
            }
        }
    }

    /// Before anything else in a tick: scripts that erred on trial go back, and those whose trial is over have passed.
    pub(super) fn judge_scripts(&mut self) {
        while let Some((change, fault)) = self.scripts.loaded.iter().find_map(failed) {
            self.roll_back(change, &fault);
        }
        let tick = self.ticks;
        for at in 0..self.scripts.loaded.len() {
            let trial = self.scripts.loaded[at].trial.take_if(|trial| trial.until < tick);
            if let Some(trial) = trial {
                self.drop_version(&trial.good);
            }
        }
    }

    /// Scripts whose functions err so often that they are muted are not good, though they err rarely now.
    pub(super) fn blame_muted(&mut self) {
        let now = self.scene.clock;
        for (index, mind) in self.minds.iter().enumerate() {
            for mute in mind.mutes.iter().filter(|mute| mute.is_muted(now)) {
                let place = self.trees.of_agent(index).and_then(|tree| tree.place(mute.node));
                let fault = Error::new(ErrorKind::Script, "errs in each call").at_option(place);
                self.scripts.blame(&fault, self.ticks);
            }
        }
    }

    /// The clock is another one: what runs is taken as good, as in a world that was made anew with it.
    pub(super) fn end_trials(&mut self) {
        for at in 0..self.scripts.loaded.len() {
            self.scripts.loaded[at].erred = None;
            if let Some(trial) = self.scripts.loaded[at].trial.take() {
                self.drop_version(&trial.good);
            }
        }
    }

    fn roll_back(&mut self, change: u64, fault: &Error) {
        let (mut good, mut values) = (Vec::new(), Vec::new());
        let (mut changed, mut touched) = (Vec::new(), Vec::new());
        for taken in &mut self.scripts.loaded {
            let Some(trial) = taken.trial.take_if(|trial| trial.change == change) else { continue };
            changed.extend(taken.version.changed_since(&trial.good));
            touched.extend(taken.version.files());
            good.push(trial.good);
            values = trial.values;
        }
        let scripts = good.iter().map(|version| version.file().to_owned()).collect::<Vec<_>>();
        if let Err(error) = self.put_back(good) {
            // It was built once from the same text: only nodes or keys of the game's own can be in its way now.
            self.report_again(error);
            return;
        }
        self.put_values_back(values);
        changed.sort();
        changed.dedup();
        for file in &changed {
            let message = format!("went back to the last good version, for this one errs: {fault}");
            let told = Error::new(ErrorKind::Script, message).at(Place::new(file.as_str(), 0));
            self.report_again(told.hint("it is tried again when it is saved"));
        }
        for script in &scripts {
            self.event(EventKind::Rollback { script: script.as_str().into() }, None, None);
        }
        self.refuse(scripts, changed, touched);
    }
}

impl Scripts {
    /// Notes which scripts erred in this tick: those that are made of the file in which a fault came up.
    pub fn blame(&mut self, fault: &Error, tick: u64) {
        // Whom a tick's budget fails is not the one who has spent it.
        let innocent = matches!(fault.kind(), ErrorKind::Warning | ErrorKind::TickBudget);
        let Some(place) = fault.place().filter(|_| !innocent) else { return };
        for taken in self.loaded.iter_mut().filter(|taken| taken.version.is_made_of(&place.file)) {
            match &mut taken.erred {
                Some((last, _)) => *last = tick,
                first => *first = Some((tick, fault.clone())),
            }
        }
    }
}

/// The transaction of a script that erred on trial, and what it did.
fn failed(taken: &Taken) -> Option<(u64, Error)> {
    let (trial, (_, fault)) = (taken.trial.as_ref()?, taken.erred.as_ref()?);
    Some((trial.change, fault.clone()))
}

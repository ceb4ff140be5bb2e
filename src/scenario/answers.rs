//! What the scenario answers to commands, and which wait.

use crate::blackboard::Value;
use crate::tree::CommandId;
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How commands of a name are answered.
#[derive(Clone)]
pub(super) struct Rule {
    pub success: bool,
    pub value: Value,
    /// How long after it was asked, in seconds.
    pub after: f64,
}

/// A command that waits for its answer.
pub(super) struct Open {
    pub id: CommandId,
    pub name: Arc<str>,
    /// When it was asked, in seconds.
    pub since: f64,
}

/// All commands that wait, and the rules by which they are answered.
#[derive(Default)]
pub(super) struct Answers {
    rules: BTreeMap<String, Rule>,
    open: Vec<Open>,
}

impl Answers {
    /// From now on commands of that name are answered like this.
    pub fn set(&mut self, command: &str, rule: Rule) {
        self.rules.insert(command.to_owned(), rule);
    }

    /// Takes note of what was asked in the last tick, which ended at `now`, and of who waits no longer.
    pub fn take(&mut self, world: &World, now: f64) {
        let asked = world.commands().iter().filter(|command| command.waits);
        self.open.extend(asked.map(|command| Open {
            id: command.id,
            name: command.name.clone(),
            since: now,
        }));
        self.open.retain(|open| world.awaits(open.id));
    }

    /// Answers what is due at `now`, the end of the tick that comes; gives what was answered, in the order of asking.
    pub fn give(&mut self, world: &mut World, now: f64) -> Vec<(Open, bool)> {
        let mut given = Vec::new();
        let mut open = Vec::new();
        for one in std::mem::take(&mut self.open) {
            // One that was taken back meanwhile, by an event or from outside, is nobody's business any more.
            let rule = self.rules.get(&*one.name).filter(|_| world.awaits(one.id));
            match rule {
                Some(rule) if one.since + rule.after <= now + 1e-9 => {
                    world.answer_with(one.id, rule.success, rule.value.clone());
                    given.push((one, rule.success));
                }
                _ => open.push(one),
            }
        }
        self.open = open;
        given
    }

    /// Those that wait.
    pub fn open(&self) -> &[Open] {
        &self.open
    }
}

//! Calling the functions of scripts: what a leaf may see and write is lent to the VM for one call.

use super::Script;
use super::fault::{out_of_memory, translate};
use super::flavour;
use super::memory;
use super::shared::{Phase, Stage};
use super::words::word_for;
use crate::args::Function;
use crate::error::{Error, ErrorKind, Place, Result};
use crate::tree::{Cx, Exit, Hook, Host, Scene, Status};
use mlua::Value;
use std::sync::Arc;

impl Host for Script {
    fn begin(&mut self, scene: &Arc<Scene>) {
        if self.schema != scene.schema {
            self.schema = scene.schema.clone();
            // A failure leaves names that are looked up anew at the worst.
            let _ = self.with_room(|entries| entries.forget_keys.call::<()>(()));
        }
        self.forget_lately();
        self.stage.with(|stage| {
            stage.scene = Some(scene.clone());
            stage.meter.begin_tick();
        });
    }

    fn end(&mut self) {
        let agents = self.stage.with(|stage| stage.scene.take().map_or(0, |scene| scene.agents.len()));
        // Handles are made once for each agent; they go when those of the dead are more than those of the living.
        let _ = self.with_room(|entries| entries.tidy.call::<()>(2 * agents + 64));
    }

    fn call(&mut self, function: &Function, hook: Hook, cx: &mut Cx<'_>) -> Result<Status> {
        let Ok(at) = self.functions.binary_search_by_key(&function.handle, |known| known.handle) else {
            return Err(Error::new(ErrorKind::Gone, "the script of this function was unloaded"));
        };
        self.check_scene(cx)?;
        let used = self.make_room();
        let generation = self.functions[at].generation;
        let place = |script: &Self| Place { file: script.functions[at].file.clone(), line: function.line };
        // It is put back after the call: a clone would cost more.
        let Some(lua_function) = self.functions[at].function.take() else {
            return Err(self.dropped_fault(generation).at(place(self)));
        };
        let (rules, goal) = (cx.mind.intent.rules().len(), cx.mind.intent.goal);
        let called = Called::of(cx);
        self.lend(cx, &called, if hook == Hook::Check { Phase::Check } else { Phase::Call }, used);
        let answer = super::guarded(|| self.enter(&lua_function, hook, &called));
        self.functions[at].function = Some(lua_function);
        let after = self.lua.used_memory();
        let (over, touched) = self.take_back(cx, after);
        self.charge_environment(generation, after.saturating_sub(used));
        if let (None, Ok(Ok((code, _)))) = (&over, &answer)
            && hook == Hook::Tick
            && !touched
            && let Some(status) = plain(*code)
        {
            return Ok(status);
        }
        if hook == Hook::Resume {
            self.note_thread(cx, generation);
            if over.is_some() || !matches!(answer, Ok(Ok(_))) {
                // It runs nothing of the script's, and needs no memory.
                let _ = self.with_room(|entries| entries.untell.call::<()>(()));
            }
        }
        let answer = match (over, answer) {
            (Some(over), _) => Err(over),
            (None, Ok(answer)) => answer.map_err(|error| self.fault(&error)),
            (None, Err(panic)) => Err(panic),
        };
        let answer = answer.and_then(|(code, value)| status(hook, code, &value, cx));
        let answer = self.keep(cx, hook, touched, answer);
        answer.map_err(|error| {
            // A call that went wrong has not steered.
            cx.mind.intent.keep_rules(rules);
            cx.mind.intent.goal = goal;
            error.at(place(self))
        })
    }

    fn forget(&mut self, stay: u64) {
        // It runs nothing of the script's; a failure leaves a thread that nobody resumes.
        let _ = self.with_room(|entries| entries.forget.call::<()>(stay));
        self.threads.remove(&stay);
    }
}

/// Whom a call is for, as Lua takes it: the agent, packed, the world's clock in ns, and how far the target is that its squad
/// is after, if any, m.
struct Called {
    agent: u64,
    id: f64,
    now: f64,
    target: Option<f64>,
}

impl Called {
    fn of(cx: &Cx<'_>) -> Self {
        let view = cx.view();
        let agent = view.agent().entity().pack();
        let target = view.target().map(|track| f64::from(view.distance(track.position)));
        // A packed body has 52 bits: numbers of Lua hold it.
        Self { agent, id: agent as f64, now: cx.scene.clock as f64, target }
    }
}

impl Script {
    fn check_scene(&self, cx: &Cx<'_>) -> Result<()> {
        let same = self.stage.with(|stage| {
            stage.scene.as_ref().is_some_and(|scene| std::ptr::eq(Arc::as_ptr(scene), cx.scene))
        });
        if same {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::Script, "a script was called outside a thought"))
        }
    }

    fn lend(&mut self, cx: &mut Cx<'_>, called: &Called, phase: Phase, memory: usize) {
        let limits = self.limits;
        self.stage.with(|stage| {
            swap(stage, cx);
            (stage.index, stage.agent, stage.phase) = (cx.index, called.agent, phase);
            (stage.node, stage.touched, stage.tale) = (cx.node(), false, false);
            stage.asks.clear();
            stage.meter.begin(limits.instructions, limits.per_tick, memory);
        });
        flavour::begin(&self.lua, &self.stage);
    }

    /// The fault that stopped the call, and whether it asked for what its leaf keeps.
    fn take_back(&mut self, cx: &mut Cx<'_>, memory: usize) -> (Option<Error>, bool) {
        self.stage.with(|stage| {
            swap(stage, cx);
            (stage.agent, stage.phase) = (0, Phase::Idle);
            (stage.meter.finish(memory), stage.touched)
        })
    }

    /// Takes over what the leaf keeps, if the call may have changed it. After a fault all is as it was before the call.
    fn keep(&mut self, cx: &mut Cx<'_>, hook: Hook, touched: bool, answer: Result<Status>) -> Result<Status> {
        let node = cx.node();
        let open = hook == Hook::Resume && cx.mind.keep(node).is_some_and(|keep| keep.open);
        if !(touched || open) || matches!(hook, Hook::Exit(_)) {
            return answer;
        }
        let keep = cx.mind.keep_mut(node);
        keep.open |= hook == Hook::Resume;
        let memories = &self.entries.memories;
        let kept = answer.and_then(|status| match memories.raw_get(keep.stay) {
            Ok(Value::Table(table)) => Ok((status, memory::plain(&table)?)),
            _ => Ok((status, std::mem::take(&mut keep.value))),
        });
        match kept {
            Ok((status, value)) => {
                keep.value = value;
                Ok(status)
            }
            Err(error) => {
                // The next call is given a table of what is kept.
                let _ = memories.raw_set(keep.stay, Value::Nil);
                Err(error)
            }
        }
    }

    /// Lets a coroutine go on, from its beginning when it has no thread.
    fn resume(&self, function: &mlua::Function, called: &Called) -> mlua::Result<(u8, Value)> {
        let Called { id, target, now, .. } = *called;
        let (stay, new) = self.stage.with(|stage| {
            stage.tale = true;
            let new = stage.mind.keep(stage.node).is_none_or(|keep| keep.stay == 0);
            (stage.number_of_stay(), new)
        });
        if !new {
            let (code, value) = self.entries.resume.call((stay, now, id, target))?;
            if code != NO_THREAD {
                return Ok((code, value));
            }
        }
        self.entries.begin.call((function, id, stay, now, target))
    }

    fn enter(&self, function: &mlua::Function, hook: Hook, called: &Called) -> mlua::Result<(u8, Value)> {
        let Called { id, target, .. } = *called;
        match hook {
            // A number is taken as it is: to check that it is a small one takes longer.
            Hook::Tick => {
                let answer = self.entries.tick.call::<(f64, Value)>((function, id, target));
                answer.map(|(code, value)| (code as u8, value))
            }
            Hook::Resume => self.resume(function, called),
            Hook::Check => self.entries.check.call((function, id, target)),
            Hook::Enter => self.entries.enter.call::<()>((function, id, target)).map(|()| (1, Value::Nil)),
            Hook::Exit(reason) => {
                let reason = match reason {
                    Exit::Success => 1,
                    Exit::Failure => 2,
                    Exit::Aborted(_) => 3,
                };
                self.entries.exit.call::<()>((function, id, target, reason)).map(|()| (1, Value::Nil))
            }
        }
    }

    fn fault(&mut self, error: &mlua::Error) -> Error {
        let mut error = translate(error, self.limits.memory);
        // Where there is no memory left, what would tell of that goes wrong too.
        if error.message() == "error in error handling" && self.is_full() {
            error = out_of_memory(self.limits.memory);
        }
        self.starved |= error.kind() == ErrorKind::Memory;
        self.advise(error)
    }
}

fn swap(stage: &mut Stage, cx: &mut Cx<'_>) {
    std::mem::swap(&mut stage.mind, cx.mind);
    std::mem::swap(&mut stage.desk, cx.desk);
}

/// What the prelude answers besides statuses: a coroutine waits for a time, or there is none under that number.
const ASLEEP: u8 = 4;
const NO_THREAD: u8 = 5;

/// A status as the prelude answers it.
fn plain(code: u8) -> Option<Status> {
    [Status::Success, Status::Failure, Status::Running].get(usize::from(code).wrapping_sub(1)).copied()
}

fn status(hook: Hook, code: u8, value: &Value, cx: &mut Cx<'_>) -> Result<Status> {
    if let Some(status) = plain(code) {
        return Ok(status);
    }
    match (code, hook) {
        (ASLEEP, _) => {
            // What is more than the clock can hold never comes.
            cx.store(0, super::keys::number(value).unwrap_or(0.0) as u64);
            Ok(Status::Running)
        }
        (_, Hook::Resume) => Err(no_end(value)),
        (_, Hook::Check) => {
            Err(Error::new(ErrorKind::WrongType, format!("the condition returned {}", word_for(value)))
                .hint("return true or false"))
        }
        _ => Err(no_status(value)),
    }
}

fn no_end(value: &Value) -> Error {
    let error = Error::new(ErrorKind::WrongType, format!("the coroutine returned {}", word_for(value)));
    match value {
        Value::String(word) if *word == "running" => error.hint("it runs for as long as it waits: wait(0.5)"),
        Value::String(word) => {
            let word = word.to_string_lossy();
            match crate::error::near_name(&word, ["success", "failure"]) {
                Some(near) => error.hint(format!("did you mean '{near}'?")),
                None => error.hint(ENDS),
            }
        }
        _ => error.hint(ENDS),
    }
}

const ENDS: &str = "return \"success\" or \"failure\", or nothing, which is success";

fn no_status(value: &Value) -> Error {
    const ANSWERS: &str = "return \"success\", \"failure\" or \"running\"";
    let error = Error::new(ErrorKind::WrongType, format!("the leaf returned {}", word_for(value)));
    match value {
        Value::Nil => Error::new(ErrorKind::WrongType, format!("the leaf returned nothing: {ANSWERS}")),
        Value::String(word) => {
            let word = word.to_string_lossy();
            match crate::error::near_name(&word, ["success", "failure", "running"]) {
                Some(near) => error.hint(format!("did you mean '{near}'?")),
                None => error.hint(ANSWERS),
            }
        }
        _ => error.hint(ANSWERS),
    }
}

//! Calling the functions of scripts: what a leaf may see and write is lent to the VM for one call.

use super::Script;
use super::convert::Callable;
use super::fault::translate;
use super::flavour;
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
            let _ = self.entries.forget_keys.call::<()>(());
        }
        self.stage.with(|stage| {
            stage.scene = Some(scene.clone());
            stage.meter.begin_tick();
        });
    }

    fn end(&mut self) {
        let agents = self.stage.with(|stage| stage.scene.take().map_or(0, |scene| scene.agents.len()));
        // Handles are made once for each agent; they go when those of the dead are more than those of the living.
        let _ = self.entries.tidy.call::<()>(2 * agents + 64);
    }

    fn call(&mut self, function: &Function, hook: Hook, cx: &mut Cx<'_>) -> Result<Status> {
        let Ok(at) = self.functions.binary_search_by_key(&function.handle, |known| known.handle) else {
            return Err(Error::new(ErrorKind::Gone, "the script of this function was unloaded"));
        };
        self.check_scene(cx)?;
        self.make_room();
        let place = Place { file: self.functions[at].file.clone(), line: function.line };
        let id = cx.view().agent().entity().pack();
        self.lend(cx, id, if hook == Hook::Check { Phase::Check } else { Phase::Call });
        let answer = super::guarded(|| self.enter(&self.functions[at], hook, id));
        let over = self.take_back(cx);
        let answer = match (over, answer) {
            (Some(over), _) => Err(over),
            (None, Ok(answer)) => answer.map_err(|error| self.fault(&error)),
            (None, Err(panic)) => Err(panic),
        };
        let (code, value) = answer.map_err(|error| error.at(place.clone()))?;
        status(hook, code, &value).map_err(|error| error.at(place))
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

    fn lend(&mut self, cx: &mut Cx<'_>, id: u64, phase: Phase) {
        let (limits, memory) = (self.limits, self.lua.used_memory());
        self.stage.with(|stage| {
            swap(stage, cx);
            (stage.index, stage.agent, stage.phase) = (cx.index, id, phase);
            stage.meter.begin(limits.instructions, limits.per_tick, memory);
        });
        flavour::begin(&self.lua, &self.stage);
    }

    fn take_back(&mut self, cx: &mut Cx<'_>) -> Option<Error> {
        self.stage.with(|stage| {
            swap(stage, cx);
            (stage.agent, stage.phase) = (0, Phase::Idle);
            stage.meter.finish()
        })
    }

    fn enter(&self, callable: &Callable, hook: Hook, id: u64) -> mlua::Result<(u8, Value)> {
        let function = &callable.function;
        match hook {
            Hook::Tick => self.entries.tick.call((function, id)),
            Hook::Check => self.entries.check.call((function, id)),
            Hook::Enter => self.entries.enter.call::<()>((function, id)).map(|()| (1, Value::Nil)),
            Hook::Exit(reason) => {
                let reason = match reason {
                    Exit::Success => 1,
                    Exit::Failure => 2,
                    Exit::Aborted(_) => 3,
                };
                self.entries.exit.call::<()>((function, id, reason)).map(|()| (1, Value::Nil))
            }
        }
    }

    fn fault(&mut self, error: &mlua::Error) -> Error {
        let error = translate(error, self.limits.memory);
        self.starved |= error.kind() == ErrorKind::Memory;
        error
    }
}

fn swap(stage: &mut Stage, cx: &mut Cx<'_>) {
    std::mem::swap(&mut stage.mind, cx.mind);
    std::mem::swap(&mut stage.desk, cx.desk);
}

fn status(hook: Hook, code: u8, value: &Value) -> Result<Status> {
    match (code, hook) {
        (1, _) => Ok(Status::Success),
        (2, _) => Ok(Status::Failure),
        (3, _) => Ok(Status::Running),
        (_, Hook::Check) => {
            Err(Error::new(ErrorKind::WrongType, format!("the condition returned {}", word_for(value)))
                .hint("return true or false"))
        }
        _ => Err(no_status(value)),
    }
}

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

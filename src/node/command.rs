use super::prelude::*;
use std::sync::Arc;

/// Asks something of the game, which finds the command in `world.commands()` after the tick, and if need be waits for
/// what the game answers.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::text("name", "what for, as the game calls it: \"attack\", \"howl\""),
        Param::bool(
            "answer",
            "whether it waits for the game's answer, `world.answer(command.id, …)`; left out, it does if `seconds` or \
             `into` is given",
        )
        .optional(),
        Param::number("seconds", "how long it waits for the answer at most; left out it waits for ever")
            .unit("s")
            .range(0.0, 1e9)
            .optional(),
        Param::key("into", "what takes the value that the game answers with, if it does; of the same type")
            .written()
            .optional(),
    ],
    running: "it waits for the answer, and the time is not up",
    success: "it was asked, and what the game makes of it is the game's; with an answer, the game says that it was done",
    failure: "the game answers that it was not done, or with a value that `into` cannot take; or the time is up",
    abort: "the game is told in an event, `cancelled`, that nobody waits for the answer any more",
    memory: &[("number", SlotType::Count), ("ends_at", SlotType::Time)],
    ..NodeDef::new("command", Kind::Action, "asks something of the game, and may wait for its answer", |make| {
        let given = |name| make.args.get(name).is_some();
        let wanted = ["seconds", "into"].into_iter().find(|name| given(name));
        let waits = if given("answer") { make.bool("answer") } else { wanted.is_some() };
        if let (false, Some(name)) = (waits, wanted) {
            let fault = format!("'{name}' has no meaning without an answer");
            return Err(Error::new(ErrorKind::Conflict, fault).hint("answer = true, or leave it out"));
        }
        let name = make.text("name").into();
        if !waits {
            return Part::leaf(Command { name });
        }
        let time = if given("seconds") { make.time("seconds") } else { u64::MAX };
        let into = if given("into") { Some(make.key("into")?) } else { None };
        Part::leaf(Request { name, time, into })
    })
};

struct Command {
    name: Arc<str>,
}

fn target(view: &View<'_>) -> Entity {
    view.target().map(|track| track.target).unwrap_or_default()
}

impl Leaf for Command {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        let target = target(&cx.view());
        cx.command(self.name.clone(), target);
        Status::Success
    }
    fn ends(&self) -> Ends {
        Ends::SUCCESS
    }
    fn lasts(&self) -> bool {
        false
    }
}

struct Request {
    name: Arc<str>,
    time: u64,
    into: Option<KeyId>,
}

impl Request {
    /// Takes over what the game answered.
    fn end(&self, cx: &mut Cx<'_>, answer: Answer) -> Status {
        cx.because(|_| Evidence::of(What::Answer, answer.success));
        let written = match (self.into, answer.value) {
            (_, Value::Nothing) => Status::Success,
            (Some(key), value) => cx.write(key, Change::Set(value)),
            (None, value) => {
                let fault = format!("the game answers with {value}, and nothing takes it");
                cx.problem(Error::new(ErrorKind::Missing, fault).hint("name a key: into = \"…\""));
                Status::Success
            }
        };
        if answer.success { written } else { Status::Failure }
    }
}

impl Leaf for Request {
    fn enter(&self, cx: &mut Cx<'_>) {
        let target = target(&cx.view());
        let number = cx.request(self.name.clone(), target);
        let ends_at = cx.view().now().saturating_add(self.time);
        cx.store(0, number);
        cx.store(1, ends_at);
    }
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        let number = cx.load(0);
        match cx.take_answer(number) {
            Some(answer) => self.end(cx, answer),
            None if cx.view().now() >= cx.load::<u64>(1) => {
                cx.because(|cx| Evidence::of(What::TimeUp, cx.load::<u64>(1) as f64 * 1e-9));
                Status::Failure
            }
            None => Status::Running,
        }
    }
    fn exit(&self, cx: &mut Cx<'_>, _: Exit) {
        let number = cx.load(0);
        cx.cancel(number, self.name.clone());
    }
    fn timed(&self) -> bool {
        self.time < u64::MAX
    }
    fn waiting(&self, at: &Glance<'_>) -> String {
        super::at_most(format!("for the answer to '{}'", self.name), &at.until(at.load(1)))
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        // An answer wakes the agent by itself.
        Wake::at(cx.load(1))
    }
}

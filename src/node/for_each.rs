use super::prelude::*;
use crate::blackboard::Scope;

/// Runs its child for each point of a list, one point a tick at most.
pub const DEF: NodeDef = NodeDef {
    children: Arity::One,
    params: &[
        Param::key("list", "the list, looked at anew before each point"),
        Param::key(
            "item",
            "a vec3 of the agent, which holds the point while the child runs; it is left as it is \
                            afterwards",
        ),
    ],
    running: "the child is running, or the next point waits for the next tick",
    success: "the child succeeded for every point; for an empty list it is not entered",
    failure: "the child failed for a point; those behind it are left out",
    abort: "exits the child; the next enter begins with the first point",
    memory: &[("at", SlotType::Count)],
    ..NodeDef::new(
        "for_each",
        Kind::Decorator,
        "runs its child for each point of a list, one a tick at most",
        |make| {
            let list = make.key_typed("list", &[ValueType::List])?;
            let item = make.key_typed("item", &[ValueType::Vec3])?;
            if item.scope != Scope::Agent {
                let message =
                    format!("key '{}' is shared, and each agent is at a point of its own", make.text("item"));
                return Err(Error::new(ErrorKind::WrongType, message).hint("declare it in the agent's scope"));
            }
            Part::control(ForEach { list, item })
        },
    )
};

struct ForEach {
    list: KeyId,
    item: KeyId,
}

impl ForEach {
    /// The point at a place of the list, if it is that long.
    fn point(&self, view: View<'_>, at: u64) -> Option<Vec3> {
        match view.value(self.list) {
            Value::List(points) => points.get(at as usize).copied(),
            _ => None,
        }
    }
    fn start(&self, cx: &mut Cx<'_>) -> Step {
        let at = cx.load(0);
        let Some(point) = self.point(cx.view(), at) else { return Step::Done(true) };
        match cx.write(self.item, Change::Set(Value::Vec3(point))) {
            Status::Failure => Step::Done(false),
            _ => Step::Child(0),
        }
    }
}

impl Control for ForEach {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        cx.store(0, 0_u64);
        self.start(cx)
    }
    fn tick(&self, cx: &mut Cx<'_>, idle: bool) -> Step {
        if idle { self.start(cx) } else { Step::Continue }
    }
    fn ended(&self, cx: &mut Cx<'_>, _: usize, success: bool) -> Step {
        if !success {
            return Step::Done(false);
        }
        let next = cx.load::<u64>(0).saturating_add(1);
        cx.store(0, next);
        if self.point(cx.view(), next).is_some() { Step::Yield } else { Step::Done(true) }
    }
    fn skipped(&self, cx: &mut Cx<'_>, child: usize) -> Step {
        self.ended(cx, child, true)
    }
}

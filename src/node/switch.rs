use super::prelude::*;

/// Chooses a child by the value of a key.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    params: &[
        Param::key("key", "whose value chooses"),
        Param::bool(
            "reactive",
            "whether it is asked again in each tick, and a child that is not chosen any more is aborted; else the \
             child that was chosen on enter is kept until it ends",
        )
        .default_bool(false),
    ],
    edge: &[Param::value(
        "case",
        "the value for which this child is chosen, of the key's type; one child may go without, for all others",
    )
    .optional()],
    running: "the chosen child is running",
    success: "the chosen child succeeded",
    failure: "the chosen child failed, or there is none for the value",
    abort: "exits the chosen child",
    memory: &[("chosen", SlotType::Count)],
    ..NodeDef::new("switch", Kind::Composite, "chooses a child by the value of a key", |make| {
        let key = make.key("key")?;
        let mut switch = Switch { key, reactive: make.bool("reactive"), cases: Vec::new(), otherwise: None };
        for child in 0..make.children() {
            switch.add(make, child)?;
        }
        Part::control(switch)
    })
};

struct Switch {
    key: KeyId,
    reactive: bool,
    /// A value, or the other key that holds it, and the child.
    cases: Vec<(Result<Value, KeyId>, usize)>,
    otherwise: Option<usize>,
}

impl Switch {
    fn add(&mut self, make: &Make<'_>, child: usize) -> crate::Result<()> {
        if make.edges[child].get("case").is_none() {
            return match self.otherwise.replace(child) {
                None => Ok(()),
                Some(_) => Err(Error::new(ErrorKind::Conflict, "two children have no 'case'")
                    .hint("one at most, which is chosen for all other values")),
            };
        }
        let case = make.edge_value_for(child, "case", self.key)?;
        if self.cases.iter().any(|(known, _)| *known == case) {
            return Err(Error::new(
                ErrorKind::Conflict,
                format!("child {} has the 'case' of another", child + 1),
            ));
        }
        self.cases.push((case, child));
        Ok(())
    }
    fn choose(&self, view: View<'_>) -> Option<usize> {
        let value = view.value(self.key);
        let is = |case: &Result<Value, KeyId>| match case {
            Ok(case) => *case == value,
            Err(other) => view.value(*other) == value,
        };
        self.cases.iter().find(|(case, _)| is(case)).map(|(_, child)| *child).or(self.otherwise)
    }
}

impl Control for Switch {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        let Some(chosen) = self.choose(cx.view()) else { return Step::Done(false) };
        cx.store(0, chosen as u64);
        Step::Child(chosen)
    }
    fn tick(&self, cx: &mut Cx<'_>, _: bool) -> Step {
        match self.choose(cx.view()) {
            Some(chosen) if chosen as u64 == cx.load::<u64>(0) => Step::Continue,
            _ => self.enter(cx),
        }
    }
    fn asks(&self) -> bool {
        self.reactive
    }
    fn wake(&self, _: &Cx<'_>) -> Wake {
        let others = self.cases.iter().filter_map(|(case, _)| case.as_ref().err());
        others.fold(Wake::on(self.key.scope), |wake, key| wake.or(Wake::on(key.scope)))
    }
}

use super::prelude::*;

/// Ticks all its children in each tick. Failure wins a tie, and it fails as soon as success is out of reach.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    params: &[
        Param::integer_or("success", &["all"], "how many children must succeed")
            .range(1.0, 1000.0)
            .default_text("all"),
        Param::integer_or("failure", &["all"], "how many children must fail").range(1.0, 1000.0).default(1.0),
    ],
    running: "neither number is reached, and somebody runs",
    success: "enough children succeeded; those still running are exited",
    failure: "enough children failed, or too few are left to succeed; those still running are exited",
    abort: "exits all running children, in order",
    ..NodeDef::new("parallel", Kind::Composite, "does several things at once", |make| {
        let needed = |name: &str| (make.text(name) != "all").then(|| make.number(name) as usize);
        Ok(Part::Fork(Box::new(Thresholds { success: needed("success"), failure: needed("failure") })))
    })
};

/// `None` stands for all: those that are not passed over.
struct Thresholds {
    success: Option<usize>,
    failure: Option<usize>,
}

impl Join for Thresholds {
    fn decide(&self, tally: Tally) -> Option<bool> {
        let success = self.success.unwrap_or(tally.children);
        let out_of_reach = tally.success + tally.running() < success;
        if tally.failure >= self.failure.unwrap_or(tally.children) {
            Some(false)
        } else if tally.success >= success {
            Some(true)
        } else {
            (out_of_reach || tally.running() == 0).then_some(false)
        }
    }
    fn ends(&self, children: &[Ends]) -> Ends {
        let count = |can: fn(&Ends) -> bool| children.iter().filter(|child| can(child)).count();
        let success = self.success.unwrap_or(children.len());
        let enough = self.failure.unwrap_or(children.len()).min((children.len() + 1).saturating_sub(success));
        Ends {
            success: count(|child| child.success) >= success,
            failure: count(|child| child.failure) >= enough,
        }
    }
}

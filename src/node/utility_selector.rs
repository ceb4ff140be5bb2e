use super::prelude::*;
use super::weighted_selector::at_most_64;
use crate::tree::Rhythm;

/// Does what is most useful, by a score for each child.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    params: &[
        Param::number(
            "interval",
            "seconds between two comparisons while a child runs; those that failed are compared again; 0 compares in \
             each tick",
        )
        .unit("s")
        .range(0.0, 1e6)
        .default(0.5),
        Param::number(
            "inertia",
            "how much use the running child has beyond its score: too little flickers between two that are nearly \
             equal, too much sticks to what has become useless",
        )
        .range(0.0, 1e9)
        .default(0.0),
    ],
    edge: &[
        Param::number("score", "what the use of this child comes from").range(-1e9, 1e9).live(),
        Param::choice(
            "curve",
            &["linear", "quadratic", "root", "logistic", "bell"],
            "its use, with t = slope · (score − shift): t, t², √t (0 below 0), 1 / (1 + e⁻ᵗ), or e^(−t²), which is \
             best at the shift",
        )
        .default_text("linear"),
        Param::number("slope", "how steep the curve is; negative turns it round").range(-1e6, 1e6).default(1.0),
        Param::number("shift", "the score that counts as 0").range(-1e9, 1e9).default(0.0),
    ],
    running: "the most useful child is running",
    success: "it succeeded",
    failure: "all children failed, the most useful first",
    abort: "exits the running child",
    memory: &[("next_at", SlotType::Time), ("chosen", SlotType::Count), ("failed", SlotType::Count)],
    ..NodeDef::new(
        "utility_selector",
        Kind::Composite,
        "does the most useful of its children (64 at most); of equals the running one, else the first",
        |make| {
            let scorers = at_most_64(make)?.map(|child| Scorer::make(make, child));
            Part::control(Utility {
                rhythm: Rhythm { interval: make.time("interval") },
                inertia: make.args.number("inertia"),
                scorers: scorers.collect::<crate::Result<_>>()?,
            })
        },
    )
};

struct Scorer {
    score: Live,
    curve: fn(f64) -> f64,
    slope: f64,
    shift: f64,
}

impl Scorer {
    fn make(make: &Make<'_>, child: usize) -> crate::Result<Self> {
        let edge = &make.edges[child];
        let curve: fn(f64) -> f64 = match edge.text("curve") {
            "quadratic" => |t| t * t,
            "root" => |t| libm::sqrt(t.max(0.0)),
            "logistic" => |t| 1.0 / (1.0 + libm::exp(-t)),
            "bell" => |t| libm::exp(-t * t),
            _ => |t| t,
        };
        let (slope, shift) = (edge.number("slope"), edge.number("shift"));
        Ok(Self { score: make.edge_live(child, "score")?, curve, slope, shift })
    }
    fn utility(&self, view: View<'_>) -> f64 {
        // A key may hold what is beyond all measure: no infinity must meet another.
        let score = f64::from(view.number(self.score)).clamp(-1e18, 1e18);
        (self.curve)(self.slope * (score - self.shift))
    }
}

struct Utility {
    rhythm: Rhythm,
    inertia: f64,
    scorers: Vec<Scorer>,
}

impl Utility {
    /// The most useful child that has not failed; of equals the running one, else the first.
    fn best(&self, view: View<'_>, failed: u64, running: Option<usize>) -> Option<usize> {
        let utility = |child: usize| self.scorers[child].utility(view);
        let mut best = running.map(|child| (child, utility(child) + self.inertia));
        for child in (0..self.scorers.len()).filter(|child| failed >> child & 1 == 0) {
            let utility = utility(child);
            if best.is_none_or(|(_, most)| utility > most) {
                best = Some((child, utility));
            }
        }
        best.map(|(child, _)| child)
    }
    fn start(&self, cx: &mut Cx<'_>, failed: u64) -> Step {
        cx.store(2, failed);
        let Some(best) = self.best(cx.view(), failed, None) else { return Step::Done(false) };
        cx.store(1, best as u64);
        Step::Child(best)
    }
}

impl Control for Utility {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        self.rhythm.begin(cx);
        self.start(cx, 0)
    }
    fn tick(&self, cx: &mut Cx<'_>, _: bool) -> Step {
        if !self.rhythm.due(cx) {
            return Step::Continue;
        }
        let running = (cx.load::<u64>(1) as usize).min(self.scorers.len() - 1);
        let best = self.best(cx.view(), 0, Some(running)).unwrap_or(running);
        cx.store(2, 0_u64);
        cx.store(1, best as u64);
        if best == running { Step::Continue } else { Step::Child(best) }
    }
    fn ended(&self, cx: &mut Cx<'_>, child: usize, success: bool) -> Step {
        if success {
            return Step::Done(true);
        }
        let failed = cx.load::<u64>(2) | 1 << child;
        self.start(cx, failed)
    }
    fn skipped(&self, cx: &mut Cx<'_>, child: usize) -> Step {
        self.ended(cx, child, false)
    }
    fn asks(&self) -> bool {
        true
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        Wake::at(cx.load(0))
    }
}

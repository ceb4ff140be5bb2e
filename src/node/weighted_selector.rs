use super::prelude::*;

/// Draws one of its children by weight; when it fails, one of the others.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    edge: &[Param::number(
        "weight",
        "how often this child is drawn beside the others, whatever their sum; 0 (or less, from a key) is never drawn",
    )
    .range(0.0, 1e9)
    .default(1.0)
    .live()],
    running: "the drawn child is running",
    success: "a drawn child succeeded",
    failure: "all children with a weight failed, or none has a weight",
    abort: "exits the running child and forgets which have failed",
    memory: &[("failed", SlotType::Count)],
    ..NodeDef::new(
        "weighted_selector",
        Kind::Composite,
        "tries its children (64 at most) until one works, each drawn by weight among those that are left",
        |make| {
            let weights = at_most_64(make)?.map(|child| make.edge_live(child, "weight"));
            Part::control(Weighted { weights: weights.collect::<crate::Result<_>>()? })
        },
    )
};

/// The numbers of the children, which must fit into the bits of a word.
pub(super) fn at_most_64(make: &Make<'_>) -> crate::Result<std::ops::Range<usize>> {
    let children = make.children();
    if children > 64 {
        let message = format!("'{}' takes at most 64 children, got {children}", make.name());
        return Err(Error::new(ErrorKind::TooMany, message));
    }
    Ok(0..children)
}

struct Weighted {
    weights: Vec<Live>,
}

impl Weighted {
    /// The children that have not failed and have a weight, with it.
    fn left<'a>(&'a self, view: View<'a>, failed: u64) -> impl Iterator<Item = (usize, f64)> + 'a {
        let weight = move |live: &Live| f64::from(view.number(*live).clamp(0.0, f32::MAX));
        let all = self.weights.iter().map(weight).enumerate();
        all.filter(move |(child, weight)| *weight > 0.0 && failed >> child & 1 == 0)
    }
    fn draw(&self, cx: &mut Cx<'_>) -> Step {
        let failed = cx.load(0);
        let total = self.left(cx.view(), failed).map(|(_, weight)| weight).sum::<f64>();
        let mut rest = cx.dice().unit() * total;
        let mut drawn = Step::Done(false);
        for (child, weight) in self.left(cx.view(), failed) {
            drawn = Step::Child(child);
            if rest < weight {
                break;
            }
            rest -= weight;
        }
        drawn
    }
}

impl Control for Weighted {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        cx.store(0, 0_u64);
        self.draw(cx)
    }
    fn ended(&self, cx: &mut Cx<'_>, child: usize, success: bool) -> Step {
        if success {
            return Step::Done(true);
        }
        let failed = cx.load::<u64>(0) | 1 << child;
        cx.store(0, failed);
        self.draw(cx)
    }
    fn skipped(&self, cx: &mut Cx<'_>, child: usize) -> Step {
        self.ended(cx, child, false)
    }
}

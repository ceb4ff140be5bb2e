use super::prelude::*;

/// A sequence whose order is drawn anew on each enter.
pub const DEF: NodeDef = NodeDef {
    children: Arity::Many,
    running: "a child is running",
    success: "all children succeeded",
    failure: "a child failed; those that were to come are not entered",
    abort: "exits the running child and forgets the order",
    memory: ORDER,
    ..NodeDef::new(
        "random_sequence",
        Kind::Composite,
        "does its children (16 at most) one after the other, in an order drawn on enter",
        |make| Shuffled::make(make, true),
    )
};

pub(super) const ORDER: &[(&str, SlotType)] = &[("order", SlotType::Count), ("at", SlotType::Count)];

const MOST: usize = 16;

/// A chain in an order of its own, which lies in one word: four bits for each number, the first lowest.
pub(super) struct Shuffled {
    on: bool,
    children: usize,
}

impl Shuffled {
    /// One that goes on when a child ends like `on`.
    pub fn make(make: &mut Make<'_>, on: bool) -> crate::Result<Part> {
        let children = make.children();
        if children > MOST {
            let message = format!("'{}' takes at most {MOST} children, got {children}", make.name());
            return Err(Error::new(ErrorKind::TooMany, message));
        }
        Part::control(Self { on, children })
    }
    fn draw(&self, cx: &mut Cx<'_>) -> u64 {
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        for last in (1..self.children).rev() {
            order.swap(last, cx.dice().below(last as u64 + 1) as usize);
        }
        order.iter().rev().fold(0, |word, child| word << 4 | child)
    }
}

impl Control for Shuffled {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        let order = self.draw(cx);
        cx.store(0, order);
        cx.store(1, 0_u64);
        Step::Child((order & 15) as usize)
    }
    fn ended(&self, cx: &mut Cx<'_>, _: usize, success: bool) -> Step {
        if success != self.on {
            return Step::Done(success);
        }
        let (order, at) = (cx.load::<u64>(0), cx.load::<u64>(1));
        // The order names all 16 numbers: a reload may have changed how many children there are.
        for next in at.saturating_add(1)..MOST as u64 {
            let child = (order >> (next * 4) & 15) as usize;
            if child < self.children {
                cx.store(1, next);
                return Step::Child(child);
            }
        }
        Step::Done(success)
    }
    fn skipped(&self, cx: &mut Cx<'_>, child: usize) -> Step {
        self.ended(cx, child, self.on)
    }
}

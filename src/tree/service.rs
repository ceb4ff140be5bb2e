//! Services: what runs at intervals beside a branch while that is active.

use super::cx::Cx;
use super::def::{Control, Ends, Exit, Part, Step};
use super::wake::Wake;
use crate::error::Result;

/// What runs at intervals beside a branch. One per tree, shared by all agents.
pub trait Service: Send + Sync {
    /// It is its turn: first when the branch is entered, never after it is left.
    fn run(&self, cx: &mut Cx<'_>);
    /// Its branch is left: exactly once for each enter.
    fn exit(&self, cx: &mut Cx<'_>) {
        let _ = cx;
    }
}

impl Part {
    /// A service that runs every `interval` ns; 0 runs each tick. Its DEF declares one slot, a
    /// [`super::SlotType::Time`], before any other.
    ///
    /// # Errors
    /// None; the type is what a `make` returns.
    pub fn service(interval: u64, service: impl Service + 'static) -> Result<Part> {
        Part::control(Every { rhythm: Rhythm { interval }, service })
    }
}

/// A rhythm: due when its node is entered, and then at its interval, each agent in a phase of its own. It keeps its
/// time in the first slot of the node.
#[derive(Clone, Copy, Debug)]
pub struct Rhythm {
    /// ns between two turns; 0 is due each tick.
    pub interval: u64,
}

impl Rhythm {
    /// The first turn is now.
    pub fn begin(self, cx: &mut Cx<'_>) {
        let view = cx.view();
        let next = view.now().saturating_add(self.interval - view.phase(self.interval));
        cx.store(0, next);
    }
    /// Whether it is due now; the next turn is set then.
    pub fn due(self, cx: &mut Cx<'_>) -> bool {
        let (now, next) = (cx.view().now(), cx.load::<u64>(0));
        if now < next {
            return false;
        }
        // By whole intervals from when it was due: neither a late tick nor a long one moves the agent's own time.
        let late = (now - next).checked_div(self.interval).map_or(0, |missed| missed.saturating_add(1));
        cx.store(0, next.saturating_add(late.saturating_mul(self.interval)));
        true
    }
}

/// A service with its rhythm.
struct Every<S> {
    rhythm: Rhythm,
    service: S,
}

impl<S: Service> Control for Every<S> {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        self.rhythm.begin(cx);
        self.service.run(cx);
        Step::Continue
    }
    fn tick(&self, cx: &mut Cx<'_>, _: bool) -> Step {
        if self.rhythm.due(cx) {
            self.service.run(cx);
        }
        Step::Continue
    }
    fn exit(&self, cx: &mut Cx<'_>, _: Exit) {
        self.service.exit(cx);
    }
    fn asks(&self) -> bool {
        true
    }
    fn wake(&self, cx: &Cx<'_>) -> Wake {
        Wake::at(cx.load(0))
    }
    fn passes(&self) -> bool {
        true
    }
    fn ends(&self, child: Ends) -> Ends {
        child
    }
    fn timed(&self) -> bool {
        self.rhythm.interval > 0
    }
}

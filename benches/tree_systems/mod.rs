//! The systems that are compared, each behind [`Crowd`].

pub mod bonsai;
pub mod lite;
pub mod shape;
pub mod warband;

/// What a tick answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Success,
    Failure,
    Running,
}

/// Some instances of one tree.
pub trait Crowd {
    fn agents(&self) -> usize;
    /// One tick of one instance; a tree that had ended starts afresh.
    fn tick(&mut self, agent: usize) -> Status;
    /// So many ticks, the instances in turn.
    fn run(&mut self, ticks: u64) {
        let agents = self.agents();
        let mut agent = 0;
        for _ in 0..ticks {
            std::hint::black_box(self.tick(agent));
            agent = if agent + 1 == agents { 0 } else { agent + 1 };
        }
    }
}

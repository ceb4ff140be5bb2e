//! Work by chunks of agents, on as many threads as there are: with the feature `parallel`, by rayon.
//!
//! A chunk writes only what belongs to its agents and what was lent to it, and reads what nobody writes meanwhile. So how many
//! chunks there are, and who works on them, is never visible in a result.

/// Fewer agents than these are not worth a chunk of their own.
const SMALLEST: usize = 512;
/// So many chunks for each thread: who is done early takes one of another.
const EACH: usize = 4;

/// Lists of one length, or something like them, that can be cut in two.
pub(super) trait Cut: Send + Sized {
    /// The first `at` agents, and the others.
    fn cut(self, at: usize) -> (Self, Self);
}

impl<T: Send> Cut for &mut [T] {
    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

impl<T: Sync> Cut for &[T] {
    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

macro_rules! cut_together {
    ($($part:ident),+) => {
        impl<$($part: Cut),+> Cut for ($($part,)+) {
            #[allow(non_snake_case)]
            fn cut(self, at: usize) -> (Self, Self) {
                let ($($part,)+) = self;
                $(let $part = $part.cut(at);)+
                (($($part.0,)+), ($($part.1,)+))
            }
        }
    };
}
cut_together!(A, B);
cut_together!(A, B, C);
cut_together!(A, B, C, D);

/// Those of a chunk whom the work is about: body indices from low to high, and the first agent of the chunk.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'a> {
    pub first: usize,
    pub list: &'a [u32],
}

impl Chosen<'_> {
    /// Each by its body index and its place in the chunk.
    pub fn each(self) -> impl Iterator<Item = (usize, usize)> {
        self.list.iter().map(move |index| (*index as usize, *index as usize - self.first))
    }
}

impl Cut for Chosen<'_> {
    fn cut(self, at: usize) -> (Self, Self) {
        let middle = self.first + at;
        let (before, after) =
            self.list.split_at(self.list.partition_point(|index| (*index as usize) < middle));
        (Self { list: before, ..self }, Self { first: middle, list: after })
    }
}

/// All of a chunk: its first agent, and how many there are.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub first: usize,
    pub count: usize,
}

impl Cut for Span {
    fn cut(self, at: usize) -> (Self, Self) {
        (Self { count: at, ..self }, Self { first: self.first + at, count: self.count - at })
    }
}

/// Into how many chunks work on so many is cut; `threads` is [`super::Config::threads`].
pub(super) fn chunks(worked_on: usize, threads: usize) -> usize {
    let most = match threads {
        0 if available() > 1 => EACH * available(),
        0 => 1,
        limit => limit,
    };
    if cfg!(feature = "parallel") { (worked_on / SMALLEST).clamp(1, most) } else { 1 }
}

/// Lets every chunk of `parts`, which are of `count` agents, be worked on: as many chunks as there are `rooms`.
pub(super) fn in_chunks<P: Cut, R: Send>(
    count: usize,
    parts: P,
    rooms: &mut [R],
    work: &(impl Fn(P, &mut R) + Sync),
) {
    let half = rooms.len() / 2;
    match rooms {
        [] => {}
        [room] => work(parts, room),
        rooms => {
            let at = count * half / rooms.len();
            let ((one, other), (its, others)) = (parts.cut(at), rooms.split_at_mut(half));
            join(|| in_chunks(at, one, its, work), || in_chunks(count - at, other, others, work));
        }
    }
}

#[cfg(feature = "parallel")]
use rayon::{current_num_threads as available, join};

#[cfg(not(feature = "parallel"))]
fn available() -> usize {
    1
}

#[cfg(not(feature = "parallel"))]
fn join(one: impl FnOnce(), other: impl FnOnce()) {
    one();
    other();
}

//! Which things belong together.

/// Things with numbers, and areas of them.
pub(super) struct Areas(Vec<u32>);

impl Areas {
    /// So many things, each an area of its own.
    pub fn new(count: usize) -> Areas {
        Areas((0..count as u32).collect())
    }
    /// The number of the area that a thing belongs to.
    pub fn of(&mut self, mut thing: u32) -> u32 {
        while self.0[thing as usize] != thing {
            let above = self.0[self.0[thing as usize] as usize];
            self.0[thing as usize] = above;
            thing = above;
        }
        thing
    }
    /// Makes the areas of two things one.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

//! What every crowd is asked to do: bodies on the ground, each with a place to go to, a step, and where they are then.

use warband::Vec3;

/// Radius of every body, m.
pub const RADIUS: f32 = 0.5;
/// Top speed of every body, m/s.
pub const SPEED: f32 = 5.0;
/// How near to its goal a body is there, m: a radius, which is what landmass takes when it is not told.
pub const THERE: f32 = RADIUS;

/// A body at the start.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Where it stands.
    pub place: Vec3,
    /// Where it wants to go; `None` for nowhere: it stands idle.
    pub goal: Option<Vec3>,
}

impl Body {
    /// One that walks.
    pub fn walks(place: Vec3, goal: Vec3) -> Self {
        Self { place, goal: Some(goal) }
    }

    /// One that stands.
    pub fn idle(place: Vec3) -> Self {
        Self { place, goal: None }
    }
}

/// Bodies that move. They keep their numbers, from 0 in the order of the start, when one of them is removed.
pub trait Crowd {
    /// Goes on by `dt` seconds.
    fn step(&mut self, dt: f32);
    /// Where body `number` is; `None` when it was removed.
    fn place(&self, number: usize) -> Option<Vec3>;
    /// Takes a body away.
    fn remove(&mut self, number: usize);
    /// How far body `number` is from where it wants to be, m; 0 for nowhere. Asked of a crowd that chooses places itself.
    fn off(&self, number: usize) -> Option<f32> {
        let _ = number;
        None
    }
}

/// A crowd system.
pub struct System {
    /// What stands above its column.
    pub name: &'static str,
    /// Makes a crowd of these bodies, and of a still one that is no agent, if any.
    pub crowd: fn(&[Body], Option<Vec3>) -> Box<dyn Crowd>,
}

/// All of them: ours first.
pub const SYSTEMS: [System; 4] = [
    System { name: "warband", crowd: |bodies, player| Box::new(crate::ours::Ours::new(bodies, player)) },
    System {
        name: "landmass 0.9.3",
        crowd: |bodies, player| Box::new(crate::islands::Islands::new(bodies, player)),
    },
    System {
        name: "dodgy_2d 0.5.5, all near neighbours given",
        crowd: |bodies, player| Box::new(crate::dodgy::Given::new(bodies, player)),
    },
    System {
        name: "dodgy_2d 0.5.5, its Simulator",
        crowd: |bodies, player| Box::new(crate::dodgy::Shipped::new(bodies, player)),
    },
];

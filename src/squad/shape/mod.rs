//! The shapes in which a squad can move and stand: where `count` bodies are, `spacing` apart, round a middle and along a
//! heading.
//!
//! A shape is a pure function of rank and count, a file each, in metres for a spacing of 1: how far ahead and how far to
//! the right of its first place. [`places`] scales and turns it and puts the mean of all places into the middle. All are the same
//! on the left as on the right of the heading, no two places are less than `spacing` apart, and a shape of one is the middle.

mod arc;
mod r#box;
mod column;
mod line;
mod two_rings;
mod wedge;

pub use two_rings::inner_share;

use crate::math::{Vec3, flat, unit_or};
use serde::{Deserialize, Serialize};

/// A shape by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Side by side, across the heading.
    #[default]
    Line,
    /// One behind the other, along the heading.
    Column,
    /// A V with its tip ahead; an even one out walks inside it.
    Wedge,
    /// Rows behind each other, as many as there are files or one fewer; the last one is centred.
    Box,
    /// A third of a circle that is open ahead, its ends foremost.
    Arc,
    /// A third of them in a ring, the others in a ring round it.
    TwoRings,
}

impl Shape {
    /// All of them.
    pub const ALL: [Shape; 6] =
        [Shape::Line, Shape::Column, Shape::Wedge, Shape::Box, Shape::Arc, Shape::TwoRings];

    /// What it is called in Lua and TOML: `line`, `column`, `wedge`, `box`, `arc`, `two_rings`.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Line => "line",
            Shape::Column => "column",
            Shape::Wedge => "wedge",
            Shape::Box => "box",
            Shape::Arc => "arc",
            Shape::TwoRings => "two_rings",
        }
    }

    /// The shape of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.name() == name)
    }

    /// Where the place of this rank is, (ahead, right), for a spacing of 1, from a point of the shape's own.
    fn offset(self, rank: usize, count: usize) -> (f32, f32) {
        match self {
            Shape::Line => line::offset(rank, count),
            Shape::Column => column::offset(rank),
            Shape::Wedge => wedge::offset(rank, count),
            Shape::Box => r#box::offset(rank, count),
            Shape::Arc => arc::offset(rank, count),
            Shape::TwoRings => two_rings::offset(rank, count),
        }
    }
}

/// Where `count` bodies stand, from the middle of them, m.
///
/// `spacing` is the least distance of two, m; below 0 and not a number count as 0. `heading` need not be a unit vector; its height does not
/// count, and without any direction it is +x. The same arguments give the same places in the same order. Nothing is allocated.
///
/// ```
/// use warband::{math::vec3, squad::shape::{Shape, places}};
/// let line: Vec<_> = places(Shape::Line, 3, 2.0, vec3(1.0, 0.0, 0.0)).collect();
/// assert_eq!(line, [vec3(0.0, 0.0, -2.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 2.0)]);
/// ```
pub fn places(
    shape: Shape,
    count: usize,
    spacing: f32,
    heading: Vec3,
) -> impl ExactSizeIterator<Item = Vec3> + Clone {
    let ahead = unit_or(flat(heading), Vec3::X);
    let right = Vec3::new(-ahead.z, 0.0, ahead.x);
    let spacing = if spacing > 0.0 { spacing.min(1e6) } else { 0.0 };
    let mean = (0..count).map(|rank| shape.offset(rank, count).0).sum::<f32>() / count.max(1) as f32;
    (0..count).map(move |rank| {
        let (forward, aside) = shape.offset(rank, count);
        (ahead * (forward - mean) + right * aside) * spacing
    })
}

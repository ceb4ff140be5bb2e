//! Looking for a place: points are laid out, sieved and ranked, all at once over flat arrays.
//!
//! A [`Query`] is a plain value that is made once and asked often: "on the ring of 6 to 12 m round the target, where
//! one can walk, in view of the target, 2 m away from every mate: the nearest to me".
//!
//! - Points come from a *layout*: a ring, a grid or a list.
//! - *Sieves* leave out points: near or far from a place, walkable, in view or hidden.
//! - *Ranks* order what is left: near to or far from a place. Without one, the nearest to the asker is the best.
//!
//! Cheap sieves and ranks look at all points, one after another; the costly ones (ground and sight) look at points in
//! the order of their rank until enough are found. A budget in work units bounds it all: a point laid out or looked
//! at by a cheap step costs one unit, by a sieve of mates one for each mate, by ground or sight [`COSTLY`]. When it is
//! spent the points not looked at are left out: the answer is the best of those that were.
//!
//! ```
//! use warband::query::{Place, Query};
//! let spot = Query::ring(Place::Target, 6.0, 12.0, 64)?
//!     .walkable()
//!     .visible_from(Place::Target)
//!     .away_from_mates(2.0)?
//!     .near(Place::Me, 1.0)?;
//! assert_eq!(spot.points(), 64);
//! # Ok::<(), warband::error::Error>(())
//! ```

mod ask;
mod cover;

pub use ask::{Asker, Found};
pub use cover::Cover;

use crate::entity::Entity;
use crate::error::{Error, ErrorKind, Result};
use crate::math::Vec3;
use std::sync::Arc;

/// How many points a query may lay out.
pub const MOST_POINTS: usize = 4096;
/// How many sieves and ranks a query may have.
pub const MOST_STEPS: usize = 16;
/// Work units of one look at the ground or one line of sight.
pub const COSTLY: u32 = 16;
/// The work units of a query that names no budget.
pub const BUDGET: u32 = 20_000;

/// A place that is found when the query is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A fixed point.
    Point(Vec3),
    /// Where the asker is.
    Me,
    /// Where the asker's squad believes its target to be.
    Target,
    /// The middle of the asker's squad.
    Squad,
    /// Where the asker was spawned.
    Home,
    /// Where a body is: a mate, or another as it is remembered.
    Body(Entity),
    /// The place of that number among those that whoever asks has at hand.
    Given(u8),
}

/// How points are laid out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Layout {
    /// Evenly over the ground between two radii.
    Ring { around: Place, inner: f32, outer: f32, count: usize },
    /// In rows, `half` to each side.
    Grid { around: Place, half: f32, spacing: f32 },
    /// As they are given.
    Points(Arc<[Vec3]>),
}

/// A sieve or a rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Within(Place, f32),
    Beyond(Place, f32),
    AwayFromMates(f32),
    Walkable,
    Visible(Place),
    Hidden(Place),
    Near(Place, f32),
    Far(Place, f32),
}

impl Step {
    fn is_costly(self) -> bool {
        matches!(self, Step::Walkable | Step::Visible(_) | Step::Hidden(_))
    }
    fn is_rank(self) -> bool {
        matches!(self, Step::Near(..) | Step::Far(..))
    }
}

/// What is looked for. See the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    layout: Layout,
    steps: Vec<Step>,
    budget: u32,
}

fn metres(what: &str, value: f32, low: f32, high: f32) -> Result<f32> {
    if value.is_finite() && (low..=high).contains(&value) {
        return Ok(value);
    }
    let message = format!("'{what}' must be {low} to {high} m, got {value}");
    Err(Error::new(ErrorKind::OutOfRange, message))
}

fn too_many(points: usize) -> Error {
    Error::new(ErrorKind::TooMany, format!("{points} points, and a query lays out {MOST_POINTS} at most"))
}

/// The longest distance in a query, in metres.
const FARTHEST: f32 = 1e5;

impl Query {
    fn of(layout: Layout) -> Self {
        Self { layout, steps: Vec::new(), budget: BUDGET }
    }

    /// `count` points (1 to 4,096), spread evenly over the ground between `inner` and `outer` metres round a place, at
    /// its height; on the circle if both are the same.
    ///
    /// # Errors
    /// Radii that are negative, the wrong way round or beyond 100 km, and a count out of range.
    pub fn ring(around: Place, inner: f32, outer: f32, count: usize) -> Result<Self> {
        metres("inner", inner, 0.0, FARTHEST)?;
        metres("outer", outer, inner, FARTHEST)?;
        if !(1..=MOST_POINTS).contains(&count) {
            return Err(too_many(count));
        }
        Ok(Self::of(Layout::Ring { around, inner, outer, count }))
    }

    /// Points in rows, `spacing` metres apart, up to `half` metres to each side of a place, at its height.
    ///
    /// # Errors
    /// A spacing that is not positive, and more than 4,096 points.
    pub fn grid(around: Place, half: f32, spacing: f32) -> Result<Self> {
        metres("half", half, 0.0, FARTHEST)?;
        metres("spacing", spacing, 0.01, FARTHEST)?;
        let side = 2 * (half / spacing) as usize + 1;
        if side.saturating_mul(side) > MOST_POINTS {
            return Err(too_many(side.saturating_mul(side)));
        }
        Ok(Self::of(Layout::Grid { around, half, spacing }))
    }

    /// These points.
    ///
    /// # Errors
    /// More than 4,096 points, or one that is not finite.
    pub fn from_points(points: &[Vec3]) -> Result<Self> {
        if points.len() > MOST_POINTS {
            return Err(too_many(points.len()));
        }
        if let Some(point) = points.iter().find(|point| !point.is_finite()) {
            return Err(Error::new(ErrorKind::NotFinite, format!("a point must be finite, got {point}")));
        }
        Ok(Self::of(Layout::Points(points.into())))
    }

    fn with(mut self, step: Step) -> Self {
        if self.steps.len() < MOST_STEPS {
            self.steps.push(step);
        }
        self
    }

    /// Whether it takes one more step; what is beyond [`MOST_STEPS`] is left out.
    pub fn has_room(&self) -> bool {
        self.steps.len() < MOST_STEPS
    }

    /// Leaves out points farther than `distance` metres from a place.
    ///
    /// # Errors
    /// A distance that is negative or not finite; so in all that follow.
    pub fn within(self, place: Place, distance: f32) -> Result<Self> {
        Ok(self.with(Step::Within(place, metres("distance", distance, 0.0, FARTHEST)?)))
    }

    /// Leaves out points nearer than `distance` metres to a place.
    ///
    /// # Errors
    /// As [`Query::within`].
    pub fn away_from(self, place: Place, distance: f32) -> Result<Self> {
        Ok(self.with(Step::Beyond(place, metres("distance", distance, 0.0, FARTHEST)?)))
    }

    /// Leaves out points nearer than `distance` metres to any other member of the squad.
    ///
    /// # Errors
    /// As [`Query::within`].
    pub fn away_from_mates(self, distance: f32) -> Result<Self> {
        Ok(self.with(Step::AwayFromMates(metres("distance", distance, 0.0, FARTHEST)?)))
    }

    /// Leaves out points where the asker's body cannot stand. A point within one radius of walkable ground counts.
    #[must_use]
    pub fn walkable(self) -> Self {
        self.with(Step::Walkable)
    }

    /// Leaves out points that are hidden from a place, from eye to eye.
    #[must_use]
    pub fn visible_from(self, place: Place) -> Self {
        self.with(Step::Visible(place))
    }

    /// Leaves out points that are in view of a place, from eye to eye: what is left is cover.
    #[must_use]
    pub fn hidden_from(self, place: Place) -> Self {
        self.with(Step::Hidden(place))
    }

    /// Ranks points the higher the nearer they are to a place. Each rank counts from 0 (the farthest point) to 1 (the
    /// nearest), times its weight; ranks are added.
    ///
    /// # Errors
    /// A weight out of 0 to 1,000.
    pub fn near(self, place: Place, weight: f32) -> Result<Self> {
        Ok(self.with(Step::Near(place, weight_of(weight)?)))
    }

    /// Ranks points the higher the farther they are from a place, as [`Query::near`] the nearer.
    ///
    /// # Errors
    /// As [`Query::near`].
    pub fn far(self, place: Place, weight: f32) -> Result<Self> {
        Ok(self.with(Step::Far(place, weight_of(weight)?)))
    }

    /// Sets how many work units it may spend. Default 20,000.
    #[must_use]
    pub fn budget(mut self, units: u32) -> Self {
        self.budget = units;
        self
    }

    /// How many points it lays out.
    pub fn points(&self) -> usize {
        match &self.layout {
            Layout::Ring { count, .. } => *count,
            Layout::Grid { half, spacing, .. } => {
                let side = 2 * (half / spacing) as usize + 1;
                side * side
            }
            Layout::Points(points) => points.len(),
        }
    }
}

pub(crate) fn weight_of(weight: f32) -> Result<f32> {
    if (0.0..=1000.0).contains(&weight) {
        return Ok(weight);
    }
    Err(Error::new(ErrorKind::OutOfRange, format!("'weight' must be 0 to 1000, got {weight}")))
}

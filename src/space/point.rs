//! A point or direction of the ground in f64, in which walls are reckoned.
//!
//! Converting an f32 is exact, so a wall at 10 km is as sharp as one at the origin.

use crate::math::{Vec3, vec3};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub x: f64,
    pub z: f64,
}

impl Point {
    pub const ZERO: Point = Point { x: 0.0, z: 0.0 };
    pub const X: Point = Point { x: 1.0, z: 0.0 };

    /// The ground part of `v`.
    pub fn of(v: Vec3) -> Point {
        Point { x: f64::from(v.x), z: f64::from(v.z) }
    }

    pub fn at_height(self, y: f32) -> Vec3 {
        vec3(self.x as f32, y, self.z as f32)
    }

    pub fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.z * other.z
    }

    /// Above 0 when `other` is counterclockwise of this one, seen with x to the right and z up.
    pub fn cross(self, other: Point) -> f64 {
        self.x * other.z - self.z * other.x
    }

    pub fn length(self) -> f64 {
        libm::sqrt(self.dot(self))
    }

    pub fn distance(self, other: Point) -> f64 {
        (self - other).length()
    }

    /// Turned clockwise by a right angle, as [`cross`](Point::cross) sees it.
    pub fn turned(self) -> Point {
        Point { x: self.z, z: -self.x }
    }

    pub fn min(self, other: Point) -> Point {
        Point { x: self.x.min(other.x), z: self.z.min(other.z) }
    }

    pub fn max(self, other: Point) -> Point {
        Point { x: self.x.max(other.x), z: self.z.max(other.z) }
    }
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, z: self.z + other.z }
    }
}

impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point { x: self.x - other.x, z: self.z - other.z }
    }
}

impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, by: f64) -> Point {
        Point { x: self.x * by, z: self.z * by }
    }
}

impl Div<f64> for Point {
    type Output = Point;
    fn div(self, by: f64) -> Point {
        Point { x: self.x / by, z: self.z / by }
    }
}

impl Neg for Point {
    type Output = Point;
    fn neg(self) -> Point {
        Point { x: -self.x, z: -self.z }
    }
}

impl AddAssign for Point {
    fn add_assign(&mut self, other: Point) {
        *self = *self + other;
    }
}

impl SubAssign for Point {
    fn sub_assign(&mut self, other: Point) {
        *self = *self - other;
    }
}

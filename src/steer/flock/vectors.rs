//! A vector of each lane, with the functions of [`crate::math`] on them, equal to those bit for bit.

use super::wide::{MOST, Wide};
use crate::math::{Vec3, vec3};
use pulp::Simd;
use std::ops::{Add, Mul, Sub};

/// One vector of each lane.
#[derive(Clone, Copy)]
pub(super) struct Vectors<S: Simd> {
    pub x: Wide<S>,
    pub y: Wide<S>,
    pub z: Wide<S>,
}

impl<S: Simd> Vectors<S> {
    /// The same vector in all lanes.
    #[inline(always)]
    pub fn all(simd: S, v: Vec3) -> Self {
        Self { x: Wide::all(simd, v.x), y: Wide::all(simd, v.y), z: Wide::all(simd, v.z) }
    }
    /// The same as three numbers.
    #[inline(always)]
    pub fn each(simd: S, [x, y, z]: &[f32; 3]) -> Self {
        Self { x: Wide::all(simd, *x), y: Wide::all(simd, *y), z: Wide::all(simd, *z) }
    }
    #[inline(always)]
    pub fn of(simd: S, rows: &[[f32; MOST]; 3]) -> Self {
        let [x, y, z] = rows;
        Self { x: Wide::of(simd, x), y: Wide::of(simd, y), z: Wide::of(simd, z) }
    }
    /// The vector of each lane.
    #[inline(always)]
    pub fn vectors(self) -> [Vec3; MOST] {
        let (x, y, z) = (self.x.numbers(), self.y.numbers(), self.z.numbers());
        let mut vectors = [Vec3::ZERO; MOST];
        for (lane, vector) in vectors.iter_mut().enumerate() {
            *vector = vec3(x[lane], y[lane], z[lane]);
        }
        vectors
    }
    #[inline(always)]
    pub fn squared(self) -> Wide<S> {
        self.x * self.x + self.y * self.y + self.z * self.z
    }
    #[inline(always)]
    pub fn length(self) -> Wide<S> {
        self.squared().sqrt()
    }
    /// It over a number of each lane.
    #[inline(always)]
    pub fn over(self, by: Wide<S>) -> Self {
        Self { x: self.x / by, y: self.y / by, z: self.z / by }
    }
    /// It where `mask` is, zero elsewhere.
    #[inline(always)]
    pub fn kept(self, keep: impl Fn(Wide<S>) -> Wide<S>) -> Self {
        Self { x: keep(self.x), y: keep(self.y), z: keep(self.z) }
    }
    /// Shortened to `limit` where it is longer.
    #[inline(always)]
    pub fn clamped(self, limit: Wide<S>) -> Self {
        let squared = self.squared();
        let longer = (limit * limit).below(squared);
        let share = limit / squared.sqrt();
        let short = self * share;
        Self {
            x: longer.pick(short.x, self.x),
            y: longer.pick(short.y, self.y),
            z: longer.pick(short.z, self.z),
        }
    }
    /// It where its length is finite, zero elsewhere.
    #[inline(always)]
    pub fn finite(self) -> Self {
        let squared = self.squared();
        let infinite = squared.same(f32::INFINITY);
        self.kept(
            #[inline(always)]
            |part| squared.below(infinite).pick(part, part.same(0.0)),
        )
    }
}

impl<S: Simd> Add for Vectors<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}
impl<S: Simd> Sub for Vectors<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}
impl<S: Simd> Mul<Wide<S>> for Vectors<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, by: Wide<S>) -> Self {
        Self { x: self.x * by, y: self.y * by, z: self.z * by }
    }
}

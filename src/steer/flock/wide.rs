//! A number of each lane, with the arithmetic that all processors share: no fused multiply-add, no estimates.

use pulp::Simd;
use std::ops::{Add, Div, Mul, Sub};

/// The most lanes that any processor has here.
pub(super) const MOST: usize = 8;

/// One number of each lane.
#[derive(Clone, Copy)]
pub(super) struct Wide<S: Simd> {
    simd: S,
    lanes: S::f32s,
}

/// Yes or no for each lane.
#[derive(Clone, Copy)]
pub(super) struct Mask<S: Simd>(S, S::m32s);

impl<S: Simd> Wide<S> {
    /// The same number in all lanes.
    #[inline(always)]
    pub fn all(simd: S, number: f32) -> Self {
        Self { simd, lanes: simd.splat_f32s(number) }
    }
    /// Another number in all lanes.
    #[inline(always)]
    pub fn same(self, number: f32) -> Self {
        Self::all(self.simd, number)
    }
    /// The first numbers, as many as there are lanes.
    #[inline(always)]
    pub fn of(simd: S, numbers: &[f32; MOST]) -> Self {
        Self { simd, lanes: S::as_simd_f32s(numbers).0[0] }
    }
    /// Its numbers; what is beyond its lanes is 0.
    #[inline(always)]
    pub fn numbers(self) -> [f32; MOST] {
        let mut numbers = [0.0; MOST];
        S::as_mut_simd_f32s(&mut numbers).0[0] = self.lanes;
        numbers
    }
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self { lanes: self.simd.sqrt_f32s(self.lanes), ..self }
    }
    /// Brought into 0..1.
    #[inline(always)]
    pub fn unit(self) -> Self {
        let simd = self.simd;
        let above = simd.max_f32s(self.lanes, simd.splat_f32s(0.0));
        Self { simd, lanes: simd.min_f32s(above, simd.splat_f32s(1.0)) }
    }
    /// Where it is below `other`.
    #[inline(always)]
    pub fn below(self, other: Self) -> Mask<S> {
        Mask(self.simd, self.simd.less_than_f32s(self.lanes, other.lanes))
    }
    /// Where it is below `other` or equals it.
    #[inline(always)]
    pub fn at_most(self, other: Self) -> Mask<S> {
        Mask(self.simd, self.simd.less_than_or_equal_f32s(self.lanes, other.lanes))
    }
    #[inline(always)]
    pub fn smaller(self, other: Self) -> Self {
        Self { lanes: self.simd.min_f32s(self.lanes, other.lanes), ..self }
    }
    #[inline(always)]
    pub fn larger(self, other: Self) -> Self {
        Self { lanes: self.simd.max_f32s(self.lanes, other.lanes), ..self }
    }
}

impl<S: Simd> Mask<S> {
    /// Where one of the two is.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        Self(self.0, self.0.or_m32s(self.1, other.1))
    }
    /// Whether it is so anywhere.
    #[inline(always)]
    pub fn any(self) -> bool {
        let lanes = self.pick(Wide::all(self.0, 1.0), Wide::all(self.0, 0.0)).numbers();
        lanes.iter().fold(false, |any, lane| any | (*lane > 0.0))
    }
    /// In which lanes it is so, one after the other.
    #[inline(always)]
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        let lanes = self.pick(Wide::all(self.0, 1.0), Wide::all(self.0, 0.0)).numbers();
        let bit = |(lane, number): (usize, &f32)| u32::from(*number > 0.0) << lane;
        let mut bits = lanes.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit);
        std::iter::from_fn(
            #[inline(always)]
            move || {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits.wrapping_sub(1);
                (lane < MOST).then_some(lane)
            },
        )
    }
    /// `yes` where it is so, `no` elsewhere.
    #[inline(always)]
    pub fn pick(self, yes: Wide<S>, no: Wide<S>) -> Wide<S> {
        Wide { simd: self.0, lanes: self.0.select_f32s(self.1, yes.lanes, no.lanes) }
    }
}

macro_rules! operator {
    ($operator:ident, $name:ident, $lanes:ident) => {
        impl<S: Simd> $operator for Wide<S> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self { lanes: self.simd.$lanes(self.lanes, other.lanes), ..self }
            }
        }
    };
}
operator!(Add, add, add_f32s);
operator!(Sub, sub, sub_f32s);
operator!(Mul, mul, mul_f32s);
operator!(Div, div, div_f32s);

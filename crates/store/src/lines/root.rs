//! Keys: packed states of up to 64 or up to 128 bits.

use std::ops::{BitAnd, BitOr, Shl, Shr};

/// A packed state. The low bits are the state, all others are 0.
pub trait Root:
    Copy
    + Eq
    + Send
    + Sync
    + std::fmt::Debug
    + std::hash::Hash
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + From<u64>
    + sealed::Sealed
{
    const BITS: u32;

    fn from_u128(bits: u128) -> Self;
    fn to_u128(self) -> u128;

    /// The low 64 bits.
    fn low(self) -> u64;
    /// The bits above them.
    fn high(self) -> u64;

    /// So many ones.
    fn mask(bits: u32) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
}

impl Root for u64 {
    const BITS: u32 = 64;

    #[inline(always)]
    fn from_u128(bits: u128) -> Self {
        bits as u64
    }

    #[inline(always)]
    fn to_u128(self) -> u128 {
        self.into()
    }

    #[inline(always)]
    fn low(self) -> u64 {
        self
    }

    #[inline(always)]
    fn high(self) -> u64 {
        0
    }

    #[inline(always)]
    fn mask(bits: u32) -> Self {
        if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
    }
}

impl Root for u128 {
    const BITS: u32 = 128;

    #[inline(always)]
    fn from_u128(bits: u128) -> Self {
        bits
    }

    #[inline(always)]
    fn to_u128(self) -> u128 {
        self
    }

    #[inline(always)]
    fn low(self) -> u64 {
        self as u64
    }

    #[inline(always)]
    fn high(self) -> u64 {
        (self >> 64) as u64
    }

    #[inline(always)]
    fn mask(bits: u32) -> Self {
        if bits == 0 { 0 } else { u128::MAX >> (128 - bits) }
    }
}

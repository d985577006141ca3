//! Keys: packed states of up to 64 or up to 128 bits.

/// A packed state. The low bits are the state, all others are 0.
pub trait Root:
    Copy + Eq + Send + Sync + std::fmt::Debug + std::hash::Hash + sealed::Sealed
{
    const BITS: u32;

    fn from_u128(bits: u128) -> Self;
    fn to_u128(self) -> u128;
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
}

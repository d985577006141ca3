//! An invertible mixing of keys, with room for bits that come later.
//!
//! The low `low` bits of a key are mixed: three xor-shifts by half of the bits and two multiplications by odd numbers modulo
//! 2^`low`, each of which can be undone. So different keys are mixed to different numbers, and the set is
//! exact. Bits above (keys of more than 64 bits, and those that keys got later) stay as they are, and are
//! folded into the low ones before. The fold of 0 is 0: when keys get another bit, those that are there
//! (with 0 in it) stay where they are, and so does their order.

use super::root::Root;

#[derive(Clone, Copy, Debug)]
pub(super) struct Mix {
    /// Bits that are mixed.
    pub(super) low: u32,
    /// Bits above.
    pub(super) above: u32,
    mask: u64,
    shift: u32,
}

/// From SplitMix64.
const A: u64 = 0xBF58_476D_1CE4_E5B9;
const B: u64 = 0x94D0_49BB_1331_11EB;
/// 2^64 divided by the golden ratio, and another odd number.
const E: u64 = 0x9E37_79B9_7F4A_7C15;
const F: u64 = 0xD6E8_FEB8_6659_FD93;
const A_INVERSE: u64 = inverse(A);
const B_INVERSE: u64 = inverse(B);
/// Fewer bits are not worth code of their own.
const FEWEST: u32 = 16;

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the bits that are right, three at first.
const fn inverse(a: u64) -> u64 {
    let mut x = a;
    let mut step = 0;
    while step < 5 {
        x = x.wrapping_mul(2_u64.wrapping_sub(a.wrapping_mul(x)));
        step += 1;
    }
    x
}

impl Mix {
    pub(super) fn new(bits: u32) -> Self {
        let low = bits.clamp(FEWEST, 64);
        Mix {
            low,
            above: bits.saturating_sub(64),
            mask: u64::MAX >> (64 - low),
            shift: low.div_ceil(2),
        }
    }

    /// For keys with more bits, at the top.
    pub(super) fn widened(self, bits: u32) -> Self {
        Mix { above: bits.saturating_sub(self.low), ..self }
    }

    #[inline(always)]
    pub(super) fn mix<R: Root>(&self, key: R) -> R {
        if self.above == 0 {
            return R::from(self.mix_low(key.low()));
        }
        let above = key >> self.low;
        R::from(self.mix_low((key.low() ^ fold(above)) & self.mask)) | above << self.low
    }

    #[inline(always)]
    pub(super) fn unmix<R: Root>(&self, mixed: R) -> R {
        let low = self.unmix_low(mixed.low() & self.mask);
        if self.above == 0 {
            return R::from(low);
        }
        let above = mixed >> self.low;
        R::from((low ^ fold(above)) & self.mask) | above << self.low
    }

    #[inline(always)]
    fn mix_low(&self, mut x: u64) -> u64 {
        x ^= x >> self.shift;
        x = x.wrapping_mul(A) & self.mask;
        x ^= x >> self.shift;
        x = x.wrapping_mul(B) & self.mask;
        x ^ x >> self.shift
    }

    #[inline(always)]
    fn unmix_low(&self, mut x: u64) -> u64 {
        // A shift by half of the bits or more undoes itself.
        x ^= x >> self.shift;
        x = x.wrapping_mul(B_INVERSE) & self.mask;
        x ^= x >> self.shift;
        x = x.wrapping_mul(A_INVERSE) & self.mask;
        x ^ x >> self.shift
    }
}

#[inline(always)]
fn fold<R: Root>(above: R) -> u64 {
    let folded = above.low().wrapping_mul(E) ^ above.high().wrapping_mul(F);
    folded ^ folded >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn can_be_undone() {
        let mut random = fastrand::Rng::with_seed(1);
        for bits in 1..=128 {
            for wider in [bits, (bits + 3).min(128), (bits + 60).min(128)] {
                let mix = Mix::new(bits).widened(wider);
                for _ in 0..300 {
                    let key = random.u128(..) & u128::MAX >> (128 - wider);
                    let mixed = mix.mix(key);
                    assert_eq!(mix.unmix(mixed), key);
                    assert!(wider < FEWEST || mixed.checked_shr(wider).unwrap_or(0) == 0);
                    if wider <= 64 {
                        assert_eq!(u128::from(mix.mix(key as u64)), mixed);
                        assert_eq!(u128::from(mix.unmix(mixed as u64)), key);
                    }
                    // Who is there stays there.
                    let old = key & u128::MAX >> (128 - bits);
                    assert_eq!(mix.mix(old), Mix::new(bits).mix(old));
                }
            }
        }
    }

    #[test]
    fn every_value_once() {
        for bits in [16, 17] {
            let mix = Mix::new(bits);
            let mut seen = vec![false; 1 << bits];
            for key in 0..1_u64 << bits {
                assert!(!std::mem::replace(&mut seen[mix.mix(key) as usize], true));
            }
        }
    }
}

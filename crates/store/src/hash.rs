//! Hashing of rows, and the hint that brings a table slot into the cache.

use lariat_core::Word;
use rapidhash::v3::{DEFAULT_RAPID_SECRETS, RapidSecrets, rapidhash_v3_nano_inline};

/// 64 well-mixed bits of a state.
#[inline]
pub fn hash(words: &[Word]) -> u64 {
    hash_seeded(words, &DEFAULT_RAPID_SECRETS)
}

/// The same with a seed of its own, for stores that need several independent functions.
#[inline]
pub fn hash_seeded(words: &[Word], seed: &RapidSecrets) -> u64 {
    rapidhash_v3_nano_inline::<true, false>(bytemuck::cast_slice(words), seed)
}

/// Asks for the cache line of `place` ahead of its use.
#[inline]
pub fn prefetch<P>(place: &P) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching has no effect on memory and accepts any address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

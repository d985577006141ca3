//! In which words two rows differ.

use lariat_core::Word;

/// Words that are compared at once.
pub(crate) const AT_ONCE: usize = 64;

/// The words of at most [`AT_ONCE`] in which two rows of the same width differ, as bits.
#[inline(always)]
pub(crate) fn differing(row: &[Word], other: &[Word]) -> u64 {
    debug_assert!(row.len() == other.len() && row.len() <= AT_ONCE);
    let (fours, rest) = row.as_chunks::<4>();
    let (other_fours, other_rest) = other.as_chunks::<4>();
    let mut bits = 0;
    for (at, (four, other)) in fours.iter().zip(other_fours).enumerate() {
        bits |= of_four(four, other) << (4 * at);
    }
    let end = 4 * fours.len();
    for (at, (word, other)) in rest.iter().zip(other_rest).enumerate() {
        bits |= u64::from(word != other) << (end + at);
    }
    bits
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn of_four(words: &[Word; 4], others: &[Word; 4]) -> u64 {
    use std::arch::x86_64::{_mm_castsi128_ps, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_ps};
    // SAFETY: SSE2 is part of every x86-64; both loads are of 16 bytes that are there.
    unsafe {
        let words = _mm_loadu_si128(words.as_ptr().cast());
        let others = _mm_loadu_si128(others.as_ptr().cast());
        let equal = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(words, others)));
        u64::from(equal as u32 ^ 0xF)
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn of_four(words: &[Word; 4], others: &[Word; 4]) -> u64 {
    let differs = words.iter().zip(others).map(|(word, other)| u64::from(word != other));
    differs.rev().fold(0, |bits, differs| bits << 1 | differs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_words() {
        for width in 1..=AT_ONCE {
            let row: Vec<Word> = (0..width as Word).collect();
            assert_eq!(differing(&row, &row), 0);
            for first in 0..width {
                let mut other = row.clone();
                other[first] = 99;
                other[width - 1] ^= 1 << 31;
                assert_eq!(differing(&row, &other), 1 << first | 1 << (width - 1));
            }
        }
    }
}

//! One cache line of the index: twelve ids, each with a byte of its hash.

use bytemuck::Zeroable;

pub(super) const SLOTS: usize = 12;

/// Free slots have print 0.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Bucket {
    pub(super) ids: [u32; SLOTS],
    /// The last four are never used.
    prints: [u8; 16],
}

// SAFETY: all fields are integers.
unsafe impl Zeroable for Bucket {}

const _: () = assert!(size_of::<Bucket>() == 64);

impl Bucket {
    /// The slots whose print is this one, as bits.
    #[inline(always)]
    pub(super) fn with_print(&self, print: u8) -> u32 {
        equal(&self.prints, print) & ((1 << SLOTS) - 1)
    }

    /// The first free slot.
    #[inline(always)]
    pub(super) fn free(&self) -> Option<usize> {
        let free = self.with_print(0);
        (free != 0).then(|| free.trailing_zeros() as usize)
    }

    #[inline(always)]
    pub(super) fn fill(&mut self, slot: usize, id: u32, print: u8) {
        self.ids[slot] = id;
        self.prints[slot] = print;
    }
}

/// Which bytes are equal to `byte`, as bits.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn equal(bytes: &[u8; 16], byte: u8) -> u32 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_set1_epi8};
    // SAFETY: SSE2 is part of every x86-64; the load is of 16 bytes that are there.
    unsafe {
        let bytes = _mm_loadu_si128(bytes.as_ptr().cast());
        _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8))) as u32
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn equal(bytes: &[u8; 16], byte: u8) -> u32 {
    bytes.iter().rev().fold(0, |bits, &other| bits << 1 | u32::from(other == byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_found_by_print() {
        let mut bucket = Bucket::zeroed();
        for (id, print) in [(5, 7), (6, 9), (7, 7)] {
            let slot = bucket.free().unwrap();
            bucket.fill(slot, id, print);
        }
        assert_eq!(bucket.with_print(7), 0b101);
        assert_eq!(bucket.with_print(9), 0b010);
        assert_eq!(bucket.with_print(1), 0);
        while let Some(slot) = bucket.free() {
            bucket.fill(slot, 0, 1);
        }
        assert_eq!(bucket.with_print(1), 0b1111_1111_1000);
    }
}

//! One cache line of the index: twelve ids of 32 bits, each with a byte of its hash. Or nine ids
//! of 40 bits, whose upper bytes are where the last three would be.

use bytemuck::{NoUninit, Zeroable};

/// How wide the ids are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    Narrow,
    Wide,
}

impl Width {
    #[inline(always)]
    pub(super) const fn slots(self) -> usize {
        match self {
            Width::Narrow => 12,
            Width::Wide => 9,
        }
    }
}

/// Free slots have print 0.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Bucket {
    ids: [u32; Width::Narrow.slots()],
    /// The last four are never used.
    prints: [u8; 16],
}

// SAFETY: all fields are integers.
unsafe impl Zeroable for Bucket {}
// SAFETY: all fields are integers, and together as large as the whole: there is no padding.
unsafe impl NoUninit for Bucket {}

const _: () = assert!(size_of::<Bucket>() == 4 * Width::Narrow.slots() + 16);

impl Bucket {
    /// The slots whose print is this one, as bits.
    #[inline(always)]
    pub(super) fn with_print(&self, print: u8, width: Width) -> u32 {
        equal(&self.prints, print) & ((1 << width.slots()) - 1)
    }

    #[inline(always)]
    pub(super) fn id(&self, slot: usize, width: Width) -> u64 {
        let low = u64::from(self.ids[slot]);
        match width {
            Width::Narrow => low,
            Width::Wide => low | u64::from(self.ids[9 + slot / 4] >> (slot % 4 * 8) & 0xFF) << 32,
        }
    }

    /// The first free slot.
    #[inline(always)]
    pub(super) fn free(&self, width: Width) -> Option<usize> {
        let free = self.with_print(0, width);
        (free != 0).then(|| free.trailing_zeros() as usize)
    }

    #[inline(always)]
    pub(super) fn fill(&mut self, slot: usize, id: u64, print: u8, width: Width) {
        self.ids[slot] = id as u32;
        if width == Width::Wide {
            self.ids[9 + slot / 4] |= ((id >> 32) as u32 & 0xFF) << (slot % 4 * 8);
        }
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
        for (width, rest) in [(Width::Narrow, 0b1111_1111_1000), (Width::Wide, 0b1_1111_1000)] {
            let mut bucket = Bucket::zeroed();
            for (id, print) in [(5, 7), (6, 9), (7, 7)] {
                let slot = bucket.free(width).unwrap();
                bucket.fill(slot, id, print, width);
            }
            assert_eq!(bucket.with_print(7, width), 0b101);
            assert_eq!(bucket.with_print(9, width), 0b010);
            assert_eq!(bucket.with_print(1, width), 0);
            while let Some(slot) = bucket.free(width) {
                bucket.fill(slot, 0, 1, width);
            }
            assert_eq!(bucket.with_print(1, width), rest);
        }
    }

    #[test]
    fn wide_ids_have_forty_bits() {
        let (mut bucket, width) = (Bucket::zeroed(), Width::Wide);
        let id = |slot: usize| 0x12_3456_789A_u64 ^ (slot as u64) << 33 ^ slot as u64;
        for slot in 0..width.slots() {
            bucket.fill(slot, id(slot), slot as u8 + 1, width);
        }
        for slot in 0..width.slots() {
            assert_eq!(bucket.id(slot, width), id(slot));
            assert_eq!(bucket.with_print(slot as u8 + 1, width), 1 << slot);
        }
    }
}

//! A zeroed array of table slots, on huge pages where the system gives them: a random probe
//! then costs one cache miss and not a walk of the page tables as well.

use lariat_core::Full;
use memmap2::{Advice, MmapMut};
use std::ops::{Index, IndexMut};
use std::sync::atomic::AtomicU64;

/// Below this size a table fits in the cache or nearly so.
const WORTH_MAPPING: usize = 1 << 18;

#[derive(Debug)]
pub(crate) struct Slots(Memory);

#[derive(Debug)]
enum Memory {
    Heap(Vec<u64>),
    Pages(MmapMut),
}

impl Slots {
    pub(crate) fn new(len: usize) -> Self {
        Slots::try_new(len).unwrap_or_else(|Full| Slots(Memory::Heap(vec![0; len])))
    }

    /// Full if the system does not give so much memory.
    pub(crate) fn try_new(len: usize) -> Result<Self, Full> {
        if len < WORTH_MAPPING {
            return Ok(Slots(Memory::Heap(vec![0; len])));
        }
        let bytes = len.checked_mul(size_of::<u64>()).ok_or(Full)?;
        let map = MmapMut::map_anon(bytes).or(Err(Full))?;
        // Refused by systems without huge pages; then plain ones serve.
        let _ = map.advise(Advice::HugePage);
        Ok(Slots(Memory::Pages(map)))
    }

    #[inline(always)]
    fn slice(&self) -> &[u64] {
        match &self.0 {
            Memory::Heap(slots) => slots,
            Memory::Pages(map) => bytemuck::cast_slice(map),
        }
    }

    /// The same slots for several threads.
    pub(crate) fn atomic(&mut self) -> &[AtomicU64] {
        const { assert!(align_of::<u64>() == align_of::<AtomicU64>()) };
        let slots: &mut [u64] = match &mut self.0 {
            Memory::Heap(slots) => slots,
            Memory::Pages(map) => bytemuck::cast_slice_mut(map),
        };
        // SAFETY: atomic numbers have the size of plain ones, every value is one, and they are aligned alike. As long as
        // this slice lives the plain ones are borrowed by it alone.
        unsafe { std::slice::from_raw_parts(slots.as_mut_ptr().cast(), slots.len()) }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.slice().len()
    }
}

impl Index<usize> for Slots {
    type Output = u64;
    #[inline(always)]
    fn index(&self, slot: usize) -> &u64 {
        &self.slice()[slot]
    }
}

impl IndexMut<usize> for Slots {
    #[inline(always)]
    fn index_mut(&mut self, slot: usize) -> &mut u64 {
        match &mut self.0 {
            Memory::Heap(slots) => &mut slots[slot],
            Memory::Pages(map) => &mut bytemuck::cast_slice_mut(map)[slot],
        }
    }
}

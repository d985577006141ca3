//! The exact store: open addressing over an arena, dense ids, no allocation per state.

use crate::hash::{hash, prefetch};
use crate::slots::Slots;
use lariat_core::{
    Arena, Batch, Full, Intern, Lossless, MAX_STATES, Pending, Remembers, States, Store, SystemId,
    SystemStore,
};
use std::ops::Range;

/// A slot of the table is the fingerprint in the high half and id + 1 in the low half;
/// 0 is free.
const FINGERPRINT: u64 = !0xFFFF_FFFF;

/// Every state whole, with a tag of type `T`.
#[derive(Debug)]
pub struct Exact<T, A> {
    rows: A,
    tags: Vec<T>,
    table: Slots,
    /// The hashes of the batch at hand.
    hashes: Vec<u64>,
    prefetch: bool,
    /// The most bytes, as a store of system states.
    limit: usize,
    most: usize,
}

impl<T: Copy + Default, A: Arena> Exact<T, A> {
    /// `rows` is an empty arena of the right width.
    pub fn new(rows: A) -> Self {
        Exact {
            rows,
            tags: Vec::new(),
            table: Slots::new(1 << 10),
            hashes: Vec::new(),
            prefetch: true,
            limit: usize::MAX,
            most: MAX_STATES,
        }
    }

    /// Takes so many states at most.
    pub fn at_most(self, states: usize) -> Self {
        Exact { most: states.min(MAX_STATES), ..self }
    }

    /// Switches the prefetching of a batch's slots; it is on by default.
    pub fn prefetch(self, prefetch: bool) -> Self {
        Exact { prefetch, ..self }
    }

    pub fn len(&self) -> usize {
        self.tags.len()
    }

    /// The slot that holds the row (`Ok`), or the free one where it belongs (`Err`).
    #[inline(always)]
    pub(crate) fn probe(&self, row: &A::Row, h: u64) -> Result<u32, usize> {
        let mask = self.table.len() - 1;
        let mut slot = h as usize & mask;
        loop {
            let entry = self.table[slot];
            if entry == 0 {
                return Err(slot);
            }
            if (entry ^ h) & FINGERPRINT == 0 {
                let id = entry as u32 - 1;
                if self.rows.get(id) == row {
                    return Ok(id);
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline(always)]
    pub(crate) fn find_or_insert(&mut self, row: &A::Row, h: u64) -> u32 {
        match self.probe(row, h) {
            Ok(id) => id,
            Err(slot) => {
                // Searches make room before they intern.
                let id = u32::try_from(self.tags.len()).expect("fewer than 2^32 states");
                self.table[slot] = h & FINGERPRINT | u64::from(id + 1);
                self.rows.push(row);
                self.tags.push(T::default());
                if self.tags.len() * 4 > self.table.len() * 3 {
                    self.fill(Slots::new(self.table.len() * 2));
                }
                id
            }
        }
    }

    /// Asks for the cache line that a probe with this hash looks at first.
    #[inline]
    pub(crate) fn prefetch_slot(&self, h: u64) {
        prefetch(&self.table[h as usize & (self.table.len() - 1)]);
    }

    #[cold]
    fn grow(&mut self, more: usize) -> Result<(), Full> {
        self.tags.try_reserve(more).or(Err(Full))?;
        self.rows.reserve(more)?;
        let mut slots = self.table.len();
        while (self.tags.len() + more) * 4 > slots * 3 {
            slots *= 2;
        }
        if slots > self.table.len() {
            self.fill(Slots::try_new(slots)?);
        }
        Ok(())
    }

    /// Takes an empty table in place of the one at hand.
    #[cold]
    fn fill(&mut self, mut table: Slots) {
        let mask = table.len() - 1;
        for id in 0..self.rows.len() as u32 {
            let h = hash(self.rows.get(id).as_ref());
            let mut slot = h as usize & mask;
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = h & FINGERPRINT | u64::from(id + 1);
        }
        self.table = table;
    }
}

impl<T: Copy + Default, A: Arena> States for Exact<T, A> {
    type Row = A::Row;
    type Id = u32;

    #[inline]
    fn row(&self, id: u32) -> &A::Row {
        self.rows.get(id)
    }
}

impl<T: Copy + Default, A: Arena> Intern for Exact<T, A> {
    fn is_lossy(&self) -> bool {
        false
    }

    #[inline]
    fn intern(&mut self, row: &A::Row) -> u32 {
        self.find_or_insert(row, hash(row.as_ref()))
    }

    #[inline]
    fn intern_all<B: Batch<Row = A::Row>>(&mut self, batch: &B, out: &mut Vec<Pending<u32>>) {
        self.hashes.clear();
        for i in 0..batch.len() {
            let h = hash(batch.row(i).as_ref());
            if self.prefetch {
                self.prefetch_slot(h);
            }
            self.hashes.push(h);
        }
        for i in (0..batch.len()).rev() {
            let h = self.hashes[i];
            out.push(Pending { dst: self.find_or_insert(batch.row(i), h), marks: batch.marks(i) });
        }
    }

    #[inline]
    fn make_room<B: Batch<Row = Self::Row>>(&mut self, batch: &B) -> Result<(), Full> {
        let more = batch.len();
        let len = self.tags.len() + more;
        if len > self.most {
            return Err(Full);
        }
        let fits = len * 4 <= self.table.len() * 3
            && len <= self.tags.capacity()
            && len <= self.rows.capacity();
        if fits { Ok(()) } else { self.grow(more) }
    }

    #[inline]
    fn release(&mut self, _id: u32) {}

    fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.tags.capacity() * size_of::<T>()
            + self.table.len() * size_of::<u64>()
    }
}

impl<T: Copy + Default + PartialEq, A: Arena> Store for Exact<T, A> {
    type Tag = T;

    #[inline]
    fn tag(&self, id: u32) -> T {
        self.tags[id as usize]
    }

    #[inline]
    fn set_tag(&mut self, id: u32, tag: T) {
        self.tags[id as usize] = tag;
    }
}

impl<T: Copy + Default + PartialEq, A: Arena> Remembers for Exact<T, A> {}

impl<T: Copy + Default + PartialEq, A: Arena> Lossless for Exact<T, A> {
    fn find(&self, row: &A::Row) -> Option<u32> {
        self.probe(row, hash(row.as_ref())).ok()
    }
}

impl<A: Arena> Exact<u32, A> {
    /// Whether so many more states are allowed. Growing takes the old and the new structures
    /// at once, three times the bytes at hand, so that much must be allowed before.
    fn check_room(&self, more: usize) -> Result<(), Full> {
        let len = self.tags.len() + more;
        let grows = len * 4 > self.table.len() * 3
            || len > self.tags.capacity()
            || len > self.rows.capacity();
        let needed = if grows { Intern::bytes(self).saturating_mul(3) } else { 0 };
        if len > self.most || needed > self.limit { Err(Full) } else { Ok(()) }
    }
}

impl<A: Arena> SystemStore for Exact<u32, A> {
    type Row = A::Row;

    fn len(&self) -> usize {
        self.tags.len()
    }

    #[inline]
    fn load(&mut self, id: SystemId) -> &A::Row {
        self.rows.get(id as u32)
    }

    fn intern(&mut self, row: &A::Row) -> Result<SystemId, Full> {
        self.check_room(1)?;
        Ok(Intern::intern(self, row).into())
    }

    fn take_in_rows<B: Batch<Row = A::Row>>(
        &mut self,
        batch: &B,
        rows: Range<usize>,
        out: &mut Vec<SystemId>,
    ) -> Result<(), Full> {
        self.check_room(rows.len())?;
        self.hashes.clear();
        for i in rows.clone() {
            let h = hash(batch.row(i).as_ref());
            self.prefetch_slot(h);
            self.hashes.push(h);
        }
        for (at, i) in rows.enumerate() {
            out.push(self.find_or_insert(batch.row(i), self.hashes[at]).into());
        }
        Ok(())
    }

    fn knows(&mut self, row: &A::Row) -> Option<bool> {
        Some(self.probe(row, hash(row.as_ref())).is_ok())
    }

    fn bytes(&self) -> usize {
        Intern::bytes(self)
    }

    fn forget_states(&mut self) {
        self.rows.truncate(0);
        self.tags.clear();
        self.table = Slots::new(1 << 10);
    }

    fn limit_bytes(&mut self, limit: usize) {
        self.limit = limit;
    }
}

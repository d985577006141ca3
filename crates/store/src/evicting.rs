//! A table of bounded size that forgets (state-space caching, RDKP §6): what `get` returns was
//! inserted, but what was inserted may be gone.
//!
//! Buckets of four slots, one cache line for two buckets. A full bucket gives up a slot
//! chosen at random, so that no search order is the worst case.

use crate::hash::prefetch;
use lariat_core::Arena;

const WAYS: usize = 4;

/// The fingerprint in the high half of a slot; index + 1 is in the low half, 0 is free.
const FINGERPRINT: u64 = !0xFFFF_FFFF;

/// Rows with a value each, at most as many as the table has room for.
#[derive(Debug)]
pub struct Evicting<A, T = ()> {
    slots: Vec<[u64; WAYS]>,
    rows: A,
    values: Vec<T>,
    dice: u64,
}

impl<A: Arena, T: Copy> Evicting<A, T> {
    /// `rows` is an empty arena of the right width. The table has room for at least `room`
    /// rows, rounded up to a power of two; memory for rows is taken as they come.
    pub fn new(rows: A, room: usize) -> Self {
        let buckets = room.div_ceil(WAYS).next_power_of_two();
        assert!(buckets < 1 << 29, "fewer than 2^31 rows");
        Evicting {
            slots: vec![[0; WAYS]; buckets],
            rows,
            values: Vec::new(),
            dice: 0x9E37_79B9_7F4A_7C15,
        }
    }

    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn index(&self, row: &A::Row, hash: u64) -> Option<u32> {
        self.slots[self.bucket(hash)].iter().find_map(|&slot| {
            let index = (slot as u32).checked_sub(1)?;
            ((slot ^ hash) & FINGERPRINT == 0 && self.rows.get(index) == row).then_some(index)
        })
    }

    #[inline]
    pub fn get_hashed(&self, row: &A::Row, hash: u64) -> Option<T> {
        self.index(row, hash).map(|index| self.values[index as usize])
    }

    /// Puts the row in or changes its value. A new row may push another out.
    #[inline]
    pub fn insert_hashed(&mut self, row: &A::Row, hash: u64, value: T) {
        if let Some(index) = self.index(row, hash) {
            self.values[index as usize] = value;
            return;
        }
        let bucket = self.bucket(hash);
        let (way, index) = match self.slots[bucket].iter().position(|&slot| slot == 0) {
            Some(free) => {
                let index = self.values.len() as u32;
                self.rows.push(row);
                self.values.push(value);
                (free, index)
            }
            None => {
                let victim = self.roll();
                let index = self.slots[bucket][victim] as u32 - 1;
                self.rows.set(index, row);
                self.values[index as usize] = value;
                (victim, index)
            }
        };
        self.slots[bucket][way] = hash & FINGERPRINT | u64::from(index + 1);
    }

    /// A way at random (xorshift64).
    fn roll(&mut self) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        (self.dice >> 32) as usize % WAYS
    }

    /// Asks for the bucket of a state ahead of its use.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.slots[self.bucket(hash)]);
    }

    /// Rows in the table now.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<[u64; WAYS]>()
            + self.rows.bytes()
            + self.values.capacity() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::hash;

    fn insert<A: Arena, T: Copy>(table: &mut Evicting<A, T>, row: &A::Row, value: T) {
        table.insert_hashed(row, hash(row.as_ref()), value);
    }

    fn get<A: Arena, T: Copy>(table: &Evicting<A, T>, row: &A::Row) -> Option<T> {
        table.get_hashed(row, hash(row.as_ref()))
    }

    #[test]
    fn nothing_is_forgotten_while_there_is_room() {
        let mut table = Evicting::new(Vec::<[u32; 2]>::new(), 1 << 12);
        for state in 0..256 {
            insert(&mut table, &[state, 1], state);
        }
        assert_eq!(table.len(), 256);
        assert!((0..256).all(|state| get(&table, &[state, 1]) == Some(state)));
        assert_eq!(get(&table, &[0, 2]), None);
    }

    #[test]
    fn a_full_table_forgets_and_never_invents() {
        let mut table = Evicting::new(Vec::<[u32; 1]>::new(), 64);
        for state in 0..10_000 {
            insert(&mut table, &[state], state * 2);
            assert_eq!(get(&table, &[state]), Some(state * 2), "the newest is there");
        }
        assert_eq!(table.len(), 64);
        let kept = (0..20_000).filter_map(|state| Some((state, get(&table, &[state])?)));
        let kept: Vec<_> = kept.collect();
        assert_eq!(kept.len(), 64);
        assert!(kept.iter().all(|&(state, value)| value == state * 2));
    }

    #[test]
    fn a_second_insertion_changes_the_value() {
        let mut table = Evicting::new(Vec::<[u32; 1]>::new(), 1);
        insert(&mut table, &[3], 'a');
        insert(&mut table, &[3], 'b');
        assert_eq!((get(&table, &[3]), table.len()), (Some('b'), 1));
    }
}

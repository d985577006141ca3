//! Hash compaction (Wolper and Leroy, *Reliable hashing without collision detection*, CAV 1993): of
//! each state a fingerprint is kept, which another state may have as well.
//!
//! An entry is the fingerprint and, in its lowest four bits, what is known of the state. It has four
//! to eight bytes. The place of an entry follows from its fingerprint alone, so the table can grow
//! without the states.

use crate::closed::Closed;
use crate::hash::{hash_seeded, prefetch};
use lariat_core::{Full, Word};
use rapidhash::v3::RapidSecrets;

/// The low bits of an entry that are not part of the fingerprint.
const BITS: u32 = 4;
/// The table is filled to this part before it grows by half.
const FILL: (usize, usize) = (5, 6);
const FEWEST: usize = 1 << 10;

/// A table of fingerprints.
pub struct Fingerprints {
    /// Entries, and eight bytes more, so that a word can be read at each.
    bytes: Vec<u8>,
    /// Bytes of an entry.
    size: usize,
    slots: usize,
    len: usize,
    seed: RapidSecrets,
}

impl Fingerprints {
    /// `bits` of each state, of which four are not part of the fingerprint: 32, 40, 48, 56 or 64.
    pub fn new(bits: u32, seed: u64) -> Self {
        let size = (bits as usize / 8).clamp(4, 8);
        let bytes = vec![0; FEWEST * size + 8];
        Fingerprints { bytes, size, slots: FEWEST, len: 0, seed: RapidSecrets::seed(seed) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Bits of a fingerprint.
    pub fn width(&self) -> u32 {
        self.size as u32 * 8 - BITS
    }

    #[inline]
    fn read(&self, slot: usize) -> u64 {
        let word: [u8; 8] = self.bytes[slot * self.size..][..8].try_into().expect("eight bytes");
        u64::from_le_bytes(word) & (u64::MAX >> (64 - 8 * self.size))
    }

    #[inline]
    fn write(&mut self, slot: usize, entry: u64) {
        let size = self.size;
        self.bytes[slot * size..][..size].copy_from_slice(&entry.to_le_bytes()[..size]);
    }

    /// The entry of a state of which nothing is known; never 0.
    #[inline]
    fn entry(&self, hash: u64) -> u64 {
        (hash >> (64 - self.width())).max(1) << BITS
    }

    #[inline]
    fn home(&self, entry: u64) -> usize {
        // Fingerprints are high bits of a hash already; a table of many slots wants them mixed.
        let mixed = (entry >> BITS).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((u128::from(mixed) * self.slots as u128) >> 64) as usize
    }

    /// Where the fingerprint of an entry is, or else where it belongs.
    #[inline]
    fn find(&self, entry: u64) -> Result<usize, usize> {
        let mut slot = self.home(entry);
        loop {
            let found = self.read(slot);
            if found >> BITS == entry >> BITS {
                return Ok(slot);
            }
            if found == 0 {
                return Err(slot);
            }
            slot += 1;
            if slot == self.slots {
                slot = 0;
            }
        }
    }

    fn capacity(&self) -> usize {
        self.slots * FILL.0 / FILL.1
    }

    #[cold]
    fn grow(&mut self, slots: usize) -> Result<(), Full> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(slots * self.size + 8).or(Err(Full))?;
        bytes.resize(slots * self.size + 8, 0);
        let new = Fingerprints { bytes, slots, seed: self.seed, ..*self };
        let old = std::mem::replace(self, new);
        for slot in 0..old.slots {
            let entry = old.read(slot);
            if entry != 0
                && let Err(free) = self.find(entry)
            {
                self.write(free, entry);
            }
        }
        Ok(())
    }
}

impl Closed for Fingerprints {
    #[inline]
    fn hash(&self, row: &[Word]) -> u64 {
        hash_seeded(row, &self.seed)
    }

    #[inline]
    fn bits_of(&self, hash: u64) -> u64 {
        let bits = u64::MAX >> (64 - BITS);
        self.find(self.entry(hash)).map_or(0, |slot| self.read(slot) & bits)
    }

    #[inline]
    fn set_bits(&mut self, hash: u64, bits: u64) {
        let entry = self.entry(hash);
        match self.find(entry) {
            Ok(slot) => self.write(slot, self.read(slot) | bits),
            Err(_) if bits == 0 => {}
            Err(slot) => {
                self.len += 1;
                assert!(self.len < self.slots, "somebody has made room");
                self.write(slot, entry | bits);
            }
        }
    }

    fn make_room(&mut self, more: usize, spare: usize) -> Result<(), Full> {
        if self.len + more <= self.capacity() {
            return Ok(());
        }
        let least = (self.len + more) * FILL.1 / FILL.0 + 2;
        let slots = (self.slots + self.slots / 2).max(least);
        // The old entries and the new ones are there at once.
        if slots * self.size > spare {
            return Err(Full);
        }
        self.grow(slots)
    }

    #[inline]
    fn prefetch(&self, hash: u64) {
        prefetch(&self.bytes[self.home(self.entry(hash)) * self.size]);
    }

    fn bytes(&self) -> usize {
        self.bytes.capacity()
    }
}

impl std::fmt::Debug for Fingerprints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fingerprints({} of {} bits)", self.len, self.width())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_is_found_through_growth() {
        for bits in [32, 40, 48, 56, 64] {
            let mut prints = Fingerprints::new(bits, 1);
            for state in 0..20_000 {
                prints.make_room(1, usize::MAX).unwrap();
                let hash = prints.hash(&[state]);
                prints.set_bits(hash, 1 << (state % 4));
            }
            for state in 0..20_000 {
                let bits = prints.bits_of(prints.hash(&[state]));
                assert_eq!(bits & 1 << (state % 4), 1 << (state % 4));
            }
            let confused = (20_000..40_000).filter(|&s| prints.bits_of(prints.hash(&[s])) != 0);
            assert!(confused.count() < 20);
            assert!(prints.len() > 19_990 && prints.len() <= 20_000);
        }
    }

    #[test]
    fn no_bits_take_no_room_and_the_limit_holds() {
        let mut prints = Fingerprints::new(64, 1);
        for state in 0..5_000 {
            prints.set_bits(prints.hash(&[state]), 0);
        }
        assert_eq!(prints.len(), 0);
        assert_eq!(prints.make_room(1 << 20, 1 << 20), Err(Full));
        assert_eq!(prints.make_room(1 << 10, 1 << 20), Ok(()));
    }
}

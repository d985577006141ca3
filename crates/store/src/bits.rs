//! Bit-state hashing: a set of states as a bit array with k hash functions (HPY-era
//! supertrace; Holzmann, *An analysis of bitstate hashing*; Bloom's filter).
//!
//! `contains` may be wrong in one direction only: a state that was inserted is always found,
//! one that was not may be found too. Another seed gives other functions, so that repeated
//! runs miss different states (GS §1).

use crate::hash::{hash_seeded, prefetch};
use lariat_core::Word;
use rapidhash::v3::RapidSecrets;

/// A lossy set of states.
#[derive(Clone)]
pub struct Bits {
    words: Vec<u64>,
    functions: u32,
    seed: RapidSecrets,
    inserted: u64,
}

impl Bits {
    /// An array of `2^log_bits` bits (at least 64) with `functions` hash functions (at least
    /// one).
    pub fn new(log_bits: u32, functions: u32, seed: u64) -> Self {
        Bits {
            words: vec![0; 1 << log_bits.saturating_sub(6)],
            functions: functions.max(1),
            seed: RapidSecrets::seed(seed),
            inserted: 0,
        }
    }

    /// What [`Bits::contains_hash`] and [`Bits::insert_hash`] want; the same for all arrays
    /// of one seed.
    #[inline]
    pub fn hash(&self, row: &[Word]) -> u64 {
        hash_seeded(row, &self.seed)
    }

    /// The places of a state. Kirsch and Mitzenmacher, *Less hashing, same performance*: two
    /// independent values make k functions; the second is odd, so all k places differ.
    #[inline]
    fn places(&self, hash: u64) -> impl Iterator<Item = (usize, u64)> + use<> {
        let mask = self.words.len() as u64 * 64 - 1;
        let step = second(hash) | 1;
        (0..u64::from(self.functions)).map(move |i| {
            let bit = hash.wrapping_add(i.wrapping_mul(step)) & mask;
            ((bit / 64) as usize, 1 << (bit % 64))
        })
    }

    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        self.places(hash).all(|(word, bit)| self.words[word] & bit != 0)
    }

    /// Whether the state is new to the set.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        let mut new = false;
        for (word, bit) in self.places(hash) {
            new |= self.words[word] & bit == 0;
            self.words[word] |= bit;
        }
        self.inserted += u64::from(new);
        new
    }

    #[inline]
    pub fn contains(&self, row: &[Word]) -> bool {
        self.contains_hash(self.hash(row))
    }

    #[inline]
    pub fn insert(&mut self, row: &[Word]) -> bool {
        self.insert_hash(self.hash(row))
    }

    /// Asks for the first place of a state ahead of its use.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.words[(hash / 64) as usize & (self.words.len() - 1)]);
    }

    /// How many states were new when inserted.
    pub fn len(&self) -> u64 {
        self.inserted
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bits")
            .field("bits", &(self.words.len() * 64))
            .field("functions", &self.functions)
            .field("inserted", &self.inserted)
            .finish()
    }
}

/// Another 64 bits from a hash: multiply, then fold the high half in.
#[inline]
fn second(hash: u64) -> u64 {
    let mixed = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_inserted_is_found() {
        let mut bits = Bits::new(10, 3, 1);
        for state in 0..1000 {
            bits.insert(&[state, 7]);
        }
        assert!((0..1000).all(|state| bits.contains(&[state, 7])));
        assert!(bits.len() <= 1000);
    }

    /// With 16 bits a state and 3 functions about 0.5 % are taken for old ones:
    /// (1 - e^(-3/16))^3.
    #[test]
    fn false_positives_are_as_rare_as_the_formula_says() {
        let mut bits = Bits::new(20, 3, 42);
        for state in 0..1 << 16 {
            bits.insert(&[state]);
        }
        let false_positives =
            (1 << 16..2 << 16).filter(|&state| bits.contains(&[state])).count() as f64;
        let rate = false_positives / f64::from(1 << 16);
        assert!((0.0035..0.0065).contains(&rate), "rate {rate}");
    }

    #[test]
    fn another_seed_confuses_other_states() {
        let confused = |seed| {
            let mut bits = Bits::new(8, 2, seed);
            (0..100).filter(|&state| !bits.insert(&[state])).collect::<Vec<u32>>()
        };
        assert_ne!(confused(1), confused(2));
    }

    #[test]
    fn the_smallest_array_works() {
        let mut bits = Bits::new(0, 0, 0);
        assert!(bits.insert(&[5]));
        assert!(bits.contains(&[5]));
        assert_eq!(bits.bytes(), 8);
    }
}

//! Bit-state hashing: a set of states as a bit array with k hash functions (HPY-era
//! supertrace; Holzmann, *An analysis of bitstate hashing*; Bloom's filter).
//!
//! `contains` may be wrong in one direction only: a state that was inserted is always found,
//! one that was not may be found too. Another seed gives other functions, so that repeated
//! runs miss different states (GS §1).
//!
//! Several arrays of equal size, one for each colour of a search, lie interleaved: the bits of
//! a state in all of them are neighbours and cost one cache miss together.

use crate::closed::Closed;
use crate::hash::{hash_seeded, prefetch};
use crate::slots::Slots;
use crate::visited::{Entered, Visited};
use lariat_core::{Full, Word};
use rapidhash::v3::RapidSecrets;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A lossy set of states, or several of them side by side.
pub struct Bits {
    words: Slots,
    /// Sets side by side: a power of two.
    sets: u32,
    functions: u32,
    seed: RapidSecrets,
    inserted: u64,
}

impl Bits {
    /// An array of `2^log_bits` bits (at least 64) with `functions` hash functions (at least
    /// one).
    pub fn new(log_bits: u32, functions: u32, seed: u64) -> Self {
        Bits::side_by_side(1, log_bits, functions, seed)
    }

    /// `sets` sets (rounded up to a power of two, at most 64) that share the `2^log_bits` bits.
    pub fn side_by_side(sets: u32, log_bits: u32, functions: u32, seed: u64) -> Self {
        Bits::try_side_by_side(sets, log_bits, functions, seed).expect("memory for the bits")
    }

    /// The same; [`Full`] if the system does not give so much memory.
    pub fn try_side_by_side(
        sets: u32,
        log_bits: u32,
        functions: u32,
        seed: u64,
    ) -> Result<Self, Full> {
        assert!(sets <= 64, "a cell lies within one word");
        Ok(Bits {
            words: Slots::try_new(1 << log_bits.saturating_sub(6))?,
            sets: sets.next_power_of_two(),
            functions: functions.max(1),
            seed: RapidSecrets::seed(seed),
            inserted: 0,
        })
    }

    /// What [`Bits::contains_hash`] and [`Bits::insert_hash`] want; the same for all arrays
    /// of one seed.
    #[inline]
    pub fn hash(&self, row: &[Word]) -> u64 {
        hash_seeded(row, &self.seed)
    }

    #[inline]
    fn cells(&self, hash: u64) -> impl Iterator<Item = (usize, u32)> + use<> {
        cells(hash, self.words.len(), self.sets, self.functions)
    }

    /// The first of these sets, for several threads at once.
    pub fn shared(&mut self) -> SharedBits<'_> {
        let Bits { words, sets, functions, seed, .. } = self;
        SharedBits { words: words.atomic(), sets: *sets, functions: *functions, seed }
    }

    /// The sets that the state is in, one bit for each.
    #[inline]
    pub fn sets_of(&self, hash: u64) -> u64 {
        let mut sets = u64::MAX >> (64 - self.sets);
        for (word, shift) in self.cells(hash) {
            sets &= self.words[word] >> shift;
            if sets == 0 {
                break;
            }
        }
        sets
    }

    /// Puts the state into these sets.
    #[inline]
    pub fn put(&mut self, hash: u64, sets: u64) {
        for (word, shift) in self.cells(hash) {
            self.words[word] |= sets << shift;
        }
    }

    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        self.sets_of(hash) & 1 == 1
    }

    /// Whether the state is new to the set.
    #[inline]
    pub fn insert_hash(&mut self, hash: u64) -> bool {
        let new = !self.contains_hash(hash);
        if new {
            self.put(hash, 1);
            self.inserted += 1;
        }
        new
    }

    /// Asks for all places of a state ahead of their use: a state that is known is looked for at each.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        self.cells(hash).for_each(|(word, _)| prefetch(&self.words[word]));
    }

    /// How many states were new when inserted one by one.
    pub fn len(&self) -> u64 {
        self.inserted
    }

    pub fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    /// How many bits there are, and how many of them are set.
    pub fn filling(&self) -> (u64, u64) {
        let ones = (0..self.words.len()).map(|word| u64::from(self.words[word].count_ones()));
        (self.words.len() as u64 * 64, ones.sum())
    }

    /// Hash functions.
    pub fn functions(&self) -> u32 {
        self.functions
    }
}

impl Closed for Bits {
    #[inline]
    fn hash(&self, row: &[Word]) -> u64 {
        Bits::hash(self, row)
    }

    #[inline]
    fn bits_of(&self, hash: u64) -> u64 {
        self.sets_of(hash)
    }

    #[inline]
    fn set_bits(&mut self, hash: u64, bits: u64) {
        self.put(hash, bits);
    }

    #[inline]
    fn prefetch(&self, hash: u64) {
        Bits::prefetch(self, hash);
    }

    fn bytes(&self) -> usize {
        Bits::bytes(self)
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

/// The cells of a state, as word and shift. Kirsch and Mitzenmacher, *Less hashing, same
/// performance*: two independent values make k functions; the second is odd, so all k
/// cells differ.
#[inline]
fn cells(
    hash: u64,
    words: usize,
    sets: u32,
    functions: u32,
) -> impl Iterator<Item = (usize, u32)> + use<> {
    let per_word = 64 / sets;
    let shift = per_word.trailing_zeros();
    let mask = words as u64 * u64::from(per_word) - 1;
    let step = second(hash) | 1;
    (0..u64::from(functions)).map(move |i| {
        let cell = hash.wrapping_add(i.wrapping_mul(step)) & mask;
        ((cell >> shift) as usize, cell as u32 % per_word * sets)
    })
}

/// A set that several threads fill.
///
/// Bits are only ever set, each in one step, and nothing else is read because a bit is set: so no order is needed, and all are relaxed. A
/// state is new to whoever sets one of its bits. If two threads enter it at once it may be new to both, which costs
/// time only; and it is new to one of them, as somebody sets the last of its bits that was not set.
#[derive(Clone, Copy)]
pub struct SharedBits<'b> {
    words: &'b [AtomicU64],
    sets: u32,
    functions: u32,
    seed: &'b RapidSecrets,
}

impl SharedBits<'_> {
    fn cells(&self, row: &[Word]) -> impl Iterator<Item = (&AtomicU64, u64)> {
        let hash = hash_seeded(row, self.seed);
        cells(hash, self.words.len(), self.sets, self.functions)
            .map(|(word, shift)| (&self.words[word], 1 << shift))
    }
}

impl Visited for SharedBits<'_> {
    type Key = ();
    const LOSSY: bool = true;

    #[inline]
    fn prefetch(&self, row: &[Word]) {
        self.cells(row).for_each(|(word, _)| prefetch(word));
    }

    #[inline]
    fn has(&mut self, row: &[Word]) -> Result<bool, Full> {
        Ok(self.cells(row).all(|(word, bit)| word.load(Relaxed) & bit != 0))
    }

    #[inline]
    fn enter(&mut self, row: &[Word]) -> Result<Entered<()>, Full> {
        let mut is_new = false;
        for (word, bit) in self.cells(row) {
            if word.load(Relaxed) & bit == 0 {
                is_new |= word.fetch_or(bit, Relaxed) & bit == 0;
            }
        }
        Ok(if is_new { Entered::New(()) } else { Entered::Known })
    }

    fn hold(&mut self, _row: &[Word]) -> Result<Option<()>, Full> {
        Ok(Some(()))
    }

    fn bytes(&self) -> usize {
        size_of_val(self.words)
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

    fn insert(bits: &mut Bits, row: &[Word]) -> bool {
        bits.insert_hash(bits.hash(row))
    }

    fn contains(bits: &Bits, row: &[Word]) -> bool {
        bits.contains_hash(bits.hash(row))
    }

    #[test]
    fn threads_together_find_each_state_new_once_or_more_and_all_are_there() {
        let (threads, states) = (4, 20_000);
        let mut bits = Bits::new(20, 3, 1);
        let shared = bits.shared();
        let new: Vec<u32> = std::thread::scope(|scope| {
            let enter = |thread: u32| {
                let mut mine = shared;
                // Each enters all, beginning elsewhere.
                let all = (0..states).map(|at| (at + thread * states / threads) % states);
                all.filter(|&at| mine.enter(&[at]).unwrap() != Entered::Known).count() as u32
            };
            let started: Vec<_> =
                (0..threads).map(|thread| scope.spawn(move || enter(thread))).collect();
            started.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!((0..states).all(|at| contains(&bits, &[at])));
        // The same array as one thread makes, and not fewer new ones than it finds.
        let mut alone = Bits::new(20, 3, 1);
        let found = (0..states).filter(|&at| insert(&mut alone, &[at])).count() as u32;
        assert_eq!(bits.filling(), alone.filling());
        assert!(new.iter().sum::<u32>() * 1_000 >= found * 999, "{new:?} for {found}");
    }

    #[test]
    fn what_was_inserted_is_found() {
        let mut bits = Bits::new(10, 3, 1);
        for state in 0..1000 {
            insert(&mut bits, &[state, 7]);
        }
        assert!((0..1000).all(|state| contains(&bits, &[state, 7])));
        assert!(bits.len() <= 1000);
    }

    /// With 16 bits a state and 3 functions about 0.5 % are taken for old ones:
    /// (1 - e^(-3/16))^3.
    #[test]
    fn false_positives_are_as_rare_as_the_formula_says() {
        let mut bits = Bits::new(20, 3, 42);
        for state in 0..1 << 16 {
            insert(&mut bits, &[state]);
        }
        let false_positives =
            (1 << 16..2 << 16).filter(|&state| contains(&bits, &[state])).count() as f64;
        let rate = false_positives / f64::from(1 << 16);
        assert!((0.0035..0.0065).contains(&rate), "rate {rate}");
    }

    #[test]
    fn another_seed_confuses_other_states() {
        let confused = |seed| {
            let mut bits = Bits::new(8, 2, seed);
            (0..100).filter(|&state| !insert(&mut bits, &[state])).collect::<Vec<u32>>()
        };
        assert_ne!(confused(1), confused(2));
    }

    #[test]
    fn sets_side_by_side_do_not_mix() {
        let mut bits = Bits::side_by_side(3, 16, 2, 9);
        for state in 0..300 {
            let hash = bits.hash(&[state]);
            bits.put(hash, u64::from(state) % 8);
        }
        let wrong = (0..300).filter(|&state| {
            let sets = bits.sets_of(bits.hash(&[state]));
            assert_eq!(sets & (u64::from(state) % 8), u64::from(state) % 8, "found again");
            sets != u64::from(state) % 8
        });
        assert!(wrong.count() < 5);
        assert!(bits.sets_of(bits.hash(&[301])) < 8);
    }

    #[test]
    fn the_smallest_array_works() {
        let mut bits = Bits::new(0, 0, 0);
        assert!(insert(&mut bits, &[5]));
        assert!(contains(&bits, &[5]));
        assert_eq!((bits.bytes(), bits.filling()), (8, (64, 1)));
    }
}

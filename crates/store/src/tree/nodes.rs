//! Pairs of numbers, numbered by all threads together: parts above the groups, where threads share a tree.
//!
//! A pair has one number, which means it for ever. Pairs lie in blocks that never move, and are found by an *index*: a hash
//! table of numbers, each with some bits of its pair's hash.
//!
//! **Who may write what when.** Only who has the mutex writes: the pair to the place of the next number (relaxed), then the number to a
//! free place of the newest index (release). Nothing else is ever changed. Who sees a number in an index (acquire) sees its pair. Who
//! has a number from a root was handed that root, by a mutex or at a meeting, by a thread that has seen the number or
//! given it; so the pair was written before.
//!
//! **A look without the mutex** finds nothing wrong, but may find too little: the index may be an old one, and a place that it has found
//! free may be taken meanwhile. So who finds nothing takes the mutex and looks once more in the newest index, where all numbers
//! are, and gives a number only if there is none: hence a pair has one number.
//!
//! An index that is full is replaced by one of twice the size, under the mutex. Threads look in their old one until they find nothing there; its
//! bytes are given back to the budget when nobody has it any more.

use crate::lines::Budget;
use crate::pairs::hash;
use crate::protocol::{Part, has};
#[cfg(all(feature = "loom", test))]
use ::loom::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicU32, AtomicU64},
};
use lariat_core::Full;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{Arc, OnceLock, PoisonError};
#[cfg(not(all(feature = "loom", test)))]
use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicU32, AtomicU64},
};

/// The first blocks have a quarter of so many pairs, by their bits; under loom every place costs.
const FIRST: u32 = if cfg!(all(feature = "loom", test)) { 2 } else { 10 };
/// Bits of a number at most.
const NUMBER: u32 = 31;
/// Four blocks of equal size, four of twice the size, and so on: so a quarter of the places is free at most.
const BLOCKS: usize = 4 * (NUMBER + 1 - FIRST) as usize;
/// Places of the first index, by their bits.
const FIRST_INDEX: u32 = if cfg!(all(feature = "loom", test)) { 2 } else { 8 };

/// All pairs of one part.
#[derive(Debug)]
pub(super) struct Nodes {
    blocks: [OnceLock<Box<[AtomicU64]>>; BLOCKS],
    newest: Mutex<Newest>,
    budget: Arc<Budget>,
}

#[derive(Debug)]
struct Newest {
    len: u32,
    index: Arc<Index>,
    /// Of all blocks.
    bytes: usize,
}

/// Number + 1 in the low bits, bits of the hash above; 0 is free.
#[derive(Debug)]
pub(super) struct Index {
    slots: Box<[AtomicU32]>,
    /// A number has so many bits.
    bits: u32,
    budget: Arc<Budget>,
}

/// A thread's way to them.
#[derive(Clone, Debug)]
pub(super) struct Known {
    nodes: Arc<Nodes>,
    index: Arc<Index>,
}

impl Index {
    fn new(bits: u32, budget: &Arc<Budget>) -> Result<Self, Full> {
        budget.take(size_of::<AtomicU32>() << bits)?;
        let slots = (0..1_usize << bits).map(|_| AtomicU32::new(0)).collect();
        Ok(Index { slots, bits, budget: budget.clone() })
    }

    /// Numbers that it has place for.
    fn room(&self) -> usize {
        self.slots.len() / 8 * 7 + self.slots.len() % 8 / 2
    }

    /// The place where the search for a hash begins, and what is above a number there.
    #[inline(always)]
    fn home(&self, hash: u64) -> (usize, u32) {
        (hash as usize, (hash >> 32) as u32 >> self.bits << self.bits)
    }

    #[inline(always)]
    fn slot(&self, at: usize) -> &AtomicU32 {
        &self.slots[at & (self.slots.len() - 1)]
    }

    /// By who has the mutex.
    fn put(&self, number: u32, hash: u64) {
        let (mut at, above) = self.home(hash);
        while self.slot(at).load(Relaxed) != 0 {
            at += 1;
        }
        let order = if has(Part::Release) { Release } else { Relaxed };
        self.slot(at).store(above | (number + 1), order);
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        self.budget.give_back(size_of::<AtomicU32>() << self.bits);
    }
}

/// The block of a number, and its place there.
#[inline(always)]
fn place(number: u32) -> (usize, usize) {
    let at = u64::from(number) + (1 << FIRST);
    let octave = at.ilog2();
    let quarter = (at >> (octave - 2)) as u32 & 3;
    (((octave - FIRST) * 4 + quarter) as usize, (at & ((1 << (octave - 2)) - 1)) as usize)
}

/// How many places a block has.
fn block_len(block: usize) -> usize {
    1 << (block / 4 + FIRST as usize - 2)
}

impl Nodes {
    fn new(budget: &Arc<Budget>) -> Result<Self, Full> {
        let index = Arc::new(Index::new(FIRST_INDEX, budget)?);
        let newest = Mutex::new(Newest { len: 0, index, bytes: 0 });
        Ok(Nodes { blocks: [const { OnceLock::new() }; BLOCKS], newest, budget: budget.clone() })
    }

    /// A number is given whole or not at all, so what a thread leaves behind that panics is sound.
    fn lock(&self) -> MutexGuard<'_, Newest> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(self: &Arc<Self>) -> Known {
        Known { nodes: self.clone(), index: self.lock().index.clone() }
    }

    #[inline(always)]
    fn get(&self, number: u32) -> u64 {
        let (block, at) = place(number);
        self.blocks[block].get().expect("its number was given")[at].load(Relaxed)
    }

    #[inline(always)]
    fn find(&self, index: &Index, node: u64, hash: u64) -> Option<u32> {
        let (mut at, above) = index.home(hash);
        loop {
            let slot = index.slot(at).load(Acquire);
            if slot == 0 {
                return None;
            }
            if slot >> index.bits == above >> index.bits {
                let number = (slot ^ above) - 1;
                if self.get(number) == node {
                    return Some(number);
                }
            }
            at += 1;
        }
    }

    /// Gives a pair a number if it has none; the newest index is used from now on.
    #[cold]
    fn add(&self, index: &mut Arc<Index>, node: u64, hash: u64) -> Result<u32, Full> {
        let mut newest = self.lock();
        let known = self.find(&newest.index, node, hash).filter(|_| has(Part::SecondLook));
        let number = match known {
            Some(number) => number,
            None => self.add_new(&mut newest, node, hash)?,
        };
        if !Arc::ptr_eq(index, &newest.index) {
            *index = newest.index.clone();
        }
        Ok(number)
    }

    /// The next number; or nothing is changed, if there is no room.
    fn add_new(&self, newest: &mut Newest, node: u64, node_hash: u64) -> Result<u32, Full> {
        let number = newest.len;
        let (block, at) = place(number);
        if self.blocks[block].get().is_none() {
            let bytes = block_len(block) * size_of::<AtomicU64>();
            self.budget.take(bytes)?;
            newest.bytes += bytes;
            self.blocks[block]
                .get_or_init(|| (0..block_len(block)).map(|_| AtomicU64::new(0)).collect());
        }
        if number as usize == newest.index.room() {
            if newest.index.bits == NUMBER {
                return Err(Full);
            }
            let larger = Index::new(newest.index.bits + 1, &self.budget)?;
            (0..number).for_each(|number| larger.put(number, hash(self.get(number))));
            newest.index = Arc::new(larger);
        }
        self.blocks[block].get().expect("it was just made")[at].store(node, Relaxed);
        newest.index.put(number, node_hash);
        newest.len += 1;
        Ok(number)
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        let bytes = self.lock().bytes;
        self.budget.give_back(bytes);
    }
}

impl Known {
    /// The first of all who know some pairs that are not there yet.
    pub(super) fn new(budget: &Arc<Budget>) -> Result<Self, Full> {
        Ok(Arc::new(Nodes::new(budget)?).known())
    }

    /// Looks in the newest index from now on.
    pub(super) fn refresh(&mut self) {
        *self = self.nodes.known();
    }

    /// How many pairs there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.lock().len as usize
    }

    /// The pair of a number that was given.
    #[inline(always)]
    pub(super) fn get(&self, number: u32) -> u64 {
        self.nodes.get(number)
    }

    /// The number of a pair, if it is known here.
    #[inline(always)]
    pub(super) fn find(&self, node: u64) -> Option<u32> {
        self.nodes.find(&self.index, node, hash(node))
    }

    /// The number of a pair, a new one if it has none.
    #[inline(always)]
    pub(super) fn number(&mut self, node: u64, hash: u64) -> Result<u32, Full> {
        match self.nodes.find(&self.index, node, hash) {
            Some(number) => Ok(number),
            None => self.nodes.add(&mut self.index, node, hash),
        }
    }
}

#[cfg(all(not(feature = "loom"), test))]
mod tests {
    use super::*;

    #[test]
    fn blocks_follow_each_other() {
        let (mut block, mut at) = (0, 0);
        for number in 0..100_000 {
            assert_eq!(place(number), (block, at));
            at += 1;
            if at == block_len(block) {
                (block, at) = (block + 1, 0);
            }
        }
        assert!(place((1 << NUMBER) - 2 - (1 << FIRST)).0 < BLOCKS);
    }

    /// Threads number the same pairs in other orders: each has one number, and there is no other number.
    #[test]
    fn a_pair_has_one_number() {
        const PAIRS: u64 = 30_000;
        let budget = Arc::new(Budget::unlimited());
        let first = Known::new(&budget).unwrap();
        let numbered = |me: u64| {
            let mut known = first.clone();
            let pair = |at: u64| at * 0x1_0000_0003 % 0xFFFF_FFFF_FFFB;
            // All go up together, in blocks, so that they meet.
            let order = |at: u64| if me.is_multiple_of(2) { at } else { at ^ 0x3F };
            let mut numbers = vec![0; PAIRS as usize + 64];
            for at in (0..PAIRS).map(order) {
                let node = pair(at);
                let number = known.number(node, hash(node)).unwrap();
                assert_eq!((known.get(number), known.find(node)), (node, Some(number)));
                numbers[at as usize] = number;
            }
            numbers.truncate(PAIRS as usize & !0x3F);
            numbers
        };
        let numbered = &numbered;
        let all: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|me| scope.spawn(move || numbered(me))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(all.iter().all(|numbers| *numbers == all[0]));
        let len = first.len();
        assert!((PAIRS as usize..PAIRS as usize + 64).contains(&len), "{len}");
        drop(first);
        assert_eq!(budget.taken(), 0);
    }

    #[test]
    fn the_budget_is_kept() {
        let budget = Arc::new(Budget::new(100_000));
        let mut known = Known::new(&budget).unwrap();
        let given = (0..u64::MAX).find(|&node| known.number(node, hash(node)).is_err()).unwrap();
        assert!(given > 4_000 && budget.taken() <= 100_000, "{given}");
        assert_eq!(known.len() as u64, given);
        assert!((0..given).all(|node| known.find(node).is_some_and(|at| known.get(at) == node)));
    }
}

/// The protocol, in all orders of two threads' loads and stores that loom finds. Each part is left out in turn, to see that the tests notice.
///
/// ```sh
/// cargo test --release -p lariat-store --features loom --lib nodes::loom
/// ```
#[cfg(all(feature = "loom", test))]
mod loom {
    use super::*;
    use crate::protocol::{model, notice};
    use ::loom::thread;

    fn number(known: &mut Known, node: u64) -> u32 {
        let number = known.number(node, hash(node)).unwrap();
        assert_eq!(known.get(number), node);
        number
    }

    /// Two threads number two pairs in two orders, while the index grows.
    fn one_number(before: u64) {
        let budget = Arc::new(Budget::unlimited());
        let mut known = Known::new(&budget).unwrap();
        for node in 0..before {
            number(&mut known, 100 + node);
        }
        let mut other = known.clone();
        let there = thread::spawn(move || {
            let two = number(&mut other, 2);
            (number(&mut other, 1), two)
        });
        let one = number(&mut known, 1);
        let here = (one, number(&mut known, 2));
        assert_eq!(there.join().unwrap(), here);
        assert_eq!(known.len() as u64, before + 2);
    }

    const ALL: [fn(); 2] = [|| one_number(0), || one_number(1)];

    #[test]
    fn all_orders() {
        ALL.into_iter().for_each(model);
    }

    #[test]
    fn what_is_left_out_is_noticed() {
        notice(&ALL, &[Part::SecondLook, Part::Release]);
    }
}

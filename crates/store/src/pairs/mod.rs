//! Pairs of 32-bit numbers ↔ dense ids: the nodes of trees.
//!
//! The pairs lie in one array by id. An index of cache-line buckets finds the id of a pair; a
//! full bucket overflows into the next one. Nothing is ever removed. When the index grows, it
//! is cleared in place and filled again from the array, which is read in order.

mod bucket;

use crate::hash::prefetch;
use crate::reserved::Reserved;
use bucket::{Bucket, SLOTS};
use lariat_core::{Full, MAX_STATES};

/// Two numbers as one.
#[inline(always)]
pub(crate) fn pair(left: u32, right: u32) -> u64 {
    bytemuck::cast([left, right])
}

#[inline(always)]
pub(crate) fn halves(pair: u64) -> (u32, u32) {
    let [left, right]: [u32; 2] = bytemuck::cast(pair);
    (left, right)
}

/// 64 well-mixed bits of a pair: a folded product, as in rapidhash.
#[inline(always)]
pub(crate) fn hash(pair: u64) -> u64 {
    let product = u128::from(pair ^ 0x2D35_8DCC_AA6C_78A5) * 0x8BB8_4B93_962E_ACC9_u128;
    let folded = product as u64 ^ (product >> 64) as u64;
    folded ^ folded >> 29
}

/// The index is filled to this part of its slots.
const FILL: (usize, usize) = (7, 8);
/// From so many buckets on, the index grows by half; before, it doubles.
const LARGE: usize = 1 << 15;
/// How far ahead of its use a bucket is asked for when the index is filled again.
const AHEAD: usize = 16;
/// Ids are given memory in steps of so many.
const STEP: usize = 1 << 9;

#[derive(Debug)]
pub(crate) struct Pairs {
    pairs: Reserved<u64>,
    len: usize,
    buckets: Reserved<Bucket>,
    /// Ids up to which neither part has to grow.
    room: usize,
}

impl Pairs {
    pub(crate) fn new() -> Self {
        Pairs { pairs: Reserved::new(), len: 0, buckets: Reserved::new(), room: 0 }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(crate) fn get(&self, id: u32) -> u64 {
        self.pairs[id as usize]
    }

    /// The id of a pair, or else the bucket and the slot where it belongs.
    #[inline(always)]
    fn probe(&self, pair: u64, hash: u64) -> Result<u32, (usize, usize)> {
        let print = Self::print(hash);
        let mut at = self.home(hash);
        loop {
            let bucket = &self.buckets[at];
            let mut found = bucket.with_print(print);
            while found != 0 {
                let id = bucket.ids[found.trailing_zeros() as usize];
                if self.pairs[id as usize] == pair {
                    return Ok(id);
                }
                found &= found - 1;
            }
            if let Some(slot) = bucket.free() {
                return Err((at, slot));
            }
            at += 1;
            if at == self.buckets.len() {
                at = 0;
            }
        }
    }

    /// Asks for the pair of an id.
    #[inline(always)]
    pub(crate) fn prefetch_id(&self, id: u32) {
        prefetch(&self.pairs[id as usize]);
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.buckets.len() as u64) >> 32) as usize
    }

    /// 0 is for free slots.
    #[inline(always)]
    fn print(hash: u64) -> u8 {
        (hash as u8).max(1)
    }

    /// Asks for the bucket where a probe starts.
    #[inline(always)]
    pub(crate) fn prefetch_bucket(&self, hash: u64) {
        prefetch(&self.buckets[self.home(hash)]);
    }

    /// Asks for the pair that a probe will most likely look at.
    #[inline(always)]
    pub(crate) fn prefetch_pair(&self, hash: u64) {
        let bucket = &self.buckets[self.home(hash)];
        let found = bucket.with_print(Self::print(hash));
        if found != 0 {
            prefetch(&self.pairs[bucket.ids[found.trailing_zeros() as usize] as usize]);
        }
    }

    /// Whether so many more pairs can be added without growing.
    #[inline(always)]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        self.len + more <= self.room
    }

    /// The id of a pair, a new one if need be. There must be room.
    #[inline(always)]
    pub(crate) fn intern(&mut self, pair: u64, hash: u64) -> u32 {
        self.probe(pair, hash).unwrap_or_else(|(bucket, slot)| {
            let id = self.len as u32;
            self.buckets[bucket].fill(slot, id, Self::print(hash));
            self.pairs[self.len] = pair;
            self.len += 1;
            id
        })
    }

    /// Makes room for so many more pairs with at most `spare` more bytes.
    #[cold]
    pub(crate) fn make_room(&mut self, more: usize, spare: usize) -> Result<(), Full> {
        let len = self.len + more;
        if len > MAX_STATES {
            return Err(Full);
        }
        let before = self.bytes();
        let step = STEP.max(self.len / 16).next_multiple_of(STEP);
        let pairs = self.pairs.len().max(len.next_multiple_of(step));
        let of_pairs = (pairs - self.pairs.len()) * size_of::<u64>();
        let buckets = match capacity(self.buckets.len()) < len {
            true => self.wanted_buckets(len, spare.saturating_sub(of_pairs))?,
            false => self.buckets.len(),
        };
        let of_buckets = (buckets - self.buckets.len()) * size_of::<Bucket>();
        if of_pairs + of_buckets > spare {
            return Err(Full);
        }
        self.pairs.grow(pairs)?;
        if buckets > self.buckets.len() {
            self.rebuild(buckets)?;
        }
        self.room = capacity(self.buckets.len()).min(self.pairs.len()).min(MAX_STATES);
        debug_assert!(self.bytes() - before <= spare);
        Ok(())
    }

    /// Buckets for `len` pairs and more to come, or fewer if bytes are scarce.
    fn wanted_buckets(&self, len: usize, spare: usize) -> Result<usize, Full> {
        let now = self.buckets.len();
        let least = (len * FILL.1).div_ceil(SLOTS * FILL.0) + 1;
        let wanted = if now < LARGE { now * 2 } else { now + now / 2 }.max(least).max(16);
        let allowed = now + spare / size_of::<Bucket>();
        // A small gain is not worth filling the whole index again.
        let worth = (now + now / 16).max(least);
        let buckets = wanted.min(allowed);
        if buckets < worth { Err(Full) } else { Ok(buckets) }
    }

    fn rebuild(&mut self, buckets: usize) -> Result<(), Full> {
        let old = self.buckets.len();
        self.buckets.grow(buckets)?;
        self.buckets[..old].fill(bytemuck::Zeroable::zeroed());
        self.fill();
        Ok(())
    }

    /// Changes all pairs, different ones to different ones.
    pub(crate) fn change_all(&mut self, change: impl Fn(u64) -> u64) {
        self.pairs[..self.len].iter_mut().for_each(|pair| *pair = change(*pair));
        self.buckets.fill(bytemuck::Zeroable::zeroed());
        self.fill();
    }

    /// Fills the empty index.
    fn fill(&mut self) {
        let buckets = self.buckets.len();
        for id in 0..self.len {
            if let Some(&ahead) = self.pairs.get(id + AHEAD) {
                self.prefetch_bucket(hash(ahead));
            }
            let h = hash(self.pairs[id]);
            let mut at = self.home(h);
            loop {
                if let Some(slot) = self.buckets[at].free() {
                    self.buckets[at].fill(slot, id as u32, Self::print(h));
                    break;
                }
                at += 1;
                if at == buckets {
                    at = 0;
                }
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pairs.bytes() + self.buckets.bytes()
    }
}

/// Pairs that so many buckets take.
fn capacity(buckets: usize) -> usize {
    buckets * SLOTS * FILL.0 / FILL.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn ids_are_dense_and_stay_through_growth() {
        let (mut pairs, mut map) = (Pairs::new(), HashMap::new());
        let mut random = 1_u64;
        for _ in 0..300_000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            // Small numbers, as ids are.
            let node = pair(random as u32 % 700, (random >> 32) as u32 % 500);
            if !pairs.has_room(1) {
                pairs.make_room(1, usize::MAX).unwrap();
            }
            let next = map.len() as u32;
            let expected = *map.entry(node).or_insert(next);
            assert_eq!(pairs.intern(node, hash(node)), expected);
            assert_eq!(pairs.get(expected), node);
        }
        assert_eq!(pairs.len(), map.len());
        assert!(pairs.bytes() < map.len() * 24, "{} for {}", pairs.bytes(), map.len());
    }

    #[test]
    fn never_larger_than_allowed() {
        let limit = 1 << 20;
        let mut pairs = Pairs::new();
        loop {
            if !pairs.has_room(1) && pairs.make_room(1, limit - pairs.bytes()).is_err() {
                break;
            }
            let node = pair(pairs.len() as u32, 1);
            pairs.intern(node, hash(node));
            assert!(pairs.bytes() <= limit);
        }
        assert!(pairs.len() > limit / 24, "{}", pairs.len());
        for id in 0..pairs.len() as u32 {
            assert_eq!(pairs.intern(pair(id, 1), hash(pair(id, 1))), id);
        }
    }
}

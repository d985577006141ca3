//! Pairs of 32-bit numbers ↔ dense ids: the nodes of trees. Also whole rows of 64 or 128 bits.
//!
//! Ids have 32 bits until these run out, then 40, if that is allowed. The pairs lie in one array by id. An index of cache-line buckets finds the id of a pair; a
//! full bucket overflows into the next one. Nothing is ever removed. When the index grows, it
//! is cleared in place and filled again from the array, which is read in order.

mod bucket;

use crate::hash::prefetch;
use crate::reserved::Reserved;
use bucket::{Bucket, Width};
use bytemuck::{NoUninit, Zeroable};
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

/// What has an id.
pub(crate) trait Key: NoUninit + Zeroable + Eq {
    /// 64 well-mixed bits.
    fn hash(self) -> u64;
}

impl Key for u64 {
    #[inline(always)]
    fn hash(self) -> u64 {
        hash(self)
    }
}

impl Key for u128 {
    #[inline(always)]
    fn hash(self) -> u64 {
        let (low, high) = (self as u64, (self >> 64) as u64);
        let product =
            u128::from(low ^ 0xA076_1D64_78BD_642F) * u128::from(high ^ 0xE703_7ED1_A0B4_28DB);
        hash(product as u64 ^ (product >> 64) as u64)
    }
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
pub(crate) struct Pairs<K = u64> {
    pairs: Reserved<K>,
    len: usize,
    buckets: Reserved<Bucket>,
    /// Ids up to which neither part has to grow.
    room: usize,
    width: Width,
    /// Where the 32-bit ids run out, and where all do.
    most_narrow: usize,
    most: usize,
}

/// With wide ids. A home is found by 32 bits of a hash, so there are not more buckets than that.
const MOST_WIDE: usize = 1 << 34;

impl<K: Key> Pairs<K> {
    pub(crate) fn new() -> Self {
        Pairs {
            pairs: Reserved::new(),
            len: 0,
            buckets: Reserved::new(),
            room: 0,
            width: Width::Narrow,
            most_narrow: MAX_STATES,
            most: MAX_STATES,
        }
    }

    /// There may be more pairs than 32-bit ids.
    pub(crate) fn allow_wide_ids(&mut self) {
        self.most = MOST_WIDE;
    }

    /// Has the same limits as another one.
    pub(crate) fn with_limits_of(mut self, other: &Self) -> Self {
        (self.most_narrow, self.most) = (other.most_narrow, other.most);
        self
    }

    /// Pretends that 32-bit ids run out here.
    pub(crate) fn set_most_narrow(&mut self, most: usize) {
        (self.most_narrow, self.most) = (most, self.most.min(most));
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(crate) fn get(&self, id: u64) -> K {
        self.pairs[id as usize]
    }

    /// The id of a pair, or else the bucket and the slot where it belongs.
    #[inline(always)]
    fn probe(&self, pair: K, hash: u64, width: Width) -> Result<u64, (usize, usize)> {
        let print = Self::print(hash);
        let mut at = self.home(hash);
        loop {
            let bucket = &self.buckets[at];
            let mut found = bucket.with_print(print, width);
            while found != 0 {
                let id = bucket.id(found.trailing_zeros() as usize, width);
                if self.pairs[id as usize] == pair {
                    return Ok(id);
                }
                found &= found - 1;
            }
            if let Some(slot) = bucket.free(width) {
                return Err((at, slot));
            }
            at += 1;
            if at == self.buckets.len() {
                at = 0;
            }
        }
    }

    /// Whether a pair has an id.
    pub(crate) fn contains(&self, pair: K, hash: u64) -> bool {
        self.len > 0 && self.probe(pair, hash, self.width).is_ok()
    }

    /// Asks for the pair of an id.
    #[inline(always)]
    pub(crate) fn prefetch_id(&self, id: u64) {
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
        let found = bucket.with_print(Self::print(hash), self.width);
        if found != 0 {
            let id = bucket.id(found.trailing_zeros() as usize, self.width);
            prefetch(&self.pairs[id as usize]);
        }
    }

    /// Whether so many more pairs can be added without growing.
    #[inline(always)]
    pub(crate) fn has_room(&self, more: usize) -> bool {
        self.len + more <= self.room
    }

    /// Whether the whole index is filled again when there is to be room for so many more.
    pub(crate) fn must_rebuild(&self, more: usize) -> bool {
        capacity(self.buckets.len(), self.width) < self.len + more
    }

    /// The id of a pair, a new one if need be. There must be room.
    #[inline(always)]
    pub(crate) fn intern(&mut self, pair: K, hash: u64) -> u64 {
        // Each width has code of its own.
        match self.width {
            Width::Narrow => self.intern_with(pair, hash, Width::Narrow),
            Width::Wide => self.intern_with(pair, hash, Width::Wide),
        }
    }

    #[inline(always)]
    fn intern_with(&mut self, pair: K, hash: u64, width: Width) -> u64 {
        self.probe(pair, hash, width).unwrap_or_else(|(bucket, slot)| {
            let id = self.len as u64;
            self.buckets[bucket].fill(slot, id, Self::print(hash), width);
            self.pairs[self.len] = pair;
            self.len += 1;
            id
        })
    }

    /// Makes room for so many more pairs with at most `spare` more bytes.
    #[cold]
    pub(crate) fn make_room(&mut self, more: usize, spare: usize) -> Result<(), Full> {
        let len = self.len + more;
        if len > self.most {
            return Err(Full);
        }
        let before = self.bytes();
        let width = if len > self.most_narrow { Width::Wide } else { self.width };
        let step = STEP.max(self.len / 16).next_multiple_of(STEP);
        let pairs = self.pairs.len().max(len.next_multiple_of(step));
        let of_pairs = (pairs - self.pairs.len()) * size_of::<K>();
        let buckets = match capacity(self.buckets.len(), width) < len {
            true => self.wanted_buckets(len, spare.saturating_sub(of_pairs), width)?,
            false => self.buckets.len(),
        };
        let of_buckets = (buckets - self.buckets.len()) * size_of::<Bucket>();
        if of_pairs + of_buckets > spare {
            return Err(Full);
        }
        self.pairs.grow(pairs)?;
        if buckets > self.buckets.len() || width != self.width {
            self.rebuild(buckets, width)?;
        }
        let most = match width {
            Width::Narrow => self.most_narrow.min(self.most),
            Width::Wide => self.most,
        };
        self.room = capacity(self.buckets.len(), width).min(self.pairs.len()).min(most);
        debug_assert!(self.bytes() - before <= spare);
        Ok(())
    }

    /// Buckets for `len` pairs and more to come, or fewer if bytes are scarce.
    fn wanted_buckets(&self, len: usize, spare: usize, width: Width) -> Result<usize, Full> {
        let now = self.buckets.len();
        let least = (len * FILL.1).div_ceil(width.slots() * FILL.0) + 1;
        let wanted = if now < LARGE { now * 2 } else { now + now / 2 }.max(least).max(16);
        let allowed = now + spare / size_of::<Bucket>();
        // A small gain is not worth filling the whole index again.
        let worth = (now + now / 16).max(least);
        let buckets = wanted.min(allowed);
        if buckets < worth { Err(Full) } else { Ok(buckets) }
    }

    fn rebuild(&mut self, buckets: usize, width: Width) -> Result<(), Full> {
        let old = self.buckets.len();
        self.buckets.grow(buckets)?;
        self.width = width;
        self.buckets[..old].fill(Zeroable::zeroed());
        self.fill();
        Ok(())
    }

    /// Changes all pairs, different ones to different ones.
    pub(crate) fn change_all(&mut self, change: impl Fn(K) -> K) {
        self.pairs[..self.len].iter_mut().for_each(|pair| *pair = change(*pair));
        self.buckets.fill(Zeroable::zeroed());
        self.fill();
    }

    /// Fills the empty index.
    fn fill(&mut self) {
        let buckets = self.buckets.len();
        for id in 0..self.len {
            if let Some(&ahead) = self.pairs.get(id + AHEAD) {
                self.prefetch_bucket(ahead.hash());
            }
            let h = self.pairs[id].hash();
            let mut at = self.home(h);
            loop {
                if let Some(slot) = self.buckets[at].free(self.width) {
                    self.buckets[at].fill(slot, id as u64, Self::print(h), self.width);
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
fn capacity(buckets: usize, width: Width) -> usize {
    buckets * width.slots() * FILL.0 / FILL.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn ids_are_dense_and_stay_through_growth() {
        ids_stay(Pairs::<u64>::new());
    }

    #[test]
    fn ids_are_wide_when_narrow_ones_run_out() {
        for most in [1, 1_000, 99_999] {
            let mut pairs = Pairs::<u64>::new();
            pairs.set_most_narrow(most);
            pairs.allow_wide_ids();
            let pairs = ids_stay(pairs);
            assert_eq!(pairs.width, Width::Wide);
        }
        // If that is not allowed, there are no more.
        let mut pairs = Pairs::<u64>::new();
        pairs.set_most_narrow(1_000);
        assert!(pairs.make_room(1_000, usize::MAX).is_ok());
        assert!(pairs.make_room(1_001, usize::MAX).is_err());
    }

    fn ids_stay(mut pairs: Pairs) -> Pairs {
        let mut map = HashMap::new();
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..300_000 {
            // Small numbers, as ids are.
            let node = pair(random.u32(..700), random.u32(..500));
            if !pairs.has_room(1) {
                pairs.make_room(1, usize::MAX).unwrap();
            }
            let next = map.len() as u64;
            let expected = *map.entry(node).or_insert(next);
            assert_eq!(pairs.intern(node, hash(node)), expected);
            assert_eq!(pairs.get(expected), node);
        }
        assert_eq!(pairs.len(), map.len());
        assert!(pairs.bytes() < map.len() * 24, "{} for {}", pairs.bytes(), map.len());
        pairs
    }

    #[test]
    fn never_larger_than_allowed() {
        let limit = 1 << 20;
        let mut pairs = Pairs::<u64>::new();
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
            assert_eq!(pairs.intern(pair(id, 1), hash(pair(id, 1))), u64::from(id));
        }
    }
}

//! A line of the set: 64 bytes, which threads read without a lock and change under one.
//!
//! Its last word is the *head* (see `head`) and slots, all others are slots (`slots`).
//!
//! **The head is lock and version.** No key is taken out between growths, and each one that comes raises the count. So
//! the last word never comes back to an older count: it is the version of a sequence lock that costs no bits. Who
//! looks for a key reads the last word, the slots, the last word again; if it is the same and not locked, keys
//! were in these slots at one moment. Most looks of a search find their key and so write nothing.
//! Who adds a key swaps the last word that it has looked at for the same with the lock bit; if that succeeds, nobody has
//! added a key since, and the look is still true.
//!
//! **Payloads** do not raise the count. They are written under the lock too, and their bits are no bits of a key: a look for a key is right
//! whether it sees the old ones or the new ones. (If they are in the last word, it differs, and the look is done once more.) A payload
//! within one word is read by one load, between the two loads of the last word: it is one that this key had
//! meanwhile. One that lies across two words is read under the lock, unless nobody changes payloads at the time ([`Line::add`]): then it is
//! what came with its key, and where it lies changes only as keys come.
//!
//! **One thread alone** needs no lock to add a key, nor to read or change a payload: a set for one thread has one session, and no other thread ever has one of its lines
//! (`RootSet::sessions`). It saves an operation that waits for all stores before it.
//!
//! **What is called under the lock** is in this file, and cannot panic: a lock is always given back.
//!
//! **Order.** Writers: compare-and-swap (acquire), release fence, relaxed stores, release store of the
//! last word. Readers: acquire load of the last word, relaxed loads, acquire fence, relaxed load of the last
//! word. If one of the relaxed loads sees a writer's store, the fences make that writer's compare-and-swap happen
//! before the second load of the last word, which then differs. If the compare-and-swap of one who looked succeeds, no writer
//! of keys came between, and later ones acquire what it released. `loom.rs` goes through the orders of two
//! threads, and notices if one of these is left out.

use super::head::{Head, LOCK};
use super::meeting::Patience;
use super::root::Root;
use super::shape::Shape;
use super::slots::{bits_at, pack, rest_of, slot_of};
use crate::protocol::{Part, has};
#[cfg(all(feature = "loom", test))]
use loom::sync::atomic::{AtomicU64, fence};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
#[cfg(not(all(feature = "loom", test)))]
use std::sync::atomic::{AtomicU64, fence};

/// Blocks of first bytes that are enough for any shape. Under loom there are few slots, and every load counts.
pub(super) const ALL_BLOCKS: usize = if cfg!(all(feature = "loom", test)) { 1 } else { 4 };

/// Valid when all its bytes are zero: then it is empty.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Line([AtomicU64; 8]);

#[cfg(not(all(feature = "loom", test)))]
const _: () = assert!(size_of::<Line>() == 64);

impl Line {
    #[cfg(all(feature = "loom", test))]
    pub(super) fn new() -> Self {
        Line(std::array::from_fn(|_| AtomicU64::new(0)))
    }

    #[inline(always)]
    fn word(&self, at: usize) -> u64 {
        self.0[at & 7].load(Relaxed)
    }

    #[inline(always)]
    pub(super) fn head(&self) -> Head {
        Head(self.word(7))
    }

    /// Its words, while nobody writes.
    pub(super) fn words(&self) -> [u64; 8] {
        std::array::from_fn(|at| self.word(at))
    }

    /// Empties it, while nobody else looks.
    pub(super) fn clear(&self) {
        self.0.iter().for_each(|word| word.store(0, Relaxed));
    }

    /// The slots whose first byte is this one, a bit for each. They are in so many blocks of 16 bytes.
    #[inline(always)]
    fn with_print<const BLOCKS: usize>(&self, print: u8) -> u64 {
        let block = |at: usize| {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: SSE2 is there on x86-64.
            unsafe {
                use std::arch::x86_64::*;
                let [low, high] = [self.word(2 * at) as i64, self.word(2 * at + 1) as i64];
                let equal = _mm_cmpeq_epi8(_mm_set_epi64x(high, low), _mm_set1_epi8(print as i8));
                u64::from(_mm_movemask_epi8(equal) as u32)
            }
            #[cfg(not(target_arch = "x86_64"))]
            {
                let words = [self.word(2 * at), self.word(2 * at + 1)].map(u64::to_le_bytes);
                let bytes = words.as_flattened().iter().enumerate();
                bytes.fold(0, |bits, (at, &byte)| bits | u64::from(byte == print) << at)
            }
        };
        let mut bits = block(0);
        for at in 1..BLOCKS {
            bits |= block(at) << (16 * at);
        }
        bits
    }

    /// The slot of a key in a group.
    #[inline(always)]
    fn find<const BLOCKS: usize, R: Root>(
        &self,
        shape: &Shape<R>,
        key: R,
        (from, to): (u32, u32),
    ) -> Option<u32> {
        let mut found = self.with_print::<BLOCKS>(key.low() as u8) & ((1 << to) - (1 << from));
        while found != 0 {
            let slot = found.trailing_zeros();
            if rest_of(shape, slot, |at| self.word(at)) & shape.rest_mask == key >> 8 {
                return Some(slot);
            }
            found &= found - 1;
        }
        None
    }

    /// The slot of a key whose choice `d` this line is, what `read` makes of it, and the head at that moment.
    #[inline(always)]
    fn look<const BLOCKS: usize, R: Root, T>(
        &self,
        shape: &Shape<R>,
        d: usize,
        key: R,
        read: impl Fn(u32) -> T,
    ) -> (Option<T>, Head) {
        let mut patience = Patience::new();
        loop {
            let head = Head(self.0[7].load(Acquire));
            if !head.is_locked() {
                let (from, to) = head.group(d);
                // Most lines have keys that are at home, few have others.
                let mut found = None;
                if d == 0 || from < to {
                    found = self.find::<BLOCKS, R>(shape, key, (from, to)).map(&read);
                }
                if has(Part::ReadersFence) {
                    fence(Acquire);
                }
                if !has(Part::SecondLook) || self.word(7) == head.0 {
                    return (found, head);
                }
            }
            patience.wait();
        }
    }

    /// Locks it if it is as it was.
    #[inline(always)]
    fn try_lock(&self, head: Head) -> bool {
        let locked = head.0 | LOCK;
        let is_mine = self.0[7].compare_exchange(head.0, locked, Acquire, Relaxed).is_ok();
        if has(Part::WritersFence) {
            fence(Release);
        }
        is_mine
    }

    fn lock(&self) -> Head {
        let mut patience = Patience::new();
        loop {
            let head = self.head();
            if !head.is_locked() && self.try_lock(head) {
                return head;
            }
            patience.wait();
        }
    }

    /// Unlocks it with so much added to the head.
    #[inline(always)]
    fn unlock(&self, more: u64) {
        let order = if has(Part::Release) { Release } else { Relaxed };
        self.0[7].store((self.word(7) & !LOCK) + more, order);
    }

    /// Writes up to 64 bits of a line that this thread has locked.
    #[inline(always)]
    fn write(&self, bit: u32, width: u32, bits: u64) {
        let mask = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
        let put = |at: usize, mask: u64, bits: u64| {
            self.0[at & 7].store(self.word(at) & !mask | bits, Relaxed);
        };
        let (at, shift) = (bit as usize / 64, bit % 64);
        put(at, mask << shift, bits << shift);
        if shift + width > 64 {
            put(at + 1, mask >> (64 - shift), bits >> (64 - shift));
        }
    }

    /// Writes a slot of a line that this thread has locked.
    #[inline(always)]
    fn set<R: Root>(&self, shape: &Shape<R>, slot: u32, value: R) {
        self.write(slot * 8, 8, value.low() & 0xFF);
        let (bit, rest) = (shape.rest_at + slot * shape.rest, value >> 8);
        self.write(bit, shape.rest.min(64), rest.low());
        if R::BITS > 64 && shape.rest > 64 {
            self.write(bit + 64, shape.rest - 64, rest.high());
        }
    }

    /// Puts a key whose choice `d` this line is into it, and unlocks it. This thread has locked it, and there is room.
    #[inline(always)]
    fn put_and_unlock<R: Root>(&self, shape: &Shape<R>, d: usize, value: R, head: Head) {
        let mut free = head.count();
        // One of each group behind the place goes to its group's end.
        for first in (1..=d).map(|d| head.at_choice(d)) {
            if first != free {
                self.set(shape, free, slot_of(shape, first, |at| self.word(at)));
            }
            free = first;
        }
        self.set(shape, free, value);
        self.unlock(Head::one_more(d));
    }

    /// Finds a key whose choice `d` this line is, or adds it with a payload of 0: true if it is new. None if it is not here, and never
    /// will be. A thread that is `alone` has no need of a lock.
    #[inline(always)]
    pub(super) fn insert<const BLOCKS: usize, R: Root>(
        &self,
        shape: &Shape<R>,
        d: usize,
        key: R,
        alone: bool,
    ) -> Option<bool> {
        loop {
            let (found, head) = self.look::<BLOCKS, R, _>(shape, d, key, |_| ());
            if found.is_some() {
                return Some(false);
            }
            if !head.can_take(d, shape.slots) {
                return None;
            }
            if alone || self.try_lock(head) {
                self.put_and_unlock(shape, d, key, head);
                return Some(true);
            }
        }
    }

    /// The same with a payload for a new key: what the key had before. No thread changes payloads meanwhile.
    #[inline(always)]
    pub(super) fn add<const BLOCKS: usize, R: Root>(
        &self,
        shape: &Shape<R>,
        d: usize,
        (key, payload): (R, u64),
        alone: bool,
    ) -> Option<Option<u64>> {
        loop {
            let read = |slot| self.payload(shape, slot);
            let (found, head) = self.look::<BLOCKS, R, _>(shape, d, key, read);
            if found.is_some() {
                return Some(found);
            }
            if !head.can_take(d, shape.slots) {
                return None;
            }
            if alone || self.try_lock(head) {
                self.put_and_unlock(shape, d, shape.join(key, payload), head);
                return Some(None);
            }
        }
    }

    /// Puts a key that is not there: false if there is no room.
    #[inline(always)]
    pub(super) fn put<R: Root>(&self, shape: &Shape<R>, d: usize, value: R) -> bool {
        // What cannot take it now never will.
        if !self.head().can_take(d, shape.slots) {
            return false;
        }
        let head = self.lock();
        let has_room = head.can_take(d, shape.slots);
        if has_room {
            self.put_and_unlock(shape, d, value, head);
        } else {
            self.unlock(0);
        }
        has_room
    }

    /// Where the payload of a slot begins.
    #[inline(always)]
    fn payload_at<R: Root>(shape: &Shape<R>, slot: u32) -> u32 {
        shape.rest_at + slot * shape.rest + shape.key_bits - 8
    }

    #[inline(always)]
    fn payload<R: Root>(&self, shape: &Shape<R>, slot: u32) -> u64 {
        bits_at(Self::payload_at(shape, slot), |at| self.word(at)) & ((1 << shape.payload) - 1)
    }

    /// The slot of a key whose choice `d` this line is, with its payload, and the head. A thread that is `alone` has no need of a lock.
    #[inline(always)]
    pub(super) fn get<const BLOCKS: usize, R: Root>(
        &self,
        shape: &Shape<R>,
        d: usize,
        key: R,
        alone: bool,
    ) -> (Option<(u32, u64)>, Head) {
        let (found, head) = self.look::<BLOCKS, R, _>(shape, d, key, |slot| {
            let bit = Self::payload_at(shape, slot) % 64;
            let is_in_one_word = alone || bit + shape.payload <= 64;
            (slot, is_in_one_word.then(|| self.payload(shape, slot)))
        });
        let Some((slot, payload)) = found else { return (None, head) };
        if let Some(payload) = payload {
            return (Some((slot, payload)), head);
        }
        // Keys may have come, and this one may be elsewhere.
        let head = self.lock();
        let slot = self.find::<BLOCKS, R>(shape, key, head.group(d));
        let found = slot.map(|slot| (slot, self.payload(shape, slot)));
        self.unlock(0);
        (found, head)
    }

    /// Finds a key whose choice `d` this line is, or adds it, and changes its payload: what it was. None if it is not here, and never will be. A thread
    /// that is `alone` has no need of a lock.
    #[inline(always)]
    pub(super) fn update<const BLOCKS: usize, R: Root>(
        &self,
        shape: &Shape<R>,
        d: usize,
        key: R,
        change: impl Fn(Option<u64>) -> u64,
        alone: bool,
    ) -> Option<Option<u64>> {
        loop {
            let (found, head) = self.get::<BLOCKS, R>(shape, d, key, alone);
            if found.is_none() && !head.can_take(d, shape.slots) {
                return None;
            }
            let before = found.map(|(_, payload)| payload);
            let after = change(before);
            if before == Some(after) {
                return Some(before);
            }
            if !alone && !self.try_lock(head) {
                continue;
            }
            let Some((slot, payload)) = found else {
                self.put_and_unlock(shape, d, shape.join(key, after), head);
                return Some(None);
            };
            // No key has come, but the payload may be another one.
            let is_same = self.payload(shape, slot) == payload;
            if is_same {
                self.write(Self::payload_at(shape, slot), shape.payload, after);
            }
            self.unlock(0);
            if is_same {
                return Some(before);
            }
        }
    }

    /// Fills it with values of keys that are at home here, if it is empty: how many it took.
    pub(super) fn fill<R: Root>(&self, shape: &Shape<R>, values: &[R]) -> usize {
        let head = self.lock();
        if head.0 != 0 {
            self.unlock(0);
            return 0;
        }
        let here = values.len().min(shape.slots as usize);
        let words = pack(shape, &values[..here]);
        for (to, &word) in self.0[..7].iter().zip(&words) {
            to.store(word, Relaxed);
        }
        self.0[7].store(words[7] + here as u64 * Head::one_more(0), Release);
        here
    }
}

//! The states of a set that are not done, in a cyclic list.
//!
//! **A word for each state**, `next`: the number of the next one, and flags. Without a flag the state is *busy*: somebody must still look at its successors. `LOCKED`: busy,
//! and nobody may change that for the moment. `DONE`: whoever comes here goes on to the next.
//!
//! **Who may write what.** A busy state becomes `DONE` by a compare-and-swap on its whole word, once. A busy one is locked in the same way, by who puts two lists together:
//! it then swaps the next ones of a locked state of each, which makes one cycle of two. Only then the word of a busy state points elsewhere. The
//! word of a state that is done is written to skip others that are done (`pick`), with or without a lock of others.
//!
//! **Nothing busy is skipped.** Think of all states of a set in one cycle, as it was made by putting lists together. A state that is done points to itself or further along that
//! cycle, and all in between are done: `pick` replaces a pointer by that of the state it points to, if that is done. Two lists are put together behind busy states, which are in between
//! of no pointer. So it does not matter how old the values are that `pick` has read: they stay true. If a state that is done points to itself, all
//! are done.
//!
//! **Nobody waits for ever.** Who puts lists together has locked the lower root of the two (`forest`), then locks a busy state of its set, then one of the other set. It waits for
//! a busy state of the other set only if somebody else has locked all of these: as the higher one of two sets, then it waits for nobody; or as the lower one, then it waits
//! for a set with a still greater root. So no circle of threads waits.
//!
//! A set that is united has busy states: a component is dead only if all of it is in one set.

use super::{Components, INDEX};
use crate::lines::Patience;
use crate::protocol::{Part, has};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

const LOCKED: u32 = 1 << 30;
const DONE: u32 = 1 << 31;

impl Components {
    #[inline(always)]
    fn next(&self, number: u32) -> u32 {
        self.node(number).next.load(Acquire)
    }

    /// `PickFromList`: a state of the set that is not done. None if there is none: then the set is dead.
    pub fn pick(&self, state: u32) -> Option<u32> {
        let mut at = state;
        loop {
            let here = self.next(at);
            if here & DONE == 0 {
                return Some(at);
            }
            let next = here & INDEX;
            if next == at {
                self.mark_dead(at);
                return None;
            }
            let there = self.next(next);
            if there & DONE == 0 {
                return Some(next);
            }
            // Both are done: the one in between is skipped from now on.
            self.node(at).next.store(there, Release);
            at = there & INDEX;
        }
    }

    /// `RemoveFromList`: a state is done. True for one caller only.
    pub fn remove(&self, state: u32) -> bool {
        let mut patience = Patience::new();
        loop {
            let now = self.next(state);
            if now & DONE != 0 {
                return false;
            }
            let is_locked = now & LOCKED != 0 && has(Part::ListLock);
            let done = now & INDEX | DONE;
            let next = &self.node(state).next;
            if !is_locked && next.compare_exchange(now, done, AcqRel, Relaxed).is_ok() {
                return true;
            }
            patience.wait();
        }
    }

    /// Makes one list of those of two states. This thread has locked the root of the first one.
    pub(super) fn put_together(&self, low: u32, high: u32) {
        let (low, low_next) = self.lock_one(low);
        let (high, high_next) = self.lock_one(high);
        self.node(low).next.store(high_next, Release);
        self.node(high).next.store(low_next, Release);
    }

    /// Locks a busy state of a list; which one, and the next one behind it.
    fn lock_one(&self, state: u32) -> (u32, u32) {
        let (mut at, mut patience) = (state, Patience::new());
        loop {
            let now = self.next(at);
            if now & (DONE | LOCKED) == 0 {
                let next = &self.node(at).next;
                if next.compare_exchange(now, now | LOCKED, AcqRel, Relaxed).is_ok() {
                    return (at, now);
                }
                continue;
            }
            assert!(now & INDEX != at || now & DONE == 0, "a set without busy states is united");
            at = now & INDEX;
            patience.wait();
        }
    }
}

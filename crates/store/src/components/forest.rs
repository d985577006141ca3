//! Which set a state is in.
//!
//! **A word for each state**, `parent`: the number of another state of the set, or its own number if it is the *root*. Then there are two flags: `LOCKED`, somebody is
//! making it a child of another root, and `DEAD`, the set is a complete component.
//!
//! **Who may write what.** A parent has always a greater number than its child, so there are no cycles, whoever writes when.
//! A root becomes a child once, by whoever has set `LOCKED` with a compare-and-swap on its plain number. From then on its word is written only to
//! point further up (`find`), by a compare-and-swap on what was read. `DEAD` is set by a compare-and-swap on the plain number of a root, too, and
//! is never taken away. So a root is never both made a child and dead.
//!
//! **What a set holds** (`held`: workers and marks) only grows. It stands at the root. If the root becomes a child while somebody adds to it, nothing may get lost:
//!
//! - who adds does so by a read-modify-write, and *then* looks whether that was still a root; if not, it adds once more further up;
//! - who makes a root a child writes its parent, and *then* reads what it holds by a read-modify-write, and adds that further up.
//!
//! Read-modify-writes of one word have one order. If the reader's comes second, it sees what was added. If it comes first, the adder's acquires what the reader's
//! released, the new parent, and sees that this is no root any more.
//!
//! **Order.** All words are released when they are written and acquired when they are read, so whoever comes to a node by a pointer sees the node. A value that is
//! older than others have seen does no harm: roots found in vain are looked for again by the compare-and-swap that fails, and bits only come.

use super::{Components, INDEX};
use crate::lines::Patience;
use crate::protocol::{Part, has};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

const LOCKED: u32 = 1 << 30;
pub(super) const DEAD: u32 = 1 << 31;

/// What a worker finds when it comes to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The state's component is complete.
    Dead,
    /// The worker has been in its set.
    Found,
    /// It has not, and is now.
    New,
}

impl Components {
    #[inline(always)]
    fn parent(&self, number: u32) -> u32 {
        self.node(number).parent.load(if has(Part::Release) { Acquire } else { Relaxed })
    }

    /// `Find`: the root of a state's set, with half of the way made shorter.
    #[inline]
    pub(super) fn find(&self, mut state: u32) -> u32 {
        loop {
            let parent = self.parent(state) & INDEX;
            if parent == state {
                return state;
            }
            let above = self.parent(parent) & INDEX;
            if above != parent {
                // If another one was faster, that is as good.
                let _ = self.node(state).parent.compare_exchange(parent, above, Release, Relaxed);
            }
            state = parent;
        }
    }

    #[inline]
    fn is_root(&self, number: u32) -> bool {
        self.parent(number) & INDEX == number
    }

    /// `SameSet`.
    #[inline]
    pub fn same_set(&self, a: u32, b: u32) -> bool {
        loop {
            let (a_root, b_root) = (self.find(a), self.find(b));
            if a_root == b_root {
                return true;
            }
            if self.is_root(a_root) {
                return false;
            }
        }
    }

    /// `MakeClaim`: a worker, by its bit, comes to a state.
    #[inline]
    pub fn make_claim(&self, state: u32, worker: u64) -> Claim {
        match self.look(state, worker) {
            Claim::New => {
                self.hold(state, worker);
                Claim::New
            }
            known => known,
        }
    }

    /// The same without coming there.
    #[inline]
    pub fn look(&self, state: u32, worker: u64) -> Claim {
        let root = self.find(state);
        if self.parent(root) & DEAD != 0 {
            return Claim::Dead;
        }
        match self.node(root).held.load(Acquire) & worker {
            0 => Claim::New,
            _ => Claim::Found,
        }
    }

    /// Adds workers or marks to a state's set: what it holds then.
    #[inline]
    pub fn hold(&self, state: u32, bits: u64) -> u64 {
        let mut root = self.find(state);
        let held = self.node(root).held.load(Acquire);
        if held & bits == bits {
            // It was all there, and is handed on with the rest.
            return held;
        }
        loop {
            let held = self.node(root).held.fetch_or(bits, AcqRel) | bits;
            if !has(Part::SecondLook) || self.is_root(root) {
                return held;
            }
            root = self.find(root);
        }
    }

    /// `Unite`: the sets of two states become one; what it holds then. None if they were one already.
    pub fn unite(&self, a: u32, b: u32) -> Option<u64> {
        let mut patience = Patience::new();
        let (low, high, below) = loop {
            let (a_root, b_root) = (self.find(a), self.find(b));
            if a_root == b_root {
                return None;
            }
            let (low, high, below) = match a_root < b_root {
                true => (a_root, b_root, a),
                false => (b_root, a_root, b),
            };
            let parent = &self.node(low).parent;
            if !has(Part::RootLock)
                || parent.compare_exchange(low, low | LOCKED, AcqRel, Relaxed).is_ok()
            {
                break (low, high, below);
            }
            patience.wait();
        };
        let above = if below == a { b } else { a };
        self.put_together(below, above);
        let release = if has(Part::Release) { Release } else { Relaxed };
        self.node(low).parent.store(high, release);
        let held = match has(Part::HandOn) {
            true => self.node(low).held.fetch_or(0, AcqRel),
            false => 0,
        };
        Some(self.hold(high, held) | held)
    }

    /// Nothing is left to do in the set of a state: it is a component.
    pub(super) fn mark_dead(&self, state: u32) {
        let mut patience = Patience::new();
        loop {
            let root = self.find(state);
            let parent = &self.node(root).parent;
            match parent.compare_exchange(root, root | DEAD, AcqRel, Acquire) {
                Ok(_) => return,
                Err(now) if now & DEAD != 0 => return,
                Err(_) => patience.wait(),
            }
        }
    }
}

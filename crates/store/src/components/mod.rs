//! Components that threads find together: disjoint sets of states, without locks for those who look.
//!
//! The structure of V. Bloemen, A. Laarman, J. van de Pol, *Multi-core on-the-fly SCC decomposition*, PPoPP 2016, §3: a forest of sets, a cyclic list of the
//! states of each set that are not done, and for each set the workers that have been there; beside these, the acceptance marks that were met inside (V. Bloemen,
//! J. van de Pol, *Multi-core SCC-based LTL model checking*, HVC 2016).
//!
//! Each state is a `Node` of three words. Nodes are numbered in the order in which threads ask for numbers; they are in segments that never move.
//!
//! - `forest`: which set a state is in, and what is known of a set
//! - `list`: the states of a set that are not done
//! - `loom`: both, in the orders of two or three threads, with parts of the protocol left out
//!
//! **A node is there before its number is told.** [`Components::settle`] writes it with relaxed stores; the number is told to others through the set of
//! states, whose lines are released and acquired (`lines/line.rs`), or through a word of another node, which are, too.

mod forest;
mod list;
#[cfg(all(feature = "loom", test))]
mod loom;
#[cfg(test)]
mod tests;

#[cfg(all(feature = "loom", test))]
use ::loom::sync::atomic::{AtomicU32, AtomicU64};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32 as Counter;
use std::sync::atomic::Ordering::Relaxed;
#[cfg(not(all(feature = "loom", test)))]
use std::sync::atomic::{AtomicU32, AtomicU64};

pub use forest::Claim;

/// Bits of a number.
pub const NUMBER: u32 = 30;
const INDEX: u32 = (1 << NUMBER) - 1;
/// Nodes of a segment, by their bits; under loom every node costs.
const SEGMENT: u32 = if cfg!(all(feature = "loom", test)) { 2 } else { 14 };
/// Numbers that a thread is given at once.
const SOME: u32 = if cfg!(all(feature = "loom", test)) { 4 } else { 256 };
/// Segments there may be.
const SEGMENTS: usize = if cfg!(all(feature = "loom", test)) { 1 } else { 1 << (NUMBER - SEGMENT) };

/// A state.
#[derive(Debug, Default)]
struct Node {
    /// What its owner calls it.
    key: AtomicU64,
    /// Of a root: workers that have been in the set, and marks that were met inside.
    held: AtomicU64,
    /// See `forest`.
    parent: AtomicU32,
    /// See `list`.
    next: AtomicU32,
}

/// Disjoint sets of states.
#[derive(Debug)]
pub struct Components {
    segments: Box<[OnceLock<Box<[Node]>>]>,
    /// Numbers that were given to threads.
    given: Counter,
}

impl Default for Components {
    fn default() -> Self {
        Components::new()
    }
}

impl Components {
    /// Without any states.
    pub fn new() -> Self {
        let segments = (0..SEGMENTS).map(|_| OnceLock::new()).collect();
        Components { segments, given: Counter::new(0) }
    }

    /// Bytes of a set without states.
    pub const BYTES: usize = SEGMENTS * size_of::<OnceLock<Box<[Node]>>>();

    /// Some numbers for the caller alone, and the bytes that these take, of which `allow` is asked before. None if there are no more.
    pub fn numbers<E>(
        &self,
        allow: impl FnOnce(usize) -> Result<(), E>,
    ) -> Result<Option<Range<u32>>, E> {
        let more = |given: u32| (given <= INDEX - SOME).then_some(given + SOME);
        let Ok(first) = self.given.try_update(Relaxed, Relaxed, more) else { return Ok(None) };
        if first % (1 << SEGMENT) == 0 {
            // Who gets the first number of a segment pays for it.
            allow(size_of::<Node>() << SEGMENT)?;
        }
        let nodes = || (0..1 << SEGMENT).map(|_| Node::default()).collect();
        self.segments[(first >> SEGMENT) as usize].get_or_init(nodes);
        Ok(Some(first..first + SOME))
    }

    /// A state with a number of the caller's, of which nobody else knows yet: alone in its set, and not done.
    #[inline]
    pub fn settle(&self, number: u32, key: u64) {
        let node = self.node(number);
        node.key.store(key, Relaxed);
        node.held.store(0, Relaxed);
        node.parent.store(number, Relaxed);
        node.next.store(number, Relaxed);
    }

    /// What a state was settled as.
    #[inline]
    pub fn key(&self, number: u32) -> u64 {
        self.node(number).key.load(Relaxed)
    }

    #[inline(always)]
    fn node(&self, number: u32) -> &Node {
        let segment = self.segments[(number >> SEGMENT) as usize].get();
        &segment.expect("its number was given")[(number % (1 << SEGMENT)) as usize]
    }
}

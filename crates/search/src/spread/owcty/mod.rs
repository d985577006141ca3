//! Accepting cycles by elimination, over workers that share nothing: One Way Catch Them Young.
//!
//! I. Černá, R. Pelánek, *Distributed explicit fair cycle detection*, SPIN 2003; J. Barnat, L. Brim, P. Ročkai, *A time-optimal on-the-fly parallel algorithm for model checking of weak LTL
//! properties*, ICFEM 2009, for weak automata.
//!
//! ```text
//! S := states of accepting components that can be reached
//! repeat
//!     S := states of S that can be reached within S from an edge of S with mark i, for each mark i    (Reach)
//!     count the predecessors in S of each state of S                                                  (Predecessors)
//!     while some state of S has no predecessor in S: S := S \ { it }                                   (Eliminate)
//! until S does not change
//! there is an accepting cycle if and only if S is not empty
//! ```
//!
//! Why that is so is said in `product/shared/owcty/mod.rs`, which does the same with threads and one set. Here, whoever expands a state *tells* the owner of each successor: that it has one more predecessor, that
//! one is gone, from which marks it can be reached. A weak automaton has no marks to reach: predecessors are counted while the product is swept (`Count`), and one elimination is enough.
//!
//! *Why counts are right.* A worker changes only what it owns, by one message at a time. Each edge inside S is told of once when predecessors are counted, as each state of S is expanded once in that pass, and once
//! when its source is taken out, as a state is taken out once. What is told each time ([`Say::Each`]) is not dropped as a repeat. A worker begins a pass, and so has put its own states in order, before it
//! takes a message of that pass (`shard`); and a pass is over when nothing is on its way. Counts beyond the bits are kept in a table beside the set: a message takes from the table first, and from the
//! bits only if the table has none.
//!
//! *Sets of marks grow only*, so their order does not matter, and what was told of a state once need not be told again: a state that gets more is expanded again, unless it waits already; it stops waiting
//! before its marks are read.
//!
//! One file for each pass: `count` (weak automata), `reach`, `predecessors`, `eliminate`; `beyond`: counts that do not fit.

mod beyond;
mod count;
mod eliminate;
mod predecessors;
mod reach;

use lariat_core::Marks;

use super::map::Largest;
use super::pass::Source;
use crate::product::components::Components;
use crate::product::owcty::MARKS;
use beyond::Beyond;
pub(super) use count::Count;
pub(super) use eliminate::Eliminate;
pub(super) use predecessors::Predecessors;
pub(super) use reach::Reach;

/// What all passes know.
pub(super) struct Owcty<'c> {
    components: &'c Components,
    /// All marks.
    all: Marks,
    beyond: Beyond,
    /// If cycles are looked for while everything is swept.
    largest: Option<Largest>,
    /// States of S that have come or gone in this pass, here.
    pub(super) counted: u64,
    /// Edges of the product, each once.
    pub(super) transitions: u64,
}

impl<'c> Owcty<'c> {
    pub(super) fn new(components: &'c Components, marks: u32, detects_early: bool) -> Self {
        let (all, beyond) = (Marks::all(marks), Beyond::default());
        let largest = detects_early.then(|| Largest::new(all));
        Owcty { components, all, beyond, largest, counted: 0, transitions: 0 }
    }

    /// Predecessors are counted anew.
    pub(super) fn forget_predecessors(&mut self) {
        self.beyond = Beyond::default();
    }

    fn counts(&self) -> [u64; 2] {
        [self.counted, self.transitions]
    }

    /// Goes on with what others have counted, and kept beside the set.
    pub(super) fn inherit(&mut self, [counted, transitions]: [u64; 2], beyond: &[(u64, u64)]) {
        self.counted += counted;
        self.transitions += transitions;
        for &(key, count) in beyond {
            *self.beyond.0.entry(key).or_default() += count as u32;
        }
    }

    /// The marks of a payload, all of them.
    fn marks(&self) -> u64 {
        self.all.0 << MARKS
    }

    /// Whether an edge is an accepting cycle by itself.
    fn is_cycle(&self, source: Source, key: u64, marks: Marks) -> bool {
        key == source.key && marks.contains(self.all)
    }
}

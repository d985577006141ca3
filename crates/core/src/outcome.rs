//! What a check answers.

use crate::Lasso;

/// The answer, with what it took.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    pub stats: Stats,
}

#[derive(Clone, Debug)]
pub enum Verdict {
    /// No accepting run exists.
    Empty,
    Accepting(Lasso),
    /// The search did not see everything and found nothing in what it saw.
    Inconclusive(Reason),
}

/// Why a search that found nothing proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Some states lie deeper than the limit.
    DepthLimit,
    /// [`crate::Successors::interrupted`].
    Interrupted,
    /// There is no room for more states.
    Memory,
    /// The store may have taken new states for old ones.
    Lossy,
}

impl Reason {
    /// Whether the search ended at once, and did not only leave something out.
    pub fn ends_search(self) -> bool {
        matches!(self, Reason::Interrupted | Reason::Memory)
    }
}

/// Counts that the papers' tables are made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// `st`: distinct states visited. With a forgetful store, visits.
    pub states: u64,
    /// `tr`: successors looked at, with repeats by later searches.
    pub transitions: u64,
    /// Calls of the successor function for a whole state, with repeats.
    pub expansions: u64,
    /// `dp`: the longest search stack; of nested searches together.
    pub depth: u64,
    /// Components closed, by checks that know components.
    pub sccs: u64,
    pub peaks: Peaks,
    /// Auxiliary memory by the formula of the check's paper, in words, at its peak.
    pub words: u64,
    /// Bytes of the store at the end of the search.
    pub bytes: u64,
    /// Bytes of the search stacks at their peak.
    pub stack_bytes: u64,
}

/// The largest sizes of the auxiliary structures; 0 where a check has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peaks {
    pub roots: u64,
    pub current: u64,
    pub live: u64,
    pub dstack: u64,
    pub union_find: u64,
    pub dead: u64,
}

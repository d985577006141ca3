//! What a search answers, and the one place where the answer is made.
//!
//! That nothing was found means something only if everything was seen. So nobody but
//! [`conclude`] can say [`Emptiness::Empty`]:
//!
//! ```compile_fail,E0639
//! let verdict: lariat_core::Emptiness = lariat_core::Emptiness::Empty {};
//! ```
//!
//! ```
//! use lariat_core::{Limit, Emptiness, conclude};
//! let cut: Emptiness<()> = conclude(None, Some(Limit::Time), false);
//! assert!(matches!(cut, Emptiness::Inconclusive(Limit::Time)));
//! assert!(matches!(conclude(Some("a run"), Some(Limit::Time), false), Emptiness::Found("a run")));
//! assert!(matches!(conclude::<()>(None, None, true), Emptiness::Inconclusive(Limit::Lossy)));
//! assert!(matches!(conclude::<()>(None, None, false), Emptiness::Empty { .. }));
//! ```

use crate::{Lasso, Limit};

/// The answer, with what it took.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was found.
    pub verdict: Emptiness,
    /// How much was looked at.
    pub stats: Stats,
}

/// Whether there is any of what was looked for: an accepting run, an error, or whatever `R` is.
#[derive(Clone, Debug)]
pub enum Emptiness<R = Lasso> {
    /// There is none. Made by [`conclude`] only.
    #[non_exhaustive]
    Empty,
    /// Here it is.
    Found(R),
    /// The search did not see everything and found nothing in what it saw.
    Inconclusive(Limit),
}

/// Puts the answer together: what was found counts, whatever was left out. A search that found
/// nothing and did not see everything, or cannot know that it did, proves nothing.
pub fn conclude<R>(found: Option<R>, cut: Option<Limit>, is_lossy: bool) -> Emptiness<R> {
    match (found, cut) {
        (Some(found), _) => Emptiness::Found(found),
        (None, Some(limit)) => Emptiness::Inconclusive(limit),
        (None, None) if is_lossy => Emptiness::Inconclusive(Limit::Lossy),
        (None, None) => Emptiness::Empty,
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
    /// The largest sizes on the way.
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
    /// Roots of components on the search stack.
    pub roots: u64,
    /// States of the search stack.
    pub current: u64,
    /// States whose component is still open.
    pub live: u64,
    /// Frames of a stack of stacks, for checks that have one.
    pub dstack: u64,
    /// Elements of the union-find.
    pub union_find: u64,
    /// States that were closed and are kept.
    pub dead: u64,
}

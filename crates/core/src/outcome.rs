//! What a search answers, and the one place where the answer is made.
//!
//! That nothing was found means something only if everything was seen. So nobody but
//! [`conclude`] can say [`Verdict::Empty`]:
//!
//! ```compile_fail,E0639
//! let verdict: lariat_core::Verdict = lariat_core::Verdict::Empty {};
//! ```
//!
//! ```
//! use lariat_core::{Limit, Verdict, conclude};
//! let cut: Verdict<()> = conclude(None, Some(Limit::Time), false);
//! assert!(matches!(cut, Verdict::Inconclusive(Limit::Time)));
//! assert!(matches!(conclude(Some("a run"), Some(Limit::Time), false), Verdict::Found("a run")));
//! assert!(matches!(conclude::<()>(None, None, true), Verdict::Inconclusive(Limit::Lossy)));
//! assert!(matches!(conclude::<()>(None, None, false), Verdict::Empty { .. }));
//! ```

use crate::{Lasso, Limit};

/// The answer, with what it took.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was found.
    pub verdict: Verdict,
    /// How much was looked at.
    pub stats: Stats,
}

/// Whether what was looked for exists: an accepting run, an error, or whatever `R` is.
#[derive(Clone, Debug)]
pub enum Verdict<R = Lasso> {
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
pub fn conclude<R>(found: Option<R>, cut: Option<Limit>, is_lossy: bool) -> Verdict<R> {
    match (found, cut) {
        (Some(found), _) => Verdict::Found(found),
        (None, Some(limit)) => Verdict::Inconclusive(limit),
        (None, None) if is_lossy => Verdict::Inconclusive(Limit::Lossy),
        (None, None) => Verdict::Empty,
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

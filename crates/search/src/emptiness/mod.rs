//! Emptiness checks: one file for each, named after its paper.

mod cover;
mod frame;
pub mod nested;
pub mod non_progress;
pub mod scc;
pub mod terminal;
pub mod weak;

use lariat_core::{Intern, Lasso, Outcome, Reason, Stats, Verdict};

/// Puts the answer together. A search that found nothing and did not see everything proves
/// nothing: architecture invariant, decided here and nowhere else.
fn conclude<S: Intern>(
    store: &S,
    found: Option<Lasso>,
    cut: Option<Reason>,
    stats: Stats,
) -> Outcome {
    let verdict = match (found, cut) {
        (Some(lasso), _) => Verdict::Accepting(lasso),
        (None, Some(reason)) => Verdict::Inconclusive(reason),
        (None, None) if S::LOSSY => Verdict::Inconclusive(Reason::Lossy),
        (None, None) => Verdict::Empty,
    };
    Outcome { verdict, stats: Stats { bytes: store.bytes() as u64, ..stats } }
}

//! Why work was cut before it was done. What was cut proves nothing: the answer is
//! "inconclusive".

use std::fmt;

/// What a search ran into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// Some states lie deeper than was allowed.
    Depth,
    /// There are more states than were allowed.
    States,
    /// There is no room for more.
    Memory,
    /// Time is over.
    Time,
    /// The user, or the caller, said so.
    Interrupted,
    /// So many expansions were allowed, and no more.
    Budget,
    /// The store may have taken new states for old ones.
    Lossy,
    /// Partial-order reduction may have put off steps for ever.
    Proviso,
    /// An atomic sequence or `d_step` is too long to be seen to its end.
    EndlessStep,
    /// A run-time error: what follows it has no meaning.
    Fault,
}

impl Limit {
    /// Whether the search ended at once, and did not only leave something out.
    pub fn ends_search(self) -> bool {
        !matches!(self, Limit::Depth | Limit::Lossy | Limit::Proviso | Limit::EndlessStep)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Limit::Depth => "the depth limit was reached",
            Limit::States => "the limit of states was reached",
            Limit::Memory => "the memory limit was reached",
            Limit::Time => "the time limit was reached",
            Limit::Interrupted => "interrupted",
            Limit::Budget => "the search was interrupted",
            Limit::Lossy => "no counterexample found (lossy): the store may have missed states",
            Limit::Proviso => {
                "no counterexample found: this proviso of the reduction may have missed one"
            }
            Limit::EndlessStep => "an atomic sequence or d_step is too long to be seen to its end",
            Limit::Fault => "stopped at a fault",
        })
    }
}

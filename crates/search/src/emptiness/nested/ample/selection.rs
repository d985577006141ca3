//! Holzmann, Peled and Yannakakis, *On Nested Depth First Search*, SPIN 1996, §5.2: "To eliminate
//! also this problem, one must preserve information about the selection of successors between the
//! two searches."

use std::fmt::Debug;

/// What is kept from the first search to the second.
pub trait Selection: Copy + Default + PartialEq + Debug {
    /// So many candidates are tried before all successors are taken.
    const TRIES: usize;

    /// The first search has selected the candidate of this number; without one, all successors.
    fn keep(selected: Option<usize>) -> Self;

    /// What the second search has to take. None if nothing is known, so that it must try for itself.
    fn recall(self) -> Option<Option<usize>>;
}

/// Nothing: what Figure 3 of the paper shows to fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Forgotten;

impl Selection for Forgotten {
    const TRIES: usize = usize::MAX;

    fn keep(_selected: Option<usize>) -> Self {
        Forgotten
    }

    fn recall(self) -> Option<Option<usize>> {
        None
    }
}

/// "Add an integer that holds a selection number. […] A selection number of zero would mean selecting
/// all successors from the current state."
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Number(u16);

impl Selection for Number {
    const TRIES: usize = u16::MAX as usize;

    fn keep(selected: Option<usize>) -> Self {
        Number(selected.map_or(0, |number| number as u16 + 1))
    }

    fn recall(self) -> Option<Option<usize>> {
        Some(usize::from(self.0).checked_sub(1))
    }
}

/// "A more modest solution uses only one bit as a selection number. In this case, if a selection caused
/// closing a cycle in the first depth-first search, no alternative subset is sought, and the
/// entire set of successors is generated."
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bit(bool);

impl Selection for Bit {
    const TRIES: usize = 1;

    fn keep(selected: Option<usize>) -> Self {
        Bit(selected.is_some())
    }

    fn recall(self) -> Option<Option<usize>> {
        Some(self.0.then_some(0))
    }
}

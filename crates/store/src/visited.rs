//! The states that a search of whole rows has visited, and nothing else about them.
//!
//! - [`Bits`](crate::Bits) and [`Fingerprints`](crate::Fingerprints) may take a new state for one that
//!   was visited: a search with them proves nothing.
//! - [`StateCache`](crate::StateCache) may take one that was visited for a new one, unless it is on the
//!   search stack. A search with it that comes to its end has seen everything: whatever a state leads
//!   to was entered when it was looked at, or had been entered before. So the states that were entered
//!   are closed under steps, and the initial state is among them. It comes to its end, because no state
//!   is on the stack twice.

use crate::closed::Closed;
use lariat_core::{Full, Word};

/// What became of a state that a search wants to enter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered<K> {
    /// It is new, or was forgotten, and on the stack from now on.
    New(K),
    /// It was entered before.
    Known,
    /// Nothing is known of the states on the stack any more: each must be [held](Visited::hold), and
    /// then the state be entered again.
    Forgotten,
}

/// States that were visited.
pub trait Visited {
    /// A state on the stack, as the store knows it.
    type Key: Copy;

    /// Whether a state that was never entered may be taken for one that was.
    const LOSSY: bool;

    /// The rows that come next are successors of this one: no answer depends on it.
    fn expanding(&mut self, _row: &[Word]) -> Result<(), Full> {
        Ok(())
    }

    /// Asks for the place of a state ahead of its use.
    fn prefetch(&self, _row: &[Word]) {}

    /// Whether a state is known to have been entered. It may have been if not.
    fn has(&mut self, row: &[Word]) -> Result<bool, Full>;

    /// Enters a state, if it is new. There must be room.
    fn enter(&mut self, row: &[Word]) -> Result<Entered<Self::Key>, Full>;

    /// A state leaves the stack, after so many others were entered behind it.
    fn leave(&mut self, _key: Self::Key, _behind: u64) {}

    /// Takes up a state of the stack that was forgotten. None if it was all in vain, and the first
    /// one must be held again.
    fn hold(&mut self, row: &[Word]) -> Result<Option<Self::Key>, Full>;

    /// Makes room for so many more states with at most `spare` more bytes.
    fn make_room(&mut self, _more: usize, _spare: usize) -> Result<(), Full> {
        Ok(())
    }

    /// Bytes of all structures.
    fn bytes(&self) -> usize;
}

impl<C: Closed> Visited for C {
    type Key = ();
    const LOSSY: bool = true;

    #[inline]
    fn prefetch(&self, row: &[Word]) {
        Closed::prefetch(self, self.hash(row));
    }

    #[inline]
    fn has(&mut self, row: &[Word]) -> Result<bool, Full> {
        Ok(self.bits_of(self.hash(row)) & 1 == 1)
    }

    #[inline]
    fn enter(&mut self, row: &[Word]) -> Result<Entered<()>, Full> {
        let hash = self.hash(row);
        if self.bits_of(hash) & 1 == 1 {
            return Ok(Entered::Known);
        }
        self.set_bits(hash, 1);
        Ok(Entered::New(()))
    }

    fn hold(&mut self, _row: &[Word]) -> Result<Option<()>, Full> {
        Ok(Some(()))
    }

    #[inline]
    fn make_room(&mut self, more: usize, spare: usize) -> Result<(), Full> {
        Closed::make_room(self, more, spare)
    }

    fn bytes(&self) -> usize {
        Closed::bytes(self)
    }
}

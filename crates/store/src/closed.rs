//! What a lossy store knows of states that are no longer in hand: a few bits of each, found by a
//! hash of its row. A state may be taken for another one.

use lariat_core::{Full, Word};

/// Up to four bits for each state, which are only ever set.
pub trait Closed {
    /// The state as all other methods want it.
    fn hash(&self, row: &[Word]) -> u64;

    /// The bits that were set, and perhaps some of another state.
    fn bits_of(&self, hash: u64) -> u64;

    /// Sets bits. For a state without any there must be room.
    fn set_bits(&mut self, hash: u64, bits: u64);

    /// Makes room for so many more states with bits, with at most `spare` more bytes.
    fn make_room(&mut self, _more: usize, _spare: usize) -> Result<(), Full> {
        Ok(())
    }

    /// Asks for the place of a state ahead of its use.
    fn prefetch(&self, hash: u64);

    /// Bytes of all structures.
    fn bytes(&self) -> usize;
}

/// A set whose type is forgotten, so that checks are compiled once for all of them.
impl Closed for Box<dyn Closed> {
    fn hash(&self, row: &[Word]) -> u64 {
        (**self).hash(row)
    }

    fn bits_of(&self, hash: u64) -> u64 {
        (**self).bits_of(hash)
    }

    fn set_bits(&mut self, hash: u64, bits: u64) {
        (**self).set_bits(hash, bits);
    }

    fn make_room(&mut self, more: usize, spare: usize) -> Result<(), Full> {
        (**self).make_room(more, spare)
    }

    fn prefetch(&self, hash: u64) {
        (**self).prefetch(hash);
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }
}

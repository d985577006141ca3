//! What a walk through spread states does with them is its own affair.
//!
//! Whoever expands a state *says* something of each successor to the successor's owner; the owner *hears* it, changes what it keeps of that state, and maybe expands it.
//! Both happen in one worker if it owns both. A pass is over when nobody has anything left to expand and nothing is on its way, or level by level.

use lariat_core::{Marks, Word};

/// A state that is expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub(super) key: u64,
    /// Of the automaton.
    pub(super) state: Word,
    /// What is kept of it, if the pass looks at that.
    pub(super) payload: u64,
    /// See [`Parts::hash`](super::parts::Parts::hash); if the pass looks at that.
    pub(super) hash: u64,
}

/// What is said of a successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Say {
    /// A word that counts each time.
    Each(u64),
    /// A word that need not be said again with the same tag in this pass.
    Once(u64, u64),
    /// Nothing.
    Nothing,
    /// What was looked for is found: this successor.
    Found,
}

/// What becomes of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kept {
    pub(super) payload: u64,
    /// It is to be expanded.
    pub(super) waits: bool,
}

/// With a word: the owner is asked whether the state leads on.
pub(super) const ASKS: u64 = 1 << 14;

pub(super) trait Pass {
    /// Bytes of a word that is said.
    fn extra(&self) -> usize;

    /// Whether the edges between two states of the automaton are of interest.
    fn wants(&self, _src: Word, _dst: Word) -> bool {
        true
    }

    /// Whether it begins with states that are there, those that [`Pass::pick`] wants, and not with the initial ones.
    fn picks(&self) -> bool {
        false
    }

    /// What becomes of a state that is there when the pass begins. The hash is that of its system state, if the pass looks at it.
    fn pick(&mut self, _state: Word, payload: u64, _hash: u64) -> Kept {
        Kept { payload, waits: false }
    }

    /// Whether it looks at what is kept of a source.
    fn looks(&self) -> bool {
        false
    }

    /// Whether it looks at the hash of a source, or of a state that it picks.
    fn hashes(&self) -> bool {
        false
    }

    /// Whether steps are left out, and owners are asked whether states lead on (`asking`).
    fn reduces(&self) -> bool {
        false
    }

    /// Whether a state leads on, by what was kept of it before it was told of.
    fn leads_on(&self, _before: Option<u64>) -> bool {
        true
    }

    /// What is kept of a state that was expanded, fully or not.
    fn expanded(&self, payload: u64, _is_full: bool) -> u64 {
        payload
    }

    /// What is kept of a state when it is expanded.
    fn leave(&self, payload: u64) -> u64 {
        payload
    }

    /// What is said of the initial states.
    fn first(&self) -> u64 {
        0
    }

    /// Whether anything is said once only ([`Say::Once`]).
    fn repeats(&self) -> bool {
        true
    }

    /// What is said of a successor.
    fn say(&mut self, source: Source, key: u64, state: Word, marks: Marks) -> Say;

    /// The word, with what can be said by the hash of the successor; none if what was looked for is found.
    #[inline(always)]
    fn say_by_hash(&mut self, word: u64, _hash: u64, _state: Word) -> Option<u64> {
        Some(word)
    }

    /// So many successors were told of a state, the first time or again.
    fn note_expanded(&mut self, _source: Source, _successors: usize) {}

    /// Whether a word is dealt with by this alone.
    fn absorbs(&mut self, _key: u64, _word: u64) -> bool {
        false
    }

    /// What becomes of a state of which something is heard; `before` is nothing if it was not there. Asked as often as need be.
    fn keep(&self, state: Word, before: Option<u64>, word: u64) -> Kept;

    /// The same has happened, once. False if it cannot be: the state must be there.
    fn hear(&mut self, key: u64, state: Word, before: Option<u64>, word: u64) -> bool;

    /// What it has counted: whatever it goes on with later.
    fn counts(&self) -> [u64; 2];

    /// Numbers that it keeps of states beside the set.
    fn beyond(&self) -> Vec<(u64, u64)> {
        Vec::new()
    }

    /// Bytes of what it keeps beside the set.
    fn bytes(&self) -> usize {
        0
    }
}

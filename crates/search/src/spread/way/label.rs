//! What is kept of a state so that the way to it can be found: the remainder of its level by three, and some bits of the hash of the state that led to it.

use lariat_core::Word;

/// Bits of the hash of a parent that are kept.
const HINT: u32 = 10;
/// Bits of the remainder of a level.
const LEVEL: u32 = 2;
/// No level has this remainder.
const NONE: u64 = 3;

/// Bits of a label.
pub(in crate::spread) const BITS: u32 = HINT + LEVEL;
/// How many different places there are for labels, by level and by what a state is known by itself.
pub(super) const PLACES: usize = 3 << HINT;

/// What a state with this hash, in this state of the automaton, is known by.
#[inline(always)]
pub(in crate::spread) fn hint(hash: u64, state: Word) -> u64 {
    (hash ^ u64::from(state)) & ((1 << HINT) - 1)
}

/// The label of a state of this level whose parent has this hint.
pub(in crate::spread) fn label(level: u64, hint: u64) -> u64 {
    (level % 3) | (hint & ((1 << HINT) - 1)) << LEVEL
}

/// The label of a state to which no way is known.
pub(in crate::spread) const UNKNOWN: u64 = NONE;

/// Whether a state with this label may be of this level.
pub(super) fn may_be_of(level: u64, label: u64) -> bool {
    label & ((1 << LEVEL) - 1) == level % 3
}

/// The hint of the parent of a state with this label.
pub(super) fn hint_kept(label: u64) -> u64 {
    label >> LEVEL & ((1 << HINT) - 1)
}

/// The place of a state, by the remainder of its level and its own hint; none if no way to it is known.
pub(super) fn place(label: u64, hint: u64) -> Option<usize> {
    let remainder = label & ((1 << LEVEL) - 1);
    (remainder != NONE).then_some((remainder << HINT | hint) as usize)
}

/// The place of all states of this level that may be the parent of one with this label.
pub(super) fn place_before(level: u64, label: u64) -> usize {
    ((level % 3) << HINT | hint_kept(label)) as usize
}

//! The proviso of partial-order reduction while a search goes breadth first, for states without numbers (docs/por.md, "By levels").
//!
//! A state's *level* is fixed when it is found, and it is of no earlier level later on. A successor *leads on* from a state of level
//! L if it is of level L + 1, or of an earlier level than L and expanded fully. A reduced state whose successors do not lead on
//! (all of them for runs, one of them for states and steps) is expanded fully.
//!
//! - *Every cycle has a full state* (C3). In a cycle of reduced states no successor is full, so all would be of later levels than the
//!   state before.
//! - *A way leads out of every reduced state* (S). From each, one leads to a full state, or to a state of the next level. There are
//!   finitely many levels, so at the end of such steps is a full state, or one without steps.
//!
//! *The same on every machine, with any number of threads.* While level L is expanded, it is settled which states are of level L or
//! earlier, and which of earlier levels are full: no thread's luck decides. It is *not* settled which states of level L are full,
//! so these do not count, even if they have been expanded. It is enough to know of each state:
//!
//! - not expanded yet: of the level at hand or of the next one, by the lowest bit of its number. There are no others: a level is
//!   complete before the next one begins;
//! - reduced: it does not lead on, whatever its level is;
//! - full, with its level modulo 13. Those that are of the level at hand by that number do not count: of the level at hand, or of one of
//!   the earlier ones, which is a pity and no harm.
//!
//! These are four bits. Whoever keeps the states asks [`leads_on`] of each successor that it finds or adds, and notes [`expanded`] when a state is done. Both
//! may be done in any order within a level.

use lariat_core::makes_mistake;

use crate::proviso::Proviso;

/// Bits that are kept of a state.
pub(crate) const BITS: u32 = 4;

/// Of a reduced state that was expanded.
const REDUCED: u64 = 2;
/// Of full ones, by level.
const FULL: u64 = 3;
const CLASSES: u64 = 16 - FULL;

/// Of a state that is found, if it is of this level.
pub(crate) fn born(level: u64) -> u64 {
    level % 2
}

/// Of a state of this level that was expanded.
pub(crate) fn expanded(level: u64, is_full: bool) -> u64 {
    if is_full { FULL + level % CLASSES } else { REDUCED }
}

/// Whether a state was expanded, and not fully, by what is known of it.
pub(crate) fn is_reduced(known: u64) -> bool {
    known == REDUCED
}

/// Whether a successor of a state of this level leads on, by what was known of it before; None if it is new.
#[inline]
pub(crate) fn leads_on(level: u64, known: Option<u64>) -> bool {
    match known {
        None => true,
        Some(born @ ..REDUCED) => born != level % 2 || makes_mistake("por-level-equal"),
        Some(REDUCED) => makes_mistake("por-level-old"),
        Some(full) => full != FULL + level % CLASSES,
    }
}

/// Whether a state may stay reduced if its successors lead on or not.
#[inline]
pub(crate) fn are_enough(proviso: Proviso, mut successors: impl Iterator<Item = bool>) -> bool {
    match proviso {
        Proviso::WayOut => successors.any(|leads_on| leads_on),
        Proviso::EveryCycle => successors.all(|leads_on| leads_on),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_the_level_at_hand_never_leads_on() {
        for level in 0..100 {
            assert!(!leads_on(level, Some(born(level))));
            assert!(leads_on(level, Some(born(level + 1))) && leads_on(level, None));
            for is_full in [false, true] {
                assert!(!leads_on(level, Some(expanded(level, is_full))));
                let before = level.checked_sub(1).map(|before| expanded(before, is_full));
                assert!(before.is_none_or(|before| leads_on(level, Some(before)) == is_full));
                assert!(expanded(level, is_full) >> BITS == 0);
            }
        }
    }

    #[test]
    fn one_is_enough_for_states_and_all_for_runs() {
        let both = [true, false];
        assert!(are_enough(Proviso::WayOut, both.into_iter()));
        assert!(!are_enough(Proviso::EveryCycle, both.into_iter()));
        assert!(!are_enough(Proviso::WayOut, [false].into_iter()));
    }
}

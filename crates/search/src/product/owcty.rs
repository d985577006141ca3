//! What elimination (OWCTY) keeps of a product state, in the bits of a payload: on threads that share a set (`shared/owcty`), and over workers that share nothing (`spread/owcty`).
//!
//! ```text
//! bits 0 to 4   predecessors in S, as far as they can be counted: there may be more in a table beside the set
//! bit 5         in S
//! bit 6         to be expanded; without marks there is no such bit
//! from bit 7    marks from which it can be reached
//! ```

use lariat_core::makes_mistake;

/// Predecessors, up to this number: there may be more in the table.
pub(crate) const MANY: u64 = 31;
/// In S.
pub(crate) const IN: u64 = 1 << 5;
/// To be expanded.
pub(crate) const WAITS: u64 = 1 << 6;
/// Where marks begin.
pub(crate) const MARKS: u32 = 7;

/// Bits kept of each state.
pub(crate) fn payload_bits(marks: u32) -> u32 {
    if marks == 0 { 6 } else { MARKS + marks }
}

/// A payload with one predecessor more.
pub(crate) fn one_more(payload: u64) -> u64 {
    let is_wrong = makes_mistake("owcty-count") && payload & MANY > 0;
    payload + u64::from(payload & MANY < MANY && !is_wrong)
}

/// Whether it is one of a state in S that has as many predecessors as can be counted: one more or less is one in the table.
pub(crate) fn is_full(payload: u64) -> bool {
    payload & (IN | MANY) == IN | MANY
}

/// A payload with one predecessor less, if it is one of a state in S: without the last one it is out of S.
pub(crate) fn one_less(payload: u64) -> u64 {
    match payload & MANY {
        0 => payload,
        _ if payload & IN == 0 => payload,
        1 => payload & !IN & !MANY,
        _ => payload - 1,
    }
}

/// Whether one predecessor of a state in S is left.
pub(crate) fn is_last(payload: u64) -> bool {
    payload & (IN | MANY) == IN | 1
}

/// Whether a state in S has no predecessor there.
pub(crate) fn has_none(payload: u64) -> bool {
    payload & (IN | MANY) == IN
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many as were counted are counted off, then the state is out of S; marks stay what they are.
    #[test]
    fn who_was_counted_is_counted_off() {
        let marks = 5 << MARKS | WAITS;
        for count in 1..=MANY {
            let mut payload = (0..count).fold(IN | marks, |payload, _| one_more(payload));
            assert_eq!(payload, IN | marks | count);
            for left in (1..=count).rev() {
                assert!(payload & IN != 0 && is_last(payload) == (left == 1));
                payload = one_less(payload);
            }
            assert_eq!(payload, marks);
            assert_eq!(one_less(payload), payload);
        }
        let full = (0..100).fold(IN, |payload, _| one_more(payload));
        assert!(is_full(full) && !has_none(full) && has_none(IN));
    }
}

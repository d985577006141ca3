//! Fairness to processes as marks on the steps of a model (RDKP §1): nothing is added to the
//! states.
//!
//! *Weak*: a process that can take part in a step for ever takes part in one again and again.
//! Mark `p` is on a step in which process `p` takes part, and on every step from a state in
//! which it cannot; a run is fair if it carries every mark infinitely often. A process is known
//! by its pid: one that ends has moved, so whoever comes next under the same pid is another
//! matter.
//!
//! *Strong*: one that can take part infinitely often takes part infinitely often. Mark `p` says
//! that `p` takes part, mark `n + p` that it could, for `n` processes.
//!
//! Both sides of a rendezvous take part in it, and both could before. `pan -f` sees that
//! otherwise: to its Rule 2 only the sender could, so one who waits to receive counts as blocked
//! for as long as others are served. [`Fairness::Spin`] is that reading, for comparison.

use lariat_core::{Marks, makes_mistake};

use super::{Expansion, Move};
use crate::ir::transition::Discipline;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fairness {
    Weak,
    /// Weak as `pan -f` has it.
    Spin,
    Strong,
}

/// A set of pids, as far as there are marks for them.
pub type Pids = u64;

/// The marks of the steps of one state.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepMarks {
    fairness: Fairness,
    processes: u32,
    /// Who could take part in a step.
    able: Pids,
    /// Processes that fairness is not asked for.
    exempt: Pids,
}

impl Fairness {
    /// How many marks there are for so many processes.
    pub fn mark_count(self, processes: u32) -> u32 {
        match self {
            Fairness::Weak | Fairness::Spin => processes,
            Fairness::Strong => 2 * processes,
        }
    }

    /// How many processes so many marks are enough for.
    pub fn processes(self, marks: u32) -> u32 {
        match self {
            Fairness::Weak | Fairness::Spin => marks,
            Fairness::Strong => marks / 2,
        }
    }

    /// Who can take part in a step of the expanded state.
    pub fn able(self, discipline: Discipline, steps: &Expansion) -> Pids {
        (0..steps.len()).fold(0, |able, at| able | self.starters(discipline, steps.moves(at)))
    }

    /// Who takes part in a step from its first command on. What comes later in an atomic
    /// sequence may become possible only on the way.
    fn starters(self, discipline: Discipline, moves: &[Move]) -> Pids {
        if discipline != Discipline::Spin {
            // A transition, or all that happen together.
            return all(moves);
        }
        match moves {
            [first, second, ..] if first.pid != second.pid => match self {
                Fairness::Spin => bit(first.pid),
                Fairness::Weak | Fairness::Strong => bit(first.pid) | bit(second.pid),
            },
            [first, ..] => bit(first.pid),
            [] => 0,
        }
    }

    /// Who takes part in a step.
    pub fn taking_part(self, moves: &[Move]) -> Pids {
        all(moves)
    }
}

impl StepMarks {
    pub(super) fn new(fairness: Fairness, processes: u32, able: Pids, exempt: Pids) -> StepMarks {
        StepMarks { fairness, processes, able, exempt }
    }

    pub(super) fn of(self, moves: &[Move]) -> Marks {
        let everybody = Marks::all(self.processes).0;
        let moved = self.fairness.taking_part(moves) | self.exempt;
        Marks(match self.fairness {
            Fairness::Weak if makes_mistake("fair-blocked") => moved & everybody,
            Fairness::Weak | Fairness::Spin => (moved | !self.able) & everybody,
            Fairness::Strong => {
                let able = self.able & !self.exempt & everybody;
                let able = if makes_mistake("fair-strong") { able & !1 } else { able };
                moved & everybody | able << self.processes
            }
        })
    }
}

fn bit(pid: u8) -> Pids {
    1u64.checked_shl(u32::from(pid)).unwrap_or(0)
}

fn all(moves: &[Move]) -> Pids {
    moves.iter().fold(0, |pids, step| pids | bit(step.pid))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::CommandId;

    fn moves(pids: &[u8]) -> Vec<Move> {
        pids.iter().map(|&pid| Move { pid, command: CommandId(0) }).collect()
    }

    #[test]
    fn both_sides_of_a_rendezvous_take_part() {
        let meeting = moves(&[2, 0]);
        assert_eq!(Fairness::Weak.taking_part(&meeting), 0b101);
        assert_eq!(Fairness::Weak.starters(Discipline::Spin, &meeting), 0b101);
    }

    #[test]
    fn pan_sees_only_the_sender_wait() {
        let meeting = moves(&[2, 0, 0]);
        assert_eq!(Fairness::Spin.taking_part(&meeting), 0b101);
        assert_eq!(Fairness::Spin.starters(Discipline::Spin, &meeting), 0b100);
    }

    #[test]
    fn who_joins_an_atomic_sequence_later_was_not_able_before() {
        let sequence = moves(&[1, 1, 0]);
        assert_eq!(Fairness::Weak.starters(Discipline::Spin, &sequence), 0b010);
        assert_eq!(Fairness::Weak.taking_part(&sequence), 0b011);
    }

    #[test]
    fn weak_marks_the_blocked_and_the_moving() {
        let marks = StepMarks::new(Fairness::Weak, 3, 0b011, 0);
        assert_eq!(marks.of(&moves(&[0])), Marks(0b101));
        assert_eq!(marks.of(&moves(&[1])), Marks(0b110));
    }

    #[test]
    fn strong_marks_ability_above_movement() {
        let marks = StepMarks::new(Fairness::Strong, 3, 0b011, 0b001);
        assert_eq!(marks.of(&moves(&[1])), Marks(0b010_011), "0 is exempt: never asked for");
    }
}

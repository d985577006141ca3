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
use crate::ir::ProctypeId;
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

/// To whom fairness is asked for, and how it is marked: of the steps of any state, whoever computes
/// them.
#[derive(Clone, Debug)]
pub struct FairMarks {
    /// How fair.
    pub fairness: Fairness,
    /// Only to processes of these types; to all without a list.
    to: Option<Vec<ProctypeId>>,
    /// Pids with marks.
    processes: u32,
    /// Those that a state has had.
    wanted: u32,
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

impl FairMarks {
    /// Marks for the first so many pids.
    pub fn new(fairness: Fairness, to: Option<Vec<ProctypeId>>, processes: u32) -> Self {
        FairMarks { fairness, to, processes, wanted: processes }
    }

    pub fn mark_count(&self) -> u32 {
        self.fairness.mark_count(self.processes)
    }

    /// Notes that a state has so many processes.
    #[inline]
    pub fn meet(&mut self, processes: u8) {
        self.wanted = self.wanted.max(u32::from(processes));
    }

    /// How many processes must have marks for a new start.
    pub fn wanted(&self) -> Option<u32> {
        (self.wanted > self.processes).then_some(self.wanted)
    }

    /// The processes that fairness is not asked for, of these types by pid.
    pub fn exempt(&self, proctypes: impl Iterator<Item = ProctypeId>) -> Pids {
        let Some(to) = &self.to else { return 0 };
        let others = proctypes.enumerate().filter(|(_, proctype)| !to.contains(proctype));
        others.fold(0, |pids, (pid, _)| pids | bit(pid as u8))
    }

    /// The marks of a step in which some take part, from a state where some are able to. Those who
    /// are exempt count as taking part, and as not able.
    #[inline]
    pub fn of(&self, moved: Pids, able: Pids) -> Marks {
        let everybody = Marks::all(self.processes).0;
        Marks(match self.fairness {
            Fairness::Weak if makes_mistake("fair-blocked") => moved & everybody,
            Fairness::Weak | Fairness::Spin => (moved | !able) & everybody,
            Fairness::Strong => {
                let able = able & everybody;
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
        let marks = FairMarks::new(Fairness::Weak, None, 3);
        assert_eq!(marks.of(all(&moves(&[0])), 0b011), Marks(0b101));
        assert_eq!(marks.of(all(&moves(&[1])), 0b011), Marks(0b110));
    }

    #[test]
    fn strong_marks_ability_above_movement() {
        let marks = FairMarks::new(Fairness::Strong, Some(vec![ProctypeId(1)]), 3);
        let exempt = marks.exempt([0, 1, 1].into_iter().map(ProctypeId));
        assert_eq!(exempt, 0b001, "never asked for");
        let moved = all(&moves(&[1])) | exempt;
        assert_eq!(marks.of(moved, 0b011 & !exempt), Marks(0b010_011));
    }
}

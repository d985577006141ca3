//! The successors of a state of a DVE `system sync`: every process takes one of its transitions.
//!
//! Neither DiVinE's interpreter nor LTSmin runs such systems, so this is the plain reading of the
//! name; see `docs/dve.md`.

use super::divine::{Candidate, Divine, apply, candidates, clash, party};
use super::expansion::{Expansion, Move};
use super::fault::FaultKind;
use super::machine::Machine;

/// More steps of one state than this are taken for a mistake.
const MAX_COMBINATIONS: u64 = 1 << 20;

impl Divine {
    /// All processes move, in all combinations of their transitions.
    pub(super) fn lock_step(&mut self, machine: &mut Machine<'_>, out: &mut Expansion) -> bool {
        self.choices.resize_with(self.processes, Vec::new);
        let mut choices = std::mem::take(&mut self.choices);
        for (pid, enabled) in choices.iter_mut().enumerate() {
            enabled.clear();
            candidates(machine, pid, enabled);
        }
        let moved = choices.iter().all(|enabled| !enabled.is_empty());
        let mut choice = vec![0; choices.len()];
        let mut done = !moved;
        let combinations = choices.iter().map(|enabled| enabled.len() as u64);
        if combinations.fold(1, u64::saturating_mul) > MAX_COMBINATIONS {
            let first = choices[0][0].command;
            machine.fault(FaultKind::TooManySteps, machine.model.command(first).span);
            self.finish(machine, out);
            done = true;
        }
        while !done {
            self.together(machine, &choices, &choice);
            self.finish(machine, out);
            // The next combination, the last process first.
            done = true;
            for pid in (0..choice.len()).rev() {
                choice[pid] += 1;
                if choice[pid] < choices[pid].len() {
                    done = false;
                    break;
                }
                choice[pid] = 0;
            }
        }
        self.choices = choices;
        moved
    }

    /// One step of a lock-step system: the effects in the order of the processes.
    fn together(
        &mut self,
        machine: &mut Machine<'_>,
        choices: &[Vec<Candidate>],
        choice: &[usize],
    ) {
        for (pid, (enabled, &at)) in choices.iter().zip(choice).enumerate() {
            let command = enabled[at].command;
            self.path.push(Move { pid: pid as u8, command });
            machine.faults.extend(enabled[at].fault);
            let own = party(machine, pid, command);
            let others = self.path[..pid].iter();
            let mut others = others.map(|step| party(machine, step.pid as usize, step.command));
            if others.any(|other| clash(own.transition, other.transition)) {
                let span = machine.model.command(command).span;
                machine.fault(FaultKind::DoubleAssignment, span);
            }
            machine.set_location(own.who.base, own.target);
        }
        for pid in 0..choices.len() {
            let own = party(machine, pid, self.path[pid].command);
            if !machine.faults.is_empty() || !apply(machine, &own.transition.effects, own.who) {
                return;
            }
        }
    }
}

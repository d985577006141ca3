//! A known step once more, command by command: for traces and simulation.
//!
//! The walk has decided that the step may be taken; here it is only retraced, to see what each
//! command changed and printed.

use super::step::Outcome;
use super::{Interp, Move};
use crate::ir::transition::Discipline;

/// What a command left behind, perhaps in the middle of an atomic sequence or a rendezvous.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Followed {
    pub state: Vec<u8>,
    pub hidden: Vec<u8>,
    /// The text of `printf`.
    pub output: String,
}

impl Interp<'_> {
    /// Executes the commands of a step in order. Stops early at a command that cannot be
    /// executed or leaves no state behind. Steps of DVE are not made of commands: none.
    pub fn follow(&mut self, state: &[u8], hidden: &[u8], moves: &[Move]) -> Vec<Followed> {
        let machine = &mut self.machine;
        if machine.model.discipline != Discipline::Spin {
            return Vec::new();
        }
        machine.load(state);
        machine.hidden.copy_from_slice(hidden);
        machine.faults.clear();
        let printed = std::mem::replace(&mut machine.print, true);
        let mut followed = Vec::with_capacity(moves.len());
        for step in moves {
            machine.output.clear();
            let who = machine.context(step.pid as usize);
            let command = machine.model.command(step.command);
            let mut outcome = machine.execute(&command.action, who, true, command.span);
            if outcome == Outcome::Blocked {
                machine.timeout = true;
                outcome = machine.execute(&command.action, who, true, command.span);
                machine.timeout = false;
            }
            machine.faults.retain(|fault| fault.kind.is_fatal());
            if !matches!(outcome, Outcome::Done | Outcome::Offered) {
                break;
            }
            if (who.pid as usize) < machine.frames.len() {
                machine.set_location(who.base, command.target);
                machine.bury(who.base);
            }
            if machine.model.uses.last {
                machine.set_last(who.pid);
            }
            followed.push(Followed {
                state: machine.memory.clone(),
                hidden: machine.hidden.clone(),
                output: std::mem::take(&mut machine.output),
            });
        }
        machine.faults.clear();
        machine.print = printed;
        followed
    }
}

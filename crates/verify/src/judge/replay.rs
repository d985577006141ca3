//! Commands once more, from the initial state.

use lariat_model::interp::{Expansion, Fault, Interp, Move};
use lariat_model::ir::Model;
use lariat_report::execution::{State, Step};

/// Where the run is.
pub(super) struct Replay<'m> {
    pub(super) interp: Interp<'m>,
    expansion: Expansion,
    pub(super) initial: State,
    pub(super) steps: Vec<Step>,
}

impl<'m> Replay<'m> {
    /// At the initial state; the faults of the initialisers, if there is none.
    pub(super) fn new(model: &'m Model) -> Result<Replay<'m>, Vec<Fault>> {
        let mut interp = Interp::new(model);
        let initial = interp.initial()?;
        Ok(Replay { interp, expansion: Expansion::new(), initial, steps: Vec::new() })
    }

    /// The last state.
    pub(super) fn now(&self) -> &State {
        let last = self.steps.last().and_then(|step| step.state.as_ref());
        last.unwrap_or(&self.initial)
    }

    /// What can happen in the last state.
    pub(super) fn expand(&mut self) -> &Expansion {
        let Replay { interp, expansion, initial, steps } = self;
        let last = steps.last().and_then(|step| step.state.as_ref());
        let (state, hidden) = last.unwrap_or(initial);
        expansion.clear();
        interp.successors(state, hidden, expansion);
        &self.expansion
    }

    /// Takes a step.
    pub(super) fn take(&mut self, moves: &[Move]) -> Result<(), String> {
        let number = self.steps.len() + 1;
        let expansion = self.expand();
        let mut found = (0..expansion.len()).filter(|&at| expansion.moves(at) == moves);
        let first = found.next().ok_or_else(|| format!("the model cannot take step {number}"))?;
        let state = |at| (expansion.state(at), expansion.hidden(at));
        // Commands say all that there is to say about a step; else they would not name one.
        if found.any(|other| state(other) != state(first)) {
            return Err(format!("the commands of step {number} lead to different states"));
        }
        let (state, hidden) = state(first);
        let state = Some((state.to_vec(), hidden.to_vec()));
        self.steps.push(Step { moves: moves.to_vec(), state });
        Ok(())
    }

    /// Whether the last state has such a fault on the way of `moves`; without any, of its own.
    pub(super) fn has_fault(&mut self, moves: &[Move], is_it: impl Fn(&Fault) -> bool) -> bool {
        let expansion = self.expand();
        let mut faults = expansion.faults().iter();
        faults.any(|found| is_it(&found.fault) && expansion.fault_moves(found) == moves)
    }
}

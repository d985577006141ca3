//! The execution that leads to an error, by replaying the path on the interpreter.

use lariat_core::{SystemId, SystemStore, Word};

use super::search::Search;
use super::{ErrorKind, ErrorTrace, Order, TraceStep};
use crate::interp::{Expansion, Move, row};

impl<S: SystemStore<Row = [Word]>> Search<'_, '_, S> {
    /// The execution to the current state, and the commands from there to the fault, if there
    /// are any.
    pub(super) fn trace(&mut self, error: ErrorKind, last: Option<&[Move]>) -> ErrorTrace {
        let ids = self.path();
        let (initial, first_hidden) = self.interp.initial().unwrap_or_default();
        let (mut state, mut hidden) = (initial.clone(), first_hidden);
        let mut expansion = Expansion::new();
        let mut steps = Vec::with_capacity(ids.len());
        let mut packed = vec![0; self.width - self.hidden_words];
        for &to in &ids[1..] {
            let to = self.store.load(to);
            expansion.clear();
            self.interp.successors(&state, &hidden, &mut expansion);
            let is_it = |&at: &usize| {
                let next = expansion.state(at);
                let hidden = if self.hidden_words > 0 { &[] } else { expansion.hidden(at) };
                row::words_for(next, hidden) <= packed.len() && {
                    row::pack(next, hidden, &mut packed);
                    packed == to
                }
            };
            // Whoever shows the trace replays it, and finds out if a step is missing.
            let Some(at) = (0..expansion.len()).find(is_it) else { break };
            state = expansion.state(at).to_vec();
            hidden = expansion.hidden(at).to_vec();
            let moves = expansion.moves(at).to_vec();
            steps.push(TraceStep { moves, state: Some(state.clone()) });
        }
        // An assertion on a state fails without a step.
        if let Some(moves) = last.filter(|moves| !moves.is_empty()) {
            steps.push(TraceStep { moves: moves.to_vec(), state: None });
        }
        ErrorTrace { error, initial, steps }
    }

    /// From the initial state to the current one.
    fn path(&self) -> Vec<SystemId> {
        if self.options.order == Order::DepthFirst {
            return self.stack.path().into_iter().map(|(id, _)| id.into()).collect();
        }
        self.parents.path(self.current)
    }
}

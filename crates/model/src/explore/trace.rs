//! The execution that leads to an error.

use super::search::Search;
use super::{ErrorKind, ErrorTrace, Order, TraceStep};
use crate::interp::{Expansion, Move};

impl Search<'_, '_> {
    /// The execution to the state on top of the stack, and the commands from there to the
    /// fault, if there are any. The search goes on afterwards, so its interpreter's state is
    /// not to be relied on.
    pub(super) fn trace(&mut self, error: ErrorKind, last: Option<&[Move]>) -> ErrorTrace {
        let ids = self.path();
        let (initial, mut hidden) = self.interp.initial().unwrap_or_default();
        let mut expansion = Expansion::new();
        let mut steps = Vec::with_capacity(ids.len());
        for pair in ids.windows(2) {
            let (from, to) = (self.states.get(pair[0]), self.states.get(pair[1]));
            expansion.clear();
            self.interp.successors(from, &hidden, &mut expansion);
            // Whoever shows the trace replays it, and finds out if a step is missing.
            let Some(at) = (0..expansion.len()).find(|&at| expansion.state(at) == to) else {
                break;
            };
            hidden = expansion.hidden(at).to_vec();
            let moves = expansion.moves(at).to_vec();
            steps.push(TraceStep { moves, state: Some(to.to_vec()) });
        }
        // An assertion on a state fails without a step.
        if let Some(moves) = last.filter(|moves| !moves.is_empty()) {
            steps.push(TraceStep { moves: moves.to_vec(), state: None });
        }
        ErrorTrace { error, initial, steps }
    }

    /// From the initial state to the one on top of the stack.
    fn path(&self) -> Vec<u32> {
        let mut ids: Vec<u32> = self.frames.iter().map(|frame| frame.id).collect();
        if self.options.order == Order::BreadthFirst {
            while let Some(&last) = ids.last()
                && last != 0
            {
                ids.push(self.parents[last as usize]);
            }
            ids.reverse();
        }
        ids
    }
}

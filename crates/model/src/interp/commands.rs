//! From the rows of a path to the commands between them.
//!
//! Searches know states; a run is told by what was executed. Each step is looked for among the
//! successors that the interpreter finds, so a row that the model cannot come to shows here.

use std::fmt;

use lariat_core::Word;

use super::{Expansion, Interp, Move, row};
use crate::ir::Model;

/// A step of the path: from `state`, which has these successors, to those of them that have the next
/// row. The commands of the first one are taken.
#[derive(Clone, Copy)]
pub struct RowStep<'a> {
    pub number: usize,
    pub state: &'a [u8],
    pub successors: &'a Expansion,
    pub choices: &'a [usize],
}

/// Where there are no commands.
#[derive(Clone, Debug)]
pub struct NoCommands {
    /// Those up to there.
    pub steps: Vec<Vec<Move>>,
    pub why: NoStep,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoStep {
    NoInitialState,
    /// The first row is another state.
    OtherInitialState,
    /// No successor has the next row.
    Unknown,
    /// There is no successor at all.
    AtRest,
}

impl fmt::Display for NoCommands {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why {
            NoStep::NoInitialState => write!(out, "there is no initial state"),
            NoStep::OtherInitialState => write!(out, "it does not start in the initial state"),
            NoStep::Unknown | NoStep::AtRest => {
                write!(out, "the model cannot take step {}", self.steps.len() + 1)
            }
        }
    }
}

/// Finds the commands from each row to the next, from the initial state on. Rows are whole, or lack
/// the hidden variables where these are outside of states. `each` is shown every step.
pub fn commands<'r>(
    model: &Model,
    rows: impl IntoIterator<Item = &'r [Word]>,
    hidden_is_outside: bool,
    mut each: impl FnMut(&mut Interp<'_>, RowStep<'_>),
) -> Result<Vec<Vec<Move>>, NoCommands> {
    let mut steps = Vec::new();
    let lost = |steps, why| Err(NoCommands { steps, why });
    let mut rows = rows.into_iter();
    let mut interp = Interp::new(model);
    let (Ok((mut state, mut hidden)), Some(first)) = (interp.initial(), rows.next()) else {
        return lost(steps, NoStep::NoInitialState);
    };
    let mut packed = vec![0; first.len()];
    let mut has_row = |state: &[u8], hidden: &[u8], row: &[Word]| {
        let hidden = if hidden_is_outside { &[] } else { hidden };
        row::words_for(state, hidden) <= packed.len() && {
            row::pack(state, hidden, &mut packed);
            packed == row
        }
    };
    if !has_row(&state, &hidden, first) {
        return lost(steps, NoStep::OtherInitialState);
    }
    let mut successors = Expansion::new();
    for row in rows {
        successors.clear();
        interp.successors(&state, &hidden, &mut successors);
        let is_next = |&at: &usize| has_row(successors.state(at), successors.hidden(at), row);
        let choices: Vec<usize> = (0..successors.len()).filter(is_next).collect();
        let Some(&next) = choices.first() else {
            let is_at_rest = successors.len() == 0;
            return lost(steps, if is_at_rest { NoStep::AtRest } else { NoStep::Unknown });
        };
        let step = RowStep {
            number: steps.len(),
            state: &state,
            successors: &successors,
            choices: &choices,
        };
        each(&mut interp, step);
        steps.push(successors.moves(next).to_vec());
        state = successors.state(next).to_vec();
        hidden = successors.hidden(next).to_vec();
    }
    Ok(steps)
}

//! A lasso of the product as commands of the model, for the judge.

use lariat_core::{Automaton, Lasso, Run, Word, makes_mistake};
use lariat_model::interp::commands::{NoStep, RowStep, commands};
use lariat_model::interp::row;
use lariat_model::ir::Model;
use lariat_model::ir::layout::Divergence;
use lariat_model::ir::transition::Discipline;
use lariat_report::execution::Ending;
use lariat_search::product::Product;
use lariat_system::SystemGraph;

use super::fair::{self, Fair, LoopState};
use crate::judge::Claimed;

/// The rows of the system along a lasso.
pub(super) struct SystemRows {
    rows: Vec<Box<[Word]>>,
    loop_start: usize,
}

impl SystemRows {
    /// Of a lasso whose states are rows of the system, of this width, and something behind them.
    pub(super) fn of_whole_rows(lasso: &Lasso, width: usize) -> SystemRows {
        let row = |state: &[Word]| Box::from(&state[..width]);
        let rows = lasso.prefix.iter().chain(lasso.cycle.iter()).map(row).collect();
        SystemRows { rows, loop_start: lasso.prefix.len() }
    }

    /// The loop is inside an atomic sequence.
    pub(super) fn stay_inside(&self, model: &Model) -> bool {
        let (state, _) = row::unpack(model, &self.rows[self.loop_start]);
        model.discipline == Discipline::Spin && Divergence::of(&state).is_some()
    }
}

pub(super) fn system_rows<G: SystemGraph, A: Automaton>(
    product: &mut Product<'_, G, A>,
    lasso: &Lasso,
) -> SystemRows {
    let mut row = |state: &[Word]| Box::from(product.system_row(&[state[0], state[1]]));
    let mut all = |run: &Run| run.iter().map(&mut row).collect::<Vec<Box<[Word]>>>();
    let mut rows = all(&lasso.prefix);
    let loop_start = rows.len();
    rows.extend(all(&lasso.cycle));
    SystemRows { rows, loop_start }
}

/// The run along the rows. If only fair runs count, the loop is gone round as often as it takes to
/// be fair. An error says, in half a sentence, where there are no commands.
pub(super) fn claimed(
    model: &Model,
    fair: Option<&Fair>,
    lasso: &SystemRows,
) -> Result<Claimed, String> {
    let mut looping: Vec<LoopState> = Vec::new();
    // The commands of each step of the loop, by number of the successor.
    let mut choices_of: Vec<Vec<_>> = Vec::new();
    let rows = lasso.rows.iter().chain([&lasso.rows[lasso.loop_start]]).map(|row| &row[..]);
    let found = commands(model, rows, false, |interp, step| {
        let RowStep { number, state, successors, choices } = step;
        if let Some(fair) = fair.filter(|_| number >= lasso.loop_start) {
            looping.push(LoopState::new(interp, fair, state, successors, choices));
            choices_of.push(choices.iter().map(|&c| (c, successors.moves(c).to_vec())).collect());
        }
    });
    let mut steps = match found {
        Ok(steps) => steps,
        Err(lost) => {
            // The system rests: the loop is its last state alone.
            let last = &lasso.rows[lost.steps.len()..];
            if lost.why == NoStep::AtRest && last.iter().all(|row| *row == last[0]) {
                return Ok(Claimed { steps: lost.steps, ending: Ending::Rest });
            }
            return Err(lost.to_string());
        }
    };
    if let Some(fair) = fair {
        let rounds = fair::rounds(fair, &looping)
            .map_err(|pid| format!("it is not fair to process {pid}"))?;
        steps.truncate(lasso.loop_start);
        for (next, choices) in rounds.iter().flat_map(|round| round.iter().zip(&choices_of)) {
            let chosen = choices.iter().find(|(choice, _)| choice == next);
            steps.extend(chosen.map(|(_, moves)| moves.clone()));
        }
    }
    if makes_mistake("lasso-drops-a-step") {
        steps.remove(steps.len() / 2);
    }
    Ok(Claimed { steps, ending: Ending::Loop { start: lasso.loop_start } })
}

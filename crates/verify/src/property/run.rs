//! A lasso of the product as commands of the model, for the judge.

use lariat_core::{Flat, Lasso, Run, StateSpace, SystemStore, Word, makes_mistake};
use lariat_model::interp::{Expansion, Interp, row};
use lariat_model::ir::Model;
use lariat_model::ir::layout::Divergence;
use lariat_model::ir::transition::Discipline;
use lariat_report::execution::Ending;
use lariat_search::shared_product::SharedProduct;

use super::fair::{self, Fair, LoopState};
use crate::judge::Claimed;

/// The rows of the system along a lasso.
pub(super) struct SystemRows {
    rows: Vec<Box<[Word]>>,
    loop_start: usize,
}

impl SystemRows {
    /// The loop is inside an atomic sequence.
    pub(super) fn stay_inside(&self, model: &Model) -> bool {
        let (state, _) = row::unpack(model, &self.rows[self.loop_start]);
        model.discipline == Discipline::Spin && Divergence::of(&state).is_some()
    }
}

pub(super) fn system_rows<M, A, S>(
    product: &mut SharedProduct<'_, M, A, S>,
    lasso: &Lasso,
) -> SystemRows
where
    M: StateSpace<Batch = Flat>,
    A: lariat_core::Automaton,
    S: SystemStore<Row = [Word]>,
{
    let mut row = |state: &[Word]| Box::from(product.system_row(&[state[0], state[1]]));
    let mut all = |run: &Run| run.iter().map(&mut row).collect::<Vec<Box<[Word]>>>();
    let mut rows = all(&lasso.prefix);
    let loop_start = rows.len();
    rows.extend(all(&lasso.cycle));
    SystemRows { rows, loop_start }
}

/// Finds the commands between the rows. If only fair runs count, the loop is gone round as often
/// as it takes to be fair. An error says, in half a sentence, where there are none.
pub(super) fn commands(
    model: &Model,
    fair: Option<&Fair>,
    lasso: &SystemRows,
) -> Result<Claimed, String> {
    let width = lasso.rows[0].len();
    let mut interp = Interp::new(model);
    let mut now = interp.initial().map_err(|_| "there is no initial state".to_owned())?;
    if padded(&now.0, &now.1, width) != lasso.rows[0][..] {
        return Err("it does not start in the initial state".to_owned());
    }
    let mut steps = Vec::with_capacity(lasso.rows.len());
    let mut looping: Vec<LoopState> = Vec::new();
    // The commands of each step of the loop, by number of the successor.
    let mut choices_of: Vec<Vec<_>> = Vec::new();
    let mut expansion = Expansion::new();
    let targets = lasso.rows[1..].iter().chain([&lasso.rows[lasso.loop_start]]);
    for (at, target) in targets.enumerate() {
        expansion.clear();
        interp.successors(&now.0, &now.1, &mut expansion);
        let is_target = |&next: &usize| {
            padded(expansion.state(next), expansion.hidden(next), width) == target[..]
        };
        let choices: Vec<usize> = (0..expansion.len()).filter(is_target).collect();
        let Some(&next) = choices.first() else {
            // The system rests: the loop is its last state alone.
            if expansion.len() == 0 && lasso.rows[at..].iter().all(|row| row == target) {
                return Ok(Claimed { steps, ending: Ending::Rest });
            }
            return Err(format!("the model cannot take step {}", at + 1));
        };
        if let Some(fair) = fair.filter(|_| at >= lasso.loop_start) {
            looping.push(LoopState::new(&mut interp, fair, &now.0, &expansion, &choices));
            choices_of.push(choices.iter().map(|&c| (c, expansion.moves(c).to_vec())).collect());
        }
        steps.push(expansion.moves(next).to_vec());
        now = (expansion.state(next).to_vec(), expansion.hidden(next).to_vec());
    }
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

/// A state as a row of words.
fn padded(state: &[u8], hidden: &[u8], width: usize) -> Vec<Word> {
    let mut words = vec![0; width.max(row::words_for(state, hidden))];
    row::pack(state, hidden, &mut words);
    words
}

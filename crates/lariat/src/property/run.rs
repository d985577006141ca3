//! A lasso of the product as an execution of the model, and the formula's own opinion of it.

use lariat_core::{Flat, Lasso, Run, StateSpace, SystemStore, Word};
use lariat_ltl::eval;
use lariat_model::interp::{Expansion, Interp, ModelSpace, Move, row};
use lariat_model::ir::Model;
use lariat_model::shortcuts::retrace;
use lariat_search::shared_product::SharedProduct;

use super::fair::{self, Fair, LoopState};
use super::formula::{Mode, Property, Watcher};

/// The rows of the system along a lasso.
pub(crate) struct SystemRows {
    rows: Vec<Box<[Word]>>,
    loop_start: usize,
}

/// An execution of the model that goes round for ever.
pub(crate) struct ModelRun {
    pub(crate) initial: State,
    pub(crate) steps: Vec<Step>,
    /// The loop starts in the state before this step; if it is `steps.len()`, the system
    /// rests in the last state for ever.
    pub(crate) loop_start: usize,
    /// The truth of each proposition in each state, the initial one first.
    pub(crate) letters: Vec<Vec<bool>>,
}

/// The bytes of a state, and of the variables outside of it.
pub(crate) type State = (Vec<u8>, Vec<u8>);

pub(crate) struct Step {
    pub(crate) moves: Vec<Move>,
    pub(crate) state: State,
}

pub(crate) fn system_rows<M, A, S>(
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

/// Replays the rows on the reference interpreter and asks the formula, by its definition on
/// words, whether this run is one that was looked for. If only fair runs count, the loop is
/// gone round as often as it takes to be fair.
pub(crate) fn execution(
    model: &Model,
    property: &Property,
    fair: Option<&Fair>,
    lasso: &SystemRows,
) -> Result<ModelRun, String> {
    let wrong = |what: &str| Err(format!("internal error: the counterexample is wrong: {what}"));
    let width = lasso.rows[0].len();
    let mut letters = judge(model, property, &lasso.rows, lasso.loop_start)?;

    let mut interp = Interp::new(model);
    let Ok(initial) = interp.initial() else { return wrong("there is no initial state") };
    if padded(&initial, width) != lasso.rows[0][..] {
        return wrong("it does not start in the initial state");
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut looping: Vec<LoopState> = Vec::new();
    let mut expansion = Expansion::new();
    let targets = lasso.rows[1..].iter().chain([&lasso.rows[lasso.loop_start]]);
    for (at, target) in targets.enumerate() {
        let (state, hidden) = steps.last().map_or(&initial, |step: &Step| &step.state);
        let choices = choices(&mut interp, &mut expansion, (state, hidden), target);
        match choices.first() {
            Some(&next) => {
                if let Some(fair) = fair.filter(|_| at >= lasso.loop_start) {
                    looping.push(LoopState::new(&mut interp, fair, state, &expansion, &choices));
                }
                steps.push(step(&expansion, next));
            }
            // The system rests: the loop is its last state alone.
            None if expansion.len() == 0 && lasso.rows[at..].iter().all(|row| row == target) => {
                return Ok(ModelRun { initial, loop_start: steps.len(), steps, letters });
            }
            None => return wrong(&format!("the model cannot take step {}", at + 1)),
        }
    }
    if let Some(fair) = fair {
        let rounds = match fair::rounds(fair, &looping) {
            Ok(rounds) => rounds,
            Err(pid) => return wrong(&format!("it is not fair to process {pid}")),
        };
        steps.truncate(lasso.loop_start);
        let in_loop = letters.split_off(lasso.loop_start);
        for round in rounds {
            letters.extend(in_loop.iter().cloned());
            for next in round {
                let (state, hidden) = steps.last().map_or(&initial, |step: &Step| &step.state);
                expansion.clear();
                interp.successors(state, hidden, &mut expansion);
                steps.push(step(&expansion, next));
            }
        }
    }
    Ok(ModelRun { initial, steps, loop_start: lasso.loop_start, letters })
}

/// The truth of the propositions along a run, if the formula's own definition on words says
/// that it is one that was looked for.
fn judge(
    model: &Model,
    property: &Property,
    rows: &[Box<[Word]>],
    loop_start: usize,
) -> Result<Vec<Vec<bool>>, String> {
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(1);
    let mut space = ModelSpace::new(model, width, property.bound.clone());
    let letters: Vec<Vec<bool>> = rows
        .iter()
        .map(|row| {
            let props = space.props(row);
            (0..property.bound.len()).map(|ap| props >> ap & 1 == 1).collect()
        })
        .collect();
    // An automaton has no meaning beside itself; the run was replayed on it already.
    if let Watcher::Formula { formulas, formula, .. } = &property.watcher {
        let letters = letters.iter().map(|letter| letter_of(letter)).collect();
        let word = eval::Word { letters, loop_start };
        if eval::holds(formulas, *formula, &word) != (property.mode == Mode::Exists) {
            return Err("internal error: the counterexample is wrong: the formula says otherwise"
                .to_owned());
        }
    }
    Ok(letters)
}

/// A run of the model with shortcuts as a run of the model as it was given.
pub(crate) fn on_given(
    given: &Model,
    property: &Property,
    run: &ModelRun,
) -> Result<ModelRun, String> {
    let moves = |steps: &[Step]| -> Vec<Move> {
        steps.iter().flat_map(|step| &step.moves).copied().collect()
    };
    let (prefix, cycle) = run.steps.split_at(run.loop_start);
    let (prefix, cycle) = (moves(prefix), moves(cycle));
    let cycle = (!cycle.is_empty()).then_some(&cycle[..]);
    let Some(found) = retrace(given, &prefix, cycle) else {
        return Err("internal error: a shortcut led to a run that the model does not have".into());
    };
    let steps: Vec<Step> =
        found.steps.into_iter().map(|step| Step { moves: step.moves, state: step.state }).collect();
    let loop_start = found.loop_start.unwrap_or(steps.len());
    let states = || [&found.initial].into_iter().chain(steps.iter().map(|step| &step.state));
    let width = states().map(|(state, hidden)| row::words_for(state, hidden)).max().unwrap_or(1);
    let mut rows: Vec<Box<[Word]>> = states().map(|state| padded(state, width).into()).collect();
    if loop_start < steps.len() {
        // The last state is the first one of the loop.
        rows.pop();
    }
    let letters = judge(given, property, &rows, loop_start)?;
    Ok(ModelRun { initial: found.initial, steps, loop_start, letters })
}

/// Expands a state; the successors that are the row `target`.
fn choices(
    interp: &mut Interp<'_>,
    expansion: &mut Expansion,
    (state, hidden): (&[u8], &[u8]),
    target: &[Word],
) -> Vec<usize> {
    expansion.clear();
    interp.successors(state, hidden, expansion);
    let is_target = |&next: &usize| {
        let (state, hidden) = (expansion.state(next), expansion.hidden(next));
        padded(&(state.to_vec(), hidden.to_vec()), target.len()) == target
    };
    (0..expansion.len()).filter(is_target).collect()
}

fn step(expansion: &Expansion, at: usize) -> Step {
    Step {
        moves: expansion.moves(at).to_vec(),
        state: (expansion.state(at).to_vec(), expansion.hidden(at).to_vec()),
    }
}

fn letter_of(truth: &[bool]) -> eval::Letter {
    let mut letter = eval::Letter::default();
    for (ap, _) in truth.iter().enumerate().filter(|&(_, &holds)| holds) {
        letter.set(ap as u32);
    }
    letter
}

/// A state as a row of words.
fn padded((state, hidden): &State, width: usize) -> Vec<Word> {
    let mut words = vec![0; width.max(row::words_for(state, hidden))];
    row::pack(state, hidden, &mut words);
    words
}

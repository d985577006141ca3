//! A run that goes on for ever: that it does, and what it is like.

use lariat_ltl::eval;
use lariat_model::interp::Interp;
use lariat_model::ir::layout::Divergence;
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{Location, Model};
use lariat_report::execution::{Ending, Execution, Proposition};

use super::replay::Replay;
use super::word::{letters, word};
use super::{Claimed, Forever, Wanted, claim, fair};

pub(super) fn judge(
    model: &Model,
    forever: &Forever<'_>,
    run: &Claimed,
) -> Result<Execution, String> {
    let mut replay = Replay::new(model).map_err(|_| "there is no initial state".to_owned())?;
    run.steps.iter().try_for_each(|moves| replay.take(moves))?;
    if replay.interp.is_error_state(&replay.now().0) {
        return Err("nothing has a meaning in its last state".to_owned());
    }
    match run.ending {
        Ending::Error | Ending::Decided { .. } | Ending::Open => {
            return Err("it does not go on for ever".to_owned());
        }
        Ending::Rest if !forever.may_rest => return Err("it is finite".to_owned()),
        Ending::Rest if replay.expand().len() > 0 => {
            return Err("a process can still move at its end".to_owned());
        }
        Ending::Loop { start } if start >= run.steps.len() => {
            return Err("its loop has no step".to_owned());
        }
        Ending::Rest | Ending::Loop { .. } => {}
    }
    let Replay { interp, initial, steps, .. } = replay;
    let (ending, propositions) = (run.ending, Vec::new());
    let mut execution = Execution { initial, steps, ending, propositions };
    if let Ending::Loop { start } = run.ending
        && execution.before(start) != execution.before(run.steps.len())
    {
        return Err("its loop is not closed".to_owned());
    }
    is_inside(model, &execution)?;
    execution.propositions = propositions_of(interp, forever, &execution);
    match forever.from {
        0 => is_wanted(model, &forever.wanted, &execution)?,
        from if from > execution.prefix().end => {
            return Err("what is said of it is said inside its loop".to_owned());
        }
        from => is_wanted(model, &forever.wanted, &execution.later(from))?,
    }
    // A system at rest starves nobody.
    if let Some(fair) = forever.fair
        && let Some(pid) = fair::starved(model, fair, &execution)
    {
        return Err(format!("it is not fair to process {pid}"));
    }
    Ok(execution)
}

/// If the loop is inside an atomic sequence: its commands lead from a state inside back to it.
fn is_inside(model: &Model, execution: &Execution) -> Result<(), String> {
    let start = execution.prefix().end;
    let (Ending::Loop { .. }, Some(entry)) = (execution.ending, start.checked_sub(1)) else {
        return Ok(());
    };
    let is_spin = model.discipline == Discipline::Spin;
    if !is_spin || Divergence::of(&execution.before(start).0).is_none() {
        return Ok(());
    }
    let (into, around) = (&execution.steps[entry].moves, &execution.steps[start].moves);
    let (state, hidden) = execution.before(entry);
    let inside = Interp::new(model).follow(state, hidden, into);
    let once = into.len().checked_sub(around.len() + 1).and_then(|at| inside.get(at));
    let twice = inside.get(into.len() - 1);
    let is_closed = match (once, twice) {
        (Some(once), Some(twice)) => once.state == twice.state && once.hidden == twice.hidden,
        _ => false,
    };
    match is_closed && into.ends_with(around) {
        true => Ok(()),
        false => Err("its loop inside the atomic sequence is not closed".to_owned()),
    }
}

/// The truth of each proposition in each state. What cannot be evaluated is not true.
fn propositions_of(
    mut interp: Interp<'_>,
    forever: &Forever<'_>,
    execution: &Execution,
) -> Vec<Proposition> {
    let named = |name: &String| Proposition { name: name.clone(), truth: Vec::new() };
    let mut propositions: Vec<Proposition> = forever.names.iter().map(named).collect();
    for at in 0..execution.state_count() {
        let (state, hidden) = execution.before(at);
        interp.load_with_hidden(state, hidden);
        for (proposition, &expr) in propositions.iter_mut().zip(forever.bound) {
            let holds = interp.eval_loaded(expr, None).is_ok_and(|value| value != 0);
            proposition.truth.push(holds);
        }
    }
    propositions
}

fn is_wanted(model: &Model, wanted: &Wanted<'_>, execution: &Execution) -> Result<(), String> {
    let (is_it, otherwise) = match *wanted {
        Wanted::Formula { formulas, formula, truth } => {
            let holds = eval::holds(formulas, formula, &word(execution));
            (holds == truth, "the formula says otherwise")
        }
        Wanted::Automaton(automaton) => {
            let (prefix, cycle) = letters(execution);
            (automaton.accepts_lasso(&prefix, &cycle), "the automaton does not accept it")
        }
        Wanted::Claim(claim) => {
            (claim::matches(model, claim, execution), "the claim does not match it")
        }
        Wanted::AcceptLabels => {
            let found = is_somebody_at(
                model,
                execution,
                |location| location.is_accept,
                |inside| inside.accept,
            );
            (found, "no process is at an accept label in its loop")
        }
        Wanted::NoProgress => {
            let found = is_somebody_at(
                model,
                execution,
                |location| location.is_progress,
                |inside| inside.progress,
            );
            (!found, "a process is at a progress label in its loop")
        }
    };
    if is_it { Ok(()) } else { Err(otherwise.to_owned()) }
}

/// Whether a process is at such a control point in some state of the loop, or inside an atomic
/// sequence that passes one.
fn is_somebody_at(
    model: &Model,
    execution: &Execution,
    is_it: fn(&Location) -> bool,
    passes: fn(Divergence) -> bool,
) -> bool {
    let mut interp = Interp::new(model);
    (execution.prefix().end..execution.state_count()).any(|at| {
        let (state, _) = execution.before(at);
        let inside = Divergence::of(state).filter(|_| model.discipline == Discipline::Spin);
        interp.load(state);
        match inside {
            Some(inside) => passes(inside),
            None => interp.processes().any(|process| is_it(process.location)),
        }
    })
}

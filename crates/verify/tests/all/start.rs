//! A search that begins at a state of a run sees what can be reached from there: as a walk of the
//! interpreter says, on all facts.

use std::collections::HashSet;

use lariat_model::interp::{Expansion, Interp, Move};
use lariat_model::ir::layout::VariableKind;
use lariat_model::ir::{Model as Ir, Variable};
use lariat_report::execution::State;
use lariat_testing::facts;
use lariat_verify::{Config, Error, Model, Verdict};

/// Larger models are left out.
const MOST: usize = 2000;

/// A random walk: its steps and its last state.
fn walk(model: &Ir, random: &mut fastrand::Rng) -> Option<(Vec<Vec<Move>>, State)> {
    let mut interp = Interp::new(model);
    let mut now = interp.initial().ok()?;
    let mut steps = Vec::new();
    for _ in 0..random.usize(1..12) {
        let mut next = Expansion::new();
        interp.successors(&now.0, &now.1, &mut next);
        if next.len() == 0 {
            break;
        }
        let at = random.usize(..next.len());
        steps.push(next.moves(at).to_vec());
        now = (next.state(at).to_vec(), next.hidden(at).to_vec());
    }
    (!steps.is_empty() && !interp.is_error_state(&now.0)).then_some((steps, now))
}

/// The values of a variable in all states from one on; none if there are too many states, or an
/// error, behind which searches and this walk may differ in what they look at.
fn values(model: &Ir, start: &State, variable: &Variable) -> Option<HashSet<i32>> {
    let mut interp = Interp::new(model).without_divergences();
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start.clone()];
    let mut values = HashSet::new();
    while let Some(state) = open.pop() {
        interp.load_with_hidden(&state.0, &state.1);
        values.extend(interp.values(variable, None));
        let mut next = Expansion::new();
        interp.successors(&state.0, &state.1, &mut next);
        if !next.faults().is_empty() || seen.len() > MOST {
            return None;
        }
        for at in 0..next.len() {
            let state = (next.state(at).to_vec(), next.hidden(at).to_vec());
            if seen.insert(state.clone()) {
                open.push(state);
            }
        }
    }
    Some(values)
}

#[test]
fn what_can_be_reached_from_a_state_is_what_a_walk_finds() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut found, mut missing, mut proved) = (0, 0, 0);
    let files = facts("promela", 20).into_iter().chain(facts("dve", 20));
    for path in files {
        let Ok(mut model) = Model::load(&path) else { continue };
        let given = model.loaded().model().clone();
        let is_plain = |variable: &&Variable| {
            variable.kind == VariableKind::Number
                && variable.count.is_none()
                && variable.name.chars().all(|c| c.is_ascii_alphanumeric())
        };
        let Some(variable) = given.globals.iter().find(is_plain) else { continue };
        let Some((steps, state)) = walk(&given, &mut random) else { continue };
        let Some(values) = values(&given, &state, variable) else { continue };
        for value in -1..4 {
            let Ok(asked) = model.reach(&format!("{} == {value}", variable.name)) else { continue };
            let config = Config { start: steps.clone(), ..Config::default() };
            let answer = model.check(asked, &config).expect("an answer");
            let what = format!("{}: {} == {value}", path.display(), variable.name);
            match answer.verdict {
                Verdict::Violated(run) => {
                    assert!(values.contains(&value), "{what}");
                    let moves = run.steps.iter().map(|step| &step.moves);
                    assert!(moves.zip(&steps).all(|(one, other)| one == other), "{what}");
                    assert!(run.steps.len() >= steps.len(), "{what}");
                    found += 1;
                }
                Verdict::Holds => {
                    assert!(!values.contains(&value), "{what}");
                    missing += 1;
                }
                _ => panic!("{what}: no answer"),
            }
            // The same as a formula. Some runs die of a fault; then nothing is known of it.
            let text = format!("[] !({} == {value})", variable.name);
            let Ok(asked) = model.ltl(&text) else { continue };
            let answer = match model.check(asked, &config) {
                Ok(answer) => answer,
                // Inside an atomic sequence there is nothing to see.
                Err(Error::Refused(_)) => continue,
                Err(error) => panic!("{what}: {error}"),
            };
            match answer.verdict {
                Verdict::Violated(_) => assert!(values.contains(&value), "{what}, as a formula"),
                Verdict::Holds => {
                    assert!(!values.contains(&value), "{what}, as a formula");
                    proved += 1;
                }
                _ => {}
            }
        }
    }
    assert!(found > 20 && missing > 20, "{found} found, {missing} not");
    assert!(proved > 20, "{proved} proved");
}

#[test]
fn steps_that_the_model_cannot_take_are_refused() {
    let mut model =
        Model::promela("m.pml", "byte n; active proctype P() { n = 1; n = 2 }").expect("a model");
    let asked = model.reach("n == 2").expect("a question");
    let (steps, _) = walk(model.loaded().model(), &mut fastrand::Rng::with_seed(1)).expect("steps");
    let twice = [&steps[..1], &steps[..1]].concat();
    let config = Config { start: twice, ..Config::default() };
    assert!(model.check(asked, &config).is_err());
    let formula = model.ltl("<> (n == 2)").expect("a question");
    assert!(model.check(formula, &config).is_err());
}

/// A formula is about the runs from there on: what was before does not count, and the run that is shown has it.
#[test]
fn formulas_from_a_state_on() {
    let text = "byte n; active proctype P() { n = 1; n = 2; do :: n = 3 od }";
    let mut model = Model::promela("m.pml", text).expect("a model");
    let formula = model.ltl("<> (n == 1)").expect("a question");
    let (steps, _) = walk(model.loaded().model(), &mut fastrand::Rng::with_seed(1)).expect("steps");
    for count in 0..3 {
        let config = Config { start: steps[..count].to_vec(), ..Config::default() };
        let answer = model.check(formula, &config).expect("an answer");
        match (count < 2, answer.verdict) {
            (true, Verdict::Holds) => {}
            (false, Verdict::Violated(run)) => {
                let moves = run.steps.iter().map(|step| &step.moves);
                assert!(moves.zip(&steps[..count]).all(|(one, other)| one == other));
                assert!(run.prefix().end >= count);
            }
            _ => panic!("behind {count} steps"),
        }
    }
}

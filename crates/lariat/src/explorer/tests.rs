//! What the page is told of models in Rust, and what it believes.

use super::Explorer;
use super::runs::Saved;
use super::subject::changes;
use crate::actor::{Actor, Id, Network, OutOf, System};
use crate::{Check, Model, State, Steps, diff, prop};
use lariat_explore::subject::{Finish, Part, Question, Subject};
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counter {
    n: u32,
    odd: bool,
}

impl State for Counter {}

/// Counts down from 3 or 4, and then goes round; 7 is a place to panic.
struct Count;

impl Model for Count {
    type State = Counter;
    type Action = (&'static str, u32);

    fn initial(&self) -> Vec<Counter> {
        [3, 4].map(|n| Counter { n, odd: false }).to_vec()
    }

    fn steps(&self, s: &Counter, to: &mut Steps<'_, Self>) {
        match s.n {
            0 => to.step(("round", 0), |s| s.odd = !s.odd),
            7 => panic!("seven"),
            _ => to.step(("down", 1), |s| s.n -= 1),
        }
        if s.n == 4 {
            to.step(("jump", 2), |s| s.n = 7);
        }
    }
}

fn explorer() -> Explorer<'static, Count> {
    let zero = prop("zero", |s: &Counter| s.n == 0);
    let check =
        Check::of(&Count).always("small", |s| s.n < 5).holds("ends", crate::eventually(zero));
    Explorer::new(check).expect("a model")
}

fn question(kind: &str, text: &str) -> Question {
    Question { kind: kind.to_owned(), text: Some(text.to_owned()), name: None }
}

fn named(name: &str) -> Question {
    Question { kind: "named".to_owned(), text: None, name: Some(name.to_owned()) }
}

/// The answer of a worker.
fn answer<M: Model>(explorer: &Explorer<'_, M>, question: Question, from: Value) -> Value {
    let task = json!({
        "fingerprint": explorer.fingerprint, "question": question, "from": from, "fair": false,
        "seconds": 60, "memory": null,
    });
    let task = serde_json::from_value(task).expect("a task");
    explorer.answer(&task, &lariat_explore::lines::Lines::default()).expect("an answer")
}

#[test]
fn steps_values_and_a_panic() {
    let explorer = explorer();
    let initial = explorer.initial().expect("two states");
    assert_eq!(initial.len(), 2);
    let steps = explorer.enabled(&initial[1]);
    assert_eq!(steps.len(), 2);
    let names: Vec<String> = steps.iter().flat_map(|one| explorer.texts(&one.step.moves)).collect();
    assert_eq!(names, ["(\"down\", 1)", "(\"jump\", 2)"]);
    let values = explorer.values(&initial[1]);
    let values: Vec<_> = values.iter().map(|v| (v.name.as_str(), v.value.as_str())).collect();
    assert_eq!(values, [("n", "4"), ("odd", "false")]);
    // Where the model panics there is one step, which leads nowhere and says why.
    let seven = steps[1].step.state.clone().expect("a state");
    let [panic] = &explorer.enabled(&seven)[..] else { panic!("one step") };
    assert!(panic.step.state.is_none());
    assert_eq!(panic.error.as_ref().map(|error| error.message.as_str()), Some("seven"));
    let before = initial[1].clone();
    let part = [Arc::new(steps[1].step.clone())];
    let part = Part { before: &before, steps: &part, first: 0, decides: false };
    let told = explorer.tell(&part);
    assert_eq!(told[0].statements[0].process, "2");
    assert_eq!(told[0].changed[0].value, "7");
    assert_eq!(explorer.chart(&part, &[(0, "1".to_owned()), (1, "2".to_owned())]).rows.len(), 1);
}

#[test]
fn answers_are_judged_again() {
    let explorer = explorer();
    let found = answer(&explorer, named("no panic"), Value::Null);
    assert_eq!(found["verdict"], "violated");
    let judged = explorer.judge(&found["saved"]).expect("a run to the panic");
    assert_eq!((judged.steps.len(), judged.finish), (1, Finish::Error));
    assert!(judged.is_claimed && judged.error.is_some_and(|error| error.message == "seven"));
    // A state that is looked for, by a part of it.
    let found = answer(&explorer, question("reach", "n == 0 && odd"), json!([0, []]));
    assert_eq!(found["verdict"], "found");
    let judged = explorer.judge(&found["saved"]).expect("a run");
    assert_eq!(judged.steps.len(), 4);
    // Where nothing was decided, the panic is the answer.
    let found = answer(&explorer, named("ends"), Value::Null);
    assert_eq!(found["verdict"], "violated", "{found}");
    assert_eq!(found["error"], "the model panics: seven");
}

#[test]
fn from_here_on() {
    let explorer = explorer();
    // From 3 on, nobody panics: at the initial state it is true, behind a step no longer.
    let here = |steps: Vec<usize>| json!([0, steps]);
    let three = || question("ltl", "<> (n == 3)");
    assert_eq!(answer(&explorer, three(), here(vec![]))["verdict"], "holds");
    let found = answer(&explorer, three(), here(vec![0, 0]));
    assert_eq!(found["verdict"], "violated");
    let judged = explorer.judge(&found["saved"]).expect("a run");
    assert_eq!((judged.from, judged.steps.len()), (2, 5));
    assert_eq!(judged.finish, Finish::Loop(3));
    assert_eq!(
        answer(&explorer, question("exists", "[] (n < 2)"), here(vec![0, 0]))["verdict"],
        "found"
    );
    assert_eq!(
        answer(&explorer, question("exists", "[] (n < 2)"), here(vec![0]))["verdict"],
        "refuted"
    );
}

/// A queue that becomes shorter has changed, too.
#[test]
fn parts_that_are_gone() {
    let changed = |old: &str, new: &str| -> Vec<(String, String)> {
        let changes = changes(&diff::fields(old), &diff::fields(new)).into_iter();
        changes.map(|change| (change.name, change.value)).collect()
    };
    let is = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(changed("Q { all: [1, 2] }", "Q { all: [1] }"), [is("all[1]", "(gone)")]);
    assert_eq!(changed("Q { all: {1: 5} }", "Q { all: {1: 6} }"), [is("all[1]", "6")]);
    assert_eq!(changed("{1, 2}", "{2}"), [is("state", "{2}")]);
    assert_eq!(changed("Some(3)", "Some(3)"), []);
}

/// Nobody is believed: not the worker, not a file.
#[test]
fn forged_runs_are_refused() {
    let explorer = explorer();
    let found = answer(&explorer, question("ltl", "<> (n == 3)"), json!([0, [0, 0]]));
    let good: Saved = serde_json::from_value(found["saved"].clone()).expect("a run");
    let judge = |change: &dyn Fn(&mut Saved)| {
        let mut forged = good.clone();
        change(&mut forged);
        explorer.judge(&json!(forged)).map(|_| ()).expect_err("no such run")
    };
    assert!(explorer.judge(&json!(good)).is_ok());
    assert_eq!(judge(&|run| run.from = 0), "the formula holds on it");
    assert!(judge(&|run| run.choices[1] = 1).contains("no such step"));
    assert!(judge(&|run| run.initial = 2).contains("initial state"));
    assert!(judge(&|run| run.back_to = Some(1)).contains("not closed"));
    assert!(judge(&|run| run.back_to = None).contains("for ever"));
    assert!(judge(&|run| run.actions[0] = "up".to_owned()).contains("another name"));
    assert!(judge(&|run| run.panics = true).contains("does not panic"));
    assert!(judge(&|run| run.from = 9).contains("behind its end"));
    let condition = |run: &mut Saved| run.question = Some(question("invariant", "n < 5"));
    assert!(judge(&condition).contains("not what was looked for"));
}

#[test]
fn what_is_typed() {
    let explorer = explorer();
    let complaints = |kind: &str, text: &str| explorer.complaints(&question(kind, text)).0;
    assert!(complaints("ltl", "[] (\"zero\" -> n == 0)").is_empty());
    assert!(complaints("ltl", "<> zero && small").is_empty());
    let [wrong] = &complaints("ltl", "<> nobody")[..] else { panic!("one complaint") };
    assert_eq!((wrong.from, wrong.to), (3, 9));
    assert_eq!(complaints("invariant", "<> zero").len(), 1, "no state has later ones");
    assert_eq!(complaints("ltl", "[] (").len(), 1);
}

struct Player;

impl Actor for Player {
    type State = u32;
    type Message = u32;
    type Timer = ();

    fn name(&self, me: Id) -> String {
        ["left", "right"][me].to_owned()
    }

    fn start(&self, me: Id, out: &mut OutOf<Self>) -> u32 {
        if me == 0 {
            out.send(1, 0);
        }
        0
    }

    fn receive(&self, _: Id, state: &mut u32, from: Id, &ball: &u32, out: &mut OutOf<Self>) {
        *state = ball;
        if ball < 5 {
            out.send(from, ball + 1);
        }
    }
}

/// Actors have names and messages, in a part of a run, too.
#[test]
fn actors() {
    let system =
        System::new([Player, Player], Network::Unordered { loses: false, duplicates: false });
    let explorer = Explorer::new(Check::of(&system)).expect("a model");
    let found = answer(&explorer, question("reach", "actors[0] == 5"), Value::Null);
    assert_eq!(found["verdict"], "found", "{found}");
    let run = explorer.judge(&found["saved"]).expect("a run");
    let steps: Vec<_> = run.steps.into_iter().map(Arc::new).collect();
    let whole = Part { before: &run.initial, steps: &steps, first: 0, decides: false };
    let chart = explorer.chart(&whole, &[]);
    assert_eq!(chart.columns, ["left", "right"]);
    let before = steps[2].state.clone().expect("a state");
    let part = Part { before: &before, steps: &steps[3..], first: 3, decides: false };
    let rows = explorer.chart(&part, &[]).rows;
    assert!(rows.iter().all(|row| row.step > 3) && rows.len() < chart.rows.len());
}

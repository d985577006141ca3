//! The native state space as searches use it: a few successors at a time, rows that turn
//! out too narrow, code that comes late.

use lariat_codegen::NativeSpace;
use lariat_core::{Batch, Cursor, DONE, StateSpace, Successors, Word};
use lariat_model::interp::ModelSpace;
use lariat_model::promela::{Loaded, PromelaOptions, load_text};
use lariat_model::steps::ModelSteps;

const MODEL: &str = "
byte x; byte a[3]; chan q = [2] of { byte };
active [2] proctype P() {
  byte l;
  do
  :: q!x; atomic { x = (x + 1) % 4; l = x }
  :: q?l
  :: x == 3 -> a[x] = 1
  :: x == 2 -> break
  od
}";

fn load(text: &str) -> Loaded {
    load_text("space.pml", text, &PromelaOptions::default()).expect("a model")
}

/// The successors of a row, `room` at a time.
fn successors(
    space: &mut impl Successors<Batch = lariat_core::Flat>,
    row: &[Word],
    room: usize,
) -> Vec<Vec<Word>> {
    let mut found = Vec::new();
    let mut batch = space.batch(room);
    let mut at = Cursor(0);
    loop {
        batch.clear();
        space.expand(row, &mut at, &mut batch);
        found.extend((0..batch.len()).map(|at| batch.row(at).to_vec()));
        if at.0 == DONE.0 {
            return found;
        }
    }
}

/// All states, in the order of a breadth-first search by the interpreter.
fn states(space: &mut ModelSpace<'_>) -> Vec<Vec<Word>> {
    let mut batch = space.batch(usize::MAX);
    space.initial(&mut batch);
    let mut states: Vec<Vec<Word>> = vec![batch.row(0).to_vec()];
    let mut next = 0;
    while next < states.len() {
        let row = states[next].clone();
        for found in successors(space, &row, usize::MAX) {
            if !states.contains(&found) {
                states.push(found);
            }
        }
        next += 1;
    }
    states
}

#[test]
fn any_room_gives_the_same_successors() {
    let loaded = load(MODEL);
    let width = ModelSpace::minimal_width(&loaded.model);
    let mut oracle = ModelSpace::new(&loaded.model, width, Vec::new());
    let mut native = NativeSpace::new(&loaded.model, width, Vec::new());
    native.compile().expect("a plain model");
    let states = states(&mut oracle);
    assert!(states.len() > 100, "{} states", states.len());
    for row in &states {
        let wanted = successors(&mut oracle, row, usize::MAX);
        for room in [1, 2, 3, 1000, usize::MAX] {
            assert_eq!(successors(&mut native, row, room), wanted, "room {room}");
        }
    }
    assert!(native.counts().native > 0 && native.counts().interpreted > 0, "some steps are faulty");
}

#[test]
fn code_comes_after_the_first_states() {
    let loaded = load(MODEL);
    let width = ModelSpace::minimal_width(&loaded.model);
    let mut oracle = ModelSpace::new(&loaded.model, width, Vec::new());
    let mut native = NativeSpace::new(&loaded.model, width, Vec::new());
    let states = states(&mut oracle);
    for _ in 0..20 {
        for row in &states {
            let wanted = successors(&mut oracle, row, usize::MAX);
            assert_eq!(successors(&mut native, row, usize::MAX), wanted);
        }
    }
    assert!(native.counts().interpreted > 200 && native.counts().native > 0);
    assert_eq!(native.executed(), oracle.executed());
}

#[test]
fn narrow_rows_are_said_to_be_narrow() {
    let loaded = load("proctype Q() { int a[20]; a[3] = 1 } init { run Q() }");
    let width = ModelSpace::minimal_width(&loaded.model);
    let mut native = NativeSpace::new(&loaded.model, width, Vec::new());
    native.compile().expect("a plain model");
    let mut batch = native.batch(usize::MAX);
    native.initial(&mut batch);
    let initial = batch.row(0).to_vec();
    successors(&mut native, &initial, usize::MAX);
    assert!(native.stopped().is_some() && native.wanted_width() > width);
}

#[test]
fn propositions_that_fail_are_the_interpreters() {
    let mut loaded = load(MODEL);
    let texts = ["x == 0", "a[x] == 0", "4 / x == 2", "len(q) == 1", "P[0]:l == 0"];
    let propositions: Vec<_> = texts
        .iter()
        .map(|text| loaded.add_expression("proposition", text).expect("an expression"))
        .collect();
    let width = ModelSpace::minimal_width(&loaded.model);
    let mut oracle = ModelSpace::new(&loaded.model, width, propositions.clone());
    let mut native = NativeSpace::new(&loaded.model, width, propositions);
    native.compile().expect("a plain model");
    let mut undefined = 0;
    for row in states(&mut oracle) {
        assert_eq!(native.props(&row), oracle.props(&row));
        assert_eq!(native.undefined(), oracle.undefined());
        undefined |= native.undefined();
    }
    assert_eq!(undefined, 0b110, "a[3] and 4 / 0");
}

//! The state space as rows of words has the states that the exploration counts.

use lariat_core::{Batch, Cursor, DONE, FlatArena, Intern, StateSpace, Store, Successors};
use lariat_model::interp::ModelSpace;
use lariat_model::promela::{PromelaOptions, load_text};
use lariat_search::safety::{ExploreOptions, explore};
use lariat_store::Exact;

const PETERSON: &str = "
#define NOBODY(n) (n == 0)
bool turn, flag[2]; byte ncrit;
active [2] proctype user() {
    assert(_pid == 0 || _pid == 1);
again:
    flag[_pid] = 1; turn = _pid;
    (flag[1 - _pid] == 0 || turn == 1 - _pid);
    ncrit++; assert(ncrit == 1); ncrit--;
    flag[_pid] = 0; goto again
}";

const CREATION: &str = "
chan c = [2] of { byte, chan };
proctype worker(byte n) { chan own = [1] of { byte }; c!n,own; own?n; }
init { byte n; chan d; run worker(1); run worker(2); c?n,d; d!n; c?n,d; d!n }";

const SPAWNER: &str = "
byte n;
proctype child() { n++ }
init { do :: n < 3 -> run child(); _nr_pr == 1 :: else -> break od }";

/// Counts states and edges, taking successors `room` at a time.
fn count(text: &str, width: usize, room: usize) -> Option<(usize, usize)> {
    let loaded = load_text("model.pml", text, &PromelaOptions::default()).unwrap();
    let mut space = ModelSpace::new(&loaded.model, width, Vec::new());
    let mut store: Exact<u32, FlatArena> = Exact::new(FlatArena::new(width));
    let mut batch = space.batch(room);
    space.initial(&mut batch);
    let mut todo: Vec<Vec<u32>> = Vec::new();
    let mut edges = 0;
    loop {
        for at in 0..batch.len() {
            let id = store.intern(batch.row(at));
            if store.tag(id) == 0 {
                store.set_tag(id, 1);
                todo.push(batch.row(at).to_vec());
            }
        }
        batch.clear();
        let Some(row) = todo.pop() else { break };
        let mut cursor = Cursor::default();
        while cursor != DONE {
            batch.clear();
            space.expand(&row, &mut cursor, &mut batch);
            if space.stopped().is_some() {
                return None;
            }
            edges += batch.len();
            for at in 0..batch.len() {
                let id = store.intern(batch.row(at));
                if store.tag(id) == 0 {
                    store.set_tag(id, 1);
                    todo.push(batch.row(at).to_vec());
                }
            }
        }
        batch.clear();
    }
    Some((store.len(), edges))
}

#[test]
fn rows_agree_with_the_exploration() {
    for text in [PETERSON, CREATION, SPAWNER] {
        let loaded = load_text("model.pml", text, &PromelaOptions::default()).unwrap();
        let found = explore(&loaded.model, &ExploreOptions::default()).unwrap();
        let expected = (found.states as usize, found.transitions as usize);
        for room in [1, 3, usize::MAX] {
            assert_eq!(count(text, 64, room), Some(expected), "room {room}: {text}");
        }
    }
}

#[test]
fn a_row_that_is_too_narrow_interrupts_and_says_so() {
    let loaded = load_text("model.pml", SPAWNER, &PromelaOptions::default()).unwrap();
    let width = ModelSpace::minimal_width(&loaded.model);
    assert_eq!(count(SPAWNER, width, usize::MAX), None);
}

#[test]
fn propositions_are_bits() {
    let mut loaded = load_text("model.pml", PETERSON, &PromelaOptions::default()).unwrap();
    let both = loaded.add_expression("p", "ncrit == 0").unwrap();
    let label = loaded.add_expression("q", "user[1]@again").unwrap();
    assert!(loaded.add_expression("m", "NOBODY(ncrit) && !user[0]@again").is_ok());
    assert!(loaded.add_expression("r", "nonsense > 1").is_err());
    let width = ModelSpace::minimal_width(&loaded.model);
    let mut space = ModelSpace::new(&loaded.model, width, vec![both, label]);
    let mut batch = space.batch(usize::MAX);
    space.initial(&mut batch);
    let initial = batch.row(0).to_vec();
    assert_eq!(space.props(&initial), 0b01, "before its assertion the process is not at the label");
}

//! Rows from outside: every reachable state is one of the model's, and what has no meaning is
//! refused.

use std::collections::{HashSet, VecDeque};

use lariat_core::{Batch, Cursor, Successors, Word};
use lariat_model::interp::ModelSpace;
use lariat_model::interp::row::{RowError, Validator};
use lariat_model::ir::Model;
use lariat_model::shortcuts::{Shortcuts, apply};
use lariat_model::{dve, promela};
use lariat_testing::facts;

/// Some reachable rows, breadth first.
fn rows(model: &Model, limit: usize) -> Vec<Vec<Word>> {
    let mut width = ModelSpace::minimal_width(model);
    'wider: loop {
        let mut space = ModelSpace::new(model, width, Vec::new()).with_divergences();
        let mut out = space.batch(usize::MAX);
        space.initial(&mut out);
        let (mut all, mut known) = (Vec::new(), HashSet::new());
        let mut queue = VecDeque::new();
        loop {
            for at in 0..out.len() {
                if known.len() < limit && known.insert(out.row(at).to_vec()) {
                    queue.push_back(out.row(at).to_vec());
                }
            }
            let Some(row) = queue.pop_front() else { return all };
            out.clear();
            space.expand(&row, &mut Cursor(0), &mut out);
            all.push(row);
            if space.wanted_width() > width {
                width = space.wanted_width();
                continue 'wider;
            }
        }
    }
}

fn model_of(path: &std::path::Path) -> Option<Model> {
    if path.extension().is_some_and(|ending| ending == "dve") {
        let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
        return dve::load_text("it", &text, dve::DveOptions { property: true })
            .ok()
            .map(|it| it.model);
    }
    promela::load(path, &promela::PromelaOptions::default()).ok().map(|loaded| loaded.model)
}

#[test]
fn reachable_rows_are_valid() {
    let mut seen = 0;
    for path in facts("promela", 278).into_iter().chain(facts("dve", 159)) {
        let Some(model) = model_of(&path) else { continue };
        let mut short = model.clone();
        apply(&mut short, &[], Shortcuts::ALL);
        for model in [model, short] {
            let Ok(validator) = Validator::new(&model) else { continue };
            for row in rows(&model, 200) {
                let valid = validator.validate(&row);
                assert_eq!(valid, Ok(()), "{}: {row:x?}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 4_000, "{seen}");
}

fn promela_model(text: &str) -> Model {
    promela::load_text("it.pml", text, &promela::PromelaOptions::default()).expect("a model").model
}

#[test]
fn what_has_no_meaning_is_refused() {
    let text = "chan q = [2] of { byte, bit }; byte a; bit b;
        active proctype P() { byte x; q!1, 1; x = 3; a = x }";
    let model = promela_model(text);
    let validator = Validator::new(&model).expect("an initial state");
    let rows = rows(&model, 100);
    let row = &rows[1];
    let bytes: Vec<u8> = row.iter().flat_map(|word| word.to_le_bytes()).collect();
    let changed = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        let words = bytes.chunks_exact(4).map(|word| Word::from_le_bytes(word.try_into().unwrap()));
        validator.validate(&words.collect::<Vec<_>>())
    };
    let place = |name: &str| {
        let variable = model.globals.iter().find(|variable| variable.name == name).unwrap();
        variable.offset as usize
    };
    let queue = model.globals_size as usize;
    let frame = queue + model.channel_types[0].size as usize;
    assert_eq!(changed(0, 1), Ok(()));
    assert_eq!(changed(0, 2), Err(RowError::Short));
    assert_eq!(changed(1, 2), Err(RowError::Channels(2)));
    assert_eq!(changed(2, 1), Err(RowError::Last(1)));
    assert_eq!(changed(3, 7), Err(RowError::Event(7)));
    assert_eq!(changed(place("b"), 2), Err(RowError::Value(2)));
    assert_eq!(changed(place("q"), 0), Err(RowError::Constant));
    assert_eq!(changed(queue, 1), Err(RowError::ChannelType(1)));
    assert_eq!(changed(queue + 1, 3), Err(RowError::ChannelLength(3)));
    assert_eq!(changed(queue + 1, 0), Err(RowError::Padding), "a message in a free place");
    assert_eq!(changed(queue + 2, 1), Err(RowError::Padding));
    assert_eq!(changed(queue + 5, 2), Err(RowError::Value(2)), "the bit of a message");
    assert_eq!(changed(frame, 9), Err(RowError::Proctype(9)));
    assert_eq!(changed(frame + 1, 1), Err(RowError::Priority(1)));
    assert_eq!(
        changed(frame + 3, 1),
        Err(RowError::ControlPoint(256 + u16::from(bytes[frame + 2])))
    );
    assert_eq!(validator.validate(&row[..row.len() - 1]), Err(RowError::Short));
    assert_eq!(validator.validate(&[]), Err(RowError::Short));
}

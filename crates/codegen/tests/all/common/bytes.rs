//! Bytes as a small model and rows from outside: native code and interpreter agree, the order of
//! successors included. The fuzz target `codegen` shares this file.
//!
//! The first bytes say how to change reachable rows, the others are the text of a model.

use lariat_codegen::NativeSpace;
use lariat_core::{Batch, Cursor, Successors, Word};
use lariat_model::interp::ModelSpace;
use lariat_model::interp::row::Validator;
use lariat_model::ir::Model;
use lariat_model::steps::ModelSteps;
use lariat_model::{dve, promela};

/// How many bytes change rows; four for each change.
pub(crate) const CHANGES: usize = 64;
/// States that are compared.
const STATES: usize = 60;

/// How many rows from outside were compared; None if the bytes are no small model.
pub(crate) fn agree(data: &[u8]) -> Option<usize> {
    let (changes, text) = data.split_at_checked(CHANGES)?;
    let text = String::from_utf8_lossy(text);
    let model = match changes[0] % 4 {
        0 => dve::load_text("it.dve", &text, dve::DveOptions { property: true }).ok()?.model,
        _ => promela::load_text("it.pml", &text, &promela::PromelaOptions::default()).ok()?.model,
    };
    // Large states make slow runs.
    let is_large = model.globals_size > 4096
        || model.proctypes.iter().any(|proctype| proctype.frame_size > 1024)
        || model.channel_types.iter().any(|channel| channel.size > 1024);
    if is_large {
        return None;
    }
    if let Err(error) = super::compare(&model, &[], STATES, 0, super::Fair::by(u64::from(data[1])))
    {
        panic!("{error}\n{text}");
    }
    outside(&model, changes).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Changes bytes of reachable rows, and compares where the row still has the form of a state.
fn outside(model: &Model, changes: &[u8]) -> Result<Option<usize>, String> {
    let Ok(validator) = Validator::new(model) else { return Ok(None) };
    let width = ModelSpace::minimal_width(model) + 8;
    let mut native = NativeSpace::new(model, width, Vec::new());
    if native.compile().is_err() {
        return Ok(None);
    }
    let mut space = ModelSpace::new(model, width, Vec::new());
    let (mut expected, mut found) = (space.batch(usize::MAX), native.batch(usize::MAX));
    space.initial(&mut expected);
    if expected.len() == 0 {
        return Ok(None);
    }
    let mut row: Vec<Word> = expected.row(0).to_vec();
    let mut compared = 0;
    for change in changes.chunks_exact(4) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % (4 * width);
        let mut bytes = row[at / 4].to_le_bytes();
        bytes[at % 4] = change[2];
        let mut changed = row.clone();
        changed[at / 4] = Word::from_le_bytes(bytes);
        if validator.validate(&changed).is_ok() {
            row = changed;
        }
        expected.clear();
        found.clear();
        space.expand(&row, &mut Cursor(0), &mut expected);
        native.expand(&row, &mut Cursor(0), &mut found);
        if space.wanted_width() > width {
            return Ok(Some(compared));
        }
        super::differ(&found, &expected).map_err(|error| format!("row {row:x?}: {error}"))?;
        let faults = (native.report().faults.clone(), space.report().faults.clone());
        if faults.0 != faults.1 {
            return Err(format!("row {row:x?}: faults {faults:?}"));
        }
        compared += 1;
        // On from one of the successors, so that changes meet other states.
        if expected.len() > 0 {
            row = expected.row(usize::from(change[3]) % expected.len()).to_vec();
        }
    }
    Ok(Some(compared))
}

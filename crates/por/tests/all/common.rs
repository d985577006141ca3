//! Models for the tests.

use std::path::Path;

use lariat_model::ir::Model;
use lariat_model::shortcuts::{self, Shortcuts};
use lariat_model::{dve, promela};

/// What the shortcuts may have made of a model before it is reduced.
pub(crate) const SHORTCUTS: [Shortcuts; 3] =
    [Shortcuts::NONE, Shortcuts { merge: false, ..Shortcuts::ALL }, Shortcuts::ALL];

/// The model of a file, if it is one.
pub(crate) fn load(path: &Path) -> Option<Model> {
    if path.extension().is_some_and(|ending| ending == "dve") {
        let text = std::fs::read_to_string(path).ok()?;
        let options = dve::DveOptions { property: false };
        return Some(dve::load_text(&path.to_string_lossy(), &text, options).ok()?.model);
    }
    Some(promela::load(path, &Default::default()).ok()?.model)
}

pub(crate) fn shorten(mut model: Model, shortcuts: Shortcuts) -> Model {
    shortcuts::apply(&mut model, &[], shortcuts);
    model
}

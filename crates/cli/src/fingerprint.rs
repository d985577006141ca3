//! A model's fingerprint: whether a saved run is still one of this model.

use lariat_model::ir::Model;
use sha2::{Digest, Sha256};

/// SHA-256 over the text of the model and of all that it includes, macros of the command line
/// among it. To be taken before expressions are added to the model.
pub(crate) fn of(model: &Model) -> String {
    let mut hash = Sha256::new();
    for text in model.sources.texts() {
        // Lengths keep texts apart.
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

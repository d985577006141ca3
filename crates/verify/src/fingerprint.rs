//! A model's fingerprint: whether a saved run is still one of this model.

use hmac_sha256::Hash;
use lariat_model::ir::Model;

/// SHA-256 over the text of the model and of all that it includes, macros of the command line
/// among it. To be taken before expressions are added to the model.
pub fn of(model: &Model) -> String {
    let mut hash = Hash::new();
    for text in model.sources.texts() {
        // Lengths keep texts apart.
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

//! All workers begin, or none.

use lariat_core::{Broken, Exchange};

use super::Spreading;
use super::status::{End, Halted, agree};

/// What comes next is spread, or was done by each worker for itself.
pub(super) const OPEN: u8 = 1;
/// Every worker was done before.
pub(super) const CLOSED: u8 = 2;

/// All begin, or none: with the same question, and the same parts.
pub(super) fn begun(
    exchange: &mut dyn Exchange,
    halted: Halted,
    fingerprint: u64,
    kind: u8,
) -> Result<Option<End>, Broken> {
    let mut note = vec![kind];
    note.extend_from_slice(&fingerprint.to_le_bytes());
    let agreed = agree(exchange, halted, &[], &note)?;
    if agreed.end.is_some() {
        return Ok(agreed.end);
    }
    match agreed.notes.iter().position(|other| *other != note) {
        None => Ok(None),
        Some(other) => {
            let (me, other) = (exchange.me(), other);
            Err(Broken {
                what: format!(
                    "workers {me} and {other} do not search the same: is it the same model, with the same options?"
                ),
            })
        }
    }
}

/// The same for whoever has nothing to compare but the question.
pub(super) fn begin(
    spreading: &mut Spreading<'_>,
    halted: Halted,
    kind: u8,
) -> Result<Option<End>, Broken> {
    let fingerprint = spreading.fingerprint();
    begun(spreading.exchange, halted, fingerprint, kind)
}

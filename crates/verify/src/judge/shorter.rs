//! Steps that a run to an error can do without.
//!
//! With partial-order reduction, steps come first whose order does not matter, so the run that is found
//! may have some that have nothing to do with its error: whoever reads it would ask why they are
//! there. They are left out one block after the other, as long as the judge confirms what is left. That is
//! delta debugging (Zeller, Hildebrandt 2002) for the causal past of the last step. What is left is
//! short, and need not be shortest.

use super::{Claimed, Confirmed, Criterion, judge};
use lariat_core::stop;
use lariat_model::ir::Model;

/// Steps that may be executed for this.
const MOST_STEPS: usize = 50_000;

/// The run, or a shorter one that ends in the same way.
pub(crate) fn shorter(
    model: &Model,
    question: &Criterion<'_>,
    run: Claimed,
    confirmed: Confirmed,
) -> Confirmed {
    let (mut run, mut confirmed, mut spent) = (run, confirmed, 0);
    let mut block = run.steps.len() / 2;
    while block > 0 {
        // The last step is the one that is in error.
        let mut end = run.steps.len().saturating_sub(1);
        while end >= block {
            spent += run.steps.len();
            if spent > MOST_STEPS || stop::asked().is_some() {
                return confirmed;
            }
            let mut steps = run.steps.clone();
            steps.drain(end - block..end);
            let without = Claimed { steps, ending: run.ending };
            if let Ok(judged) = judge(model, question, &without) {
                (run, confirmed) = (without, judged);
            }
            end -= block;
        }
        block /= 2;
    }
    confirmed
}

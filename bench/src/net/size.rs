//! Models that are too large, or in which hardly anything happens, are made anew.
//!
//! lariat's own interpreter is asked. A mistake in it must not hide the models that would show
//! it: so some models that seem too small are taken as they are, and all that are refused.

use lariat_model::ir::Model;
use lariat_model::{dve, promela};
use lariat_search::safety::{ExploreOptions, explore};

use super::case::{Case, Language};
use crate::random::Rng;

/// How often a model is made at most; more often while it is too large.
const ATTEMPTS: u32 = 5;
const MOST_ATTEMPTS: u32 = 15;
/// How many states a model should have at most.
const MOST: u64 = 4000;

/// One attempt.
pub struct Attempt {
    pub case: Case,
    /// The pairs that are in it.
    pub cells: Vec<u32>,
    /// A step may have no end: then nobody is asked how large the model is.
    pub may_be_endless: bool,
}

/// The first attempt of a fitting size; the best one, if none is.
pub fn fitting(rng: &mut Rng, mut attempt: impl FnMut(&mut Rng) -> Attempt) -> (Case, Vec<u32>) {
    let mut best = attempt(rng);
    let mut best_merit = merit(&best);
    for number in 1..MOST_ATTEMPTS {
        // Drawn in any case: what is made does not depend on the merit of what was.
        let mut next = Rng::new(rng.draw());
        let takes_anyway = rng.chance(15);
        let is_enough = best_merit >= FINE || number >= ATTEMPTS || takes_anyway;
        if is_enough && best_merit > TOO_LARGE {
            break;
        }
        let other = attempt(&mut next);
        let merit = merit(&other);
        if merit > best_merit {
            (best, best_merit) = (other, merit);
        }
    }
    (best.case, best.cells)
}

const TOO_LARGE: u64 = 0;
const FINE: u64 = 60;

/// From [`TOO_LARGE`] on: the percentage of commands that are executed, less in tiny models.
fn merit(attempt: &Attempt) -> u64 {
    if attempt.may_be_endless {
        return TOO_LARGE;
    }
    let Some(model) = model(&attempt.case) else { return FINE };
    let limits =
        ExploreOptions { max_states: Some(MOST), hidden_is_state: true, ..Default::default() };
    let Ok(seen) = explore(&model, &limits) else { return FINE };
    if seen.limit.is_some() {
        return TOO_LARGE;
    }
    let executed = seen.executed.iter().filter(|&&executed| executed).count() as u64;
    let percent = 100 * executed / (seen.executed.len() as u64).max(1);
    1 + if seen.states < 12 { percent / 4 } else { percent }
}

/// The model, if it is one.
fn model(case: &Case) -> Option<Model> {
    let text = case.model.to_string();
    match case.language {
        Language::Promela => {
            let mut options = promela::PromelaOptions::default();
            options.lower.message_loss = case.lossy;
            promela::load_text("case", &text, &options).ok().map(|loaded| loaded.model)
        }
        Language::Dve => {
            let options = dve::DveOptions { property: false };
            dve::load_text("case", &text, options).ok().map(|loaded| loaded.model)
        }
    }
}

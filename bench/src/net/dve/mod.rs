//! Random DVE models that combine guards, channels, effects and committed states, with questions
//! about them.
//!
//! - [`kind`]: the parts of a transition
//! - [`cell`]: the pairs that coverage counts
//! - [`draft`], [`model`]: the text
//! - [`clock`]: a process whose command falls into factors
//! - [`question`]: what is asked

pub mod cell;
pub mod clock;
pub mod draft;
pub mod kind;
pub mod model;
pub mod question;

pub use cell::TABLES;

use cell::Cell;
use draft::Draft;
use model::DvePlan;

use super::case::{Case, Language};
use super::coverage::Coverage;
use super::size::{self, Attempt};
use crate::random::Rng;

/// A case that has pairs which were not made so far. It is made again by [`case_of`] with its
/// seed and what it wanted.
pub fn case(seed: u64, coverage: &mut Coverage) -> Case {
    let mut rng = Rng::new(seed ^ 0xD7E);
    let wanted = coverage.wanted(Language::Dve, &mut rng, 6, |_| true);
    let (case, cells) = case_of(seed, wanted);
    for cell in cells {
        coverage.note(Language::Dve, cell);
    }
    case
}

/// The case of a seed that was asked for these pairs, and the pairs that are in it.
pub fn case_of(seed: u64, wanted: Vec<u32>) -> (Case, Vec<u32>) {
    let mut rng = Rng::new(seed);
    size::fitting(&mut rng, |rng| attempt(seed, wanted.clone(), rng))
}

fn attempt(seed: u64, wanted: Vec<u32>, rng: &mut Rng) -> Attempt {
    let mut plan = DvePlan::new(2 + usize::from(rng.chance(35)));
    for &number in &wanted {
        let cell = Cell::of_number(number).filter(|cell| cell.impossible().is_none());
        if let Some(cell) = cell {
            plan.want(rng, cell);
        }
    }
    let mut draft = Draft::new(Rng::new(rng.draw()));
    draft.fails = rng.chance(12);
    let (model, cells) = draft.model(plan);
    let questions = question::questions(&mut draft);
    let language = Language::Dve;
    let case = Case { seed, wanted, language, lossy: false, model, questions };
    let mut cells: Vec<u32> = cells.iter().map(|cell| cell.number()).collect();
    cells.sort_unstable();
    cells.dedup();
    Attempt { case, cells, may_be_endless: false }
}

/// Why a pair cannot be.
pub fn impossible(number: u32) -> Option<&'static str> {
    Cell::of_number(number).and_then(Cell::impossible)
}

/// A pair in words.
pub fn describe(number: u32) -> String {
    Cell::of_number(number).map_or_else(String::new, |cell| cell.to_string())
}

//! Random Promela models that combine statements, blocks and channels, with questions about them.
//!
//! - [`kind`]: what stands in a model, and where
//! - [`possible`]: which combinations cannot be, and why
//! - [`cell`]: the pairs that coverage counts
//! - [`skeleton`]: what a wanted pair asks for
//! - [`draft`], [`block`], [`statement`], [`communication`], [`process`]: the text
//! - [`fail`]: statements that fail in some states
//! - [`tempt`]: pieces in which a shortcut may go too far
//! - [`clock`]: a process whose command falls into factors
//! - [`watch`]: event traces
//! - [`question`], [`claim`]: what is asked

pub mod cell;
pub mod kind;
pub mod possible;

pub mod block;
pub mod choice;
pub mod claim;
pub mod clock;
pub mod communication;
pub mod draft;
pub mod fail;
pub mod process;
pub mod question;
pub mod skeleton;
pub mod statement;
pub mod tempt;
pub mod watch;
pub mod world;

pub use cell::TABLES;

use cell::{Cell, Feature};
use draft::{Draft, Flavour};
use process::PromelaPlan;
use skeleton::Skeleton;
use world::Global;

use super::case::{Case, Language};
use super::coverage::Coverage;
use super::size::{self, Attempt};
use crate::random::Rng;

/// So many of a hundred models have statements that fail in some states.
const FAILING: u64 = 12;

/// A case that has pairs which were not made so far. It is made again by [`case_of`] with its
/// seed and what it wanted.
pub fn case(seed: u64, coverage: &mut Coverage) -> Case {
    let mut rng = Rng::new(seed ^ 0x5EED);
    // What makes a model dull comes together in few models.
    let dull = rng.chance(7);
    let fits = |number| Cell::of_number(number).is_some_and(|cell| cell.dampens() == dull);
    let wanted = coverage.wanted(Language::Promela, &mut rng, 4, fits);
    let (case, cells) = case_of(seed, wanted);
    for cell in cells {
        coverage.note(Language::Promela, cell);
    }
    case
}

/// The case of a seed that was asked for these pairs, and the pairs that are in it.
pub fn case_of(seed: u64, wanted: Vec<u32>) -> (Case, Vec<u32>) {
    let mut rng = Rng::new(seed);
    size::fitting(&mut rng, |rng| attempt(seed, wanted.clone(), rng))
}

fn attempt(seed: u64, wanted: Vec<u32>, rng: &mut Rng) -> Attempt {
    let flavour = match rng.below(10) {
        0..=4 => Flavour::Plain,
        5..=7 => Flavour::Progress,
        _ => Flavour::Accept,
    };
    let many = match rng.below(10) {
        0 | 1 => 1,
        2..=7 => 2,
        _ => 3,
    };
    let mut plan = PromelaPlan { skeletons: vec![Vec::new(); many], features: Vec::new() };
    let mut draft = Draft::new(Rng::new(rng.draw()), flavour);
    // What native code does in another way comes together, too.
    let is_special = rng.chance(15);
    draft.uses_priority = rng.chance(if is_special { 30 } else { 2 });
    draft.uses_provided = is_special && rng.chance(40);
    draft.is_watched = rng.chance(if is_special { 30 } else { 1 });
    if is_special && rng.chance(40) {
        draft.world.need(Global::Hidden);
    }
    draft.fails = rng.chance(FAILING);
    draft.meets_late = many > 1 && rng.chance(16);
    draft.misnames = many > 1 && rng.chance(10);
    if draft.misnames {
        // Who knows which process is which then?
        draft.runs = 0;
    }
    draft.world.lossy = rng.chance(8);
    draft.world.passes_meeting = rng.chance(40);
    for &number in &wanted {
        let cell = Cell::of_number(number).filter(|cell| cell.impossible().is_none());
        if let Some(cell) = cell {
            want(cell, rng, &mut draft, &mut plan);
        }
    }
    let model = draft.model(plan);
    let questions = question::questions(&mut draft);
    if draft.world.lossy {
        draft.feature(Feature::Lossy);
    }
    let features: Vec<Feature> = draft.world.features.iter().copied().collect();
    for (index, &one) in features.iter().enumerate() {
        draft.cells.extend(features[index + 1..].iter().map(|&other| Cell::Features(one, other)));
    }
    let lossy = draft.world.lossy;
    let case = Case { seed, wanted, language: Language::Promela, lossy, model, questions };
    let mut cells: Vec<u32> = draft.cells.iter().map(|cell| cell.number()).collect();
    cells.sort_unstable();
    cells.dedup();
    Attempt { case, cells, may_be_endless: draft.may_be_endless() }
}

/// Puts what a pair asks for into the plan.
fn want(cell: Cell, rng: &mut Rng, draft: &mut Draft, plan: &mut PromelaPlan) {
    match cell {
        Cell::Features(one, other) => {
            for feature in [one, other] {
                draft.uses_priority |= feature == Feature::Priority;
                draft.is_watched |= feature == Feature::Trace;
                draft.world.lossy |= feature == Feature::Lossy;
                plan.features.push(feature);
                draft.wished.insert(feature);
            }
            // One of several is `init`; one of several names another, and is not `init`.
            let has = |feature| one == feature || other == feature;
            let many = match (has(Feature::Init), has(Feature::Remote)) {
                (true, true) => 3,
                (true, _) | (_, true) => 2,
                _ => 1,
            };
            let many = many.max(plan.skeletons.len());
            plan.skeletons.resize(many, Vec::new());
        }
        Cell::Channel { kind, access, lossy, .. } => {
            draft.world.lossy = lossy;
            if access == kind::Access::Passed {
                draft.world.passes_meeting = kind.is_meeting();
            }
        }
        _ => {}
    }
    let skeletons = Skeleton::of_cell(rng, cell);
    if skeletons.len() > plan.skeletons.len() {
        plan.skeletons.resize(skeletons.len(), Vec::new());
    }
    let shift = rng.below(plan.skeletons.len() as u64) as usize;
    for (number, skeleton) in skeletons.into_iter().enumerate() {
        let mut at = (number + shift) % plan.skeletons.len();
        // Others can be named only by those behind them.
        if at == 0 && skeleton.has(|kind| kind == kind::Kind::GuardRemote) {
            at = plan.skeletons.len().max(2) - 1;
            plan.skeletons.resize(at + 1, Vec::new());
        }
        plan.skeletons[at].push(skeleton);
    }
}

/// Why a pair cannot be.
pub fn impossible(number: u32) -> Option<&'static str> {
    Cell::of_number(number).and_then(Cell::impossible)
}

/// A pair in words.
pub fn describe(number: u32) -> String {
    Cell::of_number(number).map_or_else(String::new, |cell| cell.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_and_its_wishes_make_a_case_again() {
        let mut coverage = Coverage::new();
        for seed in 0..100 {
            let case = case(seed, &mut coverage);
            let (again, _) = case_of(seed, case.wanted.clone());
            assert_eq!(case.model, again.model, "seed {seed}");
            assert_eq!(case.questions, again.questions, "seed {seed}");
        }
    }
}

//! Searches of whole models in bounded memory: of the states that were visited, a
//! [`Visited`] keeps a few bits, a fingerprint, or those that there is room for.
//!
//! Nothing but the states at hand has an id: depth first these are the stack and what waits on it,
//! each as its difference from the state before; breadth first two levels of rows. The path to an error
//! is on the stack, or is gone again by the numbers of the successors that led to it. It is a path of
//! the system whatever was left out elsewhere.
//!
//! - `depth_first` with its stack `differences`, `breadth_first`; the same on several `threads`
//! - `walk`: the system one state at a time, errors, limits
//! - `shuffle`: the order in which successors are looked at
//! - `product`: rows of a system beside the states of an automaton, for the emptiness checks
//! - `coverage`: how much was seen, as far as the filling of an array tells

mod breadth_first;
pub mod coverage;
mod depth_first;
mod differences;
pub mod product;
mod shuffle;
mod threads;
mod walk;

use lariat_core::Limit;
use lariat_model::ir::Model;
use lariat_store::{Scratch, Visited};
use lariat_system::{Stop, System};

use crate::safety::{Exploration, ExploreOptions, Order};
pub use shuffle::{Dice, Shuffle};
pub use threads::explore_threads;

/// Looks for a first error. The system is one of states, with their hidden variables. `told` hears
/// now and then how many states there were and how deep they lie, and ends the search by `false`.
///
/// That nothing was found and no limit reached proves something unless the store is lossy; then
/// [`Limit::Lossy`] is in the answer.
pub fn explore<V: Visited>(
    system: &mut System<'_, Scratch>,
    model: &Model,
    options: &ExploreOptions,
    visited: &mut V,
    shuffle: Shuffle,
    told: walk::Told<'_>,
) -> Result<Exploration, Stop> {
    let mut walk = walk::Walk::new(system, model, options, visited, shuffle, told);
    let walked = match options.order {
        Order::DepthFirst => depth_first::explore(&mut walk),
        Order::BreadthFirst => breadth_first::explore(&mut walk),
    };
    Ok(unproved::<V>(walk.finish(walked)?))
}

/// A lossy store proves nothing.
fn unproved<V: Visited>(mut found: Exploration) -> Exploration {
    if V::LOSSY && found.first_error.is_none() && !lariat_core::makes_mistake("lossy-proof") {
        found.limit = found.limit.or(Some(Limit::Lossy));
    }
    found
}

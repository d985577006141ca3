//! The seam between typed models and searches: rows of numbers, with the states that they stand for.

use crate::fairness::Fairness;
use lariat_core::{Flat, Word};
use std::sync::Arc;

/// A model as rows. `Space` calls the model for each state; actors have an implementation that
/// remembers what each does.
pub trait Rows<'m> {
    /// What a state is.
    type State;
    /// What a step is called.
    type Action;

    /// Before a search: asks for the initial states, and fixes the width of rows.
    fn prepare(&mut self) -> Result<(), Trouble>;

    /// Words of a row.
    fn width(&self) -> usize;

    /// Appends the initial states. Says how many are beyond the boundary.
    fn initial(&mut self, out: &mut Flat) -> Result<u64, Trouble>;

    /// The state of a row. It is at hand until the next call.
    fn load(&mut self, row: &[Word]) -> &Self::State;

    /// Appends the successors of the state that was loaded last, with the marks of fairness. Says how
    /// many steps lead beyond the boundary.
    fn expand(&mut self, out: &mut Flat) -> Result<u64, Trouble>;

    /// What runs must be fair to.
    fn set_fairness(&mut self, fairness: Arc<Fairness<'m, Self::Action>>);

    /// Rows have many numbers that change together: they are kept as they are.
    fn prefers_flat(&self) -> bool {
        false
    }

    /// Bytes of all tables.
    fn bytes(&self) -> usize;

    /// How many different values each part of a state has.
    fn counts(&self) -> Vec<(String, usize)>;
}

/// Rows of any kind.
pub type BoxedRows<'m, S, A> = Box<dyn Rows<'m, State = S, Action = A> + 'm>;

/// Why a state has no successors that could be told.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// A state has more parts than a row has words: all starts again with wider rows.
    TooWide,
    /// The model panicked.
    Panic(String),
    /// The model is no model: its steps are no function of the state, or the like.
    Broken(String),
}

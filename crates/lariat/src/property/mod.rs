//! LTL properties of models, from a formula's text to a verdict.
//!
//! - `automaton`: never claims and automata of files
//! - `block`: messages about `ltl` blocks
//! - `formula`: text → formula → automaton, propositions bound to the model's expressions
//! - `search`: the product and its emptiness check
//! - `orders`: what of it is done breadth first
//! - `fair`: to whom a run must be fair
//! - `watched`: a model's steps, interrupted by limits
//! - `without_progress`: the product for HPY Fig. 5
//! - `decided`: which steps of a run decide about a property
//! - `spec`: the property of a saved run
//! - `run`: a lasso as commands of the model, for the judge

pub(crate) mod automaton;
pub(crate) mod block;
pub(crate) mod decided;
pub(crate) mod fair;
pub(crate) mod formula;
mod orders;
pub(crate) mod run;
pub(crate) mod search;
pub(crate) mod spec;
mod watched;
mod without_progress;

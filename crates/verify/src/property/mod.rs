//! LTL properties of models, from a formula's text to a verdict.
//!
//! - `automaton`: never claims and automata of files; `atoms`: what their tests are made of
//! - `block`: messages about `ltl` blocks
//! - `formula`: text → formula → automaton, propositions bound to the model's expressions
//! - `read`: properties of a model, with located messages
//! - `search`: a question about runs, from its plan to a run of the given model
//! - `plan`: which checks answer it; `product`: one of them on the product
//! - `bounded`: the same in bounded memory
//! - `fair`: to whom a run must be fair
//! - `without_progress`: the product for HPY Fig. 5
//! - `decided`: which steps of a run decide about a property
//! - `run`: a lasso as commands of the model, for the judge; `rows`: one that has no numbers

pub(crate) mod atoms;
pub mod automaton;
mod block;
mod bounded;
pub(crate) mod decided;
pub mod fair;
pub mod formula;
mod plan;
pub(crate) mod product;
pub mod read;
mod rows;
mod run;
pub(crate) mod search;
pub(crate) mod shared;
mod without_progress;

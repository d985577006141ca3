//! LTL properties of models, from a formula's text to a verdict.
//!
//! - `formula`: text → formula → automaton, propositions bound to the model's expressions
//! - `search`: the product and its emptiness check
//! - `run`: a lasso as an execution of the model, judged by the formula's own meaning

pub(crate) mod formula;
pub(crate) mod run;
pub(crate) mod search;

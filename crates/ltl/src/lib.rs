//! Linear temporal logic: formulas, their text, their meaning on words, and their automata.

#![forbid(unsafe_code)]

pub mod classes;
pub mod eval;
pub mod formula;
pub mod random;
pub mod syntax;

pub use formula::{Binary, Formulas, Ltl, Node};

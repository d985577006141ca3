//! Linear temporal logic: formulas, their text, their meaning on words, and their automata.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod bench;
pub mod classes;
pub mod cross;
pub mod eval;
pub mod formula;
pub mod list;
pub mod membership;
pub mod never;
pub mod nnf;
pub mod prefix;
pub mod random;
pub mod simplify;
pub mod stutter;
pub mod syntax;
pub mod translate;

pub use formula::{Binary, Formulas, Ltl, Node};

//! Making automata smaller without changing their language, products and complements.

pub mod breakpoint;
pub mod complement;
pub mod degeneralise;
pub mod powerset;
pub mod product;
pub mod prune;
pub mod simulation;
pub mod wdba;

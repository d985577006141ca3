//! Transition-based generalised Büchi automata as explicit graphs, what is read and written
//! of them, and what is computed on them.

#![forbid(unsafe_code)]

pub mod label;
pub mod tgba;

pub use label::Label;
pub use tgba::{Edge, StateId, Tgba};

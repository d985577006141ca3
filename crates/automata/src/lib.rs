//! Transition-based generalised Büchi automata as explicit graphs, what is read and written
//! of them, and what is computed on them.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod classify;
pub mod coverage;
pub mod decompose;
pub mod degeneralise;
pub mod diagnostic;
pub mod dot;
pub mod explicit;
pub mod hoa;
pub mod label;
pub mod reduce;
pub mod scc;
pub mod stutter;
pub mod symbolic;
mod tarjan;
pub mod tgba;
pub mod word;

pub use classify::{Classes, classify};
pub use degeneralise::degeneralise;
pub use diagnostic::{Diagnostic, Span};
pub use explicit::{Compiled, ExplicitGraph, compile};
pub use label::Label;
pub use scc::Sccs;
pub use tgba::{Edge, StateId, Tgba};

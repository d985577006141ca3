//! The graph of a system by id: who computes the successors of a state, where states are kept and
//! what is remembered of them is behind one door, [`SystemGraph`].
//!
//! - `graph`: the contract, [`Edges`], and why a graph may [`Stop`]
//! - `system`: [`System`], the steps of a model over a store of its states
//! - `valuations`: the propositions of a state as a number, mostly without its row
//! - `edge_cache`: successors of states that are expanded again
//! - `remembered`: steps of processes that are the same in many states
//! - `reduced`: steps that partial-order reduction leaves out; `kind_cache`: what it asks of processes
//! - `room`: how wide rows are, and the one place that starts again with wider ones

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod edge_cache;
mod graph;
mod kind_cache;
mod reduced;
mod remembered;
mod room;
mod system;
mod valuations;

pub use graph::{Edges, FaultAt, NO_VALUATION, Stop, SystemGraph, Valuation};
pub use reduced::LeftOut;
pub use remembered::Remember;
pub use room::{Room, with_room};
pub use system::{Progress, System};

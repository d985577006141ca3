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
//!
//! Without the feature `model` there are the contract and `valuations`: another crate implements it.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "model")]
mod edge_cache;
mod graph;
#[cfg(feature = "model")]
mod kind_cache;
#[cfg(not(feature = "model"))]
mod no_model;
#[cfg(feature = "model")]
mod reduced;
#[cfg(feature = "model")]
mod remembered;
mod room;
#[cfg(feature = "model")]
mod system;
#[cfg_attr(not(feature = "model"), expect(dead_code, reason = "the memo is of models"))]
mod valuations;

pub use graph::{Edges, FaultAt, NO_VALUATION, Stop, SystemGraph, Valuation};
#[cfg(feature = "model")]
pub use reduced::{LeftOut, Sets};
#[cfg(feature = "model")]
pub use remembered::{Remember, Remembered};
pub use room::Room;
#[cfg(feature = "model")]
pub use room::with_room;
#[cfg(feature = "model")]
pub use system::explain::{Cause, ReductionReport};
#[cfg(feature = "model")]
pub use system::{Progress, System};
pub use valuations::Valuations;

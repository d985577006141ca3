//! Searches over workers that share nothing: threads, processes, machines.
//!
//! Every worker calls the same search with its own [`Exchange`], and gets the same answer. States belong to workers by what they are (`parts`); each worker keeps its own in a tree and a set of
//! its own (`shard`).
//!
//! - `parts`: the parts of states, and whose they are; `wire`: states in messages; `cache`: what was said lately
//! - `shard`: a worker's states, and its work in a phase; `pass`: what is said of states, and heard; `status`: how all come to the same end
//! - `safety`: counting and errors; `visit`: all states, each once; `way`: the way back to an error

mod cache;
mod parts;
mod pass;
mod safety;
mod shard;
mod status;
mod visit;
mod way;
mod wire;

pub use safety::{Explored, explore_spread};

use lariat_core::Exchange;

/// How a search is spread.
pub struct Spreading<'x> {
    /// The way to the other workers.
    pub exchange: &'x mut dyn Exchange,
    /// Each worker explores so many states for itself before.
    pub after: u64,
    /// All in one phase; else level by level.
    pub free: bool,
    /// What is asked, as a number: all must ask the same.
    pub question: u64,
    /// What was sent by this worker.
    pub sent: Sent,
}

/// What was sent to other workers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sent {
    /// States.
    pub states: u64,
    /// Bytes of messages about them.
    pub bytes: u64,
    /// How many workers there were.
    pub workers: usize,
}

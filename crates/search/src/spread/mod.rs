//! Searches over workers that share nothing: threads, processes, machines.
//!
//! Every worker calls the same search with its own [`Exchange`], and gets the same answer. States belong to workers by what they are (`parts`); each worker keeps its own in a tree and a set of
//! its own (`shard`).
//!
//! - `begin`: all begin, or none; `parts`: the parts of states, and whose they are; `wire`: states in messages; `cache`: what was said lately
//! - `shard`: a worker's states, and its work in a phase; `pass`: what is said of states, and heard; `status`: how all come to the same end
//! - `safety`: counting and errors; `visit`: all states, each once; `way`: the way back to a state; `asking`: whether a reduced state leads on
//! - `checkpoint`: what is kept of a search, so that it can go on later
//! - `product`: runs that an automaton accepts; `owcty`: accepting cycles by elimination; `map`: some of them found early; `lasso`: the run of what was found

mod asking;
mod begin;
mod cache;
mod checkpoint;
mod lasso;
mod map;
mod owcty;
mod parts;
mod pass;
mod product;
mod safety;
mod shard;
mod status;
mod visit;
mod way;
mod wire;

pub use checkpoint::{Keeping, Resumed, Saved};
pub use lasso::{ProductState, SpreadLasso};
pub use product::{SpreadOutcome, check_spread, settle};
pub use safety::{Explored, explore_spread};

use lariat_core::{Exchange, Limit};
use lariat_model::interp::Fault;
use lariat_system::{Room, Stop};

use status::End;

/// Where packed states have not enough bits, it is tried so often again, after so many times as many states.
pub const ROUNDS: u32 = 3;
/// See [`ROUNDS`].
pub const LONGER: u64 = 8;

/// Whether the states of a search are gone through by levels. Every level costs all workers a meeting of 30 to 200 µs (docs/cluster.md), in which one of them expands some hundred states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Always: a run to an error is a shortest one, and the depth is known.
    Levels,
    /// Never: all in one phase.
    Free,
    /// Until there were so many levels in a row that were *narrow*, as far as levels are not needed. Products do not need them at all.
    Narrow(u64),
}

/// A level with fewer states is narrow. By what a model is and not by a clock, so that what is told of depth does not depend on luck.
const NARROW: u64 = 256;

impl Pace {
    /// What is best if nothing is asked for: a thousand narrow levels take as long as some seconds of meetings at most.
    pub const USUAL: Pace = Pace::Narrow(1_000);
}

/// How a search is spread.
pub struct Spreading<'x> {
    /// The way to the other workers.
    pub exchange: &'x mut dyn Exchange,
    /// Each worker explores so many states for itself before.
    pub after: u64,
    /// Whether its phases are levels.
    pub pace: Pace,
    /// How many searches there were before this one.
    pub number: u64,
    /// What is asked, as a number: all must ask the same.
    pub question: u64,
    /// The same for people.
    pub name: String,
    /// What is kept of it, if anything is.
    pub keeping: Option<Keeping>,
    /// What it goes on with, if it is not the beginning.
    pub resumed: Option<Resumed>,
    /// The last checkpoint, if it ends without an answer.
    pub saved: Option<Saved>,
    /// What was sent by this worker.
    pub sent: Sent,
    /// It was not gone through by levels to the end.
    pub was_free: bool,
    /// What it had gone on with was given up, and it has begun anew: states have become too wide.
    pub has_begun_anew: bool,
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

/// Why all workers have ended before everything was seen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ending {
    /// A limit of one of them.
    Limit(Limit),
    /// Rows must be wider: all start again.
    Widen(Room),
    /// A run-time error, if this worker has met it.
    Fault(Option<Fault>),
    /// States do not fit into 64 bits.
    Unfit,
}

impl Spreading<'_> {
    /// Notes how a search has ended that has gone on with something: whether that is given up.
    fn note_end(&mut self, had_resumed: bool, end: Option<End>) {
        let is_anew = matches!(end, Some(End::Unfit | End::Stopped(Stop::Widen(_))));
        self.has_begun_anew |= had_resumed && is_anew;
    }

    /// What all must agree on, beside the parts of states.
    fn fingerprint(&self) -> u64 {
        let resumed = self.resumed.as_ref().map_or(0, Resumed::fingerprint);
        let keeps = u64::from(self.keeping.is_some());
        [self.number, self.question, self.after, self.pace.code(), resumed, keeps]
            .iter()
            .fold(0, |all, &word| parts::mix(all.rotate_left(5) ^ word))
    }
}

impl Pace {
    fn code(self) -> u64 {
        match self {
            Pace::Levels => 0,
            Pace::Free => 1,
            Pace::Narrow(levels) => levels.saturating_add(2),
        }
    }
}

impl Ending {
    fn of(end: End) -> Self {
        match end {
            End::Stopped(Stop::Limit(limit)) => Ending::Limit(limit),
            End::Stopped(Stop::Widen(room)) => Ending::Widen(room),
            End::Stopped(Stop::Fault(fault)) => Ending::Fault(Some(fault)),
            End::Fault => Ending::Fault(None),
            End::Unfit | End::Found => Ending::Unfit,
        }
    }
}

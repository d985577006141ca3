//! What the workers of one search have of each other, in one process or on several machines.
//!
//! A search is a sequence of *phases*: a level, a walk through everything, a round of an elimination. In a phase a worker works, sends, and takes what
//! comes. When it has nothing left to do it rests; a message wakes it. A phase is over for all at once: when all rest and nothing is on its way. So one
//! contract serves levels (what arrives is kept for the next phase) and free searches (what arrives is expanded in the same one).
//!
//! Whoever implements it warrants:
//! - messages from one worker to another arrive once, unchanged, and in the order in which they were sent;
//! - a message that was sent in a phase is handed out in that phase, also if the receiver had not heard yet that the phase before was over;
//! - whoever never gets to hear of all others gets [`Broken`], within a limit of time. There is no phase that seems to be over because somebody is gone.
//!
//! A worker promises to take all that comes, also while it may not send: so nobody waits for somebody who waits.

pub mod local;
pub mod relay;

use std::fmt;

/// What comes to a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Bytes that a worker has sent in this phase.
    Message {
        /// Who has sent them; maybe this worker itself.
        from: usize,
        /// What was sent.
        bytes: Vec<u8>,
    },
    /// A worker tells everybody, itself included, something that cannot wait behind messages: that it has found what was looked for, or that it is full.
    Call {
        /// Who calls.
        from: usize,
        /// What is meant is agreed on by those who use it.
        word: u64,
    },
    /// All rest, and nothing is on its way. The next phase begins.
    Over,
}

/// A worker, or the way to it, is gone. Nothing can be concluded any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// What happened, for a person: which process, which address, since when.
    pub what: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.what)
    }
}

impl std::error::Error for Broken {}

/// A worker's connection with all others.
pub trait Exchange {
    /// The number of this worker.
    fn me(&self) -> usize;

    /// How many there are, in all processes together.
    fn workers(&self) -> usize;

    /// Whether everybody keeps up with what this worker has sent. Whoever may not send takes what comes, and asks again.
    fn may_send(&self) -> bool;

    /// Sends to a worker, in the phase at hand.
    fn send(&mut self, to: usize, bytes: Vec<u8>);

    /// Tells everybody something that cannot wait.
    fn call(&mut self, word: u64);

    /// What has come, if anything has; never [`Event::Over`]. While this worker may not send, it may take a while until there is an answer: asking again and again is no waste.
    fn poll(&mut self) -> Result<Option<Event>, Broken>;

    /// There is nothing left to do: waits for what comes next. After a message the worker may go on and send; after a call it still rests.
    fn rest(&mut self) -> Result<Event, Broken>;

    /// A phase in which each worker tells all others something: what they have said, in the order of workers. Calls are dropped.
    fn agree(&mut self, mine: &[u8]) -> Result<Vec<Vec<u8>>, Broken> {
        (0..self.workers()).for_each(|to| self.send(to, mine.to_vec()));
        let mut said = vec![Vec::new(); self.workers()];
        loop {
            match self.rest()? {
                Event::Message { from, bytes } => said[from] = bytes,
                Event::Call { .. } => {}
                Event::Over => return Ok(said),
            }
        }
    }
}

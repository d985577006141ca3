//! Gives timely its links, and each worker its seat.

use super::Member;
use crate::health::Health;
use crate::link::Link;
use std::io;
use std::net::Shutdown;
use std::sync::Arc;
use std::time::Instant;
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::zero_copy::stream::Stream;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::communication::initialize::Hooks;
use timely::worker::Worker;

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Self> {
        self.again()
    }

    /// They wait, as they are.
    fn set_nonblocking(&self, _: bool) -> io::Result<()> {
        Ok(())
    }

    /// timely has written all that it has to say.
    fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        self.end();
        Ok(())
    }
}

/// What a thread needs to become a worker.
pub(crate) enum Seat {
    /// All workers are in this process.
    Alone(ProcessBuilder),
    Linked(TcpBuilder),
}

impl Seat {
    /// In the thread that works. Waits for the other threads of the process.
    pub(crate) fn take(self, window: usize, health: Arc<Health>) -> Member {
        let allocator = match self {
            Seat::Alone(builder) => Allocator::Process(builder.build()),
            Seat::Linked(builder) => Allocator::Tcp(builder.build()),
        };
        // Without a clock timely never sleeps.
        let worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        Member::new(worker, window, health)
    }
}

/// The threads of the network. Who drops it waits until all was sent, and all others have ended, too.
pub(crate) struct Network(
    #[allow(dead_code, reason = "it is there to be dropped")] Option<CommsGuard>,
);

/// Seats for the workers of process `me`; links to all other processes.
pub(crate) fn start(
    links: Vec<Option<Link>>,
    me: usize,
    workers: usize,
) -> io::Result<(Vec<Seat>, Network)> {
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(workers, hooks.refill.clone(), None);
    if links.len() < 2 {
        let seats = inner.into_iter().map(Seat::Alone).collect();
        return Ok((seats, Network(None)));
    }
    let (seats, guard) = initialize_networking_from_sockets(inner, links, me, workers, hooks)?;
    let seats = seats.into_iter().map(Seat::Linked).collect();
    Ok((seats, Network(Some(guard))))
}

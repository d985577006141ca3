//! The examples, each with its own tests.
#![allow(dead_code, unreachable_pub, reason = "examples are programs of their own")]

#[path = "../../examples/alternating_bit.rs"]
mod alternating_bit;
#[path = "../../examples/lock.rs"]
mod lock;
#[path = "../../examples/mutex.rs"]
mod mutex;
#[path = "../../examples/philosophers.rs"]
mod philosophers;
#[path = "../../examples/ping_pong.rs"]
mod ping_pong;
#[path = "../../examples/puzzle.rs"]
mod puzzle;
#[path = "../../examples/queue.rs"]
mod queue;
#[path = "../../examples/raft.rs"]
mod raft;
#[path = "../../examples/registers.rs"]
mod registers;
#[path = "../../examples/token_ring.rs"]
mod token_ring;
#[path = "../../examples/two_phase_commit.rs"]
mod two_phase_commit;

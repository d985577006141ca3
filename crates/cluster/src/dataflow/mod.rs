//! The exchange over timely dataflow. Nothing outside of this module knows timely: whoever replaces it implements [`Exchange`](lariat_core::Exchange) for
//! workers in threads, over links between processes, and gives them to `run` as [`start`] does.
//!
//! One operator in one loop. A time is a phase and a round in it: each way through the loop is a round. What a worker may still send is a *capability*, and
//! timely tells everybody the least time at which something can still come:
//! - who works in phase p holds a capability in p;
//! - who rests holds one for the beginning of p + 1 only; a message of phase p brings a capability for the round in which it came;
//! - when nothing before phase p + 1 can come to anybody, all rest and nothing is on its way: the phase is over.
//!
//! Nobody can be a phase ahead of what somebody else has heard to be over, because that one still holds the capability for the next phase.
//!
//! Beside the loop there is a channel without times, for what cannot wait: calls, credits, and that somebody leaves.

mod desk;
mod member;
mod note;
mod packet;
mod start;

pub(crate) use member::Member;
pub(crate) use start::{Seat, start};

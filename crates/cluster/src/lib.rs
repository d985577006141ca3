//! Workers on several machines: [`lariat_core::Exchange`] over sockets and timely dataflow.
//!
//! ```text
//!  hosts, secret ─► Setting ─► meet: sockets ─ handshake ─► Link: frames, life signs, faults as values
//!                                                            │
//!                              run ─► dataflow: one loop, phases as times ─► Exchange ─► the search
//! ```
//!
//! - [`hosts`], [`secret`], [`setting`]: what a process is told.
//! - `meet`, `handshake`, `timed`: who may take part. Strangers are turned away; whoever searches something else is an error on both sides.
//! - `link`, `pulse`, `health`: a connection that tells a clean end from a broken one, and notices silence.
//! - `dataflow`: the only module that knows timely.
//! - [`run`]: starts the workers, and ends them.
//!
//! It knows nothing of models. `docs/cluster.md` is for those who use it.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod dataflow;
mod handshake;
mod health;
pub mod hosts;
mod link;
mod meet;
mod pulse;
mod run;
pub mod secret;
pub mod setting;
mod timed;

pub use run::run;
pub use secret::Secret;
pub use setting::{Limits, Setting};

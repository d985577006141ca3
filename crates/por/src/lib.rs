//! Partial-order reduction: which processes' steps are enough in a state.
//!
//! [`Reduction::choose`] names a set of processes such that steps of the others, as long as none
//! of the set has moved, neither disable a step of the set nor change what it does: a persistent
//! set, in the strong form (D0 and D1 of `docs/por.md`), and with a property, an invisible one (C2).
//! It is a pure function of the state. That no action is put off for ever is the business of
//! who explores.
//!
//! - `world`: constants and channels of a model; what a command touches, from
//!   `lariat_model::analysis`
//! - `touched`: sets of what is touched, and the table of conflicts
//! - `instance`: what a process may do at each control point and from there on; `builder`: how that is
//!   found
//! - `visible`: what a property looks at
//! - `demand`: who must be in the set together with a process, from what it can do now
//! - `reduction`: kinds of processes; `closure`: closed sets
//! - [`semantics`]: a check of all this on the interpreter, by definition

#![forbid(unsafe_code)]

mod builder;
mod closure;
mod components;
mod demand;
mod hash;
mod instance;
mod memo;
mod reason;
mod reduction;
pub mod semantics;
mod set;
mod touched;
mod visible;
mod world;

pub use closure::Obstacle;
pub use reason::Reason;
pub use reduction::{Choice, Kind, Looks, Reduction};
pub use set::ProcessSet;

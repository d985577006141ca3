//! From a model and a property to a judged verdict.
//!
//! A model is read ([`model`]), a property bound to its expressions ([`property`]), the states
//! ([`safety`]) or runs ([`temporal`]) of the model searched, and the run that was found executed
//! once more and judged ([`judge`]). [`vacuity`] warns of answers that are worth less than they
//! seem. Nothing is printed here, and nobody's arguments are read: a [`Config`] says how to check,
//! an [`Observer`] is told how far a search is.
//!
//! - `answer`: the verdict, and all that reports say about it
//! - `error`: why there is no answer
//! - `config`: how to check; `order`: in which order; `engine`: who computes successors, where
//!   states are kept
//! - `shortcuts`: the smaller model that is searched, and the way back to the given one

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr, reason = "a library")]

pub mod answer;
pub mod config;
pub mod engine;
pub mod error;
pub mod judge;
pub mod model;
pub mod observer;
pub mod order;
pub mod property;
pub mod safety;
pub mod shortcuts;
pub mod temporal;
pub mod vacuity;

pub use answer::{Answer, Inconclusive, Kind, Status, Verdict};
pub use config::{Config, Limits};
pub use engine::Engine;
pub use error::Error;
pub use model::{Language, Loaded, Parts, Reading};
pub use observer::{Observer, Silent};
pub use order::Order;

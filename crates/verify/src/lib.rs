//! From a model and a property to a judged verdict.
//!
//! ```
//! use lariat_verify::{Config, Model, Verdict};
//!
//! let mut model = Model::load("../../examples/spinlock.pml")?;
//! let question = model.ltl("[] (Process[0]@waiting -> <> Process[0]@critical)")?;
//! let answer = model.check(question, &Config::default())?;
//! match &answer.verdict {
//!     Verdict::Violated(run) => println!("{}", model.show(run)),
//!     _ => println!("{}", answer.status().name()),
//! }
//! # assert_eq!(answer.status(), lariat_verify::Status::Violated);
//! # Ok::<(), lariat_verify::Error>(())
//! ```
//!
//! [`Model`] is the short way. Its steps can be had one by one: a model is read ([`model`]), a property bound to its expressions ([`property`]), the states
//! ([`safety`]) or runs ([`temporal`]) of the model searched, and the run that was found executed
//! once more and judged ([`judge`]). [`vacuity`] warns of answers that are worth less than they
//! seem. Nothing is printed here, and nobody's arguments are read: a [`Config`] says how to check,
//! an [`Observer`] is told how far a search is.
//!
//! - `questions`: a model and what is asked about it
//! - `answer`: the verdict, and all that reports say about it
//! - `error`: why there is no answer
//! - `fingerprint`: whether a model is still the same
//! - `bounded`: checks in bounded memory
//! - `config`: how to check; `order`: in which order; `engine`: who computes successors, where
//!   states are kept
//! - `reduction`: whether steps may be left out whose order does not matter
//! - `saved`: runs in files, judged again when they are read
//! - `spread`: searches over several workers that share nothing
//! - `shortcuts`: the smaller model that is searched, and the way back to the given one

#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![deny(clippy::print_stdout, clippy::print_stderr, reason = "a library")]

pub mod answer;
pub mod bounded;
pub mod config;
pub mod engine;
pub mod error;
pub mod fingerprint;
pub mod judge;
pub mod model;
pub mod observer;
pub mod property;
pub mod questions;
pub mod reduction;
pub mod safety;
pub mod saved;
pub mod shortcuts;
pub mod spread;
pub mod temporal;
pub mod vacuity;

pub use answer::{Answer, Inconclusive, Kind, LassoLength, Statistics, Status, Verdict};
pub use bounded::Bounded;
pub use config::{Config, Limits};
pub use engine::Engine;
pub use error::Error;
pub use lariat_checks::order::{self, Order};
pub use model::{Language, Loaded, Parts, Reading};
pub use observer::{Observer, Silent};
pub use questions::{Asked, Model, Question, Source};
pub use reduction::Reduction;
pub use spread::Spread;

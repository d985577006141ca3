//! Models of concurrent systems, written in Rust and checked.
//!
//! A [`Model`] says in which states a system can begin and which steps lead out of each. A [`Check`] asks
//! questions about it: what is always so, what can be reached, and, in linear temporal logic, what happens on
//! every fair run. The answer is a proof, or a run that shows the contrary: if the run goes on for ever, a
//! *lasso*, a beginning and a loop.
//!
//! ```
//! use lariat::{Check, Model, State, Steps, prop};
//!
//! #[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
//! struct Lock {
//!     waiting: [bool; 2],
//!     owner: Option<usize>,
//! }
//!
//! #[derive(Clone, Debug, PartialEq)]
//! enum Action {
//!     Want(usize),
//!     Enter(usize),
//!     Leave(usize),
//! }
//!
//! struct SpinLock;
//!
//! impl Model for SpinLock {
//!     type State = Lock;
//!     type Action = Action;
//!
//!     fn initial(&self) -> Vec<Lock> {
//!         vec![Lock { waiting: [false; 2], owner: None }]
//!     }
//!
//!     fn steps(&self, lock: &Lock, to: &mut Steps<'_, Self>) {
//!         for me in 0..2 {
//!             if lock.owner == Some(me) {
//!                 to.step(Action::Leave(me), |lock| lock.owner = None);
//!             } else if !lock.waiting[me] {
//!                 to.step(Action::Want(me), |lock| lock.waiting[me] = true);
//!             } else if lock.owner.is_none() {
//!                 to.step(Action::Enter(me), |lock| {
//!                     lock.owner = Some(me);
//!                     lock.waiting[me] = false;
//!                 });
//!             }
//!         }
//!     }
//! }
//!
//! let waits = prop("0 waits", |lock: &Lock| lock.waiting[0]);
//! let is_in = prop("0 is in", |lock: &Lock| lock.owner == Some(0));
//! let check = || {
//!     Check::of(&SpinLock)
//!         .reachable("both wait", |lock| lock.waiting == [true; 2])
//!         .holds("no starvation", waits.clone().leads_to(is_in.clone()))
//!         .weakly_fair("leave", |action| matches!(action, Action::Leave(_)))
//! };
//! // Process 1 may come first each time: a run that goes round for ever.
//! let report = check().run();
//! let run = report.assert_violated("no starvation");
//! assert!(run.back_to.is_some() && !run.actions.contains(&Action::Enter(0)));
//! // Not if whoever can enter again and again does so at last.
//! check().strongly_fair("enter", |action| *action == Action::Enter(0)).run().assert_ok();
//! ```
//!
//! `docs/rust.md` is a tutorial, `docs/from-stateright.md` a guide for those who come from Stateright. What
//! lariat does not do: it does not run real code. [loom](https://docs.rs/loom) and
//! [shuttle](https://docs.rs/shuttle) do, under the memory model of C11 or under random schedules; they
//! know no liveness.
//!
//! What is claimed is checked: whatever is violated comes with a run that was found once more by calls
//! of [`Model::steps`] alone and judged by definition. States are kept exactly, never by hash. A limit, a
//! panic or a cut gives [`Verdict::Inconclusive`], on which [`Report::assert_ok`] fails.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![deny(clippy::print_stdout, clippy::print_stderr, reason = "a library")]

pub mod actor;
mod answer;
mod check;
pub mod collections;
mod command;
mod diff;
mod explore;
#[cfg(feature = "explore")]
mod explorer;
mod fairness;
mod formula;
mod graph;
mod hint;
pub mod history;
mod judge;
mod kept;
mod model;
mod panics;
#[doc(hidden)]
pub mod parts;
mod report;
#[doc(hidden)]
pub mod rows;
mod run;
mod sample;
mod simulate;
mod space;
mod state;
mod temporal;
mod typed;
mod verdict;

pub use check::{Check, Store};
pub use fairness::Strength;
pub use formula::{Ltl, always, eventually, ltl, next, prop};
pub use graph::Progress;
pub use lariat_core::Limit;
pub use lariat_derive::State;
pub use model::{Model, Steps, successors};
pub use report::{Finding, Report, Stats};
pub use run::Run;
pub use state::State;
pub use verdict::{Reason, Verdict};

/// The programs of the tutorial.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
mod tutorial {}

//! The emptiness checks by name: each check × store × switches compiled once, here, so that
//! the binary's own code compiles fast.
//!
//! - [`algorithm`]: the checks, what each takes, and where it comes from
//! - [`choice`]: which checks answer a question about a model, and why
//! - `components`: the same for the enumeration of components
//! - [`plan`](mod@plan): which check runs on an automaton
//! - [`order`], [`orders`]: what is looked at depth first, and what breadth first
//! - [`usual`]: the checks that are chosen unless something else is asked for
//! - `dispatch`: from a [`Setup`] to the code that runs, all of it; feature `all`
//! - `proviso`: partial-order reduction by the search stack, as in the papers
//! - [`setup`]: a check, its store and its switches; which of them go together
//! - `erased`: a graph of any type as one type, called once for each batch

#![forbid(unsafe_code)]

pub mod algorithm;
pub mod choice;
#[cfg(feature = "all")]
pub mod components;
#[cfg(feature = "all")]
pub mod dispatch;
mod erased;
pub mod order;
pub mod orders;
pub mod plan;
#[cfg(feature = "all")]
pub mod proviso;
pub mod setup;
pub mod usual;

pub use algorithm::{Algorithm, Facts, Store, Takes};
pub use choice::{Choice, choose};
#[cfg(feature = "all")]
pub use components::{Enumerator, components};
#[cfg(feature = "all")]
pub use dispatch::{Checked, check_automaton, check_product, check_rows};
pub use order::Order;
pub use orders::Orders;
pub use plan::{Plan, plan};
#[cfg(feature = "all")]
pub use proviso::StackProviso;
pub use setup::{CheckSwitches, Setup};
pub use usual::{check_strong, check_usual};

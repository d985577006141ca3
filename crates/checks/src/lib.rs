//! The emptiness checks by name: each check × store × switches compiled once, here, so that
//! the binary's own code compiles fast.
//!
//! - [`algorithm`]: the checks, what each takes, and where it comes from
//! - [`choice`]: which checks answer a question about a model, and why
//! - [`components`]: the same for the enumeration of components
//! - [`dispatch`]: from a [`Setup`] to the code that runs
//! - [`proviso`]: partial-order reduction by the search stack, as in the papers
//! - [`setup`]: a check, its store and its switches; which of them go together
//! - `erased`: a graph of any type as one type, called once for each batch

#![forbid(unsafe_code)]

pub mod algorithm;
pub mod choice;
pub mod components;
pub mod dispatch;
mod erased;
pub mod proviso;
pub mod setup;

pub use algorithm::{Algorithm, Facts, Store, Takes};
pub use choice::{Choice, choose};
pub use components::{Enumerator, components};
pub use dispatch::{Checked, Plan, check_automaton, check_product, check_rows, plan};
pub use proviso::StackProviso;
pub use setup::{CheckSwitches, Setup};

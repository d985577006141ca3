//! The emptiness checks by name: each check × store × switches compiled once, here, so that
//! the binary's own code compiles fast.
//!
//! - [`algorithm`]: the checks, what each takes, and where it comes from
//! - [`choice`]: which checks answer a question about a model, and why
//! - [`dispatch`]: from a [`Setup`] to the code that runs
//! - `erased`: a graph of any type as one type, called once for each batch

#![forbid(unsafe_code)]

pub mod algorithm;
pub mod choice;
pub mod dispatch;
mod erased;

pub use algorithm::{Algorithm, Facts, Store, Takes};
pub use choice::{Choice, choose};
pub use dispatch::{
    CheckSwitches, Checked, Plan, Setup, check_automaton, check_product, check_rows, plan,
};

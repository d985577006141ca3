//! Tests of models in Rust: each file is a subject.

mod actors;
mod collections;
mod command;
mod counts;
mod derive;
mod display;
mod fairness;
mod flaws;
mod history;
mod limits;
#[cfg(feature = "mistakes")]
mod mistakes;
mod oracle;
mod panics;
mod promela;
mod simulate;
mod support;
mod symmetry;

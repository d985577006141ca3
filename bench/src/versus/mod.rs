//! lariat and Spin side by side on the same Promela files.
//!
//! - [`spin`]: runs Spin, its compiler and the verifier
//! - [`ours`]: runs lariat, in this process
//! - [`row`]: both on one file, and whether they agree
//! - [`recorded`]: Spin's answers from the corpus
//! - [`files`]: which files

pub mod files;
pub mod ours;
pub mod recorded;
pub mod row;
pub mod spin;

/// What a tool says about the states of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    pub states: u64,
    /// Stored and matched, as Spin counts.
    pub transitions: u64,
    pub depth: u64,
}

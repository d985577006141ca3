//! Comparisons with other tools, as a library for the programs and tests of this crate.

#![forbid(unsafe_code)]

pub mod cpu;
pub mod lossy;
pub mod ltl;
pub mod net;
pub mod pairs;
pub mod random;
pub mod versus;

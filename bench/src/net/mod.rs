//! The net: random models on which every switch must agree with every other.
//!
//! - [`case`]: a model and the questions about it
//! - [`tree`]: a model as a tree of text, so that it can be shrunk whatever its language is
//! - [`promela`], [`dve`]: the generators
//! - [`coverage`]: which pairs they have made
//! - [`size`]: models that are too large, or that stop at once, are made anew
//! - [`spin_rules`]: where Spin is not asked

pub mod case;
pub mod coverage;
pub mod dve;
pub mod promela;
pub mod size;
pub mod spin_rules;
pub mod tree;

//! The net: random models on which every switch must agree with every other.
//!
//! - [`case`]: a model and the questions about it
//! - [`tree`]: a model as a tree of text, so that it can be shrunk whatever its language is
//! - [`promela`], [`dve`]: the generators
//! - [`coverage`]: which pairs they have made
//! - [`size`]: models that are too large, or that stop at once, are made anew
//! - [`switches`]: the registry of switches; [`config`]: how they stand, and which combinations
//!   are tried
//! - [`ask`]: questions as command lines; [`run`]: lariat and its answers
//! - [`check`]: a case under many configurations; [`compare`]: whether answers agree
//! - [`referee`]: whether Spin agrees; [`spin_rules`]: where it is not asked
//! - [`shrink`]: smaller cases of a finding; [`found`]: findings as files
//! - [`hunt`]: the long run
//! - [`mistakes`]: what the net itself is tested with

pub mod ask;
pub mod case;
pub mod check;
pub mod compare;
pub mod config;
pub mod coverage;
pub mod dve;
pub mod found;
pub mod hunt;
pub mod mistakes;
pub mod promela;
pub mod referee;
pub mod run;
pub mod shrink;
pub mod size;
pub mod spin_rules;
pub mod switches;
pub mod tree;

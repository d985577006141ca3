//! Models: from a syntax tree to control graphs over a packed state vector, and what they mean.
//!
//! - [`ir`]: the model IR, one for all modelling languages
//! - [`analysis`]: what commands read, write, enable and disable, from the IR alone
//! - [`lower`]: Promela's names, types and control flow to IR
//! - [`interp`]: the reference interpreter
//! - [`dve`]: from a DVE file to a model
//! - [`claim`]: never claims as property automata
//! - [`promela`]: from a file to a model
//! - [`steps`]: what an exploration asks of the interpreter or of native code
//! - [`shortcuts`]: a model with fewer states and the same verdicts

#![forbid(unsafe_code)]

pub mod analysis;
pub mod claim;
pub mod dve;
pub mod interp;
pub mod ir;
pub mod lower;
pub mod promela;
pub mod shortcuts;
pub mod steps;

//! What a person or a script sees of a search: replayed counterexamples, tables, JSON.
//!
//! - [`values`]: the variables and channels of a state by name; [`view`]: the same for viewers that fold
//! - [`execution`]: a run that was replayed, the one form that everything below takes
//! - [`replay`]: a trace once more on the interpreter, with what each statement did
//! - [`trace_table`], [`trace_json`]: the replayed trace; [`run_text`]: a whole run as text
//! - [`chart`]: message sequence charts, for the terminal and as SVG
//! - [`itf`], [`trail`]: files that other tools read
//! - [`coverage`]: statements that were never executed
//! - [`numbers`]: counts and sizes for people

#![forbid(unsafe_code)]

pub mod chart;
pub mod coverage;
pub mod execution;
pub mod itf;
pub mod numbers;
pub mod replay;
pub mod run_text;
pub mod table;
pub mod trace_json;
pub mod trace_table;
pub mod trail;
pub mod values;
pub mod view;

//! `lariat explore`: a page in the browser that shows runs of a model and asks about it.
//!
//! The server is small and bounded on purpose: it runs on the user's machine, beside everything
//! that the browser shows. docs/explore.md describes the page and its interface.
//!
//! - [`http`]: as much of HTTP as is needed
//! - [`page`]: the files of the page, inside the program
//! - [`subject`]: what is explored, whatever language it is written in
//! - `given`: models in Promela and DVE
//! - [`session`]: runs, properties, checks and graphs, each a bounded table
//! - [`api`]: requests and answers
//! - [`start`]: from a session to a page in the browser
//! - [`lines`]: what a check in a process of its own hears and says
//! - `worker`: a check of these, in a process of its own

#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![deny(clippy::print_stdout, clippy::print_stderr, reason = "a library")]

pub mod api;
#[cfg(feature = "given")]
pub mod given;
pub mod http;
pub mod lines;
pub mod page;
pub mod session;
pub mod start;
mod state;
pub mod subject;
#[cfg(feature = "given")]
pub mod worker;

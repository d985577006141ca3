//! As much of HTTP/1.1 as one page and its requests need, with a bound on everything.
//!
//! - `request`: a request, read until a deadline and up to a size
//! - `response`: an answer, written until a deadline
//! - `guard`: who may ask: hosts, origins, the token
//! - `server`: connections, each on a thread, at most so many

mod guard;
mod request;
mod response;
mod server;

pub use guard::Guard;
pub use request::{Method, Request};
pub use response::Response;
pub use server::{Handler, Limits, serve};

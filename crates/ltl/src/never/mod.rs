//! Spin's never claims: Büchi automata with state-based acceptance as Promela text.

mod read;
mod write;

pub use read::read;
pub use write::{NotBuchi, write};

//! The library as a whole.

mod bounded;
mod shared;
mod start;

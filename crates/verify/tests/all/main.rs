//! The library as a whole.

mod bounded;
mod shared;
mod shared_product;
mod spread;
mod start;

//! The library as a whole.

mod bounded;
mod checkpoint;
mod reduced_product;
mod shared;
mod shared_product;
mod spread;
mod start;

//! Depth-first search and the emptiness checks: one file for each, named after its paper.
//!
//! Read [`dfs`] first, then [`emptiness::nested::se`] beside Figure 3 of its paper.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "model")]
pub mod bounded;
pub mod breadth_first;
#[cfg(feature = "model")]
pub(crate) mod by_level;
pub mod dfs;
pub mod emptiness;
pub mod product;
#[cfg(feature = "model")]
pub mod proviso;
#[cfg(feature = "model")]
pub mod safety;
pub mod shortest;
#[cfg(feature = "model")]
pub mod spread;
#[cfg(feature = "model")]
mod team;

//! Searches by strongly connected component.
//!
//! Read [`frame`] first (RDKP Algorithm 1), then [`dijkstra_tgba`] beside Algorithm 3 of
//! its paper, then [`extract`].

pub mod dijkstra_tgba;
mod extract;
pub mod frame;
pub mod roots;
pub mod tarjan_tgba;

pub use frame::{Acc, Component};
pub use roots::Roots;

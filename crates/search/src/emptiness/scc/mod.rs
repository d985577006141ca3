//! Searches by strongly connected component.
//!
//! Read [`frame`] first (RDKP Algorithm 1), then [`dijkstra_tgba`] beside Algorithm 3 of
//! its paper, then `extract`.

pub mod ascc;
pub mod couvreur99;
pub mod dijkstra_tgba;
pub mod enumerate;
mod extract;
pub mod frame;
pub mod gabow_tgba;
pub mod gv;
pub mod roots;
mod sets;
pub mod tarjan;
pub mod tarjan_tgba;

pub use frame::{Acc, Component};
pub use roots::Roots;

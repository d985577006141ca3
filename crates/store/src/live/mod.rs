//! Stores that know UNKNOWN, LIVE and DEAD, for searches by component (RDKP §3.1, §6).
//!
//! | store            | for               | live states             | dead states             |
//! |------------------|-------------------|-------------------------|-------------------------|
//! | [`InPlace`]      | Tarjan, Dijkstra  | one exact table         | the same                |
//! | [`Eager`]        | Tarjan, Dijkstra  | stack with a hash index | a [`Dead`] store        |
//! | [`Lazy`]         | Tarjan, Dijkstra  | stack with a hash index | free slots, then [`Dead`] |
//! | [`UnionInPlace`] | Gabow             | one exact table         | the same                |
//! | [`UnionSplit`]   | Gabow             | stack with a hash index | free slots, then [`Dead`] |

mod dead;
mod in_place;
mod split;
mod union;

pub use dead::{BitDead, CacheDead, Dead, ExactDead, PrintDead};
pub use in_place::{InPlace, InPlaceOver};
pub use split::{Eager, Lazy, LiveId, Split};
pub use union::{UnionInPlace, UnionSplit};

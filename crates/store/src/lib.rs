//! Where visited states live, and the few bits a check keeps about each.
//!
//! Unsafe code is allowed in this crate, each use with its reason.

mod bits;
mod bitstate;
mod cache;
pub mod closed;
mod compact;
pub mod components;
mod dense;
mod differ;
mod evicting;
mod exact;
mod fingerprints;
pub mod frontier;
pub mod hash;
pub mod heap;
mod index;
pub mod lines;
pub mod live;
mod pairs;
mod pinned;
mod protocol;
mod reserved;
mod scratch;
mod slots;
mod state_cache;
mod tags;
mod tree;
mod union_find;
pub mod visited;

pub use bits::{Bits, SharedBits};
pub use bitstate::{Bitstate, BitstateOptions};
pub use cache::Cache;
pub use closed::Closed;
pub use compact::Compact;
pub use components::Components;
pub use dense::{Beyond, Dense};
pub use evicting::Evicting;
pub use exact::Exact;
pub use fingerprints::Fingerprints;
pub use frontier::Frontier;
pub use scratch::Scratch;
pub use state_cache::{Policy, StateCache};
pub use tags::Tags;
pub use tree::{
    Ending, Keys, Layout, Numbered, SharedSession, SharedTree, SharedWorker, Tree, Tuning,
};
pub use union_find::UnionFind;
pub use visited::Visited;

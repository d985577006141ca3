//! Emptiness checks: one file for each, named after its paper.
//!
//! # Which nested check takes which store
//!
//! | check | exact | bit-state | cache | bound |
//! |---|---|---|---|---|
//! | `cvwy`, `hpy`, `gmz`, `weak`, `terminal`, `non_progress` | yes | yes | yes | `Store` |
//! | `se`, `and` | yes | yes | no | `Store + Remembers` |
//! | `tauriainen` | yes | no | no | `Lossless` |
//!
//! The second search of SE and AND walks blue states only. If a cache has forgotten one, it
//! looks white and is left out, and a cycle is lost. So that does not compile:
//!
//! ```compile_fail,E0277
//! # use {lariat_core::{Fixed, Graph}, lariat_search::dfs::SearchOptions, lariat_store::Cache};
//! # use lariat_search::emptiness::nested::se::{self, Colour};
//! fn unsound<G: Graph<Batch = Fixed<1>>>(graph: &mut G, store: &mut Cache<Colour, Vec<[u32; 1]>>) {
//!     se::check(graph, store, SearchOptions::default());
//! }
//! ```
//!
//! The same with a bit-state store is fine: it may miss a run, and then says that it proves
//! nothing.
//!
//! ```
//! # use {lariat_core::{Fixed, Graph}, lariat_search::dfs::SearchOptions, lariat_store::Bitstate};
//! # use lariat_search::emptiness::nested::se::{self, Colour};
//! fn sound<G: Graph<Batch = Fixed<1>>>(graph: &mut G, store: &mut Bitstate<Colour, Vec<[u32; 1]>>) {
//!     se::check(graph, store, SearchOptions::default());
//! }
//! ```
//!
//! Tauriainen's sets of marks must be exact:
//!
//! ```compile_fail,E0277
//! # use {lariat_core::{Fixed, Graph}, lariat_search::dfs::SearchOptions, lariat_store::Cache};
//! # use lariat_search::emptiness::nested::tauriainen::{self, Tag};
//! fn unsound<G: Graph<Batch = Fixed<1>>>(graph: &mut G, store: &mut Cache<Tag, Vec<[u32; 1]>>) {
//!     tauriainen::check(graph, store, SearchOptions::default());
//! }
//! ```

mod cover;
mod frame;
pub mod nested;
pub mod non_progress;
pub mod scc;
pub mod shared;
pub mod streett;
pub mod terminal;
pub mod weak;

use lariat_core::{Intern, Lasso, Limit, Outcome, Stats};

/// The answer of a check, with what its store took.
fn conclude<S: Intern>(
    store: &S,
    found: Option<Lasso>,
    cut: Option<Limit>,
    stats: Stats,
) -> Outcome {
    let verdict = lariat_core::conclude(found, cut, store.is_lossy());
    Outcome { verdict, stats: Stats { bytes: store.bytes() as u64, ..stats } }
}

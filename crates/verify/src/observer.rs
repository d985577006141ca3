//! Who is told how far a search is.

use lariat_core::Headway;
use lariat_search::safety::Progress;

/// Is told what happens while a search runs; each of these may be left out.
pub trait Observer: Sync {
    /// An exploration of states is so far.
    fn explored(&self, _: Progress) {}
    /// A search on a product is so far.
    fn expanded(&self, _: Expansions) {}
    /// Something about the search that a person may want to know, in a sentence.
    fn remark(&self, _: &str) {}
    /// A run was found: it is still to be judged, which takes long if it is long.
    fn found(&self) {}
}

/// How far a search on a product is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expansions {
    /// States of the product that were expanded, each time.
    pub expanded: u64,
    /// States of the system that were found, where they are kept.
    pub system_states: Option<u64>,
    /// Bytes of what is stored.
    pub memory: u64,
    /// Where it is.
    pub headway: Headway,
}

/// Wants to know nothing.
pub struct Silent;

impl Observer for Silent {}

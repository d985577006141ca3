//! Who is told how far a search is.

use lariat_search::safety::Progress;

/// Is told what happens while a search runs; each of these may be left out.
pub trait Observer: Sync {
    /// An exploration of states is so far.
    fn explored(&self, _: Progress) {}
    /// A search on a product has expanded so many states.
    fn expanded(&self, _: u64) {}
    /// Something about the search that a person may want to know, in a sentence.
    fn remark(&self, _: &str) {}
    /// A run was found: it is still to be judged, which takes long if it is long.
    fn found(&self) {}
}

/// Wants to know nothing.
pub struct Silent;

impl Observer for Silent {}

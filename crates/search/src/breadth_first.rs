//! The one breadth-first walk over a system: levels, and blocks of states.
//!
//! What is walked through are nodes, numbered in the order in which they are found: the states of
//! the system themselves, whose ids are their numbers, or states of a product, which the caller
//! keeps. The successors of a whole block are looked for before any of them is waited for, and those
//! of the next nodes are asked for ahead of their turn. A block never reaches into the next level.
//!
//! ```text
//! while walk.is_in_level() || walk.begin_level(nodes) {
//!     for node in walk.expand(graph, read)? {
//!         // its successors are in walk.edges; new ones are the next nodes
//!     }
//! }
//! ```

use lariat_core::{SystemId, headway};
use lariat_system::{Edges, Stop, SystemGraph};
use std::ops::Range;

/// States that the graph is shown: a block, and a few that come behind it.
const SHOWN: usize = 64 + 6;

/// How far a walk is.
#[derive(Default)]
pub struct BreadthFirst {
    /// The next node to be expanded, and the next one to be read.
    next: usize,
    read: usize,
    /// The first node of the next level.
    level_end: usize,
    levels: u64,
    /// The states of nodes that were read, and by node whether there is one.
    ids: Vec<SystemId>,
    has_state: Vec<bool>,
    /// The successors of the block at hand. Its sources are those nodes that have a state to expand.
    pub edges: Edges,
}

impl BreadthFirst {
    /// Before the first level.
    pub fn new() -> Self {
        headway::begin();
        Self::default()
    }

    /// Whether some nodes of the level were not expanded yet.
    #[inline]
    pub fn is_in_level(&self) -> bool {
        self.next < self.level_end
    }

    /// All nodes that were found since the last level began are the next one; false if there are
    /// none. `nodes` is how many were found in all.
    pub fn begin_level(&mut self, nodes: usize) -> bool {
        debug_assert!(!self.is_in_level());
        self.level_end = nodes;
        if self.is_in_level() {
            headway::note_level(self.levels, (nodes - self.next) as u64);
            self.levels += 1;
        }
        self.is_in_level()
    }

    /// Levels so far, with the one at hand.
    pub fn levels(&self) -> u64 {
        self.levels
    }

    /// The first node of the next level.
    pub fn level_end(&self) -> usize {
        self.level_end
    }

    /// Nodes that were expanded.
    pub fn expanded(&self) -> usize {
        self.next
    }

    /// Expands the next nodes of the level, at least one, and says which. `read` is called once for
    /// each node, in their order: the state to be expanded, if there is one.
    #[inline]
    pub fn expand<G: SystemGraph>(
        &mut self,
        graph: &mut G,
        mut read: impl FnMut(&mut G) -> Result<Option<SystemId>, Stop>,
    ) -> Result<Range<usize>, Stop> {
        // With hidden variables outside of states, these are set for one state at a time.
        let most = if graph.hidden_words() > 0 { 1 } else { SHOWN };
        while self.read < self.level_end && self.ids.len() < most && self.has_state.len() < 2 * most
        {
            let id = read(graph)?;
            self.has_state.push(id.is_some());
            self.ids.extend(id);
            self.read += 1;
        }
        self.edges.clear();
        let mut sources = match self.ids.is_empty() {
            true => 0,
            false => graph.expand(&self.ids, &mut self.edges)?,
        };
        self.ids.drain(..sources);
        let is_left = |&has_state: &bool| {
            let is_left = has_state && sources == 0;
            sources -= usize::from(has_state && !is_left);
            is_left
        };
        let done = self.has_state.iter().position(is_left).unwrap_or(self.has_state.len());
        self.has_state.drain(..done);
        let first = self.next;
        self.next += done;
        Ok(first..self.next)
    }
}

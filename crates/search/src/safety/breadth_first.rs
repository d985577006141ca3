//! Breadth first: errors by shortest paths, and the fastest way to see everything.
//!
//! Ids are given in the order of discovery, so the queue is the graph itself, and the way back takes
//! two bits for a state. Where nobody needs the numbers, `shared` goes on without them.

use lariat_core::{Parents, SystemId, Word};
use lariat_system::{Stop, SystemGraph};

use super::ErrorKind;
use super::explorer::Explorer;
use crate::breadth_first::BreadthFirst;

/// How far a walk has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// The first so many states are expanded.
    pub(crate) expanded: usize,
    /// The states before this one are of the level at hand, or of those before.
    pub(crate) level_end: usize,
}

/// Stops where `is_enough` says so, which is told how many states there are, unless there is an error; says where.
pub(crate) fn explore<G: SystemGraph>(
    explorer: &mut Explorer<'_, '_, G>,
    mut is_enough: impl FnMut(&G, u64) -> bool,
) -> Result<Option<Position>, Stop> {
    explorer.start()?;
    explorer.found.states = 1;
    // No stack has to hold ids.
    explorer.graph.allow_wide_ids();
    let hidden_words = explorer.graph.hidden_words();
    // The hidden variables with which a state was reached first.
    let mut hidden: Vec<Word> = explorer.graph.hidden().to_vec();
    let mut parents = Parents::default();
    let mut walk = BreadthFirst::new();
    let mut read: SystemId = 0;
    while !explorer.stopped {
        if !walk.is_in_level() {
            if explorer.ends_with_level || !walk.begin_level(explorer.found.states as usize) {
                break;
            }
            let depth = walk.levels() - 1;
            explorer.note_depth(depth);
            if explorer.is_too_deep(depth) {
                break;
            }
        }
        let block = walk.expand(explorer.graph, |graph| {
            if hidden_words > 0 {
                graph.set_hidden(&hidden[read as usize * hidden_words..][..hidden_words]);
            }
            read += 1;
            Ok(Some(read - 1))
        })?;
        let edges = &walk.edges;
        explorer.found.atomic_steps += edges.atomic_steps;
        let bits = edges.ids.len() + block.len();
        if parents.growth(bits) > 0 {
            let own =
                parents.bytes() + parents.growth(bits) + hidden.capacity() * size_of::<Word>();
            explorer.reserve(own)?;
            parents.reserve(bits);
        }
        let (mut faults, mut blocked) =
            (edges.faults.iter().peekable(), edges.blocked.iter().peekable());
        let checks_conditions = !explorer.options.conditions.is_empty();
        for (source, node) in block.enumerate() {
            let id = node as SystemId;
            let path = || parents.path(id);
            if blocked.next_if(|&&at| at == source).is_some() {
                explorer.note_blocked(id, path);
            }
            if checks_conditions {
                explorer.check_conditions(id, path)?;
            }
            while let Some(found) = faults.next_if(|found| found.source == source) {
                if !explorer.options.ignores(found.fault.fault) {
                    explorer.error(ErrorKind::Fault(found.fault.fault), &found.fault.moves, path);
                }
            }
            let range = edges.of(source);
            explorer.found.transitions += range.len() as u64;
            let mut states = explorer.found.states;
            for at in range {
                if edges.ids[at] >= states {
                    debug_assert_eq!(edges.ids[at], states, "new states have the next ids");
                    states += 1;
                    parents.push_child();
                    if hidden_words > 0 {
                        hidden
                            .extend_from_slice(&edges.hidden[at * hidden_words..][..hidden_words]);
                    }
                }
            }
            explorer.found.states = states;
            parents.end_parent();
            if explorer.stopped {
                break;
            }
        }
        explorer.check_state_limit();
        let has_error = explorer.stopped || explorer.ends_with_level;
        if !has_error && is_enough(explorer.graph, explorer.found.states) {
            let (expanded, level_end) = (walk.expanded(), walk.level_end());
            return Ok(Some(Position { expanded, level_end }));
        }
    }
    Ok(None)
}

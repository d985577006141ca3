//! An exploration goes on where states are expanded fully that were reduced before (docs/por.md).
//!
//! All other states keep their steps, so nothing has to be seen again: only what those states
//! lead to besides, and what comes behind it. If there is an error among that, nobody knows the way
//! to it, and the exploration begins anew.

use lariat_core::{Limit, SystemId};
use lariat_model::ir::Model;
use lariat_system::{Edges, Stop, SystemGraph};

use super::explorer::Explorer;
use super::{ErrorKind, Exploration, ExploreOptions};

/// Adds what can be reached from these states now; none if there is an error.
pub(super) fn explore<G: SystemGraph>(
    graph: &mut G,
    model: &Model,
    options: &ExploreOptions,
    full: &[SystemId],
    mut found: Exploration,
) -> Result<Option<Exploration>, Stop> {
    let mut explorer = Explorer::new(graph, model, options, &|_| {});
    let mut edges = Edges::default();
    // New states get the next ids: the queue is the graph itself.
    let mut next = explorer.graph.len() as SystemId;
    let mut todo: Vec<SystemId> = full.to_vec();
    // How far it is from the states that are full now is all that is known of the depth.
    let (mut levels, mut level_end) = (0, next);
    while !todo.is_empty() {
        edges.clear();
        let done = explorer.graph.expand(&todo, &mut edges)?;
        found.atomic_steps += edges.atomic_steps;
        found.transitions += edges.ids.len() as u64;
        for fault in &edges.faults {
            if !options.ignores(fault.fault.fault) {
                explorer.error(ErrorKind::Fault(fault.fault.fault), &fault.fault.moves, Vec::new);
            }
        }
        for &source in &edges.blocked {
            explorer.note_blocked(todo[source], Vec::new);
        }
        if !options.conditions.is_empty() {
            for &id in &todo[..done] {
                explorer.check_conditions(id, Vec::new)?;
            }
        }
        if !explorer.found.errors.is_empty() {
            return Ok(None);
        }
        todo.drain(..done);
        let states = explorer.graph.len() as u64;
        if explorer.are_too_many(states) {
            return Ok(Some(Exploration { states, limit: Some(Limit::States), ..found }));
        }
        if todo.is_empty() {
            if next == level_end && level_end < states as SystemId {
                (levels, level_end) = (levels + 1, states as SystemId);
            }
            let end = (explorer.graph.len() as SystemId).min(next + BLOCK).min(level_end);
            todo.extend(next..end);
            next = end;
        }
    }
    found.deadlocks += explorer.found.deadlocks;
    found.depth = found.depth.max(levels);
    found.states = explorer.graph.len() as u64;
    found.matched = (found.transitions + 1).saturating_sub(found.states);
    found.memory = found.memory.max(explorer.graph.bytes());
    Ok(Some(found))
}

/// States that the graph is shown at once.
const BLOCK: SystemId = 64;

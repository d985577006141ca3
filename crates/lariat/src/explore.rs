//! Breadth first through all states: shortest runs to whatever is looked for.

use crate::graph::ModelGraph;
use crate::model::Model;
use lariat_core::{Limit, Parents, SystemId};
use lariat_search::breadth_first::BreadthFirst;
use lariat_system::{Stop, SystemGraph};

/// What was seen. The findings themselves are in the watches of the graph.
#[derive(Debug, Default)]
pub(crate) struct Exploration {
    pub(crate) states: u64,
    /// Steps between states.
    pub(crate) transitions: u64,
    /// The largest distance from an initial state.
    pub(crate) depth: u64,
    pub(crate) initial: u64,
    /// Why not everything was seen.
    pub(crate) limit: Option<Limit>,
    /// Initial states are children of a state before all, which has number 0.
    parents: Parents,
}

impl Exploration {
    /// From an initial state to this one.
    pub(crate) fn path(&self, id: SystemId) -> Vec<SystemId> {
        self.parents.path(id + 1)[1..].iter().map(|number| number - 1).collect()
    }

    fn note(&mut self, ids: &[SystemId]) {
        for &id in ids {
            if id >= self.states {
                debug_assert_eq!(id, self.states, "new states have the next ids");
                self.states += 1;
                self.parents.push_child();
            }
        }
        self.parents.end_parent();
    }

    fn make_room(&mut self, graph: &mut dyn SystemGraph, bits: usize) -> Result<(), Stop> {
        if self.parents.growth(bits) > 0 {
            graph.reserve(self.parents.bytes() + self.parents.growth(bits))?;
            self.parents.reserve(bits);
        }
        Ok(())
    }
}

/// Explores a graph without states. `is_enough` is asked after each block. An error is that rows are
/// too narrow.
pub(crate) fn explore<'m, M: Model>(
    graph: &mut ModelGraph<'m, M>,
    is_enough: impl Fn(&ModelGraph<'m, M>) -> bool,
) -> Result<Exploration, Stop> {
    let mut found = Exploration::default();
    match walk(graph, &mut found, is_enough) {
        Ok(()) => Ok(found),
        Err(Stop::Limit(limit)) => {
            found.limit = Some(limit);
            Ok(found)
        }
        Err(stop) => Err(stop),
    }
}

fn walk<'m, M: Model>(
    graph: &mut ModelGraph<'m, M>,
    found: &mut Exploration,
    is_enough: impl Fn(&ModelGraph<'m, M>) -> bool,
) -> Result<(), Stop> {
    let max_depth = graph.limits().depth;
    let mut initial = Vec::new();
    graph.initial(&mut initial)?;
    // No stack has to hold ids.
    graph.allow_wide_ids();
    found.make_room(graph, initial.len() + 1)?;
    found.note(&initial);
    found.initial = found.states;
    let mut walk = BreadthFirst::new();
    let mut read: SystemId = 0;
    while !is_enough(graph) {
        if !walk.is_in_level() {
            if !walk.begin_level(found.states as usize) {
                return Ok(());
            }
            let depth = walk.levels() - 1;
            if depth > max_depth {
                return Err(Limit::Depth.into());
            }
            found.depth = depth;
        }
        let block = walk.expand(graph, |_| {
            read += 1;
            Ok(Some(read - 1))
        })?;
        found.make_room(graph, walk.edges.ids.len() + block.len())?;
        for source in 0..block.len() {
            let range = walk.edges.of(source);
            found.transitions += range.len() as u64;
            found.note(&walk.edges.ids[range]);
        }
    }
    Ok(())
}

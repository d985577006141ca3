//! Depth first, in Spin's order.
//!
//! The successors of a state are found when the state is entered; whether one was *visited* is a bit
//! that is set when its turn comes. Those that were visited already are counted at once and never
//! reach the stack. The stack holds ids of 32 bits: the graph gives no wider ones unless they are
//! allowed.

use lariat_core::{Limit, SystemId, headway};
use lariat_store::Tags;
use lariat_system::{Edges, Stop, SystemGraph};

use super::ErrorKind;
use super::explorer::Explorer;
use super::stack::{Stack, Top};

const VISITED: u32 = 1;

struct DepthFirst<'e, 'a, 'm, G> {
    explorer: &'e mut Explorer<'a, 'm, G>,
    stack: Stack,
    visited: Tags,
    /// Scratch: the successors of the state at hand.
    edges: Edges,
}

pub(super) fn explore<G: SystemGraph>(explorer: &mut Explorer<'_, '_, G>) -> Result<(), Stop> {
    headway::begin();
    explorer.graph.count_commands();
    let initial = explorer.start()?;
    let hidden = explorer.graph.hidden().to_vec();
    let mut stack = Stack::new(hidden.len());
    stack.push_state(initial as u32, 1, &hidden);
    let (visited, edges) = (Tags::default(), Edges::default());
    DepthFirst { explorer, stack, visited, edges }.walk()
}

impl<G: SystemGraph> DepthFirst<'_, '_, '_, G> {
    fn walk(&mut self) -> Result<(), Stop> {
        // The path to the initial state has no commands.
        let mut depth = -1_i64;
        while !self.explorer.stopped {
            match self.stack.next() {
                Top::State { id, commands } => {
                    if self.visited.get(id.into()) == VISITED {
                        self.stack.drop_state();
                        continue;
                    }
                    self.visit(id.into())?;
                    self.explorer.found.states += 1;
                    depth += i64::from(commands);
                    // Its turn comes when the search is back.
                    if let Some(sibling) = self.stack.below() {
                        self.explorer.graph.prefetch(sibling.into());
                    }
                    self.stack.enter();
                    self.enter(id.into(), depth as u64)?;
                }
                Top::Retreat { commands } => depth -= i64::from(commands),
                Top::Fault(located) => {
                    let path = || ids(&self.stack);
                    self.explorer.error(ErrorKind::Fault(located.fault), &located.moves, path);
                    if self.explorer.stopped {
                        self.uncount(Some(located.after));
                    }
                }
                Top::Empty => break,
            }
        }
        Ok(())
    }

    #[inline]
    fn visit(&mut self, id: SystemId) -> Result<(), Stop> {
        let growth = self.visited.growth(id, VISITED);
        if growth > 0 {
            self.explorer.reserve(self.bytes() + growth)?;
        }
        self.visited.set(id, VISITED);
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.stack.bytes() + self.visited.bytes()
    }

    /// Expands the current state and puts its successors on the stack.
    fn enter(&mut self, id: SystemId, depth: u64) -> Result<(), Stop> {
        self.explorer.note_depth(depth);
        if self.explorer.is_too_deep(depth) {
            return Ok(());
        }
        if self.explorer.graph.hidden_words() > 0 {
            self.explorer.graph.set_hidden(self.stack.hidden());
        }
        self.edges.clear();
        self.explorer.graph.expand(&[id], &mut self.edges)?;
        self.explorer.found.atomic_steps += self.edges.atomic_steps;
        let path = || ids(&self.stack);
        if !self.edges.blocked.is_empty() {
            self.explorer.note_blocked(id, path);
        }
        if !self.explorer.options.conditions.is_empty() {
            self.explorer.check_conditions(id, path)?;
        }
        self.explorer.note_depth(depth + self.edges.deepest);
        if self.explorer.stopped {
            self.uncount(None);
            return Ok(());
        }
        self.push_successors()?;
        self.explorer.check_state_limit();
        if self.explorer.found.limit == Some(Limit::States) {
            self.uncount(Some(0));
        }
        Ok(())
    }

    fn push_successors(&mut self) -> Result<(), Stop> {
        let DepthFirst { explorer, stack, visited, edges } = self;
        let count = edges.ids.len();
        explorer.found.transitions += count as u64;
        let more = count + edges.faults.len() + 2;
        let growth = stack.growth(more);
        if growth > 0 {
            explorer.reserve(stack.bytes() + visited.bytes() + growth)?;
            stack.reserve(more);
        }
        let hidden = explorer.graph.hidden_words();
        let commands_to = |at| edges.commands.get(at).copied().unwrap_or(1);
        if hidden == 0 && edges.faults.is_empty() {
            // Nearly always.
            for at in (0..count).rev() {
                let id = edges.ids[at];
                if visited.get(id) != VISITED {
                    stack.push_state(id as u32, commands_to(at), &[]);
                }
            }
            return Ok(());
        }
        let mut faults = edges.faults.iter().map(|found| &found.fault).rev().peekable();
        for at in (0..=count).rev() {
            if at < count {
                let id = edges.ids[at];
                if visited.get(id) != VISITED {
                    let hidden = &edges.hidden[at * hidden..][..hidden];
                    stack.push_state(id as u32, commands_to(at), hidden);
                }
            }
            while let Some(located) = faults.next_if(|located| located.after == at) {
                if !explorer.options.ignores(located.fault) {
                    stack.push_fault(located.clone());
                }
            }
        }
        Ok(())
    }

    /// Transitions are counted when they are found. Takes back those on the path that the
    /// search would have looked at later: of the current state, those from `current` on, if
    /// its successors were counted at all.
    fn uncount(&mut self, current: Option<usize>) {
        let path = self.stack.path();
        for at in 0..path.len() {
            let (id, hidden) = &path[at];
            let next = path.get(at + 1).map(|&(next, _)| SystemId::from(next));
            if next.is_none() && current.is_none() {
                break;
            }
            if !hidden.is_empty() {
                self.explorer.graph.set_hidden(hidden);
            }
            self.edges.clear();
            if self.explorer.graph.expand(&[(*id).into()], &mut self.edges).is_err() {
                return;
            }
            let ids = &self.edges.ids;
            let is_next = |&successor: &SystemId| next == Some(successor);
            let looked_at = ids.iter().position(is_next).map_or(current, |at| Some(at + 1));
            self.explorer.found.transitions -= (ids.len() - looked_at.unwrap_or(0)) as u64;
        }
    }
}

/// The path from the initial state to the current one.
fn ids(stack: &Stack) -> Vec<SystemId> {
    stack.path().into_iter().map(|(id, _)| id.into()).collect()
}

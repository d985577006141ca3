//! The cycle proviso of partial-order reduction in products without numbers (docs/por.md, "Products by levels").
//!
//! Which steps of a system state are taken must not depend on the state of the automaton in which it is met. So it is decided once, when the system state is expanded for
//! the first time, and kept. *Levels* are those of the product's passes, one after the other, counted from the first pass on. Beside the product's states, the
//! set has an entry for each state of the system: a key with a state that the automaton does not have.
//!
//! A system state that is expanded for the first time on level L stays reduced only if each of its reduced successors *leads on*: it was decided before L and is full, or it
//! is not decided yet and will not be on L. (Successors are those of the system, whether the automaton has an edge for them or not.)
//!
//! - *Every cycle has a full state* (C3). Along a cycle of reduced states, each would be decided on a later level than the one before it.
//! - *One graph.* Each product state is expanded as was decided for its system state. So what was searched is the product with one reduced graph, and all that docs/por.md
//!   says of products holds. States of the system that are in no product state have no decision, and may be called full.
//! - *The same on all threads.* While level L is expanded, it is settled which states were decided before, and which may be decided on L: those that product states of L belong to. What
//!   becomes of them on L does not count. So if two threads expand a system state at once, in two states of the automaton, they decide the same; and counts do not depend on luck.
//!
//! *Which may be decided on L.* Whoever finds a state on level L notes it for the next one. If it has no decision yet, it has one of three marks: that it may be decided on even
//! levels, on odd ones, or on any. A state that is found on L and had the mark of L may belong to L or, if it had no edge in the automaton there, be decided on L + 1: it may be decided on any
//! level from now on. Hence a state that is decided on L had the mark of L or that of any when L began. Marks of states that are not decided for a while (behind them the automaton
//! has no edge, or they are behind acceptance and wait for a pass of their own) become old; then a state that leads to them may be called full though it need not be, which is a pity and no harm.
//!
//! A level that is interrupted goes on as the same level: what was decided stays, and the rest is decided as it would have been. A search that begins anew forgets all
//! decisions. What was put aside with the states before acceptance is looked up there. A pass that is given up is never followed by another one that keeps what it has decided: on which
//! level a state is decided would depend on luck then.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lariat_core::makes_mistake;
use lariat_store::{Keys, SharedSession};
use lariat_system::{Edges, Stop, System, SystemGraph};

/// Bits that are kept of a system state.
pub(super) const BITS: u32 = 4;

/// Below: may be decided on even levels, on odd ones.
const ANY: u64 = 2;
const REDUCED: u64 = 3;
/// Full, by the level of the decision.
const FULL: u64 = 4;
const CLASSES: u64 = (1 << BITS) - FULL;

/// What is known of a system state that is found on this level.
fn found(level: u64, before: Option<u64>) -> u64 {
    match before {
        None => (level + 1) % 2,
        Some(mark @ ..ANY) if mark == level % 2 && !makes_mistake("por-product-mark") => ANY,
        Some(known) => known,
    }
}

/// Of a state that is decided on this level.
fn decided(level: u64, is_full: bool) -> u64 {
    if is_full { FULL + level % CLASSES } else { REDUCED }
}

fn is_decided(known: u64) -> bool {
    known >= REDUCED
}

/// Whether a successor of a state that is decided on this level leads on.
fn leads_on(level: u64, known: Option<u64>) -> bool {
    match known {
        None => true,
        Some(mark @ ..ANY) => mark != level % 2 || makes_mistake("por-product-level"),
        Some(ANY) => false,
        Some(REDUCED) => makes_mistake("por-product-old"),
        Some(full) => full != FULL + level % CLASSES,
    }
}

/// Decisions about the states of the system.
#[derive(Debug)]
pub(super) struct Decisions {
    /// The state of the automaton in the keys of their entries.
    state: u32,
    /// The level at hand.
    level: AtomicU64,
}

/// What a thread needs to decide.
#[derive(Default)]
pub(super) struct Scratch {
    keys: Vec<u64>,
    /// By successor: what was put aside of it, and whether it leads on.
    aside: Vec<Option<u64>>,
    leads_on: Vec<bool>,
    /// By source: what is known of it.
    known: Vec<u64>,
    /// By source: which of those that are expanded fully it is.
    full: Vec<Option<usize>>,
    again: Vec<u64>,
    more: Edges,
    /// Entries that this thread has made.
    pub(super) entries: u64,
}

impl Scratch {
    /// The successors of a source that were chosen, which are among `edges` unless it is expanded fully.
    pub(super) fn of<'e>(&'e self, source: usize, edges: &'e Edges) -> (&'e Edges, usize) {
        match self.full.get(source) {
            Some(&Some(again)) => (&self.more, again),
            _ => (edges, source),
        }
    }
}

impl Decisions {
    /// For an automaton with so many states.
    pub(super) fn new(states: usize) -> Self {
        Decisions { state: states as u32, level: AtomicU64::new(0) }
    }

    /// Whether a key is no product state, but an entry here.
    pub(super) fn is_entry(&self, key: u64, keys: Keys) -> bool {
        keys.split(key).1 == self.state
    }

    /// A level begins: told by one thread, while the others wait.
    pub(super) fn begin_level(&self) {
        self.level.fetch_add(1, Relaxed);
    }

    /// Notes the system states of some product states that begin with the next level.
    pub(super) fn begin(
        &self,
        states: &[u64],
        session: &mut SharedSession<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), Stop> {
        let keys = session.keys();
        let roots = states.iter().map(|&key| keys.split(key).0);
        self.note_found(roots, session, scratch)
    }

    /// Notes that states of the system are found on the level at hand, and which of them lead on from it.
    fn note_found(
        &self,
        roots: impl Iterator<Item = u64>,
        session: &mut SharedSession<'_>,
        scratch: &mut Scratch,
    ) -> Result<(), Stop> {
        let Scratch { keys, aside, leads_on: leads, entries, .. } = scratch;
        let (level, of_key) = (self.level.load(Relaxed), session.keys());
        keys.clear();
        keys.extend(roots.map(|root| of_key.join(root, self.state)));
        aside.clear();
        aside.resize(keys.len(), None);
        session.were_put_aside(keys, |at, known| aside[at] = Some(known));
        leads.clear();
        leads.resize(keys.len(), true);
        let change = |at: usize, before: Option<u64>| found(level, before.or(aside[at]));
        session.update(keys, change, |at, before| {
            leads[at] = leads_on(level, before.or(aside[at]));
            *entries += u64::from(before.is_none());
            false
        })?;
        Ok(())
    }

    /// Expands the first of these states of the system, as was decided or is decided now; how many.
    pub(super) fn expand(
        &self,
        system: &mut System<'_, SharedSession<'_>>,
        ids: &[u64],
        edges: &mut Edges,
        scratch: &mut Scratch,
    ) -> Result<usize, Stop> {
        let level = self.level.load(Relaxed);
        edges.clear();
        let done = system.expand(ids, edges)?;
        let reduced = system.reduced_sources();
        self.note_found(edges.ids.iter().copied(), system.session(), scratch)?;
        let Scratch { keys, leads_on: leads, known, full, again, .. } = &mut *scratch;
        let of_key = system.session().keys();
        keys.clear();
        keys.extend(ids[..done].iter().map(|&id| of_key.join(id, self.state)));
        known.clear();
        known.resize(done, 0);
        system.session().payloads(keys, |at, payload| {
            known[at] = payload.expect("it was noted when it was found");
        });
        full.clear();
        again.clear();
        for source in 0..done {
            let is_reduced = reduced >> source & 1 == 1;
            let leads_on = || leads[edges.of(source)].iter().all(|&leads_on| leads_on);
            let stays = match known[source] {
                REDUCED => true,
                mark if !is_decided(mark) || makes_mistake("por-product-anew") => leads_on(),
                _ => false,
            };
            debug_assert!(is_reduced || known[source] != REDUCED, "sets depend on the state alone");
            full.push((is_reduced && !stays).then_some(again.len()));
            if is_reduced && !stays {
                again.push(ids[source]);
            }
        }
        let is_full = |source: usize| full[source].is_some() || reduced >> source & 1 == 0;
        let decide = |at: usize, before: u64| match is_decided(before) {
            true => before,
            false => decided(level, is_full(at)),
        };
        system.session().change(keys, decide, |_, _| false)?;
        if scratch.again.is_empty() {
            return Ok(done);
        }
        let mut more = std::mem::take(&mut scratch.more);
        more.clear();
        while more.sources() < scratch.again.len() {
            system.expand_fully(&scratch.again[more.sources()..], &mut more)?;
        }
        self.note_found(more.ids.iter().copied(), system.session(), scratch)?;
        scratch.more = more;
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever becomes of a state on a level, whether it leads on from that level stays the same, and one that is decided there does not.
    #[test]
    fn nothing_that_becomes_of_a_state_on_a_level_counts_there() {
        let all = || [None].into_iter().chain((0..1 << BITS).map(Some));
        for level in 0..100 {
            for before in all() {
                let after = found(level, before);
                assert_eq!(leads_on(level, before), leads_on(level, Some(after)), "{before:?}");
                if !is_decided(after) {
                    // It may be decided on the next level, if it was found on this one.
                    assert!(!leads_on(level + 1, Some(after)), "{before:?} on {level}");
                }
            }
            for is_full in [false, true] {
                let now = decided(level, is_full);
                assert!(!leads_on(level, Some(now)) && now >> BITS == 0 && is_decided(now));
                assert_eq!(leads_on(level + 1, Some(now)), is_full);
            }
        }
    }
}

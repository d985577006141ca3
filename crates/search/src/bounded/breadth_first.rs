//! Breadth first: the first error is a nearest one of what is seen.
//!
//! Two levels are kept as rows. Of the states before, two bits and a byte each tell the way back: which
//! successor of its parent a state was.

use std::collections::HashMap;

use lariat_core::{Arena, FlatArena, Limit, Parents, Word, headway};
use lariat_store::Visited;
use lariat_store::visited::Entered;
use lariat_system::Stop;

use super::walk::Walk;
use crate::safety::ErrorKind;

/// By state, which successor of its parent it was; those that a byte does not hold are apart.
#[derive(Default)]
pub(super) struct Choices {
    bytes: Vec<u8>,
    large: HashMap<u64, usize>,
}

impl Choices {
    pub(super) fn push(&mut self, choice: usize) {
        let byte = u8::try_from(choice).unwrap_or(u8::MAX);
        if byte == u8::MAX {
            self.large.insert(self.bytes.len() as u64, choice);
        }
        self.bytes.push(byte);
    }

    /// Bytes that room for so many more would take.
    pub(super) fn growth(&self, more: usize) -> usize {
        let is_enough = self.bytes.len() + more <= self.bytes.capacity();
        if is_enough { 0 } else { self.bytes.len() / 4 + more }
    }

    /// Makes room for so many more.
    pub(super) fn reserve(&mut self, more: usize) -> Result<(), Stop> {
        let reserved = self.bytes.try_reserve_exact(self.growth(more));
        reserved.or(Err(Stop::Limit(Limit::Memory)))
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.capacity()
    }

    pub(super) fn get(&self, state: u64) -> usize {
        match self.bytes[state as usize] {
            u8::MAX => self.large[&state],
            byte => byte.into(),
        }
    }
}

struct BreadthFirst<'w, 'a, 'm, V> {
    walk: &'w mut Walk<'a, 'm, V>,
    first: Vec<Word>,
    level: FlatArena,
    next: FlatArena,
    parents: Parents,
    choices: Choices,
    /// Where the nearest error is.
    at: Option<u64>,
}

pub(super) fn explore<V: Visited>(walk: &mut Walk<'_, '_, V>) -> Result<(), Stop> {
    let first = walk.start()?;
    let (level, next) = (FlatArena::new(first.len()), FlatArena::new(first.len()));
    let (parents, choices) = (Parents::default(), Choices::default());
    let mut search = BreadthFirst { walk, first, level, next, parents, choices, at: None };
    search.go()?;
    if let Some(at) = search.at {
        let rows = search.path(at)?;
        search.walk.found_at(rows);
    }
    Ok(())
}

impl<V: Visited> BreadthFirst<'_, '_, '_, V> {
    fn go(&mut self) -> Result<(), Stop> {
        headway::begin();
        self.walk.make_room(1, 0)?;
        self.walk.visited.enter(&self.first)?;
        self.next.push(&self.first);
        self.choices.push(0);
        self.walk.found.states = 1;
        let (mut state, mut depth) = (0, 0);
        while self.next.len() > 0 && self.walk.error.is_none() {
            std::mem::swap(&mut self.level, &mut self.next);
            self.next.truncate(0);
            if self.walk.is_too_deep(depth) {
                break;
            }
            headway::note_level(depth, self.level.len() as u64);
            depth += 1;
            for at in 0..self.level.len() {
                // An error on the way from this level: one of a later state of it would be nearer.
                let had_error = self.walk.error.is_some();
                self.expand(at)?;
                let is_of_state = self.walk.error.as_ref().is_some_and(|(_, m)| m.is_empty());
                if self.walk.error.is_some() && (!had_error || is_of_state) {
                    self.at = Some(state);
                }
                if is_of_state {
                    return Ok(());
                }
                state += 1;
                if self.walk.has_too_many() {
                    return Err(Limit::States.into());
                }
            }
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        let levels = self.level.bytes() + self.next.bytes();
        levels + self.parents.bytes() + self.choices.bytes()
    }

    /// Expands a state of the level; new successors are in the next one.
    fn expand(&mut self, at: usize) -> Result<(), Stop> {
        let BreadthFirst { walk, level, .. } = self;
        walk.expand(level.get(at as u32))?;
        let faults = std::mem::take(&mut walk.edges.faults);
        for located in faults.into_iter().map(|found| found.fault) {
            if !walk.options.ignores(located.fault) {
                walk.error(ErrorKind::Fault(located.fault), &located.moves);
            }
        }
        let count = self.walk.edges.ids.len();
        self.make_room(count)?;
        for at in 0..count {
            let id = self.walk.edges.ids[at];
            let Walk { system, visited, .. } = &mut *self.walk;
            visited.prefetch(lariat_system::SystemGraph::load(&mut **system, id));
        }
        for place in 0..count {
            let choice = self.walk.order[place];
            let Walk { system, visited, edges, found, .. } = &mut *self.walk;
            let row = lariat_system::SystemGraph::load(&mut **system, edges.ids[choice]);
            if let Entered::New(_) = visited.enter(row)? {
                self.next.push(row);
                self.choices.push(choice);
                self.parents.push_child();
                found.states += 1;
            }
        }
        self.parents.end_parent();
        Ok(())
    }

    /// Room for so many successors.
    fn make_room(&mut self, count: usize) -> Result<(), Stop> {
        let mut growth = self.parents.growth(count + 1) + self.choices.growth(count);
        if self.next.len() + count > self.next.capacity() {
            growth += (self.next.len().max(64) + count) * self.first.len() * size_of::<Word>();
        }
        let own = self.bytes();
        if growth > 0 {
            self.walk.allow(own, growth)?;
            if self.parents.growth(count + 1) > 0 {
                self.parents.reserve(count + 1);
            }
            self.choices.reserve(count)?;
            self.next.reserve(count)?;
        }
        self.walk.make_room(count, own + growth)?;
        Ok(())
    }

    /// The rows from the first state to this one, which was found: the way is gone once more.
    fn path(&mut self, last: u64) -> Result<Vec<Box<[Word]>>, Stop> {
        let mut rows: Vec<Box<[Word]>> = vec![self.first.as_slice().into()];
        for &state in &self.parents.path(last)[1..] {
            let row = &rows[rows.len() - 1];
            self.walk.system.set_state(row)?;
            self.walk.edges.clear();
            let Walk { system, edges, .. } = &mut *self.walk;
            lariat_system::SystemGraph::expand(&mut **system, &[0], edges)?;
            rows.push(self.walk.successor(self.choices.get(state)).into());
        }
        Ok(rows)
    }
}

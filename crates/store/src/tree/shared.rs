//! States without numbers: their roots, in a set that threads share, and the levels of a breadth-first search.
//!
//! A tree with numbers comes first ([`Tree::shared`]): it has found a shape by then. Fields are closed up to the bits that the
//! values at hand need; the root is the key of the set. When a field gets too small, all threads stop, and it
//! is given one more bit on top of all others ([`SharedTree::make_bits`]): roots stay what they are. Where roots are
//! pairs of parts, or 64 bits are not enough, the search must go on with numbers.

use super::Tree;
use super::common::Common;
use super::group::Group;
use super::plan::{LEAST_BITS, bits_for};
use super::session::{SharedSession, SharedWorker};
use super::shape::{Field, Shape, WHOLE};
use crate::lines::{Budget, Levels, RootSet};
use lariat_core::{Full, SystemStore};
use std::sync::Arc;

/// What threads share.
#[derive(Debug)]
pub struct SharedTree {
    set: RootSet,
    levels: Levels,
    common: Arc<Common>,
    budget: Arc<Budget>,
    limit: usize,
    keys: Keys,
}

/// What the set's keys are.
///
/// Roots, if the states themselves are in the set. Else each is a state of a product: the root of a system's state and, below it, the
/// state of an automaton. Then the states of the system are kept nowhere else.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    pub(super) is_root: bool,
    /// Bits below the root.
    below: u32,
    /// Bits of payload.
    payload: u32,
}

impl Keys {
    /// The states of the system, which a session notes by itself.
    pub const ROOTS: Keys = Keys { is_root: true, below: 0, payload: 0 };

    /// The states of the system with so many bits of payload. The search notes them ([`SharedSession::update`]).
    pub fn with_payload(payload: u32) -> Keys {
        Keys { is_root: false, below: 0, payload }
    }

    /// Of a product with so many automaton states, and so many bits of payload for each product state.
    pub fn of_product(automaton_states: usize, payload: u32) -> Keys {
        Keys { is_root: false, below: bits_for(automaton_states), payload }
    }

    /// The highest bit of a key below the root.
    pub fn highest(self) -> u64 {
        1 << self.below >> 1
    }

    /// Whether keys of so many bits and their payloads fit into the set.
    fn fit(self, bits: u32) -> bool {
        bits <= u64::BITS && RootSet::<u64>::fits(bits, self.payload)
    }

    /// Bits below the root.
    pub fn below(self) -> u32 {
        self.below
    }

    /// Bits of payload.
    pub fn payload(self) -> u32 {
        self.payload
    }

    /// The key of a system's state, by its root, in a state of the automaton.
    #[inline(always)]
    pub fn join(self, root: u64, state: u32) -> u64 {
        root << self.below | u64::from(state)
    }

    /// A key's root and automaton state.
    #[inline(always)]
    pub fn split(self, key: u64) -> (u64, u32) {
        (key >> self.below, (key & ((1 << self.below) - 1)) as u32)
    }
}

/// The fields of the parts of a root.
fn fields(shape: &Shape) -> Vec<Field> {
    shape.tops().iter().map(|&top| shape.place(top as usize).field).collect()
}

/// The states of a tree, to be entered into a shared one.
pub struct Numbered {
    tree: Tree,
    old: Vec<Field>,
    new: Vec<Field>,
    /// What it has of the budget.
    pub(super) bytes: usize,
}

impl Numbered {
    /// The root of a state in the shared tree.
    pub(super) fn root(&self, id: usize) -> u64 {
        let root = self.tree.tables.roots.get(id as u64);
        self.old.iter().zip(&self.new).map(|(old, new)| new.put(old.get(root))).sum()
    }

    pub(super) fn len(&self) -> usize {
        self.tree.len()
    }
}

impl Tree {
    /// Whether its states can do without numbers.
    pub fn can_be_shared(&self) -> bool {
        self.tables.shape.is_flat()
    }

    /// The same states without numbers, for so many threads, within so many bytes. None if that cannot be done.
    pub fn shared(
        self,
        keys: Keys,
        threads: usize,
        limit: usize,
    ) -> Option<(SharedTree, Numbered)> {
        self.shared_with(keys, threads, limit).ok()
    }

    /// Room for a product with states that are packed as those of this tree, which is forgotten. None if that cannot be done.
    pub fn shared_product(self, keys: Keys, threads: usize, limit: usize) -> Option<SharedTree> {
        let (shared, numbered) = self.shared_with(keys, threads, limit).ok()?;
        shared.budget.give_back(numbered.bytes);
        Some(shared)
    }

    fn shared_with(
        mut self,
        keys: Keys,
        threads: usize,
        limit: usize,
    ) -> Result<(SharedTree, Numbered), Box<Tree>> {
        if self.len() >= self.tables.next_plan {
            self.reconsider_shape();
        }
        let old = fields(&self.tables.shape);
        if !self.can_be_shared() {
            return Err(Box::new(self));
        }
        let mut shape = self.tables.shape.clone();
        let needed: Vec<u32> = (shape.tops().iter())
            .map(|&top| match &self.tables.groups[top as usize] {
                Some(group) => bits_for(Group::len(group)).max(LEAST_BITS),
                None => WHOLE,
            })
            .collect();
        shape.set_bits(&needed);
        let bits = shape.bits() + keys.below;
        if !keys.fit(bits) {
            return Err(Box::new(self));
        }
        let new = fields(&shape);
        let budget = Arc::new(Budget::new(limit));
        let bytes = self.bytes();
        let common = budget
            .take(bytes)
            .and_then(|()| Common::new(shape, self.tables.groups.clone(), &budget));
        let Ok(common) = common else { return Err(Box::new(self)) };
        let shared = SharedTree {
            set: RootSet::new(bits, keys.payload, threads, &budget),
            levels: Levels::new(bits, &budget),
            common: Arc::new(common),
            budget,
            limit,
            keys,
        };
        Ok((shared, Numbered { tree: self, old, new, bytes }))
    }
}

impl SharedTree {
    /// What a thread has for itself.
    pub fn worker(&self) -> SharedWorker {
        SharedWorker::new(&self.common, &self.budget, self.limit)
    }

    /// Forgets all states, for keys of another kind; those of the system are packed as they were. False if keys do not fit.
    pub fn start_again(&mut self, keys: Keys) -> bool {
        let bits = self.common.bits() + keys.below;
        if !keys.fit(bits) {
            return false;
        }
        self.set = RootSet::new(bits, keys.payload, self.set.threads(), &self.budget);
        self.levels = Levels::new(bits, &self.budget);
        self.keys = keys;
        true
    }

    /// One thread works with each of them. When one is dropped, all others come to their end.
    pub fn sessions(&mut self, workers: Vec<SharedWorker>) -> Vec<SharedSession<'_>> {
        let SharedTree { set, levels, keys, .. } = self;
        let sessions = set.sessions();
        assert_eq!(sessions.len(), workers.len(), "one for each thread");
        let both = workers.into_iter().zip(sessions);
        both.map(|(worker, session)| SharedSession::new(worker, session, levels, *keys)).collect()
    }

    /// Gives bits to fields that are too small; false if there are not enough.
    pub fn make_bits(&mut self) -> Result<bool, Full> {
        let Some(bits) = self.common.make_bits() else { return Ok(false) };
        let bits = bits + self.keys.below;
        if !self.set.can_widen(bits) {
            return Ok(false);
        }
        self.set.widen(bits)?;
        self.levels.widen(bits);
        Ok(true)
    }

    /// What the set's keys are.
    pub fn keys(&self) -> Keys {
        self.keys
    }

    /// States that there are, of the system or of the product.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes bytes for what its users have beside this together, be there any left or not.
    pub fn overdraw(&self, bytes: usize) {
        self.budget.overdraw(bytes);
    }

    /// Bytes of all structures, with those that threads have told of.
    pub fn bytes(&self) -> usize {
        self.budget.taken()
    }
}

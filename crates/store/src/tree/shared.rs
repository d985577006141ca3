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
    bytes: usize,
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

    /// The same states without numbers, for so many threads, within so many bytes. The tree is given back if that cannot be
    /// done.
    pub fn shared(self, threads: usize, limit: usize) -> Result<(SharedTree, Numbered), Box<Tree>> {
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
        let bits = shape.bits();
        let new = fields(&shape);
        let budget = Arc::new(Budget::new(limit));
        let bytes = self.bytes();
        let common = budget
            .take(bytes)
            .and_then(|()| Common::new(shape, self.tables.groups.clone(), &budget));
        let Ok(common) = common else { return Err(Box::new(self)) };
        let shared = SharedTree {
            set: RootSet::new(bits, 0, threads, &budget),
            levels: Levels::new(bits, &budget),
            common: Arc::new(common),
            budget,
            limit,
        };
        Ok((shared, Numbered { tree: self, old, new, bytes }))
    }
}

impl SharedTree {
    /// What a thread has for itself.
    pub fn worker(&self) -> SharedWorker {
        SharedWorker::new(&self.common, &self.budget, self.limit)
    }

    /// One thread works with each of them. When one is dropped, all others come to their end.
    pub fn sessions(&mut self, workers: Vec<SharedWorker>) -> Vec<SharedSession<'_>> {
        let SharedTree { set, levels, .. } = self;
        let sessions = set.sessions();
        assert_eq!(sessions.len(), workers.len(), "one for each thread");
        let both = workers.into_iter().zip(sessions);
        both.map(|(worker, session)| SharedSession::new(worker, session, levels)).collect()
    }

    /// Gives bits to fields that are too small; false if there are not enough.
    pub fn make_bits(&mut self) -> Result<bool, Full> {
        let Some(bits) = self.common.make_bits() else { return Ok(false) };
        self.set.widen(bits)?;
        self.levels.widen(bits);
        Ok(true)
    }

    /// The numbers are not needed any more.
    pub fn forget(&self, numbered: Numbered) {
        self.budget.give_back(numbered.bytes);
    }

    /// States that there are.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of all structures, with those that threads have told of.
    pub fn bytes(&self) -> usize {
        self.budget.taken()
    }
}

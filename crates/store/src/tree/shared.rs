//! States without numbers: their roots, in a set that threads share, and the levels of a breadth-first search.
//!
//! A tree with numbers comes first ([`Tree::shared`]): it has found groups by then. Fields are closed up to the bits that the
//! values at hand need; the root is the key of the set. When a field gets too small, all threads stop, and it
//! is given one more bit on top of all others ([`SharedTree::make_bits`]): roots stay what they are. Where 64 bits are not
//! enough, pairs are made of groups, and all states are packed anew (`repack`). If somebody keeps roots, and so they must stay what they are, the search
//! must go on with numbers.

use super::Tree;
use super::common::Common;
use super::common::zeros;
use super::group::Group;
use super::plan::bits_for;
use super::repack::{Lens, Packing, targets};
use super::session::{SharedSession, SharedWorker};
use super::shape::ROOT;
use crate::lines::{Budget, Levels, RootSet};
use lariat_core::{Full, SystemStore};
use std::sync::Arc;

/// What threads share.
#[derive(Debug)]
pub struct SharedTree {
    pub(super) set: RootSet,
    /// Keys that were put aside.
    aside: Option<RootSet>,
    pub(super) levels: Levels,
    pub(super) common: Arc<Common>,
    pub(super) budget: Arc<Budget>,
    limit: usize,
    pub(super) keys: Keys,
    /// See [`Tuning`](super::Tuning).
    pub(super) most_bits: u32,
}

/// States that are looked at to choose pairs.
const SAMPLE: usize = 1 << 16;

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
    pub(super) fn fit(self, bits: u32) -> bool {
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

/// The states of a tree, to be entered into a shared one.
pub struct Numbered {
    tree: Tree,
    packing: Packing,
    values: Vec<u32>,
    /// What it has of the budget.
    pub(super) bytes: usize,
}

impl Numbered {
    /// The root of a state in the shared tree.
    pub(super) fn root(&mut self, id: usize) -> u64 {
        let Numbered { tree, packing, values, .. } = self;
        packing.root(tree.values(id), values)
    }

    pub(super) fn len(&self) -> usize {
        self.tree.len()
    }
}

impl Tree {
    /// Whether states without numbers would have groups only, no pairs of them, as workers need that share nothing.
    pub fn is_flat(&self) -> bool {
        self.tables.shape.is_flat()
    }

    /// Room for a product with states that are packed as those of this tree, which is forgotten. None if that cannot be done.
    pub fn shared_product(self, keys: Keys, threads: usize, limit: usize) -> Option<SharedTree> {
        let (shared, numbered) = self.shared(keys, threads, limit)?;
        shared.budget.give_back(numbered.bytes);
        Some(shared)
    }

    /// The same states without numbers, for so many threads, within so many bytes. None if that cannot be done.
    pub fn shared(
        mut self,
        keys: Keys,
        threads: usize,
        limit: usize,
    ) -> Option<(SharedTree, Numbered)> {
        let may_plan = self.tables.tuning.first_plan != usize::MAX;
        if self.len() >= self.tables.next_plan || !self.is_flat() && may_plan {
            self.reconsider_shape();
        }
        let budget = Arc::new(Budget::new(limit));
        let bytes = self.bytes();
        budget.take(bytes).ok()?;
        let packing = self.packing(keys, &budget).ok()?;
        let common = Common::new(&packing, self.tables.groups.clone(), &budget).ok()?;
        let bits = packing.shape.bits() + keys.below;
        if !keys.fit(bits) {
            return None;
        }
        let shared = SharedTree {
            set: RootSet::with_room(self.len(), bits, keys.payload, threads, &budget),
            aside: None,
            levels: Levels::new(bits, threads, &budget),
            common: Arc::new(common),
            budget,
            limit,
            keys,
            most_bits: self.tables.tuning.most_bits,
        };
        Some((shared, Numbered { tree: self, packing, values: Vec::new(), bytes }))
    }

    /// The values of the groups of a state.
    fn values(&mut self, id: usize) -> impl Iterator<Item = u32> + '_ {
        let Tree { tables, worker } = self;
        let values = worker.take_apart(tables, tables.roots.get(id as u64));
        values[..tables.shape.groups()].iter().copied()
    }

    /// How its states are packed without numbers: by groups, and by pairs of them if their bits are too many.
    fn packing(&mut self, keys: Keys, budget: &Arc<Budget>) -> Result<Packing, Full> {
        let most = self.tables.tuning.most_bits.saturating_sub(keys.below);
        let lens: Lens =
            self.tables.groups.iter().map(|group| group.as_ref().map(Group::len)).collect();
        let shape = self.tables.shape.clone().flattened();
        let step = (self.len() / SAMPLE).max(1);
        let mut rows = Vec::new();
        for id in (0..self.len()).step_by(step) {
            rows.extend(self.values(id));
        }
        let mut zeros = zeros(&self.tables.groups, &shape);
        let mut values = Vec::new();
        for aim in targets(most) {
            let of_sample = (&lens, (&rows[..], self.len()), &mut zeros);
            let mut packing = Packing::new(&shape, Vec::new(), of_sample, aim, budget)?;
            if !packing.shape.is_flat() {
                for id in 0..self.len() {
                    packing.number(self.values(id), &mut values)?;
                }
            }
            let bits = packing.close(&lens);
            if bits <= most || packing.is_one() && bits + keys.below <= ROOT {
                return Ok(packing);
            }
        }
        Err(Full)
    }
}

impl SharedTree {
    /// What a thread has for itself.
    pub fn worker(&self) -> SharedWorker {
        SharedWorker::new(&self.common, &self.budget, self.limit)
    }

    /// Forgets all states, for keys of another kind. False if keys do not fit.
    pub fn start_again(&mut self, keys: Keys) -> bool {
        self.aside = None;
        self.start_with(keys)
    }

    /// Puts all keys aside, to go on with a set for others that differ in their payload only. Keys stay what they are from now on. False if they do not fit.
    pub fn put_aside(&mut self, payload: u32) -> bool {
        let empty = RootSet::new(self.set.bits(), 0, self.set.threads(), &self.budget);
        self.aside = Some(std::mem::replace(&mut self.set, empty));
        self.start_beside(payload)
    }

    /// Forgets all states but those that were put aside, to begin again with another payload. False if keys do not fit.
    pub fn start_beside(&mut self, payload: u32) -> bool {
        self.start_with(Keys { payload, ..self.keys })
    }

    fn start_with(&mut self, keys: Keys) -> bool {
        let bits = self.common.bits() + keys.below;
        if !keys.fit(bits) {
            return false;
        }
        self.set = RootSet::new(bits, keys.payload, self.set.threads(), &self.budget);
        self.levels = Levels::new(bits, self.set.threads(), &self.budget);
        self.keys = keys;
        true
    }

    /// One thread works with each of them. When one is dropped, all others come to their end.
    pub fn sessions(&mut self, workers: Vec<SharedWorker>) -> Vec<SharedSession<'_>> {
        let SharedTree { set, aside, levels, keys, .. } = self;
        let (sessions, aside) = (set.sessions(), aside.as_ref());
        assert_eq!(sessions.len(), workers.len(), "one for each thread");
        let both = workers.into_iter().zip(sessions);
        let session =
            |(worker, session)| SharedSession::new(worker, (session, aside), levels, *keys);
        both.map(session).collect()
    }

    /// Gives bits to fields that are too small; false if there are not enough. If there are keys that must stay what they are, they do. Else all
    /// states may be packed anew, and groups are cut.
    pub fn make_bits(&mut self, keeps_keys: bool) -> Result<bool, Full> {
        let keeps_keys = keeps_keys || self.aside.is_some();
        if !keeps_keys {
            self.common.split(self.most_bits < ROOT)?;
        }
        let most = if keeps_keys { ROOT } else { self.most_bits };
        let bits = self.common.make_bits(most.saturating_sub(self.keys.below));
        let bits = bits.map(|bits| bits + self.keys.below).filter(|&bits| self.set.can_widen(bits));
        match bits {
            Some(bits) => {
                self.set.widen(bits)?;
                self.levels.widen(bits);
            }
            None if keeps_keys => return Ok(false),
            None => return self.repack(),
        }
        Ok(true)
    }

    /// Whether states are packed by groups, without pairs.
    pub fn is_flat(&self) -> bool {
        self.common.is_flat()
    }

    /// What the set's keys are.
    pub fn keys(&self) -> Keys {
        self.keys
    }

    /// States that there are, of the system or of the product, without those that were put aside.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// States that were put aside.
    pub fn len_aside(&self) -> usize {
        self.aside.as_ref().map_or(0, RootSet::len)
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

    /// Bytes that are left.
    pub fn left(&self) -> usize {
        self.budget.left()
    }
}

//! What a thread does with a tree whose states have no numbers. A state's id is its root.

use super::common::Common;
use super::shared::{Keys, Numbered};
use super::tables::Tables;
use super::worker::{Found, Trouble, Worker};
use crate::lines::{Budget, Hand, Levels, Met, RootSet, Session, Stop};
use lariat_core::{Batch, Fields, Full, SystemId, SystemStore, Word, makes_mistake};
use std::ops::Range;
use std::sync::Arc;

/// States that are entered at once.
const TOGETHER: usize = 256;

/// What a thread has for itself, and keeps while nobody works.
#[derive(Debug)]
pub struct SharedWorker {
    pub(super) tables: Tables,
    worker: Worker,
    common: Arc<Common>,
    budget: Arc<Budget>,
    limit: usize,
    /// The news that it has heard.
    news: u64,
    /// What it has of the budget: its own bytes, and those of its user beside them.
    paid: usize,
}

/// Why a thread cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A field is too small: see [`SharedTree::make_bits`](super::SharedTree::make_bits).
    Bits,
    /// Another thread has ended.
    Others,
}

/// A thread at work.
#[derive(Debug)]
pub struct SharedSession<'a> {
    pub(super) own: SharedWorker,
    set: Session<'a>,
    aside: Option<&'a RootSet>,
    hand: Hand<'a>,
    levels: &'a Levels,
    keys: Keys,
    pub(super) ending: Option<Ending>,
}

impl SharedWorker {
    pub(super) fn new(common: &Arc<Common>, budget: &Arc<Budget>, limit: usize) -> Self {
        let tables = common.tables();
        let worker = Worker::new(&tables);
        let (common, budget) = (common.clone(), budget.clone());
        let mut own = SharedWorker { tables, worker, common, budget, limit, news: 0, paid: 0 };
        // The first row is compared with that of zeros, as in every tree.
        own.worker.set_loaded(&mut own.tables).expect("every group has the value of zeros");
        own
    }

    fn bytes(&self) -> usize {
        self.tables.bytes() + self.worker.bytes()
    }

    /// Hears of what others have added.
    #[inline(always)]
    fn catch_up(&mut self) {
        if self.news != self.common.news() {
            // There is no limit to a copy.
            self.news = self.common.tell(&mut self.tables).expect("a copy is not full");
        }
    }

    /// Has the budget bear what this and its user take.
    fn pay(&mut self, beside: usize) {
        let bytes = self.bytes().saturating_add(beside);
        let is_paid = match bytes.checked_sub(self.paid) {
            Some(more) => self.budget.take(more).is_ok(),
            None => {
                self.budget.give_back(self.paid - bytes);
                true
            }
        };
        if is_paid {
            self.paid = bytes;
        }
    }
}

impl Drop for SharedWorker {
    fn drop(&mut self) {
        self.budget.give_back(self.paid);
    }
}

impl<'a> SharedSession<'a> {
    pub(super) fn new(
        mut own: SharedWorker,
        (set, aside): (Session<'a>, Option<&'a RootSet>),
        levels: &'a Levels,
        keys: Keys,
    ) -> Self {
        let before = (own.tables.repacked, own.tables.shape.parts());
        own.catch_up();
        if (own.tables.repacked, own.tables.shape.parts()) != before {
            own.worker = Worker::new(&own.tables);
            own.worker.set_loaded(&mut own.tables).expect("the row of zeros was packed first");
        }
        SharedSession { own, set, aside, hand: levels.hand(), levels, keys, ending: None }
    }

    /// Ends it; all others come to their end, too.
    pub fn end(self) -> SharedWorker {
        self.own
    }

    /// Why it cannot go on, if it is full for another reason than that there is no memory.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// States of the level at hand, so many at most; none if nothing is left of it but what others work on.
    #[inline]
    pub fn take(&mut self, most: usize, out: &mut Vec<SystemId>) -> usize {
        self.hand.take(most, out)
    }

    /// Gives states back that were taken and not expanded. If there is no room for that, nobody can go on.
    pub fn put_back(&mut self, ids: &[SystemId]) -> Result<(), Full> {
        let put_back = self.hand.put_back(ids);
        self.ending = self.ending.filter(|_| put_back.is_ok());
        put_back
    }

    /// Hands in what was written and what is left to be read.
    pub fn hand_in(&mut self) {
        self.hand.hand_in();
    }

    /// The states that wait for the next level, or those that are left of the level at hand. All was handed in.
    pub fn for_each_waiting(&self, is_next: bool, each: impl FnMut(SystemId)) {
        self.levels.for_each(is_next, each);
    }

    /// To be called when there is nothing to do. When nobody has, the next level begins, and `last` is told how many states it
    /// has, by one thread while the others wait. False if there may be something to do meanwhile.
    pub fn next_level(&mut self, last: impl FnOnce(usize)) -> Result<bool, Full> {
        self.hand.flush();
        let (levels, set) = (self.levels, self.set.set());
        let advance = || {
            let states = levels.advance();
            set.note_level(states);
            last(states);
        };
        let met = self.set.meet(advance).map_err(|stop| self.full(stop))?;
        Ok(met == Met::Done)
    }

    /// Waits until all others do the same.
    pub fn wait(&mut self) -> Result<(), Full> {
        while self.set.meet(|| ()).map_err(|stop| self.full(stop))? == Met::Grown {}
        Ok(())
    }

    /// Enters all states of a tree with numbers, of which the first so many are expanded and those up to `level_end` are of the
    /// level at hand. Those in `again` are expanded once more. `payload` is asked for what is known of each.
    pub fn enter(
        &mut self,
        mut numbered: Numbered,
        (expanded, level_end): (usize, usize),
        again: &[SystemId],
        payload: impl Fn(usize) -> u64,
    ) -> Result<(), Full> {
        let entered = self.enter_all(&mut numbered, (expanded, level_end), payload);
        let again: Vec<u64> = again.iter().map(|&id| numbered.root(id as usize)).collect();
        self.own.budget.give_back(numbered.bytes);
        entered?;
        self.hand.put_back(&again)
    }

    fn enter_all(
        &mut self,
        numbered: &mut Numbered,
        (expanded, level_end): (usize, usize),
        payload: impl Fn(usize) -> u64,
    ) -> Result<(), Full> {
        let mut roots = Vec::with_capacity(TOGETHER);
        for ids in parts(0..expanded)
            .chain(parts(expanded..level_end))
            .chain(parts(level_end..numbered.len()))
        {
            roots.clear();
            roots.extend(ids.clone().map(|id| numbered.root(id)));
            let first = ids.start;
            let known = |at, before: Option<u64>| {
                debug_assert_eq!(before, None, "each state is there once");
                payload(first + at)
            };
            self.set.update(&roots, known, |_, _| ()).map_err(|stop| self.full(stop))?;
            if ids.start >= level_end {
                // Of the next level.
                self.hand.make_room(roots.len())?;
                roots.iter().for_each(|&root| self.hand.push(root));
            } else if ids.start >= expanded {
                self.hand.put_back(&roots)?;
            }
        }
        Ok(())
    }

    /// The set of all keys.
    pub fn set(&self) -> &'a RootSet {
        self.set.set()
    }

    /// What keys are.
    pub fn keys(&self) -> Keys {
        self.keys
    }

    /// Adds keys to the set, and those that are new to the next level; how many these are. All, or none if there is an error.
    #[inline]
    pub fn note(&mut self, keys: &[u64]) -> Result<usize, Full> {
        let (hand, mut new) = (&mut self.hand, 0);
        hand.make_room(keys.len())?;
        let inserted = self.set.insert(keys, |at| {
            new += 1;
            if !(makes_mistake("shared-lost-state") && keys[at] % 8 == 5) {
                hand.push(keys[at]);
            }
        });
        inserted.map_err(|stop| self.full(stop))?;
        Ok(new)
    }

    /// Adds keys with a payload for those that are new ([`Session::add`]); nobody changes payloads meanwhile. Those that `wants` asks for go to the next level.
    #[inline]
    pub fn add(
        &mut self,
        keys: &[u64],
        new: impl Fn(usize) -> u64,
        mut wants: impl FnMut(usize, Option<u64>) -> bool,
    ) -> Result<(), Full> {
        let hand = &mut self.hand;
        hand.make_room(keys.len())?;
        let added = self.set.add(keys, new, |at, before| {
            if wants(at, before) {
                hand.push(keys[at]);
            }
        });
        added.map_err(|stop| self.full(stop))
    }

    /// Adds keys and changes payloads ([`Session::update`]). Those that `wants` asks for go to the next level.
    #[inline]
    pub fn update(
        &mut self,
        keys: &[u64],
        change: impl Fn(usize, Option<u64>) -> u64,
        mut wants: impl FnMut(usize, Option<u64>) -> bool,
    ) -> Result<(), Full> {
        let hand = &mut self.hand;
        hand.make_room(keys.len())?;
        let updated = self.set.update(keys, change, |at, before| {
            if wants(at, before) {
                hand.push(keys[at]);
            }
        });
        updated.map_err(|stop| self.full(stop))
    }

    /// The same for keys that are there.
    #[inline]
    pub fn change(
        &mut self,
        keys: &[u64],
        change: impl Fn(usize, u64) -> u64,
        mut wants: impl FnMut(usize, u64) -> bool,
    ) -> Result<(), Full> {
        let hand = &mut self.hand;
        hand.make_room(keys.len())?;
        let changed = self.set.change(keys, change, |at, before| {
            if wants(at, before) {
                hand.push(keys[at]);
            }
        });
        changed.map_err(|stop| self.full(stop))
    }

    /// Takes bytes for what its user has beside this, be there any left or not: no set grows then.
    pub fn overdraw(&self, bytes: usize) {
        self.own.budget.overdraw(bytes);
    }

    /// Takes bytes for what all users have beside this together.
    pub fn take_bytes(&self, bytes: usize) -> Result<(), Full> {
        self.own.budget.take(bytes)
    }

    /// Payloads of keys, of those that are there.
    pub fn payloads(&mut self, keys: &[u64], each: impl FnMut(usize, Option<u64>)) {
        self.set.payloads(keys, each);
    }

    /// The keys that were put aside ([`SharedTree::put_aside`](super::SharedTree::put_aside)).
    pub fn aside(&self) -> Option<&'a RootSet> {
        self.aside
    }

    /// Which of these keys were put aside, with which payloads.
    pub fn were_put_aside(&self, keys: &[u64], each: impl FnMut(usize, u64)) {
        if let Some(aside) = self.aside {
            aside.which_are_there(keys, each);
        }
    }

    /// The keys of one of so many parts of the set, with their payloads. Nobody may add any meanwhile.
    pub fn for_each_in(&self, part: usize, parts: usize, each: impl FnMut(u64, u64)) {
        self.set.for_each_in(part, parts, each);
    }

    fn full(&mut self, stop: Stop) -> Full {
        self.ending = (stop == Stop::Ended).then_some(Ending::Others);
        Full
    }
}

fn parts(ids: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = ids.end;
    ids.step_by(TOGETHER).map(move |first| first..end.min(first + TOGETHER))
}

impl SystemStore for SharedSession<'_> {
    type Row = [Word];

    fn len(&self) -> usize {
        self.set.set().len()
    }

    fn has_numbers(&self) -> bool {
        false
    }

    #[inline]
    fn load(&mut self, id: SystemId) -> &[Word] {
        self.own.catch_up();
        self.own.worker.load(&self.own.tables, id)
    }

    fn intern(&mut self, row: &[Word]) -> Result<SystemId, Full> {
        let mut ids = Vec::new();
        self.take_in_row(row)?;
        self.finish(&mut ids)?;
        Ok(ids[0])
    }

    fn take_in_rows<B: Batch<Row = [Word]>>(
        &mut self,
        batch: &B,
        rows: Range<usize>,
        _out: &mut Vec<SystemId>,
    ) -> Result<(), Full> {
        for number in rows {
            self.take_in_row(batch.row(number))?;
        }
        Ok(())
    }

    /// Adds the states to the set, and those that are new to the next level.
    #[inline]
    fn finish(&mut self, out: &mut Vec<SystemId>) -> Result<(), Full> {
        let first = out.len();
        out.extend(self.own.worker.found.drain(..).map(|found| found.root));
        match self.keys.is_root {
            true => self.note(&out[first..]).map(drop),
            // The product's states are noted.
            false => Ok(()),
        }
    }

    #[inline]
    fn shape(&self) -> Option<u64> {
        Some(self.own.tables.shapes)
    }

    fn fields(&self, bytes: &[u64]) -> Option<Fields> {
        let tables = &self.own.tables;
        Some(Fields { mask: tables.mask_of(bytes), version: tables.shapes })
    }

    /// Shapes differ by bits that fields were given on top, if states were not packed anew.
    fn widened(&self, mask: u64, shape: u64) -> Option<u64> {
        if shape < self.own.tables.repacked && !makes_mistake("steps-repacked") {
            return None;
        }
        match makes_mistake("steps-widened") {
            true => Some(mask),
            false => Some(self.own.tables.whole_fields(mask)),
        }
    }

    #[inline(always)]
    fn packed(&self, id: SystemId) -> u64 {
        id
    }

    #[inline(always)]
    fn take_in_packed(&mut self, packed: u64) {
        self.own.worker.found.push(Found { root: packed, hash: 0 });
    }

    #[inline(always)]
    fn take_in_changes(&mut self, packed: u64, changes: &[u64]) {
        let found = |change| Found { root: packed ^ change, hash: 0 };
        self.own.worker.found.extend(changes.iter().map(found));
    }

    #[inline]
    fn pending(&self) -> usize {
        self.own.worker.found.len()
    }

    #[inline]
    fn pending_packed(&self, at: usize) -> Option<u64> {
        Some(self.own.worker.found[at].root)
    }

    fn take_back(&mut self, pending: usize) {
        self.own.worker.found.truncate(pending);
    }

    fn forget_states(&mut self) {
        unreachable!("others work with them");
    }

    fn bytes(&self) -> usize {
        self.own.budget.taken() - self.own.paid + self.own.bytes()
    }

    fn limit_bytes(&mut self, limit: usize) {
        let beside = self.own.limit - limit;
        self.own.pay(beside);
    }
}

impl SharedSession<'_> {
    #[inline(always)]
    fn take_in_row(&mut self, row: &[Word]) -> Result<(), Full> {
        let SharedWorker { worker, tables, .. } = &mut self.own;
        worker.find_root(tables, row).map_err(|trouble| {
            worker.forget_row();
            worker.forget_all();
            self.ending = matches!(trouble, Trouble::TooMany).then_some(Ending::Bits);
            Full
        })
    }
}

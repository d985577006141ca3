//! The values of groups, where threads share a tree.
//!
//! There are few and they grow seldom, so each thread has a copy of its own that it reads without asking anybody
//! ([`Tables`]). A value that a copy lacks is looked for here, or added, under a mutex; with it come all that
//! others have added. So a value has one number in all copies.
//!
//! A thread may be given a root with a value that it has not heard of. Who adds a value counts it as news before the
//! root with it is handed on. Threads hand roots on under a mutex (`lines::Levels`), so whoever has the
//! root sees the news, and catches up before it loads the root.
//!
//! The shape changes only while no thread works ([`Common::make_bits`]).

use super::group::Group;
use super::shape::Shape;
use super::tables::Tables;
use crate::lines::Budget;
use lariat_core::{Full, Word};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub(super) struct Common {
    parts: Mutex<CommonParts>,
    /// Counts what was added.
    news: AtomicU64,
    budget: Arc<Budget>,
}

#[derive(Debug)]
struct CommonParts {
    shape: Shape,
    shapes: u64,
    groups: Vec<Option<Group>>,
    /// How many values each had when fields were given bits last.
    before: Vec<usize>,
    /// What they have of the budget.
    bytes: usize,
}

/// No bits are given before they are needed if a root has so many.
const MOST_FORESEEN: u32 = 54;

/// How many values each group has.
fn lens(groups: &[Option<Group>]) -> Vec<usize> {
    groups.iter().map(|group| group.as_ref().map_or(0, Group::len)).collect()
}

impl Common {
    pub(super) fn new(
        shape: Shape,
        groups: Vec<Option<Group>>,
        budget: &Arc<Budget>,
    ) -> Result<Self, Full> {
        let before = lens(&groups);
        let mut parts = CommonParts { shape, shapes: 0, groups, before, bytes: 0 };
        parts.pay(budget)?;
        Ok(Common { parts: Mutex::new(parts), news: AtomicU64::new(1), budget: budget.clone() })
    }

    /// A value is added whole or not at all, so what a thread leaves behind that panics is sound.
    fn lock(&self) -> MutexGuard<'_, CommonParts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline(always)]
    pub(super) fn news(&self) -> u64 {
        self.news.load(Relaxed)
    }

    /// The bits of a root.
    pub(super) fn bits(&self) -> u32 {
        self.lock().shape.bits()
    }

    /// A copy.
    pub(super) fn tables(self: &Arc<Self>) -> Tables {
        let parts = self.lock();
        let mut tables = Tables::new(parts.shape.clone());
        tables.groups = parts.groups.clone();
        tables.shapes = parts.shapes;
        tables.common = Some(self.clone());
        tables
    }

    /// The number of a value that a copy lacks.
    pub(super) fn value(
        &self,
        copy: &mut Tables,
        group: usize,
        words: &[Word],
        hash: u64,
    ) -> Result<u32, Full> {
        let mut parts = self.lock();
        let values = parts.groups[group].as_mut().expect("a group with a table");
        let id = match values.find(words) {
            Ok(id) => id,
            Err(_) => {
                let id = values.add(words, hash, self.budget.left())?;
                parts.pay(&self.budget)?;
                self.news.fetch_add(1, Relaxed);
                id
            }
        };
        let values = parts.groups[group].as_ref().expect("a group with a table");
        copy.groups[group].as_mut().expect("as here").catch_up(values)?;
        Ok(id)
    }

    /// Brings a copy up to date; how many news it knows.
    #[cold]
    pub(super) fn tell(&self, copy: &mut Tables) -> Result<u64, Full> {
        let parts = self.lock();
        let news = self.news();
        for (mine, all) in copy.groups.iter_mut().flatten().zip(parts.groups.iter().flatten()) {
            mine.catch_up(all)?;
        }
        if copy.shapes != parts.shapes {
            copy.shape = parts.shape.clone();
            copy.shapes = parts.shapes;
        }
        Ok(news)
    }

    /// Gives bits to groups that have more values than their fields can tell apart, and to those that will have if they grow
    /// by half as much as since the last time: each time costs a pass through the set. The bits of a root then; none if there
    /// are not enough.
    pub(super) fn make_bits(&self) -> Option<u32> {
        let CommonParts { shape, shapes, groups, before, .. } = &mut *self.lock();
        let lens = lens(groups);
        let is_too_small = |shape: &Shape, group: usize, len: usize| {
            len > 0 && !shape.place(group).field.holds((len - 1) as u32)
        };
        for (group, &len) in lens.iter().enumerate() {
            while is_too_small(shape, group, len) {
                if !shape.add_bit(group) {
                    return None;
                }
            }
        }
        for (group, (len, before)) in lens.iter().zip(&*before).enumerate() {
            let foreseen = len + (len - before) / 2;
            // The last bits are for those that need them.
            if shape.bits() < MOST_FORESEEN && is_too_small(shape, group, foreseen) {
                shape.add_bit(group);
            }
        }
        *before = lens;
        *shapes += 1;
        self.news.fetch_add(1, Relaxed);
        Some(shape.bits())
    }
}

impl CommonParts {
    /// Takes from the budget what the groups have more than before.
    fn pay(&mut self, budget: &Budget) -> Result<(), Full> {
        let bytes: usize = self.groups.iter().flatten().map(Group::bytes).sum();
        budget.take(bytes - self.bytes)?;
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Common {
    fn drop(&mut self) {
        let parts = self.parts.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.budget.give_back(parts.bytes);
    }
}

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
//! Pairs above groups are in tables that all threads read without a lock (`nodes`).
//!
//! The shape changes only while no thread works ([`Common::make_bits`], [`Common::repack`]).

use super::group::Group;
use super::nodes::Known;
use super::repack::{Lens, Packing};
use super::shape::{ROOT, Shape};
use super::split::{self, Cut};
use super::tables::Tables;
use crate::lines::Budget;
use crate::pairs::pair;
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
    /// The first of these in which states are packed as they are now.
    repacked: u64,
    groups: Vec<Option<Group>>,
    nodes: Vec<Known>,
    /// How many values each part of the root had when fields were given bits last.
    before: Lens,
    /// What they have of the budget.
    bytes: usize,
}

/// No bits are given before they are needed if there are so few left.
const NOT_FORESEEN: u32 = 10;
/// Fields that lack less than this part of their values are given a bit as well: where several parts grow alike, they are full one soon after the other.
const NEARLY_FULL: usize = 8;

impl Common {
    pub(super) fn new(
        Packing { shape, nodes, .. }: &Packing,
        groups: Vec<Option<Group>>,
        budget: &Arc<Budget>,
    ) -> Result<Self, Full> {
        let (shape, nodes) = (shape.clone(), nodes.clone());
        let (shapes, repacked, before, bytes) = (0, 0, Vec::new(), 0);
        let mut parts = CommonParts { shape, shapes, repacked, groups, nodes, before, bytes };
        parts.before = parts.lens();
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

    pub(super) fn is_flat(&self) -> bool {
        self.lock().shape.is_flat()
    }

    /// A copy.
    pub(super) fn tables(self: &Arc<Self>) -> Tables {
        let parts = self.lock();
        let mut tables = Tables::new(parts.shape.clone());
        tables.groups = parts.groups.clone();
        tables.nodes = parts.nodes.clone();
        (tables.shapes, tables.repacked) = (parts.shapes, parts.repacked);
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
        if copy.groups.len() != parts.groups.len() {
            copy.groups = parts.groups.clone();
        }
        for (mine, all) in copy.groups.iter_mut().flatten().zip(parts.groups.iter().flatten()) {
            mine.catch_up(all)?;
        }
        if copy.shapes != parts.shapes {
            copy.shape = parts.shape.clone();
            copy.nodes = parts.nodes.clone();
            (copy.shapes, copy.repacked) = (parts.shapes, parts.repacked);
        }
        Ok(news)
    }

    /// Gives bits to parts of the root that have more values than their fields can tell apart, and to those that will have if they grow
    /// by half as much as since the last time, or a little: each time costs a pass through the set. The bits of a root then; none if these would be
    /// more than so many.
    pub(super) fn make_bits(&self, most: u32) -> Option<u32> {
        let parts = &mut *self.lock();
        let lens = parts.lens();
        let CommonParts { shape, shapes, before, .. } = parts;
        let most = if shape.tops().len() == 1 { ROOT } else { most };
        let is_too_small = |shape: &Shape, top: u32, len: usize| {
            len > 0 && !shape.place(top as usize).field.holds((len - 1) as u32)
        };
        let of_tops: Vec<(u32, (usize, usize))> = (shape.tops().iter().zip(&lens).zip(&*before))
            .map(|((&top, len), before)| (top, (len.unwrap_or(0), before.unwrap_or(0))))
            .collect();
        for &(top, (len, _)) in &of_tops {
            while is_too_small(shape, top, len) {
                if shape.bits() >= most || !shape.add_bit(top as usize) {
                    return None;
                }
            }
        }
        for (top, (len, before)) in of_tops {
            let foreseen = (len + (len - before) / 2).max(len + len / NEARLY_FULL);
            // The last bits are for those that need them.
            if shape.bits() + NOT_FORESEEN < most && is_too_small(shape, top, foreseen) {
                shape.add_bit(top as usize);
            }
        }
        *before = lens;
        *shapes += 1;
        self.news.fetch_add(1, Relaxed);
        Some(shape.bits())
    }

    /// Cuts groups that have many values; roots stay what they are.
    pub(super) fn split(&self, is_early: bool) -> Result<(), Full> {
        let parts = &mut *self.lock();
        let mut group = 0;
        while group < parts.groups.len() {
            let CommonParts { shape, groups, nodes, .. } = parts;
            let words = shape.words(group);
            let cut = match &groups[group] {
                Some(values) => split::cut(values, words.len(), is_early, &self.budget)?,
                None => None,
            };
            let Some(Cut { word, halves, whole }) = cut else {
                group += 1;
                continue;
            };
            *shape = shape.split(group, words.start + word);
            groups.splice(group..=group, halves.map(Some));
            nodes.insert(0, whole);
            parts.shapes += 1;
            self.news.fetch_add(1, Relaxed);
            parts.pay(&self.budget)?;
        }
        Ok(())
    }

    /// How states are packed, how many values each part of the root has, and the values of all parts of a row of zeros.
    pub(super) fn packing(&self) -> (Shape, Vec<Known>, Lens, Vec<u32>) {
        let mut parts = self.lock();
        parts.nodes.iter_mut().for_each(Known::refresh);
        let CommonParts { shape, nodes, .. } = &*parts;
        let mut zeros = zeros(&parts.groups, shape);
        for part in shape.groups()..shape.parts() {
            let (left, right) = shape.halves(part);
            let number = nodes[part - shape.groups()].find(pair(zeros[left], zeros[right]));
            zeros.push(number.expect("every thread begins with it"));
        }
        (shape.clone(), nodes.clone(), parts.lens(), zeros)
    }

    /// All states are packed like this from now on.
    pub(super) fn repack(&self, shape: Shape, nodes: Vec<Known>) {
        let parts = &mut *self.lock();
        (parts.shape, parts.nodes) = (shape, nodes);
        parts.before = parts.lens();
        parts.shapes += 1;
        parts.repacked = parts.shapes;
        self.news.fetch_add(1, Relaxed);
    }
}

/// The values of groups of a row of zeros.
pub(super) fn zeros(groups: &[Option<Group>], shape: &Shape) -> Vec<u32> {
    let of_group = |(group, values): (usize, &Option<Group>)| match values {
        Some(values) => {
            let zeros = vec![0; shape.words(group).len()];
            values.find(&zeros).expect("every group has the value of zeros")
        }
        None => 0,
    };
    groups.iter().enumerate().map(of_group).collect()
}

impl CommonParts {
    /// How many values each part of the root has.
    fn lens(&self) -> Lens {
        let groups = self.shape.groups();
        let of_top = |&top: &u32| match self.groups.get(top as usize) {
            Some(group) => group.as_ref().map(Group::len),
            None => Some(self.nodes[top as usize - groups].len()),
        };
        self.shape.tops().iter().map(of_top).collect()
    }

    /// Takes from the budget what the groups have more than before.
    fn pay(&mut self, budget: &Budget) -> Result<(), Full> {
        let bytes: usize = self.groups.iter().flatten().map(Group::bytes).sum();
        match bytes.checked_sub(self.bytes) {
            Some(more) => budget.take(more)?,
            None => budget.give_back(self.bytes - bytes),
        }
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

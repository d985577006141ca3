//! What all who work on a tree share: its shape, the states, and the parts that they share.

use super::cells::has_byte_of;
use super::common::Common;
use super::group::Group;
use super::nodes::Known;
use super::plan;
use super::shape::{NONE, Shape};
use super::tuning::Tuning;
use crate::pairs::{Pairs, hash};
use lariat_core::{Full, Word};
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Tables {
    pub(super) shape: Shape,
    /// Counts the shapes.
    pub(super) shapes: u64,
    pub(super) roots: Pairs,
    /// The nodes below the roots.
    pub(super) inner: Pairs,
    /// The values of the groups that have a table.
    pub(super) groups: Vec<Option<Group>>,
    /// By byte of a row: shapes keep bytes of different classes apart. Empty if nobody cares.
    pub(super) classes: Vec<u32>,
    pub(super) tuning: Tuning,
    /// The bytes of all tables.
    pub(super) limit: usize,
    /// The number of states at which the shape is looked at again, and how often it was.
    pub(super) next_plan: usize,
    pub(super) plans: usize,
    /// The number of states when the groups last had too many values.
    pub(super) last_overflow: usize,
    /// What this is a copy of, if states have no numbers. There are no roots then, and no inner nodes, but pairs by part, which all
    /// threads share; and the number of the first shape in which states are packed as they are now.
    pub(super) common: Option<Arc<Common>>,
    pub(super) nodes: Vec<Known>,
    pub(super) repacked: u64,
}

impl Tables {
    pub(super) fn new(shape: Shape) -> Self {
        let table =
            |group: usize| (!shape.is_word(group)).then(|| Group::new(shape.words(group).len()));
        let tuning = Tuning::default();
        Tables {
            groups: (0..shape.groups()).map(table).collect(),
            shape,
            shapes: 0,
            roots: Pairs::new(),
            inner: Pairs::new(),
            classes: Vec::new(),
            tuning,
            limit: usize::MAX,
            next_plan: tuning.first_plan,
            plans: 0,
            last_overflow: 0,
            common: None,
            nodes: Vec::new(),
            repacked: 0,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let groups: usize = self.groups.iter().flatten().map(Group::bytes).sum();
        self.roots.bytes() + self.inner.bytes() + groups
    }

    fn spare(&self) -> usize {
        self.limit.saturating_sub(self.bytes())
    }

    /// Nodes below the roots.
    pub(super) fn inner_len(&self) -> usize {
        self.inner.len() + self.groups.iter().flatten().map(Group::len).sum::<usize>()
    }

    /// The pair that is a value of a part.
    #[inline(always)]
    pub(super) fn node(&self, part: usize, value: u32) -> u64 {
        match self.nodes.get(part - self.shape.groups()) {
            Some(nodes) => nodes.get(value),
            None => self.inner.get(value.into()),
        }
    }

    /// Finds or makes a node below the roots.
    #[inline]
    pub(super) fn node_id(&mut self, part: usize, node: u64, hash: u64) -> Result<u32, Full> {
        if let Some(nodes) = self.nodes.get_mut(part - self.shape.groups()) {
            return nodes.number(node, hash);
        }
        if !self.inner.has_room(1) {
            let spare = self.spare();
            self.inner.make_room(1, spare)?;
        }
        Ok(self.inner.intern(node, hash) as u32)
    }

    /// The number of some words, or cells, that are a group.
    #[inline(always)]
    pub(super) fn value(&mut self, group: usize, words: &[Word]) -> Result<u32, Full> {
        match &self.groups[group] {
            None => Ok(words[0]),
            Some(values) => match values.find(words) {
                Ok(id) => Ok(id),
                Err(hash) => self.add_to_group(group, words, hash),
            },
        }
    }

    #[cold]
    fn add_to_group(&mut self, group: usize, words: &[Word], hash: u64) -> Result<u32, Full> {
        if let Some(common) = self.common.clone() {
            return common.value(self, group, words, hash);
        }
        let spare = self.spare();
        let group = self.groups[group].as_mut().expect("a group with a table");
        group.add(words, hash, spare)
    }

    /// The hash of a root whose bucket is asked for.
    #[inline(always)]
    pub(super) fn ask_for(&self, root: u64) -> u64 {
        if self.common.is_some() {
            return 0;
        }
        let hash = hash(root);
        self.roots.prefetch_bucket(hash);
        hash
    }

    /// Makes room for so many more states.
    #[inline(always)]
    pub(super) fn make_root_room(&mut self, more: usize) -> Result<(), Full> {
        if self.roots.has_room(more) {
            return Ok(());
        }
        let spare = self.spare();
        self.roots.make_room(more, spare)
    }

    /// The bits of a root that some bytes of a row, given as bits, are in.
    pub(super) fn mask_of(&self, bytes: &[u64]) -> u64 {
        let mut mask = 0;
        let is_in = |at: usize| match self.shape.cells() {
            None => has_byte_of(at, bytes),
            Some(cells) => cells.has_byte(at, bytes),
        };
        for group in 0..self.shape.groups() {
            if !self.shape.words(group).any(is_in) {
                continue;
            }
            let mut top = group;
            while self.shape.place(top).parent != NONE {
                top = self.shape.place(top).parent as usize;
            }
            mask |= self.shape.place(top).field.mask();
        }
        mask
    }

    /// The bits of the fields that some bits belong to.
    pub(super) fn whole_fields(&self, bits: u64) -> u64 {
        let fields =
            self.shape.tops().iter().map(|&top| self.shape.place(top as usize).field.mask());
        fields.filter(|mask| mask & bits != 0).fold(0, |all, mask| all | mask)
    }

    /// More is known of the words than when the shape was made.
    pub(super) fn plan_anew(&mut self) {
        self.plans = 0;
        self.next_plan = self.tuning.first_plan;
    }

    /// Whether another shape should be looked for now.
    pub(super) fn is_time_to_plan(&mut self) -> bool {
        let (len, is_first) = (self.roots.len(), self.plans == 0);
        while self.next_plan <= len {
            self.plans += 1;
            let times = plan::TIMES.get(self.plans).copied().unwrap_or(usize::MAX);
            self.next_plan = self.tuning.first_plan.saturating_mul(times);
        }
        self.shape.row_width() > 2 && (is_first || self.inner_len() > len / plan::STATES_PER_NODE)
    }
}

//! Tree compression: a row as a tree of shared parts, each different part kept once.
//!
//! After Laarman, van de Pol, Weber, "Parallel Recursive State Compression for Free" (SPIN
//! 2011), where two words of a row are a node, two nodes are a node, and so on up to the root.
//! States of a protocol are combinations of few parts, so there are far fewer nodes below than
//! roots, and a state costs little more than its root.
//!
//! Here, neighbouring words with few values together are a *group*, which is looked up as a
//! whole in a table of its own. A root is 64 bits, divided among the groups: in most models all
//! of them fit, and there is nothing between. Where they do not, pairs are made of some, as in
//! the paper, and take 32 bits of the root.
//!
//! - `shape`: which words and parts are a node, and where they are in the root
//! - `plan`: the shape that suits the states at hand; `reshape`: from one shape to another
//! - `group`: the values of neighbouring words
//! - `memo`: the pairs looked up last
//! - `steps`: the steps of a system's parts, as changes of roots
//! - `find`: from rows to roots and ids; `differ`: in which words rows differ
//!
//! Roots are numbered from 0: the number is the id of the state. A successor is compared with
//! the row that was loaded last, whose root is known, and only parts with words that differ are
//! looked up. What is likely not in the cache is asked for, for all rows that were taken in,
//! before any is waited for: the pairs right below the root, the roots.
//!
//! At first nothing is known of the states, and every word stands for itself. When there are
//! some thousands of states, a better shape is made from a sample of them, and the states are
//! stored again; later once more, if there are too many nodes still.

mod differ;
mod find;
mod group;
mod memo;
mod plan;
mod reshape;
mod shape;
mod steps;
mod tuning;

use crate::pairs::{Pairs, halves, hash, pair};
use crate::tags::Tags;
use find::{Found, Unknown};
use group::Group;
use lariat_core::{
    Batch, Fields, Full, Parts, StepsByParts, SystemId, SystemStore, Word, makes_mistake,
};
use memo::Memo;
use shape::{NONE, Shape};
use std::ops::Range;
use steps::Steps;

pub use tuning::Tuning;

/// An exact store of rows of one width.
#[derive(Debug)]
pub struct Tree {
    shape: Shape,
    roots: Pairs,
    /// The nodes below the roots.
    inner: Pairs,
    /// The values of the groups that have a table.
    groups: Vec<Option<Group>>,
    memo: Memo,
    tags: Tags,
    /// The row that was loaded last, its root, and the values of its parts.
    row: Vec<Word>,
    root: u64,
    values: Vec<u32>,
    /// Pairs with a half that differs in the row at hand, still to be looked at, as bits.
    waiting: Vec<u64>,
    /// What `values` of the loaded row are, where they were changed for the row at hand.
    changed: Vec<(u32, u32)>,
    /// Roots of the rows taken in, and what is unknown of them yet.
    found: Vec<Found>,
    unknown: Vec<Unknown>,
    steps: Steps,
    /// By word: shapes keep words of different classes apart. Empty if nobody cares.
    classes: Vec<u32>,
    tuning: Tuning,
    /// Counts the shapes.
    shapes: u64,
    limit: usize,
    /// The number of states at which the shape is looked at again, and how often it was.
    next_plan: usize,
    plans: usize,
    /// The number of states when the groups last had too many values.
    last_overflow: usize,
}

impl Tree {
    pub fn new(width: usize) -> Self {
        Tree::with_shape(Shape::even(width))
    }

    fn with_shape(shape: Shape) -> Self {
        let table =
            |group: usize| (!shape.is_word(group)).then(|| Group::new(shape.words(group).len()));
        let mut tree = Tree {
            roots: Pairs::new(),
            inner: Pairs::new(),
            groups: (0..shape.groups()).map(table).collect(),
            memo: Memo::new(),
            tags: Tags::default(),
            row: vec![0; shape.width()],
            root: 0,
            values: vec![0; shape.parts()],
            waiting: vec![0; shape.parts().div_ceil(64)],
            changed: Vec::new(),
            found: Vec::new(),
            unknown: Vec::new(),
            steps: Steps::default(),
            classes: Vec::new(),
            tuning: Tuning::default(),
            shapes: 0,
            limit: usize::MAX,
            next_plan: Tuning::default().first_plan,
            plans: 0,
            last_overflow: 0,
            shape,
        };
        // There must be a row to compare the first with: that of zeros.
        tree.set_loaded().expect("there is no limit yet");
        tree
    }

    pub fn with_tuning(mut self, tuning: Tuning) -> Self {
        self.tuning = tuning;
        self.next_plan = tuning.first_plan;
        self.steps = Steps::new(tuning);
        self
    }

    /// Pretends that 32-bit ids run out after so many states. That takes longer to wait for than
    /// a test has time.
    pub fn with_narrow_ids_up_to(mut self, states: usize) -> Self {
        self.roots.set_most_narrow(states);
        self
    }

    /// Finds or makes the values of `row`, and its root.
    fn set_loaded(&mut self) -> Result<(), Full> {
        for group in 0..self.shape.groups() {
            let words = self.shape.words(group);
            self.values[group] = match &self.groups[group] {
                None => self.row[words.start],
                Some(values) => match values.find(&self.row[words.clone()]) {
                    Ok(id) => id,
                    Err(hash) => {
                        let words = self.row[words].to_vec();
                        self.add_to_group(group, &words, hash)?
                    }
                },
            };
        }
        for part in self.shape.groups()..self.shape.parts() {
            let (left, right) = self.shape.halves(part);
            let node = pair(self.values[left], self.values[right]);
            self.values[part] = self.node_id(node, hash(node))?;
        }
        self.root = 0;
        for &top in self.shape.tops() {
            let value = u64::from(self.values[top as usize]);
            self.root |= value << self.shape.place(top as usize).field.shift;
        }
        Ok(())
    }

    /// Nodes below the roots.
    pub fn inner_len(&self) -> usize {
        self.inner.len() + self.groups.iter().flatten().map(Group::len).sum::<usize>()
    }

    /// Finds or makes a node below the roots that the memo does not know.
    fn node_id(&mut self, node: u64, hash: u64) -> Result<u32, Full> {
        if !self.inner.has_room(1) {
            let spare = self.limit.saturating_sub(self.bytes());
            self.inner.make_room(1, spare)?;
        }
        let id = self.inner.intern(node, hash) as u32;
        self.memo.put(node, hash, id);
        Ok(id)
    }

    #[cold]
    fn add_to_group(&mut self, group: usize, words: &[Word], hash: u64) -> Result<u32, Full> {
        let spare = self.limit.saturating_sub(self.bytes());
        let group = self.groups[group].as_mut().expect("a group with a table");
        group.add(words, hash, spare)
    }

    #[inline(always)]
    fn make_root_room(&mut self, more: usize) -> Result<(), Full> {
        if self.roots.len() >= self.next_plan && self.found.is_empty() {
            self.reconsider_shape();
        }
        let more = self.found.len() + more;
        if self.roots.has_room(more) {
            return Ok(());
        }
        // The tags of new states count as well.
        let spare = self.limit.saturating_sub(self.bytes() + self.tags.bytes() / 8);
        self.roots.make_room(more, spare)
    }
}

impl SystemStore for Tree {
    type Row = [Word];

    fn len(&self) -> usize {
        self.roots.len()
    }

    fn load(&mut self, id: SystemId) -> &[Word] {
        self.root = self.roots.get(id);
        for &top in self.shape.tops() {
            self.values[top as usize] = self.shape.place(top as usize).field.get(self.root);
        }
        for part in (self.shape.groups()..self.shape.parts()).rev() {
            let (left, right) = self.shape.halves(part);
            let values = halves(self.inner.get(self.values[part].into()));
            self.values[left] = values.0;
            self.values[right] = values.1;
        }
        for group in 0..self.shape.groups() {
            let (value, words) = (self.values[group], self.shape.words(group));
            match &self.groups[group] {
                None => self.row[words.start] = value,
                Some(values) => self.row[words].copy_from_slice(values.get(value)),
            }
        }
        &self.row
    }

    fn intern(&mut self, row: &[Word]) -> Result<SystemId, Full> {
        let mut id = 0;
        self.find_rows(std::iter::once(row), &mut |found| id = found)?;
        self.look_up(&mut |found| id = found)?;
        Ok(id)
    }

    fn take_in_rows<B: Batch<Row = [Word]>>(
        &mut self,
        batch: &B,
        rows: Range<usize>,
        out: &mut Vec<SystemId>,
    ) -> Result<(), Full> {
        let rows = rows.map(|number| batch.row(number));
        self.find_rows(rows, &mut |id| out.push(id))
    }

    fn finish(&mut self, out: &mut Vec<SystemId>) -> Result<(), Full> {
        out.reserve(self.found.len());
        // What was packed already has no room yet.
        if let Err(full) = self.make_root_room(0) {
            self.forget_all();
            return Err(full);
        }
        self.look_up(&mut |id| out.push(id))?;
        if self.roots.len() >= self.next_plan {
            self.reconsider_shape();
        }
        Ok(())
    }

    fn take_in_steps(
        &mut self,
        id: SystemId,
        parts: &mut dyn Parts,
        out: &mut Vec<SystemId>,
    ) -> Result<Option<StepsByParts>, Full> {
        self.take_in_parts(id, parts, out)
    }

    #[inline]
    fn prefetch_steps(&self, id: SystemId) {
        if (id as usize) < self.roots.len() {
            self.steps.prefetch(self.roots.get(id));
        }
    }

    #[inline]
    fn shape(&self) -> Option<u64> {
        Some(self.shapes)
    }

    #[inline]
    fn packed(&self, id: SystemId) -> u64 {
        self.roots.get(id)
    }

    #[inline(always)]
    fn take_in_packed(&mut self, packed: u64) {
        let hash = hash(packed);
        self.roots.prefetch_bucket(hash);
        self.found.push(Found { root: packed, hash });
    }

    #[inline]
    fn pending(&self) -> usize {
        self.found.len()
    }

    #[inline]
    fn pending_packed(&self, at: usize) -> Option<u64> {
        let is_known = !self.unknown.iter().any(|unknown| unknown.row as usize == at);
        is_known.then(|| self.found[at].root)
    }

    fn take_back(&mut self, pending: usize) {
        self.found.truncate(pending);
        self.unknown_before(pending);
    }

    fn suit(&mut self, classes: &[u32]) {
        if self.classes != classes {
            self.classes = classes.to_vec();
            self.plan_anew();
        }
    }

    fn fields(&self, words: &[u64]) -> Option<Fields> {
        Some(Fields { mask: self.mask_of(words), version: self.shapes })
    }

    #[inline]
    fn key(&self, id: SystemId, fields: Fields) -> Option<u64> {
        let is_of_shape = fields.version == self.shapes || makes_mistake("memo-shape");
        is_of_shape.then(|| self.roots.get(id) & fields.mask)
    }

    #[inline]
    fn prefetch(&self, id: SystemId) {
        self.roots.prefetch_id(id);
    }

    #[inline]
    fn tag(&self, id: SystemId) -> u32 {
        self.tags.get(id)
    }

    #[inline]
    fn set_tag(&mut self, id: SystemId, tag: u32) {
        self.tags.set(id, tag);
    }

    fn bytes(&self) -> usize {
        let groups: usize = self.groups.iter().flatten().map(Group::bytes).sum();
        self.roots.bytes()
            + self.inner.bytes()
            + groups
            + self.memo.bytes()
            + self.tags.bytes()
            + self.steps.bytes()
    }

    fn forget_states(&mut self) {
        self.forget_all();
        self.roots = Pairs::new().with_limits_of(&self.roots);
        self.tags = Tags::default();
        self.last_overflow = 0;
    }

    fn allow_wide_ids(&mut self) {
        self.roots.allow_wide_ids();
    }

    fn limit_bytes(&mut self, limit: usize) {
        self.limit = limit;
    }
}

//! Tree compression: a row as a binary tree of pairs, each different pair kept once.
//!
//! After Laarman, van de Pol, Weber, "Parallel Recursive State Compression for Free" (SPIN
//! 2011). Two words of a row are a node, two nodes are a node, and so on up to the root. A node
//! is 8 bytes: the numbers of its halves. States of a protocol are combinations of few parts,
//! so there are far fewer nodes below than roots, and a state costs little more than its root.
//!
//! - `shape`: which words and parts are a node
//! - `plan`: the shape that suits the states at hand
//! - `group`: the values of neighbouring words
//! - `memo`: the nodes looked up last
//!
//! There are two tables of nodes ([`crate::pairs`]): of the roots, and of all nodes below.
//! Roots are numbered from 0: the number is the id of the state. A successor is compared with
//! the row that was loaded last, whose nodes are known, and only nodes above words that differ
//! are looked up. What is likely not in the cache is asked for, for all successors of a state,
//! before any is waited for: the nodes right below the root, the roots.
//!
//! Neighbouring words with few values together are a *group*, which is looked up as a whole in
//! a table of its own. At first nothing is known of the states, and every word stands for
//! itself. When there are some thousands of states, a better shape is made from a sample of
//! them, and the states are stored again; later once more, if there are too many nodes still.

mod group;
mod memo;
mod plan;
mod shape;

use crate::pairs::{Pairs, halves, hash, pair};
use crate::tags::Tags;
use group::Group;
use lariat_core::{Batch, Flat, Full, SystemStore, Word};
use memo::Memo;
use shape::{NONE, Shape};

/// A better shape is looked for when there are so many states.
const PLANS: [usize; 4] = [1 << 13, 1 << 17, 1 << 20, 1 << 23];
/// After the first time only if there are more nodes than one for so many states.
const STATES_PER_NODE: usize = 16;
/// One state of so many is looked at for that, within these bounds.
const SAMPLE_PART: usize = 16;
const SAMPLE: (usize, usize) = (1 << 12, 1 << 15);

/// An exact store of rows of one width.
#[derive(Debug)]
pub struct Tree {
    shape: Shape,
    roots: Pairs,
    /// The nodes below the roots.
    inner: Pairs,
    /// The values of groups of several words.
    groups: Vec<Option<Group>>,
    memo: Memo,
    tags: Tags,
    /// The row that was loaded last, and the values of its parts.
    row: Vec<Word>,
    values: Vec<u32>,
    /// Parts that differ in the row at hand and are still to be looked at, as bits.
    waiting: Vec<u64>,
    /// What `values` of the loaded row are, where they were changed for the row at hand.
    changed: Vec<(u32, u32)>,
    /// Roots and their hashes of the batch at hand, and which of their halves are unknown yet.
    found: Vec<(u64, u64)>,
    unknown: Vec<Unknown>,
    limit: usize,
    /// The number of states at which the shape is looked at again, and how often it was.
    next_plan: usize,
    plans: usize,
}

/// A node to be looked up, and where its id belongs.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    node: u64,
    hash: u64,
    row: u32,
    top: u32,
}

impl Tree {
    pub fn new(width: usize) -> Self {
        Tree::with_shape(Shape::even(width))
    }

    fn with_shape(shape: Shape) -> Self {
        let group = |group: usize| {
            let width = shape.words(group).len();
            (width > 1).then(|| Group::new(width))
        };
        let mut tree = Tree {
            roots: Pairs::new(),
            inner: Pairs::new(),
            groups: (0..shape.groups()).map(group).collect(),
            memo: Memo::new(),
            tags: Tags::default(),
            row: vec![0; shape.width()],
            values: vec![0; shape.parts()],
            waiting: vec![0; shape.parts().div_ceil(64)],
            changed: Vec::new(),
            found: Vec::new(),
            unknown: Vec::new(),
            limit: usize::MAX,
            next_plan: PLANS[0],
            plans: 0,
            shape,
        };
        // There must be a row to compare the first with: that of zeros.
        tree.set_loaded().expect("there is no limit yet");
        tree
    }

    /// Finds or makes the values of `row`.
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
        Ok(())
    }

    /// Nodes below the roots.
    pub fn inner_len(&self) -> usize {
        self.inner.len() + self.groups.iter().flatten().map(Group::len).sum::<usize>()
    }

    /// Looks for a better shape, if it is time and there is something to gain.
    #[cold]
    fn reconsider_shape(&mut self) {
        let len = self.roots.len();
        let is_first = self.plans == 0;
        while self.next_plan <= len {
            self.plans += 1;
            self.next_plan = PLANS.get(self.plans).copied().unwrap_or(usize::MAX);
        }
        if self.shape.width() > 2 && (is_first || self.inner_len() > len / STATES_PER_NODE) {
            let shape = self.better_shape();
            if let Ok(tree) = self.reshaped(shape) {
                *self = tree;
            }
        }
    }

    fn better_shape(&mut self) -> Shape {
        let (len, width) = (self.roots.len(), self.shape.width());
        let sample = (len / SAMPLE_PART).clamp(SAMPLE.0, SAMPLE.1).min(len);
        let mut rows = Vec::with_capacity(sample * width);
        for at in 0..sample {
            rows.extend_from_slice(self.load((at * len / sample) as u32));
        }
        plan::shape(&rows, width)
    }

    /// The same states in another shape, if old and new together are allowed. Another row is
    /// the loaded one then, here and there: the batch at hand takes longer to compare.
    fn reshaped(&mut self, shape: Shape) -> Result<Tree, Full> {
        const TOGETHER: usize = 64;
        let mut tree = Tree::with_shape(shape);
        tree.limit = self.limit.saturating_sub(self.bytes());
        tree.next_plan = usize::MAX;
        let (mut batch, mut ids) = (Flat::new(self.row.len(), usize::MAX), Vec::new());
        for first in (0..self.roots.len()).step_by(TOGETHER) {
            batch.clear();
            for id in first..self.roots.len().min(first + TOGETHER) {
                batch.push_copy(self.load(id as u32));
            }
            tree.intern_all(&batch, &mut ids)?;
            tree.load(first as u32);
            ids.clear();
        }
        assert_eq!(tree.len(), self.len(), "the same states have the same ids");
        tree.tags = std::mem::take(&mut self.tags);
        tree.limit = self.limit;
        (tree.next_plan, tree.plans) = (self.next_plan, self.plans);
        Ok(tree)
    }

    #[inline(always)]
    fn make_root_room(&mut self, more: usize) -> Result<(), Full> {
        if self.roots.len() >= self.next_plan {
            self.reconsider_shape();
        }
        if self.roots.has_room(more) {
            return Ok(());
        }
        // The tags of new states count as well.
        let spare = self.limit.saturating_sub(self.bytes() + self.tags.bytes() / 8);
        self.roots.make_room(more, spare)
    }

    /// Finds or makes a node below the roots that the memo does not know.
    fn node_id(&mut self, node: u64, hash: u64) -> Result<u32, Full> {
        if !self.inner.has_room(1) {
            let spare = self.limit.saturating_sub(self.bytes());
            self.inner.make_room(1, spare)?;
        }
        let id = self.inner.intern(node, hash);
        self.memo.put(node, hash, id);
        Ok(id)
    }

    #[cold]
    fn add_to_group(&mut self, group: usize, words: &[Word], hash: u64) -> Result<u32, Full> {
        let spare = self.limit.saturating_sub(self.bytes());
        let group = self.groups[group].as_mut().expect("a group of several words");
        group.add(words, hash, spare)
    }

    /// Finds the root of a row and asks for its bucket, or asks for the nodes below it.
    #[inline(always)]
    fn find_root(&mut self, number: usize, row: &[Word]) -> Result<(), Full> {
        let mut from = 0;
        while let Some(word) = first_difference(row, &self.row, from) {
            let group = self.shape.group_of(word);
            let words = self.shape.words(group);
            from = words.end;
            let value = match &self.groups[group] {
                None => row[word],
                Some(values) => match values.find(&row[words.clone()]) {
                    Ok(id) => id,
                    Err(hash) => self.add_to_group(group, &row[words], hash)?,
                },
            };
            self.change(group, value);
        }
        let tops = self.shape.tops();
        let mut pending = [None; 2];
        for word in 0..self.waiting.len() {
            while self.waiting[word] != 0 {
                let part = word * 64 + self.waiting[word].trailing_zeros() as usize;
                self.waiting[word] &= self.waiting[word] - 1;
                let (left, right) = self.shape.halves(part);
                let node = pair(self.values[left], self.values[right]);
                let h = hash(node);
                let value = match self.memo.get(node, h) {
                    Some(id) => id,
                    None if self.shape.parent(part) == NONE => {
                        self.inner.prefetch_bucket(h);
                        pending[usize::from(part as u32 == tops[1])] = Some((node, h));
                        continue;
                    }
                    None => self.node_id(node, h)?,
                };
                self.change(part, value);
            }
        }
        let right = if tops[1] == NONE { 0 } else { self.values[tops[1] as usize] };
        let root = pair(self.values[tops[0] as usize], right);
        let mut is_known = true;
        for (top, pending) in (0..).zip(pending) {
            if let Some((node, hash)) = pending {
                self.unknown.push(Unknown { node, hash, row: number as u32, top });
                is_known = false;
            }
        }
        let mut h = 0;
        if is_known {
            // On its way while the next row is looked at.
            h = hash(root);
            self.roots.prefetch_bucket(h);
        }
        self.found.push((root, h));
        while let Some((part, value)) = self.changed.pop() {
            self.values[part as usize] = value;
        }
        Ok(())
    }

    /// A part of the row at hand has another value than that of the loaded row.
    #[inline(always)]
    fn change(&mut self, part: usize, value: u32) {
        self.changed.push((part as u32, self.values[part]));
        self.values[part] = value;
        let parent = self.shape.parent(part);
        if parent != NONE {
            self.waiting[parent as usize / 64] |= 1 << (parent % 64);
        }
    }

    /// Forgets what a row has begun that could not be ended.
    #[cold]
    fn restore(&mut self) {
        self.waiting.fill(0);
        while let Some((part, value)) = self.changed.pop() {
            self.values[part as usize] = value;
        }
    }

    /// Looks up the halves of roots that are not known yet.
    #[inline(always)]
    fn find_unknown(&mut self) -> Result<(), Full> {
        for unknown in &self.unknown {
            self.inner.prefetch_pair(unknown.hash);
        }
        for at in 0..self.unknown.len() {
            let Unknown { node, hash: of_node, row, top } = self.unknown[at];
            let id = self.node_id(node, of_node)?;
            let (root, _) = self.found[row as usize];
            let (left, right) = halves(root);
            let root = if top == 0 { pair(id, right) } else { pair(left, id) };
            // The second of two unknown halves puts it right.
            let h = hash(root);
            self.roots.prefetch_bucket(h);
            self.found[row as usize] = (root, h);
        }
        Ok(())
    }

    /// From rows to roots and their hashes, for which the buckets are asked for.
    #[inline(always)]
    fn find_roots<'b>(&mut self, rows: impl Iterator<Item = &'b [Word]>) -> Result<(), Full> {
        self.unknown.clear();
        self.found.clear();
        for (number, row) in rows.enumerate() {
            if let Err(full) = self.find_root(number, row) {
                self.restore();
                return Err(full);
            }
        }
        if !self.unknown.is_empty() {
            self.find_unknown()?;
        }
        Ok(())
    }
}

/// The first word from `from` on where two rows of the same width differ.
#[inline(always)]
fn first_difference(row: &[Word], other: &[Word], from: usize) -> Option<usize> {
    let (row, other) = (&row[from..], &other[from..]);
    let (strides, rest) = row.as_chunks::<4>();
    let (other_strides, other_rest) = other.as_chunks::<4>();
    for (at, (words, others)) in strides.iter().zip(other_strides).enumerate() {
        if words != others {
            let offset = words.iter().zip(others).position(|(word, other)| word != other);
            return offset.map(|offset| from + at * 4 + offset);
        }
    }
    let offset = rest.iter().zip(other_rest).position(|(word, other)| word != other);
    offset.map(|offset| from + strides.len() * 4 + offset)
}

impl SystemStore for Tree {
    type Row = [Word];

    fn len(&self) -> usize {
        self.roots.len()
    }

    fn load(&mut self, id: u32) -> &[Word] {
        let [left, right] = self.shape.tops();
        let values = halves(self.roots.get(id));
        self.values[left as usize] = values.0;
        if right != NONE {
            self.values[right as usize] = values.1;
        }
        for part in (self.shape.groups()..self.shape.parts()).rev() {
            let (left, right) = self.shape.halves(part);
            let values = halves(self.inner.get(self.values[part]));
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

    fn intern(&mut self, row: &[Word]) -> Result<u32, Full> {
        self.make_root_room(1)?;
        self.find_roots(std::iter::once(row))?;
        let (root, h) = self.found[0];
        Ok(self.roots.intern(root, h))
    }

    fn intern_all<B: Batch<Row = [Word]>>(
        &mut self,
        batch: &B,
        out: &mut Vec<u32>,
    ) -> Result<(), Full> {
        self.make_root_room(batch.len())?;
        self.find_roots((0..batch.len()).map(|number| batch.row(number)))?;
        for &(_, h) in &self.found {
            self.roots.prefetch_pair(h);
        }
        out.reserve(self.found.len());
        for &(root, h) in &self.found {
            out.push(self.roots.intern(root, h));
        }
        Ok(())
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        self.roots.prefetch_id(id);
    }

    #[inline]
    fn tag(&self, id: u32) -> u32 {
        self.tags.get(id)
    }

    #[inline]
    fn set_tag(&mut self, id: u32, tag: u32) {
        self.tags.set(id, tag);
    }

    fn bytes(&self) -> usize {
        let groups: usize = self.groups.iter().flatten().map(Group::bytes).sum();
        self.roots.bytes() + self.inner.bytes() + groups + self.memo.bytes() + self.tags.bytes()
    }

    fn limit_bytes(&mut self, limit: usize) {
        self.limit = limit;
    }
}

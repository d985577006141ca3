//! Tree compression: a row as a binary tree of pairs, each different pair kept once.
//!
//! After Laarman, van de Pol, Weber, "Parallel Recursive State Compression for Free" (SPIN
//! 2011). Two words of a row are a node, two nodes are a node, and so on up to the root. A node
//! is 8 bytes: the numbers of its halves. States of a protocol are combinations of few parts,
//! so there are far fewer nodes below than roots, and a state costs little more than its root.
//!
//! - `shape`: which values are a node
//! - `plan`: the shape that suits the states at hand
//! - `memo`: the nodes looked up last
//!
//! There are two tables of nodes ([`crate::pairs`]): of the roots, and of all nodes below.
//! Roots are numbered from 0: the number is the id of the state. A successor is compared with
//! the row that was loaded last, whose nodes are known, and only nodes above words that differ
//! are looked up, for all successors of a state level by level.
//!
//! Neighbouring words with few values together are a *group*, which is looked up as a whole in
//! a table of its own. At first nothing is known of the states, and every word stands for
//! itself. When there are some thousands of states, a better shape is made from a sample of
//! them, and the states are stored again; later once more, if there are too many nodes still.

mod memo;
mod plan;
mod shape;

use crate::Exact;
use crate::hash::hash as hash_words;
use crate::pairs::{Pairs, halves, hash, pair};
use crate::tags::Tags;
use lariat_core::{Batch, Flat, FlatArena, Full, Intern, States, SystemStore, Word};
use memo::Memo;
use shape::{Level, Shape, Side};

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
    groups: Vec<Option<Exact<(), FlatArena>>>,
    memo: Memo,
    tags: Tags,
    /// The row that was loaded last, and the values of all levels for it.
    row: Vec<Word>,
    loaded: Vec<u32>,
    /// Where the rows of the batch at hand differ from it, on one level and the next.
    below: Vec<Change>,
    above: Vec<Change>,
    /// Nodes that the memo does not know, or groups.
    unknown: Vec<Unknown>,
    /// Roots and their hashes of the batch at hand.
    found: Vec<(u64, u64)>,
    limit: usize,
    /// The number of states at which the shape is looked at again, and how often it was.
    next_plan: usize,
    plans: usize,
}

/// A value of a row that the loaded row does not have there.
#[derive(Clone, Copy, Debug)]
struct Change {
    row: u32,
    position: u32,
    value: u32,
}

/// A node to be looked up, and which change has to have its id.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    node: u64,
    hash: u64,
    change: usize,
}

impl Tree {
    pub fn new(width: usize) -> Self {
        Tree::with_shape(Shape::even(width))
    }

    fn with_shape(shape: Shape) -> Self {
        let group = |words: &std::ops::Range<usize>| {
            (words.len() > 1).then(|| Exact::new(FlatArena::new(words.len())))
        };
        let mut tree = Tree {
            roots: Pairs::new(),
            inner: Pairs::new(),
            groups: shape.groups().iter().map(group).collect(),
            memo: Memo::new(),
            tags: Tags::default(),
            row: vec![0; shape.width()],
            loaded: vec![0; shape.values],
            below: Vec::new(),
            above: Vec::new(),
            unknown: Vec::new(),
            found: Vec::new(),
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
        self.make_inner_room(self.shape.values)?;
        for (position, words) in self.shape.groups().iter().enumerate() {
            let words = &self.row[words.clone()];
            self.loaded[position] = match &mut self.groups[position] {
                None => words[0],
                Some(group) => Intern::intern(group, words),
            };
        }
        for levels in self.shape.levels().windows(2) {
            let (below, above) = (&levels[0], &levels[1]);
            for (position, parent) in below.parents.iter().enumerate() {
                let value = self.loaded[below.start + position];
                self.loaded[above.start + parent.position as usize] = match parent.side {
                    Side::Left => {
                        let node = pair(value, self.loaded[below.start + position + 1]);
                        self.inner.intern(node, hash(node))
                    }
                    Side::Right => continue,
                    Side::Alone => value,
                };
            }
        }
        Ok(())
    }

    /// Nodes below the roots.
    pub fn inner_len(&self) -> usize {
        self.inner.len() + self.groups.iter().flatten().map(Exact::len).sum::<usize>()
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
        let row = self.row.clone();
        let mut rows = Vec::with_capacity(sample * width);
        for at in 0..sample {
            rows.extend_from_slice(self.load((at * len / sample) as u32));
        }
        self.row = row;
        plan::shape(&rows, width)
    }

    /// The same states in another shape, if old and new together are allowed.
    fn reshaped(&mut self, shape: Shape) -> Result<Tree, Full> {
        const TOGETHER: usize = 64;
        let width = shape.width();
        let mut tree = Tree::with_shape(shape);
        tree.limit = self.limit.saturating_sub(self.bytes());
        tree.next_plan = usize::MAX;
        let (mut batch, mut ids) = (Flat::new(width, usize::MAX), Vec::new());
        let row = self.row.clone();
        let copied = (0..self.roots.len()).step_by(TOGETHER).try_for_each(|first| {
            batch.clear();
            for id in first..self.roots.len().min(first + TOGETHER) {
                batch.push_copy(self.load(id as u32));
            }
            tree.intern_all(&batch, &mut ids)?;
            tree.load(first as u32);
            ids.clear();
            Ok(())
        });
        self.row.copy_from_slice(&row);
        self.set_loaded()?;
        copied?;
        debug_assert_eq!(tree.len(), self.len());
        tree.row = row;
        tree.set_loaded()?;
        tree.tags = std::mem::take(&mut self.tags);
        tree.limit = self.limit;
        (tree.next_plan, tree.plans) = (self.next_plan, self.plans);
        Ok(tree)
    }

    #[inline(always)]
    fn make_inner_room(&mut self, more: usize) -> Result<(), Full> {
        if self.inner.has_room(more) {
            return Ok(());
        }
        let spare = self.limit.saturating_sub(self.bytes());
        self.inner.make_room(more, spare)
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

    /// Appends to `below` where a row differs from the loaded one. Groups are unknown yet.
    #[inline(always)]
    fn compare(&mut self, number: u32, row: &[Word]) {
        let mut from = 0;
        while let Some(word) = first_difference(row, &self.row, from) {
            let position = self.shape.group_of(word);
            let words = self.shape.groups()[position].clone();
            from = words.end;
            if let Some(group) = &self.groups[position] {
                let hash = hash_words(&row[words]);
                group.prefetch_slot(hash);
                self.unknown.push(Unknown { node: 0, hash, change: self.below.len() });
            }
            let (position, value) = (position as u32, row[word]);
            self.below.push(Change { row: number, position, value });
        }
    }

    /// Looks up the groups that `compare` has found.
    #[inline(always)]
    fn find_groups<'b>(&mut self, row: impl Fn(usize) -> &'b [Word]) -> Result<(), Full> {
        for at in 0..self.unknown.len() {
            let Unknown { hash, change, .. } = self.unknown[at];
            let Change { row: number, position, .. } = self.below[change];
            let words = self.shape.groups()[position as usize].clone();
            let words = &row(number as usize)[words];
            let Some(group) = &self.groups[position as usize] else { continue };
            self.below[change].value = match group.probe(words, hash) {
                Ok(id) => id,
                Err(_) => self.add_to_group(position as usize, words, hash)?,
            };
        }
        Ok(())
    }

    #[cold]
    fn add_to_group(&mut self, position: usize, words: &[Word], hash: u64) -> Result<u32, Full> {
        let spare = self.limit.saturating_sub(self.bytes());
        let group = self.groups[position].as_mut().expect("a group of several words");
        group.check_room(1, spare)?;
        Ok(group.find_or_insert(words, hash))
    }

    /// From the changes of one level to those of the next: all nodes of the batch are asked for
    /// before the first is looked at.
    #[inline(always)]
    fn climb(&mut self, level: usize) -> Result<(), Full> {
        self.make_inner_room(self.below.len())?;
        self.above.clear();
        self.unknown.clear();
        let below: &Level = &self.shape.levels()[level];
        let mut changes = self.below.iter().copied().peekable();
        while let Some(Change { row, position, value }) = changes.next() {
            let parent = below.parents[position as usize];
            let at = below.start + position as usize;
            let (left, right) = match parent.side {
                Side::Right => (self.loaded[at - 1], value),
                Side::Left => {
                    let is_sibling =
                        |next: &Change| next.row == row && next.position == position + 1;
                    let right = changes.next_if(is_sibling);
                    (value, right.map_or(self.loaded[at + 1], |right| right.value))
                }
                Side::Alone => {
                    self.above.push(Change { row, position: parent.position, value });
                    continue;
                }
            };
            let node = pair(left, right);
            let h = hash(node);
            let known = self.memo.get(node, h);
            if known.is_none() {
                self.inner.prefetch_bucket(h);
                self.unknown.push(Unknown { node, hash: h, change: self.above.len() });
            }
            let value = known.unwrap_or(0);
            self.above.push(Change { row, position: parent.position, value });
        }
        for unknown in &self.unknown {
            self.inner.prefetch_pair(unknown.hash);
        }
        for &Unknown { node, hash, change } in &self.unknown {
            let id = self.inner.intern(node, hash);
            self.memo.put(node, hash, id);
            self.above[change].value = id;
        }
        std::mem::swap(&mut self.below, &mut self.above);
        Ok(())
    }

    /// From the changes of the groups to roots and their hashes.
    #[inline(always)]
    fn find_roots(&mut self, rows: usize) -> Result<(), Full> {
        for level in 0..self.shape.levels().len() - 1 {
            self.climb(level)?;
        }
        let top = self.shape.top();
        let right = if top.len == 2 { self.loaded[top.start + 1] } else { 0 };
        let loaded = [self.loaded[top.start], right];
        let mut changes = self.below.iter().peekable();
        self.found.clear();
        for row in 0..rows as u32 {
            let mut halves = loaded;
            while let Some(change) = changes.next_if(|change| change.row == row) {
                halves[change.position as usize] = change.value;
            }
            let root = pair(halves[0], halves[1]);
            let h = hash(root);
            self.roots.prefetch_bucket(h);
            self.found.push((root, h));
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
        let top = self.shape.top();
        let (left, right) = halves(self.roots.get(id));
        self.loaded[top.start] = left;
        if top.len == 2 {
            self.loaded[top.start + 1] = right;
        }
        for levels in self.shape.levels().windows(2).rev() {
            let (below, above) = (&levels[0], &levels[1]);
            let (lower, upper) = self.loaded.split_at_mut(above.start);
            let lower = &mut lower[below.start..];
            for (position, parent) in below.parents.iter().enumerate() {
                let value = upper[parent.position as usize];
                match parent.side {
                    Side::Left => {
                        let (left, right) = halves(self.inner.get(value));
                        lower[position] = left;
                        lower[position + 1] = right;
                    }
                    Side::Right => {}
                    Side::Alone => lower[position] = value,
                }
            }
        }
        for (position, words) in self.shape.groups().iter().enumerate() {
            let value = self.loaded[position];
            match &self.groups[position] {
                None => self.row[words.start] = value,
                Some(group) => self.row[words.clone()].copy_from_slice(group.row(value)),
            }
        }
        &self.row
    }

    fn intern(&mut self, row: &[Word]) -> Result<u32, Full> {
        self.make_root_room(1)?;
        self.below.clear();
        self.unknown.clear();
        self.compare(0, row);
        self.find_groups(|_| row)?;
        self.find_roots(1)?;
        let (root, h) = self.found[0];
        Ok(self.roots.intern(root, h))
    }

    fn intern_all<B: Batch<Row = [Word]>>(
        &mut self,
        batch: &B,
        out: &mut Vec<u32>,
    ) -> Result<(), Full> {
        self.make_root_room(batch.len())?;
        self.below.clear();
        self.unknown.clear();
        for i in 0..batch.len() {
            self.compare(i as u32, batch.row(i));
        }
        self.find_groups(|number| batch.row(number))?;
        self.find_roots(batch.len())?;
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
        let groups: usize = self.groups.iter().flatten().map(Intern::bytes).sum();
        self.roots.bytes() + self.inner.bytes() + groups + self.memo.bytes() + self.tags.bytes()
    }

    fn limit_bytes(&mut self, limit: usize) {
        self.limit = limit;
    }
}

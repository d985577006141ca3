//! Tree compression: a row as a binary tree of pairs, each different pair kept once.
//!
//! After Laarman, van de Pol, Weber, "Parallel Recursive State Compression for Free" (SPIN
//! 2011). Two words of a row are a node, two nodes are a node, and so on up to the root. A node
//! is 8 bytes: the numbers of its halves. States of a protocol are combinations of few parts,
//! so there are far fewer nodes below than roots, and a state costs little more than its root.
//!
//! - `shape`: which values are a node
//! - `pairs`, `bucket`: the tables of nodes, one for the roots, one for all nodes below them
//! - `memo`: the nodes looked up last
//!
//! Roots are numbered from 0: the number is the id of the state. A successor is compared with
//! the row that was loaded last, whose nodes are known, and only nodes above words that differ
//! are looked up.

mod bucket;
mod memo;
mod pairs;
mod shape;

use crate::tags::Tags;
use lariat_core::{Batch, Full, SystemStore, Word};
use memo::Memo;
use pairs::{Pairs, halves, hash, pair};
use shape::Shape;

/// An exact store of rows of one width.
#[derive(Debug)]
pub struct Tree {
    shape: Shape,
    roots: Pairs,
    /// The nodes below the roots.
    inner: Pairs,
    memo: Memo,
    tags: Tags,
    /// The values of all levels of the row that was loaded last.
    loaded: Vec<u32>,
    /// The same, but where the row at hand differs.
    values: Vec<u32>,
    /// Where it does.
    changed: Vec<u32>,
    /// The positions of one level that differ.
    dirty: Vec<u32>,
    /// Roots and their hashes of the batch at hand.
    found: Vec<(u64, u64)>,
    limit: usize,
}

impl Tree {
    pub fn new(width: usize) -> Self {
        let shape = Shape::new(width);
        let mut tree = Tree {
            roots: Pairs::new(),
            inner: Pairs::new(),
            memo: Memo::new(),
            tags: Tags::default(),
            loaded: vec![0; shape.values],
            values: vec![0; shape.values],
            changed: Vec::new(),
            dirty: Vec::new(),
            found: Vec::new(),
            limit: usize::MAX,
            shape,
        };
        tree.start();
        tree
    }

    /// Makes the nodes of the row of zeros, so that there is a row to compare the first with.
    fn start(&mut self) {
        self.make_inner_room().expect("there is no limit yet");
        self.dirty = (0..self.shape.width() as u32).collect();
        self.climb();
        self.loaded.copy_from_slice(&self.values);
        self.changed.clear();
    }

    /// Nodes below the roots.
    pub fn inner_len(&self) -> usize {
        self.inner.len()
    }

    /// Room for the nodes of one more row.
    #[inline(always)]
    fn make_inner_room(&mut self) -> Result<(), Full> {
        let most = self.shape.values;
        if self.inner.has_room(most) {
            return Ok(());
        }
        let spare = self.limit.saturating_sub(self.bytes());
        self.inner.make_room(most, spare)
    }

    fn make_root_room(&mut self, more: usize) -> Result<(), Full> {
        if self.roots.has_room(more) {
            return Ok(());
        }
        // The tags of new states count as well.
        let spare = self.limit.saturating_sub(self.bytes() + self.tags.bytes() / 8);
        self.roots.make_room(more, spare)
    }

    /// The id of a node below the root. There must be room.
    #[inline(always)]
    fn node(&mut self, left: u32, right: u32) -> u32 {
        let node = pair(left, right);
        let h = hash(node);
        if let Some(id) = self.memo.get(node, h) {
            return id;
        }
        let id = self.inner.intern(node, h);
        self.memo.put(node, h, id);
        id
    }

    /// Works out the values above the positions of level 0 in `dirty`.
    #[inline(always)]
    fn climb(&mut self) {
        let levels = self.shape.levels();
        for at in 1..levels {
            let (below, above) = (self.shape.level(at - 1), self.shape.level(at));
            let mut count = 0;
            let mut last = u32::MAX;
            for i in 0..self.dirty.len() {
                let position = self.dirty[i] / 2;
                if position == last {
                    continue;
                }
                last = position;
                let left = below.start + 2 * position as usize;
                let is_whole = 2 * position as usize + 1 < below.len;
                let value = match is_whole {
                    true => self.node(self.values[left], self.values[left + 1]),
                    false => self.values[left],
                };
                let place = above.start + position as usize;
                self.values[place] = value;
                self.changed.push(place as u32);
                self.dirty[count] = position;
                count += 1;
            }
            self.dirty.truncate(count);
        }
    }

    /// The root of a row. There must be room for its nodes.
    #[inline(always)]
    fn root(&mut self, row: &[Word]) -> u64 {
        self.dirty.clear();
        self.changed.clear();
        for (at, (&word, known)) in row.iter().zip(&mut self.values).enumerate() {
            if word != *known {
                *known = word;
                self.dirty.push(at as u32);
                self.changed.push(at as u32);
            }
        }
        self.climb();
        let root = self.top();
        for &place in &self.changed {
            self.values[place as usize] = self.loaded[place as usize];
        }
        root
    }

    #[inline(always)]
    fn top(&self) -> u64 {
        let top = self.shape.top();
        let right = if top.len == 2 { self.values[top.start + 1] } else { 0 };
        pair(self.values[top.start], right)
    }
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
        for at in (1..self.shape.levels()).rev() {
            let (below, above) = (self.shape.level(at - 1), self.shape.level(at));
            let (lower, upper) = self.loaded.split_at_mut(above.start);
            let (lower, upper) = (&mut lower[below.start..], &upper[..above.len]);
            let mut nodes = lower.chunks_exact_mut(2);
            for (children, &node) in (&mut nodes).zip(upper) {
                let (left, right) = halves(self.inner.get(node));
                children[0] = left;
                children[1] = right;
            }
            if let [odd] = nodes.into_remainder() {
                *odd = upper[above.len - 1];
            }
        }
        self.values.copy_from_slice(&self.loaded);
        &self.loaded[..self.shape.width()]
    }

    fn intern(&mut self, row: &[Word]) -> Result<u32, Full> {
        self.make_root_room(1)?;
        self.make_inner_room()?;
        let root = self.root(row);
        Ok(self.roots.intern(root, hash(root)))
    }

    fn intern_all<B: Batch<Row = [Word]>>(
        &mut self,
        batch: &B,
        out: &mut Vec<u32>,
    ) -> Result<(), Full> {
        self.make_root_room(batch.len())?;
        self.found.clear();
        for i in 0..batch.len() {
            self.make_inner_room()?;
            let root = self.root(batch.row(i));
            let h = hash(root);
            self.roots.prefetch_bucket(h);
            self.found.push((root, h));
        }
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
    fn tag(&self, id: u32) -> u32 {
        self.tags.get(id)
    }

    #[inline]
    fn set_tag(&mut self, id: u32, tag: u32) {
        self.tags.set(id, tag);
    }

    fn bytes(&self) -> usize {
        self.roots.bytes() + self.inner.bytes() + self.memo.bytes() + self.tags.bytes()
    }

    fn limit_bytes(&mut self, limit: usize) {
        self.limit = limit;
    }
}

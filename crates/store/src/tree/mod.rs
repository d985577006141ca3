//! Tree compression: a row as a binary tree of pairs, each different pair kept once.
//!
//! After Laarman, van de Pol, Weber, "Parallel Recursive State Compression for Free" (SPIN
//! 2011). Two words of a row are a node, two nodes are a node, and so on up to the root. A node
//! is 8 bytes: the numbers of its halves. States of a protocol are combinations of few parts,
//! so there are far fewer nodes below than roots, and a state costs little more than its root.
//!
//! - `shape`: which values are a node
//! - `memo`: the nodes looked up last
//!
//! There are two tables of nodes ([`crate::pairs`]): of the roots, and of all nodes below.
//! Roots are numbered from 0: the number is the id of the state. A successor is compared with
//! the row that was loaded last, whose nodes are known, and only nodes above words that differ
//! are looked up, for all successors of a state level by level.

mod memo;
mod shape;

use crate::pairs::{Pairs, halves, hash, pair};
use crate::tags::Tags;
use lariat_core::{Batch, Full, SystemStore, Word};
use memo::Memo;
use shape::{Level, Shape};

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
    /// Where the rows of the batch at hand differ from it, on one level and the next.
    below: Vec<Change>,
    above: Vec<Change>,
    /// Nodes that the memo does not know.
    unknown: Vec<Unknown>,
    /// Roots and their hashes of the batch at hand.
    found: Vec<(u64, u64)>,
    limit: usize,
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
        let shape = Shape::new(width);
        let mut tree = Tree {
            roots: Pairs::new(),
            inner: Pairs::new(),
            memo: Memo::new(),
            tags: Tags::default(),
            loaded: vec![0; shape.values],
            below: Vec::new(),
            above: Vec::new(),
            unknown: Vec::new(),
            found: Vec::new(),
            limit: usize::MAX,
            shape,
        };
        tree.load_zeros();
        tree
    }

    /// Makes the nodes of the row of zeros, so that there is a row to compare the first with.
    fn load_zeros(&mut self) {
        self.make_inner_room(self.shape.values).expect("there is no limit yet");
        for at in 1..self.shape.levels() {
            let (below, above) = (self.shape.level(at - 1), self.shape.level(at));
            for position in 0..above.len {
                let left = below.start + 2 * position;
                self.loaded[above.start + position] = if 2 * position + 1 < below.len {
                    let node = pair(self.loaded[left], self.loaded[left + 1]);
                    self.inner.intern(node, hash(node))
                } else {
                    self.loaded[left]
                };
            }
        }
    }

    /// Nodes below the roots.
    pub fn inner_len(&self) -> usize {
        self.inner.len()
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
        if self.roots.has_room(more) {
            return Ok(());
        }
        // The tags of new states count as well.
        let spare = self.limit.saturating_sub(self.bytes() + self.tags.bytes() / 8);
        self.roots.make_room(more, spare)
    }

    /// Appends to `below` where a row differs from the loaded one.
    #[inline(always)]
    fn compare(&mut self, number: u32, row: &[Word]) {
        const STRIDE: usize = 8;
        let known = &self.loaded[..self.shape.width()];
        let mut at = 0;
        for (news, olds) in row.chunks(STRIDE).zip(known.chunks(STRIDE)) {
            if news != olds {
                for (offset, (&new, &old)) in news.iter().zip(olds).enumerate() {
                    if new != old {
                        let position = (at + offset) as u32;
                        self.below.push(Change { row: number, position, value: new });
                    }
                }
            }
            at += STRIDE;
        }
    }

    /// From the changes of one level to those of the next: all nodes of the batch are asked for
    /// before the first is looked at.
    #[inline(always)]
    fn climb(&mut self, below: Level) -> Result<(), Full> {
        self.make_inner_room(self.below.len())?;
        self.above.clear();
        self.unknown.clear();
        let mut changes = self.below.iter().copied().peekable();
        while let Some(Change { row, position, value }) = changes.next() {
            let sibling = below.start + (position ^ 1) as usize;
            let (left, right) = if position & 1 == 1 {
                (self.loaded[sibling], value)
            } else if position as usize + 1 == below.len {
                // The odd one goes up as it is.
                self.above.push(Change { row, position: position / 2, value });
                continue;
            } else {
                let is_sibling = |next: &Change| next.row == row && next.position == position + 1;
                let right = changes.next_if(is_sibling);
                (value, right.map_or(self.loaded[sibling], |right| right.value))
            };
            let node = pair(left, right);
            let h = hash(node);
            let known = self.memo.get(node, h);
            if known.is_none() {
                self.inner.prefetch_bucket(h);
                self.unknown.push(Unknown { node, hash: h, change: self.above.len() });
            }
            self.above.push(Change { row, position: position / 2, value: known.unwrap_or(0) });
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

    /// From the changes of the words to roots and their hashes.
    #[inline(always)]
    fn find_roots(&mut self, rows: usize) -> Result<(), Full> {
        for at in 1..self.shape.levels() {
            self.climb(self.shape.level(at - 1))?;
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
        &self.loaded[..self.shape.width()]
    }

    fn intern(&mut self, row: &[Word]) -> Result<u32, Full> {
        self.make_root_room(1)?;
        self.below.clear();
        self.compare(0, row);
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
        for i in 0..batch.len() {
            self.compare(i as u32, batch.row(i));
        }
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
        self.roots.bytes() + self.inner.bytes() + self.memo.bytes() + self.tags.bytes()
    }

    fn limit_bytes(&mut self, limit: usize) {
        self.limit = limit;
    }
}

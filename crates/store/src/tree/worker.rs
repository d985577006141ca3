//! From ids to rows, from rows to roots, and from roots to ids: what each who works on a tree has
//! for itself.

use super::cells::Cells;
use super::memo::Memo;
use super::shape::NONE;
use super::tables::Tables;
use crate::differ::{AT_ONCE, differing};
use crate::pairs::{halves, hash, pair};
use lariat_core::{Full, SystemId, Word};

/// The row at hand, and the rows that were taken in.
#[derive(Debug)]
pub(super) struct Worker {
    memo: Memo,
    /// The row that was loaded last, its root, and the values of its parts.
    pub(super) row: Vec<Word>,
    /// Its cells, if words are taken apart; and scratch for some of another row.
    cells: Vec<Word>,
    scratch: Vec<Word>,
    pub(super) root: u64,
    values: Vec<u32>,
    /// Pairs with a half that differs in the row at hand, still to be looked at, as bits.
    waiting: Vec<u64>,
    /// What `values` of the loaded row are, where they were changed for the row at hand.
    changed: Vec<(u32, u32)>,
    /// Roots of the rows taken in, and what is unknown of them yet.
    pub(super) found: Vec<Found>,
    pub(super) unknown: Vec<Unknown>,
}

/// The root of a row that was taken in, and its hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) root: u64,
    pub(super) hash: u64,
}

/// A pair right below a root that is still to be looked up, and where its id belongs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown {
    node: u64,
    hash: u64,
    pub(super) row: u32,
    part: u32,
}

/// Why a row has no root.
pub(super) enum Trouble {
    Full,
    /// A group has more values than its field of the root can tell apart.
    TooMany,
}

impl From<Full> for Trouble {
    fn from(_: Full) -> Self {
        Trouble::Full
    }
}

impl Worker {
    pub(super) fn new(tables: &Tables) -> Self {
        let shape = &tables.shape;
        Worker {
            memo: Memo::new(),
            row: vec![0; shape.row_width()],
            cells: vec![0; shape.cells().map_or(0, Cells::len)],
            scratch: vec![0; shape.cells().map_or(0, Cells::len)],
            root: 0,
            values: vec![0; shape.parts()],
            waiting: vec![0; shape.parts().div_ceil(64)],
            changed: Vec::new(),
            found: Vec::new(),
            unknown: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.memo.bytes()
    }

    /// Finds or makes the values of `row`, and its root.
    pub(super) fn set_loaded(&mut self, tables: &mut Tables) -> Result<(), Full> {
        let row = match tables.shape.cells() {
            None => &self.row,
            Some(cells) => {
                cells.spread(&self.row, 0..cells.len(), &mut self.cells);
                &self.cells
            }
        };
        for group in 0..tables.shape.groups() {
            self.values[group] = tables.value(group, &row[tables.shape.words(group)])?;
        }
        for part in tables.shape.groups()..tables.shape.parts() {
            let (left, right) = tables.shape.halves(part);
            let node = pair(self.values[left], self.values[right]);
            self.values[part] = self.node_id(tables, part, node, hash(node))?;
        }
        self.root = 0;
        for &top in tables.shape.tops() {
            self.root |= tables.shape.place(top as usize).field.put(self.values[top as usize]);
        }
        Ok(())
    }

    /// Whether the root that was made last tells all values apart.
    pub(super) fn fits(&self, tables: &Tables) -> bool {
        let fits =
            |&top: &u32| tables.shape.place(top as usize).field.holds(self.values[top as usize]);
        tables.shape.tops().iter().all(fits)
    }

    /// Finds the values of all parts.
    #[inline(always)]
    pub(super) fn take_apart(&mut self, tables: &Tables, root: u64) -> &[u32] {
        let shape = &tables.shape;
        self.root = root;
        for &top in shape.tops() {
            self.values[top as usize] = shape.place(top as usize).field.get(self.root);
        }
        for part in (shape.groups()..shape.parts()).rev() {
            let (left, right) = shape.halves(part);
            let values = halves(tables.node(part, self.values[part]));
            self.values[left] = values.0;
            self.values[right] = values.1;
        }
        &self.values
    }

    /// Puts a row together.
    #[inline(always)]
    pub(super) fn load(&mut self, tables: &Tables, root: u64) -> &[Word] {
        self.take_apart(tables, root);
        let shape = &tables.shape;
        let row = match shape.cells() {
            None => &mut self.row,
            Some(_) => &mut self.cells,
        };
        for group in 0..shape.groups() {
            let (value, words) = (self.values[group], shape.words(group));
            match &tables.groups[group] {
                None => row[words.start] = value,
                // Short, and so without the call that copies a slice.
                Some(values) => {
                    let from = values.get(value);
                    row[words].iter_mut().zip(from).for_each(|(to, word)| *to = *word);
                }
            }
        }
        if let Some(cells) = shape.cells() {
            cells.join(&self.cells, &mut self.row);
        }
        &self.row
    }

    /// Finds or makes a node below the roots that the memo does not know.
    fn node_id(
        &mut self,
        tables: &mut Tables,
        part: usize,
        node: u64,
        hash: u64,
    ) -> Result<u32, Full> {
        let id = tables.node_id(part, node, hash)?;
        self.memo.put(part, node, hash, id);
        Ok(id)
    }

    /// Finds the root of a row and asks for its bucket, or asks for the pairs below it.
    #[inline(always)]
    pub(super) fn find_root(&mut self, tables: &mut Tables, row: &[Word]) -> Result<(), Trouble> {
        let mut root = self.root;
        let has_cells = tables.shape.cells().is_some();
        let mut first = 0;
        // Words from here on are not looked at yet.
        let mut from = 0;
        while first < self.row.len() {
            let end = self.row.len().min(first + AT_ONCE);
            let mut bits = differing(&row[first..end], &self.row[first..end]);
            if from > first && !has_cells {
                bits &= u64::MAX.checked_shl((from - first) as u32).unwrap_or(0);
            }
            while bits != 0 {
                let word = first + bits.trailing_zeros() as usize;
                if has_cells {
                    bits &= bits - 1;
                    from = self.find_cells(tables, row, word, from, &mut root)?;
                    continue;
                }
                let group = tables.shape.group_of(word);
                let words = tables.shape.words(group);
                from = words.end;
                bits &= u64::MAX.checked_shl((from - first) as u32).unwrap_or(0);
                let value = tables.value(group, &row[words])?;
                self.set_value(tables, group, value, &mut root)?;
            }
            first = end;
        }
        self.finish_root(tables, root)
    }

    /// Looks up the groups of the cells in which a word differs from that of the loaded row. `from`: cells from here on are not
    /// looked at yet; the same behind this word.
    #[inline]
    fn find_cells(
        &mut self,
        tables: &mut Tables,
        row: &[Word],
        word: usize,
        mut from: usize,
        root: &mut u64,
    ) -> Result<usize, Trouble> {
        for cell in tables.shape.cells().expect("words are taken apart").of_word(word) {
            let cells = tables.shape.cells().expect("as before");
            if cell < from || cells.get(cell, row) == self.cells[cell] {
                continue;
            }
            let group = tables.shape.group_of(cell);
            let range = tables.shape.words(group);
            from = range.end;
            let len = range.len();
            let value = match len {
                1 => {
                    let value = cells.get(cell, row);
                    tables.value(group, &[value])?
                }
                _ => {
                    cells.spread(row, range, &mut self.scratch);
                    tables.value(group, &self.scratch[..len])?
                }
            };
            self.set_value(tables, group, value, root)?;
        }
        Ok(from)
    }

    /// A group of the row at hand has this value.
    #[inline(always)]
    fn set_value(
        &mut self,
        tables: &Tables,
        group: usize,
        value: u32,
        root: &mut u64,
    ) -> Result<(), Trouble> {
        let place = tables.shape.place(group);
        if place.parent != NONE {
            self.change(group, value, place.parent);
            return Ok(());
        }
        if !place.field.holds(value) {
            return Err(Trouble::TooMany);
        }
        *root ^= place.field.put(value ^ self.values[group]);
        Ok(())
    }

    /// The root of the row at hand is this, but for the pairs above changed groups.
    #[inline(always)]
    fn finish_root(&mut self, tables: &mut Tables, mut root: u64) -> Result<(), Trouble> {
        let mut is_known = true;
        if !tables.shape.is_flat() {
            is_known = self.climb(tables, &mut root)?;
        }
        let mut h = 0;
        if is_known {
            // On its way while the next row is looked at.
            h = tables.ask_for(root);
        }
        self.found.push(Found { root, hash: h });
        Ok(())
    }

    /// Looks up the pairs above changed parts. If one right below the root is not at hand, it
    /// is asked for, its bits in the root are 0, and the root is not known; but where threads share the pairs, it is
    /// looked up at once.
    #[inline(always)]
    fn climb(&mut self, tables: &mut Tables, root: &mut u64) -> Result<bool, Trouble> {
        let mut is_known = true;
        for word in 0..self.waiting.len() {
            while self.waiting[word] != 0 {
                let part = word * 64 + self.waiting[word].trailing_zeros() as usize;
                self.waiting[word] &= self.waiting[word] - 1;
                let (left, right) = tables.shape.halves(part);
                let node = pair(self.values[left], self.values[right]);
                let h = hash(node);
                let place = tables.shape.place(part);
                let mut known = self.memo.get(part, node, h);
                if known.is_none() && (place.parent != NONE || tables.common.is_some()) {
                    known = Some(self.node_id(tables, part, node, h)?);
                }
                let before = self.values[part];
                match known {
                    Some(id) if place.parent != NONE => self.change(part, id, place.parent),
                    Some(id) if !place.field.holds(id) => return Err(Trouble::TooMany),
                    Some(id) => *root ^= place.field.put(id ^ before),
                    None => {
                        tables.inner.prefetch_bucket(h);
                        *root ^= place.field.put(before);
                        let row = self.found.len() as u32;
                        self.unknown.push(Unknown { node, hash: h, row, part: part as u32 });
                        is_known = false;
                    }
                }
            }
        }
        while let Some((part, value)) = self.changed.pop() {
            self.values[part as usize] = value;
        }
        Ok(is_known)
    }

    /// A part of the row at hand has another value than that of the loaded row.
    #[inline(always)]
    fn change(&mut self, part: usize, value: u32, parent: u32) {
        self.changed.push((part as u32, self.values[part]));
        self.values[part] = value;
        self.waiting[parent as usize / 64] |= 1 << (parent % 64);
    }

    /// Forgets what a row has begun that could not be ended.
    #[cold]
    pub(super) fn forget_row(&mut self) {
        self.waiting.fill(0);
        while let Some((part, value)) = self.changed.pop() {
            self.values[part as usize] = value;
        }
        self.unknown_before(self.found.len());
    }

    /// Forgets what is unknown of the rows from this one on.
    pub(super) fn unknown_before(&mut self, row: usize) {
        self.unknown.retain(|unknown| (unknown.row as usize) < row);
    }

    /// Forgets the rows that were taken in.
    #[cold]
    pub(super) fn forget_all(&mut self) {
        self.found.clear();
        self.unknown.clear();
    }

    /// The ids of the rows that were taken in, in their order.
    #[inline(always)]
    pub(super) fn look_up(
        &mut self,
        tables: &mut Tables,
        take: &mut impl FnMut(SystemId),
    ) -> Result<(), Full> {
        if !self.unknown.is_empty()
            && let Err(full) = self.find_unknown(tables)
        {
            self.forget_all();
            return Err(full);
        }
        for found in &self.found {
            tables.roots.prefetch_pair(found.hash);
        }
        for found in &self.found {
            take(tables.roots.intern(found.root, found.hash));
        }
        self.found.clear();
        Ok(())
    }

    /// Looks up the parts of roots that are not known yet.
    #[inline(always)]
    pub(super) fn find_unknown(&mut self, tables: &mut Tables) -> Result<(), Full> {
        for unknown in &self.unknown {
            tables.inner.prefetch_pair(unknown.hash);
        }
        for at in 0..self.unknown.len() {
            let Unknown { node, hash: of_node, row, part } = self.unknown[at];
            let id = self.node_id(tables, part as usize, node, of_node)?;
            let found = &mut self.found[row as usize];
            // Without threads, fields of pairs hold any value.
            found.root |= tables.shape.place(part as usize).field.put(id);
            // The second of two unknown parts puts it right.
            found.hash = tables.ask_for(found.root);
        }
        self.unknown.clear();
        Ok(())
    }
}

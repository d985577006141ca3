//! From rows to roots, and from roots to ids.

use super::differ::{AT_ONCE, differing};
use super::{NONE, Tree};
use crate::pairs::{hash, pair};
use lariat_core::{Full, SystemId, Word};

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
    shift: u32,
}

/// Why a row has no root.
enum Trouble {
    Full,
    /// A group has more values than its field of the root can tell apart.
    TooMany,
}

impl From<Full> for Trouble {
    fn from(_: Full) -> Self {
        Trouble::Full
    }
}

impl Tree {
    /// Finds the roots of rows and asks for their buckets. If the shape must change, the ids
    /// of the rows up to there are taken at once.
    #[inline(always)]
    pub(super) fn find_rows<'b>(
        &mut self,
        mut rows: impl ExactSizeIterator<Item = &'b [Word]>,
        take: &mut impl FnMut(SystemId),
    ) -> Result<(), Full> {
        self.make_root_room(rows.len())?;
        while let Some(row) = rows.next() {
            while let Err(trouble) = self.find_root(row) {
                self.forget_row();
                if let Trouble::Full = trouble {
                    self.forget_all();
                    return Err(Full);
                }
                self.look_up(take)?;
                self.make_fields_fit()?;
                self.make_root_room(rows.len() + 1)?;
            }
        }
        Ok(())
    }

    /// Finds the root of a row and asks for its bucket, or asks for the pairs below it.
    #[inline(always)]
    fn find_root(&mut self, row: &[Word]) -> Result<(), Trouble> {
        let mut root = self.root;
        let mut first = 0;
        // Words from here on are not looked at yet.
        let mut from = 0;
        while first < self.row.len() {
            let end = self.row.len().min(first + AT_ONCE);
            let mut bits = differing(&row[first..end], &self.row[first..end]);
            if from > first {
                bits &= u64::MAX.checked_shl((from - first) as u32).unwrap_or(0);
            }
            while bits != 0 {
                let group = self.shape.group_of(first + bits.trailing_zeros() as usize);
                let place = self.shape.place(group);
                let words = place.start as usize..place.end as usize;
                from = words.end;
                bits &= u64::MAX.checked_shl((from - first) as u32).unwrap_or(0);
                let value = match &self.groups[group] {
                    None => row[words.start],
                    Some(values) => match values.find(&row[words.clone()]) {
                        Ok(id) => id,
                        Err(hash) => self.add_to_group(group, &row[words], hash)?,
                    },
                };
                if place.parent == NONE {
                    if !place.field.holds(value) {
                        return Err(Trouble::TooMany);
                    }
                    root ^= u64::from(value ^ self.values[group]) << place.field.shift;
                } else {
                    self.change(group, value, place.parent);
                }
            }
            first = end;
        }
        let mut is_known = true;
        if !self.shape.is_flat() {
            is_known = self.climb(&mut root)?;
        }
        let mut h = 0;
        if is_known {
            // On its way while the next row is looked at.
            h = hash(root);
            self.roots.prefetch_bucket(h);
        }
        self.found.push(Found { root, hash: h });
        Ok(())
    }

    /// Looks up the pairs above changed parts. If one right below the root is not at hand, it
    /// is asked for, its bits in the root are 0, and the root is not known.
    #[inline(always)]
    fn climb(&mut self, root: &mut u64) -> Result<bool, Full> {
        let mut is_known = true;
        for word in 0..self.waiting.len() {
            while self.waiting[word] != 0 {
                let part = word * 64 + self.waiting[word].trailing_zeros() as usize;
                self.waiting[word] &= self.waiting[word] - 1;
                let (left, right) = self.shape.halves(part);
                let node = pair(self.values[left], self.values[right]);
                let h = hash(node);
                let place = self.shape.place(part);
                let known = self.memo.get(node, h);
                if place.parent != NONE {
                    let value = match known {
                        Some(id) => id,
                        None => self.node_id(node, h)?,
                    };
                    self.change(part, value, place.parent);
                    continue;
                }
                // Fields of pairs hold any value.
                let shift = place.field.shift;
                let before = u64::from(self.values[part]);
                match known {
                    Some(id) => *root ^= (u64::from(id) ^ before) << shift,
                    None => {
                        self.inner.prefetch_bucket(h);
                        *root ^= before << shift;
                        let row = self.found.len() as u32;
                        self.unknown.push(Unknown { node, hash: h, row, shift });
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
    fn forget_row(&mut self) {
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

    /// Whether something is unknown of the rows from this one on.
    pub(super) fn has_unknown_from(&self, row: usize) -> bool {
        self.unknown.last().is_some_and(|unknown| unknown.row as usize >= row)
    }

    /// Forgets the rows that were taken in.
    #[cold]
    pub(super) fn forget_all(&mut self) {
        self.found.clear();
        self.unknown.clear();
    }

    /// The ids of the rows that were taken in, in their order.
    #[inline(always)]
    pub(super) fn look_up(&mut self, take: &mut impl FnMut(SystemId)) -> Result<(), Full> {
        if !self.unknown.is_empty()
            && let Err(full) = self.find_unknown()
        {
            self.forget_all();
            return Err(full);
        }
        for found in &self.found {
            self.roots.prefetch_pair(found.hash);
        }
        for found in &self.found {
            take(self.roots.intern(found.root, found.hash));
        }
        self.found.clear();
        Ok(())
    }

    /// Looks up the parts of roots that are not known yet.
    #[inline(always)]
    fn find_unknown(&mut self) -> Result<(), Full> {
        for unknown in &self.unknown {
            self.inner.prefetch_pair(unknown.hash);
        }
        for at in 0..self.unknown.len() {
            let Unknown { node, hash: of_node, row, shift } = self.unknown[at];
            let id = self.node_id(node, of_node)?;
            let found = &mut self.found[row as usize];
            found.root |= u64::from(id) << shift;
            // The second of two unknown parts puts it right.
            found.hash = hash(found.root);
            self.roots.prefetch_bucket(found.hash);
        }
        self.unknown.clear();
        Ok(())
    }
}

//! When the shape of the trees changes, and how.

use super::Tree;
use super::group::Group;
use super::plan::{self, LEAST_BITS, bits_for, spread};
use super::shape::{Field, Shape, WHOLE};
use lariat_core::{Batch, Flat, Full, SystemStore, Word, makes_mistake};

/// One state of so many is looked at for that, within these bounds.
const SAMPLE_PART: usize = 16;
const SAMPLE: (usize, usize) = (1 << 12, 1 << 15);

impl Tree {
    /// Looks for a better shape, if it is time and there is something to gain.
    #[cold]
    pub(super) fn reconsider_shape(&mut self) {
        if !self.tables.is_time_to_plan() {
            return;
        }
        let (rows, width) = (self.sample(), self.tables.shape.row_width());
        let is_early = self.tables.tuning.is_early();
        let shape = plan::shape(&rows, width, &self.tables.classes, is_early);
        if let Ok(tree) = self.reshaped(shape) {
            *self = tree;
        }
    }

    /// Rows of some states.
    fn sample(&mut self) -> Vec<Word> {
        let (len, width) = (self.tables.roots.len(), self.tables.shape.row_width());
        let sample = (len / SAMPLE_PART).clamp(SAMPLE.0, SAMPLE.1).min(len);
        let mut rows = Vec::with_capacity(sample * width);
        for at in 0..sample {
            rows.extend_from_slice(self.load((at * len / sample) as u64));
        }
        rows
    }

    /// The same states in another shape, if old and new together are allowed. Another row is
    /// the loaded one then, here and there: the batch at hand takes longer to compare.
    fn reshaped(&mut self, shape: Shape) -> Result<Tree, Full> {
        const TOGETHER: usize = 64;
        let mut tree = Tree::with_shape(shape);
        tree.tables.roots = tree.tables.roots.with_limits_of(&self.tables.roots);
        tree.limit_bytes(self.tables.limit.saturating_sub(self.tables.bytes()));
        tree.tables.tuning = self.tables.tuning;
        tree.tables.next_plan = usize::MAX;
        // What does not fit on the way is halved.
        tree.tables.last_overflow = usize::MAX / 2;
        let (mut batch, mut ids) = (Flat::new(self.worker.row.len(), usize::MAX), Vec::new());
        for first in (0..self.len()).step_by(TOGETHER) {
            batch.clear();
            for id in first..self.len().min(first + TOGETHER) {
                batch.push_copy(self.load(id as u64));
            }
            tree.intern_all(&batch, &mut ids)?;
            tree.load(first as u64);
            ids.clear();
        }
        assert_eq!(tree.len(), self.len(), "the same states have the same ids");
        let (old, new) = (&mut self.tables, &mut tree.tables);
        new.classes = std::mem::take(&mut old.classes);
        new.shapes = old.shapes + 1;
        new.limit = old.limit;
        (new.next_plan, new.plans) = (old.next_plan, old.plans);
        new.last_overflow = old.last_overflow;
        Ok(tree)
    }

    /// The bits of a root are not enough for these groups: others are made, larger and fewer
    /// ones. If that was not long ago, pairs are made of groups, which have fields for any value.
    fn make_other_fields(&mut self) -> Result<(), Full> {
        let (rows, width, len) =
            (self.sample(), self.tables.shape.row_width(), self.tables.roots.len());
        let is_early = self.tables.tuning.is_early();
        let shape = match len > self.tables.last_overflow + self.tables.last_overflow / 4 {
            true => plan::shape(&rows, width, &self.tables.classes, is_early),
            false => plan::halved(&rows, width, is_early),
        };
        *self = self.reshaped(shape)?;
        self.tables.last_overflow = len;
        Ok(())
    }

    /// A group has more values than its field can tell apart: the bits of the roots are divided
    /// anew, or other groups are made.
    #[cold]
    pub(super) fn make_fields_fit(&mut self) -> Result<(), Full> {
        let fields = |shape: &Shape| -> Vec<Field> {
            shape.tops().iter().map(|&top| shape.place(top as usize).field).collect()
        };
        let needed = |spare: u32| -> Vec<u32> {
            let of_top = |&top: &u32| match self.tables.groups.get(top as usize) {
                Some(Some(group)) => (bits_for(Group::len(group)) + spare).max(LEAST_BITS),
                _ => WHOLE,
            };
            self.tables.shape.tops().iter().map(of_top).collect()
        };
        let is_early = self.tables.tuning.is_early();
        let spares: &[u32] = if is_early { &[1] } else { &[3, 2, 1] };
        let Some(bits) = spares.iter().find_map(|&spare| spread(&needed(spare), is_early)) else {
            return self.make_other_fields();
        };
        let old = fields(&self.tables.shape);
        self.tables.shape.set_bits(&bits);
        let new = fields(&self.tables.shape);
        let moved = |root: u64| {
            let both = old.iter().zip(&new);
            let wrong = u32::from(makes_mistake("reshape-bits"));
            both.fold(0, |moved, (old, new)| moved | u64::from(old.get(root) & !wrong) << new.shift)
        };
        self.tables.roots.change_all(moved);
        self.tables.shapes += 1;
        self.worker.root = moved(self.worker.root);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was learned stays, and other fields can be made at any time.
    #[test]
    fn begins_anew_after_forgetting() {
        let width = 12;
        let row = |at: u32| -> Vec<Word> { (0..12).map(|word| at * (word + 1) % 97).collect() };
        let mut tree = Tree::new(width);
        for at in 0..20_000 {
            tree.intern(&row(at)).unwrap();
        }
        let states = tree.len() as u64;
        for kept in [0, 1, 50] {
            tree.forget_states();
            assert_eq!(tree.len(), 0);
            for at in 0..kept {
                assert_eq!(tree.intern(&row(at)), Ok(at.into()));
            }
            tree.make_other_fields().unwrap();
            for at in 0..20_000 {
                let id = tree.intern(&row(at)).unwrap();
                assert_eq!(tree.load(id), row(at));
            }
            assert_eq!(tree.len() as u64, states);
        }
    }

    /// A second overflow soon after the first one: two fields for any value, the same states.
    #[test]
    fn groups_are_halved_in_the_end() {
        let width = 10;
        let row = |at: u32| -> Vec<Word> { (0..10).map(|word| at >> word & 3).collect() };
        let mut tree = Tree::new(width);
        for at in 0..10_000 {
            assert_eq!(tree.intern(&row(at % 2_000)), Ok(u64::from(at % 2_000)));
        }
        tree.tables.last_overflow = tree.len();
        tree.make_other_fields().unwrap();
        let tops = tree.tables.shape.tops().iter();
        assert!(
            tops.map(|&top| tree.tables.shape.place(top as usize).field.bits).eq([WHOLE, WHOLE])
        );
        for at in 0..2_000 {
            assert_eq!(tree.load(at.into()), row(at));
            assert_eq!(tree.intern(&row(at)), Ok(at.into()));
        }
    }
}

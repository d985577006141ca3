//! When the shape of the trees changes, and how.

use super::plan::{self, LEAST_BITS, bits_for, spread};
use super::shape::{Field, Shape, WHOLE};
use super::{Group, Tree};
use lariat_core::{Batch, Flat, Full, SystemStore, Word, makes_mistake};

/// A better shape is looked for when there are so many times the states of the first plan.
const PLANS: [usize; 4] = [1, 1 << 4, 1 << 7, 1 << 10];
/// After the first time only if there are more nodes than one for so many states.
const STATES_PER_NODE: usize = 16;
/// One state of so many is looked at for that, within these bounds.
const SAMPLE_PART: usize = 16;
const SAMPLE: (usize, usize) = (1 << 12, 1 << 15);

impl Tree {
    /// More is known of the words than when the shape was made.
    pub(super) fn plan_anew(&mut self) {
        self.plans = 0;
        self.next_plan = self.tuning.first_plan;
    }

    /// Looks for a better shape, if it is time and there is something to gain.
    #[cold]
    pub(super) fn reconsider_shape(&mut self) {
        let len = self.roots.len();
        let is_first = self.plans == 0;
        while self.next_plan <= len {
            self.plans += 1;
            let times = PLANS.get(self.plans).copied().unwrap_or(usize::MAX);
            self.next_plan = self.tuning.first_plan.saturating_mul(times);
        }
        if self.shape.width() > 2 && (is_first || self.inner_len() > len / STATES_PER_NODE) {
            let (rows, width) = (self.sample(), self.shape.width());
            let shape = plan::shape(&rows, width, &self.classes, self.tuning.is_early());
            if let Ok(tree) = self.reshaped(shape) {
                *self = tree;
            }
        }
    }

    /// Rows of some states.
    fn sample(&mut self) -> Vec<Word> {
        let (len, width) = (self.roots.len(), self.shape.width());
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
        tree.roots = tree.roots.with_limits_of(&self.roots);
        tree.limit = self.limit.saturating_sub(self.bytes());
        tree.tuning = self.tuning;
        tree.next_plan = usize::MAX;
        // What does not fit on the way is halved.
        tree.last_overflow = usize::MAX / 2;
        let (mut batch, mut ids) = (Flat::new(self.row.len(), usize::MAX), Vec::new());
        for first in (0..self.roots.len()).step_by(TOGETHER) {
            batch.clear();
            for id in first..self.roots.len().min(first + TOGETHER) {
                batch.push_copy(self.load(id as u64));
            }
            tree.intern_all(&batch, &mut ids)?;
            tree.load(first as u64);
            ids.clear();
        }
        assert_eq!(tree.len(), self.len(), "the same states have the same ids");
        tree.tags = std::mem::take(&mut self.tags);
        tree.steps = std::mem::take(&mut self.steps);
        tree.classes = std::mem::take(&mut self.classes);
        tree.shapes = self.shapes + 1;
        tree.limit = self.limit;
        (tree.next_plan, tree.plans) = (self.next_plan, self.plans);
        tree.last_overflow = self.last_overflow;
        Ok(tree)
    }

    /// The bits of a root are not enough for these groups: others are made, larger and fewer
    /// ones. If that was not long ago, pairs are made of groups, which have fields for any value.
    fn make_other_fields(&mut self) -> Result<(), Full> {
        let (rows, width, len) = (self.sample(), self.shape.width(), self.roots.len());
        let is_early = self.tuning.is_early();
        let shape = match len > self.last_overflow + self.last_overflow / 4 {
            true => plan::shape(&rows, width, &self.classes, is_early),
            false => plan::halved(&rows, width, is_early),
        };
        *self = self.reshaped(shape)?;
        self.last_overflow = len;
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
            let of_top = |&top: &u32| match self.groups.get(top as usize) {
                Some(Some(group)) => (bits_for(Group::len(group)) + spare).max(LEAST_BITS),
                _ => WHOLE,
            };
            self.shape.tops().iter().map(of_top).collect()
        };
        let is_early = self.tuning.is_early();
        let spares: &[u32] = if is_early { &[1] } else { &[3, 2, 1] };
        let Some(bits) = spares.iter().find_map(|&spare| spread(&needed(spare), is_early)) else {
            return self.make_other_fields();
        };
        let old = fields(&self.shape);
        self.shape.set_bits(&bits);
        let new = fields(&self.shape);
        let moved = |root: u64| {
            let both = old.iter().zip(&new);
            let wrong = u32::from(makes_mistake("reshape-bits"));
            both.fold(0, |moved, (old, new)| moved | u64::from(old.get(root) & !wrong) << new.shift)
        };
        self.roots.change_all(moved);
        self.shapes += 1;
        self.root = moved(self.root);
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
        tree.last_overflow = tree.len();
        tree.make_other_fields().unwrap();
        let tops = tree.shape.tops().iter();
        assert!(tops.map(|&top| tree.shape.place(top as usize).field.bits).eq([WHOLE, WHOLE]));
        for at in 0..2_000 {
            assert_eq!(tree.load(at.into()), row(at));
            assert_eq!(tree.intern(&row(at)), Ok(at.into()));
        }
    }
}

//! Which shape suits the states of a model: found from a sample of them.
//!
//! A tree is small if its nodes have few different values. Neighbouring parts that vary
//! together, or hardly, belong into one node; where the row is cut into halves decides whether
//! there are a few thousand nodes below the roots or as many as roots.
//!
//! - Bottom up: of all neighbours those with the fewest different values together are joined,
//!   as long as these are few; such a part is looked up as a whole.
//! - If the parts that are left fit into the 64 bits of a root, that is all.
//! - Else the cheapest tree over some or all of them is found by dynamic programming over their
//!   intervals, as for the order of a product of matrices.

use super::cells::Cells;
use super::shape::{ROOT, RowPart, Shape, WHOLE};
use crate::pairs::{hash, pair};
use lariat_core::Word;

/// A better shape is looked for when there are so many times the states of the first plan.
pub(super) const TIMES: [usize; 4] = [1, 1 << 4, 1 << 7, 1 << 10];
/// After the first time only if there are more nodes than one for so many states.
pub(super) const STATES_PER_NODE: usize = 16;
/// A group has at most one value for so many rows of the sample, and at most so many values.
const ROWS_PER_VALUE: usize = 8;
const MOST_VALUES: u32 = 1 << 11;
/// A word with more than one value for so many rows of the sample is its own value.
const ROWS_PER_WORD: usize = 4;
/// Words of a group; more only if they never change.
const MOST_WORDS: usize = 32;
/// Parts that the cheapest tree is sought for.
const PARTS: usize = 12;

/// What the sample says of a part: for each row which of its values it has.
#[derive(Clone, Debug)]
struct Column {
    /// The place in the list of parts.
    part: usize,
    words: usize,
    values: Vec<u32>,
    /// How many different values.
    count: u32,
}

/// Bits that a group's field has beyond those of the values in the sample, at least.
const SPARE_BITS: u32 = 3;
/// Bits that every field has.
pub(super) const LEAST_BITS: u32 = 1;
/// Bits of a field that are enough for any group.
const MOST_BITS: u32 = 28;

/// The bits of numbers below `count`.
pub(super) fn bits_for(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

/// The bits of each field: what is needed, and an even part of what is left for those that
/// can grow. None if they do not fit into a root.
/// `is_early` leaves the rest alone, so that fields are soon too small.
pub(super) fn spread(needed: &[u32], is_early: bool) -> Option<Vec<u32>> {
    let mut left = ROOT.checked_sub(needed.iter().sum())?;
    let mut bits = needed.to_vec();
    if is_early {
        return Some(bits);
    }
    let mut growing = needed.iter().filter(|&&bits| bits < MOST_BITS).count() as u32;
    for bits in bits.iter_mut().filter(|bits| **bits < MOST_BITS) {
        let more = (left / growing).min(MOST_BITS - *bits);
        *bits += more;
        left -= more;
        growing -= 1;
    }
    Some(bits)
}

/// What is known of a row's parts while the shape is made.
struct ShapePlan {
    parts: Vec<RowPart>,
    /// The parts that are not halves of others, in the order of the words.
    columns: Vec<Column>,
    join: Join,
    /// A group has at most so many values, and so many bits more than it needs.
    few: u32,
    spare: u32,
    is_early: bool,
}

/// Times as many values as [`few`], and bits to spare: larger groups, and less room to grow, are
/// better than pairs.
const TRIES: [(u32, u32); 4] = [(1, SPARE_BITS), (4, SPARE_BITS), (4, 2), (16, 1)];
const EARLY_TRIES: [(u32, u32); 3] = [(1, 0), (4, 0), (16, 0)];

/// The shape for rows like these. `classes`: by byte, or empty.
pub(super) fn shape(rows: &[Word], width: usize, classes: &[u32], is_early: bool) -> Shape {
    let Some((cells, classes)) = Cells::of(classes) else {
        let of_words: Vec<u32> = classes.iter().copied().step_by(size_of::<Word>()).collect();
        return shape_of_words(rows, width, &of_words, is_early);
    };
    let mut apart = vec![0; rows.len() / width * cells.len()];
    for (row, apart) in rows.chunks(width).zip(apart.chunks_mut(cells.len())) {
        cells.spread(row, 0..cells.len(), apart);
    }
    shape_of_words(&apart, cells.len(), &classes, is_early).with_cells(Some(cells))
}

/// The same, of words or cells. `classes`: of these, or empty.
fn shape_of_words(rows: &[Word], width: usize, classes: &[u32], is_early: bool) -> Shape {
    let mut plan = ShapePlan::new(rows, width, is_early);
    let tries = if is_early { &EARLY_TRIES[..] } else { &TRIES[..] };
    for &(times, spare) in tries {
        plan.few = plan.few.max(few(rows, width, is_early) * times);
        plan.spare = spare;
        plan.join_groups(classes);
        if plan.fits() {
            let tops: Vec<usize> = plan.columns.iter().map(|column| column.part).collect();
            return plan.finish(&tops);
        }
    }
    plan.join_to_few();
    let tops = plan.cheapest_tree(true);
    plan.finish(&tops)
}

/// Values of a group, for a start.
fn few(rows: &[Word], width: usize, is_early: bool) -> u32 {
    let rows_per_value = if is_early { 1 } else { ROWS_PER_VALUE };
    MOST_VALUES.min((rows.len() / width / rows_per_value) as u32).max(1)
}

/// A shape for rows like these whose root has two halves, for any number of values.
pub(super) fn halved(rows: &[Word], width: usize, is_early: bool) -> Shape {
    let mut plan = ShapePlan::new(rows, width, is_early);
    plan.join_groups(&[]);
    plan.join_to_few();
    let tops = plan.cheapest_tree(false);
    let tops: Vec<_> = tops.into_iter().map(|top| (top, WHOLE)).collect();
    Shape::new(&plan.parts, &tops)
}

impl ShapePlan {
    fn new(rows: &[Word], width: usize, is_early: bool) -> Self {
        let rows_per_word = if is_early { 1 } else { ROWS_PER_WORD };
        let mut parts = Vec::with_capacity(2 * width);
        let mut columns = Vec::with_capacity(width);
        let mut join = Join::default();
        for word in 0..width {
            let (values, count) =
                join.values(rows.iter().skip(word).step_by(width).map(|&w| (w, 0)));
            columns.push(Column { part: parts.len(), words: 1, values, count });
            let is_group = count as usize * rows_per_word <= (rows.len() / width).max(16);
            parts.push(match is_group {
                true => RowPart::Group(word..word + 1),
                false => RowPart::Word(word),
            });
        }
        let few = few(rows, width, is_early);
        ShapePlan { parts, columns, join, few, spare: SPARE_BITS, is_early }
    }

    /// Joins neighbours with few values together, those with the fewest first. Words of
    /// different classes stay apart as long as there is room for it.
    fn join_groups(&mut self, classes: &[u32]) {
        if !classes.is_empty() {
            self.join_if(|words| words.windows(2).all(|two| two[0] == two[1]), classes, false);
        }
        self.join_if(|_| true, classes, !classes.is_empty());
    }

    fn join_if(&mut self, may_join: impl Fn(&[u32]) -> bool, classes: &[u32], until_it_fits: bool) {
        let mut counts = self.counts();
        loop {
            if until_it_fits && self.fits() {
                return;
            }
            let ShapePlan { parts, columns, few, .. } = &*self;
            let is_group = |&at: &usize| {
                let (left, right) = (&columns[at], &columns[at + 1]);
                let both = (&parts[left.part], &parts[right.part]);
                let class = |part: &RowPart| match part {
                    RowPart::Group(words) => words.clone(),
                    RowPart::Word(word) => *word..word + 1,
                    RowPart::Pair(..) => 0..0,
                };
                let words = class(both.0).start..class(both.1).end;
                counts[at] <= *few
                    && may_join(classes.get(words).unwrap_or(&[]))
                    && (left.words + right.words <= MOST_WORDS || counts[at] == 1)
                    && matches!(both, (RowPart::Group(_), RowPart::Group(_)))
            };
            let best = (0..counts.len()).filter(is_group).min_by_key(|&at| counts[at]);
            let Some(at) = best.filter(|_| columns.len() > 2) else { return };
            let (left, right) = (&parts[columns[at].part], &parts[columns[at + 1].part]);
            let (RowPart::Group(left), RowPart::Group(right)) = (left, right) else { return };
            let part = RowPart::Group(left.start..right.end);
            self.join(at, part, &mut counts);
        }
    }

    /// Joins neighbours to pairs until there are few parts, those with the fewest values first.
    fn join_to_few(&mut self) {
        let mut counts = self.counts();
        while self.columns.len() > PARTS {
            let best = (0..counts.len()).min_by_key(|&at| counts[at]);
            let at = best.expect("there are some parts");
            let part = RowPart::Pair(self.columns[at].part, self.columns[at + 1].part);
            self.join(at, part, &mut counts);
        }
    }

    /// Values of neighbours together.
    fn counts(&mut self) -> Vec<u32> {
        let ShapePlan { columns, join, .. } = self;
        columns.windows(2).map(|two| join.count(&two[0], &two[1])).collect()
    }

    /// Two neighbours become one column, which is this part.
    fn join(&mut self, at: usize, part: RowPart, counts: &mut Vec<u32>) {
        let ShapePlan { parts, columns, join, .. } = self;
        let (left, right) = (&columns[at], &columns[at + 1]);
        let words = left.words + right.words;
        let (values, count) = join.both(left, right);
        columns[at] = Column { part: parts.len(), words, values, count };
        parts.push(part);
        columns.remove(at + 1);
        counts.remove(at);
        for neighbour in [at.checked_sub(1), Some(at)].into_iter().flatten() {
            if let Some(count) = counts.get_mut(neighbour) {
                *count = join.count(&columns[neighbour], &columns[neighbour + 1]);
            }
        }
    }

    /// Bits that a column needs in a root.
    fn needed(&self, column: &Column) -> u32 {
        match self.parts[column.part] {
            RowPart::Group(_) => (bits_for(column.count as usize) + self.spare).max(LEAST_BITS),
            RowPart::Word(_) | RowPart::Pair(..) => WHOLE,
        }
    }

    /// Whether a root can hold all columns.
    fn fits(&self) -> bool {
        self.columns.iter().map(|column| self.needed(column)).sum::<u32>() <= ROOT
    }

    fn finish(&self, tops: &[usize]) -> Shape {
        let needed = |&top: &usize| match self.columns.iter().find(|column| column.part == top) {
            Some(column) => self.needed(column),
            None => WHOLE,
        };
        let needed: Vec<u32> = tops.iter().map(needed).collect();
        let bits = spread(&needed, self.is_early).expect("chosen so that they fit");
        let tops: Vec<_> = tops.iter().copied().zip(bits).collect();
        Shape::new(&self.parts, &tops)
    }

    /// The parts of the root with the fewest nodes below: two halves, or, if `may_mix`, a tree
    /// over some columns beside the others.
    fn cheapest_tree(&mut self, may_mix: bool) -> Vec<usize> {
        let len = self.columns.len();
        if len <= 2 {
            return self.columns.iter().map(|column| column.part).collect();
        }
        // By first column and number of columns: nodes of the cheapest tree, and where it is cut.
        let mut best = vec![vec![(0_u64, 0_usize); len + 1]; len];
        let mut own = vec![vec![0_u64; len + 1]; len];
        for first in 0..len {
            let mut column = self.columns[first].clone();
            for last in first + 1..len {
                let (values, count) = self.join.both(&column, &self.columns[last]);
                column = Column { values, count, ..column };
                own[first][last + 1 - first] = u64::from(count);
            }
        }
        for size in 2..=len {
            for first in 0..=len - size {
                let cost = |cut: usize| best[first][cut].0 + best[first + cut][size - cut].0;
                let cut = (1..size).min_by_key(|&cut| cost(cut)).expect("more than one column");
                let whole = if size == len { 0 } else { own[first][size] };
                best[first][size] = (cost(cut) + whole, cut);
            }
        }
        let needed: Vec<u32> = self.columns.iter().map(|column| self.needed(column)).collect();
        let beside = |first: usize, size: usize| {
            needed[..first].iter().chain(&needed[first + size..]).sum::<u32>() <= ROOT - WHOLE
        };
        let intervals = (2..len).flat_map(|size| (0..=len - size).map(move |first| (first, size)));
        let mixed = intervals
            .filter(|&(first, size)| may_mix && beside(first, size))
            .min_by_key(|&(first, size)| best[first][size].0);
        let (cost, cut) = best[0][len];
        let mut build = |first: usize, size: usize| self.build(&best, first, size);
        match mixed.filter(|&(first, size)| best[first][size].0 <= cost) {
            Some((first, size)) => {
                let tree = build(first, size);
                let others = (0..first).chain(first + size..len);
                others.map(|at| self.columns[at].part).chain([tree]).collect()
            }
            None => vec![build(0, cut), build(cut, len - cut)],
        }
    }

    /// The part for an interval of columns.
    fn build(&mut self, best: &[Vec<(u64, usize)>], first: usize, size: usize) -> usize {
        // Intervals whose halves are not made yet, each above its halves.
        let (mut waiting, mut made) = (vec![(first, size, false)], Vec::new());
        while let Some((first, size, has_halves)) = waiting.pop() {
            let cut = best[first][size].1;
            if size == 1 {
                made.push(self.columns[first].part);
            } else if has_halves {
                let (right, left) = (made.pop(), made.pop());
                let (Some(left), Some(right)) = (left, right) else { unreachable!("made before") };
                made.push(self.parts.len());
                self.parts.push(RowPart::Pair(left, right));
            } else {
                waiting.push((first, size, true));
                waiting.push((first + cut, size - cut, false));
                waiting.push((first, cut, false));
            }
        }
        made[0]
    }
}

/// Numbers the different pairs of values of two columns.
#[derive(Default)]
pub(super) struct Join {
    /// Pair and number + 1; 0 is free.
    slots: Vec<(u64, u32)>,
}

impl Join {
    fn both(&mut self, left: &Column, right: &Column) -> (Vec<u32>, u32) {
        self.values(left.values.iter().copied().zip(right.values.iter().copied()))
    }

    fn count(&mut self, left: &Column, right: &Column) -> u32 {
        if left.count == 1 || right.count == 1 {
            return left.count.max(right.count);
        }
        self.both(left, right).1
    }

    pub(super) fn values(&mut self, pairs: impl Iterator<Item = (u32, u32)>) -> (Vec<u32>, u32) {
        let mut values = Vec::with_capacity(pairs.size_hint().0);
        let mut count = 0;
        self.slots.clear();
        self.slots.resize(1 << 6, (0, 0));
        for (left, right) in pairs {
            let pair = pair(left, right);
            let slot = self.slot(pair);
            if self.slots[slot].1 == 0 {
                count += 1;
                self.slots[slot] = (pair, count);
                if count as usize * 2 > self.slots.len() {
                    self.grow();
                }
                values.push(count - 1);
            } else {
                values.push(self.slots[slot].1 - 1);
            }
        }
        (values, count)
    }

    /// Where a pair is, or belongs.
    fn slot(&self, pair: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(pair) as usize & mask;
        while self.slots[slot].1 != 0 && self.slots[slot].0 != pair {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let len = self.slots.len() * 4;
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); len]);
        for (pair, value) in old.into_iter().filter(|&(_, value)| value != 0) {
            let slot = self.slot(pair);
            self.slots[slot] = (pair, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two counters that are independent of each other, each with two words that follow it:
    /// whatever varies together stays together.
    #[test]
    fn cuts_between_independent_parts() {
        let (mut rows, width) = (Vec::new(), 7);
        for at in 0..4096_u32 {
            let (left, right) = (at % 64, at / 64);
            rows.extend([9, left, left * 3, left ^ 5, right, right + 1, right * right]);
        }
        let shape = shape(&rows, width, &[], false);
        let groups: Vec<_> = (0..shape.groups()).map(|group| shape.words(group)).collect();
        assert_eq!(groups, [0..4, 4..7]);
        assert_eq!(shape.tops(), [0, 1]);
    }

    /// Words with very many values are left alone, and everything is covered once.
    #[test]
    fn every_word_is_in_one_group() {
        let mut random = fastrand::Rng::with_seed(77);
        for width in [1, 2, 3, 5, 12, 13, 40, 100] {
            let mut rows = Vec::new();
            for _ in 0..1000 {
                for word in 0..width {
                    rows.push(random.u32(..[1, 2, 50, 1 << 30][word % 4]));
                }
            }
            let shape = shape(&rows, width, &[], false);
            let words = (0..shape.groups()).flat_map(|group| shape.words(group));
            assert!(words.eq(0..width), "width {width}");
        }
    }
}

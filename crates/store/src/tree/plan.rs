//! Which shape suits the states of a model: found from a sample of them.
//!
//! A tree is small if its nodes have few different values. Neighbouring parts that vary
//! together, or hardly, belong into one node; where the row is cut into halves decides whether
//! there are a few thousand nodes below the roots or as many as roots.
//!
//! - Bottom up: of all neighbours those with the fewest different values together are joined,
//!   as long as these are few; such a part is looked up as a whole.
//! - Of the parts that are left, the cheapest tree is found by dynamic programming over all
//!   their intervals, as for the order of a product of matrices.

use super::shape::{Part, Shape};
use crate::pairs::{hash, pair};
use lariat_core::Word;

/// A group has at most one value for so many rows of the sample, and at most so many values.
const ROWS_PER_VALUE: usize = 8;
const MOST_VALUES: u32 = 1 << 11;
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

/// The shape for rows like these.
pub(super) fn shape(rows: &[Word], width: usize) -> Shape {
    let mut parts = Vec::with_capacity(2 * width);
    let mut columns = Vec::with_capacity(width);
    let mut join = Join::default();
    let few = MOST_VALUES.min((rows.len() / width / ROWS_PER_VALUE) as u32).max(1);
    for word in 0..width {
        let (values, count) = join.values(rows.iter().skip(word).step_by(width).map(|&w| (w, 0)));
        columns.push(Column { part: parts.len(), words: 1, values, count });
        parts.push(Part::Group(word..word + 1));
    }
    let mut counts: Vec<u32> = columns.windows(2).map(|two| join.count(&two[0], &two[1])).collect();
    loop {
        let is_group = |at: usize| {
            let (left, right) = (&columns[at], &columns[at + 1]);
            let both = (&parts[left.part], &parts[right.part]);
            counts[at] <= few
                && (left.words + right.words <= MOST_WORDS || counts[at] == 1)
                && matches!(both, (Part::Group(_), Part::Group(_)))
        };
        let best = (0..counts.len()).min_by_key(|&at| (!is_group(at), counts[at]));
        let Some(at) = best.filter(|_| columns.len() > 2) else { break };
        let is_group = is_group(at);
        if !is_group && columns.len() <= PARTS {
            break;
        }
        let (left, right) = (&columns[at], &columns[at + 1]);
        let words = left.words + right.words;
        let (values, count) = join.both(left, right);
        let part = match (&parts[left.part], &parts[right.part]) {
            (Part::Group(left), Part::Group(right)) if is_group => {
                Part::Group(left.start..right.end)
            }
            _ => Part::Pair(left.part, right.part),
        };
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
    let tops = cheapest_tree(&columns, &mut parts, &mut join);
    Shape::new(&parts, &tops)
}

/// The one or two parts below the root.
fn cheapest_tree(columns: &[Column], parts: &mut Vec<Part>, join: &mut Join) -> Vec<usize> {
    let len = columns.len();
    if len <= 2 {
        return columns.iter().map(|column| column.part).collect();
    }
    // By first column and number of columns: nodes of the cheapest tree, and where it is cut.
    let mut best = vec![vec![(0_u64, 0_usize); len + 1]; len];
    let mut own = vec![vec![0_u64; len + 1]; len];
    for first in 0..len {
        let mut column = columns[first].clone();
        for last in first + 1..len {
            let (values, count) = join.both(&column, &columns[last]);
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
    let mut build = |first: usize, size: usize| {
        // Intervals whose halves are not made yet, each above its halves.
        let (mut waiting, mut made) = (vec![(first, size, false)], Vec::new());
        while let Some((first, size, has_halves)) = waiting.pop() {
            let cut = best[first][size].1;
            if size == 1 {
                made.push(columns[first].part);
            } else if has_halves {
                let (right, left) = (made.pop(), made.pop());
                let (Some(left), Some(right)) = (left, right) else { unreachable!("made before") };
                made.push(parts.len());
                parts.push(Part::Pair(left, right));
            } else {
                waiting.push((first, size, true));
                waiting.push((first + cut, size - cut, false));
                waiting.push((first, cut, false));
            }
        }
        made[0]
    };
    let cut = best[0][len].1;
    vec![build(0, cut), build(cut, len - cut)]
}

/// Numbers the different pairs of values of two columns.
#[derive(Default)]
struct Join {
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

    fn values(&mut self, pairs: impl Iterator<Item = (u32, u32)>) -> (Vec<u32>, u32) {
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
        let shape = shape(&rows, width);
        let groups: Vec<_> = (0..shape.groups()).map(|group| shape.words(group)).collect();
        assert_eq!(groups, [0..4, 4..7]);
        assert_eq!(shape.tops(), [0, 1]);
    }

    /// Words with very many values are left alone, and everything is covered once.
    #[test]
    fn every_word_is_in_one_group() {
        let mut random = 77_u64;
        for width in [1, 2, 3, 5, 12, 13, 40, 100] {
            let mut rows = Vec::new();
            for _ in 0..1000 {
                for word in 0..width as u64 {
                    random =
                        random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let values = [1, 2, 50, 1 << 30][(word % 4) as usize];
                    rows.push(((random >> 33) % values) as Word);
                }
            }
            let shape = shape(&rows, width);
            let words = (0..shape.groups()).flat_map(|group| shape.words(group));
            assert!(words.eq(0..width), "width {width}");
        }
    }
}

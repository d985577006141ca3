//! Groups with very many values are cut in two, where threads share a tree.
//!
//! Each thread has all values of a group, with all their words. Once these are many, a value is kept as a pair of two smaller ones (`nodes`), which
//! all threads share. The pairs are given the numbers that the values had, so no root changes, and nothing that is remembered of
//! them. Nobody works meanwhile.

use super::group::Group;
use super::nodes::Known;
use super::plan::Join;
use crate::lines::Budget;
use crate::pairs::{hash, pair};
use lariat_core::{Full, makes_mistake};
use std::sync::Arc;

/// Values of a group, and bytes of their words, from which on it is cut.
const MANY: (usize, usize) = (1 << 12, 1 << 17);
const EARLY: (usize, usize) = (1 << 3, 1 << 6);
/// Values that are looked at to find the cut.
const SAMPLE: usize = 1 << 12;

/// The values of two halves, and the pairs that are the values of both.
pub(super) struct Cut {
    pub(super) word: usize,
    pub(super) halves: [Group; 2],
    pub(super) whole: Known,
}

/// Cuts a group of so many words, if it has many values.
pub(super) fn cut(
    group: &Group,
    width: usize,
    is_early: bool,
    budget: &Arc<Budget>,
) -> Result<Option<Cut>, Full> {
    let (values, bytes) = if is_early { EARLY } else { MANY };
    if width < 2 || group.len() < values || group.len() * width * 4 < bytes {
        return Ok(None);
    }
    let word = best_cut(group, width);
    let mut halves = [Group::new(word), Group::new(width - word)];
    let mut whole = Known::new(budget)?;
    for number in 0..group.len() as u32 {
        let (left, right) = group.get(number).split_at(word);
        let left = halves[0].number(left, budget)?;
        let right = halves[1].number(right, budget)?;
        let node = pair(left, if makes_mistake("split-half") { left } else { right });
        let given = whole.number(node, hash(node))?;
        assert!(given == number || makes_mistake("split-half"), "other values are other pairs");
    }
    Ok(Some(Cut { word, halves, whole }))
}

/// Where both halves have the fewest values together.
fn best_cut(group: &Group, width: usize) -> usize {
    let rows = || (0..group.len() as u32).step_by(group.len().div_ceil(SAMPLE));
    let mut join = Join::default();
    // By number of words: how many values the first ones have, and the others.
    let mut count = |words: &mut dyn Iterator<Item = usize>| {
        let mut known = vec![0; rows().len()];
        let mut counts = Vec::new();
        for word in words {
            let both = known.iter().copied().zip(rows().map(|row| group.get(row)[word]));
            let (values, count) = join.values(both);
            known = values;
            counts.push(count);
        }
        counts
    };
    let (left, mut right) = (count(&mut (0..width)), count(&mut (0..width).rev()));
    right.reverse();
    (1..width).min_by_key(|&word| left[word - 1] + right[word]).expect("there are two words")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_numbers() {
        let budget = Arc::new(Budget::unlimited());
        let mut group = Group::new(5);
        for at in 0..10_000_u32 {
            let row = [at % 90, 7, at % 90 + 1, at / 90, at / 90 * 3];
            assert_eq!(group.number(&row, &budget), Ok(at));
        }
        assert!(cut(&group, 1, true, &budget).unwrap().is_none());
        let Cut { word, halves, whole } = cut(&group, 5, false, &budget).unwrap().unwrap();
        assert_eq!((word, halves[0].len(), halves[1].len(), whole.len()), (3, 90, 112, 10_000));
        for at in 0..10_000 {
            let (left, right) = crate::pairs::halves(whole.get(at));
            assert_eq!([halves[0].get(left), halves[1].get(right)].concat(), group.get(at));
        }
    }
}

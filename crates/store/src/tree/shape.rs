//! The shape of the trees: which words are a group, and which parts are a node.
//!
//! ```text
//!   (6  3)               the root: the last one or two parts
//!    6                   pairs, each behind its halves
//!   4   5
//!  0 1 2 3               groups
//!  0 12 34 5             the words of the row
//! ```

use std::ops::Range;

/// A part of a row. Parts are numbered: groups in the order of the words, then pairs.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Neighbouring words. A single word is its own value; more have a table.
    Group(Range<usize>),
    /// Two parts beside each other.
    Pair(usize, usize),
}

#[derive(Debug)]
pub(super) struct Shape {
    groups: Vec<Range<u32>>,
    /// By word.
    group_of: Vec<u32>,
    /// The halves of the parts behind the groups.
    pairs: Vec<(u32, u32)>,
    /// By part; those of the root have none, told by [`NONE`].
    parents: Vec<u32>,
    tops: [u32; 2],
}

/// Not a part.
pub(super) const NONE: u32 = u32::MAX;

impl Shape {
    /// Every word by itself, and halves of equal size: for a start, when nothing is known.
    pub(super) fn even(width: usize) -> Self {
        assert!(width > 0, "a row has at least one word");
        let mut parts: Vec<Part> = (0..width).map(|word| Part::Group(word..word + 1)).collect();
        let mut tops: Vec<usize> = (0..width).collect();
        while tops.len() > 2 {
            let mut next = Vec::new();
            for pair in tops.chunks(2) {
                match *pair {
                    [left, right] => {
                        parts.push(Part::Pair(left, right));
                        next.push(parts.len() - 1);
                    }
                    _ => next.push(pair[0]),
                }
            }
            tops = next;
        }
        Shape::new(&parts, &tops)
    }

    /// The shape whose root is of these one or two parts, in any order and with others that do
    /// not belong to it; but a pair comes behind its halves.
    pub(super) fn new(parts: &[Part], tops: &[usize]) -> Self {
        let mut is_used = vec![false; parts.len()];
        tops.iter().for_each(|&top| is_used[top] = true);
        for (at, part) in parts.iter().enumerate().rev() {
            if let (Part::Pair(left, right), true) = (part, is_used[at]) {
                is_used[*left] = true;
                is_used[*right] = true;
            }
        }
        let used = || parts.iter().enumerate().filter(|&(at, _)| is_used[at]);
        let mut groups: Vec<(usize, &Range<usize>)> = Vec::new();
        for (at, part) in used() {
            if let Part::Group(words) = part {
                groups.push((at, words));
            }
        }
        groups.sort_by_key(|(_, words)| words.start);
        let mut numbers = vec![NONE; parts.len()];
        (0..).zip(&groups).for_each(|(number, &(at, _))| numbers[at] = number);
        let mut pairs = Vec::new();
        for (at, part) in used() {
            if let &Part::Pair(left, right) = part {
                numbers[at] = (groups.len() + pairs.len()) as u32;
                pairs.push((numbers[left], numbers[right]));
            }
        }
        let mut parents = vec![NONE; groups.len() + pairs.len()];
        for (&(left, right), number) in pairs.iter().zip(groups.len() as u32..) {
            parents[left as usize] = number;
            parents[right as usize] = number;
        }
        let groups: Vec<Range<u32>> =
            groups.iter().map(|(_, words)| words.start as u32..words.end as u32).collect();
        let group_of =
            (0..).zip(&groups).flat_map(|(group, words)| words.clone().map(move |_| group));
        let top = |at: usize| tops.get(at).map_or(NONE, |&top| numbers[top]);
        Shape { group_of: group_of.collect(), groups, pairs, parents, tops: [top(0), top(1)] }
    }

    pub(super) fn width(&self) -> usize {
        self.group_of.len()
    }

    pub(super) fn parts(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The words of a group.
    #[inline(always)]
    pub(super) fn words(&self, group: usize) -> Range<usize> {
        let Range { start, end } = self.groups[group];
        start as usize..end as usize
    }

    #[inline(always)]
    pub(super) fn group_of(&self, word: usize) -> usize {
        self.group_of[word] as usize
    }

    /// The halves of a part behind the groups.
    #[inline(always)]
    pub(super) fn halves(&self, part: usize) -> (usize, usize) {
        let (left, right) = self.pairs[part - self.groups.len()];
        (left as usize, right as usize)
    }

    #[inline(always)]
    pub(super) fn parent(&self, part: usize) -> u32 {
        self.parents[part]
    }

    /// What the root consists of; the second may be [`NONE`].
    #[inline(always)]
    pub(super) fn tops(&self) -> [u32; 2] {
        self.tops
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_shapes_halve() {
        let shape = Shape::even(5);
        assert_eq!(shape.pairs, [(0, 1), (2, 3), (5, 6)]);
        assert_eq!(shape.tops(), [7, 4]);
        assert_eq!(shape.parents, [5, 5, 6, 6, NONE, 7, 7, NONE]);
        assert_eq!(Shape::even(1).tops(), [0, NONE]);
        assert_eq!(Shape::even(2).tops(), [0, 1]);
        assert_eq!(Shape::even(16).parts(), 16 + 8 + 4 + 2);
    }

    #[test]
    fn parts_are_numbered_groups_first() {
        let parts = [
            Part::Group(3..5),
            Part::Group(0..1),
            Part::Group(1..2),
            Part::Group(1..3),
            Part::Pair(1, 3),
            Part::Group(5..6),
            Part::Pair(4, 0),
        ];
        let shape = Shape::new(&parts, &[6, 5]);
        let groups: Vec<_> = (0..shape.groups()).map(|group| shape.words(group)).collect();
        assert_eq!(groups, [0..1, 1..3, 3..5, 5..6]);
        assert_eq!((0..6).map(|word| shape.group_of(word)).collect::<Vec<_>>(), [0, 1, 1, 2, 2, 3]);
        assert_eq!((shape.halves(4), shape.halves(5)), ((0, 1), (4, 2)));
        assert_eq!(shape.tops(), [5, 3]);
    }
}

//! The shape of the trees: which words are a group, and which values are a node of the next
//! level.
//!
//! ```text
//! level 2     •   •            the root is this pair
//! level 1     •   •   •        a value without a partner goes up as it is
//! level 0     • •  •  •        the groups
//!             0 12 34 5        the words of the row: groups 0, 1 2, 3 4, 5
//! ```

use std::ops::Range;

/// A part of a row, by the nodes that it consists of.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Neighbouring words. A single word is its own value; more have a table.
    Group(Range<usize>),
    /// Two parts beside each other, by their places in the list of parts.
    Pair(usize, usize),
}

/// Levels of values, one behind the other in one array. The last level has two values, the
/// root, or one.
#[derive(Debug)]
pub(super) struct Shape {
    groups: Vec<Range<usize>>,
    /// By word.
    group_of: Vec<u32>,
    levels: Vec<Level>,
    pub(super) values: usize,
}

#[derive(Debug)]
pub(super) struct Level {
    pub(super) start: usize,
    pub(super) len: usize,
    /// What becomes of each value in the next level; empty for the last one.
    pub(super) parents: Vec<Parent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parent {
    pub(super) position: u32,
    pub(super) side: Side,
}

/// Where a value stands in its node. The partner of a left one is the next value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    /// Without a partner on this level.
    Alone,
}

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

    /// The shape whose root is of these one or two parts. A pair comes after its halves.
    pub(super) fn new(parts: &[Part], tops: &[usize]) -> Self {
        let mut heights = Vec::with_capacity(parts.len());
        for part in parts {
            heights.push(match *part {
                Part::Group(_) => 0,
                Part::Pair(left, right) => 1 + usize::max(heights[left], heights[right]),
            });
        }
        let height = tops.iter().map(|&top| heights[top]).max().expect("there is a root");
        // From the root down: pairs of the height at hand are taken apart.
        let mut below: Vec<usize> = tops.to_vec();
        let mut levels = vec![Level { start: 0, len: tops.len(), parents: Vec::new() }];
        for height in (1..=height).rev() {
            let (mut next, mut parents) = (Vec::new(), Vec::new());
            for (position, &part) in below.iter().enumerate() {
                let mut add = |part, side| {
                    next.push(part);
                    parents.push(Parent { position: position as u32, side });
                };
                match parts[part] {
                    Part::Pair(left, right) if heights[part] == height => {
                        add(left, Side::Left);
                        add(right, Side::Right);
                    }
                    _ => add(part, Side::Alone),
                }
            }
            levels.push(Level { start: 0, len: next.len(), parents });
            below = next;
        }
        levels.reverse();
        let mut values = 0;
        for level in &mut levels {
            level.start = values;
            values += level.len;
        }
        let group = |&part: &usize| match &parts[part] {
            Part::Group(words) => words.clone(),
            Part::Pair(..) => unreachable!("pairs are above the lowest level"),
        };
        let groups: Vec<Range<usize>> = below.iter().map(group).collect();
        let group_of =
            groups.iter().zip(0..).flat_map(|(words, group)| words.clone().map(move |_| group));
        Shape { group_of: group_of.collect(), groups, levels, values }
    }

    pub(super) fn width(&self) -> usize {
        self.group_of.len()
    }

    pub(super) fn groups(&self) -> &[Range<usize>] {
        &self.groups
    }

    #[inline(always)]
    pub(super) fn group_of(&self, word: usize) -> usize {
        self.group_of[word] as usize
    }

    /// The level of the root.
    pub(super) fn top(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }

    pub(super) fn levels(&self) -> &[Level] {
        &self.levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_levels_halve() {
        let lens = |width| {
            let shape = Shape::even(width);
            assert_eq!(shape.values, shape.levels.iter().map(|level| level.len).sum::<usize>());
            shape.levels.iter().map(|level| level.len).collect::<Vec<_>>()
        };
        assert_eq!(lens(1), [1]);
        assert_eq!(lens(2), [2]);
        assert_eq!(lens(5), [5, 3, 2]);
        assert_eq!(lens(16), [16, 8, 4, 2]);
        assert_eq!(lens(17), [17, 9, 5, 3, 2]);
    }

    #[test]
    fn pairs_wait_for_the_higher_half() {
        let parts = [
            Part::Group(0..1),
            Part::Group(1..3),
            Part::Group(3..5),
            Part::Group(5..6),
            Part::Pair(0, 1),
            Part::Pair(4, 2),
        ];
        let shape = Shape::new(&parts, &[5, 3]);
        assert_eq!(shape.groups(), [0..1, 1..3, 3..5, 5..6]);
        assert_eq!((0..6).map(|word| shape.group_of(word)).collect::<Vec<_>>(), [0, 1, 1, 2, 2, 3]);
        assert_eq!(shape.levels.iter().map(|level| level.len).collect::<Vec<_>>(), [4, 3, 2]);
        let sides = |at: usize| shape.levels[at].parents.iter().map(|parent| parent.side);
        assert!(sides(0).eq([Side::Left, Side::Right, Side::Alone, Side::Alone]));
        assert!(sides(1).eq([Side::Left, Side::Right, Side::Alone]));
        assert_eq!(shape.top().parents, []);
    }
}

//! The shape of the trees: which words are a group, which parts are a node, and where in the
//! root each part has its bits.
//!
//! ```text
//!   [5 3 4]              the root: 64 bits, a field for each of some parts
//!    5                   pairs, each behind its halves
//!  0 1 2 3 4             groups
//!  0 12 3 4 56           the words of the row
//! ```

use super::cells::Cells;
use std::ops::Range;
use std::sync::Arc;

/// A part of a row. Parts are numbered: groups in the order of the words, then pairs.
#[derive(Clone, Debug)]
pub(super) enum RowPart {
    /// Neighbouring words whose values have a table.
    Group(Range<usize>),
    /// A word that is its own value.
    Word(usize),
    /// Two parts beside each other.
    Pair(usize, usize),
}

/// Bits of a root.
pub(super) const ROOT: u32 = 64;
/// Bits of a part without a table of its own.
pub(super) const WHOLE: u32 = 32;

/// Bits that a field can be given later.
const LATER: usize = 7;

/// The bits of a root that belong to a part: some beside each other, and those that it was given later, each above
/// all that there were. So roots that were made before mean what they meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) shift: u32,
    pub(super) bits: u32,
    /// Where the later ones are, and how many there are.
    later: [u8; LATER],
    count: u8,
}

impl Field {
    pub(super) fn new(shift: u32, bits: u32) -> Self {
        Field { shift, bits, later: [0; LATER], count: 0 }
    }

    #[inline(always)]
    pub(super) fn get(self, root: u64) -> u32 {
        let value = (root >> self.shift & (u64::MAX >> (ROOT - self.bits))) as u32;
        if self.count == 0 { value } else { value | self.get_later(root) }
    }

    #[inline]
    fn get_later(self, root: u64) -> u32 {
        let bit = |(at, place)| (root >> place & 1) << (self.bits + at);
        self.later().map(bit).sum::<u64>() as u32
    }

    /// A value that the field holds, in its place.
    #[inline(always)]
    pub(super) fn put(self, value: u32) -> u64 {
        let value = u64::from(value);
        match self.count {
            0 => value << self.shift,
            _ => self.put_later(value),
        }
    }

    #[inline]
    fn put_later(self, value: u64) -> u64 {
        let bit = |(at, place)| (value >> (self.bits + at) & 1) << place;
        let first = value & (u64::MAX >> (ROOT - self.bits));
        first << self.shift | self.later().map(bit).sum::<u64>()
    }

    /// Numbers and places of the later bits.
    #[inline(always)]
    fn later(self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(self.later).take(self.count.into()).map(|(at, place)| (at, place.into()))
    }

    /// The bits, in their place.
    pub(super) fn mask(self) -> u64 {
        let later: u64 = self.later().map(|(_, place)| 1 << place).sum();
        (u64::MAX >> (ROOT - self.bits)) << self.shift | later
    }

    #[inline(always)]
    pub(super) fn holds(self, value: u32) -> bool {
        u64::from(value) >> (self.bits + u32::from(self.count)) == 0
    }

    /// Gives it the bit of the root at this place; false if it cannot have more.
    fn add_bit(&mut self, place: u32) -> bool {
        let Some(next) = self.later.get_mut(usize::from(self.count)) else { return false };
        *next = place as u8;
        self.count += 1;
        true
    }
}

/// What the search for a root asks of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The words of a group.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The pair above; that of the parts of the root is [`NONE`].
    pub(super) parent: u32,
    /// Only of the parts of the root.
    pub(super) field: Field,
}

#[derive(Clone, Debug)]
pub(super) struct Shape {
    places: Vec<Place>,
    /// By word.
    group_of: Vec<u32>,
    /// By group: whether the word is its own value.
    is_word: Vec<bool>,
    /// The halves of the parts behind the groups.
    pairs: Vec<(u32, u32)>,
    /// The parts of the root.
    tops: Vec<u32>,
    /// Bits of the root that belong to some part: those below this.
    bits: u32,
    /// What the words of this shape are in a row, if not its words.
    cells: Option<Arc<Cells>>,
}

/// Not a part.
pub(super) const NONE: u32 = u32::MAX;

impl Shape {
    /// Every word by itself, and halves of equal size: for a start, when nothing is known.
    pub(super) fn even(width: usize) -> Self {
        assert!(width > 0, "a row has at least one word");
        let mut parts: Vec<RowPart> = (0..width).map(RowPart::Word).collect();
        let mut tops: Vec<usize> = (0..width).collect();
        while tops.len() > 2 {
            let mut next = Vec::new();
            for pair in tops.chunks(2) {
                match *pair {
                    [left, right] => {
                        parts.push(RowPart::Pair(left, right));
                        next.push(parts.len() - 1);
                    }
                    _ => next.push(pair[0]),
                }
            }
            tops = next;
        }
        let tops: Vec<_> = tops.into_iter().map(|top| (top, WHOLE)).collect();
        Shape::new(&parts, &tops)
    }

    /// The shape whose root is of these parts with so many bits each. The parts are in any
    /// order and with others that do not belong to it; but a pair comes behind its halves.
    pub(super) fn new(parts: &[RowPart], tops: &[(usize, u32)]) -> Self {
        let mut is_used = vec![false; parts.len()];
        tops.iter().for_each(|&(top, _)| is_used[top] = true);
        for (at, part) in parts.iter().enumerate().rev() {
            if let (RowPart::Pair(left, right), true) = (part, is_used[at]) {
                is_used[*left] = true;
                is_used[*right] = true;
            }
        }
        let used = || parts.iter().enumerate().filter(|&(at, _)| is_used[at]);
        let mut groups: Vec<(usize, Range<usize>, bool)> = Vec::new();
        for (at, part) in used() {
            match part {
                RowPart::Group(words) => groups.push((at, words.clone(), false)),
                &RowPart::Word(word) => groups.push((at, word..word + 1, true)),
                RowPart::Pair(..) => {}
            }
        }
        groups.sort_by_key(|(_, words, _)| words.start);
        let mut numbers = vec![NONE; parts.len()];
        (0..).zip(&groups).for_each(|(number, &(at, ..))| numbers[at] = number);
        let mut pairs = Vec::new();
        for (at, part) in used() {
            if let &RowPart::Pair(left, right) = part {
                numbers[at] = (groups.len() + pairs.len()) as u32;
                pairs.push((numbers[left], numbers[right]));
            }
        }
        let place = |start: usize, end: usize| Place {
            start: start as u32,
            end: end as u32,
            parent: NONE,
            field: Field::default(),
        };
        let mut places: Vec<Place> =
            groups.iter().map(|(_, words, _)| place(words.start, words.end)).collect();
        places.resize(groups.len() + pairs.len(), place(0, 0));
        for (&(left, right), number) in pairs.iter().zip(groups.len() as u32..) {
            places[left as usize].parent = number;
            places[right as usize].parent = number;
        }
        let group_of =
            (0..).zip(&groups).flat_map(|(group, (_, words, _))| words.clone().map(move |_| group));
        let mut shape = Shape {
            group_of: group_of.collect(),
            is_word: groups.iter().map(|&(_, _, is_word)| is_word).collect(),
            places,
            pairs,
            tops: tops.iter().map(|&(top, _)| numbers[top]).collect(),
            bits: 0,
            cells: None,
        };
        let bits: Vec<u32> = tops.iter().map(|&(_, bits)| bits).collect();
        shape.set_bits(&bits);
        shape
    }

    /// The same groups as parts of the root, without pairs and without bits.
    pub(super) fn flattened(mut self) -> Self {
        self.places.truncate(self.groups());
        for place in &mut self.places {
            (place.parent, place.field) = (NONE, Field::default());
        }
        self.pairs.clear();
        self.tops = (0..self.groups() as u32).collect();
        self.bits = 0;
        self
    }

    /// With pairs made of parts of the root, one after the other. Each is numbered behind all parts that there are, so these
    /// keep their numbers.
    pub(super) fn paired(mut self, pairs: &[(u32, u32)]) -> Self {
        for &(left, right) in pairs {
            let pair = self.places.len() as u32;
            for half in [left, right] {
                let place = &mut self.places[half as usize];
                (place.parent, place.field) = (pair, Field::default());
            }
            let whole = Place { start: 0, end: 0, parent: NONE, field: Field::default() };
            self.places.push(whole);
            self.pairs.push((left, right));
            self.tops.retain(|&top| top != right);
            let top = self.tops.iter_mut().find(|top| **top == left);
            *top.expect("a part of the root") = pair;
        }
        self
    }

    /// With a pair of two groups in the place of one that is cut at a word. Behind the first one, groups are numbered one higher, and all
    /// pairs two: the new one comes first.
    pub(super) fn split(&self, group: usize, word: usize) -> Self {
        let (groups, pair) = (self.groups() as u32, self.groups() as u32 + 1);
        let moved = |part: u32| match part {
            NONE => NONE,
            _ if part as usize == group => pair,
            _ if part >= groups => part + 2,
            _ => part + u32::from(part as usize > group),
        };
        let whole = self.places[group];
        let half =
            |start: u32, end: u32| Place { start, end, parent: pair, field: Field::default() };
        let mut places = self.places.clone();
        places.iter_mut().for_each(|place| place.parent = moved(place.parent));
        let above = Place { start: 0, end: 0, ..places[group] };
        places.insert(groups as usize, above);
        let (left, right) = (half(whole.start, word as u32), half(word as u32, whole.end));
        places.splice(group..=group, [left, right]);
        let mut is_word = self.is_word.clone();
        is_word.insert(group, false);
        let moved_pair = |&(left, right): &(u32, u32)| (moved(left), moved(right));
        let new = (group as u32, group as u32 + 1);
        let group_of = |(at, &of): (usize, &u32)| {
            of + u32::from(of as usize > group || of as usize == group && at >= word)
        };
        Shape {
            group_of: self.group_of.iter().enumerate().map(group_of).collect(),
            is_word,
            pairs: std::iter::once(new).chain(self.pairs.iter().map(moved_pair)).collect(),
            tops: self.tops.iter().map(|&top| moved(top)).collect(),
            places,
            bits: self.bits,
            cells: self.cells.clone(),
        }
    }

    /// Gives each part of the root so many bits.
    pub(super) fn set_bits(&mut self, bits: &[u32]) {
        let mut shift = 0;
        for (&top, &bits) in self.tops.iter().zip(bits) {
            self.places[top as usize].field = Field::new(shift, bits);
            shift += bits;
        }
        assert!(shift <= ROOT, "a root has 64 bits");
        self.bits = shift;
    }

    /// Gives a part of the root one more bit, above all others: it is 0 in the roots that there are. False if there is
    /// none left.
    pub(super) fn add_bit(&mut self, top: usize) -> bool {
        let has_bit = self.bits < ROOT && self.places[top].field.add_bit(self.bits);
        self.bits += u32::from(has_bit);
        has_bit
    }

    /// The bits of roots that are used.
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// Of rows that are taken apart like this.
    pub(super) fn with_cells(mut self, cells: Option<Cells>) -> Self {
        self.cells = cells.map(Arc::new);
        self
    }

    #[inline(always)]
    pub(super) fn cells(&self) -> Option<&Cells> {
        self.cells.as_deref()
    }

    /// The words of a row.
    pub(super) fn row_width(&self) -> usize {
        self.cells().map_or(self.width(), Cells::words)
    }

    /// The same, or the cells that they are taken apart to.
    pub(super) fn width(&self) -> usize {
        self.group_of.len()
    }

    pub(super) fn parts(&self) -> usize {
        self.places.len()
    }

    pub(super) fn groups(&self) -> usize {
        self.is_word.len()
    }

    /// Whether nothing is between the groups and the root.
    #[inline(always)]
    pub(super) fn is_flat(&self) -> bool {
        self.pairs.is_empty()
    }

    #[inline(always)]
    pub(super) fn place(&self, part: usize) -> Place {
        self.places[part]
    }

    /// The words of a group.
    #[inline(always)]
    pub(super) fn words(&self, group: usize) -> Range<usize> {
        let Place { start, end, .. } = self.places[group];
        start as usize..end as usize
    }

    /// Whether a group is a word that is its own value.
    pub(super) fn is_word(&self, group: usize) -> bool {
        self.is_word[group]
    }

    #[inline(always)]
    pub(super) fn group_of(&self, word: usize) -> usize {
        self.group_of[word] as usize
    }

    /// The halves of a part behind the groups.
    #[inline(always)]
    pub(super) fn halves(&self, part: usize) -> (usize, usize) {
        let (left, right) = self.pairs[part - self.is_word.len()];
        (left as usize, right as usize)
    }

    /// What the root consists of.
    #[inline(always)]
    pub(super) fn tops(&self) -> &[u32] {
        &self.tops
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
        let parents: Vec<u32> = shape.places.iter().map(|place| place.parent).collect();
        assert_eq!(parents, [5, 5, 6, 6, NONE, 7, 7, NONE]);
        assert_eq!(shape.place(4).field, Field::new(32, 32));
        assert_eq!(Shape::even(1).tops(), [0]);
        assert_eq!(Shape::even(2).tops(), [0, 1]);
        assert_eq!(Shape::even(16).parts(), 16 + 8 + 4 + 2);
    }

    #[test]
    fn parts_are_numbered_groups_first() {
        let parts = [
            RowPart::Group(3..5),
            RowPart::Word(0),
            RowPart::Word(1),
            RowPart::Group(1..3),
            RowPart::Pair(1, 3),
            RowPart::Group(5..6),
            RowPart::Pair(4, 0),
        ];
        let shape = Shape::new(&parts, &[(6, 32), (5, 7)]);
        let groups: Vec<_> = (0..shape.groups()).map(|group| shape.words(group)).collect();
        assert_eq!(groups, [0..1, 1..3, 3..5, 5..6]);
        assert_eq!((0..6).map(|word| shape.group_of(word)).collect::<Vec<_>>(), [0, 1, 1, 2, 2, 3]);
        assert_eq!(shape.is_word, [true, false, false, false]);
        assert_eq!((shape.halves(4), shape.halves(5)), ((0, 1), (4, 2)));
        assert_eq!(shape.tops(), [5, 3]);
        assert_eq!(shape.place(3).field, Field::new(32, 7));
    }

    #[test]
    fn pairs_and_halves_keep_the_order() {
        let parts = [RowPart::Group(0..2), RowPart::Group(2..6), RowPart::Group(6..7)];
        let mut shape = Shape::new(&parts, &[(0, 3), (1, 4), (2, 5)]).paired(&[(0, 1), (3, 2)]);
        assert_eq!((shape.tops(), shape.halves(3), shape.halves(4)), (&[4][..], (0, 1), (3, 2)));
        shape.set_bits(&[9]);
        let split = shape.split(1, 5);
        let groups: Vec<_> = (0..split.groups()).map(|group| split.words(group)).collect();
        assert_eq!(groups, [0..2, 2..5, 5..6, 6..7]);
        assert_eq!(
            (0..7).map(|word| split.group_of(word)).collect::<Vec<_>>(),
            [0, 0, 1, 1, 1, 2, 3]
        );
        assert_eq!(
            (4..7).map(|part| split.halves(part)).collect::<Vec<_>>(),
            [(1, 2), (0, 4), (5, 3)]
        );
        assert_eq!(split.tops(), [6]);
        assert_eq!(split.place(6).field, Field::new(0, 9));
        let parents: Vec<u32> = split.places.iter().map(|place| place.parent).collect();
        assert_eq!(parents, [5, 4, 4, 6, 5, 6, NONE]);
        // A part of the root keeps its field.
        let flat = Shape::new(&parts, &[(0, 3), (1, 4), (2, 5)]).split(1, 3);
        assert_eq!((flat.tops(), flat.place(4).field), (&[0, 4, 3][..], Field::new(3, 4)));
    }

    #[test]
    fn fields_are_apart() {
        let low = Field::new(0, 5);
        let high = Field::new(32, 32);
        let root = 0xFFFF_FFFF_0000_0013;
        assert_eq!((low.get(root), high.get(root)), (0x13, u32::MAX));
        assert!(low.holds(31) && !low.holds(32) && high.holds(u32::MAX));
        assert_eq!(Field::new(0, 64).get(7), 7);
    }

    /// A field that has got bits later holds more values, and those before are where they were.
    #[test]
    fn later_bits_are_on_top() {
        let parts = [RowPart::Group(0..1), RowPart::Group(1..2)];
        let mut shape = Shape::new(&parts, &[(0, 3), (1, 4)]);
        let before = shape.place(0).field;
        assert_eq!(shape.bits(), 7);
        assert!(shape.add_bit(0) && shape.add_bit(1) && shape.add_bit(0));
        assert_eq!(shape.bits(), 10);
        let (one, other) = (shape.place(0).field, shape.place(1).field);
        assert_eq!((one.mask(), other.mask()), (0b10_1000_0111, 0b01_0111_1000));
        for value in 0..32 {
            assert!(one.holds(value) && other.holds(value));
            assert_eq!((one.get(one.put(value)), other.get(other.put(value))), (value, value));
            assert_eq!((one.put(value) & !one.mask(), other.put(value) & !other.mask()), (0, 0));
            assert!(value >= 8 || before.put(value) == one.put(value));
        }
        assert!(!one.holds(32));
        while shape.add_bit(0) {}
        assert!(shape.bits() < ROOT, "a field has some later bits, not any number");
    }
}

//! The parts of states without numbers, one by one: for whoever tells another process of them, where roots mean something else.
//!
//! A root has a field for each part; the number in it stands for words, by a table of this process, or is the word itself. Two trees that began as one have
//! the same parts, so a state is the same words in both, part by part, whatever numbers and bits each has given to them since.

use super::cells::Cells;
use super::session::{Ending, SharedSession};
use super::shape::Field;
use lariat_core::{Full, Word};

/// Where the numbers of parts are in a root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    fields: Vec<Field>,
    bits: Vec<u32>,
}

impl Layout {
    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The number of a part in a root.
    #[inline(always)]
    pub fn get(&self, part: usize, root: u64) -> u32 {
        self.fields[part].get(root)
    }

    /// The numbers of all parts in a root.
    #[inline(always)]
    pub fn numbers(&self, root: u64) -> impl Iterator<Item = u32> {
        self.fields.iter().map(move |field| field.get(root))
    }

    /// The number of one part in a root.
    #[inline(always)]
    pub fn number(&self, part: usize, root: u64) -> u32 {
        self.fields[part].get(root)
    }

    /// A number that the field of a part holds, in its place.
    #[inline(always)]
    pub fn put(&self, part: usize, number: u32) -> u64 {
        self.fields[part].put(number)
    }

    /// Whether the field of a part holds a number.
    #[inline(always)]
    pub fn holds(&self, part: usize, number: u32) -> bool {
        self.fields[part].holds(number)
    }

    /// Bits of the field of a part.
    #[inline(always)]
    pub fn bits(&self, part: usize) -> u32 {
        self.bits[part]
    }
}

impl SharedSession<'_> {
    /// Where the numbers of parts are. It changes with [`SystemStore::shape`](lariat_core::SystemStore::shape).
    pub fn layout(&self) -> Layout {
        let shape = &self.own.tables.shape;
        let field = |&top: &u32| shape.place(top as usize).field;
        let fields: Vec<Field> = shape.tops().iter().map(field).collect();
        Layout { bits: fields.iter().map(|field| field.mask().count_ones()).collect(), fields }
    }

    fn group(&self, part: usize) -> usize {
        // Nothing is between the groups and the root.
        self.own.tables.shape.tops()[part] as usize
    }

    /// How many words a part has.
    pub fn width_of(&self, part: usize) -> usize {
        self.own.tables.shape.words(self.group(part)).len()
    }

    /// How many numbers of a part there are; none if a word is its own number.
    pub fn numbers_of(&self, part: usize) -> Option<usize> {
        self.own.tables.groups[self.group(part)].as_ref().map(|group| group.len())
    }

    /// The words that a number of a part stands for, where there is a table.
    pub fn words_of(&self, part: usize, number: u32) -> &[Word] {
        let group = self.own.tables.groups[self.group(part)].as_ref();
        group.expect("a part with a table").get(number)
    }

    /// Whether words, of which there are as many as the part has, can be this part of a state.
    pub fn may_be(&self, part: usize, words: &[Word]) -> bool {
        let shape = &self.own.tables.shape;
        let holds = |cells: &Cells| cells.hold(shape.words(self.group(part)), words);
        shape.cells().is_none_or(holds)
    }

    /// The number of such words, a new one if they have none. Full for a reason of its own ([`Ending::Bits`]) if the field is too small for it.
    pub fn number_of(&mut self, part: usize, words: &[Word]) -> Result<u32, Full> {
        let group = self.group(part);
        let number = self.own.tables.value(group, words)?;
        if !self.own.tables.shape.place(group).field.holds(number) {
            self.ending = Some(Ending::Bits);
            return Err(Full);
        }
        Ok(number)
    }

    /// All that decides what the parts of a state are, and the numbers that there are, as bytes to be compared or hashed.
    pub fn describe_parts(&self, mut each: impl FnMut(&[Word])) {
        let shape = &self.own.tables.shape;
        each(&[shape.row_width() as Word, shape.tops().len() as Word]);
        if let Some(cells) = shape.cells() {
            cells.describe(&mut each);
        }
        for part in 0..shape.tops().len() {
            let words = shape.words(self.group(part));
            let numbers = self.numbers_of(part);
            each(&[words.start as Word, words.end as Word, numbers.map_or(0, |many| many as Word)]);
            (0..numbers.unwrap_or(0) as u32).for_each(|number| each(self.words_of(part, number)));
        }
    }
}

//! States as rows of machine words, and the buffers that successors are written to.
//!
//! A row has a width the compiler knows (`[Word; W]`, [`Fixed`]) or one given at run time
//! (`[Word]`, [`Flat`]). In a product the last word belongs to the property automaton.

use crate::{Full, Marks};

/// The unit that states are made of.
pub type Word = u32;

/// One state: `[Word; W]`, or `[Word]` where the width is known only at run time.
pub trait Row: Eq + AsRef<[Word]> + AsMut<[Word]> {}
impl<R: Eq + AsRef<[Word]> + AsMut<[Word]> + ?Sized> Row for R {}

/// A flat, reusable buffer of successors, each with the marks of the edge to it.
///
/// `room` is a request that producers may overshoot: 1 is strictly on the fly,
/// `usize::MAX` is all successors at once.
pub trait Batch {
    /// What a state looks like.
    type Row: Row + ?Sized;
    /// How many successors are in it.
    fn len(&self) -> usize;
    /// How many a producer is asked for at a time.
    fn room(&self) -> usize;
    /// Drops all, and keeps the memory.
    fn clear(&mut self);
    /// A successor.
    fn row(&self, i: usize) -> &Self::Row;
    /// A successor, to be changed in place.
    fn row_mut(&mut self, i: usize) -> &mut Self::Row;
    /// The marks of the edge to it.
    fn marks(&self, i: usize) -> Marks;
    /// Gives the edge to it these marks instead.
    fn set_marks(&mut self, i: usize, marks: Marks);
    /// Appends a copy of `row` without marks, for the producer to change in place.
    fn push_copy(&mut self, row: &Self::Row) -> &mut Self::Row;
    /// Appends a copy of entry `i`, marks included.
    fn duplicate(&mut self, i: usize) -> &mut Self::Row;
}

/// Successors of width `W`.
#[derive(Debug)]
pub struct Fixed<const W: usize> {
    succs: Vec<Succ<W>>,
    room: usize,
}

#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Succ<const W: usize> {
    row: [Word; W],
    marks: Marks,
}

impl<const W: usize> Fixed<W> {
    /// An empty buffer.
    pub fn new(room: usize) -> Self {
        Fixed { succs: Vec::new(), room }
    }
}

impl<const W: usize> Batch for Fixed<W> {
    type Row = [Word; W];

    #[inline]
    fn len(&self) -> usize {
        self.succs.len()
    }
    #[inline]
    fn room(&self) -> usize {
        self.room.saturating_sub(self.succs.len())
    }
    #[inline]
    fn clear(&mut self) {
        self.succs.clear();
    }
    #[inline]
    fn row(&self, i: usize) -> &[Word; W] {
        &self.succs[i].row
    }
    #[inline]
    fn row_mut(&mut self, i: usize) -> &mut [Word; W] {
        &mut self.succs[i].row
    }
    #[inline]
    fn marks(&self, i: usize) -> Marks {
        self.succs[i].marks
    }
    #[inline]
    fn set_marks(&mut self, i: usize, marks: Marks) {
        self.succs[i].marks = marks;
    }
    #[inline]
    fn push_copy(&mut self, row: &[Word; W]) -> &mut [Word; W] {
        &mut self.succs.push_mut(Succ { row: *row, marks: Marks::NONE }).row
    }
    #[inline]
    fn duplicate(&mut self, i: usize) -> &mut [Word; W] {
        let succ = self.succs[i];
        &mut self.succs.push_mut(succ).row
    }
}

/// Successors of a width given at run time.
#[derive(Debug)]
pub struct Flat {
    /// The rows, and room for more behind them.
    words: Vec<Word>,
    marks: Vec<Marks>,
    width: usize,
    room: usize,
}

impl Flat {
    /// An empty buffer for rows of `width` words.
    ///
    /// ```
    /// use lariat_core::{Batch, Flat, Marks};
    ///
    /// let mut batch = Flat::new(2, usize::MAX);
    /// batch.push_copy(&[1, 2])[1] = 7;
    /// assert_eq!((batch.len(), batch.row(0), batch.marks(0)), (1, &[1, 7][..], Marks::NONE));
    /// ```
    pub fn new(width: usize, room: usize) -> Self {
        assert!(width > 0, "a row has at least one word");
        Flat { words: Vec::new(), marks: Vec::new(), width, room }
    }

    /// Room for so many more rows, whatever is in it, for producers that write rows by
    /// themselves; [`Flat::commit`] makes successors of them.
    #[inline]
    pub fn spare(&mut self, rows: usize) -> &mut [Word] {
        let start = self.end();
        self.make_room(start + rows * self.width);
        &mut self.words[start..]
    }

    /// The first `rows` rows of the spare room become successors without marks.
    #[inline]
    pub fn commit(&mut self, rows: usize) {
        self.marks.resize(self.marks.len() + rows, Marks::NONE);
        assert!(self.end() <= self.words.len(), "no more than there is room for");
    }

    #[inline]
    fn end(&self) -> usize {
        self.marks.len() * self.width
    }

    #[inline]
    fn make_room(&mut self, words: usize) {
        if words > self.words.len() {
            self.words.resize(words.next_power_of_two(), 0);
        }
    }
}

impl Batch for Flat {
    type Row = [Word];

    #[inline]
    fn len(&self) -> usize {
        self.marks.len()
    }
    #[inline]
    fn room(&self) -> usize {
        self.room.saturating_sub(self.marks.len())
    }
    #[inline]
    fn clear(&mut self) {
        self.marks.clear();
    }
    #[inline]
    fn row(&self, i: usize) -> &[Word] {
        debug_assert!(i < self.len());
        &self.words[i * self.width..][..self.width]
    }
    #[inline]
    fn row_mut(&mut self, i: usize) -> &mut [Word] {
        debug_assert!(i < self.len());
        &mut self.words[i * self.width..][..self.width]
    }
    #[inline]
    fn marks(&self, i: usize) -> Marks {
        self.marks[i]
    }
    #[inline]
    fn set_marks(&mut self, i: usize, marks: Marks) {
        self.marks[i] = marks;
    }
    #[inline]
    fn push_copy(&mut self, row: &[Word]) -> &mut [Word] {
        debug_assert_eq!(row.len(), self.width);
        let start = self.end();
        self.make_room(start + self.width);
        self.marks.push(Marks::NONE);
        let copy = &mut self.words[start..][..self.width];
        copy.copy_from_slice(row);
        copy
    }
    #[inline]
    fn duplicate(&mut self, i: usize) -> &mut [Word] {
        let (start, from) = (self.end(), i * self.width);
        self.make_room(start + self.width);
        self.words.copy_within(from..from + self.width, start);
        self.marks.push(self.marks[i]);
        &mut self.words[start..][..self.width]
    }
}

/// A growing and shrinking sequence of rows in one piece of memory: no allocation per row.
pub trait Arena {
    /// What a state looks like.
    type Row: Row + ?Sized;
    /// Appends a row.
    fn push(&mut self, row: &Self::Row);
    /// The row at an index.
    fn get(&self, index: u32) -> &Self::Row;
    /// Puts another row at an index.
    fn set(&mut self, index: u32, row: &Self::Row);
    /// Keeps the first `len` rows.
    fn truncate(&mut self, len: usize);
    /// How many rows there are.
    fn len(&self) -> usize;
    /// Rows that fit without growing.
    fn capacity(&self) -> usize;
    /// Makes room for so many more rows, and some more to come.
    fn reserve(&mut self, more: usize) -> Result<(), Full>;
    /// Bytes reserved.
    fn bytes(&self) -> usize;
}

impl<const W: usize> Arena for Vec<[Word; W]> {
    type Row = [Word; W];

    #[inline]
    fn push(&mut self, row: &[Word; W]) {
        self.push(*row);
    }
    #[inline]
    fn get(&self, index: u32) -> &[Word; W] {
        &self[index as usize]
    }
    #[inline]
    fn set(&mut self, index: u32, row: &[Word; W]) {
        self[index as usize] = *row;
    }
    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }
    #[inline]
    fn len(&self) -> usize {
        self.len()
    }
    fn capacity(&self) -> usize {
        self.capacity()
    }
    fn reserve(&mut self, more: usize) -> Result<(), Full> {
        self.try_reserve(more).or(Err(Full))
    }
    fn bytes(&self) -> usize {
        self.capacity() * size_of::<[Word; W]>()
    }
}

/// Rows of a width given at run time.
#[derive(Clone, Debug)]
pub struct FlatArena {
    words: Vec<Word>,
    width: usize,
}

impl FlatArena {
    /// No row yet; all will have `width` words.
    pub fn new(width: usize) -> Self {
        assert!(width > 0, "a row has at least one word");
        FlatArena { words: Vec::new(), width }
    }
}

impl Arena for FlatArena {
    type Row = [Word];

    #[inline]
    fn push(&mut self, row: &[Word]) {
        debug_assert_eq!(row.len(), self.width);
        self.words.extend_from_slice(row);
    }
    #[inline]
    fn get(&self, index: u32) -> &[Word] {
        &self.words[index as usize * self.width..][..self.width]
    }
    #[inline]
    fn set(&mut self, index: u32, row: &[Word]) {
        self.words[index as usize * self.width..][..self.width].copy_from_slice(row);
    }
    fn truncate(&mut self, len: usize) {
        self.words.truncate(len * self.width);
    }
    #[inline]
    fn len(&self) -> usize {
        self.words.len() / self.width
    }
    fn capacity(&self) -> usize {
        self.words.capacity() / self.width
    }
    fn reserve(&mut self, more: usize) -> Result<(), Full> {
        self.words.try_reserve(more.saturating_mul(self.width)).or(Err(Full))
    }
    fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Word>()
    }
}

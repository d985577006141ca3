//! Words that are taken apart. A word of a row may hold bytes of different use, as elements of an array that belong to
//! different processes. Where each has a field of its own in the root, what a process looks at is fewer bits, and its steps are
//! known in more states.
//!
//! A *cell* is a word, or neighbouring bytes of one with the same class. Cells have all bits of a row, each once, so rows that differ
//! have different cells. The shape is made of cells as it would be of words; only the ways in and out of the tree know
//! of them.

use lariat_core::Word;
use std::ops::Range;

const BYTES: usize = size_of::<Word>();

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    word: u32,
    shift: u32,
    mask: Word,
}

#[derive(Clone, Debug)]
pub(super) struct Cells {
    cells: Vec<Cell>,
    /// By word: its first cell; and where the last word ends.
    first: Vec<u32>,
}

impl Cells {
    /// By the classes of bytes; with those of the cells. None if no word is taken apart.
    pub(super) fn of(classes: &[u32]) -> Option<(Self, Vec<u32>)> {
        let (mut cells, mut first, mut of_cells) = (Vec::new(), Vec::new(), Vec::new());
        for (word, bytes) in classes.chunks(BYTES).enumerate() {
            first.push(cells.len() as u32);
            let mut start = 0;
            for same in bytes.chunk_by(|one, other| one == other) {
                let bits = 8 * same.len() as u32;
                let mask = Word::MAX >> (Word::BITS - bits);
                cells.push(Cell { word: word as u32, shift: start, mask });
                of_cells.push(same[0]);
                start += bits;
            }
        }
        first.push(cells.len() as u32);
        let is_apart = cells.len() > first.len() - 1;
        is_apart.then_some((Cells { cells, first }, of_cells))
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Words of a row.
    pub(super) fn words(&self) -> usize {
        self.first.len() - 1
    }

    /// The cells of a word.
    #[inline(always)]
    pub(super) fn of_word(&self, word: usize) -> Range<usize> {
        self.first[word] as usize..self.first[word + 1] as usize
    }

    #[inline(always)]
    pub(super) fn get(&self, cell: usize, row: &[Word]) -> Word {
        let Cell { word, shift, mask } = self.cells[cell];
        row[word as usize] >> shift & mask
    }

    /// Some cells of a row.
    #[inline(always)]
    pub(super) fn spread(&self, row: &[Word], cells: Range<usize>, out: &mut [Word]) {
        for (out, cell) in out.iter_mut().zip(&self.cells[cells]) {
            *out = row[cell.word as usize] >> cell.shift & cell.mask;
        }
    }

    /// The row of all cells.
    pub(super) fn join(&self, cells: &[Word], row: &mut [Word]) {
        row.fill(0);
        for (value, cell) in cells.iter().zip(&self.cells) {
            row[cell.word as usize] |= value << cell.shift;
        }
    }

    /// Whether values are values of these cells, as many as there are of them.
    pub(super) fn hold(&self, cells: Range<usize>, values: &[Word]) -> bool {
        self.cells[cells].iter().zip(values).all(|(cell, value)| value & !cell.mask == 0)
    }

    /// All cells, as words.
    pub(super) fn describe(&self, mut each: impl FnMut(&[Word])) {
        self.cells.iter().for_each(|cell| each(&[cell.word, cell.shift, cell.mask]));
    }

    /// Whether a cell has one of the bytes that are given as bits.
    pub(super) fn has_byte(&self, cell: usize, bytes: &[u64]) -> bool {
        let Cell { word, shift, mask } = self.cells[cell];
        let first = word as usize * BYTES + shift as usize / 8;
        let end = first + mask.count_ones() as usize / 8;
        (first..end).any(|byte| bytes[byte / 64] >> (byte % 64) & 1 == 1)
    }
}

/// Whether one of the bytes of a word, given as bits, is there.
pub(super) fn has_byte_of(word: usize, bytes: &[u64]) -> bool {
    bytes[word * BYTES / 64] >> (word * BYTES % 64) & 0xF != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_put_together_again() {
        let mut random = fastrand::Rng::with_seed(4);
        for width in [1, 2, 7, 30] {
            let classes: Vec<u32> = (0..width * BYTES).map(|_| random.u32(..3)).collect();
            let Some((cells, of_cells)) = Cells::of(&classes) else { continue };
            assert_eq!((cells.words(), of_cells.len()), (width, cells.len()));
            let row: Vec<Word> = (0..width).map(|_| random.u32(..)).collect();
            let (mut apart, mut back) = (vec![0; cells.len()], vec![7; width]);
            cells.spread(&row, 0..cells.len(), &mut apart);
            cells.join(&apart, &mut back);
            assert_eq!(back, row);
            for cell in (0..width).flat_map(|word| cells.of_word(word)) {
                assert_eq!(cells.get(cell, &row), apart[cell]);
            }
            for byte in 0..classes.len() {
                let mut bytes = vec![0; classes.len().div_ceil(64)];
                bytes[byte / 64] = 1 << (byte % 64);
                let with_it = (0..cells.len()).filter(|&cell| cells.has_byte(cell, &bytes));
                assert_eq!(with_it.map(|cell| of_cells[cell]).collect::<Vec<_>>(), [classes[byte]]);
                assert!(has_byte_of(byte / BYTES, &bytes));
            }
        }
        assert!(Cells::of(&[5; 12]).is_none() && Cells::of(&[]).is_none());
    }
}

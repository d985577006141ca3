//! States as rows of words, and back.
//!
//! ```text
//! hidden variables, padded with zeros to whole words
//! the state, padded with zeros to the width of the row
//! ```
//!
//! The length of a state follows from its bytes, so different states have different rows.

use lariat_core::Word;

pub use super::validate::{RowError, Validator};
use crate::ir::Model;

const WORD: usize = size_of::<Word>();

/// Words at the start of each row that hold the variables outside the state.
pub fn hidden_words(model: &Model) -> usize {
    (model.hidden_size as usize).div_ceil(WORD)
}

/// Words that a state needs, with the variables outside of it.
pub fn words_for(state: &[u8], hidden: &[u8]) -> usize {
    (hidden.len().div_ceil(WORD) + state.len().div_ceil(WORD)).max(1)
}

/// Writes a state to a row that is wide enough.
pub fn pack(state: &[u8], hidden: &[u8], row: &mut [Word]) {
    let (front, rest) = row.split_at_mut(hidden.len().div_ceil(WORD));
    write(hidden, front);
    write(state, rest);
}

fn write(bytes: &[u8], row: &mut [Word]) {
    let whole = bytes.len() / WORD;
    let mut chunks = bytes.chunks_exact(WORD);
    for (word, chunk) in row.iter_mut().zip(&mut chunks) {
        *word = Word::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
    }
    row[whole..].fill(0);
    for (at, &byte) in chunks.remainder().iter().enumerate() {
        row[whole] |= Word::from(byte) << (8 * at);
    }
}

/// The state and the variables outside of it. The state keeps its padding.
pub fn unpack(model: &Model, row: &[Word]) -> (Vec<u8>, Vec<u8>) {
    let (mut state, mut hidden) = (Vec::new(), Vec::new());
    unpack_into(model, row, &mut state, &mut hidden);
    (state, hidden)
}

/// As [`unpack`], to buffers.
pub fn unpack_into(model: &Model, row: &[Word], state: &mut Vec<u8>, hidden: &mut Vec<u8>) {
    let (front, rest) = row.split_at(hidden_words(model));
    hidden.clear();
    hidden.extend(front.iter().flat_map(|word| word.to_le_bytes()));
    hidden.truncate(model.hidden_size as usize);
    state.clear();
    state.extend(rest.iter().flat_map(|word| word.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_variables_fill_whole_words() {
        let (state, hidden) = ([1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12, 13]);
        assert_eq!(words_for(&state, &hidden), 4);
        let mut row = [u32::MAX; 5];
        pack(&state, &hidden, &mut row);
        assert_eq!(row, [0x0c0b_0a09, 13, 0x0403_0201, 0x0807_0605, 0]);
    }
}

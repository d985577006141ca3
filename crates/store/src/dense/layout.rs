//! Which bits of a key hold which word of a row.

use lariat_core::Word;

/// Some bits of a word, and the first of their places in a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) word: u32,
    /// Of the word's bits, how many are below these.
    pub(super) from: u8,
    pub(super) at: u8,
    /// As many ones as there are bits.
    pub(super) mask: Word,
}

#[derive(Debug)]
pub(super) struct Layout {
    /// By word: its lowest bits.
    pub(super) first: Vec<Piece>,
    /// Bits that words were given later.
    pub(super) more: Vec<Piece>,
    /// By word: all its bits.
    pub(super) bits: Vec<u8>,
    pub(super) used: u32,
}

/// So many ones.
fn ones(bits: u8) -> Word {
    Word::MAX.checked_shr(32 - u32::from(bits)).unwrap_or(0)
}

/// How many bits a number has.
pub(super) fn bits_of(value: Word) -> u8 {
    (Word::BITS - value.leading_zeros()) as u8
}

impl Layout {
    /// Words side by side, each with so many bits. At most 128 in all.
    pub(super) fn new(bits: Vec<u8>) -> Self {
        let mut used = 0;
        let place = |(word, &bits): (u32, &u8)| {
            // A word without bits may come behind the last place.
            let at = if bits == 0 { 0 } else { used as u8 };
            used += u32::from(bits);
            Piece { word, from: 0, at, mask: ones(bits) }
        };
        let first = (0..).zip(&bits).map(place).collect();
        Layout { first, more: Vec::new(), bits, used }
    }

    /// Gives a word so many more bits, behind all that are used.
    pub(super) fn widen(&mut self, word: usize, more: u8) {
        let from = self.bits[word];
        let at = self.used as u8;
        self.more.push(Piece { word: word as u32, from, at, mask: ones(more) });
        self.bits[word] += more;
        self.used += u32::from(more);
    }

    /// Whether a word has bits for this value.
    pub(super) fn holds(&self, word: usize, value: Word) -> bool {
        bits_of(value) <= self.bits[word]
    }
}

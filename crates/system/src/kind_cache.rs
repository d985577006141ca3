//! The kinds of processes (docs/por.md), by the words that the steps of a process look at.
//!
//! States that agree in these words have the same steps of the process, and so the same kind: that is
//! what `remembered` rests on, and it is used here where the steps themselves are not remembered.
//! Words are compared, so an entry that takes the place of another one costs time only.

use lariat_core::{Parts, Word};

/// Entries, a power of two.
const ENTRIES: usize = 1 << 14;
/// A process that looks at more words is not looked for.
const MOST_WORDS: usize = 32;
/// Words of an entry: the part and one (0 if it is free), the kind, how many words, the words.
const WIDTH: usize = 3 + MOST_WORDS;

#[derive(Debug, Default)]
pub(crate) struct KindCache {
    /// The version of the parts that this is about.
    version: Option<u64>,
    /// Entry after entry. What was never used is zero, and takes no memory.
    words: Vec<u32>,
    used: usize,
    key: Vec<Word>,
}

/// Where a kind belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// It is known.
    Known(u32),
    /// It can be kept here.
    Unknown(usize),
    /// It is not kept.
    Nowhere,
}

impl KindCache {
    /// The kind of a part in a state, or where to keep it. Nothing else may be asked before it is
    /// kept.
    pub(crate) fn find(&mut self, parts: &dyn Parts, part: usize, row: &[Word]) -> Place {
        if self.version != Some(parts.version()) {
            self.version = Some(parts.version());
            self.words = vec![0; ENTRIES * WIDTH];
            self.used = 0;
        }
        let selector = parts.selector(part);
        let Some(touched) = parts.touched(part, row[selector]) else { return Place::Nowhere };
        self.key.clear();
        // A part without steps touches no words: its control point says all.
        self.key.push(row[selector]);
        let mut hash = u64::from(row[selector]) ^ (part as u64) << 32;
        for (at, &bits) in touched.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let word = row[at * 64 + bits.trailing_zeros() as usize];
                self.key.push(word);
                hash = (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                bits &= bits - 1;
            }
        }
        if self.key.len() > MOST_WORDS {
            return Place::Nowhere;
        }
        let place = (hash ^ hash >> 32) as usize % ENTRIES * WIDTH;
        let entry = &self.words[place..][..WIDTH];
        let is_it = entry[0] == part as u32 + 1
            && entry[2] == self.key.len() as u32
            && entry[3..][..self.key.len()] == self.key[..];
        if is_it { Place::Known(entry[1]) } else { Place::Unknown(place) }
    }

    /// Keeps the kind of a part that was looked for just now.
    pub(crate) fn keep(&mut self, place: usize, part: usize, kind: u32) {
        let entry = &mut self.words[place..][..WIDTH];
        self.used += usize::from(entry[0] == 0);
        entry[..3].copy_from_slice(&[part as u32 + 1, kind, self.key.len() as u32]);
        entry[3..][..self.key.len()].copy_from_slice(&self.key);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.used * WIDTH * size_of::<u32>()
    }
}

//! The kinds of processes (docs/por.md), by the words that the steps of a process look at.
//!
//! States that agree in these words have the same steps of the process, and so the same kind: that is
//! what `remembered` rests on, and it is used here where the steps themselves are not remembered.
//! Words are compared, so an entry that takes the place of another one costs time only.

use lariat_core::{Parts, Word};

/// Entries, a power of two.
const ENTRIES: usize = 1 << 13;
/// A process that looks at more words is not looked for.
const MOST_WORDS: usize = 32;
/// No kind is known.
const FREE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(crate) struct KindCache {
    /// The version of the parts that this is about.
    version: Option<u64>,
    entries: Vec<Entry>,
    key: Vec<Word>,
}

#[derive(Clone, Debug)]
struct Entry {
    part: u32,
    kind: u32,
    len: usize,
    words: [Word; MOST_WORDS],
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
            let free = Entry { part: 0, kind: FREE, len: 0, words: [0; MOST_WORDS] };
            self.entries.clear();
            self.entries.resize(ENTRIES, free);
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
        let place = (hash ^ hash >> 32) as usize % ENTRIES;
        let entry = &self.entries[place];
        let is_it = entry.part == part as u32
            && entry.kind != FREE
            && entry.words[..entry.len] == self.key[..];
        if is_it { Place::Known(entry.kind) } else { Place::Unknown(place) }
    }

    /// Keeps the kind of a part that was looked for just now.
    pub(crate) fn keep(&mut self, place: usize, part: usize, kind: u32) {
        let entry = &mut self.entries[place];
        (entry.part, entry.kind, entry.len) = (part as u32, kind, self.key.len());
        entry.words[..self.key.len()].copy_from_slice(&self.key);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}

//! The kinds of processes (docs/por.md), by what decides them: the words that say which commands can be
//! executed, and how many steps there are. Words are compared, so an entry that takes the place of another one
//! costs time only.

use lariat_core::{Parts, Word};

/// Entries at first and at most, powers of two.
const FIRST_ENTRIES: usize = 1 << 12;
const MOST_ENTRIES: usize = 1 << 16;
/// Words of an entry: the part and one (0 if it is free) beside the steps, the kind, how many words, the
/// words. Short ones are together, so that they stay in the cache.
const WIDTHS: [usize; 3] = [8, 16, 32];
const FIRST: usize = 3;
/// More steps of a process are not looked for.
const MOST_STEPS: u32 = 1 << 24;

#[derive(Debug, Default)]
pub(crate) struct KindCache {
    /// The version of the parts that this is about.
    version: Option<u64>,
    /// By part: its selector.
    selectors: Vec<usize>,
    tables: [Table; WIDTHS.len()],
}

/// Entries of one width.
#[derive(Debug, Default)]
struct Table {
    /// Entry after entry. What was never used is zero, and takes no memory.
    words: Vec<u32>,
    entries: usize,
    used: usize,
}

impl Table {
    fn make_free(&mut self, width: usize, entries: usize) {
        *self = Table { words: vec![0; entries * width], entries, used: 0 };
    }
}

/// The number of the table for so many words.
#[inline]
fn table_for(words: usize) -> Option<usize> {
    WIDTHS.iter().position(|&width| words + FIRST <= width)
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
    /// There is no such process.
    Nobody,
}

impl KindCache {
    /// The kind of a part that has so many steps in a state, or where to keep it. Nothing else may be
    /// asked before it is kept.
    #[inline]
    pub(crate) fn find(
        &mut self,
        parts: &dyn Parts,
        part: usize,
        row: &[Word],
        steps: u32,
    ) -> Place {
        if self.version != Some(parts.version()) {
            self.begin(parts);
        }
        // It tells the control point; there is no number 0.
        let selector = row[self.selectors[part]];
        if selector == 0 {
            return Place::Nobody;
        }
        let Some(looked_at) = parts.conditions(part, selector) else { return Place::Nowhere };
        let Some(number) = table_for(looked_at.len()).filter(|_| steps < MOST_STEPS) else {
            return Place::Nowhere;
        };
        let (table, width) = (&self.tables[number], WIDTHS[number]);
        let mut hash = u64::from(steps) << 32 ^ part as u64;
        for &word in looked_at {
            let word = u64::from(row[word as usize]);
            hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        let place = (hash ^ hash >> 32) as usize % table.entries * width;
        let entry = &table.words[place..][..width];
        let is_it = entry[0] == who(part, steps)
            && entry[2] == looked_at.len() as u32
            && looked_at.iter().zip(&entry[FIRST..]).all(|(&at, &word)| row[at as usize] == word);
        if is_it { Place::Known(entry[1]) } else { Place::Unknown(place) }
    }

    #[cold]
    fn begin(&mut self, parts: &dyn Parts) {
        self.version = Some(parts.version());
        self.selectors = (0..parts.len()).map(|part| parts.selector(part)).collect();
        for (table, width) in self.tables.iter_mut().zip(WIDTHS) {
            table.make_free(width, FIRST_ENTRIES);
        }
    }

    /// Keeps the kind of a part that was looked for just now.
    pub(crate) fn keep(
        &mut self,
        place: usize,
        parts: &dyn Parts,
        part: usize,
        row: &[Word],
        steps: u32,
        kind: u32,
    ) {
        let selector = row[self.selectors[part]];
        let Some(looked_at) = parts.conditions(part, selector) else { return };
        let Some(number) = table_for(looked_at.len()) else { return };
        let (table, width) = (&mut self.tables[number], WIDTHS[number]);
        if table.used > table.entries / 2 && table.entries < MOST_ENTRIES {
            // They will be found anew.
            return table.make_free(width, 4 * table.entries);
        }
        let entry = &mut table.words[place..][..width];
        table.used += usize::from(entry[0] == 0);
        entry[..FIRST].copy_from_slice(&[who(part, steps), kind, looked_at.len() as u32]);
        for (kept, &at) in entry[FIRST..].iter_mut().zip(looked_at) {
            *kept = row[at as usize];
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let of_table = |(table, width): (&Table, usize)| table.used * width * size_of::<u32>();
        self.tables.iter().zip(WIDTHS).map(of_table).sum()
    }
}

/// A part, of which there are fewer than 255, and its steps.
fn who(part: usize, steps: u32) -> u32 {
    (part as u32 + 1) << 24 | steps
}

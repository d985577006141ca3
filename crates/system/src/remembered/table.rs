//! What the steps of parts are, by the fields that they touch. A table that forgets: an entry
//! takes the place of another one.

use lariat_store::hash::prefetch;

/// Entries at first; there are never more than one for so many states.
const FIRST_ENTRIES: usize = 1 << 12;
const STATES_PER_ENTRY: usize = 16;
/// More are thought of when there are so many states.
const FIRST_GROWTH: usize = 1 << 14;
const MOST_ENTRIES: usize = 1 << 20;
/// Changes kept in an entry itself.
const INLINE: usize = 2;
/// Changes kept outside of entries, for each entry there is.
const LONG_PER_ENTRY: usize = 2;

/// The steps of a part in all states with the key in its fields.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Entry {
    key: u64,
    /// The changes, or where they start in `long`.
    changes: [u64; INLINE],
    /// What reduction knows of the part; [`NO_KIND`] if it was not asked.
    pub(super) kind: u32,
    pub(super) atomic_steps: u16,
    /// The number of changes.
    count: u8,
    /// The part and one; 0 is a free entry. With [`KIND_ONLY`], the changes are not known.
    part: u8,
}

/// Nobody has asked what kind of state of the part this is.
pub(super) const NO_KIND: u32 = u32::MAX;
/// The part was left out: nobody has seen where its steps lead.
const KIND_ONLY: u8 = 0x80;

const FREE: Entry =
    Entry { key: 0, changes: [0; INLINE], kind: NO_KIND, atomic_steps: 0, count: 0, part: 0 };

impl Entry {
    /// Of at most 127 parts, 255 successors and 65,535 steps inside atomic sequences.
    pub(super) fn new(part: usize, key: u64, count: usize, atomic_steps: u16) -> Self {
        let (count, part) = (count as u8, part as u8 + 1);
        Entry { key, changes: [0; INLINE], kind: NO_KIND, atomic_steps, count, part }
    }

    pub(super) fn with_key(self, key: u64) -> Self {
        Entry { key, ..self }
    }

    pub(super) fn with_kind(self, kind: u32) -> Self {
        Entry { kind, ..self }
    }

    /// Without the changes.
    pub(super) fn of_kind_only(self) -> Self {
        Entry { part: self.part | KIND_ONLY, ..self }
    }

    #[inline(always)]
    pub(super) fn is_kind_only(&self) -> bool {
        self.part & KIND_ONLY != 0
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }
}

#[derive(Debug, Default)]
pub(super) struct Table {
    /// A power of two of them, or none.
    entries: Vec<Entry>,
    /// Entries that are not free.
    used: usize,
    /// How often everything was forgotten or moved, or meant something else.
    filling: u64,
    /// Changes of entries with many.
    long: Vec<u64>,
    /// The number of states at which more entries are thought of.
    pub(super) next_growth: usize,
    /// Behind the changes lies what the marks of steps are made from: a word for each change, and one
    /// for all.
    pub(super) is_marked: bool,
}

/// 64 well-mixed bits: a folded product.
#[inline(always)]
pub(super) fn mixed(key: u64) -> u64 {
    let product = u128::from(key ^ 0xA076_1D64_78BD_642F) * u128::from(0xE703_7ED1_A0B4_28DB_u64);
    product as u64 ^ (product >> 64) as u64
}

/// Where an entry belongs.
#[inline(always)]
fn place(entries: &[Entry], part: usize, key: u64) -> usize {
    mixed(key ^ (part as u64) << 58 ^ part as u64) as usize & (entries.len() - 1)
}

impl Table {
    /// Entries at first.
    pub(super) fn first_len(hurry: u32) -> usize {
        FIRST_ENTRIES >> hurry
    }

    pub(super) fn bytes_of(entries: usize) -> usize {
        entries * size_of::<Entry>()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn bytes(&self) -> usize {
        Self::bytes_of(self.entries.capacity()) + self.long.capacity() * size_of::<u64>()
    }

    /// Another number whenever what was known is not where it was.
    #[inline(always)]
    pub(super) fn filling(&self) -> u64 {
        self.filling
    }

    /// Where an entry would be, which is asked for.
    #[inline(always)]
    pub(super) fn ask(&self, part: usize, key: u64) -> u32 {
        let place = place(&self.entries, part, key);
        prefetch(&self.entries[place]);
        place as u32
    }

    /// The entry of a part that would be at a place.
    #[inline(always)]
    pub(super) fn find_at(&self, place: u32, part: usize, key: u64) -> Option<&Entry> {
        let entry = self.entries.get(place as usize)?;
        (entry.key == key && entry.part == part as u8 + 1).then_some(entry)
    }

    /// Where the entry of a part is.
    pub(super) fn place_of(&self, part: usize, key: u64) -> Option<u32> {
        let place = place(&self.entries, part, key) as u32;
        self.find_at(place, part, key).map(|_| place)
    }

    /// Where it is, though its changes or its kind may not be known.
    #[inline(always)]
    pub(super) fn place_of_any(&self, part: usize, key: u64) -> Option<u32> {
        let place = place(&self.entries, part, key);
        let entry = &self.entries[place];
        let is_it = entry.key == key && entry.part & !KIND_ONLY == part as u8 + 1;
        is_it.then_some(place as u32)
    }

    /// The kind of a part, in all states that an entry is for.
    pub(super) fn learn_kind(&mut self, place: u32, kind: u32) {
        self.entries[place as usize].kind = kind;
    }

    pub(super) fn entry(&self, place: u32) -> &Entry {
        &self.entries[place as usize]
    }

    /// Words that are kept with so many changes.
    #[inline(always)]
    fn words(&self, changes: usize) -> usize {
        if self.is_marked { 2 * changes + 1 } else { changes }
    }

    #[inline(always)]
    fn kept<'t>(&'t self, entry: &'t Entry) -> &'t [u64] {
        let words = self.words(entry.len());
        match words <= INLINE {
            true => &entry.changes[..words],
            false => &self.long[entry.changes[0] as usize..][..words],
        }
    }

    #[inline(always)]
    pub(super) fn changes<'t>(&'t self, entry: &'t Entry) -> &'t [u64] {
        &self.kept(entry)[..entry.len()]
    }

    /// What the marks of the changes are made from, and that of all of them; nothing if steps have no
    /// marks.
    #[inline(always)]
    pub(super) fn marks<'t>(&'t self, entry: &'t Entry) -> Option<(&'t [u64], u64)> {
        if !self.is_marked {
            return None;
        }
        let (&able, moved) = self.kept(entry)[entry.len()..].split_last()?;
        Some((moved, able))
    }

    /// Keeps an entry with its changes, and what the marks are made from behind them.
    pub(super) fn put(&mut self, mut entry: Entry, changes: impl Iterator<Item = u64>) {
        let count = self.words(entry.len());
        if count <= INLINE {
            entry.changes.iter_mut().zip(changes).for_each(|(place, change)| *place = change);
        } else {
            let most = self.words(LONG_PER_ENTRY) * self.entries.len();
            if self.long.len() + count > most {
                let entries = self.entries.len();
                self.forget(entries);
            }
            if self.long.len() + count > self.long.capacity() {
                // By half, where a vector doubles.
                let more = (self.long.len() / 2).min(most - self.long.len());
                self.long.reserve_exact(more.max(count));
            }
            entry.changes[0] = self.long.len() as u64;
            self.long.extend(changes);
        }
        self.insert(entry);
    }

    /// Keeps an entry without changes.
    pub(super) fn put_kind(&mut self, entry: Entry) {
        self.insert(entry.of_kind_only());
    }

    fn insert(&mut self, entry: Entry) {
        let part = (entry.part & !KIND_ONLY) as usize - 1;
        let place = place(&self.entries, part, entry.key);
        if self.entries[place].part == 0 {
            self.used += 1;
            // Whoever has much to remember soon need not wait until there are many more states.
            if self.used == self.entries.len() / 2 {
                self.next_growth = 0;
            }
        }
        self.entries[place] = entry;
    }

    /// Keys mean something else from now on.
    pub(super) fn begin_anew(&mut self) {
        self.filling += 1;
    }

    /// Nothing is kept, and no memory.
    pub(super) fn discard(&mut self) {
        (self.entries, self.long, self.used) = (Vec::new(), Vec::new(), 0);
        self.begin_anew();
    }

    /// So many free entries.
    pub(super) fn forget(&mut self, entries: usize) {
        self.entries.clear();
        self.entries.resize(entries, FREE);
        self.long.clear();
        self.used = 0;
        self.begin_anew();
    }

    /// More entries for so many states, if there is use for them and they are allowed.
    pub(super) fn grow(&mut self, states: usize, hurry: u32, spare: usize) {
        let now = self.entries.len();
        self.next_growth = (states + states / 4).max(FIRST_GROWTH >> hurry);
        if self.used < now / 2 {
            return;
        }
        let most = (states / STATES_PER_ENTRY + 1).next_power_of_two() / 2;
        let entries = most.min(MOST_ENTRIES).min(now * 4);
        // The old ones are there until the new ones are filled.
        if entries <= now || Self::bytes_of(entries) > spare {
            return;
        }
        let old = std::mem::take(&mut self.entries);
        let long = std::mem::take(&mut self.long);
        self.forget(entries);
        self.long = long;
        old.into_iter().filter(|entry| entry.part != 0).for_each(|entry| self.insert(entry));
    }
}

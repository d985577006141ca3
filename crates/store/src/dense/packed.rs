//! Rows as keys of 64 or 128 bits, numbered.

use super::layout::{Layout, Piece, bits_of};
use crate::differ::{AT_ONCE, differing};
use crate::pairs::{Key, Pairs};
use lariat_core::{Full, SystemId, Word, makes_mistake};
use std::ops::{BitOr, BitXor};

/// A key that words are packed into.
pub(super) trait Packs: Key + BitOr<Output = Self> + BitXor<Output = Self> {
    const BITS: u32;
    const ZERO: Self;
    /// A value of at most 32 bits, at this place.
    fn put(value: Word, at: u8) -> Self;
    /// The 32 bits from this place on.
    fn get(self, at: u8) -> Word;
}

macro_rules! packs {
    ($($key:ty),*) => { $(impl Packs for $key {
        const BITS: u32 = <$key>::BITS;
        const ZERO: Self = 0;
        #[inline(always)]
        fn put(value: Word, at: u8) -> Self {
            <$key>::from(value) << at
        }
        #[inline(always)]
        fn get(self, at: u8) -> Word {
            (self >> at) as Word
        }
    })* };
}
packs!(u64, u128);

/// The bits of a key are not enough for all words.
pub(super) struct Outgrown;

#[derive(Debug)]
pub(super) struct Packed<K> {
    layout: Layout,
    pub(super) keys: Pairs<K>,
    /// The row that was loaded last, and its key.
    row: Vec<Word>,
    key: K,
    /// Keys that were taken in, and their hashes.
    found: Vec<(K, u64)>,
}

impl<K: Packs> Packed<K> {
    pub(super) fn new(width: usize) -> Self {
        Packed {
            layout: Layout::new(vec![0; width]),
            keys: Pairs::new(),
            row: vec![0; width],
            key: K::ZERO,
            found: Vec::new(),
        }
    }

    pub(super) fn width(&self) -> usize {
        self.row.len()
    }

    #[inline(always)]
    pub(super) fn load(&mut self, id: SystemId) -> &[Word] {
        self.key = self.keys.get(id);
        unpack(&self.layout, self.key, &mut self.row);
        &self.row
    }

    /// Takes a row in and asks for its bucket.
    #[inline(always)]
    pub(super) fn take_in(&mut self, row: &[Word]) -> Result<(), Outgrown> {
        let key = match self.pack(row) {
            Some(key) => key,
            None => {
                self.make_bits(row)?;
                self.pack(row).ok_or(Outgrown)?
            }
        };
        let hash = key.hash();
        if self.keys.len() > 0 {
            self.keys.prefetch_bucket(hash);
        }
        self.found.push((key, hash));
        Ok(())
    }

    /// The key of a row: that of the loaded row, but for the words that differ. None if a word needs
    /// more bits than it has.
    #[inline(always)]
    fn pack(&self, row: &[Word]) -> Option<K> {
        let mut key = self.key;
        let mut first = 0;
        while first < row.len() {
            let end = row.len().min(first + AT_ONCE);
            let mut bits = differing(&row[first..end], &self.row[first..end]);
            while bits != 0 {
                let word = first + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let change = row[word] ^ self.row[word];
                let Piece { at, mask, .. } = self.layout.first[word];
                key = key ^ K::put(change & mask, at);
                if change > mask {
                    key = key ^ self.pack_more(word, change)?;
                }
            }
            first = end;
        }
        Some(key)
    }

    /// The bits of a word that are in pieces of their own.
    fn pack_more(&self, word: usize, change: Word) -> Option<K> {
        let pieces = self.layout.more.iter().filter(|piece| piece.word as usize == word);
        let put = |key: K, piece: &Piece| key ^ K::put(change >> piece.from & piece.mask, piece.at);
        let pieces = pieces.filter(|_| !makes_mistake("dense-high-bits"));
        self.layout.holds(word, change).then(|| pieces.fold(K::ZERO, put))
    }

    /// Gives words the bits that this row needs.
    #[cold]
    fn make_bits(&mut self, row: &[Word]) -> Result<(), Outgrown> {
        for (word, &value) in row.iter().enumerate() {
            if self.layout.holds(word, value) {
                continue;
            }
            let needed = u32::from(bits_of(value) - self.layout.bits[word]);
            if self.layout.used + needed > K::BITS {
                self.compact();
            }
            let spare = K::BITS - self.layout.used;
            // Compacting may have taken bits away that it did not need.
            let needed = u32::from(bits_of(value) - self.layout.bits[word]);
            if needed > spare {
                return Err(Outgrown);
            }
            // One more, so that the word comes back less often, if there is plenty.
            let more = needed + u32::from(spare > needed + row.len() as u32);
            let more = more.min(Word::BITS - u32::from(self.layout.bits[word]));
            self.layout.widen(word, more as u8);
        }
        Ok(())
    }

    /// Puts the bits of each word side by side, without those that no state needs.
    fn compact(&mut self) {
        let all = (0..self.keys.len() as SystemId).map(|id| self.keys.get(id));
        let taken_in = self.found.iter().map(|found| found.0);
        let seen = all.chain(taken_in).fold(self.key, |seen, key| seen | key);
        let mut row = vec![0; self.row.len()];
        unpack(&self.layout, seen, &mut row);
        let layout = Layout::new(row.iter().map(|&word| bits_of(word)).collect());
        let old = std::mem::replace(&mut self.layout, layout);
        let new = &self.layout;
        let moved = |key: K| {
            let mut moved = K::ZERO;
            for (piece, to) in old.first.iter().zip(&new.first) {
                moved = moved | K::put(key.get(piece.at) & piece.mask & to.mask, to.at);
            }
            for piece in old.more.iter().filter(|_| !makes_mistake("dense-compact")) {
                let to = &new.first[piece.word as usize];
                let value = (key.get(piece.at) & piece.mask) << piece.from;
                moved = moved | K::put(value & to.mask, to.at);
            }
            moved
        };
        self.keys.change_all(moved);
        self.key = moved(self.key);
        for (key, hash) in &mut self.found {
            *key = moved(*key);
            *hash = key.hash();
        }
    }

    /// The ids of what was taken in, in order. If they do not fit into so many more bytes, all is forgotten.
    #[inline(always)]
    pub(super) fn look_up(
        &mut self,
        spare: usize,
        take: &mut impl FnMut(SystemId),
    ) -> Result<(), Full> {
        if !self.keys.has_room(self.found.len()) {
            self.make_room(spare)?;
        }
        for &(_, hash) in &self.found {
            self.keys.prefetch_pair(hash);
        }
        for &(key, hash) in &self.found {
            take(self.keys.intern(key, hash));
        }
        self.found.clear();
        Ok(())
    }

    #[cold]
    fn make_room(&mut self, spare: usize) -> Result<(), Full> {
        let more = self.found.len();
        // Now that all keys are looked at anyway.
        if self.keys.must_rebuild(more) && self.layout.more.len() > self.width() / 2 {
            self.compact();
        }
        let made = self.keys.make_room(more, spare);
        if made.is_err() {
            self.found.clear();
        }
        made
    }

    pub(super) fn forget_states(&mut self) {
        self.found.clear();
        self.keys = Pairs::new().with_limits_of(&self.keys);
    }
}

#[inline(always)]
fn unpack<K: Packs>(layout: &Layout, key: K, row: &mut [Word]) {
    for (word, piece) in row.iter_mut().zip(&layout.first) {
        *word = key.get(piece.at) & piece.mask;
    }
    for piece in &layout.more {
        row[piece.word as usize] |= (key.get(piece.at) & piece.mask) << piece.from;
    }
}

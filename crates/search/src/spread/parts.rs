//! Who owns a state, told by what it is and not by how a process packs it.
//!
//! Each part of a state has a hash of its words, kept beside the part's number; the hash of a state is their sum, mixed. Two processes agree on it
//! as soon as they agree on what the parts are, which is checked before a search begins ([`Parts::fingerprint`]). The set places keys by a hash of the packed state, which is
//! another function of other bits: so the states of one owner use all of its lines.

use lariat_core::Word;
use lariat_store::{Layout, SharedSession};

/// The hashes of the parts that a worker knows.
pub(super) struct Parts {
    /// By part and number; empty where a word is its own number.
    hashes: Vec<Vec<u64>>,
    is_word: Vec<bool>,
    /// How many numbers of each part all workers knew when they began: they mean the same to all.
    base: Vec<usize>,
    pub(super) layout: Layout,
    /// By bit of a root, whose it is; by part, its bits.
    part_at: [u8; 64],
    masks: Vec<u64>,
}

/// Odd and without pattern: the digits of the golden ratio.
const KEY: u64 = 0x9E37_79B9_7F4A_7C15;

/// After the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#[inline(always)]
pub(super) fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}

#[inline(always)]
fn hash_of(part: usize, words: &[Word]) -> u64 {
    let start = (part as u64 + 1).wrapping_mul(KEY);
    words.iter().fold(start, |hash, &word| mix(hash.wrapping_add(KEY) ^ u64::from(word)))
}

impl Parts {
    pub(super) fn new(session: &SharedSession<'_>) -> Self {
        let layout = session.layout();
        let numbers: Vec<_> = (0..layout.len()).map(|part| session.numbers_of(part)).collect();
        let mut parts = Parts {
            hashes: vec![Vec::new(); layout.len()],
            is_word: numbers.iter().map(Option::is_none).collect(),
            base: numbers.iter().map(|numbers| numbers.unwrap_or(0)).collect(),
            layout,
            part_at: [0; 64],
            masks: Vec::new(),
        };
        parts.note_masks();
        parts.catch_up(session);
        parts
    }

    /// All that the workers of a search must agree on: what the parts are, and the numbers that all begin with.
    pub(super) fn fingerprint(session: &SharedSession<'_>) -> u64 {
        let mut hash = KEY;
        session.describe_parts(|words| {
            hash = mix(hash.wrapping_add(words.len() as u64));
            words.iter().for_each(|&word| hash = mix(hash.wrapping_add(KEY) ^ u64::from(word)));
        });
        hash
    }

    /// Hears of numbers that are new, and of bits that fields were given.
    pub(super) fn catch_up(&mut self, session: &SharedSession<'_>) {
        for part in 0..self.hashes.len() {
            let hashes = &mut self.hashes[part];
            let known = session.numbers_of(part).unwrap_or(0);
            let new = hashes.len() as u32..known as u32;
            hashes.extend(new.map(|number| hash_of(part, session.words_of(part, number))));
        }
    }

    /// The fields have got bits.
    pub(super) fn widen(&mut self, session: &SharedSession<'_>) {
        self.layout = session.layout();
        self.note_masks();
    }

    fn note_masks(&mut self) {
        let most = |part| u32::MAX >> (32 - self.layout.bits(part));
        self.masks = (0..self.len()).map(|part| self.layout.put(part, most(part))).collect();
        for (part, mask) in self.masks.iter().enumerate() {
            let bits = (0..64).filter(|bit| mask >> bit & 1 == 1);
            bits.for_each(|bit: usize| self.part_at[bit] = part as u8);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    pub(super) fn is_word(&self, part: usize) -> bool {
        self.is_word[part]
    }

    pub(super) fn base(&self, part: usize) -> usize {
        self.base[part]
    }

    /// The hash of a state, by its root.
    pub(super) fn hash(&self, root: u64) -> u64 {
        mix(self.sum(root))
    }

    /// The sum of the hashes of its parts.
    pub(super) fn sum(&self, root: u64) -> u64 {
        (0..self.len()).fold(0, |sum: u64, part| sum.wrapping_add(self.of(part, root)))
    }

    /// The hash of a state that a step leads to from another one, of which the sum is known: only the parts that differ are looked at.
    #[inline]
    pub(super) fn hash_behind(&self, (before, sum): (u64, u64), root: u64) -> u64 {
        let (mut sum, mut differs) = (sum, before ^ root);
        while differs != 0 {
            let part = usize::from(self.part_at[differs.trailing_zeros() as usize]);
            sum = sum.wrapping_sub(self.of(part, before)).wrapping_add(self.of(part, root));
            differs &= !self.masks[part] & (differs - 1);
        }
        debug_assert_eq!(mix(sum), self.hash(root));
        mix(sum)
    }

    #[inline(always)]
    fn of(&self, part: usize, root: u64) -> u64 {
        let number = self.layout.number(part, root);
        match self.is_word[part] {
            false => self.hashes[part][number as usize],
            true => hash_of(part, &[number]),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.hashes.iter().map(|hashes| hashes.capacity() * size_of::<u64>()).sum()
    }
}

/// The owner of a state with this hash, among so many workers.
#[inline(always)]
pub(super) fn owner(hash: u64, workers: usize) -> usize {
    (((hash >> 32) * workers as u64) >> 32) as usize
}

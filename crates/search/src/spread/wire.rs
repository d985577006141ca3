//! States on the wire: numbers of parts, closed up, behind the parts that the receiver has not heard of.
//!
//! A sender knows for each receiver which of its numbers it has told; a receiver keeps for each sender a table from the sender's numbers to its own. Messages of a
//! pair arrive once and in order (`lariat_core::exchange`), so a number is told before it is used, nobody has to agree with all others on numbers, and neither
//! side touches a row for parts that are known.
//!
//! ```text
//! message     widths? lessons definitions states
//! widths      bits of each part in the states of this message and of those behind it
//! lesson      a row that the model's steps must know of before they are given states that were found after it
//! definition  part, number, words
//! state       numbers of all parts, closed up; the state of an automaton; what the search says of it
//! ```
//!
//! *Why a state arrives as it was sent.* The workers have agreed on what the parts are, and on the numbers below [`Parts::base`]. Every other number of a part was told
//! together with its words, before the state, and the receiver's own number stands for the same words. A row is its parts, so the row is the same. All this is checked where
//! a message is read: what a table does not have, what a field cannot hold, and what is too short or too long is an error ([`Malformed`]), and no state.
//!
//! *Why a lesson comes in time.* What a sender's steps have learned from a row, they had learned when they gave out that row; the row, or a state with the same processes, is sent
//! later than that, and the lesson goes in front of all that is sent later.

use lariat_core::{Word, makes_mistake};
use lariat_model::steps::ModelSteps;
use lariat_store::{Keys, SharedSession};
use lariat_system::Stop;

use super::parts::Parts;

/// Bytes of states after which a message is sent.
const FULL: usize = 8 << 10;
/// A number that nobody was told.
const UNKNOWN: u32 = u32::MAX;

/// What arrived cannot be what a worker of this search has sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Malformed(pub(super) &'static str);

/// Why a message was not taken.
#[derive(Debug)]
pub(super) enum NotTaken {
    Malformed(Malformed),
    Stopped(Stop),
}

impl From<Malformed> for NotTaken {
    fn from(what: Malformed) -> Self {
        NotTaken::Malformed(what)
    }
}

/// What is said of some states, by their keys.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) keys: Vec<u64>,
    pub(super) words: Vec<u64>,
}

impl Said {
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.words.clear();
    }

    pub(super) fn push(&mut self, key: u64, word: u64) {
        self.keys.push(key);
        self.words.push(word);
    }
}

/// A worker's way to one other, and from it.
#[derive(Debug, Default)]
struct Pair {
    /// By part: which numbers it was told, as bits.
    told: Vec<Vec<u64>>,
    has_widths: bool,
    lessons: usize,
    /// The message to be.
    definitions: Vec<u8>,
    defined: u32,
    states: Vec<u8>,
    /// What it has said: the widths of its numbers, and by part, from its numbers to those here.
    widths: Vec<u32>,
    tables: Vec<Vec<u32>>,
}

/// A worker's ways to all others.
#[derive(Debug)]
pub(super) struct Wire {
    pairs: Vec<Pair>,
    /// Bits below the root.
    below: u32,
    /// Bytes that are said of each state.
    extra: usize,
    pub(super) bytes: u64,
    pub(super) states: u64,
}

/// Ways to so many workers, to which nothing was said.
fn pairs(workers: usize, parts: &Parts) -> Vec<Pair> {
    let known = |part: usize| {
        // These mean the same to all.
        (0..parts.base(part) as u32).collect::<Vec<u32>>()
    };
    let pair = || Pair {
        told: vec![Vec::new(); parts.len()],
        tables: (0..parts.len()).map(known).collect(),
        ..Pair::default()
    };
    (0..workers).map(|_| pair()).collect()
}

/// How wide numbers are, and the bytes of a state.
fn stride(widths: &[u32], below: u32) -> usize {
    (widths.iter().sum::<u32>() + below).div_ceil(8) as usize
}

impl Wire {
    pub(super) fn new(workers: usize, parts: &Parts, below: u32) -> Self {
        let pairs = pairs(workers, parts);
        Wire { pairs, below, extra: 0, bytes: 0, states: 0 }
    }

    /// As if nothing had been said. The other sides do the same.
    pub(super) fn begin_anew(&mut self, workers: usize, parts: &Parts) {
        self.pairs = pairs(workers, parts);
    }

    /// From now on so many bytes are said of each state. Nothing waits to be sent.
    pub(super) fn set_extra(&mut self, extra: usize) {
        debug_assert!(self.pairs.iter().all(|pair| pair.states.is_empty()));
        self.extra = extra;
    }

    /// The fields have got bits: numbers may be wider from now on. Nothing waits to be sent.
    pub(super) fn widen(&mut self) {
        for pair in &mut self.pairs {
            debug_assert!(pair.states.is_empty());
            pair.has_widths = false;
        }
    }

    pub(super) fn table_bytes(&self) -> usize {
        let of = |pair: &Pair| {
            let told: usize = pair.told.iter().map(|bits| bits.capacity() * 8).sum();
            told + pair.tables.iter().map(|table| table.capacity() * 4).sum::<usize>()
        };
        self.pairs.iter().map(of).sum()
    }

    /// Says something of a state to its owner. True if the message should be sent now.
    #[inline]
    pub(super) fn push(
        &mut self,
        to: usize,
        (root, state, word): (u64, u32, u64),
        parts: &Parts,
        session: &SharedSession<'_>,
    ) -> bool {
        let pair = &mut self.pairs[to];
        let (mut packed, mut shift) = (0_u128, self.below);
        for (part, number) in parts.layout.numbers(root).enumerate() {
            if !parts.is_word(part) && number as usize >= parts.base(part) {
                pair.tell(part, number, session);
            }
            packed |= u128::from(number) << shift;
            shift += parts.layout.bits(part);
        }
        packed |= u128::from(state);
        let stride = shift.div_ceil(8) as usize;
        pair.states.extend_from_slice(&packed.to_le_bytes()[..stride]);
        pair.states.extend_from_slice(&word.to_le_bytes()[..self.extra]);
        self.states += 1;
        pair.states.len() + pair.definitions.len() >= FULL
    }

    /// What waits to be sent to a worker.
    pub(super) fn message(
        &mut self,
        to: usize,
        parts: &Parts,
        steps: &dyn ModelSteps,
    ) -> Option<Vec<u8>> {
        let pair = &mut self.pairs[to];
        if pair.states.is_empty() {
            return None;
        }
        let mut out = Vec::with_capacity(pair.states.len() + pair.definitions.len() + 64);
        out.push(u8::from(!pair.has_widths));
        if !pair.has_widths {
            out.extend((0..parts.len()).map(|part| parts.layout.bits(part) as u8));
            pair.has_widths = true;
        }
        let lessons = &steps.lessons()[pair.lessons..];
        put(&mut out, lessons.len() as u32);
        for row in lessons {
            put(&mut out, row.len() as u32);
            row.iter().for_each(|&word| put(&mut out, word));
        }
        pair.lessons += lessons.len();
        put(&mut out, std::mem::take(&mut pair.defined));
        out.append(&mut pair.definitions);
        out.append(&mut pair.states);
        self.bytes += out.len() as u64;
        Some(out)
    }

    /// Reads a message: what it says, in the terms of this worker. It may be read once more from its start if the worker has stopped in the midst of it.
    pub(super) fn read(
        &mut self,
        (from, bytes): (usize, &[u8]),
        parts: &mut Parts,
        (keys, states): (Keys, u32),
        session: &mut SharedSession<'_>,
        (row_width, mut learn): (usize, impl FnMut(&[Word])),
        out: &mut Said,
    ) -> Result<(), NotTaken> {
        let pair = &mut self.pairs[from];
        let mut rest = Reader(bytes);
        match rest.byte()? {
            0 if pair.widths.is_empty() => {
                return Err(Malformed("nobody has said how wide numbers are").into());
            }
            0 => {}
            1 => pair.hear_widths(rest.take(parts.len())?)?,
            _ => return Err(Malformed("a message begins with another byte").into()),
        }
        for _ in 0..rest.word()? {
            let len = rest.word()? as usize;
            if len != row_width {
                return Err(Malformed("a lesson has another width").into());
            }
            learn(&rest.words(len)?);
        }
        for _ in 0..rest.word()? {
            pair.hear(&mut rest, parts, session)?;
        }
        parts.catch_up(session);
        pair.read_states(rest.0, (self.below, self.extra), parts, (keys, states), out)?;
        Ok(())
    }
}

impl Pair {
    /// Defines a number, unless the receiver was told.
    #[inline]
    fn tell(&mut self, part: usize, number: u32, session: &SharedSession<'_>) {
        let (at, bit) = (number as usize / 64, 1 << (number % 64));
        let told = &mut self.told[part];
        if told.len() <= at {
            told.resize(at + 1, 0);
        }
        if told[at] & bit != 0 {
            return;
        }
        told[at] |= bit;
        self.defined += 1;
        self.definitions.extend_from_slice(&(part as u16).to_le_bytes());
        put(&mut self.definitions, number);
        session.words_of(part, number).iter().for_each(|&word| put(&mut self.definitions, word));
    }

    fn hear_widths(&mut self, bytes: &[u8]) -> Result<(), Malformed> {
        let widths: Vec<u32> = bytes.iter().map(|&byte| byte.into()).collect();
        let is_possible = widths.iter().all(|width| (1..=32).contains(width));
        if !is_possible || widths.iter().sum::<u32>() > u64::BITS {
            return Err(Malformed("numbers of parts are too wide"));
        }
        self.widths = widths;
        Ok(())
    }

    fn hear(
        &mut self,
        rest: &mut Reader<'_>,
        parts: &Parts,
        session: &mut SharedSession<'_>,
    ) -> Result<(), NotTaken> {
        let part = usize::from(u16::from_le_bytes([rest.byte()?, rest.byte()?]));
        let number = rest.word()?;
        if part >= parts.len() || parts.is_word(part) {
            return Err(Malformed("a part is defined that has no numbers").into());
        }
        if (number as usize) < parts.base(part) || u64::from(number) >> self.widths[part] != 0 {
            return Err(Malformed("a number is defined that cannot be new").into());
        }
        let words = rest.words(session.width_of(part))?;
        if !session.may_be(part, &words) {
            return Err(Malformed("the words of a part have bits that are not theirs").into());
        }
        let mine =
            session.number_of(part, &words).map_err(|full| NotTaken::Stopped(full.into()))?;
        let table = &mut self.tables[part];
        if table.len() <= number as usize {
            table.resize(number as usize + 1, UNKNOWN);
        }
        let is_shifted = makes_mistake("wire-part-table") && number % 16 == 15;
        table[number as usize] = if is_shifted { mine - 1 } else { mine };
        Ok(())
    }

    fn read_states(
        &self,
        bytes: &[u8],
        (below, extra): (u32, usize),
        parts: &Parts,
        (keys, automaton_states): (Keys, u32),
        out: &mut Said,
    ) -> Result<(), Malformed> {
        let stride = stride(&self.widths, below);
        if !bytes.len().is_multiple_of(stride + extra) {
            return Err(Malformed("the last state is cut off"));
        }
        for bytes in bytes.chunks_exact(stride + extra) {
            let (packed, word) = (number(&bytes[..stride]), number(&bytes[stride..]) as u64);
            let (mut root, mut shift) = (0, below);
            for (part, &width) in self.widths.iter().enumerate() {
                let theirs = (packed >> shift) as u32 & (u32::MAX >> (32 - width));
                shift += width;
                let mine = match parts.is_word(part) {
                    true => theirs,
                    false => {
                        let table = &self.tables[part];
                        table.get(theirs as usize).copied().unwrap_or(UNKNOWN)
                    }
                };
                if mine == UNKNOWN && !parts.is_word(part) || !parts.layout.holds(part, mine) {
                    return Err(Malformed("a state has a part that nobody has defined"));
                }
                root |= parts.layout.put(part, mine);
            }
            let state = packed as u32 & ((1_u64 << below) - 1) as u32;
            if packed >> shift != 0 || state >= automaton_states {
                return Err(Malformed("a state has bits that belong to nothing"));
            }
            out.push(keys.join(root, state), word);
        }
        Ok(())
    }
}

/// The number in some bytes, the lowest first.
#[inline(always)]
fn number(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    all[..bytes.len()].copy_from_slice(bytes);
    u128::from_le_bytes(all)
}

fn put(out: &mut Vec<u8>, word: Word) {
    out.extend_from_slice(&word.to_le_bytes());
}

/// Bytes that are read from the front.
pub(super) struct Reader<'b>(pub(super) &'b [u8]);

impl<'b> Reader<'b> {
    pub(super) fn take(&mut self, len: usize) -> Result<&'b [u8], Malformed> {
        let (front, rest) = self.0.split_at_checked(len).ok_or(Malformed("it is cut off"))?;
        self.0 = rest;
        Ok(front)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn word(&mut self) -> Result<Word, Malformed> {
        Ok(number(self.take(4)?) as Word)
    }

    pub(super) fn long(&mut self) -> Result<u64, Malformed> {
        Ok(number(self.take(8)?) as u64)
    }

    pub(super) fn words(&mut self, len: usize) -> Result<Vec<Word>, Malformed> {
        let bytes = self.take(len.checked_mul(4).ok_or(Malformed("it is cut off"))?)?;
        Ok(bytes.chunks_exact(4).map(|word| number(word) as Word).collect())
    }
}

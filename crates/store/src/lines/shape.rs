//! Where a key lies, and how a line is divided.
//!
//! A mixed key has its *home* in line `q * lines >> low`, where `q` is its mixed part of `low` bits: any number of
//! lines will do, and the order of the lines is that of the keys. A *slot* keeps what the home does not tell: the low `r`
//! bits of `q`, as many as it takes to tell the keys of one home apart; the bits above the mixed part;
//! then the payload. Home and slot together are the key, so the set is exact.
//!
//! Slots are in two places of a line: their low 8 bits are bytes at its start, which are compared all at
//! once; the others follow, closed up.

use super::head::Head;
use super::root::Root;
use super::slots::slot_of;

/// Lines have 512 bits, of which the last 17 are the head.
pub(super) const HEAD: u32 = 47;
const SPACE: u32 = 7 * 64 + HEAD;
/// So that a count has 6 bits, and a mask of slots fits into a word.
const MOST_SLOTS: u32 = 61;
/// Homes of a small set.
pub(super) const FEWEST_LINES: u64 = 256;
/// How many other lines a key may go to, and how far from home they are at most.
pub(super) const FAR: usize = 3;
pub(super) const WINDOW: usize = 8;

#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<R> {
    /// Homes; there are `WINDOW` more lines behind them.
    pub(super) lines: u64,
    low: u32,
    r: u32,
    r_mask: u64,
    pub(super) above: u32,
    /// Bits of a slot that belong to the key, at least 8, and those of the payload.
    pub(super) key_bits: u32,
    pub(super) payload: u32,
    pub(super) slots: u32,
    /// Bits of a slot behind its first byte, where those of slot 0 are, and which of them belong to the key.
    pub(super) rest: u32,
    pub(super) rest_at: u32,
    pub(super) rest_mask: R,
}

impl<R: Root> Shape<R> {
    /// For keys of so many mixed bits and so many above them.
    pub(super) fn new(lines: u64, (low, above): (u32, u32), payload: u32) -> Self {
        let per_home = (1_u128 << low).div_ceil(lines.into());
        let r = 128 - (per_home - 1).leading_zeros();
        let key_bits = (r + above).max(8);
        let width = key_bits + payload;
        assert!(width <= R::BITS, "a slot of {width} bits");
        let slots = (SPACE / width).min(MOST_SLOTS);
        Shape {
            lines,
            low,
            r,
            r_mask: (1_u64 << r) - 1,
            above,
            key_bits,
            payload,
            slots,
            rest: width - 8,
            rest_at: slots * 8,
            rest_mask: R::mask(key_bits - 8),
        }
    }

    /// With another number of lines, and more bits above.
    pub(super) fn resized(&self, lines: u64, above: u32) -> Self {
        Shape::new(lines, (self.low, above), self.payload)
    }

    /// Bits of a slot if a key has so many bits above.
    pub(super) fn width_with(&self, above: u32) -> u32 {
        (self.r + above).max(8) + self.payload
    }

    /// All lines.
    pub(super) fn all(&self) -> usize {
        self.lines as usize + WINDOW
    }

    /// The home of a mixed key, and what a slot keeps of it.
    #[inline(always)]
    pub(super) fn place(&self, mixed: R) -> (usize, R) {
        let low = R::from(mixed.low() & self.r_mask);
        let key = if self.above == 0 { low } else { low | mixed >> self.low << self.r };
        (self.home(mixed.low()), key)
    }

    /// The home of what has these low bits.
    #[inline(always)]
    pub(super) fn home(&self, q: u64) -> usize {
        ((u128::from(q << (64 - self.low)) * u128::from(self.lines)) >> 64) as usize
    }

    /// The least mixed part of a home.
    pub(super) fn start(&self, home: usize) -> u64 {
        ((home as u128) << self.low).div_ceil(self.lines.into()) as u64
    }

    /// The highest mixed part.
    pub(super) fn last(&self) -> u64 {
        u64::MAX >> (64 - self.low)
    }

    /// The last home that has keys before those of another one, or the last of all.
    pub(super) fn last_before(&self, old: &Self, home: usize) -> usize {
        let end = ((home as u128) << old.low).div_ceil(old.lines.into()).min(1 << old.low);
        self.home((end - 1) as u64)
    }

    /// From a slot of a home with this start back to the mixed key.
    #[inline(always)]
    pub(super) fn mixed(&self, start: u64, slot: R) -> R {
        let q = start.wrapping_add(slot.low().wrapping_sub(start) & self.r_mask);
        match self.above {
            0 => R::from(q),
            above => R::from(q) | (slot >> self.r & R::mask(above)) << self.low,
        }
    }

    /// A slot without the payload, and the payload.
    #[inline(always)]
    pub(super) fn split(&self, slot: R) -> (R, u64) {
        match self.payload {
            0 => (slot, 0),
            _ => (slot & R::mask(self.key_bits), (slot >> self.key_bits).low()),
        }
    }

    /// The mixed keys of a line, by its number and its words, with their payloads.
    pub(super) fn slots_of(&self, at: usize, words: &[u64; 8], mut each: impl FnMut(R, u64)) {
        let head = Head::of(words);
        for d in 0..=FAR {
            let (first, end) = head.group(d);
            for slot in first..end {
                let (key, payload) = self.split(slot_of(self, slot, |word| words[word]));
                each(self.mixed(self.start(at - offset(key, d)), key), payload);
            }
        }
    }

    #[inline(always)]
    pub(super) fn join(&self, key: R, payload: u64) -> R {
        match self.payload {
            0 => key,
            _ => key | R::from(payload) << self.key_bits,
        }
    }

    /// How many keys fill it: with more, many are away from home.
    pub(super) fn room(&self) -> usize {
        // With few slots, lines are filled less evenly.
        let percent = if self.slots < 8 { 75 } else { 80 };
        (self.lines as usize * self.slots as usize) / 100 * percent
    }

    /// Starts of homes, one after the other: only the first costs a division.
    pub(super) fn starts(&self, home: usize) -> Starts {
        let lines = u128::from(self.lines);
        let (all, before) = (1_u128 << self.low, (home as u128) << self.low);
        Starts { lines, step: (all / lines, all % lines), at: (before / lines, before % lines) }
    }
}

pub(super) struct Starts {
    lines: u128,
    /// Quotient and remainder.
    step: (u128, u128),
    at: (u128, u128),
}

impl Iterator for Starts {
    type Item = u64;

    #[inline(always)]
    fn next(&mut self) -> Option<u64> {
        let start = self.at.0 + u128::from(self.at.1 > 0);
        self.at = (self.at.0 + self.step.0, self.at.1 + self.step.1);
        if self.at.1 >= self.lines {
            self.at = (self.at.0 + 1, self.at.1 - self.lines);
        }
        Some(start as u64)
    }
}

/// How far from home the choice `d` of a key is.
#[inline(always)]
pub(super) fn offset<R: Root>(slot: R, d: usize) -> usize {
    if d == 0 { 0 } else { 1 + (slot.low() as usize + 3 * (d - 1)) % WINDOW }
}

#[cfg(test)]
mod tests {
    use super::super::mix::Mix;
    use super::*;

    #[test]
    fn home_and_slot_are_the_key() {
        let mut random = fastrand::Rng::with_seed(4);
        for bits in 1..=128 {
            for lines in [FEWEST_LINES, 257, 1_000, 65_537, 3 << 25] {
                let mix = Mix::new(bits);
                let shape = Shape::<u128>::new(lines, (mix.low, mix.above), bits % 9);
                for _ in 0..100 {
                    let mixed = mix.mix(random.u128(..) & u128::MAX >> (128 - bits));
                    let (home, key) = shape.place(mixed);
                    assert!(home < lines as usize && key >> shape.key_bits == 0);
                    let payload = random.u64(..1 << shape.payload);
                    assert_eq!(shape.split(shape.join(key, payload)), (key, payload));
                    let start = shape.start(home);
                    assert_eq!(shape.mixed(start, shape.join(key, payload)), mixed);
                    let before = home.min(9);
                    assert_eq!(shape.starts(home - before).nth(before), Some(start));
                }
            }
        }
    }
}

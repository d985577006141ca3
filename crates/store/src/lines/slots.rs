//! Slots within the words of a line: their first bytes in a row, then the rest of each, closed up.

use super::root::Root;
use super::shape::Shape;

/// 64 bits from this one on, of words in a row; behind the last word there is anything.
#[inline(always)]
pub(super) fn bits_at(bit: u32, word: impl Fn(usize) -> u64) -> u64 {
    let (at, shift) = (bit as usize / 64, bit % 64);
    word(at & 7) >> shift | word((at + 1) & 7) << 1 << (63 - shift)
}

/// What a slot has behind its first byte, without the payload if that is wanted.
#[inline(always)]
pub(super) fn rest_of<R: Root>(
    shape: &Shape<R>,
    slot: u32,
    word: impl Fn(usize) -> u64 + Copy,
) -> R {
    let bit = shape.rest_at + slot * shape.rest;
    let low = R::from(bits_at(bit, word));
    if R::BITS == 64 { low } else { low | R::from(bits_at(bit + 64, word)) << (R::BITS / 2) }
}

/// A slot as it is in the words of a line, with its payload.
#[inline(always)]
pub(super) fn slot_of<R: Root>(
    shape: &Shape<R>,
    slot: u32,
    word: impl Fn(usize) -> u64 + Copy,
) -> R {
    let first = word((slot as usize / 8) & 7) >> (slot % 8 * 8) & 0xFF;
    (rest_of(shape, slot, word) & R::mask(shape.rest)) << 8 | R::from(first)
}

/// Values as the slots of a line. First bytes and the rest each fill one word after the other.
#[inline(always)]
pub(super) fn pack<R: Root>(shape: &Shape<R>, values: &[R]) -> [u64; 8] {
    let mut words = [0; 8];
    for (slot, value) in values.iter().enumerate() {
        words[(slot / 8) & 7] |= (value.low() & 0xFF) << (slot % 8 * 8);
    }
    let (mut at, mut filled, mut word) = (shape.rest_at as usize / 64, shape.rest_at % 64, 0);
    let mut append = |bits: u64, width: u32| {
        word |= bits << filled;
        filled += width;
        if filled >= 64 {
            words[at & 7] |= word;
            (at, filled) = (at + 1, filled - 64);
            word = if filled == 0 { 0 } else { bits >> (width - filled) };
        }
    };
    for &value in values {
        let rest = value >> 8;
        append(rest.low(), shape.rest.min(64));
        if R::BITS > 64 && shape.rest > 64 {
            append(rest.high(), shape.rest - 64);
        }
    }
    words[at & 7] |= word;
    words
}

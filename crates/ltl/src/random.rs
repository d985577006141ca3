//! Random formulas and words, the same for the same seed on every machine.

use crate::eval::{Letter, Word};
use crate::formula::{Binary, Formulas, Ltl};

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The same numbers for the same seed, on every machine.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// Yes or no.
    pub fn coin(&mut self) -> bool {
        self.bits() >> 63 == 1
    }
}

/// The shape of random formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many propositions there are to choose from.
    pub propositions: usize,
    /// Operators and propositions, before the constructors simplify.
    pub size: usize,
    /// Whether X may occur.
    pub next: bool,
}

/// A random formula over `p0`, `p1`, ...
pub fn formula(all: &mut Formulas, rng: &mut Rng, shape: Shape) -> Ltl {
    use Binary::*;
    if shape.size <= 1 {
        return match rng.below(shape.propositions * 4 + 1) {
            0 => Formulas::constant(rng.coin()),
            i => all.ap(&format!("p{}", (i - 1) / 4)),
        };
    }
    let unary = if shape.next { 4 } else { 3 };
    let choice = if shape.size == 2 { rng.below(unary) } else { rng.below(unary + 9) };
    if choice < unary {
        let a = formula(all, rng, Shape { size: shape.size - 1, ..shape });
        return match choice {
            0 => all.not(a),
            1 => all.finally(a),
            2 => all.globally(a),
            _ => all.next(a),
        };
    }
    let left = 1 + rng.below(shape.size - 2);
    let a = formula(all, rng, Shape { size: left, ..shape });
    let b = formula(all, rng, Shape { size: shape.size - 1 - left, ..shape });
    match choice - unary {
        0 => all.and2(a, b),
        1 => all.or2(a, b),
        2 => all.binary(Implies, a, b),
        3 => all.binary(Equiv, a, b),
        4 => all.binary(Xor, a, b),
        5 => all.binary(Until, a, b),
        6 => all.binary(Release, a, b),
        7 => all.binary(WeakUntil, a, b),
        _ => all.binary(StrongRelease, a, b),
    }
}

/// A random word over the propositions 0, 1, ... of an arena.
pub fn word(rng: &mut Rng, propositions: usize, max_prefix: usize, max_loop: usize) -> Word {
    let loop_start = rng.below(max_prefix + 1);
    let length = loop_start + 1 + rng.below(max_loop);
    let letters = (0..length)
        .map(|_| {
            let mut letter = Letter::default();
            for ap in 0..propositions as u32 {
                if rng.coin() {
                    letter.set(ap);
                }
            }
            letter
        })
        .collect();
    Word { letters, loop_start }
}

//! The order in which the successors of a state are looked at.

/// How successors are put into another order. The model has those of the youngest process first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shuffle {
    /// As the model has them.
    #[default]
    Not,
    /// The last ones first: those of the oldest process.
    Reversed,
    /// Beginning with any, so that processes take turns in being first.
    Rotated(u64),
    /// In any order.
    Mixed(u64),
}

impl Shuffle {
    /// The way that a number stands for.
    pub fn of_seed(seed: u64) -> Shuffle {
        match seed % 8 {
            0 => Shuffle::Not,
            1 => Shuffle::Reversed,
            2 | 3 => Shuffle::Rotated(seed),
            _ => Shuffle::Mixed(seed),
        }
    }

    pub(super) fn dice(self) -> Dice {
        match self {
            Shuffle::Not | Shuffle::Reversed => Dice(1),
            Shuffle::Rotated(seed) | Shuffle::Mixed(seed) => Dice(seed | 1),
        }
    }

    /// Fills `order` with the numbers below `count`.
    pub(super) fn order(self, dice: &mut Dice, count: usize, order: &mut Vec<usize>) {
        order.clear();
        order.extend(0..count);
        if count < 2 {
            return;
        }
        match self {
            Shuffle::Not => {}
            Shuffle::Reversed => order.reverse(),
            Shuffle::Rotated(_) => order.rotate_left(dice.below(count)),
            Shuffle::Mixed(_) => {
                for last in (1..count).rev() {
                    order.swap(last, dice.below(last + 1));
                }
            }
        }
    }
}

/// Numbers at random (xorshift64*).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Different seeds, different numbers.
    pub fn new(seed: u64) -> Dice {
        // SplitMix64, so that neighbouring seeds have nothing to do with each other.
        let mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        Dice((mixed ^ mixed >> 31) | 1)
    }

    /// The next one.
    pub fn roll(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// The next one, below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.roll()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_has_all() {
        for seed in 0..40 {
            let shuffle = Shuffle::of_seed(seed);
            let (mut dice, mut order) = (shuffle.dice(), Vec::new());
            for count in 0..20 {
                shuffle.order(&mut dice, count, &mut order);
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..count), "seed {seed}");
            }
        }
    }
}

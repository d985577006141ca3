//! Bits of a packed state, closed up: the number of a control point.

/// A field with so many bits has a word or a pair of parts, not a few values.
const WIDE: u32 = 32;

/// Some bits of a packed state, closed up: those of a field, and those that it was given later.
#[derive(Debug)]
pub(super) struct Bits {
    pub(super) mask: u64,
    /// Bits beside each other: how far down they go, and where they are then. A field has one run mostly, or up to three.
    runs: [Run; RUNS],
    more: Vec<Run>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Run {
    down: u32,
    mask: u64,
}

const RUNS: usize = 3;

impl Run {
    #[inline(always)]
    fn get(self, packed: u64) -> u64 {
        packed >> self.down & self.mask
    }
}

impl Bits {
    /// None if that is not a field of few values.
    pub(super) fn of(mask: u64) -> Option<Self> {
        if mask.count_ones() >= WIDE {
            return None;
        }
        let (mut all, mut left, mut below) = (Vec::new(), mask, 0);
        while left != 0 {
            let first = left.trailing_zeros();
            let bits = (left >> first).trailing_ones();
            let run = Run { down: first - below, mask: ((1 << bits) - 1) << below };
            all.push(run);
            left &= !(run.mask << run.down);
            below += bits;
        }
        let more = all.split_off(all.len().min(RUNS));
        let mut runs = [Run::default(); RUNS];
        runs[..all.len()].copy_from_slice(&all);
        Some(Bits { mask, runs, more })
    }

    #[inline(always)]
    pub(super) fn get(&self, packed: u64) -> usize {
        if self.runs[1].mask == 0 {
            return self.runs[0].get(packed) as usize;
        }
        let value = self.runs.iter().fold(0, |value, run| value | run.get(packed));
        if self.more.is_empty() { value as usize } else { self.get_more(packed, value) }
    }

    #[cold]
    fn get_more(&self, packed: u64, value: u64) -> usize {
        self.more.iter().fold(value, |value, run| value | run.get(packed)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_closed_up() {
        let mut random = fastrand::Rng::with_seed(9);
        for _ in 0..1_000 {
            let mask = random.u64(..) & random.u64(..) & random.u64(..);
            let Some(bits) = Bits::of(mask) else { continue };
            let packed = random.u64(..);
            let places = (0..u64::BITS).filter(|place| mask >> place & 1 == 1);
            let value = (0..).zip(places).map(|(at, place)| (packed >> place & 1) << at);
            assert_eq!(bits.get(packed) as u64, value.sum::<u64>());
        }
        assert!(Bits::of(u64::MAX).is_none());
    }
}

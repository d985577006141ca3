//! How much of a state space a lossy search has seen, as far as it can be told from what it kept.

/// The states that are visited until so many bits are set, by the number of bits and functions.
fn visited(filling: f64, functions: u32) -> f64 {
    (1..=functions).map(|power| filling.powi(power as i32) / f64::from(power)).sum()
}

/// What is known at the end of a search. Of several searches, the best one's filling.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Coverage {
    /// States that were visited. Of several searches, the most.
    pub states: u64,
    /// The part of the bits that is set. Tables of fingerprints grow.
    pub filling: Option<f64>,
    /// The part of the states that were met which were visited. What only the others lead to is not
    /// in it, so this is at most what was covered.
    pub estimate: f64,
    /// Searches, each with hash functions of its own.
    pub runs: u64,
}

impl Coverage {
    /// Of an array of bits in which so many are set, with so many hash functions.
    ///
    /// With a part `f` of the bits set, a new state is taken for an old one with the probability `f^k`,
    /// since its `k` bits are all set by chance. One that is visited sets `k (1 - f) / (1 - f^k)` bits that were not set. So while the
    /// filling grows from 0 to `F`, the states that are visited are to those that are met as the integral of
    /// `(1 - f^k) / (1 - f)` is to that of `1 / (1 - f)`: as `F + F²/2 + … + F^k/k` to `-ln(1 - F)`.
    pub fn of_bits(states: u64, (bits, set): (u64, u64), functions: u32) -> Coverage {
        Coverage::of_filling(states, set as f64 / bits as f64, functions)
    }

    /// Of an array of bits whose filling nobody has looked at: it follows from the states.
    pub fn expected(states: u64, bits: u64, functions: u32) -> Coverage {
        let wanted = states as f64 * f64::from(functions) / bits as f64;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            *(if visited(middle, functions) < wanted { &mut low } else { &mut high }) = middle;
        }
        Coverage::of_filling(states, low, functions)
    }

    fn of_filling(states: u64, filling: f64, functions: u32) -> Coverage {
        // All bits set: nothing can be told.
        let met = -(1.0 - filling).max(1e-9).ln();
        let estimate = if met > 0.0 { visited(filling, functions) / met } else { 1.0 };
        Coverage { states, filling: Some(filling), estimate, runs: 1 }
    }

    /// Of fingerprints of so many bits.
    pub fn of_fingerprints(states: u64, width: u32) -> Coverage {
        let confused = states as f64 / 2.0 / 2f64.powi(width as i32);
        Coverage { states, filling: None, estimate: 1.0 - confused.min(1.0), runs: 1 }
    }

    /// Of two searches. Each may have seen what the other one has missed; how much, nobody knows.
    pub fn and(self, other: Coverage) -> Coverage {
        let runs = self.runs + other.runs;
        let best = if other.states > self.states { other } else { self };
        Coverage { runs, ..best }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_store::Bits;

    /// The estimate is near the truth where everything is met.
    #[test]
    fn the_estimate_is_near_the_truth() {
        for (log_bits, functions, states) in
            [(16, 3, 2_000), (16, 3, 20_000), (14, 2, 10_000), (12, 1, 3_000)]
        {
            let mut bits = Bits::new(log_bits, functions, 1);
            let new = (0..states).filter(|&s| bits.insert_hash(bits.hash(&[s, 5]))).count();
            let coverage = Coverage::of_bits(new as u64, bits.filling(), functions);
            let truth = new as f64 / f64::from(states);
            assert!((coverage.estimate - truth).abs() < 0.03, "{coverage:?}, {truth}");
            let expected = Coverage::expected(new as u64, 1 << log_bits, functions);
            let fillings = (coverage.filling.unwrap(), expected.filling.unwrap());
            assert!((fillings.0 - fillings.1).abs() < 0.03, "{expected:?}");
        }
    }

    #[test]
    fn a_full_array_tells_nothing() {
        let coverage = Coverage::of_bits(100, (64, 64), 2);
        assert!(coverage.filling == Some(1.0) && coverage.estimate < 0.5);
    }
}

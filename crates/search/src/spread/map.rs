//! Accepting cycles found early: largest accepting predecessors.
//!
//! L. Brim, I. Černá, P. Moravec, J. Šimša, *Accepting predecessors are better than back edges in distributed LTL model-checking*, FMCAD 2004; beside an elimination, as here: J. Barnat, L. Brim,
//! P. Ročkai, *A time-optimal on-the-fly parallel algorithm for model checking of weak LTL properties*, ICFEM 2009.
//!
//! ```text
//! map(s) = the largest accepting state from which s can be reached, in any fixed order
//! if map(s) = s, there is an accepting cycle
//! ```
//!
//! *What is left of it.* The paper's search hands on a larger value whenever one comes. Here a state hands on only what it was told first, or itself if that is larger: so each state is expanded once, as without
//! this, and not every cycle is found. Those that are not are found by the elimination that follows.
//!
//! *Why what is found is there.* What a state is told is an accepting state from which it can be reached by edges inside accepting components. If that is itself, it is on a cycle of such edges, and in
//! a weak automaton such a cycle is accepting. States are known by some bits of a hash here, so two may be taken for one. That makes no wrong verdict: nothing is concluded but that
//! a run should be looked for, and "there is none" is said by the search that looks for it.
//!
//! *What it costs.* The value travels with the state; it is kept only as long as the state waits, and only if it is larger than the state itself. Nothing is kept of a state that was expanded. A search that goes on from
//! a checkpoint has forgotten what waiting states were told, which is as if they had been told nothing.

use std::collections::HashMap;

use lariat_core::Word;

use super::parts::mix;

/// Bytes of a value.
pub(super) const BYTES: usize = 5;

/// A state in the order; never 0, which is smaller than all.
fn rank(hash: u64, state: Word) -> u64 {
    mix(hash ^ u64::from(state).rotate_left(32)) >> (64 - 8 * BYTES as u32) | 1
}

#[derive(Default)]
pub(super) struct Largest {
    /// What waiting states were told, by their keys.
    told: HashMap<u64, u64>,
    /// What the state hands on that is expanded.
    at: u64,
}

impl Largest {
    /// An accepting state is expanded.
    pub(super) fn expand(&mut self, key: u64, hash: u64, state: Word) {
        let told = if self.told.is_empty() { None } else { self.told.remove(&key) };
        self.at = rank(hash, state).max(told.unwrap_or(0));
    }

    /// What its accepting successor is told: 0 if nothing that is larger than itself. None if there is a cycle.
    pub(super) fn tell(&self, hash: u64, state: Word) -> Option<u64> {
        let own = rank(hash, state);
        match self.at == own {
            true => None,
            false => Some(if self.at > own { self.at } else { 0 }),
        }
    }

    /// A state that waits from now on was told this.
    pub(super) fn hear(&mut self, key: u64, told: u64) {
        if told > 0 {
            self.told.insert(key, told);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        // A place has a byte of hash, and an eighth of the places is free.
        self.told.capacity() * (size_of::<(u64, u64)>() + 1) * 8 / 7
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The states of a ring, from each to the next, told of one by one.
    #[test]
    fn a_ring_is_a_cycle_unless_a_larger_state_leads_to_it() {
        let hash = |state: u64| mix(state + 1);
        let (mut found, mut missed) = (0, 0);
        for way_in in 0..2_000_u64 {
            let ring = [3 * way_in, 3 * way_in + 1, 3 * way_in + 2];
            let lead = 1 << 40 | way_in;
            let mut largest = Largest::default();
            largest.expand(lead, hash(lead), 0);
            let mut is_cycle = false;
            for at in [0, 1, 2] {
                let told = largest.tell(hash(ring[at]), 0).expect("it is not the one before");
                largest.hear(ring[at], told);
                largest.expand(ring[at], hash(ring[at]), 0);
            }
            // Back to the first one.
            is_cycle |= largest.tell(hash(ring[0]), 0).is_none();
            let is_first_largest = [lead, ring[1], ring[2]]
                .iter()
                .all(|&other| rank(hash(other), 0) < rank(hash(ring[0]), 0));
            assert_eq!(is_cycle, is_first_largest);
            (found, missed) = (found + u32::from(is_cycle), missed + u32::from(!is_cycle));
        }
        assert!(found > 400 && missed > 1_000, "{found} and {missed}");
    }
}

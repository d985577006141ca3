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
//! *Which states are accepting.* In a weak automaton, all of an accepting component. With marks on edges, those to which an edge with the first mark leads, as one of every accepting cycle does: with one mark, this is
//! the paper's map for edges that accept. Of several marks, those travel along that were met since the accepting state: `map(s)` is a state and a set, and the sets of ways from the same state are joined.
//!
//! ```text
//! s -> t with marks m:   (r, M) = map(s);   t is told (r, M + m), or (t, {}) if m has the first mark and t > r
//! if r = t and M + m are all marks, there is an accepting cycle
//! ```
//!
//! *Why what is found is there.* What a state s is told is an accepting state r from which it can be reached by edges inside an accepting component of the automaton, and marks that are on such ways from r. If an edge leads from s to r,
//! then all these ways are in one component of the product, and so are their marks; in a weak automaton no marks are asked for. Two states are taken for one if their ranks, some bits of a hash, are the same. So nothing is concluded: what is
//! found is a state through which a run is looked for (`lasso`), and if there is none, the search begins anew without this.
//!
//! *What is left of it.* The paper's search hands on a larger value whenever one comes. Here nobody is expanded for the sake of a value: a state hands on what it was told until it was expanded.
//! So not every cycle is found. Those that are not are found by the elimination that follows.
//!
//! *What it costs.* The value travels with the state; it is kept only as long as the state waits, and only if it is larger than the state itself or has marks. Nothing is kept of a state that was expanded. A search that goes on from
//! a checkpoint has forgotten what waiting states were told, which is as if they had been told nothing.

use std::collections::HashMap;

use lariat_core::{Marks, Word, makes_mistake};

use super::parts::mix;

/// Bits of a rank.
pub(super) const RANK: u32 = 40;

/// The first mark.
const FIRST: u32 = 0;

/// A state in the order; never 0, which is smaller than all.
fn rank(hash: u64, state: Word) -> u64 {
    mix(hash ^ u64::from(state).rotate_left(32)) >> (u64::BITS - RANK) | 1
}

/// What a state is told: an accepting state, by its rank, and marks above that.
fn value(rank: u64, marks: Marks) -> u64 {
    rank | marks.0 << RANK
}

fn rank_of(value: u64) -> u64 {
    value & ((1 << RANK) - 1)
}

fn marks_of(value: u64) -> Marks {
    Marks(value >> RANK)
}

/// The larger one; of the same state, with the marks of both.
fn join(one: u64, other: u64) -> u64 {
    match rank_of(one).cmp(&rank_of(other)) {
        std::cmp::Ordering::Less => other,
        std::cmp::Ordering::Equal => one | other,
        std::cmp::Ordering::Greater => one,
    }
}

pub(super) struct Largest {
    /// All marks; none of a weak automaton.
    all: Marks,
    /// What waiting states were told, by their keys.
    told: HashMap<u64, u64>,
    /// What the state hands on that is expanded.
    at: u64,
}

impl Largest {
    pub(super) fn new(all: Marks) -> Self {
        Largest { all, told: HashMap::new(), at: 0 }
    }

    fn is_weak(&self) -> bool {
        self.all == Marks::NONE
    }

    /// A state of an accepting component is expanded.
    pub(super) fn expand(&mut self, key: u64, hash: u64, state: Word) {
        let told = if self.told.is_empty() { None } else { self.told.remove(&key) };
        let told = told.unwrap_or(0);
        self.at =
            if self.is_weak() { join(told, value(rank(hash, state), Marks::NONE)) } else { told };
    }

    /// What its successor inside the component is told: 0 if nothing, or nothing that is larger than itself where each state is accepting. None if there is a cycle.
    pub(super) fn tell(&self, hash: u64, state: Word, marks: Marks) -> Option<u64> {
        let (own, at) = (rank(hash, state), rank_of(self.at));
        let since = marks_of(self.at) | Marks(marks.0 & self.all.0);
        if at == own && (since.contains(self.all) || makes_mistake("map-marks")) {
            return None;
        }
        Some(match self.is_weak() {
            true if at > own => value(at, Marks::NONE),
            true => 0,
            false if at < own && marks.has(FIRST) => value(own, Marks::NONE),
            false if at > 0 => value(at, since),
            false => 0,
        })
    }

    /// A state that waits was told this.
    pub(super) fn hear(&mut self, key: u64, told: u64) {
        if told > 0 {
            let kept = self.told.entry(key).or_default();
            *kept = join(*kept, told);
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

    fn hash(state: u64) -> u64 {
        mix(state + 1)
    }

    /// The states of a ring, from each to the next, told of one by one.
    #[test]
    fn a_ring_is_a_cycle_unless_a_larger_state_leads_to_it() {
        let (mut found, mut missed) = (0, 0);
        for way_in in 0..2_000_u64 {
            let ring = [3 * way_in, 3 * way_in + 1, 3 * way_in + 2];
            let lead = 1 << 40 | way_in;
            let mut largest = Largest::new(Marks::NONE);
            largest.expand(lead, hash(lead), 0);
            for at in ring {
                let told =
                    largest.tell(hash(at), 0, Marks::NONE).expect("it is not the one before");
                largest.hear(at, told);
                largest.expand(at, hash(at), 0);
            }
            let is_cycle = largest.tell(hash(ring[0]), 0, Marks::NONE).is_none();
            let is_first_largest = [lead, ring[1], ring[2]]
                .iter()
                .all(|&other| rank(hash(other), 0) < rank(hash(ring[0]), 0));
            assert_eq!(is_cycle, is_first_largest);
            (found, missed) = (found + u32::from(is_cycle), missed + u32::from(!is_cycle));
        }
        assert!(found > 400 && missed > 1_000, "{found} and {missed}");
    }

    /// A ring whose edges have marks, gone round: it is one if all marks are there, whichever edges have them, and never if one is missing.
    #[test]
    fn a_ring_with_marks_is_a_cycle_if_it_has_all() {
        let all = Marks::all(3);
        let mut random = fastrand::Rng::with_seed(4);
        let (mut found, mut missing) = (0, 0);
        for number in 0..2_000_u64 {
            let ring = [3 * number, 3 * number + 1, 3 * number + 2];
            let marks: Vec<Marks> = (0..3).map(|_| Marks(random.u64(0..8))).collect();
            let union = marks.iter().fold(Marks::NONE, |all, &more| all | more);
            let mut largest = Largest::new(all);
            let mut is_cycle = false;
            for step in 0..9 {
                let (next, marks) = (ring[(step + 1) % 3], marks[step % 3]);
                match largest.tell(hash(next), 0, marks) {
                    Some(told) => largest.hear(next, told),
                    None => is_cycle = true,
                }
                largest.expand(next, hash(next), 0);
            }
            assert_eq!(is_cycle, union.contains(all), "{marks:?}");
            (found, missing) = (found + u32::from(is_cycle), missing + u32::from(!is_cycle));
        }
        assert!(found > 200 && missing > 200, "{found} and {missing}");
    }
}

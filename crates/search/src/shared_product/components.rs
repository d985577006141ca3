//! The components of a small automaton, and which of them have to do with acceptance.

use lariat_core::{Automaton, Marks, Word, makes_mistake};
use lariat_store::frontier::MOST;

/// Sets of automaton states are words of bits.
#[derive(Clone, Debug)]
pub struct Components {
    /// All states that can be reached.
    pub(super) known: u64,
    /// Those that no accepting component leads to and that are in none.
    pub(super) calm: u64,
    /// By state: where it leads to in one or more steps.
    leads: [u64; MOST],
    is_calm_at_first: bool,
}

impl Components {
    /// None if there are too many states for that.
    pub fn of<A: Automaton>(automaton: &A) -> Option<Self> {
        let mut states: Vec<Word> = automaton.initial().to_vec();
        let (mut known, mut leads) = (0_u64, [0_u64; MOST]);
        while let Some(state) = states.pop() {
            if state as usize >= MOST {
                return None;
            }
            if known >> state & 1 == 1 {
                continue;
            }
            known |= 1 << state;
            for edge in automaton.edges(state) {
                states.push(edge.dst);
                leads[state as usize] |= 1_u64.checked_shl(edge.dst).unwrap_or(0);
            }
        }
        // After Warshall.
        for middle in members(known) {
            for from in members(known) {
                if leads[from] >> middle & 1 == 1 {
                    leads[from] |= leads[middle];
                }
            }
        }
        let mut found = Components { known, calm: known, leads, is_calm_at_first: false };
        let all = Marks::all(automaton.mark_count());
        let mut calm = known;
        for state in members(known).filter(|&state| found.together(state as Word, state as Word)) {
            let mut marks = Marks::NONE;
            for member in members(known).map(|member| member as Word) {
                if found.together(state as Word, member) {
                    let inside = |dst| found.together(member, dst);
                    let edges = automaton.edges(member).iter();
                    edges.filter(|edge| inside(edge.dst)).for_each(|edge| marks |= edge.marks);
                }
            }
            let is_late = makes_mistake("sweep-calm") && leads[state] != 1 << state;
            if marks.contains(all) && !is_late {
                calm &= !(leads[state] | 1 << state);
            }
        }
        found.calm = calm;
        found.is_calm_at_first = automaton.initial().iter().any(|&state| calm >> state & 1 == 1);
        Some(found)
    }

    /// Whether two states are on a cycle.
    pub(super) fn together(&self, a: Word, b: Word) -> bool {
        self.leads[a as usize] >> b & 1 == 1 && self.leads[b as usize] >> a & 1 == 1
    }

    /// The first state of a component names it.
    pub(super) fn name(&self, state: Word) -> usize {
        let others = self.leads[state as usize];
        members(others).find(|&other| self.together(state, other as Word)).unwrap_or(state as usize)
    }

    /// Whether a run can begin where none can be accepted yet.
    pub fn are_calm_at_first(&self) -> bool {
        self.is_calm_at_first
    }

    /// States in and behind accepting components are left out.
    pub fn calm_count(&self) -> u32 {
        self.calm.count_ones()
    }
}

fn members(set: u64) -> impl Iterator<Item = usize> + Clone {
    (0..MOST).filter(move |state| set >> state & 1 == 1)
}

//! The components of a small automaton, and which of them have to do with acceptance.

use lariat_core::{Automaton, Marks, Word, makes_mistake};
use lariat_store::frontier::MOST;

/// Sets of automaton states are words of bits.
#[derive(Clone, Debug)]
pub struct Components {
    /// All states that can be reached.
    pub(super) known: u64,
    /// Those before acceptance: no accepting component leads to them, and they are in none.
    pub(super) before: u64,
    /// Those in accepting components.
    accepting: u64,
    /// By state: where it leads to in one or more steps.
    leads: [u64; MOST],
    begins_before: bool,
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
        let mut found =
            Components { known, before: known, accepting: 0, leads, begins_before: false };
        let all = Marks::all(automaton.mark_count());
        let (mut before, mut accepting) = (known, 0);
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
                before &= !(leads[state] | 1 << state);
                accepting |= 1 << state;
            }
        }
        (found.before, found.accepting) = (before, accepting);
        found.begins_before = automaton.initial().iter().any(|&state| before >> state & 1 == 1);
        Some(found)
    }

    /// Whether two states are on a cycle.
    pub(super) fn together(&self, a: Word, b: Word) -> bool {
        self.leads[a as usize] >> b & 1 == 1 && self.leads[b as usize] >> a & 1 == 1
    }

    /// All states.
    pub(crate) fn all(&self) -> impl Iterator<Item = Word> {
        members(self.known).map(|state| state as Word)
    }

    /// The highest state and one.
    pub(crate) fn states(&self) -> usize {
        (u64::BITS - self.known.leading_zeros()) as usize
    }

    /// Whether two states are in one accepting component.
    #[inline]
    pub(crate) fn inside(&self, a: Word, b: Word) -> bool {
        self.accepting >> a & 1 == 1 && self.together(a, b)
    }

    /// Whether a state is in an accepting component.
    #[inline]
    pub(crate) fn is_accepting(&self, state: Word) -> bool {
        self.accepting >> state & 1 == 1
    }

    /// Whether a state is before acceptance.
    pub(crate) fn is_before(&self, state: Word) -> bool {
        self.before >> state & 1 == 1
    }

    /// Whether every cycle of each accepting component is accepting, by its states: all of them are accepting states.
    pub(crate) fn are_weak<A: Automaton>(&self, automaton: &A) -> bool {
        let on_cycle = members(self.known).map(|state| state as Word);
        let mut on_cycle = on_cycle.filter(|&state| self.together(state, state));
        on_cycle.all(|state| automaton.accepting(state) == self.is_accepting(state))
    }

    /// The first state of a component names it.
    pub(super) fn name(&self, state: Word) -> usize {
        let others = self.leads[state as usize];
        members(others).find(|&other| self.together(state, other as Word)).unwrap_or(state as usize)
    }

    /// Whether a run can begin before acceptance.
    pub fn begin_before_acceptance(&self) -> bool {
        self.begins_before
    }

    /// How many automaton states are before acceptance: not in an accepting component, nor behind one.
    pub fn before_acceptance(&self) -> u32 {
        self.before.count_ones()
    }
}

fn members(set: u64) -> impl Iterator<Item = usize> + Clone {
    (0..MOST).filter(move |state| set >> state & 1 == 1)
}

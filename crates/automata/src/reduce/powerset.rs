//! The subset construction: M. Rabin and D. Scott, "Finite automata and their decision
//! problems", IBM J. Research and Development 3 (1959), for all letters of a state at once.

use crate::StateId;
use crate::symbolic::letters::{Letters, Map, Pairs, Parts};
use crate::symbolic::{Arc, Bdd, Symbolic};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

/// The deterministic automaton of the sets that can be reached. The empty set is left out.
pub struct Powerset {
    /// The set that each state stands for, sorted.
    pub subsets: Vec<Vec<StateId>>,
    /// Without marks.
    pub automaton: Symbolic,
    pub(super) letters: Letters,
    /// Where each letter leads from each state, `NOWHERE` for the empty set.
    pub(super) next: Vec<Map>,
}

pub(super) const NOWHERE: StateId = StateId::MAX;
/// Nodes of letter diagrams.
const MAX_NODES: usize = 1 << 20;

impl Powerset {
    /// `None` if there are more than `max_states` sets.
    pub fn of(automaton: &Symbolic, max_states: usize, bdd: &mut Bdd) -> Option<Powerset> {
        let mut letters = Letters::default();
        let mut sets = Sets::default();
        let empty = sets.number(Vec::new());
        let mut unions = Pairs::default();
        let mut moves: Vec<Option<Map>> = vec![None; automaton.state_count()];
        let mut arcs = Parts::default();
        // The sets that are states, and the numbers of those states.
        let mut states = vec![sets.number(vec![automaton.initial])];
        let mut ids: FxHashMap<u32, StateId> = FxHashMap::default();
        ids.insert(states[0], 0);
        let mut out = Symbolic { mark_count: 0, ..automaton.like() };
        let mut next = Vec::new();
        while next.len() < states.len() {
            let mut all = letters.constant(empty);
            for state in sets.members[states[next.len()] as usize].clone() {
                let own = *moves[state as usize].get_or_insert_with(|| {
                    let arcs = &automaton.arcs[state as usize];
                    sets_by_letter(arcs, &mut letters, &mut sets, &mut unions, bdd)
                });
                all = letters.combine(all, own, &mut |a, b| sets.union(a, b), &mut unions);
            }
            next.push(all);
            let mut own_arcs = Vec::new();
            for &(set, label) in letters.parts(all, bdd, &mut arcs).iter() {
                if set == empty {
                    continue;
                }
                let target = *ids.entry(set).or_insert_with(|| {
                    states.push(set);
                    states.len() as StateId - 1
                });
                own_arcs.push(Arc { label, marks: Marks::NONE, target });
            }
            out.arcs.push(own_arcs);
            if states.len() > max_states || letters.node_count() > MAX_NODES || bdd.exhausted() {
                return None;
            }
        }
        let id = |set: u32| ids.get(&set).copied().unwrap_or(NOWHERE);
        let mut renamed = Letters::default();
        let mut done = FxHashMap::default();
        let next = next.iter().map(|&map| letters.rename(map, &id, &mut renamed, &mut done));
        Some(Powerset {
            next: next.collect(),
            letters: renamed,
            automaton: out,
            subsets: states.iter().map(|&set| sets.members[set as usize].clone()).collect(),
        })
    }
}

/// Where one state goes under each letter.
fn sets_by_letter(
    arcs: &[Arc],
    letters: &mut Letters,
    sets: &mut Sets,
    unions: &mut Pairs,
    bdd: &Bdd,
) -> Map {
    let empty = sets.number(Vec::new());
    let outside = letters.constant(empty);
    arcs.iter().fold(outside, |all, arc| {
        let target = sets.number(vec![arc.target]);
        let inside = letters.constant(target);
        let own = letters.choice(bdd, arc.label, inside, outside);
        letters.combine(all, own, &mut |a, b| sets.union(a, b), unions)
    })
}

/// Sets of states, numbered as they are met.
#[derive(Default)]
struct Sets {
    members: Vec<Vec<StateId>>,
    numbers: FxHashMap<Vec<StateId>, u32>,
}

impl Sets {
    fn number(&mut self, set: Vec<StateId>) -> u32 {
        if let Some(&number) = self.numbers.get(&set) {
            return number;
        }
        let number = self.members.len() as u32;
        self.members.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    fn union(&mut self, a: u32, b: u32) -> u32 {
        let both = union(&self.members[a as usize], &self.members[b as usize]);
        self.number(both)
    }
}

/// Of two sorted sets.
fn union(a: &[StateId], b: &[StateId]) -> Vec<StateId> {
    let mut all = a.to_vec();
    all.extend_from_slice(b);
    all.sort_unstable();
    all.dedup();
    all
}

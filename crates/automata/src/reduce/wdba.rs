//! Minimal weak deterministic automata for obligation properties: Ch. Dax, J. Eisinger, F.
//! Klaedtke, "Mechanizing the powerset construction for restricted classes of ω-automata",
//! ATVA 2007. The automaton is determinised by subsets; a component of the result is accepting
//! if the word of one of its loops is; C. Löding, "Efficient minimization of deterministic
//! weak ω-automata", IPL 79 (2001), colours the components so that what is left is the
//! minimisation of a finite automaton.
//!
//! The result has the same language only if that is an obligation. Callers know it from the
//! formula, or compare.

use super::powerset::{NOWHERE, Powerset};
use crate::StateId;
use crate::symbolic::letters::{Letters, Map, Parts};
use crate::symbolic::{Arc, Bdd, Func, Sccs, Symbolic};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

/// The minimal weak deterministic automaton, state-based, with one mark (or none if all runs
/// are accepting); `None` if there would be more than `max_states` subsets.
pub fn minimise(automaton: &Symbolic, max_states: usize, bdd: &mut Bdd) -> Option<Symbolic> {
    let powerset = Powerset::of(automaton, max_states, bdd)?;
    let sccs = Sccs::of(&powerset.automaton);
    let accepting: Vec<bool> = (0..sccs.sccs.len())
        .map(|number| accepts_a_loop(automaton, &powerset, &sccs, number, bdd))
        .collect();
    let even = colour(&powerset.automaton, &sccs, &accepting);
    let result = merge_equal(&powerset, &even, bdd);
    (!bdd.exhausted()).then_some(result)
}

/// Whether the automaton accepts the word of a loop of the component, from a state of the
/// loop's first subset.
fn accepts_a_loop(
    automaton: &Symbolic,
    powerset: &Powerset,
    sccs: &Sccs,
    number: usize,
    bdd: &Bdd,
) -> bool {
    let scc = &sccs.sccs[number];
    if !scc.cyclic {
        return false;
    }
    let start = scc.states[0];
    let letters = loop_word(&powerset.automaton, sccs, start, bdd);
    // The runs of the automaton over the loop: pairs of a state and a position.
    let length = letters.len();
    let id = |state: StateId, position: usize| (state as usize * length + position) as StateId;
    let mut runs = Symbolic { mark_count: automaton.mark_count, ..Symbolic::default() };
    let root = (automaton.state_count() * length) as StateId;
    runs.arcs = vec![Vec::new(); root as usize + 1];
    runs.initial = root;
    let mut stack = Vec::new();
    let mut seen = vec![false; root as usize];
    for &state in &powerset.subsets[start as usize] {
        let first = id(state, 0);
        runs.arcs[root as usize].push(Arc { label: Func::TRUE, marks: Marks::NONE, target: first });
        seen[first as usize] = true;
        stack.push((state, 0));
    }
    while let Some((state, position)) = stack.pop() {
        let letter = &letters[position];
        let holds = |var: u32| letter.contains(&var);
        let later = (position + 1) % length;
        for arc in &automaton.arcs[state as usize] {
            if !bdd.eval(arc.label, &holds) {
                continue;
            }
            let target = id(arc.target, later);
            runs.arcs[id(state, position) as usize].push(Arc { target, ..*arc });
            if !std::mem::replace(&mut seen[target as usize], true) {
                stack.push((arc.target, later));
            }
        }
    }
    !super::prune::is_empty(&runs)
}

/// The letters (variables that are true) of a shortest loop through `start`.
fn loop_word(powerset: &Symbolic, sccs: &Sccs, start: StateId, bdd: &Bdd) -> Vec<Vec<u32>> {
    let mut from: FxHashMap<StateId, (StateId, Func)> = FxHashMap::default();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        for arc in &powerset.arcs[state as usize] {
            if sccs.inside(state, arc) && !from.contains_key(&arc.target) {
                from.insert(arc.target, (state, arc.label));
                queue.push_back(arc.target);
            }
        }
        if from.contains_key(&start) {
            break;
        }
    }
    let mut letters = Vec::new();
    let mut at = start;
    loop {
        let (source, label) = from[&at];
        let path = bdd.pick(label).unwrap_or_default();
        letters.push(path.into_iter().filter(|&(_, on)| on).map(|(var, _)| var).collect());
        at = source;
        if at == start {
            break;
        }
    }
    letters.reverse();
    letters
}

/// Löding's colours: as high as the successors allow, even exactly for accepting components.
/// Then states accept the same words only if their colours have the same parity. True for
/// even.
fn colour(powerset: &Symbolic, sccs: &Sccs, accepting: &[bool]) -> Vec<bool> {
    let top = 2 * sccs.sccs.len() + 3;
    let mut colours = vec![top; sccs.sccs.len()];
    for number in 0..sccs.sccs.len() {
        let scc = &sccs.sccs[number];
        let mut colour = top;
        for &state in &scc.states {
            for arc in &powerset.arcs[state as usize] {
                let other = sccs.of[arc.target as usize] as usize;
                if other != number {
                    colour = colour.min(colours[other]);
                }
            }
        }
        if scc.cyclic && colour.is_multiple_of(2) != accepting[number] {
            colour -= 1;
        }
        colours[number] = colour;
    }
    sccs.of.iter().map(|&number| colours[number as usize].is_multiple_of(2)).collect()
}

/// Moore's minimisation: states are alike as long as each letter leads them to like states.
fn merge_equal(powerset: &Powerset, even: &[bool], bdd: &mut Bdd) -> Symbolic {
    let mut class: Vec<u32> = even.iter().map(|&even| even as u32).collect();
    let mut count = 0;
    // The letters of the last round, and the first state of each class with its function.
    let mut letters;
    let mut first: Vec<(usize, Map)>;
    loop {
        letters = Letters::default();
        first = Vec::new();
        let rename = |target: StateId| class.get(target as usize).copied().unwrap_or(NOWHERE);
        let mut done = FxHashMap::default();
        let mut known: FxHashMap<(bool, Map), u32> = FxHashMap::default();
        let mut refined = Vec::with_capacity(class.len());
        for (state, &map) in powerset.next.iter().enumerate() {
            let map = powerset.letters.rename(map, &rename, &mut letters, &mut done);
            refined.push(*known.entry((even[state], map)).or_insert_with(|| {
                first.push((state, map));
                first.len() as u32 - 1
            }));
        }
        class = refined;
        if first.len() == count {
            break;
        }
        count = first.len();
    }
    let rejecting_cycle = even.iter().any(|&even| !even);
    let mark_count = rejecting_cycle as u32;
    let mut out = Symbolic { mark_count, ..powerset.automaton.like() };
    out.initial = class[0];
    let mut arcs = Parts::default();
    for &(state, map) in &first {
        let marks = if even[state] { Marks::all(mark_count) } else { Marks::NONE };
        let own = letters.parts(map, bdd, &mut arcs);
        let own = own.iter().filter(|&&(target, _)| target != NOWHERE);
        out.arcs.push(own.map(|&(target, label)| Arc { label, marks, target }).collect());
    }
    out
}

/// The complement of a weak deterministic automaton with state-based acceptance.
pub fn complement(automaton: &Symbolic, bdd: &mut Bdd) -> Symbolic {
    let all = automaton.all_marks();
    let mut out = automaton.clone();
    out.mark_count = 1;
    let sink = out.arcs.len() as StateId;
    for arcs in &mut out.arcs {
        // A state without edges is the end of every run, whatever its marks.
        let accepting = arcs.first().is_some_and(|arc| arc.marks == all);
        let marks = if accepting { Marks::NONE } else { Marks::one(0) };
        let mut missing = Func::TRUE;
        for arc in arcs.iter_mut() {
            missing = bdd.minus(missing, arc.label);
            arc.marks = marks;
        }
        if !missing.is_false() {
            arcs.push(Arc { label: missing, marks, target: sink });
        }
    }
    out.arcs.push(vec![Arc { label: Func::TRUE, marks: Marks::one(0), target: sink }]);
    out
}

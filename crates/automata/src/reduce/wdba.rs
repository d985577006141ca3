//! Minimal weak deterministic automata for obligation properties: Ch. Dax, J. Eisinger, F.
//! Klaedtke, "Mechanizing the powerset construction for restricted classes of ω-automata",
//! ATVA 2007. The automaton is determinised by subsets; a component of the result is accepting
//! if the word of one of its loops is; C. Löding, "Efficient minimization of deterministic
//! weak ω-automata", IPL 79 (2001), colours the components so that what is left is the
//! minimisation of a finite automaton.
//!
//! The result has the same language only if that is an obligation. Callers know it from the
//! formula, or compare.

use crate::StateId;
use crate::symbolic::{Arc, Bdd, Func, Sccs, Symbolic};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

/// The minimal weak deterministic automaton, state-based, with one mark (or none if all runs
/// are accepting); `None` if there would be more than `max_states` subsets.
pub fn minimise(automaton: &Symbolic, max_states: usize, bdd: &mut Bdd) -> Option<Symbolic> {
    let (subsets, powerset) = determinise(automaton, max_states, bdd)?;
    let sccs = Sccs::of(&powerset);
    let accepting: Vec<bool> = (0..sccs.sccs.len())
        .map(|number| accepts_a_loop(automaton, &subsets, &powerset, &sccs, number, bdd))
        .collect();
    let colours = colour(&powerset, &sccs, &accepting);
    let result = merge_equal(&powerset, &colours, bdd);
    (!bdd.exhausted()).then_some(result)
}

/// A set of states, and the letters that lead there.
type Part = (Vec<StateId>, Func);

/// The subset construction. The empty set is left out.
fn determinise(
    automaton: &Symbolic,
    max_states: usize,
    bdd: &mut Bdd,
) -> Option<(Vec<Vec<StateId>>, Symbolic)> {
    let mut out = Symbolic { mark_count: 0, ..automaton.like() };
    let mut subsets = vec![vec![automaton.initial]];
    let mut ids: FxHashMap<Vec<StateId>, StateId> = FxHashMap::default();
    ids.insert(subsets[0].clone(), 0);
    let mut moves: Vec<Option<Vec<Part>>> = vec![None; automaton.state_count()];
    let mut at = 0;
    while at < subsets.len() {
        // Letters, by where they lead.
        let mut parts: FxHashMap<Vec<StateId>, Func> = FxHashMap::default();
        parts.insert(Vec::new(), Func::TRUE);
        for &state in &subsets[at] {
            let own = moves[state as usize]
                .get_or_insert_with(|| letters_by_set(&automaton.arcs[state as usize], bdd));
            if subsets[at].len() == 1 {
                parts = own.iter().cloned().collect();
                break;
            }
            let mut finer: FxHashMap<Vec<StateId>, Func> = FxHashMap::default();
            for (set, letters) in &parts {
                for (more, label) in own.iter() {
                    let both = bdd.and(*letters, *label);
                    if !both.is_false() {
                        let slot = finer.entry(union(set, more)).or_insert(Func::FALSE);
                        *slot = bdd.or(*slot, both);
                    }
                }
            }
            parts = finer;
            if parts.len() > max_states {
                return None;
            }
        }
        parts.remove(&Vec::new());
        // A fixed order, whatever the hash table's.
        let mut parts: Vec<_> = parts.into_iter().collect();
        parts.sort_unstable();
        let mut arcs = Vec::with_capacity(parts.len());
        for (set, label) in parts {
            let target = match ids.get(&set) {
                Some(&target) => target,
                None => {
                    let target = subsets.len() as StateId;
                    ids.insert(set.clone(), target);
                    subsets.push(set);
                    target
                }
            };
            arcs.push(Arc { label, marks: Marks::NONE, target });
        }
        out.arcs.push(arcs);
        at += 1;
        if subsets.len() > max_states || bdd.exhausted() {
            return None;
        }
    }
    Some((subsets, out))
}

/// Where one state goes under each letter, the letters disjoint and complete.
fn letters_by_set(arcs: &[Arc], bdd: &mut Bdd) -> Vec<Part> {
    let mut seen = Func::FALSE;
    let mut disjoint = true;
    let mut by_target: Vec<(Vec<StateId>, Func)> = Vec::new();
    for arc in arcs {
        match by_target.iter_mut().find(|(target, _)| target[0] == arc.target) {
            Some((_, label)) => *label = bdd.or(*label, arc.label),
            None => by_target.push((vec![arc.target], arc.label)),
        }
    }
    for (_, label) in &by_target {
        disjoint &= !bdd.meets(seen, *label);
        seen = bdd.or(seen, *label);
    }
    let mut parts: Vec<(Vec<StateId>, Func)> = vec![(Vec::new(), bdd.minus(Func::TRUE, seen))];
    if disjoint {
        parts.extend(by_target);
    } else {
        let mut sets: FxHashMap<Vec<StateId>, Func> = FxHashMap::default();
        sets.insert(Vec::new(), Func::TRUE);
        for (target, label) in by_target {
            let mut finer: FxHashMap<Vec<StateId>, Func> = FxHashMap::default();
            for (set, letters) in sets {
                for (more, part) in
                    [(&target[..], bdd.and(letters, label)), (&[], bdd.minus(letters, label))]
                {
                    if !part.is_false() {
                        let slot = finer.entry(union(&set, more)).or_insert(Func::FALSE);
                        *slot = bdd.or(*slot, part);
                    }
                }
            }
            sets = finer;
        }
        parts = sets.into_iter().collect();
        parts.sort_unstable();
    }
    parts.retain(|(_, label)| !label.is_false());
    parts
}

/// Of two sorted sets.
fn union(a: &[StateId], b: &[StateId]) -> Vec<StateId> {
    let mut all = a.to_vec();
    all.extend_from_slice(b);
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether the automaton accepts the word of a loop of the component, from a state of the
/// loop's first subset.
fn accepts_a_loop(
    automaton: &Symbolic,
    subsets: &[Vec<StateId>],
    powerset: &Symbolic,
    sccs: &Sccs,
    number: usize,
    bdd: &Bdd,
) -> bool {
    let scc = &sccs.sccs[number];
    if !scc.cyclic {
        return false;
    }
    let start = scc.states[0];
    let letters = loop_word(powerset, sccs, start, bdd);
    // The runs of the automaton over the loop: pairs of a state and a position.
    let length = letters.len();
    let id = |state: StateId, position: usize| (state as usize * length + position) as StateId;
    let mut runs = Symbolic { mark_count: automaton.mark_count, ..Symbolic::default() };
    let root = (automaton.state_count() * length) as StateId;
    runs.arcs = vec![Vec::new(); root as usize + 1];
    runs.initial = root;
    let mut stack = Vec::new();
    let mut seen = vec![false; root as usize];
    for &state in &subsets[start as usize] {
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

/// Moore's minimisation, with functions as signatures.
fn merge_equal(powerset: &Symbolic, even: &[bool], bdd: &mut Bdd) -> Symbolic {
    let first_class = powerset.ap_count();
    // From the state without a future, which is not in the automaton, all letters lead
    // nowhere; a rejecting sink is the same as it.
    let mut class: Vec<u32> = even.iter().map(|&even| even as u32).collect();
    let mut count = 0;
    let mut signatures: Vec<(bool, Func)>;
    loop {
        let mut known: FxHashMap<(bool, Func), u32> = FxHashMap::default();
        signatures = Vec::new();
        let mut refined = Vec::with_capacity(class.len());
        for (state, &own_even) in even.iter().enumerate() {
            let mut signature = Func::FALSE;
            for arc in &powerset.arcs[state] {
                let var = bdd.var(first_class + class[arc.target as usize]);
                let product = bdd.and(arc.label, var);
                signature = bdd.or(signature, product);
            }
            let key = (own_even, signature);
            let number = *known.entry(key).or_insert_with(|| {
                signatures.push(key);
                (signatures.len() - 1) as u32
            });
            refined.push(number);
        }
        class = refined;
        if signatures.len() == count {
            break;
        }
        count = signatures.len();
    }
    let rejecting_cycle = even.iter().any(|&even| !even);
    let mark_count = rejecting_cycle as u32;
    let mut out = Symbolic { mark_count, ..powerset.like() };
    out.initial = class[0];
    out.arcs = vec![Vec::new(); signatures.len()];
    let mut done = vec![false; signatures.len()];
    for state in 0..class.len() {
        let own = class[state] as usize;
        if std::mem::replace(&mut done[own], true) {
            continue;
        }
        let marks = if even[state] { Marks::all(mark_count) } else { Marks::NONE };
        for arc in &powerset.arcs[state] {
            let target = class[arc.target as usize];
            out.arcs[own].push(Arc { label: arc.label, marks, target });
        }
    }
    out.merge_arcs(bdd);
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

//! Removal of what no accepting run needs: components from which no accepting component can
//! be reached, marks outside accepting components, and acceptance sets that follow from
//! others (Somenzi and Bloem, "Efficient Büchi automata from LTL formulae", CAV 2000,
//! section 4.2; the sets are compared in each component by itself, and renumbered there).

use crate::StateId;
use crate::symbolic::{Arc, Bdd, Sccs, Symbolic};
use lariat_core::Marks;

/// Which marks edges between components carry: they are of no account, but a simulation
/// compares them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Between {
    /// They carry none.
    None,
    /// They carry all that there are.
    All,
}

/// How the sets that a component needs are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// As they were; the sets that a component does not need are on all its edges. States of
    /// different components can then simulate each other: a set has one meaning.
    Kept,
    /// From 0 on in each component, so that there are as few sets as can be.
    Packed,
}

/// Removes useless states and marks. An automaton of the empty language becomes one state
/// without edges.
pub fn prune(automaton: &Symbolic, between: Between, numbers: Numbers, bdd: &mut Bdd) -> Symbolic {
    let sccs = Sccs::of(automaton);
    let useful = sccs.useful(automaton);
    let all = automaton.all_marks();
    let maps: Vec<SccMarks> = (0..sccs.sccs.len())
        .map(|number| match sccs.sccs[number].accepting(all) {
            true => SccMarks::accepting(automaton, &sccs, number),
            false => SccMarks::Rejecting,
        })
        .collect();
    let mut mark_count = match numbers {
        Numbers::Kept => automaton.mark_count,
        Numbers::Packed => maps.iter().map(SccMarks::needed).max().unwrap_or(0),
    };
    let rejecting_cycle = sccs
        .sccs
        .iter()
        .zip(&useful)
        .any(|(scc, &useful)| useful && scc.cyclic && !scc.accepting(all));
    if rejecting_cycle {
        mark_count = mark_count.max(1);
    }
    let everything = Marks::all(mark_count);
    let mut out = Symbolic { mark_count, ..automaton.like() };
    out.initial = automaton.initial;
    for state in 0..automaton.state_count() as StateId {
        let mut arcs = Vec::new();
        let reached = sccs.of[state as usize] != u32::MAX;
        for arc in automaton.arcs[state as usize].iter().filter(|_| reached) {
            if !useful[sccs.of[arc.target as usize] as usize] {
                continue;
            }
            let marks = if sccs.inside(state, arc) {
                maps[sccs.of[state as usize] as usize].map(arc.marks, numbers, everything)
            } else if between == Between::All {
                everything
            } else {
                Marks::NONE
            };
            arcs.push(Arc { marks, ..*arc });
        }
        out.arcs.push(arcs);
    }
    out.keep_reachable();
    out.merge_arcs(bdd);
    out
}

/// What becomes of the marks inside one component.
enum SccMarks {
    Rejecting,
    /// The sets that are kept.
    Accepting(Vec<u32>),
}

impl SccMarks {
    fn needed(&self) -> u32 {
        match self {
            SccMarks::Rejecting => 0,
            SccMarks::Accepting(kept) => kept.len() as u32,
        }
    }

    fn accepting(automaton: &Symbolic, sccs: &Sccs, number: usize) -> SccMarks {
        // Only which combinations of marks occur matters.
        let mut seen: Vec<Marks> = Vec::new();
        for &state in &sccs.sccs[number].states {
            for arc in &automaton.arcs[state as usize] {
                if sccs.inside(state, arc) && !seen.contains(&arc.marks) {
                    seen.push(arc.marks);
                }
            }
        }
        // Seeing set `a` infinitely often implies seeing `b`: every edge in a is in b.
        let implies = |a: u32, b: u32| seen.iter().all(|marks| !marks.has(a) || marks.has(b));
        let sets = 0..automaton.mark_count;
        let kept = sets
            .clone()
            .filter(|&b| {
                let everywhere = seen.iter().all(|marks| marks.has(b));
                !everywhere
                    && !sets.clone().any(|a| a != b && implies(a, b) && (!implies(b, a) || a < b))
            })
            .collect();
        SccMarks::Accepting(kept)
    }

    fn map(&self, marks: Marks, numbers: Numbers, everything: Marks) -> Marks {
        let SccMarks::Accepting(kept) = self else { return Marks::NONE };
        let needed = kept.iter().enumerate().map(|(new, &old)| match numbers {
            Numbers::Kept => (old, old),
            Numbers::Packed => (new as u32, old),
        });
        let missing = needed.filter(|&(_, old)| !marks.has(old));
        missing.fold(everything, |mapped, (new, _)| mapped.without(Marks::one(new)))
    }
}

/// Whether the automaton accepts nothing.
pub fn is_empty(automaton: &Symbolic) -> bool {
    let all = automaton.all_marks();
    !Sccs::of(automaton).sccs.iter().any(|scc| scc.accepting(all))
}

//! An automaton in parts by the strength of its accepting components, so that each part can
//! have the check that fits it: Renault, Duret-Lutz, Kordon, Poitrenaud, *Strength-based
//! decomposition of the property Büchi automaton for faster model checking*, TACAS 2013.
//!
//! A word is accepted if a part accepts it. A part has the states from which one of its
//! accepting components can be reached, and accepts there only.

use crate::classify::{Classes, SccClass};
use crate::{Edge, StateId, Tgba};
use lariat_core::Marks;

/// How much a check must look at, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// Every word is accepted from there: reachability is enough.
    Terminal,
    /// Every cycle is accepting: any will do.
    Weak,
    /// Some cycles are accepting, some are not.
    Strong,
}

impl Strength {
    /// The word for it in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Strength::Terminal => "terminal",
            Strength::Weak => "weak",
            Strength::Strong => "strong",
        }
    }
}

/// The strength of an accepting component.
pub fn strength(class: SccClass) -> Option<Strength> {
    match class {
        class if !class.accepting => None,
        class if class.terminal => Some(Strength::Terminal),
        class if class.inherently_weak => Some(Strength::Weak),
        _ => Some(Strength::Strong),
    }
}

/// The strengths that occur, the least first.
pub fn strengths(classes: &Classes) -> Vec<Strength> {
    let mut found: Vec<Strength> =
        classes.per_scc.iter().filter_map(|&class| strength(class)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The part for one strength. For a terminal or weak one it is a Büchi automaton by states.
pub fn part(tgba: &Tgba, classes: &Classes, wanted: Strength) -> Tgba {
    let of = |state: StateId| {
        let scc = classes.sccs.of(state)?;
        strength(classes.per_scc[scc as usize]).filter(|&found| found == wanted)
    };
    // Components come successors first, so one round finds who leads to a wanted one.
    let mut leads = vec![false; classes.sccs.members.len()];
    for (scc, members) in classes.sccs.members.iter().enumerate() {
        leads[scc] = members.iter().any(|&state| {
            let mut targets = classes.sccs.edges(tgba, state).map(|edge| edge.target);
            of(state).is_some()
                || targets.any(|to| classes.sccs.of(to).is_some_and(|to| leads[to as usize]))
        });
    }
    let stays = |state: StateId| classes.sccs.of(state).is_some_and(|scc| leads[scc as usize]);
    let mut numbers = vec![None; tgba.state_count()];
    let kept: Vec<StateId> = (0..tgba.state_count() as StateId).filter(|&s| stays(s)).collect();
    for (number, &state) in kept.iter().enumerate() {
        numbers[state as usize] = Some(number as StateId);
    }
    let mark_count = if wanted == Strength::Strong { tgba.mark_count } else { 1 };
    let mut out = Tgba { mark_count, ..Tgba::default() };
    out.name.clone_from(&tgba.name);
    out.aps.clone_from(&tgba.aps);
    out.initial = tgba.initial.iter().filter_map(|&state| numbers[state as usize]).collect();
    out.edges = kept
        .iter()
        .map(|&state| {
            let edges = classes.sccs.edges(tgba, state);
            let kept = edges.filter_map(|edge| {
                let target = numbers[edge.target as usize]?;
                let inside = classes.sccs.of(state) == classes.sccs.of(edge.target);
                let marks = match (of(state), wanted) {
                    (None, _) => Marks::NONE,
                    (Some(_), Strength::Strong) if inside => edge.marks,
                    (Some(_), Strength::Strong) => Marks::NONE,
                    // By states: all edges that leave the state.
                    (Some(_), _) => Marks::one(0),
                };
                Some(Edge { label: edge.label.clone(), marks, target })
            });
            kept.collect()
        })
        .collect();
    out
}

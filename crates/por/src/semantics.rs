//! The conditions on sets, checked by definition on the interpreter.
//!
//! A walk over the reduced graph, breadth first; from each reduced state, a walk by steps of
//! processes outside the set. In every state that it comes to:
//!
//! - the set has the same steps, named by the commands that are executed, and the same faults;
//! - each of them and each step of others lead to the same state in both orders;
//! - no step of others moves a process of the set;
//! - a step of the set changes no proposition; with fairness, nor who else can move.
//!
//! It shares nothing with the choice of sets but the interpreter, so it finds what the argument
//! of `docs/por.md` has forgotten, and what the code has.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::fmt;

use lariat_core::Word;
use lariat_model::interp::{Expansion, Fairness, Interp, Move, row};
use lariat_model::ir::Model;
use lariat_model::ir::layout::Divergence;

use crate::{Choice, Kind, ProcessSet, Reduction};

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// States of the reduced graph.
    pub states: usize,
    /// States that are reached by others from each of them.
    pub outside: usize,
}

impl Default for Caps {
    fn default() -> Self {
        Caps { states: 600, outside: 40 }
    }
}

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// States of the reduced graph, and those of them in which something is left out.
    pub states: usize,
    pub reduced: usize,
    /// Pairs of steps whose order was compared.
    pub squares: usize,
    /// All states of the reduced graph were visited.
    pub is_complete: bool,
}

/// A set that breaks a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// A state without the variables outside of it: nobody reads them, or nothing would be reduced.
type State = Vec<u8>;
/// What is executed in a step.
type Name = Vec<(u8, u32)>;

/// What is known of a state.
#[derive(Clone)]
struct Expanded {
    /// Where each step may lead.
    steps: BTreeMap<Name, BTreeSet<State>>,
    faults: BTreeSet<Name>,
    /// By pid: how many steps it begins.
    counts: Vec<u32>,
    able: u64,
    /// A run that never leaves an atomic sequence begins here. Such states are never reduced.
    diverges: bool,
}

struct Checker<'a, 'm> {
    model: &'m Model,
    interp: Interp<'m>,
    hidden: Vec<u8>,
    reduction: &'a mut Reduction<'m>,
    caps: Caps,
    stats: Stats,
}

/// Checks the sets that a reduction chooses for its model.
pub fn check<'m>(
    model: &'m Model,
    reduction: &mut Reduction<'m>,
    caps: Caps,
) -> Result<Stats, Violation> {
    let mut interp = Interp::new(model);
    let Ok((initial, hidden)) = interp.initial() else { return Ok(Stats::default()) };
    let stats = Stats::default();
    let mut checker = Checker { model, interp, hidden, reduction, caps, stats };
    checker.walk(initial)?;
    Ok(checker.stats)
}

impl Checker<'_, '_> {
    fn walk(&mut self, initial: State) -> Result<(), Violation> {
        let mut known = HashSet::from([initial.clone()]);
        let mut queue = VecDeque::from([initial]);
        self.stats.is_complete = true;
        while let Some(state) = queue.pop_front() {
            self.stats.states += 1;
            let found = self.expand(&state);
            let set = self.choose(&state, &found);
            if let Some(set) = set {
                self.stats.reduced += 1;
                self.walk_outside(&state, set)?;
            }
            let kept =
                found.steps.iter().filter(|(name, _)| set.is_none_or(|set| begins(set, name)));
            for next in kept.flat_map(|(_, states)| states) {
                if known.len() >= self.caps.states {
                    self.stats.is_complete = false;
                } else if known.insert(next.clone()) {
                    queue.push_back(next.clone());
                }
            }
        }
        Ok(())
    }

    fn choose(&mut self, state: &State, found: &Expanded) -> Option<ProcessSet> {
        if found.diverges {
            return None;
        }
        let row = row_of(state, &self.hidden);
        let mut kinds: Vec<Kind> = Vec::new();
        self.reduction.kinds(&row, &found.counts, &mut kinds);
        match self.reduction.choose(&kinds) {
            Choice::All => None,
            Choice::Only(set) => Some(set),
        }
    }

    fn expand(&mut self, state: &State) -> Expanded {
        let mut found = Expansion::new();
        self.interp.successors(state, &self.hidden, &mut found);
        let mut steps: BTreeMap<Name, BTreeSet<State>> = BTreeMap::new();
        let mut counts = vec![0; 256];
        for at in 0..found.len() {
            let name = name_of(found.moves(at));
            if let Some(&(pid, _)) = name.first() {
                counts[pid as usize] += 1;
            }
            steps.entry(name).or_default().insert(found.state(at).to_vec());
        }
        let faults = found.faults().iter().map(|fault| name_of(found.fault_moves(fault)));
        let able = Fairness::Weak.able(self.model.discipline, &found);
        Expanded {
            faults: faults.filter(|name| !name.is_empty()).collect(),
            steps,
            counts,
            able,
            diverges: found.diverges,
        }
    }

    /// Walks by steps of others from a reduced state.
    fn walk_outside(&mut self, start: &State, set: ProcessSet) -> Result<(), Violation> {
        let first = self.expand(start);
        let steps_of = |found: &Expanded| -> Vec<Name> {
            found.steps.keys().filter(|name| begins(set, name)).cloned().collect()
        };
        let faults_of = |found: &Expanded| -> Vec<Name> {
            found.faults.iter().filter(|name| begins(set, name)).cloned().collect()
        };
        let (steps, faults) = (steps_of(&first), faults_of(&first));
        if steps.is_empty() {
            return Err(self.violation(set, "the set has no steps", &[]));
        }
        let mut seen = HashSet::from([start.clone()]);
        let mut todo = vec![(start.clone(), first)];
        while let Some((state, found)) = todo.pop() {
            if steps_of(&found) != steps {
                let (before, after) = (steps.concat(), steps_of(&found).concat());
                return Err(self.violation(set, "the set gets other steps", &[before, after]));
            }
            if faults_of(&found) != faults {
                let (before, after) = (faults.concat(), faults_of(&found).concat());
                return Err(self.violation(set, "the set gets other faults", &[before, after]));
            }
            self.check_members(&state, &found, set)?;
            for (name, nexts) in found.steps.iter().filter(|(name, _)| !begins(set, name)) {
                if name.iter().any(|&(pid, _)| set.contains(pid as usize)) {
                    let what = "a step of others moves a process of the set";
                    return Err(self.violation(set, what, std::slice::from_ref(name)));
                }
                for next in nexts {
                    if self.is_final(next) {
                        continue;
                    }
                    let after = self.expand(next);
                    if after.diverges {
                        continue;
                    }
                    self.check_squares(&found, set, name, nexts)?;
                    if seen.len() < self.caps.outside && seen.insert(next.clone()) {
                        todo.push((next.clone(), after));
                    }
                }
            }
        }
        Ok(())
    }

    /// Nothing follows: an error of DVE, or an atomic sequence without an end.
    fn is_final(&self, state: &State) -> bool {
        self.interp.is_error_state(state) || Divergence::of(state).is_some()
    }

    /// Each step of the set and one of others, in both orders.
    fn check_squares(
        &mut self,
        found: &Expanded,
        set: ProcessSet,
        other: &Name,
        nexts: &BTreeSet<State>,
    ) -> Result<(), Violation> {
        for (own, own_nexts) in found.steps.iter().filter(|(name, _)| begins(set, name)) {
            if own_nexts.iter().any(|next| self.is_final(next)) {
                continue;
            }
            self.stats.squares += 1;
            let one = self.follow(own_nexts, other);
            let two = self.follow(nexts, own);
            if one != two || one.is_empty() {
                let what = "the order of two steps matters";
                return Err(self.violation(set, what, &[own.clone(), other.clone()]));
            }
        }
        Ok(())
    }

    /// Where a step leads from some states.
    fn follow(&mut self, states: &BTreeSet<State>, name: &Name) -> BTreeSet<State> {
        let mut reached = BTreeSet::new();
        for state in states {
            reached.extend(self.expand(state).steps.remove(name).unwrap_or_default());
        }
        reached
    }

    /// Steps of the set change no proposition, and with fairness not who else can move.
    fn check_members(
        &mut self,
        state: &State,
        found: &Expanded,
        set: ProcessSet,
    ) -> Result<(), Violation> {
        let looks = self.reduction.looks();
        let (propositions, fairness) = (looks.propositions.to_vec(), looks.fairness);
        if propositions.is_empty() && !fairness {
            return Ok(());
        }
        let values = |interp: &mut Interp<'_>, state: &State| -> Vec<Option<i32>> {
            interp.load(state);
            propositions.iter().map(|&expr| interp.eval_loaded(expr, None).ok()).collect()
        };
        let before = values(&mut self.interp, state);
        for (name, nexts) in found.steps.iter().filter(|(name, _)| begins(set, name)) {
            for next in nexts {
                if self.interp.is_error_state(next) {
                    continue;
                }
                if values(&mut self.interp, next) != before {
                    let what = "a step of the set changes a proposition";
                    return Err(self.violation(set, what, std::slice::from_ref(name)));
                }
                let moved = name.iter().fold(0, |moved, &(pid, _)| moved | 1u64 << (pid % 64));
                let after = self.expand(next);
                // What goes wrong is no step.
                let is_sound = found.faults.is_empty() && after.faults.is_empty();
                if fairness && is_sound && (after.able ^ found.able) & !moved != 0 {
                    let what = "a step of the set changes who else can move";
                    return Err(self.violation(set, what, std::slice::from_ref(name)));
                }
            }
        }
        Ok(())
    }

    fn violation(&self, set: ProcessSet, what: &str, names: &[Name]) -> Violation {
        let mut what = format!("{what}; the set is {:?}", set.iter().collect::<Vec<_>>());
        for name in names {
            what += "\n ";
            for &(pid, command) in name {
                what += &format!(" {pid}: {};", self.model.commands[command as usize].text);
            }
        }
        Violation { what }
    }
}

fn begins(set: ProcessSet, name: &Name) -> bool {
    name.first().is_some_and(|&(pid, _)| set.contains(pid as usize))
}

fn name_of(moves: &[Move]) -> Name {
    moves.iter().map(|step| (step.pid, step.command.0)).collect()
}

fn row_of(state: &State, hidden: &[u8]) -> Vec<Word> {
    let mut row = vec![0; row::words_for(state, hidden)];
    row::pack(state, hidden, &mut row);
    row
}

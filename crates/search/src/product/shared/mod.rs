//! The product on all threads, where nobody needs the numbers of states.
//!
//! A product state is a key of the set that all threads share (`lariat_store::Keys`): the packed state of the system and, below it, the
//! state of the automaton. Those of the system are kept nowhere else. (One key for a system state, with a bit of payload for each automaton state, would
//! be smaller where a system state meets many of them. But then all that a pass keeps of a product state would be needed as many times.)
//!
//! - [`sweep`](super::sweep) in this way: `sweep`
//! - accepting cycles by elimination: `owcty`; depth first: `deep`
//! - `proviso`: steps that are left out (elimination only)
//! - `pass`: a pass through levels; `walker`: successors; `distinct`: how many states of the system there are
//!
//! What is found is not shown to anybody: it is looked for once more with numbers, and a run is found there. "There is none" is an answer.

mod deep;
mod distinct;
mod owcty;
mod pass;
mod proviso;
mod sweep;
pub(crate) mod walker;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use lariat_core::{Automaton, Emptiness, Props, Stats, conclude};
use lariat_model::interp::Fault;
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::ModelSteps;
use lariat_store::{Keys, SharedSession, SharedTree, Tree};
use lariat_system::{Progress, Remember, Sets, Stop, System, SystemGraph};

use super::FiniteRuns;
use super::components::Components;
use crate::team::{End, Team};
use distinct::Distinct;
use pass::{Own, Pass, Walk};
use proviso::Decisions;
use sweep::{Exits, Gather, SeekMarks};

/// The product of a model and an automaton.
pub struct SharedProduct<'s, A> {
    /// The model.
    pub model: &'s Model,
    /// What watches it.
    pub automaton: &'s A,
    /// What the automaton looks at.
    pub propositions: &'s [ExprId],
    /// Whether it matters if some of that cannot be evaluated: see [`System::of_runs`].
    pub matters: &'s (dyn Fn(Props, Props) -> bool + Sync),
    /// Propositions are evaluated in every state.
    pub evaluates_all: bool,
    /// What a system that cannot move does.
    pub finite_runs: FiniteRuns,
    /// Bytes of all structures.
    pub limit: Option<usize>,
    /// Whether steps are remembered.
    pub remember: Remember,
    /// Which steps of a state are enough, for each thread; none if nothing is left out.
    pub sets: &'s (dyn Fn() -> Option<Sets<'s>> + Sync),
    /// Told now and then; false ends the search.
    pub watch: Mutex<&'s mut (dyn FnMut(Progress) -> bool + Send)>,
    /// Product states that were expanded so far, with repeats.
    pub expanded: AtomicU64,
}

/// How to look for an accepting run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Only where no run can be accepted yet.
    Before,
    /// Every cycle of an accepting component is accepting.
    Weak {
        /// Nobody has come to an accepting component yet: that is looked for first.
        is_unmet: bool,
        /// Else only as long as no edge leads back to the level at hand.
        by: Option<By>,
    },
    /// A cycle with all marks is: whether these occur, and then such a cycle if that is wanted.
    Marks {
        /// Else it is left to others.
        by: Option<By>,
        /// It is left to others, too, if more than this part of the states is not before acceptance.
        only_few: bool,
    },
}

/// How to look for an accepting cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// By elimination.
    Owcty,
    /// Depth first: CNDFS, or UFSCC where there is more than one mark.
    Cndfs,
    /// By component.
    Ufscc,
}

/// What a search says.
pub struct SharedOutcome {
    /// None if a search with numbers must say more.
    pub verdict: Option<Emptiness>,
    /// Why there is no answer.
    pub stopped: Option<Stop>,
    /// How much was looked at.
    pub stats: Stats,
    /// Different states of the system.
    pub system_states: usize,
    /// A run-time error that some runs cannot get past.
    pub dead_end: Option<Fault>,
}

impl<'s, A: Automaton + Sync> SharedProduct<'s, A> {
    /// Looks for an accepting run with states as they are packed in this tree, one thread for each of these steps.
    /// None if that cannot be done: where steps are left out, it is not done depth first.
    pub fn check(
        &self,
        way: Way,
        tree: Tree,
        steps: Vec<Box<dyn ModelSteps + 's>>,
    ) -> Option<SharedOutcome> {
        let components = &Components::of(self.automaton)?;
        let decisions = (self.sets)().map(|_| Decisions::new(components.states()));
        if decisions.is_some() && way.by().is_some_and(|by| by != By::Owcty) {
            return None;
        }
        let keys = keys_of(components, decisions.as_ref());
        let shared = tree.shared_product(keys, steps.len(), self.most_bytes())?;
        let team =
            Team::new(&shared, steps, self.remember, Own::default).choosing_by(|| (self.sets)());
        let (depth, exits, before, by_edges, own_states) = (0, Arc::default(), 0, false, 0);
        let entries_aside = 0;
        let only_few = false;
        let mut search = Search {
            product: self,
            components,
            decisions,
            shared,
            team,
            depth,
            exits,
            before,
            entries_aside,
            only_few,
            by_edges,
            own_states,
        };
        let ended = search.run(way);
        Some(search.outcome(ended))
    }

    pub(crate) fn most_bytes(&self) -> usize {
        self.limit.unwrap_or(usize::MAX / 2)
    }

    pub(crate) fn system<'a>(
        &self,
        steps: Box<dyn ModelSteps + 's>,
        session: SharedSession<'a>,
    ) -> System<'s, SharedSession<'a>> {
        let matters = self.matters;
        let system = System::of_runs(self.model, steps, self.propositions, matters, |_| session)
            .with_limit(Some(self.most_bytes()));
        if self.evaluates_all { system.keeping_valuations() } else { system }
    }

    pub(crate) fn stutters(&self) -> bool {
        self.finite_runs == FiniteRuns::Stutter
    }

    /// Tells how far it is; false ends the search.
    fn goes_on(&self, system: &System<'_, SharedSession<'_>>) -> bool {
        let (states, bytes) = (system.len() as u64, system.bytes());
        let progress = Progress { states, expanded: self.expanded.load(Relaxed), bytes };
        (self.watch.lock().unwrap_or_else(PoisonError::into_inner))(progress)
    }
}

impl Way {
    fn by(self) -> Option<By> {
        match self {
            Way::Before => None,
            Way::Weak { by, .. } | Way::Marks { by, .. } => by,
        }
    }
}

/// Those of a product before acceptance: if steps are left out, with entries of decisions.
fn keys_of(components: &Components, decisions: Option<&Decisions>) -> Keys {
    match decisions {
        None => Keys::of_product(components.states(), 0),
        Some(_) => Keys::of_product(components.states() + 1, proviso::BITS),
    }
}

/// A search on all threads.
struct Search<'p, 's, A> {
    product: &'p SharedProduct<'s, A>,
    components: &'p Components,
    /// If steps are left out.
    decisions: Option<Decisions>,
    shared: SharedTree,
    team: Team<'s, Own>,
    /// Levels of the sweep.
    depth: u64,
    /// The states behind those before acceptance to which an edge leads from there, once they are gathered; then those before it are put aside, with these. And the edges
    /// up to them.
    exits: Arc<Vec<u64>>,
    before: u64,
    /// Entries of decisions that were put aside.
    entries_aside: u64,
    /// It is left to others if there are more behind.
    only_few: bool,
    /// Accepting edges have states of their own, so many: see `deep`.
    by_edges: bool,
    own_states: u64,
}

impl<'s, A: Automaton + Sync> Search<'_, 's, A> {
    /// Done if there is no accepting run, found if there is one or nobody knows.
    fn run(&mut self, way: Way) -> End {
        let (product, components) = (self.product, self.components);
        let marks = product.automaton.mark_count() + self.team.mark_count();
        let before = |search: &mut Self| search.sweep(Exits::new(components)).0;
        match way {
            Way::Weak { is_unmet, by } if components.are_weak(product.automaton) => {
                match if is_unmet { before(self) } else { End::Found } {
                    End::Found => match by {
                        // If it were given up, decisions would depend on luck.
                        Some(By::Owcty) if self.decisions.is_some() => self.owcty(0),
                        None if self.decisions.is_some() => End::Found,
                        None => self.only_forth(),
                        Some(By::Owcty) => match self.only_forth() {
                            End::Found => self.owcty(0),
                            end => end,
                        },
                        Some(by) => self.cycles(by, marks),
                    },
                    end => end,
                }
            }
            Way::Before | Way::Weak { .. } => before(self),
            Way::Marks { by, only_few } => {
                self.only_few = only_few;
                if self.team.mark_count() == 0 {
                    let seek = SeekMarks::new(components, product.automaton);
                    let (end, _) = self.sweep(seek);
                    if !matches!(end, End::Found) {
                        return end;
                    }
                }
                by.map_or(End::Found, |by| self.cycles(by, marks))
            }
        }
    }

    /// Found if there is a cycle with all marks.
    fn cycles(&mut self, by: By, marks: u32) -> End {
        match by {
            By::Owcty => self.owcty(marks),
            By::Cndfs if marks <= 1 && self.team.mark_count() == 0 => self.cndfs(),
            By::Cndfs | By::Ufscc => self.ufscc(marks),
        }
    }

    /// Goes through states; what was counted.
    fn pass<P: Pass>(&mut self, pass: P) -> (End, u64, P) {
        let walk = Walk::new(self.product, self.decisions.as_ref(), pass);
        let end = self.team.work(&walk, &mut self.shared);
        self.depth = self.depth.max(walk.depth.into_inner());
        let counted = self.team.owns_mut().map(|own| std::mem::take(&mut own.counted)).sum();
        (end, counted, walk.pass)
    }

    /// The same from the initial states on, with nothing known before.
    fn sweep<P: Pass>(&mut self, pass: P) -> (End, u64) {
        self.team.owns_mut().for_each(|own| (own.transitions, own.entries) = (0, 0));
        let (end, counted, _) = self.pass(pass);
        (end, counted)
    }

    /// Has the states before acceptance gone through and put aside, and begins with a set for the others, which have so many bits of payload. No edge leads
    /// back to those before, and no accepting cycle goes through them, so they have no need of any. How many there are to begin with.
    fn begin_behind(&mut self, payload: u32) -> Result<(), End> {
        debug_assert!(self.decisions.is_none() || payload >= proviso::BITS);
        let is_begun = if self.exits.is_empty() {
            self.depth = 0;
            let keys = match self.by_edges {
                true => Keys::of_product(self.components.states() * 2, 0),
                false => keys_of(self.components, self.decisions.as_ref()),
            };
            if !self.shared.start_again(keys) {
                return Err(End::Unfit);
            }
            match self.sweep(Gather::new(self.components, self.only_few)) {
                (End::Done, _) => {}
                (end, _) => return Err(end),
            }
            let mut exits = Vec::new();
            (self.before, self.entries_aside) = (0, 0);
            for own in self.team.owns_mut() {
                exits.append(&mut own.exits);
                self.before += std::mem::take(&mut own.transitions);
                self.entries_aside += std::mem::take(&mut own.entries);
            }
            self.exits = Arc::new(exits);
            self.shared.put_aside(payload)
        } else {
            self.team.owns_mut().for_each(|own| own.transitions = 0);
            self.shared.start_beside(payload)
        };
        match is_begun {
            // Nothing is accepted.
            true if self.exits.is_empty() => Err(End::Done),
            true => Ok(()),
            false => Err(End::Unfit),
        }
    }

    fn outcome(mut self, end: End) -> SharedOutcome {
        let stopped = match end {
            End::Stopped(stop) => Some(stop),
            _ => None,
        };
        let verdict = match end {
            End::Done => Some(conclude(None, None, false)),
            End::Stopped(stop) => Some(conclude(None, Some(stop.limit()), false)),
            End::Found | End::Unfit => None,
        };
        // What is behind is in the set once more.
        let aside = self.shared.len_aside().saturating_sub(self.exits.len());
        let transitions = self.before + self.team.owns().map(|own| own.transitions).sum::<u64>();
        let entries = self.entries_aside + self.team.owns().map(|own| own.entries).sum::<u64>();
        let stats = Stats {
            states: (self.shared.len() + aside) as u64 - self.own_states - entries,
            // Each of these states has one edge.
            transitions: transitions.saturating_sub(self.own_states),
            expansions: self.product.expanded.load(Relaxed),
            depth: self.depth,
            bytes: self.shared.bytes() as u64,
            ..Stats::default()
        };
        let dead_end = self.team.owns().find_map(|own| own.dead_end);
        let mut system_states = stats.states as usize;
        if matches!(end, End::Done) && self.components.states() > 1 {
            let (end, counted, _) = self.pass(Distinct::new(self.components, aside > 0));
            system_states = if matches!(end, End::Done) { counted as usize } else { system_states };
        }
        SharedOutcome { verdict, stopped, stats, system_states, dead_end }
    }
}

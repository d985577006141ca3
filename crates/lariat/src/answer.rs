//! All questions answered: those about states in one exploration, each formula by a search of its own.

use crate::check::{Check, Claim, Store};
use crate::explore::{Exploration, explore};
use crate::fairness::Fairness;
use crate::formula::Tests;
use crate::graph::{ModelGraph, Watch};
use crate::hint;
use crate::judge;
use crate::kept::Kind;
use crate::model::Model;
use crate::panics::caught;
use crate::report::{Finding, Report, Stats};
use crate::rows::Trouble;
use crate::run::{self, Run};
use crate::temporal::{self, reason};
use crate::verdict::{Reason, Verdict};
use lariat_core::{Emptiness, Limit, SystemId, conclude};
use lariat_ltl::Formulas;
use lariat_store::Beyond;
use lariat_system::{Stop, SystemGraph};
use std::sync::Arc;
use std::time::Instant;

/// What a panic is called in a report.
pub(crate) const NO_PANIC: &str = "no panic";

pub(crate) fn answer<M: Model>(mut check: Check<'_, M>) -> Report<M> {
    let started = Instant::now();
    let fairness = Arc::new(check.fairness());
    let fair = fairness.conditions.iter().map(|one| (one.name.clone(), one.strength)).collect();
    let (findings, mut stats) = match refusal(&check) {
        Some(why) => (same(&check, &why), Stats::default()),
        None => {
            let rows = check.model.rows();
            let beyond = if rows.prefers_flat() { Beyond::Flat } else { Beyond::Tree };
            let kind = match check.store {
                Store::Fitting => Kind::Dense(beyond),
                Store::Tree => Kind::Tree,
                Store::Flat => Kind::Flat,
            };
            let (limits, tell) = (check.limits, check.tell.take());
            let graph = ModelGraph::new(check.model, rows, kind, limits, tell);
            Answers::new(&check, fairness, graph).all()
        }
    };
    stats.time = started.elapsed();
    Report { findings, stats, fair }
}

/// What cannot be asked at all.
pub(crate) fn refusal<M: Model>(check: &Check<'_, M>) -> Option<Reason> {
    let names = check.claims.iter().map(|(name, _)| name);
    let twice =
        names.clone().enumerate().find(|(at, name)| names.clone().take(*at).any(|n| n == *name));
    if let Some((_, name)) = twice {
        return Some(Reason::Refused(format!("two questions are called {name:?}")));
    }
    if names.clone().any(|name| name == NO_PANIC) {
        let why = format!("{NO_PANIC:?} is what a panic of the model is called; use another name");
        return Some(Reason::Refused(why));
    }
    None
}

fn same<M: Model>(check: &Check<'_, M>, why: &Reason) -> Vec<Finding<M>> {
    let finding = |name: &String| Finding {
        name: name.clone(),
        verdict: Verdict::Inconclusive(why.clone()),
        hint: None,
    };
    check.claims.iter().map(|(name, _)| finding(name)).collect()
}

struct Answers<'c, 'm, M: Model> {
    check: &'c Check<'m, M>,
    fairness: Arc<Fairness<'m, M::Action>>,
    graph: ModelGraph<'m, M>,
    stats: Stats,
    /// By question.
    verdicts: Vec<Option<Verdict<M>>>,
    panic: Option<(String, Run<M>)>,
}

impl<'c, 'm, M: Model> Answers<'c, 'm, M> {
    fn new(
        check: &'c Check<'m, M>,
        fairness: Arc<Fairness<'m, M::Action>>,
        graph: ModelGraph<'m, M>,
    ) -> Self {
        let verdicts = check.claims.iter().map(|_| None).collect();
        Answers { check, fairness, graph, stats: Stats::default(), verdicts, panic: None }
    }

    fn all(mut self) -> (Vec<Finding<M>>, Stats) {
        let check = self.check;
        let is_temporal = |claim: &Claim<'_, _>| matches!(claim, Claim::Temporal(_));
        let has_temporal = check.claims.iter().any(|(_, claim)| is_temporal(claim));
        let only_temporal = check.claims.iter().all(|(_, claim)| is_temporal(claim));
        let mut trouble = None;
        if !has_temporal || !only_temporal {
            trouble = self.explore(Vec::new());
        } else if let Err(stop) = self.graph.prepare() {
            trouble = Some(reason(&self.graph, stop));
        }
        self.graph.rows().set_fairness(Arc::clone(&self.fairness));
        for (at, (_, claim)) in check.claims.iter().enumerate() {
            let Claim::Temporal(formula) = claim else { continue };
            let is_over = self.check.stops_at_first && self.is_decided();
            let verdict = match &trouble {
                Some(why) => Verdict::Inconclusive(why.clone()),
                None if is_over => Verdict::Inconclusive(Reason::Stopped),
                None => {
                    let verdict = self.temporal(formula);
                    if let Verdict::Inconclusive(Reason::Panic(text)) = &verdict {
                        trouble = Some(Reason::Panic(text.clone()));
                        self.find_panic();
                    }
                    verdict
                }
            };
            self.verdicts[at] = Some(verdict);
        }
        self.findings()
    }

    /// Something is not as it should be.
    fn is_decided(&self) -> bool {
        let is_bad = |verdict: &Verdict<M>| matches!(verdict, Verdict::Violated(_));
        self.panic.is_some() || self.verdicts.iter().flatten().any(is_bad)
    }

    fn temporal(&mut self, formula: &crate::Ltl<'m, M::State>) -> Verdict<M> {
        let Answers { check, graph, fairness, stats, .. } = self;
        let searched = temporal::search(check.model, graph, formula, fairness);
        stats.product_states += searched.product_states;
        if stats.initial == 0 {
            // Nothing was explored.
            stats.beyond = stats.beyond.max(graph.met.beyond);
            stats.states = stats.states.max(graph.len() as u64);
            stats.transitions += searched.transitions;
        }
        stats.bytes = stats.bytes.max(graph.bytes() as u64);
        match searched.found {
            // Nothing can be said of no run at all.
            Ok(None) if graph.len() == 0 => Verdict::Inconclusive(Reason::NoInitialState),
            Ok(None) => Verdict::Holds,
            Ok(Some(run)) => Verdict::Violated(run),
            Err(why) => Verdict::Inconclusive(why),
        }
    }

    /// Questions about states, all at once. A reason why nothing else can be found out.
    fn explore(&mut self, more: Vec<Watch<'m, M::State>>) -> Option<Reason> {
        let watches = self.check.claims.iter().filter_map(|(_, claim)| {
            let (test, wanted, at_rest) = match claim {
                Claim::Always(test) => (test, false, false),
                Claim::Reachable(test) => (test, true, false),
                Claim::EndsOnlyIn(test) => (test, false, true),
                Claim::Temporal(_) => return None,
            };
            Some(Watch { test: Arc::clone(test), wanted, at_rest, found: None })
        });
        let watches: Vec<_> = watches.collect();
        let own = watches.len();
        self.graph.watches = watches.into_iter().chain(more).collect();
        let stops_at_first = self.check.stops_at_first;
        let found = loop {
            if let Err(stop) = self.graph.prepare() {
                break Err(reason(&self.graph, stop));
            }
            self.graph.watches.iter_mut().for_each(|watch| watch.found = None);
            let is_enough = |graph: &ModelGraph<'m, M>| {
                let is_bad = |watch: &Watch<'_, _>| watch.found.is_some() && !watch.wanted;
                stops_at_first && graph.watches[..own].iter().any(is_bad)
            };
            match explore(&mut self.graph, is_enough) {
                Ok(found) => break Ok(found),
                Err(Stop::Widen(_)) => {}
                Err(stop) => break Err(reason(&self.graph, stop)),
            }
        };
        match found {
            Ok(found) => self.explored(&found),
            Err(why) => {
                self.give_up(&why);
                Some(why)
            }
        }
    }

    fn give_up(&mut self, why: &Reason) {
        for (verdict, (_, claim)) in self.verdicts.iter_mut().zip(&self.check.claims) {
            if !matches!(claim, Claim::Temporal(_)) {
                *verdict = Some(Verdict::Inconclusive(why.clone()));
            }
        }
    }

    fn explored(&mut self, found: &Exploration) -> Option<Reason> {
        let met = self.graph.met;
        self.stats = Stats {
            states: found.states,
            initial: found.initial,
            transitions: found.transitions,
            depth: found.depth,
            ends: met.ends,
            beyond: met.beyond,
            bytes: self.graph.bytes() as u64,
            values: self.graph.rows().counts(),
            ..Stats::default()
        };
        let trouble = self.graph.trouble.take();
        let mut cut = found.limit.map(Reason::Limit);
        match trouble {
            Some((Trouble::Broken(what), _)) => cut = Some(Reason::Broken(what)),
            Some((Trouble::Panic(text), at)) => {
                cut = Some(Reason::Panic(text.clone()));
                if let Some(Ok(run)) = at.map(|id| self.path(found, id)) {
                    self.panic = Some((text, run));
                }
            }
            Some((Trouble::TooWide, _)) | None => {}
        }
        let is_ended = self.check.stops_at_first
            && self.graph.watches.iter().any(|watch| watch.found.is_some() && !watch.wanted);
        if found.states == 0 && cut.is_none() {
            self.give_up(&Reason::NoInitialState);
            return Some(Reason::NoInitialState);
        }
        let ids: Vec<Option<SystemId>> =
            self.graph.watches.iter().map(|watch| watch.found).collect();
        let mut ids = ids.into_iter();
        for at in 0..self.check.claims.len() {
            let claim = &self.check.claims[at].1;
            if matches!(claim, Claim::Temporal(_)) {
                continue;
            }
            let run = ids.next().flatten().map(|id| self.judged(found, id, claim));
            // Cut or not, one place says that there is none.
            let limit = match (&cut, is_ended) {
                (None, false) => None,
                _ => Some(found.limit.unwrap_or(Limit::Interrupted)),
            };
            let verdict = match (conclude(run, limit, false), claim) {
                (Emptiness::Found(Err(what)), _) => Verdict::Inconclusive(Reason::Internal(what)),
                (Emptiness::Found(Ok(run)), Claim::Reachable(_)) => Verdict::Reached(run),
                (Emptiness::Found(Ok(run)), _) => Verdict::Violated(run),
                (Emptiness::Empty { .. }, Claim::Reachable(_)) => Verdict::Unreachable,
                (Emptiness::Empty { .. }, _) => Verdict::Holds,
                (Emptiness::Inconclusive(_), _) => {
                    Verdict::Inconclusive(cut.clone().unwrap_or(Reason::Stopped))
                }
            };
            self.verdicts[at] = Some(verdict);
        }
        // A limit of states or depth may be none for a search that goes another way.
        cut.filter(|why| !matches!(why, Reason::Limit(Limit::States | Limit::Depth)))
    }

    /// The run to a state that an exploration has found.
    fn path(&mut self, found: &Exploration, id: SystemId) -> Result<Run<M>, String> {
        let ids = found.path(id);
        let states: Vec<M::State> = ids.iter().map(|&id| self.graph.state(id).clone()).collect();
        let none = Fairness { conditions: Vec::new() };
        let model = self.check.model;
        let run = caught(|| {
            let run = run::along(model, &states, None, &none)?;
            judge::is_run(model, &run).map(|()| run)
        });
        run.unwrap_or_else(|text| Err(format!("the model panicked the second time: {text}")))
    }

    fn judged(
        &mut self,
        found: &Exploration,
        id: SystemId,
        claim: &Claim<'m, M::State>,
    ) -> Result<Run<M>, String> {
        let run = self.path(found, id)?;
        let model = self.check.model;
        let is_so = caught(|| judge::decides(model, claim, &run));
        match is_so {
            Ok(true) => Ok(run),
            _ => Err("the last state is not what was looked for".to_owned()),
        }
    }

    /// A temporal search met a panic, and has no run to it.
    fn find_panic(&mut self) {
        let mut propositions = Vec::new();
        for (_, claim) in &self.check.claims {
            let Claim::Temporal(formula) = claim else { continue };
            let mut tests = Tests(Vec::new());
            if formula.lower(&mut Formulas::new(), &mut tests).is_ok() {
                propositions.extend(tests.0);
            }
        }
        let watch = |(_, test)| Watch { test, wanted: true, at_rest: false, found: None };
        let saved = std::mem::take(&mut self.verdicts);
        self.verdicts = saved.iter().map(|_| None).collect();
        let stats = self.stats.clone();
        self.graph.rows().set_fairness(Arc::new(Fairness { conditions: Vec::new() }));
        self.graph.watch_states();
        self.explore(propositions.into_iter().map(watch).collect());
        (self.verdicts, self.stats) = (saved, stats);
    }

    fn findings(self) -> (Vec<Finding<M>>, Stats) {
        let Answers { check, fairness, stats, verdicts, panic, .. } = self;
        let panicked = panic.map(|(text, run)| Finding {
            name: NO_PANIC.to_owned(),
            verdict: Verdict::Panicked(text, run),
            hint: None,
        });
        let answered = check.claims.iter().zip(verdicts).map(|((name, _), verdict)| {
            let verdict = verdict.unwrap_or(Verdict::Inconclusive(Reason::Stopped));
            let hint = hint::hint(check.model, &verdict, fairness.is_empty());
            Finding { name: name.clone(), verdict, hint }
        });
        (panicked.into_iter().chain(answered).collect(), stats)
    }
}

//! Random runs: quick, and never a proof.

use crate::answer::{NO_PANIC, refusal};
use crate::check::{Check, Claim};
use crate::formula::Tests;
use crate::judge;
use crate::model::Model;
use crate::panics::caught;
use crate::report::{Finding, Report, Stats};
use crate::run::Run;
use crate::typed::{self, AllSteps};
use crate::verdict::{Reason, Verdict};
use lariat_core::{Limit, stop};
use lariat_ltl::random::Rng;
use lariat_ltl::{Formulas, Ltl, eval, prefix};
use std::time::Instant;

/// A formula that is looked at along runs.
struct Watched<'m, S> {
    claim: usize,
    formulas: Formulas,
    formula: Ltl,
    tests: Tests<'m, S>,
}

pub(crate) fn simulate<M: Model>(
    check: Check<'_, M>,
    runs: u64,
    length: u64,
    seed: u64,
) -> Report<M> {
    let started = Instant::now();
    let mut verdicts: Vec<Option<Verdict<M>>> = check.claims.iter().map(|_| None).collect();
    let mut watched = Vec::new();
    for (at, (_, claim)) in check.claims.iter().enumerate() {
        let Claim::Temporal(formula) = claim else { continue };
        let (mut formulas, mut tests) = (Formulas::new(), Tests(Vec::new()));
        match formula.lower(&mut formulas, &mut tests) {
            Ok(formula) => watched.push(Watched { claim: at, formulas, formula, tests }),
            Err(why) => verdicts[at] = Some(Verdict::Inconclusive(Reason::Refused(why))),
        }
    }
    let (mut stats, mut random) = (Stats::default(), Rng::new(seed));
    let mut why = refusal(&check);
    let mut panicked = None;
    while why.is_none() && stats.runs < runs {
        stats.runs += 1;
        let mut run = Run { states: Vec::new(), actions: Vec::new(), back_to: None };
        let looked = caught(|| {
            let why = walk(&check, &mut run, length, &mut random, &mut stats, &mut verdicts);
            look_at_formulas(&watched, &run, &mut verdicts);
            why
        });
        let is_bad = |verdict: &Verdict<M>| matches!(verdict, Verdict::Violated(_));
        why = match looked {
            Ok(None) if check.stops_at_first && verdicts.iter().flatten().any(is_bad) => {
                Some(Reason::Stopped)
            }
            Ok(why) => why,
            Err(text) => {
                if !run.states.is_empty() {
                    panicked = Some(Verdict::Panicked(text.clone(), run));
                }
                Some(Reason::Panic(text))
            }
        };
    }
    report(check, panicked, verdicts, why, stats, started)
}

fn report<M: Model>(
    mut check: Check<'_, M>,
    panicked: Option<Verdict<M>>,
    verdicts: Vec<Option<Verdict<M>>>,
    why: Option<Reason>,
    mut stats: Stats,
    started: Instant,
) -> Report<M> {
    let why = why.unwrap_or(Reason::Simulated);
    let panicked = panicked.into_iter();
    let mut findings: Vec<Finding<M>> = panicked
        .map(|verdict| Finding { name: NO_PANIC.to_owned(), verdict, hint: None })
        .collect();
    for ((name, _), verdict) in check.claims.iter().zip(verdicts) {
        let verdict = verdict.unwrap_or_else(|| Verdict::Inconclusive(why.clone()));
        findings.push(Finding { name: name.clone(), verdict, hint: None });
    }
    stats.time = started.elapsed();
    let fair = check.fairness().conditions;
    let fair = fair.into_iter().map(|one| (one.name, one.strength)).collect();
    Report { findings, stats, fair }
}

/// One run. A reason to look at no more.
fn walk<M: Model>(
    check: &Check<'_, M>,
    run: &mut Run<M>,
    length: u64,
    random: &mut Rng,
    stats: &mut Stats,
    verdicts: &mut [Option<Verdict<M>>],
) -> Option<Reason> {
    let model = check.model;
    let mut initial: Vec<_> = typed::initial(model).collect();
    if initial.is_empty() {
        return Some(Reason::NoInitialState);
    }
    run.states.push(initial.swap_remove(random.below(initial.len())).0);
    loop {
        stats.states += 1;
        stats.depth = stats.depth.max(run.actions.len() as u64);
        for (at, (_, claim)) in check.claims.iter().enumerate() {
            let looks = !matches!(claim, Claim::Temporal(_)) && verdicts[at].is_none();
            if looks && judge::decides(model, claim, run) {
                let run = run.clone();
                verdicts[at] = Some(match claim {
                    Claim::Reachable(_) => Verdict::Reached(run),
                    _ => Verdict::Violated(run),
                });
            }
        }
        if run.actions.len() as u64 >= length {
            return None;
        }
        if let Some(limit) = stop::asked() {
            return Some(Reason::Limit(limit));
        }
        if stats.states > check.limits.states {
            return Some(Reason::Limit(Limit::States));
        }
        let mut all = AllSteps::of(model, run.last());
        stats.beyond += all.beyond;
        if all.steps.is_empty() {
            stats.ends += u64::from(all.is_rest());
            if all.is_rest() {
                run.back_to = Some(run.states.len() - 1);
            }
            return None;
        }
        stats.transitions += 1;
        let step = all.steps.swap_remove(random.below(all.steps.len()));
        run.actions.push(step.action);
        run.states.push(step.state);
    }
}

/// What a run decides about formulas: by its beginning, whatever comes, or as a whole if it rests.
fn look_at_formulas<M: Model>(
    watched: &[Watched<'_, M::State>],
    run: &Run<M>,
    verdicts: &mut [Option<Verdict<M>>],
) {
    if run.states.is_empty() {
        return;
    }
    for Watched { claim, formulas, formula, tests } in watched {
        if verdicts[*claim].is_some() {
            continue;
        }
        let word = judge::word(formulas, tests, run);
        let is_violated = match run.rests() {
            true => !eval::holds(formulas, *formula, &word),
            false => {
                let letters: Vec<_> = word.letters.iter().collect();
                prefix::decided(formulas, *formula, &letters) == Some(false)
            }
        };
        if is_violated {
            verdicts[*claim] = Some(Verdict::Violated(run.clone()));
        }
    }
}

//! Answers that are worth less than they seem: an implication whose left side never holds, a
//! proposition that never changes, a label that is never reached.
//!
//! All three speak of every reachable state, so they are said only after a sweep over all of
//! them. The sweep is one more walk over the model, by its native code. It ends when nothing is
//! left to warn about, and gives up early on large models; then nothing is said. See
//! docs/vacuity.md.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use lariat_core::{Limit, Props, SystemId};
use lariat_ltl::eval::Letter;
use lariat_ltl::formula::{Binary, Formulas, Ltl, Node};
use lariat_ltl::syntax::{Dialect, Printer};
use lariat_model::ir::{Expr, ExprId, Model};
use lariat_search::breadth_first::BreadthFirst;
use lariat_system::{NO_VALUATION, Stop, System, SystemGraph, Valuation, with_room};

use crate::answer::{Answer, Status, Verdict};
use crate::engine::Engine;
use crate::property::formula::{Mode, Origin, Property, Watcher};

/// More states than this are not swept, nor for longer.
const MAX_STATES: usize = 50_000;
const MAX_TIME: Duration = Duration::from_secs(3);

/// What is looked at in every state, for one property.
#[derive(Default)]
struct Watched {
    propositions: Vec<(String, ExprId)>,
    labels: Vec<(String, ExprId)>,
    /// The left sides of implications, as formulas over the propositions, with the whole.
    lefts: Vec<(Ltl, Ltl)>,
    formulas: Option<Formulas>,
    formula: Option<Ltl>,
}

/// What was seen of a proposition.
#[derive(Clone, Copy, Default)]
struct Seen {
    yes: bool,
    no: bool,
}

impl Seen {
    fn note(&mut self, holds: bool) {
        self.yes |= holds;
        self.no |= !holds;
    }
}

struct Witness {
    propositions: Vec<Seen>,
    labels: Vec<Seen>,
    lefts: Vec<Seen>,
}

impl Witness {
    /// Whatever comes, there will be nothing to say.
    fn is_without_warnings(&self) -> bool {
        self.propositions.iter().all(|seen| seen.yes && seen.no)
            && self.labels.iter().chain(&self.lefts).all(|seen| seen.yes)
    }
}

/// Knows, after a sweep, what to warn about.
pub struct Vacuity {
    watched: Vec<Watched>,
    /// None until the sweep; then None inside if it gave up.
    swept: Option<Option<Vec<Witness>>>,
}

impl Vacuity {
    /// Of these properties of a model.
    pub fn new(model: &Model, properties: &[Property]) -> Vacuity {
        let watched = properties.iter().map(|property| watched(model, property)).collect();
        Vacuity { watched, swept: None }
    }

    /// The warnings about a property, by its number, to which this is the answer.
    pub fn warnings(
        &mut self,
        model: &Model,
        property: usize,
        answer: &Answer,
        engine: &Engine,
    ) -> Vec<String> {
        let (holds, states) = match answer.verdict {
            Verdict::Inconclusive(_) => return Vec::new(),
            ref verdict => (verdict.status() == Status::Holds, answer.statistics.system_states),
        };
        let nothing = {
            let watched = &self.watched[property];
            watched.labels.is_empty() && (watched.propositions.is_empty() || !holds)
        };
        // Of more states than are swept, nothing would be said.
        if nothing || states.is_some_and(|states| states > MAX_STATES as u64) {
            return Vec::new();
        }
        if self.swept.is_none() {
            self.swept = Some(sweep(model, &self.watched, engine));
        }
        match &self.swept {
            Some(Some(witnesses)) => said(&self.watched[property], &witnesses[property], holds),
            _ => Vec::new(),
        }
    }
}

fn watched(model: &Model, property: &Property) -> Watched {
    let mut watched = Watched::default();
    let Watcher::Formula { formulas, formula, .. } = &property.watcher else { return watched };
    if property.origin != Origin::Formula || property.mode != Mode::Always {
        return watched;
    }
    for (name, &expr) in property.names.iter().zip(&property.bound) {
        watched.propositions.push((name.clone(), expr));
        model.exprs.walk(expr, &mut |id, node| {
            if let Expr::At(remote) = node {
                let proctype = &model.proctype(remote.instance.proctype).name;
                watched.labels.push((format!("{proctype}@{}", remote.label), id));
            }
        });
    }
    for g in formulas.subformulas(*formula) {
        if let Node::Binary(Binary::Implies, left, _) = formulas.node(g)
            && is_boolean(formulas, *left)
        {
            watched.lefts.push((*left, g));
        }
    }
    watched.formulas = Some((**formulas).clone());
    watched.formula = Some(*formula);
    watched
}

fn is_boolean(formulas: &Formulas, f: Ltl) -> bool {
    formulas.subformulas(f).iter().all(|&g| match formulas.node(g) {
        Node::Next(_) | Node::Finally(_) | Node::Globally(_) => false,
        Node::Binary(op, ..) => matches!(op, Binary::Implies | Binary::Equiv | Binary::Xor),
        _ => true,
    })
}

/// Walks over all reachable states; None if there are too many of them, or of propositions in one
/// property.
fn sweep(model: &Model, watched: &[Watched], engine: &Engine) -> Option<Vec<Witness>> {
    let expressions = |watched: &Watched| {
        let all = watched.propositions.iter().chain(&watched.labels);
        all.map(|&(_, expr)| expr).collect::<Vec<_>>()
    };
    let mut witnesses = Vec::new();
    while witnesses.len() < watched.len() {
        // As many properties as the bits of a valuation can tell, in one walk.
        let rest = &watched[witnesses.len()..];
        let mut looked_at: Vec<ExprId> = Vec::new();
        let mut count = 0;
        for more in rest.iter().map(expressions) {
            if looked_at.len() + more.len() > Props::BITS as usize {
                break;
            }
            looked_at.extend(more);
            count += 1;
        }
        if count == 0 {
            return None;
        }
        witnesses.extend(sweep_states(model, &rest[..count], &looked_at, engine)?);
    }
    Some(witnesses)
}

/// None if there are too many states.
fn sweep_states(
    model: &Model,
    watched: &[Watched],
    looked_at: &[ExprId],
    engine: &Engine,
) -> Option<Vec<Witness>> {
    let started = Instant::now();
    let swept = with_room(model, |room| {
        let mut witnesses: Vec<Witness> = watched
            .iter()
            .map(|watched| Witness {
                propositions: vec![Seen::default(); watched.propositions.len()],
                labels: vec![Seen::default(); watched.labels.len()],
                lefts: vec![Seen::default(); watched.lefts.len()],
            })
            .collect();
        let steps = engine.steps(model, room.width, looked_at, false);
        let mut system = System::of_states(model, steps, true, |width| engine.tree(width))
            .remembering_steps(engine.remember())
            .watched_by(|_| started.elapsed() <= MAX_TIME);
        system.initial(&mut Vec::new())?;
        let mut walk = BreadthFirst::new();
        let (mut read, mut seen): (SystemId, HashSet<Valuation>) = (0, HashSet::new());
        while walk.is_in_level() || walk.begin_level(system.len()) {
            if system.len() > MAX_STATES {
                return Err(Stop::Limit(Limit::States));
            }
            let block = walk.expand(&mut system, |_| {
                read += 1;
                Ok(Some(read - 1))
            })?;
            for id in block {
                let valuation = system.valuation(id as SystemId)?;
                if valuation == NO_VALUATION || !seen.insert(valuation) {
                    continue;
                }
                let mut truth = system.truth(valuation);
                for (watched, witness) in watched.iter().zip(&mut witnesses) {
                    look(&mut truth, watched, witness);
                }
                if witnesses.iter().all(Witness::is_without_warnings) {
                    return Ok(witnesses);
                }
            }
        }
        Ok(witnesses)
    });
    swept.ok()
}

/// Looks at a state by the truth of what is looked at in it, the next expression first.
fn look(truth: &mut Props, watched: &Watched, witness: &mut Witness) {
    let mut letter = Letter::default();
    let mut next = || {
        let holds = *truth & 1 == 1;
        *truth >>= 1;
        holds
    };
    for (ap, seen) in witness.propositions.iter_mut().enumerate() {
        let holds = next();
        seen.note(holds);
        if holds {
            letter.set(ap as u32);
        }
    }
    witness.labels.iter_mut().for_each(|seen| seen.note(next()));
    if let Some(formulas) = &watched.formulas {
        for (at, &(left, _)) in watched.lefts.iter().enumerate() {
            let word = lariat_ltl::eval::Word { letters: vec![letter.clone()], loop_start: 0 };
            witness.lefts[at].note(lariat_ltl::eval::holds(formulas, left, &word));
        }
    }
}

fn said(watched: &Watched, witness: &Witness, holds: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    for ((name, _), seen) in watched.labels.iter().zip(&witness.labels) {
        let warning = format!("no process is ever at {name}");
        if !seen.yes && !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    let (Some(formulas), Some(formula)) = (&watched.formulas, watched.formula) else {
        return warnings;
    };
    if !holds {
        return warnings;
    }
    let printer = Printer::new(formulas).dialect(Dialect::Spin);
    for (&(left, whole), seen) in watched.lefts.iter().zip(&witness.lefts) {
        if !seen.yes {
            warnings.push(format!(
                "`{}` holds because `{}` is never true",
                printer.text(whole),
                printer.text(left)
            ));
        }
    }
    for (ap, ((name, _), seen)) in
        watched.propositions.iter().zip(&witness.propositions).enumerate()
    {
        let ap = ap as u32;
        let is_left = |&(left, _): &(Ltl, Ltl)| *formulas.node(left) == Node::Ap(ap);
        let is_known = is_claimed(formulas, formula, ap) || watched.lefts.iter().any(is_left);
        if seen.yes != seen.no && !is_known {
            let value = if seen.yes { "true" } else { "false" };
            warnings.push(format!("`{name}` is {value} in every state"));
        }
    }
    warnings
}

/// Whether the formula says no more than that this proposition never changes: `[] p`.
fn is_claimed(formulas: &Formulas, formula: Ltl, ap: u32) -> bool {
    let inner = match formulas.node(formula) {
        Node::Globally(inner) => *inner,
        Node::Not(inner) => match formulas.node(*inner) {
            Node::Finally(inner) => *inner,
            _ => return false,
        },
        _ => return false,
    };
    match formulas.node(inner) {
        Node::Ap(found) => *found == ap,
        Node::Not(inner) => matches!(formulas.node(*inner), Node::Ap(found) if *found == ap),
        _ => false,
    }
}

//! Searches over several workers that share nothing, for all questions of a command.
//!
//! Every worker asks the same questions, in the same order, with a [`Spread`] of its own, and is given the same answers: a search that can be spread begins with all of them agreeing on which question it is.
//! A run that was found is known to all of them: each replays it.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lariat_core::{Acceptance, Automaton, Broken, Exchange, Limit, Props};
use lariat_model::interp::Fault;
use lariat_model::ir::{ExprId, Model};
use lariat_search::product::shared::{SharedProduct, Way};
use lariat_search::safety::{Exploration, ExploreOptions, Order, Sharing};
use lariat_search::spread::{
    self, Ending, Explored, Keeping, LONGER, Pace, ROUNDS, Resumed, Saved, Sent, SpreadOutcome,
    Spreading,
};
use lariat_system::{Progress, Room, Stop};

use crate::engine::Engine;
use crate::error::Error;
use crate::fingerprint;
use crate::property::product::{ProductCheck, ProductResult, Searched, explain, told};
use crate::property::search::Found;

/// A worker's way to the others.
#[derive(Clone)]
pub struct Spread {
    link: Arc<Mutex<Link>>,
    pace: Pace,
}

struct Link {
    exchange: Box<dyn Exchange + Send>,
    /// Questions so far.
    questions: u64,
    /// Why there is no answer, once there is none.
    failed: Option<Error>,
    sent: Sent,
    was_free: bool,
    keeping: Option<Keeping>,
    /// What questions that are still to be asked go on with.
    resumed: Vec<Resumed>,
    /// The last checkpoint of a search without an answer.
    saved: Option<Saved>,
    /// The question at hand had gone on with a checkpoint that was given up.
    has_begun_anew: bool,
}

impl fmt::Debug for Spread {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Spread {{ pace: {:?} }}", self.pace)
    }
}

impl Spread {
    /// By levels or not.
    pub fn new(exchange: impl Exchange + Send + 'static, pace: Pace) -> Self {
        let exchange: Box<dyn Exchange + Send> = Box::new(exchange);
        let (sent, resumed) = (Sent::default(), Vec::new());
        let link = Link {
            exchange,
            questions: 0,
            failed: None,
            sent,
            was_free: false,
            keeping: None,
            resumed,
            saved: None,
            has_begun_anew: false,
        };
        Spread { link: Arc::new(Mutex::new(link)), pace }
    }

    /// Searches are saved, and go on with what was saved of them.
    pub fn keeping(self, keeping: Option<Keeping>, resumed: Vec<Resumed>) -> Self {
        let mut link = self.lock();
        (link.keeping, link.resumed) = (keeping, resumed);
        drop(link);
        self
    }

    /// What checkpoints are about that no question has gone on with so far.
    pub fn not_resumed(&self) -> Vec<String> {
        self.lock().resumed.iter().map(|resumed| resumed.question().to_owned()).collect()
    }

    /// A warning if what the last question had gone on with was given up. Said once.
    pub fn warning(&self) -> Option<String> {
        let has_begun_anew = std::mem::take(&mut self.lock().has_begun_anew);
        let why = "the checkpoint was given up: states have become too wide for it, and the search has begun anew";
        has_begun_anew.then(|| why.to_owned())
    }

    /// What was saved of the last search that has ended without an answer.
    pub fn saved(&self) -> Option<Saved> {
        self.lock().saved.clone()
    }

    /// What is asked of the checkpoint that a question goes on with, if it does.
    fn of_resumed<T>(&self, key: u64, ask: impl FnOnce(&Resumed) -> T) -> Option<T> {
        self.lock().resumed.iter().find(|resumed| resumed.is_of(key)).map(ask)
    }

    /// Nothing is half done when it is in use.
    fn lock(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What this worker has sent so far.
    pub fn sent(&self) -> Sent {
        self.lock().sent
    }

    /// Whether no search goes by levels.
    pub fn is_free(&self) -> bool {
        self.pace == Pace::Free
    }

    /// Whether the last search was not gone through by levels to the end: nobody knows how deep it was.
    pub fn was_free(&self) -> bool {
        self.lock().was_free
    }

    /// Why there is no answer, if a search has failed.
    pub fn failure(&self) -> Option<Error> {
        self.lock().failed.take()
    }

    /// A search, with the number of its question.
    fn with<T>(
        &self,
        (key, name): (u64, &str),
        after: u64,
        search: impl FnOnce(&mut Spreading<'_>) -> Result<T, Broken>,
    ) -> Option<T> {
        let mut link = self.lock();
        let link = &mut *link;
        link.questions += 1;
        let resumed = link.resumed.iter().position(|resumed| resumed.is_of(key));
        let mut spreading = Spreading {
            exchange: &mut *link.exchange,
            after,
            pace: self.pace,
            number: link.questions,
            question: key,
            name: name.to_owned(),
            keeping: link.keeping.clone(),
            resumed: resumed.map(|at| link.resumed.swap_remove(at)),
            saved: None,
            sent: link.sent,
            was_free: false,
            has_begun_anew: false,
        };
        let found = search(&mut spreading);
        (link.sent, link.was_free) = (spreading.sent, spreading.was_free);
        link.has_begun_anew |= spreading.has_begun_anew;
        link.saved = spreading.saved.or(link.saved.take());
        match found {
            Ok(found) => Some(found),
            Err(broken) => {
                link.failed = Some(Error::Broken(broken.what));
                None
            }
        }
    }

    /// Explores everything that can be reached. If there is no answer, [`Spread::failure`] says why.
    pub(crate) fn explore(
        &self,
        engine: &Engine,
        model: &Model,
        options: &ExploreOptions,
        after: u64,
    ) -> Result<Exploration, Vec<Fault>> {
        let conditions: Vec<ExprId> = options.conditions.iter().map(|found| found.expr).collect();
        // Machines have not all the same memory.
        let asked = ExploreOptions { max_memory: None, ..options.clone() };
        let key = key(&(fingerprint::of(model), format!("{asked:?}")));
        let name = if options.stop_at_error { "safety" } else { "all states" };
        let nothing = || Exploration { limit: Some(Limit::Interrupted), ..Exploration::default() };
        let explored = self.with((key, name), after, |spreading| {
            let steps = |width| engine.steps(model, width, &conditions, false);
            spread::explore_spread(model, options, spreading, steps, |width| engine.tree(width))
        });
        match explored {
            Some(Explored::Done(found)) => *found,
            Some(Explored::Unfit(why)) => {
                self.lock().failed = Some(unfit(why));
                Ok(nothing())
            }
            None => Ok(nothing()),
        }
    }
}

/// A question as a number.
fn key(question: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    question.hash(&mut hasher);
    hasher.finish()
}

/// Whether a search of states can be spread.
pub(crate) fn suits(model: &Model, options: &ExploreOptions) -> bool {
    let is_whole = options.hidden_is_state || model.hidden_size == 0;
    let is_limited = options.max_depth.is_some() || options.max_states.is_some();
    options.order == Order::BreadthFirst && is_whole && !is_limited && !options.explains_reduction
}

fn unfit(why: &str) -> Error {
    Error::Refused(format!("several processes cannot search this: {why}"))
}

impl ProductCheck<'_> {
    /// With numbers at first, then over all workers without. If packed states have not enough bits, whoever has seen more
    /// states before knows better how many are needed.
    pub(crate) fn run_spread<A: Automaton + Sync>(
        &self,
        automaton: &A,
        by: Acceptance,
        room: Room,
        spread: &Spread,
    ) -> Result<Result<ProductResult, Error>, Stop> {
        let sharing = self.sharing().zip(self.way(usize::MAX, true));
        let Some((Sharing { after, .. }, way)) = sharing else {
            return Ok(Err(unfit("this check needs the numbers of states")));
        };
        let key = key(&(
            fingerprint::of(self.model),
            &self.task.property.name,
            &self.task.property.text,
            format!("{way:?} {:?} {by:?}", self.task.fair),
        ));
        let before = spread.of_resumed(key, |it| (it.wider_than(room), it.after()));
        let (wider, least) = before.unwrap_or((None, 0));
        if let Some(room) = wider {
            return Err(Stop::Widen(room));
        }
        for round in 0..=ROUNDS {
            let after = after.saturating_mul(LONGER.pow(round));
            if after < least {
                continue;
            }
            if let Some(result) =
                self.spread_after(automaton, by, room, (spread, key), (way, after))?
            {
                return Ok(result);
            }
        }
        Ok(Err(unfit("its states, with what the check keeps of them, do not fit into 64 bits")))
    }

    /// None if there are not enough bits.
    fn spread_after<A: Automaton + Sync>(
        &self,
        automaton: &A,
        by: Acceptance,
        room: Room,
        (spread, key): (&Spread, u64),
        (way, after): (Way, u64),
    ) -> Result<Option<Result<ProductResult, Error>>, Stop> {
        let engine = &self.task.config.engine;
        let question = (key, self.task.property.name.as_str());
        let tree = |width| engine.tree(width);
        let failed = || spread.failure().unwrap_or_else(|| unfit("the search was cut"));
        let (steps, tree) = match self.run_with(automaton, by, tree, room, Some(after))? {
            Searched::Done(result) => {
                let stopped = match &result {
                    Ok(ProductResult { found: Found::Inconclusive(why), .. }) => {
                        why.limit.ends_search().then_some(Stop::Limit(why.limit))
                    }
                    _ => None,
                };
                let settled = spread.with(question, after, |it| spread::settle(it, stopped));
                return match settled {
                    Some(None) => Ok(Some(result)),
                    Some(Some(ending)) => self.ended(ending),
                    None => Ok(Some(Err(failed()))),
                };
            }
            Searched::Open(system, _) => {
                let (steps, tree, _) = system.into_parts();
                (steps, tree)
            }
        };
        let config = self.task.config;
        let watch = &mut |_: Progress| true;
        let labels = &self.labels;
        let matters = |undefined: Props, truth: Props| {
            labels.iter().any(|label| label.depends_on(undefined, truth))
        };
        let product = SharedProduct {
            model: self.model,
            automaton,
            propositions: &self.propositions,
            matters: &matters,
            evaluates_all: config.switches.no_remembered_propositions,
            finite_runs: self.task.finite_runs,
            limit: config.limits.memory,
            remember: engine.remember(),
            // Nothing is left out by workers that share nothing.
            sets: &|| None,
            watch: Mutex::new(watch),
            expanded: Default::default(),
        };
        let outcome = spread.with(question, after, |spreading| {
            let detects_early = !config.switches.no_map;
            spread::check_spread(&product, (way, detects_early), tree, (steps, room), spreading)
        });
        let Some(outcome) = outcome else { return Ok(Some(Err(failed()))) };
        let SpreadOutcome { verdict, lasso, stopped, stats, system_states, dead_end } = outcome;
        let result = |found| {
            let (stays_inside, lasso, report) = (false, None, None);
            ProductResult { found, stays_inside, system_states, stats, lasso, report }
        };
        if let Some(lasso) = lasso {
            let rest = result(Found::None);
            return self.replayed((automaton, by), room, &lasso, rest).map(Some);
        }
        Ok(Some(match (verdict, stopped, dead_end) {
            (_, Some(ending), _) => return self.ended(ending),
            // There is no verdict without a run.
            (None, None, _) => Ok(result(Found::Inconclusive(Limit::Interrupted.into()))),
            (_, None, Some(Some(fault))) => {
                Ok(result(Found::Inconclusive(told(self.model, fault))))
            }
            (_, None, Some(None)) => Ok(result(Found::Inconclusive(Limit::Fault.into()))),
            (Some(_), None, None) => Ok(result(Found::None)),
        }))
    }

    /// Nobody has seen everything.
    fn ended(&self, ending: Ending) -> Result<Option<Result<ProductResult, Error>>, Stop> {
        let found = match ending {
            Ending::Widen(room) => return Err(Stop::Widen(room)),
            Ending::Unfit => return Ok(None),
            Ending::Limit(limit) => Found::Inconclusive(explain(limit)),
            Ending::Fault(Some(fault)) => Found::Inconclusive(told(self.model, fault)),
            Ending::Fault(None) => Found::Inconclusive(Limit::Fault.into()),
        };
        let (stays_inside, lasso, report) = (false, None, None);
        let (stats, system_states) = (Default::default(), 0);
        let result = ProductResult { found, stays_inside, system_states, stats, lasso, report };
        Ok(Some(Ok(result)))
    }
}

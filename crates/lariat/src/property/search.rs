//! The product of a model and a property, and the check that runs on it.

use lariat_automata::{classify, compile};
use lariat_checks::{Algorithm, Plan, Setup, dispatch};
use lariat_core::lasso::Acceptance;
use lariat_core::{
    Automaton, Cursor, Flat, FlatArena, Lasso, Props, Reason, StateSpace, Stats, Successors,
    SystemStore, Verdict, Word,
};
use lariat_model::interp::ModelSpace;
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{ExprId, Model};
use lariat_search::shared_product::{FiniteRuns, SharedProduct};
use lariat_search::shortest::{Budget, shorten};
use lariat_store::Exact;

use super::formula::{Property, Watcher};
use super::run::{self, ModelRun};

/// What was found.
pub(crate) enum Found {
    /// No run is as looked for.
    None,
    Run(ModelRun),
    Inconclusive(String),
}

pub(crate) struct Answer {
    pub(crate) found: Found,
    pub(crate) algorithm: Algorithm,
    pub(crate) why: String,
    /// States of the property automaton.
    pub(crate) automaton_states: usize,
    /// Distinct states of the system.
    pub(crate) system_states: usize,
    pub(crate) stats: Stats,
}

/// Looks at the clock, the memory and Ctrl-C; a reason ends the search.
pub(crate) type Guard<'a> = dyn FnMut() -> Option<String> + 'a;

/// Searches the product. Errors are messages for the user.
pub(crate) fn search(
    model: &Model,
    property: &Property,
    setup: &Setup,
    finite_runs: FiniteRuns,
    guard: &mut Guard<'_>,
) -> Result<Answer, String> {
    match &property.watcher {
        Watcher::Formula { automaton, .. } => {
            let Plan { algorithm, why, automaton: fitting, .. } = dispatch::plan(automaton, setup)?;
            setup.fits(algorithm)?;
            let tgba = fitting.as_ref().unwrap_or(&**automaton);
            let compiled = compile(tgba).map_err(|error| format!("{}: {error}", property.name))?;
            let of = |ap: &String| property.names.iter().position(|name| name == ap);
            let propositions = tgba.aps.iter().filter_map(of).map(|ap| property.bound[ap]);
            let by = match classify::is_buchi_by_states(tgba) {
                true => Acceptance::States,
                false => Acceptance::Edges,
            };
            let (propositions, states) = (propositions.collect(), tgba.state_count());
            let search = Search {
                model,
                property,
                setup,
                finite_runs,
                algorithm,
                why,
                propositions,
                states,
            };
            search.run(&compiled, by, guard)
        }
        Watcher::Claim(claim) => {
            let (algorithm, why) = match setup.algorithm {
                Algorithm::Auto => (Algorithm::Dijkstra, "any claim"),
                Algorithm::Sd | Algorithm::Reach => {
                    return Err("sd and reach are not for never claims".to_owned());
                }
                asked => (asked, "as asked"),
            };
            setup.fits(algorithm)?;
            let (propositions, why) = (property.bound.clone(), why.to_owned());
            let states = claim.state_count();
            let search = Search {
                model,
                property,
                setup,
                finite_runs,
                algorithm,
                why,
                propositions,
                states,
            };
            search.run(claim, Acceptance::States, guard)
        }
    }
}

/// What is to be done with an automaton at hand.
struct Search<'a> {
    model: &'a Model,
    property: &'a Property,
    setup: &'a Setup,
    finite_runs: FiniteRuns,
    algorithm: Algorithm,
    why: String,
    /// What the bits of the automaton's propositions mean.
    propositions: Vec<ExprId>,
    /// States of the automaton.
    states: usize,
}

impl Search<'_> {
    fn run<A: Automaton>(
        self,
        automaton: &A,
        by: Acceptance,
        guard: &mut Guard<'_>,
    ) -> Result<Answer, String> {
        let Search { model, setup, algorithm, .. } = self;
        let mut width = ModelSpace::minimal_width(model);
        loop {
            let mut space = ModelSpace::new(model, width, self.propositions.clone());
            // A faulty step of a DVE model leads to a state in which nothing has a meaning.
            if model.discipline != Discipline::Spin {
                space = space.stop_at_fault();
            }
            let mut space = Watched { space, guard, since: 0, stop: None };
            let mut system = Exact::new(FlatArena::new(width));
            let mut product =
                SharedProduct::new(&mut space, automaton, &mut system, self.finite_runs);
            let outcome = dispatch::check_product(&mut product, algorithm, setup);
            let lasso = match &outcome.verdict {
                Verdict::Accepting(lasso) => Some(checked(&mut product, lasso, by, setup)?),
                _ => None,
            };
            let rows = lasso.map(|lasso| run::system_rows(&mut product, &lasso));
            if space.space.wanted_width() > width {
                // A state did not fit: once more with wider rows.
                width = space.space.wanted_width();
                continue;
            }
            let found = match (outcome.verdict, rows) {
                (_, Some(rows)) => Found::Run(run::execution(model, self.property, &rows)?),
                (Verdict::Inconclusive(reason), _) => {
                    let stopped = space.stop.take().or_else(|| fault(model, &space.space));
                    Found::Inconclusive(stopped.unwrap_or_else(|| explain(reason).to_owned()))
                }
                _ => Found::None,
            };
            return Ok(Answer {
                found,
                algorithm,
                why: self.why,
                automaton_states: self.states,
                system_states: system.len(),
                stats: outcome.stats,
            });
        }
    }
}

/// The lasso, replayed on the product, shorter if that was asked for.
fn checked<M, A, S>(
    product: &mut SharedProduct<'_, M, A, S>,
    lasso: &Lasso,
    by: Acceptance,
    setup: &Setup,
) -> Result<Lasso, String>
where
    M: StateSpace<Batch = Flat>,
    A: Automaton,
    S: SystemStore<Row = [Word]>,
{
    let wrong = |error| format!("internal error: the check found no true run: {error}");
    if setup.shortest {
        let store = &mut Exact::new(Vec::new());
        return shorten(product, store, lasso, by, Budget::default()).map_err(wrong);
    }
    lasso.verify(product, by).map_err(wrong)?;
    Ok(lasso.clone())
}

/// The fault at which a search was stopped.
fn fault(model: &Model, space: &ModelSpace<'_>) -> Option<String> {
    let fault = space.stopping_fault().filter(|_| model.discipline != Discipline::Spin)?;
    let place = model.sources.location(fault.span);
    let place = place.map_or(String::new(), |place| format!(" at {place}"));
    Some(format!("run-time error: {}{place}; what follows it has no meaning", fault.kind))
}

pub(crate) fn explain(reason: Reason) -> &'static str {
    match reason {
        Reason::DepthLimit => "the depth limit was reached",
        Reason::Interrupted => "the search was interrupted",
        Reason::Lossy => "no counterexample found, but the store is lossy: this proves nothing",
    }
}

/// How many states are expanded between two looks at the guard.
const INTERVAL: u32 = 1024;

/// A model's state space that asks a guard now and then whether to go on.
struct Watched<'m, 'g, 'h> {
    space: ModelSpace<'m>,
    guard: &'g mut Guard<'h>,
    since: u32,
    stop: Option<String>,
}

impl Successors for Watched<'_, '_, '_> {
    type Batch = Flat;

    fn batch(&self, room: usize) -> Flat {
        self.space.batch(room)
    }

    fn initial(&mut self, out: &mut Flat) {
        self.space.initial(out);
    }

    fn expand(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        self.since += 1;
        if self.since >= INTERVAL {
            self.since = 0;
            self.stop = (self.guard)();
        }
        self.space.expand(src, at, out);
    }

    fn interrupted(&self) -> bool {
        self.stop.is_some() || self.space.interrupted()
    }
}

impl StateSpace for Watched<'_, '_, '_> {
    fn props(&mut self, state: &[Word]) -> Props {
        self.space.props(state)
    }
}

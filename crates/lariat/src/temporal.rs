//! One formula: from its automaton to a run that the judge has confirmed.

use crate::fairness::Fairness;
use crate::formula::{Ltl, Tests};
use crate::graph::ModelGraph;
use crate::judge;
use crate::model::Model;
use crate::panics::caught;
use crate::rows::Trouble;
use crate::run::{self, Run};
use crate::verdict::Reason;
use lariat_automata::{Tgba, classify, compile};
use lariat_checks::{Algorithm, Order, Orders, Plan, Setup, check_strong, check_usual, choose};
use lariat_core::{
    Acceptance, Automaton, Emptiness, Fixed, Graph, Lasso, Marks, Outcome, SystemId, stop,
};
use lariat_ltl::Formulas;
use lariat_ltl::translate::translate;
use lariat_search::product::{FiniteRuns, Product};
use lariat_search::shortest::{Budget, shorten};
use lariat_store::Exact;
use lariat_system::{Stop, SystemGraph};

/// What a search for one formula says.
pub(crate) struct Searched<M: Model> {
    /// A run that violates it, or none.
    pub(crate) found: Result<Option<Run<M>>, Reason>,
    /// States and steps of the products.
    pub(crate) product_states: u64,
    pub(crate) transitions: u64,
}

/// Looks for a fair run that violates the formula. `is_new`: the graph has no states yet.
pub(crate) fn search<'m, M: Model>(
    model: &M,
    graph: &mut ModelGraph<'m, M>,
    claim: &Ltl<'m, M::State>,
    fairness: &Fairness<'m, M::Action>,
) -> Searched<M> {
    let mut searched = Searched { found: Ok(None), product_states: 0, transitions: 0 };
    searched.found = find(model, graph, claim, fairness, &mut searched);
    searched
}

fn find<'m, M: Model>(
    model: &M,
    graph: &mut ModelGraph<'m, M>,
    claim: &Ltl<'m, M::State>,
    fairness: &Fairness<'m, M::Action>,
    searched: &mut Searched<M>,
) -> Result<Option<Run<M>>, Reason> {
    let (mut formulas, mut tests) = (Formulas::new(), Tests(Vec::new()));
    let formula = claim.lower(&mut formulas, &mut tests).map_err(Reason::Refused)?;
    let wanted = formulas.not(formula);
    let watcher =
        translate(&mut formulas, wanted).map_err(|why| Reason::Refused(why.to_string()))?;
    let depth_limit =
        usize::try_from(graph.limits().depth).ok().filter(|&depth| depth < usize::MAX);
    let setup = Setup { depth_limit: depth_limit.map(|depth| depth + 1), ..Setup::default() };
    let plans = match fairness.is_strong() {
        true => vec![(Algorithm::Auto, None)],
        false => {
            let choice = choose(&watcher, &setup, !fairness.is_empty(), false);
            let plans = choice.map_err(Reason::Refused)?.plans.into_iter();
            plans.map(|Plan { algorithm, automaton, .. }| (algorithm, automaton)).collect()
        }
    };
    for (algorithm, part) in plans {
        let tgba = part.as_ref().unwrap_or(&watcher);
        enough_marks(tgba, fairness)?;
        let compiled = compile(tgba).map_err(|error| Reason::Refused(error.to_string()))?;
        let is_by_states = classify::is_buchi_by_states(tgba) && fairness.is_empty();
        let task = Task {
            automaton: &compiled,
            algorithm,
            setup: &setup,
            by: if is_by_states { Acceptance::States } else { Acceptance::Edges },
            fairness: Condition {
                is_fair: !fairness.is_empty(),
                strong: fairness.is_strong().then(|| fairness.condition(tgba.mark_count)),
            },
        };
        let named = tgba.aps.iter().map(|name| tests.get(name).cloned());
        let propositions: Option<Vec<_>> = named.collect();
        let propositions = propositions.ok_or_else(|| unknown_name(tgba))?;
        let ids = loop {
            let watching = graph.watch_runs(propositions.clone(), fairness.marks());
            watching.map_err(|stop| reason(graph, stop))?;
            let (found, stats) = task.run(graph);
            searched.product_states += stats.states;
            searched.transitions += stats.transitions;
            match found {
                Err(Stop::Widen(_)) => graph.prepare().map_err(|stop| reason(graph, stop))?,
                Err(stop) => return Err(reason(graph, stop)),
                Ok(found) => break found.map_err(Reason::Internal)?,
            }
        };
        if let Some((ids, back_to)) = ids {
            let path: Vec<M::State> = ids.iter().map(|&id| graph.state(id).clone()).collect();
            let judged = caught(|| -> Result<Run<M>, String> {
                let run = run::along(model, &path, Some(back_to), fairness)?;
                judge::is_run(model, &run)?;
                judge::is_fair(model, &run, fairness)?;
                judge::violates(&formulas, formula, &tests, &run)?;
                Ok(run)
            });
            let judged = judged.map_err(Reason::Panic)?;
            return judged.map(Some).map_err(Reason::Internal);
        }
    }
    Ok(None)
}

/// Why a search has ended.
pub(crate) fn reason<M: Model>(graph: &ModelGraph<'_, M>, stop: Stop) -> Reason {
    match &graph.trouble {
        Some((Trouble::Panic(text), _)) => Reason::Panic(text.clone()),
        Some((Trouble::Broken(what), _)) => Reason::Broken(what.clone()),
        _ => Reason::Limit(stop.limit()),
    }
}

fn unknown_name(tgba: &Tgba) -> Reason {
    Reason::Internal(format!("the automaton has propositions of its own: {:?}", tgba.aps))
}

fn enough_marks<A>(tgba: &Tgba, fairness: &Fairness<'_, A>) -> Result<(), Reason> {
    let (of_automaton, marks) = (tgba.mark_count, fairness.marks());
    match of_automaton + marks <= Marks::MAX {
        true => Ok(()),
        false => Err(Reason::Refused(format!(
            "too many fairness conditions: there are {} marks, the formula takes {of_automaton} of \
             them, each weak condition one and each strong one two; these are {marks}",
            Marks::MAX
        ))),
    }
}

/// One check on the product.
struct Task<'a, A> {
    automaton: &'a A,
    algorithm: Algorithm,
    setup: &'a Setup,
    by: Acceptance,
    fairness: Condition,
}

struct Condition {
    is_fair: bool,
    /// If some of it is strong.
    strong: Option<lariat_search::emptiness::streett::Condition>,
}

/// The states along a lasso, and where its loop begins. An error is one of lariat.
type Found = Result<Option<(Vec<SystemId>, usize)>, String>;

impl<A: Automaton> Task<'_, A> {
    fn run(&self, mut graph: &mut dyn SystemGraph) -> (Result<Found, Stop>, lariat_core::Stats) {
        // The graph itself rests where the system does.
        let mut product = Product::new(&mut graph, self.automaton, FiniteRuns::Ignore);
        let Outcome { verdict, stats } = match &self.fairness.strong {
            Some(condition) => check_strong(&mut product, condition, self.setup),
            None => {
                let order = Order::default();
                let is_fair = self.fairness.is_fair;
                let orders =
                    Orders::of(self.setup, order, is_fair, self.automaton, self.algorithm, usual);
                orders.check(&mut product, None, |_| {})
            }
        };
        let found = match verdict {
            Emptiness::Found(lasso) => {
                let lasso = stop::undisturbed(|| self.checked(&mut product, &lasso));
                match (lasso, product.why_stopped()) {
                    (Ok(lasso), _) => Ok(Ok(Some(ids(&lasso)))),
                    (Err(_), Some(stop @ Stop::Widen(_))) => Err(stop),
                    (Err(what), _) => Ok(Err(what)),
                }
            }
            Emptiness::Inconclusive(limit) => {
                Err(product.why_stopped().unwrap_or(Stop::Limit(limit)))
            }
            Emptiness::Empty { .. } => match product.why_stopped() {
                Some(stop) => Err(stop),
                None => Ok(Ok(None)),
            },
        };
        (found, stats)
    }

    /// The lasso, replayed on the product, and shorter if that is easy.
    fn checked<G: Graph<Batch = Fixed<2>>>(
        &self,
        product: &mut G,
        lasso: &Lasso,
    ) -> Result<Lasso, String> {
        let wrong = |error| format!("in the product, {error}");
        if let Some(condition) = &self.fairness.strong {
            let (marks, _) = lasso.replay(product).map_err(wrong)?;
            return match condition.holds(marks) {
                true => Ok(lasso.clone()),
                false => Err("in the product, it is not fair".to_owned()),
            };
        }
        let store = &mut Exact::new(Vec::new());
        match shorten(product, store, lasso, self.by, BUDGET) {
            // Cut by a limit: the run is as long as it was found.
            _ if product.stopped().is_some() => Ok(lasso.clone()),
            shorter => shorter.map_err(wrong),
        }
    }
}

/// What may be spent on a shorter run.
const BUDGET: Budget = Budget { states: 100_000, steps: 10_000_000 };

fn usual(graph: &mut dyn Graph<Batch = Fixed<2>>, algorithm: Algorithm, setup: &Setup) -> Outcome {
    check_usual(graph, algorithm, setup).expect("nothing else is asked for")
}

fn ids(lasso: &Lasso) -> (Vec<SystemId>, usize) {
    let states = lasso.prefix.iter().chain(lasso.cycle.iter());
    (states.map(|state| SystemId::from(state[0])).collect(), lasso.prefix.len())
}

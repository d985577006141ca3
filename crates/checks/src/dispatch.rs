//! From names to code: check × store × switches, each combination compiled once, for one type of graphs.

use crate::algorithm::{Algorithm, Store};
use crate::erased::Erased;
use crate::plan::{Plan, plan};
use crate::setup::{CheckSwitches, Setup};
use crate::usual::check_usual;
use lariat_automata::{ExplicitGraph, StateId, Tgba};
use lariat_core::{
    Acceptance, Arena, Emptiness, Fixed, Flat, FlatArena, Full, Graph, Lasso, Limit, Outcome,
    RowOf, Run, Stats, Word, conclude,
};
use lariat_search::emptiness::{nested, non_progress, scc, terminal, weak};
use lariat_search::shortest::{Budget, shorten};
use lariat_store::live::{
    BitDead, CacheDead, Dead, Eager, ExactDead, InPlace, Lazy, PrintDead, UnionInPlace, UnionSplit,
};
use lariat_store::{Bits, Bitstate, BitstateOptions, Cache, Closed, Evicting, Exact};

/// The outcome for one automaton, the check that ran, and why that one.
pub struct Checked {
    pub outcome: Outcome,
    pub algorithm: Algorithm,
    pub why: String,
}

/// Runs the check that `setup` asks for on one explicit automaton. The lasso, if there is
/// one, is a run of `tgba` and was replayed on it.
///
/// # Panics
/// If the run that was found is none: an error of the check.
pub fn check_automaton(tgba: &Tgba, setup: &Setup) -> Result<Checked, String> {
    let Plan { algorithm, why, automaton, origins } = plan(tgba, setup)?;
    setup.fits(algorithm)?;
    let mut graph = ExplicitGraph::new(automaton.as_ref().unwrap_or(tgba)).widened::<2>();
    let graph = &mut Erased(&mut graph);
    let mut outcome = match setup.store {
        Store::Exact => exact(graph, algorithm, setup),
        _ => bounded(graph, Vec::new, algorithm, setup),
    };
    if let Emptiness::Found(lasso) = &mut outcome.verdict {
        *lasso = at_origins(lasso, origins.as_deref());
        let mut graph = ExplicitGraph::new(tgba);
        let (by, budget) = (Acceptance::Edges, Budget::default());
        let replayed = if setup.shortest {
            let store = &mut Exact::new(Vec::new());
            shorten(&mut graph, store, lasso, by, budget).map(|shorter| *lasso = shorter)
        } else {
            lasso.verify(&mut graph, by)
        };
        // An error of lariat, never of the input.
        replayed.unwrap_or_else(|error| panic!("{} found no true run: {error}", algorithm.name()));
    }
    Ok(Checked { outcome, algorithm, why })
}

/// The lasso in the rows of the given automaton, one word each.
fn at_origins(lasso: &Lasso, origins: Option<&[StateId]>) -> Lasso {
    let origin = |run: &Run| {
        let mut mapped = Run::new(1);
        let state = |row: &[Word]| origins.map_or(row[0], |origins| origins[row[0] as usize]);
        run.iter().for_each(|row| mapped.push(&[state(row)]));
        mapped
    };
    Lasso { prefix: origin(&lasso.prefix), cycle: origin(&lasso.cycle) }
}

/// Runs a check on a product, with an exact store: its rows are the id of a system state and an automaton
/// state.
pub fn check_product(
    graph: &mut dyn Graph<Batch = Fixed<2>>,
    algorithm: Algorithm,
    setup: &Setup,
) -> Outcome {
    check_usual(graph, algorithm, setup)
        .unwrap_or_else(|| exact(&mut Erased(graph), algorithm, setup))
}

/// Runs a check on a product of whole rows, in bounded memory: nothing but the store keeps states.
pub fn check_rows(
    graph: &mut dyn Graph<Batch = Flat>,
    width: usize,
    algorithm: Algorithm,
    setup: &Setup,
) -> Outcome {
    bounded(&mut Erased(graph), || FlatArena::new(width), algorithm, setup)
}

/// There is no memory for the store.
fn no_memory() -> Outcome {
    Outcome { verdict: conclude(None, Some(Limit::Memory), true), stats: Stats::default() }
}

/// Looks for a run without progress by HPY Fig. 5: `graph` says *accepting* of a state
/// without progress.
pub fn check_non_progress(graph: &mut dyn Graph<Batch = Fixed<2>>, setup: &Setup) -> Outcome {
    let graph = &mut Erased(graph);
    let options = setup.options();
    let progress = |graph: &Erased<'_, Fixed<2>>, state: &[Word; 2]| !graph.accepting(state);
    non_progress::check(graph, progress, &mut Exact::new(Vec::new()), options)
}

/// Keeps all states, each whole.
fn exact(graph: &mut Erased<'_, Fixed<2>>, algorithm: Algorithm, setup: &Setup) -> Outcome {
    let options = setup.options();
    let rows = Vec::new;
    let CheckSwitches { dead_store, lazy_dead, .. } = setup.switches;
    let dead = || ExactDead::new(rows());
    // A search by component: closed states in the same table, apart, or apart when needed.
    macro_rules! live {
        ($check:path $(, $more:expr)*) => {
            if lazy_dead {
                $check(graph, &mut Lazy::new(rows(), rows(), dead()), options $(, $more)*)
            } else if dead_store {
                $check(graph, &mut Eager::new(rows(), rows(), dead()), options $(, $more)*)
            } else {
                $check(graph, &mut InPlace::new(rows()), options $(, $more)*)
            }
        };
    }
    match algorithm {
        Algorithm::Cvwy => nested::cvwy::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Hpy => nested::hpy::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Gmz => nested::gmz::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Se => nested::se::check(graph, &mut Exact::new(rows()), options),
        Algorithm::And => nested::and::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Sd => weak::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Reach => terminal::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Tauriainen => nested::tauriainen::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Tarjan => live!(scc::tarjan::check),
        Algorithm::Gv => live!(scc::gv::check),
        Algorithm::C99 => {
            let store = &mut Exact::new(rows()).at_most(scc::couvreur99::MOST_STATES);
            scc::couvreur99::check(graph, store, options, Acceptance::Edges)
        }
        Algorithm::Ascc => live!(scc::ascc::check, Acceptance::Edges),
        Algorithm::TarjanTgba => live!(scc::tarjan_tgba::check),
        Algorithm::Auto | Algorithm::Dijkstra => live!(scc::dijkstra_tgba::check, setup.roots()),
        Algorithm::Gabow if dead_store || lazy_dead => {
            let store = &mut UnionSplit::new(rows(), rows(), dead());
            scc::gabow_tgba::check(graph, store, options, setup.roots())
        }
        Algorithm::Gabow => {
            let store = &mut UnionInPlace::new(rows());
            scc::gabow_tgba::check(graph, store, options, setup.roots())
        }
    }
}

/// Forgets closed states, or keeps some bits of each. It is compiled for two types of graphs; `rows` makes
/// empty arenas for their rows.
fn bounded<G, A>(
    graph: &mut G,
    rows: impl Fn() -> A,
    algorithm: Algorithm,
    setup: &Setup,
) -> Outcome
where
    G: Graph,
    A: Arena<Row = RowOf<G::Batch>> + Clone,
{
    let options = setup.options();
    let room = setup.cache_states();
    let BitstateOptions { log_bits, functions, seed } = setup.bitstate();
    let bits = |each| Bits::try_side_by_side(each, log_bits, functions, seed);

    let closed = |each| -> Result<Box<dyn Closed>, Full> {
        Ok(match setup.store {
            Store::HashCompact => Box::new(setup.prints()),
            _ => Box::new(bits(each)?),
        })
    };
    // A nested search that takes one state for another at times.
    macro_rules! lossy {
        ($check:path) => {
            match Bitstate::try_over(rows(), closed) {
                Ok(mut store) => $check(graph, &mut store, options),
                Err(Full) => no_memory(),
            }
        };
    }
    // One that may also meet states again that were forgotten.
    macro_rules! tagged {
        ($check:path) => {
            match setup.store {
                Store::Cache => $check(graph, &mut Cache::new(rows(), room), options),
                _ => lossy!($check),
            }
        };
    }
    let dead = || -> Result<Box<dyn Dead<Row = A::Row> + '_>, Full> {
        Ok(match setup.store {
            Store::HashCompact => Box::new(PrintDead::new(setup.prints())),
            Store::Cache => Box::new(CacheDead::new(Evicting::new(rows(), room))),
            _ => Box::new(BitDead::new(bits(1)?)),
        })
    };
    // A search by component: closed states apart, at once or when needed.
    macro_rules! live {
        ($check:path $(, $more:expr)*) => {
            match dead() {
                Err(Full) => no_memory(),
                Ok(dead) if setup.switches.lazy_dead => {
                    $check(graph, &mut Lazy::new(rows(), rows(), dead), options $(, $more)*)
                }
                Ok(dead) => $check(graph, &mut Eager::new(rows(), rows(), dead), options $(, $more)*),
            }
        };
    }
    match algorithm {
        Algorithm::Cvwy => tagged!(nested::cvwy::check),
        Algorithm::Hpy => tagged!(nested::hpy::check),
        Algorithm::Gmz => tagged!(nested::gmz::check),
        Algorithm::Se => lossy!(nested::se::check),
        Algorithm::And => lossy!(nested::and::check),
        Algorithm::Sd => tagged!(weak::check),
        Algorithm::Reach => tagged!(terminal::check),
        Algorithm::Tarjan => live!(scc::tarjan::check),
        Algorithm::Gv => live!(scc::gv::check),
        Algorithm::Ascc => live!(scc::ascc::check, Acceptance::Edges),
        Algorithm::TarjanTgba => live!(scc::tarjan_tgba::check),
        Algorithm::Auto | Algorithm::Dijkstra => live!(scc::dijkstra_tgba::check, setup.roots()),
        Algorithm::Gabow => match dead() {
            Ok(dead) => {
                let store = &mut UnionSplit::new(rows(), rows(), dead);
                scc::gabow_tgba::check(graph, store, options, setup.roots())
            }
            Err(Full) => no_memory(),
        },
        Algorithm::Tauriainen | Algorithm::C99 => unreachable!("`Setup::fits` was asked"),
    }
}

//! The checks that are chosen unless something else is asked for, on the more compact table.

use crate::algorithm::{Algorithm, Store};
use crate::erased::Erased;
use crate::setup::Setup;
use lariat_core::{Fixed, Graph, Outcome};
use lariat_search::emptiness::{scc, streett, terminal, weak};
use lariat_store::live::InPlaceOver;
use lariat_store::{Compact, Exact};

/// Runs a check on a product: its rows are the id of a system state and an automaton state. None if
/// another check, or another store, is asked for.
pub fn check_usual(
    graph: &mut dyn Graph<Batch = Fixed<2>>,
    algorithm: Algorithm,
    setup: &Setup,
) -> Option<Outcome> {
    let graph = &mut Erased(graph);
    let options = setup.options();
    match algorithm {
        _ if setup.store != Store::Exact
            || setup.switches.dead_store
            || setup.switches.lazy_dead =>
        {
            None
        }
        Algorithm::Sd => Some(weak::check(graph, &mut Compact::new(), options)),
        Algorithm::Reach => Some(terminal::check(graph, &mut Compact::new(), options)),
        Algorithm::Auto | Algorithm::Dijkstra => {
            let store = &mut InPlaceOver::over(Compact::new());
            Some(scc::dijkstra_tgba::check(graph, store, options, setup.roots()))
        }
        _ => None,
    }
}

/// Looks for a strongly fair run.
pub fn check_strong(
    graph: &mut dyn Graph<Batch = Fixed<2>>,
    condition: &streett::Condition,
    setup: &Setup,
) -> Outcome {
    let store = &mut Exact::new(Vec::new());
    streett::check(&mut Erased(graph), store, setup.options(), condition)
}

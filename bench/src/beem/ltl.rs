//! LTL properties in three ways: by BEEM's property process as a process of the state, by the
//! same as an automaton outside of it, and by lariat's own translation of the formula.

use lariat_automata::compile;
use lariat_core::lasso::Acceptance;
use lariat_core::{Arena, Automaton, Emptiness, FlatArena, Graph, RowOf};
use lariat_ltl::Formulas;
use lariat_ltl::syntax::{ParseOptions, parse};
use lariat_ltl::translate::{Level, Options, Translator};
use lariat_model::claim::ClaimAutomaton;
use lariat_model::dve::{self, DveModel};
use lariat_model::interp::{ModelSpace, PropertyGraph};
use lariat_model::ir::{ExprId, Model};
use lariat_search::dfs;
use lariat_search::emptiness::scc::{Roots, dijkstra_tgba};
use lariat_search::product::{FiniteRuns, Product};
use lariat_store::Exact;
use lariat_store::live::InPlace;
use lariat_system::System;

use lariat_testing::beem::Beem;
use lariat_testing::table::Row;

/// Whether a property holds, and how many states were looked at.
pub(crate) struct LtlAnswer {
    pub(crate) holds: bool,
    pub(crate) states: u64,
}

/// By the property process of the model.
pub(crate) fn by_process(dve: &DveModel) -> Result<LtlAnswer, String> {
    let mut graph = PropertyGraph::new(&dve.model).ok_or("no property process")?;
    let rows = FlatArena::new(graph.width());
    check(&mut graph, rows)
}

/// By the property process as an automaton outside of the state.
pub(crate) fn by_claim(system: &DveModel) -> Result<LtlAnswer, String> {
    let model = &system.model;
    let claim = model.claims.first().ok_or("no property process")?;
    let automaton = ClaimAutomaton::new(model, *claim).map_err(|error| error.to_string())?;
    check_beside(model, automaton.propositions().to_vec(), &automaton)
}

/// By the automaton of the negated formula. The model is the system alone.
pub(crate) fn by_translation(
    beem: &Beem,
    row: &Row<'_>,
    dve: &mut DveModel,
) -> Result<LtlAnswer, String> {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, row.get("formula"), ParseOptions::default())
        .map_err(|error| format!("{error:?}"))?;
    let negated = formulas.not(formula.formula);
    let translation = Translator::new(Options::new(Level::High))
        .translate(&mut formulas, negated)
        .map_err(|error| error.to_string())?;
    let automaton = compile(&translation.automaton).map_err(|error| format!("{error:?}"))?;
    let mut propositions = Vec::new();
    for name in &translation.automaton.aps {
        let meaning = beem.expression(row.get("model"), row.get("instance"), name);
        let id = dve::expression(dve, name, &meaning);
        propositions.push(id.map_err(|errors| format!("{name}: {}", errors[0].message))?);
    }
    check_beside(&dve.model, propositions, &automaton)
}

/// By an automaton outside of the state.
fn check_beside(
    model: &Model,
    propositions: Vec<ExprId>,
    automaton: &impl Automaton,
) -> Result<LtlAnswer, String> {
    let width = ModelSpace::minimal_width(model);
    let steps = Box::new(ModelSpace::new(model, width, propositions.clone()));
    let flat = |width| Exact::<u32, _>::new(FlatArena::new(width));
    let mut system = System::of_runs(model, steps, &propositions, |_, _| false, flat);
    check(&mut Product::new(&mut system, automaton, FiniteRuns::Stutter), Vec::new())
}

fn check<G: Graph>(
    graph: &mut G,
    rows: impl Arena<Row = RowOf<G::Batch>>,
) -> Result<LtlAnswer, String> {
    let mut store = InPlace::new(rows);
    let options = dfs::SearchOptions::default();
    let outcome = dijkstra_tgba::check(graph, &mut store, options, Roots::Compressed);
    let holds = match &outcome.verdict {
        Emptiness::Empty { .. } => true,
        Emptiness::Found(lasso) => {
            lasso.verify(graph, Acceptance::Edges).map_err(|error| error.to_string())?;
            false
        }
        Emptiness::Inconclusive(reason) => return Err(format!("{reason:?}")),
    };
    Ok(LtlAnswer { holds, states: outcome.stats.states })
}

//! The cycle proviso by definition, on every micro-model: what is left out is not left out for
//! ever, whether that is looked at afterwards or ids decide; and no error is lost.

use lariat_core::{FlatArena, SystemId};
use lariat_model::dve::{self, DveOptions};
use lariat_model::interp::{Interp, ModelSpace};
use lariat_model::ir::Model;
use lariat_model::promela::{PromelaOptions, load};
use lariat_search::proviso::{self, Proviso};
use lariat_search::safety::{Exploration, ExploreOptions, Order, explore_system, reduction};
use lariat_store::Exact;
use lariat_system::{Edges, System, SystemGraph, with_room};
use lariat_testing::facts;
use petgraph::algo::is_cyclic_directed;
use petgraph::graph::DiGraph;
use petgraph::visit::{Dfs, Reversed};

/// More states are not looked at.
const MOST: u64 = 3_000;

/// What is left out, and what is done about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    Nothing,
    Afterwards,
    ByIds,
}

/// What the exploration has found, and the graph that it went through: edges, and which states are
/// reduced.
struct Seen {
    found: Exploration,
    graph: DiGraph<bool, ()>,
}

fn models() -> Vec<(String, Model)> {
    let mut models = Vec::new();
    for path in ["promela", "dve", "models"].into_iter().flat_map(|folder| facts(folder, 8)) {
        let model = match path.extension().is_some_and(|ending| ending == "dve") {
            true => {
                let text = std::fs::read_to_string(&path).expect("a model");
                let options = DveOptions { property: false };
                dve::load_text("m.dve", &text, options).map(|loaded| loaded.model).ok()
            }
            false => load(&path, &PromelaOptions::default()).map(|loaded| loaded.model).ok(),
        };
        models.extend(model.map(|model| (path.display().to_string(), model)));
    }
    models
}

/// None if that is too much, or nothing can be left out.
fn explore(model: &Model, order: Order, how: How, cycles: bool) -> Option<Seen> {
    Interp::new(model).initial().ok()?;
    let options = ExploreOptions {
        order,
        hidden_is_state: true,
        max_states: Some(MOST),
        ..ExploreOptions::default()
    };
    let seen = with_room(model, |room| {
        let steps = Box::new(ModelSpace::new(model, room.width, Vec::new()));
        let store = |width| Exact::<u32, _>::new(FlatArena::new(width));
        let reduction = (how != How::Nothing).then(|| reduction(model, &options).ok()).flatten();
        let is_reduced = reduction.is_some();
        let mut system = System::of_states(model, steps, true, store).reduced_by(reduction, None);
        if how == How::ByIds
            && let Some(left_out) = system.left_out()
        {
            left_out.go_by_ids();
        }
        let mut found = explore_system(&mut system, model, &options, |_| {})?;
        let mut round = 1;
        while cycles && !proviso::holds(&mut system, Proviso::EveryCycle, round, 0)? {
            found = explore_system(&mut system, model, &options, |_| {})?;
            round += 1;
        }
        if found.limit.is_some() || is_reduced != (how != How::Nothing) {
            return Ok(None);
        }
        let mut graph = DiGraph::new();
        let states = system.len() as SystemId;
        let nodes: Vec<_> = (0..states)
            .map(|id| {
                let is_reduced = system.left_out().is_some_and(|it| it.is_reduced(id));
                graph.add_node(is_reduced)
            })
            .collect();
        for id in 0..states {
            let mut edges = Edges::default();
            system.expand(&[id], &mut edges)?;
            assert_eq!(system.len() as SystemId, states, "all was explored");
            for next in edges.ids {
                graph.add_edge(nodes[id as usize], nodes[next as usize], ());
            }
        }
        Ok(Some(Seen { found, graph }))
    });
    seen.ok().flatten()
}

/// S: from every state a way leads to one that is not reduced.
fn has_ways_out(seen: &Seen) -> bool {
    let graph = &seen.graph;
    let mut reached = vec![false; graph.node_count()];
    for full in graph.node_indices().filter(|&node| !graph[node]) {
        let mut walk = Dfs::new(Reversed(graph), full);
        while let Some(node) = walk.next(Reversed(graph)) {
            reached[node.index()] = true;
        }
    }
    reached.into_iter().all(|reached| reached)
}

/// C3: no cycle has reduced states only.
fn has_full_cycles(seen: &Seen) -> bool {
    let reduced = seen.graph.filter_map(|_, &is_reduced| is_reduced.then_some(()), |_, _| Some(()));
    !is_cyclic_directed(&reduced)
}

#[test]
fn nothing_is_left_out_for_ever() {
    let (mut reduced, mut with_errors) = (0, 0);
    for (name, model) in models() {
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            let Some(full) = explore(&model, order, How::Nothing, false) else { continue };
            for (how, cycles) in
                [(How::Afterwards, false), (How::Afterwards, true), (How::ByIds, false)]
            {
                let Some(seen) = explore(&model, order, how, cycles) else { continue };
                let about = format!("{name} {order:?} {how:?} {cycles}");
                assert!(seen.found.states <= full.found.states, "{about}");
                assert!(has_ways_out(&seen), "{about}: a trap");
                if cycles || how == How::ByIds {
                    assert!(has_full_cycles(&seen), "{about}: a cycle of reduced states");
                }
                // Each kind of error is still there.
                let kinds = |seen: &Seen| seen.found.errors.keys().copied().collect::<Vec<_>>();
                assert_eq!(kinds(&seen), kinds(&full), "{about}");
                reduced += usize::from(seen.graph.node_weights().any(|&is_reduced| is_reduced));
                with_errors += usize::from(!seen.found.errors.is_empty());
            }
        }
    }
    assert!(reduced > 100 && with_errors > 100, "{reduced} reduced, {with_errors} with errors");
}

//! Checks on the product of a model and an automaton, and what they took.
//!
//! Every check runs on the same kind of table, sees the same successors in the same order, and
//! nothing runs before it.

use std::time::{Duration, Instant};

use lariat_automata::{Compiled, Tgba, classify, compile};
use lariat_bench::cpu::cpu_seconds;
use lariat_checks::{Algorithm, CheckSwitches, Setup, plan};
use lariat_core::lasso::Acceptance;
use lariat_core::{Emptiness, Fixed, Graph, Outcome, Props, Stats, Word, stop};
use lariat_model::shortcuts::Shortcuts;
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::{Roots, ascc, couvreur99, dijkstra_tgba, gabow_tgba, gv};
use lariat_search::emptiness::scc::{tarjan, tarjan_tgba};
use lariat_search::emptiness::{nested, terminal, weak};
use lariat_search::product::{FiniteRuns, Product};
use lariat_store::live::{InPlace, UnionInPlace};
use lariat_store::{Exact, Tree};
use lariat_system::{Stop, System, with_room};
use lariat_verify::engine::{Engine, EngineSwitches};
use lariat_verify::{Answer, Config, Order, Verdict};
use serde::{Deserialize, Serialize};

use super::cases::Case;

/// What a check said, and what it took.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Found {
    pub says: Says,
    pub states: u64,
    pub transitions: u64,
    pub expansions: u64,
    pub depth: u64,
    pub sccs: u64,
    pub roots: u64,
    pub current: u64,
    pub live: u64,
    pub dead: u64,
    pub dstack: u64,
    pub union_find: u64,
    pub words: u64,
    /// Steps of the run that was found.
    pub prefix: u64,
    pub cycle: u64,
    /// CPU seconds.
    pub cpu: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Says {
    Empty,
    Run,
    /// It was cut.
    #[default]
    Nothing,
}

impl Found {
    pub fn new(says: Says, stats: &Stats, cpu: f64) -> Found {
        let peaks = stats.peaks;
        Found {
            says,
            states: stats.states,
            transitions: stats.transitions,
            expansions: stats.expansions,
            depth: stats.depth,
            sccs: stats.sccs,
            roots: peaks.roots,
            current: peaks.current,
            live: peaks.live,
            dead: peaks.dead,
            dstack: peaks.dstack,
            union_find: peaks.union_find,
            words: stats.words,
            cpu,
            ..Found::default()
        }
    }

    pub fn is_empty(&self) -> bool {
        self.says == Says::Empty
    }

    pub fn has_run(&self) -> bool {
        self.says == Says::Run
    }
}

/// How successors are computed, and how long a check may take.
#[derive(Clone, Debug)]
pub struct How {
    pub engine: Engine,
    pub time: Option<Duration>,
    /// A check that asks for the successors of more states is cut. Unlike time, that is the same everywhere.
    pub most: u64,
    /// Every check gets one set of accepting states.
    pub by_states: bool,
}

impl How {
    /// As the papers had it: every call of `post` computes its successors anew.
    pub fn papers() -> How {
        let switches = EngineSwitches { no_remembered_steps: true, ..EngineSwitches::default() };
        let engine = Engine { switches, ..Engine::default() };
        How { engine, time: Some(Duration::from_secs(600)), most: 600_000, by_states: true }
    }

    pub fn setup(&self, algorithm: Algorithm) -> Setup {
        let switches = CheckSwitches { by_states: self.by_states, ..CheckSwitches::default() };
        Setup { algorithm, switches, ..Setup::default() }
    }
}

/// The product of a model and an automaton.
pub type OnTheFly<'a, 'm> = Product<'a, System<'m, Tree>, Compiled>;

/// Walks the product of a case's model and `tgba`.
pub fn on_product<T>(
    case: &Case,
    tgba: &Tgba,
    how: &How,
    mut work: impl FnMut(&mut OnTheFly<'_, '_>) -> Result<T, String>,
) -> Result<T, String> {
    let compiled = compile(tgba).map_err(|error| error.to_string())?;
    let model = case.model.loaded().model();
    let propositions = case.property().propositions(tgba);
    let labels: Vec<_> = tgba.edges.iter().flatten().map(|edge| &edge.label).collect();
    let matters = |undefined: Props, truth: Props| {
        labels.iter().any(|label| label.depends_on(undefined, truth))
    };
    let deadline = how.time.and_then(|time| Instant::now().checked_add(time));
    let done = with_room(model, |room| {
        let steps = how.engine.steps(model, room.width, &propositions, true);
        let tree = |width| how.engine.tree(width);
        let mut system = System::of_runs(model, steps, &propositions, matters, tree)
            .remembering_steps(how.engine.remember());
        let mut product = Product::new(&mut system, &compiled, FiniteRuns::Stutter);
        product.set_budget(how.most);
        let done = stop::within(deadline, || work(&mut product));
        match product.why_stopped() {
            Some(widen @ Stop::Widen(_)) => Err(widen),
            _ => Ok(done),
        }
    });
    done.unwrap_or_else(|stop| Err(format!("{stop:?}")))
}

/// Runs a check on the product, alone; the run that it finds is replayed.
pub fn check(case: &Case, algorithm: Algorithm, how: &How) -> Result<Found, String> {
    let given = case.automaton()?;
    let planned = plan(&given, &how.setup(algorithm))?;
    let tgba = planned.automaton.as_ref().unwrap_or(&given);
    let by = match classify::is_buchi_by_states(tgba) {
        true => Acceptance::States,
        false => Acceptance::Edges,
    };
    on_product(case, tgba, how, |product| {
        let start = cpu_seconds();
        let outcome = run(product, algorithm);
        let cpu = cpu_seconds() - start;
        replayed(product, &outcome, by, cpu)
    })
}

/// The result of a check, if the run that it found is one.
pub fn replayed(
    product: &mut OnTheFly<'_, '_>,
    outcome: &Outcome,
    by: Acceptance,
    cpu: f64,
) -> Result<Found, String> {
    let found = |says| Found::new(says, &outcome.stats, cpu);
    match &outcome.verdict {
        Emptiness::Empty { .. } => Ok(found(Says::Empty)),
        Emptiness::Inconclusive(_) => Ok(found(Says::Nothing)),
        Emptiness::Found(lasso) => {
            product.set_budget(u64::MAX);
            let verified = stop::undisturbed(|| lasso.verify(product, by));
            verified.map_err(|error| format!("no true run: {error}"))?;
            let (prefix, cycle) = (lasso.prefix.len() as u64, lasso.cycle.len() as u64);
            Ok(Found { prefix, cycle, ..found(Says::Run) })
        }
    }
}

/// Each check on the plain table.
pub fn run<G: Graph<Batch = Fixed<2>>>(graph: &mut G, algorithm: Algorithm) -> Outcome {
    let options = SearchOptions::default();
    let rows = Vec::<[Word; 2]>::new;
    let (edges, plain) = (Acceptance::Edges, Roots::Plain);
    match algorithm {
        Algorithm::Cvwy => nested::cvwy::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Hpy => nested::hpy::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Gmz => nested::gmz::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Se => nested::se::check(graph, &mut Exact::new(rows()), options),
        Algorithm::And => nested::and::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Sd => weak::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Reach => terminal::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Tauriainen => nested::tauriainen::check(graph, &mut Exact::new(rows()), options),
        Algorithm::C99 => couvreur99::check(graph, &mut Exact::new(rows()), options, edges),
        Algorithm::Tarjan => tarjan::check(graph, &mut InPlace::new(rows()), options),
        Algorithm::Gv => gv::check(graph, &mut InPlace::new(rows()), options),
        Algorithm::Ascc => ascc::check(graph, &mut InPlace::new(rows()), options, edges),
        Algorithm::TarjanTgba => tarjan_tgba::check(graph, &mut InPlace::new(rows()), options),
        Algorithm::Auto | Algorithm::Dijkstra => {
            dijkstra_tgba::check(graph, &mut InPlace::new(rows()), options, plain)
        }
        Algorithm::Gabow => {
            gabow_tgba::check(graph, &mut UnionInPlace::new(rows()), options, plain)
        }
    }
}

/// Asks as `lariat check` does: with everything that `config` allows.
pub fn ask(case: &Case, config: &Config) -> Result<Found, String> {
    let start = cpu_seconds();
    let answer = case.model.check(case.asked, config).map_err(|error| error.to_string())?;
    Ok(of_answer(&answer, cpu_seconds() - start))
}

fn of_answer(answer: &Answer, cpu: f64) -> Found {
    let says = match answer.verdict {
        Verdict::Holds | Verdict::Refuted => Says::Empty,
        Verdict::Violated(_) | Verdict::Found(_) => Says::Run,
        Verdict::Inconclusive(_) => Says::Nothing,
    };
    let found = Found::new(says, &answer.statistics.counts, cpu);
    let length = answer.statistics.lasso;
    Found {
        prefix: length.map_or(0, |lasso| lasso.prefix),
        cycle: length.map_or(0, |lasso| lasso.cycle),
        ..found
    }
}

/// A check alone, with or without reduction.
pub fn alone(how: &How, algorithm: Algorithm, reduces: bool) -> Config {
    let mut config = Config {
        engine: how.engine.clone(),
        setup: how.setup(algorithm),
        order: Order::DepthFirst,
        edge_cache: Some(0),
        shortcuts: Shortcuts::NONE,
        ..Config::default()
    };
    config.limits.time = how.time;
    config.reduction.no_por = !reduces;
    config
}

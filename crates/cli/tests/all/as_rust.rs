//! Random models of the net, asked as models in Rust: a model whose steps are those of the interpreter
//! must have the states, ends, shortest runs and temporal verdicts that the other engine finds.
//!
//! ```sh
//! LARIAT_SWEEP_COUNT=2000 cargo test --release -p lariat-cli --test all as_rust
//! ```

use std::sync::Mutex;
use std::time::Duration;

use lariat::{Check, Model, Steps, Store, Verdict, ltl};
use lariat_bench::net::case::{About, Case, Language};
use lariat_bench::net::coverage::Coverage;
use lariat_bench::net::{dve, promela};
use lariat_checks::{Algorithm, Setup};
use lariat_ltl::Formulas;
use lariat_ltl::random::{Rng, Shape, formula};
use lariat_ltl::syntax::{Dialect, Printer};
use lariat_model::interp::{Expansion, Fairness, Interp};
use lariat_model::ir::{self, ExprId};
use lariat_search::safety::{Condition, ExploreOptions, Order, explore};
use lariat_verify::engine::EngineSwitches;
use lariat_verify::model::Reading;
use lariat_verify::property::formula::Mode;
use lariat_verify::property::read;
use lariat_verify::{Config, Engine, Limits, Loaded, Parts, Silent, Status};

const MOST_STATES: u64 = 500;

/// A model of the other engine, whose steps are those of its interpreter.
struct Interpreted<'m> {
    interp: Mutex<Interp<'m>>,
    /// A state knows whether an even number of steps led to it, so that every step changes something:
    /// to the other engine a process has moved then, here it has not.
    counts_steps: bool,
}

/// Memory, what is outside of it, and the count.
type State = (Vec<u8>, Vec<u8>, bool);

impl<'m> Interpreted<'m> {
    fn new(model: &'m ir::Model) -> Self {
        Interpreted { interp: Mutex::new(Interp::new(model)), counts_steps: false }
    }

    fn truth(&self, expr: ExprId, state: &State) -> bool {
        let mut interp = self.interp.lock().expect("no panic inside");
        interp.load_with_hidden(&state.0, &state.1);
        interp.eval_loaded(expr, None).is_ok_and(|value| value != 0)
    }

    fn ends_well(&self, state: &State) -> bool {
        self.interp.lock().expect("no panic inside").is_valid_end(&state.0)
    }
}

impl Model for Interpreted<'_> {
    type State = State;
    /// Who takes part.
    type Action = u64;

    fn initial(&self) -> Vec<State> {
        let (state, hidden) = self.interp.lock().expect("no panic inside").initial().expect("one");
        vec![(state, hidden, false)]
    }

    fn steps(&self, state: &State, to: &mut Steps<'_, Self>) {
        let mut found = Expansion::new();
        let mut interp = self.interp.lock().expect("no panic inside");
        interp.successors(&state.0, &state.1, &mut found);
        for at in 0..found.len() {
            let who = Fairness::Weak.taking_part(found.moves(at));
            let next = (found.state(at).to_vec(), found.hidden(at).to_vec());
            to.push(who, (next.0, next.1, self.counts_steps && !state.2));
        }
    }
}

fn rounds() -> u64 {
    std::env::var("LARIAT_SWEEP_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(200)
}

fn load(case: &Case) -> Option<Loaded> {
    let reading = Reading {
        lose_messages: case.lossy,
        control_points: case.named_labels(),
        ..Reading::default()
    };
    let language = match case.language {
        Language::Promela => lariat_verify::Language::Promela,
        Language::Dve => lariat_verify::Language::Dve,
    };
    reading.load_text("random", &case.model.to_string(), language, Parts::System).ok()
}

#[derive(Debug, Default)]
struct Tally {
    models: u64,
    reached: u64,
    ends: u64,
    held: u64,
    violated: u64,
    fair: u64,
}

#[test]
fn random_models_as_models_in_rust() {
    let (mut coverage, mut tally) = (Coverage::new(), Tally::default());
    for seed in 0..rounds() {
        let case = match seed % 2 {
            0 => promela::case(seed, &mut coverage),
            _ => dve::case(seed, &mut coverage),
        };
        look_at(&case, &mut Rng::new(seed), &mut tally);
    }
    println!("{tally:?}");
    let Tally { models, reached, ends, held, violated, fair } = tally;
    let least = rounds() / 20;
    let counts = [models, reached, ends, held, violated, fair];
    assert!(counts.iter().all(|&count| count >= least), "{counts:?}");
}

fn look_at(case: &Case, rng: &mut Rng, tally: &mut Tally) {
    let Some(mut loaded) = load(case) else { return };
    let texts: Vec<String> = case
        .questions
        .iter()
        .filter_map(|question| match &question.about {
            About::Invariant(text) | About::Reach(text) => Some(text.clone()),
            _ => None,
        })
        .collect();
    let exprs: Option<Vec<ExprId>> =
        texts.iter().map(|text| loaded.expression("p", text).ok()).collect();
    let Some(exprs) = exprs.filter(|exprs| !exprs.is_empty()) else { return };
    if !loaded.asked_labels().is_empty() {
        return;
    }
    let options = ExploreOptions {
        order: Order::BreadthFirst,
        max_states: Some(MOST_STATES),
        hidden_is_state: true,
        ..ExploreOptions::default()
    };
    let Ok(seen) = explore(loaded.model(), &options) else { return };
    // Behind a run-time error nothing has a meaning, and there are no steps here.
    if seen.limit.is_some() || seen.errors.keys().any(|&name| name != "invalid-end-state") {
        return;
    }
    tally.models += 1;
    states(case, &loaded, &exprs, &options, tally);
    for _ in 0..3 {
        runs(case, &mut loaded, &texts, &exprs, rng, tally);
    }
}

/// No answer depends on where states are kept.
fn store(case: &Case) -> Store {
    [Store::Fitting, Store::Tree, Store::Flat][(case.seed / 2 % 3) as usize]
}

fn states(
    case: &Case,
    loaded: &Loaded,
    exprs: &[ExprId],
    options: &ExploreOptions,
    tally: &mut Tally,
) {
    let ir = loaded.model();
    let mut model = Interpreted::new(ir);
    model.interp = Mutex::new(Interp::new(ir).without_divergences());
    let mut check = Check::of(&model).ends_only_in("ends", |s| model.ends_well(s));
    for (at, &expr) in exprs.iter().enumerate() {
        let model = &model;
        check = check.reachable(at.to_string(), move |s| model.truth(expr, s));
    }
    let report = check.store(store(case)).run();
    let seen = explore(ir, options).expect("it went well before");
    let figures = (report.stats.states, report.stats.transitions, report.stats.ends);
    let what = format!("{:?} {}\n{report}\n{}", case.language, case.seed, case.model);
    assert_eq!(figures, (seen.states, seen.transitions, seen.deadlocks), "{what}");
    let shortest = seen.first_error.map(|path| path.rows.len());
    let ours = report.finding("ends").verdict.run().map(|run| run.states.len());
    if case.language == Language::Promela {
        assert_eq!(ours, shortest, "{what}");
        tally.ends += u64::from(ours.is_some());
    }
    for (at, &expr) in exprs.iter().enumerate() {
        let conditions = vec![Condition { expr, wanted: false }];
        let options = ExploreOptions { conditions, only_conditions: true, ..options.clone() };
        let seen = explore(ir, &options).expect("it went well before");
        let ours = report.finding(&at.to_string()).verdict.run().map(|run| run.states.len());
        let shortest = seen.first_error.map(|path| path.rows.len());
        assert_eq!(ours, shortest, "{at}: {what}");
        tally.reached += u64::from(ours.is_some());
    }
}

fn runs(
    case: &Case,
    loaded: &mut Loaded,
    texts: &[String],
    exprs: &[ExprId],
    rng: &mut Rng,
    tally: &mut Tally,
) {
    let mut all = Formulas::new();
    let shape = Shape { propositions: 2, size: 2 + rng.below(6), next: rng.below(4) == 0 };
    let f = formula(&mut all, rng, shape);
    let meaning = |name: &str| {
        let number: usize = name.trim_start_matches('p').parse().unwrap_or(0);
        number % texts.len()
    };
    let text = Printer::new(&all).dialect(Dialect::Spin).text(f);
    let bind = &mut |name: &str| texts[meaning(name)].clone();
    let Ok((property, _)) = read::formula(loaded, "f", &text, Mode::Always, bind) else { return };
    let fairness = [None, Some(Fairness::Weak), Some(Fairness::Strong)][rng.below(3)];
    if fairness.is_some() && !starts_as_it_ends(loaded.model()) {
        return;
    }
    let switches = EngineSwitches { interpret: true, ..EngineSwitches::default() };
    let limits = Limits { time: Some(Duration::from_secs(20)), ..Limits::default() };
    let engine = Engine { switches, ..Engine::default() };
    let algorithms: Vec<Algorithm> = Algorithm::all().collect();
    let algorithm = match fairness {
        None => algorithms[rng.below(algorithms.len())],
        Some(_) => Algorithm::default(),
    };
    let setup = Setup { algorithm, ..Setup::default() };
    let config = Config { engine, limits, fairness, setup, ..Config::default() };
    // Two checks do not take all automata.
    let Ok(answer) = lariat_verify::temporal::check(loaded, &property, &config, &Silent) else {
        return;
    };
    let mut model = Interpreted::new(loaded.model());
    model.counts_steps = fairness.is_some();
    let mut ours = ltl(Printer::new(&all).text(f));
    for ap in all.aps_of(f) {
        let name = all.ap_names()[ap as usize].clone();
        let expr = exprs[meaning(&name)];
        let model = &model;
        ours = ours.with(name, move |s: &State| model.truth(expr, s));
    }
    let check = Check::of(&model).holds("f", ours).store(store(case));
    let has = |action: &u64, pid: &u32| action >> pid & 1 == 1;
    let report = match fairness {
        None => check.run(),
        Some(Fairness::Strong) => check.strongly_fair_each(0..24, has).run(),
        Some(_) => check.weakly_fair_each(0..24, has).run(),
    };
    let status = match report.finding("f").verdict {
        Verdict::Holds => Status::Holds,
        Verdict::Violated(_) => Status::Violated,
        _ => panic!("{:?} {}: {text}\n{report}", case.language, case.seed),
    };
    let what = format!("{:?} {}, {fairness:?}: {text}", case.language, case.seed);
    assert_eq!(status, answer.status(), "{what}\n{report}\n{}", case.model);
    tally.held += u64::from(status == Status::Holds);
    tally.violated += u64::from(status == Status::Violated);
    tally.fair += u64::from(fairness.is_some());
}

/// Whether all who take part in a step take part from its first command on: else one who joins an atomic
/// sequence could not move before to the other engine, but could here.
fn starts_as_it_ends(model: &ir::Model) -> bool {
    let mut interp = Interp::new(model);
    let Ok((state, hidden)) = interp.initial() else { return false };
    let mut known = std::collections::HashSet::from([(state.clone(), hidden.clone())]);
    let mut queue = vec![(state, hidden)];
    while let Some((state, hidden)) = queue.pop() {
        let mut found = Expansion::new();
        interp.successors(&state, &hidden, &mut found);
        let everybody =
            (0..found.len()).fold(0, |all, at| all | Fairness::Weak.taking_part(found.moves(at)));
        if everybody != Fairness::Weak.able(model.discipline, &found) || everybody >> 24 != 0 {
            return false;
        }
        for at in 0..found.len() {
            let next = (found.state(at).to_vec(), found.hidden(at).to_vec());
            if known.insert(next.clone()) {
                queue.push(next);
            }
        }
    }
    true
}

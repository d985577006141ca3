//! Searches over workers that share nothing say what one machine says.

use lariat_core::Limit;
use lariat_core::exchange::local::local;
use lariat_model::interp::Fairness;
use lariat_model::ir::Model;
use lariat_model::promela::{PromelaOptions, load_text};
use lariat_search::safety::{Exploration, ExploreOptions, Order};
use lariat_search::spread::{Explored, Pace, Spreading, explore_spread};
use lariat_testing::facts;
use lariat_verify::config::ProductSwitches;
use lariat_verify::engine::{Engine, EngineSwitches};
use lariat_verify::reduction::ReductionSwitches;
use lariat_verify::{Answer, Asked, Config, Order as VOrder, Silent, Spread, Status};

fn options() -> ExploreOptions {
    ExploreOptions { order: Order::BreadthFirst, hidden_is_state: true, ..Default::default() }
}

fn numbered() -> Engine {
    let switches = EngineSwitches { numbered: true, ..Default::default() };
    Engine { switches, native_after: Some(10), ..Engine::default() }
}

/// So many workers, each with a shape that it plans after so few states that fields are soon too small.
#[derive(Clone, Copy, Debug)]
struct Way {
    workers: usize,
    after: u64,
    plan: usize,
    pace: Pace,
}

/// What each worker says; none if states do not fit.
fn spread(model: &Model, options: &ExploreOptions, way: Way) -> Vec<Option<Exploration>> {
    let Way { workers, after, plan, pace } = way;
    let engine = Engine { plan_after: Some(plan), native_after: Some(10), ..Engine::default() };
    let options = &ExploreOptions { remember: engine.remember(), ..options.clone() };
    let conditions: Vec<_> = options.conditions.iter().map(|found| found.expr).collect();
    let worker = |mut exchange: lariat_core::exchange::local::Local| {
        let mut spreading = Spreading {
            exchange: &mut exchange,
            after,
            pace,
            number: 1,
            question: 1,
            name: String::new(),
            keeping: None,
            resumed: None,
            saved: None,
            sent: Default::default(),
            was_free: false,
            has_begun_anew: false,
        };
        let steps = |width| engine.steps(model, width, &conditions, false);
        let tree = |width| engine.tree(width);
        match explore_spread(model, options, &mut spreading, steps, tree) {
            Ok(Explored::Done(found)) => Some(found.expect("states")),
            Ok(Explored::Unfit(_)) => None,
            Err(broken) => panic!("{broken}"),
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            local(workers).into_iter().map(|end| scope.spawn(|| worker(end))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

fn assert_same(expected: &Exploration, found: &Exploration, has_levels: bool, what: &str) {
    let counts = |found: &Exploration| {
        (found.states, found.transitions, found.matched, found.deadlocks, found.atomic_steps)
    };
    assert_eq!(counts(expected), counts(found), "{what}");
    if has_levels {
        assert_eq!(expected.depth, found.depth, "{what}");
    }
    assert_eq!((&expected.errors, expected.limit), (&found.errors, found.limit), "{what}");
    assert_eq!(expected.executed, found.executed, "{what}");
}

fn promela(text: &str) -> Model {
    load_text("test.pml", text, &PromelaOptions::default()).expect("a model").model
}

/// Counters that come to values which nobody has foreseen, and processes that are started late.
const GROWING: [&str; 4] = [
    "int a, b, c; active proctype p() { do :: a < 60 -> a++ :: b < 60 -> b = b + 3 :: c < 400 -> c = c + 7 od }",
    "byte n, x; chan q = [3] of { byte };
     proctype worker(byte k) { byte own; do :: own < 3 -> own++; x = own * k :: q?own :: len(q) < 3 -> q!k :: break od }
     init { do :: n < 2 -> n++; run worker(n) :: break od }",
    "byte x; proctype a(byte k) { byte i; do :: i < 2 -> i++ :: x = k od } proctype b() { byte j[3]; do :: j[0] < 2 -> j[0]++; j[1] = x :: break od }
     init { do :: x < 9 -> x++ :: run a(7); break :: run b(); break od; run b(); run a(3) }",
    "byte x, y; active [3] proctype p() { do :: x < 25 -> x++; assert(x != 20) :: y < 9 -> y++ :: x == 7 -> break od; 0 }",
];

#[test]
fn counts_of_growing_models_are_those_of_one_machine() {
    for text in GROWING {
        let model = promela(text);
        let expected = numbered().explore(&model, &options(), &Silent).expect("states");
        for workers in 1..=4 {
            for (after, plan) in [(30, 4), (100, 60), (900, 200)] {
                for pace in [Pace::Levels, Pace::Free, Pace::Narrow(5)] {
                    let way = Way { workers, after, plan, pace };
                    for found in spread(&model, &options(), way) {
                        let found = found.expect("they fit");
                        assert_same(
                            &expected,
                            &found,
                            pace == Pace::Levels,
                            &format!("{way:?}: {text}"),
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn counts_of_facts_are_those_of_one_machine() {
    let (mut all, mut fit) = (0, 0);
    for (folder, least) in [("promela", 278), ("dve", 159), ("models", 10)] {
        for path in facts(folder, least) {
            let Ok(loaded) = lariat_verify::Model::load(&path) else { continue };
            let model = loaded.loaded().model();
            let most = ExploreOptions { max_states: Some(20_000), ..options() };
            let Ok(expected) = numbered().explore(model, &most, &Silent) else { continue };
            if expected.limit == Some(Limit::States) {
                continue;
            }
            all += 1;
            for (workers, after, plan, pace) in
                [(2, 10, 4, Pace::Levels), (3, 25, 25, Pace::Free), (2, 10, 4, Pace::Narrow(7))]
            {
                let way = Way { workers, after, plan, pace };
                let found = spread(model, &options(), way);
                fit += u32::from(found[0].is_some());
                for found in found.into_iter().flatten() {
                    let has_levels = pace == Pace::Levels;
                    let what = format!("{way:?}: {}", path.display());
                    assert_same(&expected, &found, has_levels, &what);
                }
            }
        }
    }
    assert!(all > 350 && fit > 3 * all * 9 / 10, "{fit} of three times {all}");
}

/// The error is one of the first level that has any, the same for all workers and any number of them, and the run to it is a run of the model.
#[test]
fn errors_are_nearest_ones_with_runs_to_them() {
    let mut all = 0;
    for (folder, least) in [("promela", 278), ("dve", 159), ("models", 10)] {
        for path in facts(folder, least) {
            let Ok(loaded) = lariat_verify::Model::load(&path) else { continue };
            let model = loaded.loaded().model();
            let check = ExploreOptions { stop_at_error: true, ..options() };
            let most = ExploreOptions { max_states: Some(20_000), ..check.clone() };
            let Ok(expected) = numbered().explore(model, &most, &Silent) else { continue };
            let Some(error) = &expected.first_error else { continue };
            let (steps, is_on_the_way) = (error.rows.len(), error.last.is_empty());
            all += 1;
            let mut names = Vec::new();
            for (workers, after, plan, pace) in [
                (1, 2, 2, Pace::Levels),
                (2, 2, 2, Pace::Levels),
                (2, 2, 2, Pace::Narrow(2)),
                (3, 5, 3, Pace::Free),
            ] {
                let way = Way { workers, after, plan, pace };
                for found in spread(model, &check, way).into_iter().flatten() {
                    let what = format!("{way:?}: {}", path.display());
                    let found = found.first_error.unwrap_or_else(|| panic!("no error: {what}"));
                    assert_eq!(
                        (found.rows.len(), found.last.is_empty()),
                        (steps, is_on_the_way),
                        "{what}"
                    );
                    found.commands(model).unwrap_or_else(|lost| panic!("{lost}: {what}"));
                    // Which of several ways there is told depends on who is quicker.
                    names.push((workers > 1, found.error.name(), found.rows.last().cloned()));
                }
            }
            // A model that is done by then has the first error that one machine finds.
            names.retain(|&(is_spread, ..)| is_spread);
            names.dedup();
            assert!(names.len() <= 2, "{}: {names:?}", path.display());
        }
    }
    assert!(all > 50, "{all}");
}

/// What is left out is decided by levels, and by what owners say of successors: the same states by any number of workers, and no error is missed.
#[test]
fn what_is_left_out_is_the_same_for_any_number_of_workers() {
    let seed = std::env::var("LARIAT_SEED").map_or(11, |seed| seed.parse().expect("a number"));
    let count =
        std::env::var("LARIAT_SWEEP_COUNT").map_or(400, |many| many.parse().expect("a number"));
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut violated, mut smaller) = (0, 0);
    for number in 0..count {
        let text = crate::shared::loops(&mut random);
        let model = promela(&text);
        let full = ExploreOptions { stop_at_error: true, ..options() };
        let expected = numbered().explore(&model, &full, &Silent).expect("a model");
        let reduced = ExploreOptions { reduces: true, ..full };
        let (mut counts, mut is_smaller) = (None, false);
        for workers in 1..=3 {
            let way = Way { workers, after: 1, plan: 4, pace: Pace::Levels };
            for found in spread(&model, &reduced, way).into_iter().flatten() {
                let what = format!("seed {seed}, model {number}, {workers} workers:\n{text}");
                assert_eq!(expected.first_error.is_some(), found.first_error.is_some(), "{what}");
                if let Some(error) = found.first_error {
                    error.commands(&model).unwrap_or_else(|lost| panic!("{lost}: {what}"));
                    continue;
                }
                assert!(found.states <= expected.states && found.limit.is_none(), "{what}");
                is_smaller = found.states < expected.states;
                let counted = (found.states, found.transitions, found.depth);
                assert_eq!(*counts.get_or_insert(counted), counted, "{what}");
            }
        }
        violated += u32::from(expected.first_error.is_some());
        smaller += u32::from(is_smaller);
    }
    assert!(violated * 20 > count && smaller * 8 > count, "{violated}, {smaller} of {count}");
}

/// Short cycles that a few states depth first do not find, in a large accepting part: with what travels with states, little of it is swept. The formulas' automata are weak,
/// or have one mark on edges, or two.
#[test]
fn cycles_are_found_while_predecessors_are_counted() {
    let model = |turn: u32| {
        let text = format!(
            "byte a, b, c; active proctype p() {{ do :: a < 60 -> a++ :: a > 20 -> a-- od }}
             active proctype q() {{ do :: c < 30 -> c++ :: b < {turn} -> b++ od }}"
        );
        lariat_verify::Model::promela("test.pml", &text).expect("a model")
    };
    let swept = |no_map: bool, formula: &str| -> Vec<u64> {
        let sum = |turn| {
            let mut model = model(turn);
            let question = model.ltl(formula).expect("a formula");
            let worker = |end: lariat_core::exchange::local::Local| {
                let spread = Spread::new(end, Pace::USUAL);
                let engine = Engine {
                    set_after: Some(5),
                    plan_after: Some(4),
                    spread: Some(spread.clone()),
                    ..Engine::default()
                };
                let order = VOrder::Both { first: 5, in_products: 5 };
                let switches = ProductSwitches { no_map, ..ProductSwitches::default() };
                let config = Config { engine, order, switches, ..Config::default() };
                let answer = model.check(question, &config).expect("an answer");
                (answer.status(), answer.statistics.states)
            };
            let told: Vec<(Status, u64)> = std::thread::scope(|scope| {
                let threads: Vec<_> =
                    local(2).into_iter().map(|end| scope.spawn(|| worker(end))).collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
            });
            assert_eq!(told[0].0, Status::Violated);
            told[0].1
        };
        (0..8).map(sum).collect()
    };
    for formula in [
        "<> (a == 70)",
        "[]<> (a == 70) || <>[] (a != 21)",
        "([]<> (a == 21) && []<> (a == 23)) -> []<> (a == 70)",
    ] {
        let (with, without) = (swept(false, formula), swept(true, formula));
        // Others are found by the first states.
        let spread = with.iter().zip(&without).filter(|&(_, &without)| without > 1_000);
        let sums =
            spread.fold((0, 0), |(one, other), (with, without)| (one + with, other + without));
        assert!(sums.1 > 1_000 && sums.0 * 4 < sums.1 * 3, "{formula}: {with:?} of {without:?}");
    }
}

/// How each worker answers a question.
fn asked(model: &lariat_verify::Model, question: Asked, with: &Config, way: Way) -> Vec<Answer> {
    let Way { workers, after, plan, pace } = way;
    let worker = |end: lariat_core::exchange::local::Local| {
        let engine = Engine {
            set_after: Some(after),
            plan_after: Some(plan),
            native_after: Some(10),
            spread: Some(Spread::new(end, pace)),
            ..Engine::default()
        };
        let config = Config { engine, ..with.clone() };
        model.check(question, &config).unwrap_or_else(|error| panic!("{way:?}: {error}"))
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            local(workers).into_iter().map(|end| scope.spawn(|| worker(end))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

/// Whether it is a proof.
fn compare(model: &lariat_verify::Model, question: Asked, with: &Config, what: &str) -> bool {
    let reduction = ReductionSwitches { no_por: true };
    let alone = Config { engine: numbered(), reduction, ..with.clone() };
    let Ok(expected) = model.check(question, &alone) else { return false };
    let is_proof = expected.status() == Status::Holds && expected.run().is_none();
    for (workers, after, plan, no_map) in
        [(1, 2, 4, true), (2, 20, 8, false), (3, 2, 4, true), (2, 2, 4, false), (4, 300, 40, false)]
    {
        let switches = ProductSwitches { no_map, ..with.switches };
        let with = &Config { switches, ..with.clone() };
        let way = Way { workers, after, plan, pace: Pace::USUAL };
        let answers = asked(model, question, with, way);
        for answer in answers {
            // The judge has confirmed the run.
            let said = (answer.status(), answer.run().is_some());
            assert_eq!(said, (expected.status(), expected.run().is_some()), "{what}: {way:?}");
            if is_proof {
                let counts = |answer: &Answer| {
                    let statistics = &answer.statistics;
                    (statistics.states, statistics.transitions, statistics.system_states)
                };
                assert_eq!(counts(&answer), counts(&expected), "{what}: {way:?}");
            }
        }
    }
    is_proof
}

const MODELS: [&str; 4] = [
    "byte a, b; active proctype p() { do :: a < 20 -> a++ :: a == 20 -> a = 15 od } active proctype q() { do :: b < 9 -> b++ :: b == 9 && a > 12 -> b = 0 od }",
    "byte a, b; active [3] proctype p() { byte own; do :: own < 4 -> own++; a = own :: own == 4 -> b++; break od }",
    "byte a, b; active proctype p() { do :: a == 0 -> b++; b--; a = 1 od } active proctype q() { do :: a == 1 -> b++; b--; a = 0 od }
     active proctype r() { byte k; do :: k < 30 -> k++ :: else -> break od }",
    "int a, b; active proctype p() { do :: a < 40 -> a++ :: b < 40 -> b = b + 2 :: a == 40 && b == 40 -> break od }",
];

const FORMULAS: [&str; 12] = [
    "<>[] (a >= 15)",
    "[]<> (a == 15)",
    "<> (b == 9)",
    "[]<> (b == 0) -> []<> (a == 20)",
    "[] (a == 3 -> <> (a > 10))",
    "[]<> (b == 0)",
    "<>[] (b == 9)",
    "[] (b <= 40)",
    "[]<> (a == 1) -> []<> (a == 0)",
    "([]<> (a == 0)) && ([]<> (a == 1))",
    "[]<> (b == 40)",
    "(([]<> (a == 1)) && ([]<> (b == 1))) -> []<> (a == 7)",
];

#[test]
fn temporal_properties_are_answered_as_by_one_machine() {
    let (mut all, mut proofs) = (0, 0);
    for text in MODELS {
        for formula in FORMULAS {
            let mut model = lariat_verify::Model::promela("test.pml", text).expect("a model");
            let question = model.ltl(formula).expect("a formula");
            for fairness in [None, Some(Fairness::Weak)] {
                let order = VOrder::Both { first: 10, in_products: 5 };
                let with = Config { fairness, order, ..Config::default() };
                let what = format!("{formula}, {fairness:?}: {text}");
                proofs += u32::from(compare(&model, question, &with, &what));
                all += 1;
            }
        }
    }
    assert!(proofs > 20 && all - proofs > 20, "{proofs} of {all}");
}

/// Loops in loops, of which some are behind others and some are not accepting: runs are put together by workers, and confirmed by the judge.
#[test]
fn runs_through_random_loops_are_put_together() {
    let seed = std::env::var("LARIAT_SEED").map_or(7, |seed| seed.parse().expect("a number"));
    let count =
        std::env::var("LARIAT_SWEEP_COUNT").map_or(25, |many| many.parse().expect("a number"));
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut proofs, mut all) = (0, 0);
    for number in 0..count {
        // Control points with edges to others, mostly forward.
        let places = random.usize(6..14);
        let mut text = "byte a, b;\nactive proctype p() {\n".to_owned();
        for place in 0..places {
            let (a, b) = (random.u8(0..4), random.u8(0..3));
            text += &format!("l{place}: a = {a}; b = {b};\n  if\n");
            for _ in 0..random.usize(1..4) {
                let near = (place + random.usize(0..4)).saturating_sub(1) % places;
                let next = if random.u8(0..5) == 0 { random.usize(0..places) } else { near };
                text += &format!("  :: goto l{next}\n");
            }
            text += "  fi;\n";
        }
        text += "  skip }\n";
        if random.bool() {
            text += "active proctype q() { byte k; do :: k < 3 -> k++ :: k == 3 -> k = 1 od }\n";
        }
        let mut model = lariat_verify::Model::promela("test.pml", &text).expect("a model");
        let (i, j, k) = (random.u8(0..4), random.u8(0..4), random.u8(0..3));
        let formulas = [
            format!("<>[] (a != {i})"),
            format!("<> (a == {i} && b == {k})"),
            format!("!([]<> (a == {i}) && []<> (a == {j}) && []<> (b == {k}))"),
            format!("[]<> (a == {i}) -> []<> (b == {k})"),
            format!("[] (a == {i} -> <> (b == {k}))"),
            format!("[] !(a == {i} && b == {k})"),
        ];
        for formula in &formulas {
            let question = model.ltl(formula).expect("a formula");
            let fairness = (random.u8(0..3) == 0).then_some(Fairness::Weak);
            let order = VOrder::Both { first: 3, in_products: 3 };
            let with = Config { fairness, order, ..Config::default() };
            let what = format!("seed {seed}, model {number}, {formula}, {fairness:?}:\n{text}");
            proofs += u32::from(compare(&model, question, &with, &what));
            all += 1;
        }
    }
    assert!(proofs * 8 > all && proofs * 4 < all * 3, "{proofs} of {all}");
}

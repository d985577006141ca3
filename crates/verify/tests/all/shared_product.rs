//! Temporal properties without numbers, on one thread or more: the answers are those of a search with numbers, and what is counted of a
//! property that holds does not depend on the number of threads.

use std::time::Duration;

use lariat_core::Limit;
use lariat_model::interp::Fairness;
use lariat_testing::facts;
use lariat_verify::config::ProductSwitches;
use lariat_verify::engine::{Engine, EngineSwitches};
use lariat_verify::reduction::ReductionSwitches;
use lariat_verify::{Answer, Asked, Config, Limits, Model, Order, Question, Status, Verdict};

/// Depth first, every state with a number.
fn numbered() -> Config {
    let switches = EngineSwitches { numbered: true, ..Default::default() };
    let engine = Engine { switches, native_after: Some(10), ..Engine::default() };
    let reduction = ReductionSwitches { no_por: true };
    Config { engine, reduction, order: Order::DepthFirst, ..Config::default() }
}

/// Without numbers from so many expansions on, in a shape from so few states that fields are soon too small.
fn shared(threads: usize, after: u64, plan: usize) -> Config {
    let (threads, set_after, plan_after) = (Some(threads), Some(after), Some(plan));
    let engine =
        Engine { threads, set_after, plan_after, native_after: Some(10), ..Engine::default() };
    Config { engine, order: Order::Both { first: 10, in_products: 5 }, ..numbered() }
}

fn is_proof(answer: &Answer) -> bool {
    answer.status() == Status::Holds && answer.run().is_none()
}

/// How many proofs there were. `plans`: after how many expansions states do without numbers, and of how many they learn a shape.
fn compare(
    model: &Model,
    asked: Asked,
    with: &Config,
    (threads, plans): (&[usize], &[(u64, usize)]),
    what: &str,
) -> usize {
    let fairness = with.fairness;
    let Ok(expected) = model.check(asked, &Config { fairness, ..numbered() }) else { return 0 };
    let mut counts = Vec::new();
    for &threads in threads {
        for (number, &(after, plan)) in plans.iter().enumerate() {
            // Each number of threads has all of them, over the properties.
            let root_bits = [None, Some(12), Some(6)][(threads + number + what.len()) % 3];
            let Config { engine, order, .. } = shared(threads, after, plan);
            let engine = Engine { root_bits, ..engine };
            let answer = model.check(asked, &Config { engine, order, ..with.clone() });
            let answer = answer.unwrap_or_else(|error| panic!("{what}: {error}"));
            let said = (answer.status(), answer.run().is_some());
            let truth = (expected.status(), expected.run().is_some());
            assert_eq!(said, truth, "{what}, {threads} threads, {after}, {plan}, {root_bits:?}");
            let statistics = &answer.statistics;
            counts.push((statistics.states, statistics.transitions, statistics.system_states));
        }
    }
    if !is_proof(&expected) {
        return 0;
    }
    let statistics = &expected.statistics;
    let expected = (statistics.states, statistics.transitions, statistics.system_states);
    assert!(counts.iter().all(|&count| count == expected), "{what}: {counts:?}, not {expected:?}");
    1
}

const PLANS: [(u64, usize); 3] = [(2, 4), (20, 8), (300, 40)];

const MODELS: [&str; 5] = [
    "byte a, b; active proctype p() { do :: a < 20 -> a++ :: a == 20 -> a = 15 od } active proctype q() { do :: b < 9 -> b++ :: b == 9 && a > 12 -> b = 0 od }",
    "byte x, n; active [3] proctype p() { byte own; do :: own < 4 -> own++; x = own :: own == 4 -> n++; break od }",
    "byte turn, c; active proctype p() { do :: turn == 0 -> c++; c--; turn = 1 od } active proctype q() { do :: turn == 1 -> c++; c--; turn = 0 od }
     active proctype r() { byte k; do :: k < 30 -> k++ :: else -> break od }",
    "int a, b; active proctype p() { do :: a < 40 -> a++ :: b < 40 -> b = b + 2 :: a == 40 && b == 40 -> break od }",
    "bool w[2]; byte in; active [2] proctype p() { do :: atomic { in == 0 -> in = 1 }; w[_pid] = 1; in = 0; w[_pid] = 0 od }
     active proctype q() { byte k; do :: k++ :: k > 60 -> k = 50 od }",
];

const FORMULAS: [[&str; 8]; 5] = [
    [
        "<>[] (a >= 15)",
        "[]<> (a == 15)",
        "<> (b == 9)",
        "[]<> (b == 0) -> []<> (a == 20)",
        "[] (a == 3 -> <> (a > 10))",
        "<> (a == 20)",
        "[]<> (b == 0)",
        "<>[] (b == 9)",
    ],
    [
        "<> (n == 3)",
        "<>[] (n == 3)",
        "[]<> (x == 4)",
        "<> (x == 2 && n == 1)",
        "[] (n <= 3)",
        "<>[] (x == 4)",
        "[] (n == 1 -> <> (n == 2))",
        "[]<> (n == 3 || x < 4)",
    ],
    [
        "[]<> (turn == 1)",
        "[]<> (c == 1)",
        "<>[] (c == 0)",
        "[] (turn == 0 -> <> (turn == 1))",
        "[]<> (c == 1) -> []<> (turn == 0)",
        "[] (c <= 1)",
        "<> (c == 2)",
        "([]<> (turn == 0)) && ([]<> (turn == 1))",
    ],
    [
        "<> (a == 40)",
        "<>[] (a == 40 && b == 40)",
        "[]<> (b == 40)",
        "<> (b == 39)",
        "[] (a > 3 -> <> (b == 40))",
        "<>[] (a < 40)",
        "[]<> (a < 40) -> <> (b == 2)",
        "[] (b % 2 == 0)",
    ],
    [
        "[]<> (in == 1)",
        "[]<> (w[0] == 1)",
        "[] (w[0] == 1 -> <> (w[0] == 0))",
        "<>[] (in == 0)",
        "[]<> (w[0] == 1 || w[1] == 1)",
        "[] !(w[0] == 1 && w[1] == 1)",
        "[]<> (w[0] == 1) -> []<> (w[1] == 1)",
        "<> (in == 1)",
    ],
];

/// Searches that can be asked for.
fn searches() -> [ProductSwitches; 3] {
    let none = ProductSwitches::default();
    [
        ProductSwitches { elimination: true, ..none },
        ProductSwitches { cndfs: true, ..none },
        ProductSwitches { ufscc: true, ..none },
    ]
}

/// Each of them, and with fairness those that take marks.
fn ways() -> [(Option<Fairness>, ProductSwitches); 5] {
    let [elimination, cndfs, ufscc] = searches();
    let weak = Some(Fairness::Weak);
    [(None, elimination), (None, cndfs), (None, ufscc), (weak, elimination), (weak, ufscc)]
}

#[test]
fn formulas_have_the_same_answers() {
    let mut proofs = 0;
    for (text, formulas) in MODELS.iter().zip(FORMULAS) {
        let mut model = Model::promela("test.pml", text).expect("a model");
        for formula in formulas {
            let asked = model.ltl(formula).expect("a formula");
            for (fairness, switches) in ways().into_iter().chain([(None, Default::default())]) {
                let config = Config { fairness, switches, ..numbered() };
                let what = format!("{formula}, {fairness:?}, {switches:?}: {text}");
                proofs += compare(&model, asked, &config, (&[1, 2, 3], &PLANS), &what);
            }
        }
    }
    assert!(proofs > 30, "{proofs}");
}

/// With several threads it is asked first whether a run is weakly fair.
#[test]
fn strongly_fair_runs_are_found_as_with_numbers() {
    let fairness = Some(Fairness::Strong);
    let (mut proofs, mut runs, mut weakly) = (0, 0, 0);
    for (text, formulas) in MODELS.iter().zip(FORMULAS) {
        let mut model = Model::promela("test.pml", text).expect("a model");
        for formula in formulas {
            let asked = model.ltl(formula).expect("a formula");
            let expected =
                model.check(asked, &Config { fairness, ..numbered() }).expect("an answer");
            for (threads, after, plan) in [(1, 2, 4), (2, 2, 4), (3, 20, 8)] {
                let config = Config { fairness, ..shared(threads, after, plan) };
                let answer = model.check(asked, &config).expect("an answer");
                let what = format!("{formula} on {threads} threads: {text}");
                assert_eq!(expected.status(), answer.status(), "{what}");
                proofs += usize::from(is_proof(&answer));
                runs += usize::from(answer.run().is_some());
                weakly += usize::from(
                    answer.explanation.iter().any(|line| line.contains("no run is weakly fair")),
                );
            }
        }
    }
    assert!(proofs > 10 && runs > 10 && weakly > 10, "{proofs}, {runs}, {weakly}");
}

#[test]
fn questions_about_facts_have_the_same_answers() {
    let (mut proofs, mut all) = (0, 0);
    for (folder, least) in [("promela", 278), ("dve", 159), ("models", 10)] {
        for path in facts(folder, least) {
            let Ok(mut model) = Model::load(&path) else { continue };
            let blocks: Vec<String> =
                model.loaded().model().ltl.iter().map(|block| block.name.clone()).collect();
            let mut questions: Vec<Question> = blocks.into_iter().map(Question::Named).collect();
            questions.extend([Question::NonProgress, Question::Acceptance]);
            questions.push(Question::Exists("[] <> true".to_owned()));
            for question in questions {
                let Ok(asked) = model.ask(question) else { continue };
                all += 1;
                for (number, (fairness, switches)) in ways().into_iter().enumerate() {
                    let config = Config { fairness, switches, ..numbered() };
                    // Over the questions, each way meets them all.
                    let threads = [1 + (all + number) % 3];
                    let what = path.display().to_string();
                    proofs += compare(&model, asked, &config, (&threads, &[(1, 3)]), &what);
                }
            }
        }
    }
    assert!(proofs > 100 && all > 500, "{proofs} of {all}");
}

/// Some million states, with a large part where a run may still be accepted.
const LARGE: &str = "byte a, b, c; active proctype p() { do :: a < 250 -> a++ :: b < 250 -> b++ :: c < 250 -> c++ od }";

fn large(threads: usize, switches: ProductSwitches) -> (Model, Asked, Config) {
    let mut model = Model::promela("large.pml", LARGE).expect("a model");
    let asked = model.ltl("<> (a == 250 && b == 250 && c == 250)").expect("a formula");
    (model, asked, Config { switches, ..shared(threads, 30_000, 20_000) })
}

#[test]
fn a_limit_of_memory_or_time_ends_all_threads() {
    for (threads, search) in [1, 3].iter().flat_map(|&threads| searches().map(|one| (threads, one)))
    {
        let (model, asked, config) = large(threads, search);
        for memory in [6 << 20, 20_000_000] {
            let limits = Limits { memory: Some(memory), ..Limits::default() };
            let answer =
                model.check(asked, &Config { limits, ..config.clone() }).expect("an answer");
            let Verdict::Inconclusive(why) = &answer.verdict else {
                panic!("{:?}", answer.status())
            };
            assert_eq!(why.limit, Limit::Memory);
            let most = memory as u64 / 100 * 101;
            let what = format!("{threads} threads, {search:?}, of {memory}");
            assert!(answer.statistics.memory <= most, "{}: {what}", answer.statistics.memory);
            assert!(answer.statistics.states > 1_000, "{}: {what}", answer.statistics.states);
        }
        let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
        let answer = model.check(asked, &Config { limits, ..config }).expect("an answer");
        let Verdict::Inconclusive(why) = &answer.verdict else { panic!("{:?}", answer.status()) };
        assert_eq!(why.limit, Limit::Time);
    }
}

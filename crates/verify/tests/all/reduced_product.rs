//! Temporal properties on several threads with steps left out (docs/por.md, "Products by levels"): the answers are those of a search with numbers that leaves
//! nothing out, and what is counted of a property that holds does not depend on the number of threads.

use lariat_model::interp::Fairness;
use lariat_verify::config::ProductSwitches;
use lariat_verify::engine::{Engine, EngineSwitches};
use lariat_verify::reduction::ReductionSwitches;
use lariat_verify::{Config, Model, Order, Status};

use super::shared::loops;

/// By all strengths of automata.
const FORMULAS: [&str; 8] = [
    "[]<> (x == 1)",
    "<>[] (y == 0)",
    "[] (x == 1 -> <> (y == 1))",
    "<> (x == 1 && y == 1)",
    "[]<> (x == 1) -> []<> (y == 1)",
    "[]<> (x == 0) || <>[] (y == 1)",
    "(x == 0) U (y == 1 || [] (x == 0))",
    "[] (y == 1 -> (y == 1 U x == 1))",
];

/// Depth first, every state with a number, nothing left out.
fn whole(fairness: Option<Fairness>) -> Config {
    let switches = EngineSwitches { numbered: true, interpret: true, ..Default::default() };
    let engine = Engine { switches, ..Engine::default() };
    let reduction = ReductionSwitches { no_por: true };
    Config { engine, reduction, fairness, order: Order::DepthFirst, ..Config::default() }
}

/// Without numbers from so many expansions on. Whether it pays to leave steps out is not asked.
fn reduced(threads: usize, after: u64, fairness: Option<Fairness>) -> Config {
    let switches = EngineSwitches { interpret: true, ..Default::default() };
    let engine = Engine {
        threads: Some(threads),
        set_after: Some(after),
        plan_after: Some(4),
        switches,
        ..Engine::default()
    };
    Config {
        engine,
        fairness,
        order: Order::Both { first: 1, in_products: 1 },
        switches: ProductSwitches { elimination: true, ..Default::default() },
        por_after: Some(u64::MAX),
        ..Config::default()
    }
}

#[test]
fn no_run_is_put_off_for_ever() {
    let seed = std::env::var("LARIAT_SEED").map_or(5, |seed| seed.parse().expect("a number"));
    let count =
        std::env::var("LARIAT_SWEEP_COUNT").map_or(500, |many| many.parse().expect("a number"));
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut asked_for, mut violated, mut smaller) = (0, 0, 0);
    for number in 0..count {
        let text = loops(&mut random);
        let mut model = Model::promela("test.pml", &text).expect("a model");
        let formula = FORMULAS[number as usize % FORMULAS.len()];
        let asked = model.ltl(formula).expect("a formula");
        let fairness = (number % 3 == 0).then_some(Fairness::Weak);
        let expected = model.check(asked, &whole(fairness)).expect("an answer");
        if expected.status() == Status::Inconclusive {
            continue;
        }
        let mut counts = None;
        for threads in [2, 3, 2] {
            let config = reduced(threads, 1 + number % 4, fairness);
            let answer = model.check(asked, &config).expect("an answer");
            let what = format!("{formula}, {fairness:?}, seed {seed}, model {number}:\n{text}");
            assert_eq!(expected.status(), answer.status(), "{threads} threads, {what}");
            assert_eq!(expected.run().is_some(), answer.run().is_some(), "{what}");
            asked_for += u64::from(answer.reduction.is_used());
            if expected.status() == Status::Violated {
                violated += 1;
                break;
            }
            let (all, found) = (&expected.statistics, &answer.statistics);
            assert!(found.system_states <= all.system_states, "{what}");
            smaller += u64::from(found.system_states < all.system_states);
            let counted = (found.states, found.transitions, found.system_states);
            assert_eq!(*counts.get_or_insert(counted), counted, "{threads} threads, {what}");
        }
    }
    assert!(
        asked_for > count && violated * 10 > count && smaller * 10 > count,
        "{asked_for}, {violated} and {smaller} of {count}"
    );
}

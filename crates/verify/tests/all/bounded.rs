//! Checks in bounded memory against those that keep every state: no alarm that is none, no proof by a
//! lossy search, the same verdict by a cache however small it is.

use std::time::Duration;

use lariat_checks::{Algorithm, Setup};
use lariat_model::shortcuts::Shortcuts;
use lariat_store::Policy;
use lariat_testing::facts;
use lariat_verify::bounded::{Bounded, Keep, Swarm};
use lariat_verify::engine::{Engine, EngineSwitches};
use lariat_verify::reduction::ReductionSwitches;
use lariat_verify::safety::Errors;
use lariat_verify::{Asked, Config, Limits, Model, Order, Question, Reduction, Status};

/// A small model, and what lariat says about it if it keeps every state.
struct Known {
    name: String,
    model: Model,
    about_states: Vec<(Asked, Status)>,
    about_runs: Vec<(Asked, Status)>,
}

fn plain() -> Config {
    let switches = EngineSwitches { interpret: true, ..Default::default() };
    Config { engine: Engine { switches, ..Engine::default() }, ..Config::default() }
}

fn bounded(keep: Keep, seed: u64) -> Config {
    Config { bounded: Some(Bounded { keep, seed, repeat: 1, swarm: None }), ..plain() }
}

/// All micro-models, or those whose number is `part` of `parts`.
fn known(part: usize, parts: usize) -> Vec<Known> {
    let paths = [("promela", 278), ("dve", 159), ("models", 10)];
    let paths = paths.into_iter().flat_map(|(folder, least)| facts(folder, least));
    let mut all = Vec::new();
    for path in paths.skip(part).step_by(parts) {
        let Ok(mut model) = Model::load(&path) else { continue };
        let blocks: Vec<String> =
            model.loaded().model().ltl.iter().map(|block| block.name.clone()).collect();
        let mut runs: Vec<Question> = blocks.into_iter().map(Question::Named).collect();
        runs.extend([Question::NonProgress, Question::Acceptance]);
        runs.push(Question::Ltl("[] <> true".to_owned()));
        runs.push(Question::Exists("[] <> true".to_owned()));
        let mut ask = |questions: Vec<Question>| -> Vec<Asked> {
            questions.into_iter().filter_map(|question| model.ask(question).ok()).collect()
        };
        let (states, runs) = (ask(vec![Question::Safety]), ask(runs));
        let truth = |asked: Vec<Asked>| -> Vec<(Asked, Status)> {
            let answer = |asked| Some((asked, model.check(asked, &plain()).ok()?.status()));
            let known = asked.into_iter().filter_map(answer);
            known.filter(|&(_, truth)| truth != Status::Inconclusive).collect()
        };
        let (about_states, about_runs) = (truth(states), truth(runs));
        all.push(Known { name: path.display().to_string(), model, about_states, about_runs });
    }
    all
}

/// Seeded lossy searches: each finds what is there, or nothing.
fn no_false_alarm(runs: u64, part: usize, parts: usize) {
    let known = known(part, parts);
    let (mut done, mut seed, mut found) = (0, 0, 0);
    while done < runs {
        for Known { name, model, about_states, about_runs } in &known {
            seed += 1;
            let keep = match seed % 4 {
                0 => Keep::Prints { bits: 32 },
                kind => Keep::Bits { log_bits: 6 + (seed % 5) as u32, functions: kind as u32 },
            };
            let config = bounded(keep, seed);
            let order = if seed % 3 == 0 { Order::BreadthFirst } else { Order::DepthFirst };
            let of_states = Config { order, ..config.clone() };
            let asked = about_states.iter().map(|asked| (asked, &of_states));
            for (&(asked, truth), config) in asked.chain(about_runs.iter().map(|a| (a, &config))) {
                let answer = model.check(asked, config).unwrap_or_else(|error| {
                    panic!("{name}, seed {seed}, {keep:?}: {error}");
                });
                let said = answer.status();
                done += 1;
                found += u64::from(said != Status::Inconclusive);
                // A run that exists is "holds" of a question for one.
                let proof = said == Status::Holds && answer.run().is_none();
                assert!(!proof, "{name}: {}, seed {seed}, {keep:?}: a proof", answer.name);
                assert!(
                    said == truth || said == Status::Inconclusive,
                    "{name}: {}, seed {seed}, {keep:?}: {said:?}, not {truth:?}",
                    answer.name
                );
            }
        }
    }
    assert!(found * 10 > done, "only {found} of {done} have found something");
}

#[test]
fn a_lossy_search_raises_no_false_alarm_and_proves_nothing() {
    no_false_alarm(400, 3, 8);
}

#[test]
#[ignore = "takes a minute: cargo test --release -p lariat-verify --test all ten_thousand -- --ignored"]
fn ten_thousand_lossy_searches_raise_no_false_alarm() {
    no_false_alarm(10_000, 0, 1);
}

/// Every check that takes a lossy store.
#[test]
fn no_check_proves_with_a_lossy_store() {
    let text = "bool a; active proctype p() { do :: a = !a od } ltl live { [] <> a }";
    let mut model = Model::promela("flip.pml", text).unwrap();
    let asked = model.ask(Question::Named("live".to_owned())).unwrap();
    let mut tried = 0;
    for keep in [Keep::Bits { log_bits: 20, functions: 2 }, Keep::Prints { bits: 64 }] {
        for algorithm in [Algorithm::Auto].into_iter().chain(Algorithm::all()) {
            let setup = Setup { algorithm, ..Setup::default() };
            let config = Config { setup, ..bounded(keep, 1) };
            // What does not take the store or the automaton says so.
            let Ok(answer) = model.check(asked, &config) else { continue };
            assert_eq!(answer.status(), Status::Inconclusive, "{}", algorithm.name());
            tried += 1;
        }
    }
    assert!(tried >= 24, "only {tried}");
}

/// Seven states, some hundred, and all of them.
#[test]
fn a_cache_says_the_same_however_small() {
    const ALL: usize = 1 << 24;
    for Known { name, model, about_states, about_runs } in &known(1, 2) {
        for (at, &(asked, truth)) in about_states.iter().chain(about_runs).enumerate() {
            for bytes in [1, 2_000, ALL] {
                let policy = Policy::ALL[(name.len() + at + bytes) % Policy::ALL.len()];
                let mut config = bounded(Keep::Cache { bytes, policy }, 0);
                // A cache that forgets nearly everything may take for ever.
                let time = (bytes < ALL).then_some(Duration::from_secs(1));
                config.limits = Limits { time, ..config.limits };
                let answer = model.check(asked, &config).unwrap_or_else(|error| {
                    panic!("{name}, {bytes} bytes, {policy:?}: {error}");
                });
                let said = answer.status();
                let is_cut = said == Status::Inconclusive && bytes < ALL;
                assert!(is_cut || said == truth, "{name}: {}: {said:?}, {policy:?}", answer.name);
            }
        }
    }
}

const PHILOSOPHERS: &str = "byte fork[5]; active [5] proctype p() { byte left = _pid, \
    right = (_pid + 1) % 5; do :: atomic { fork[left] == 0 -> fork[left] = 1 }; \
    atomic { fork[right] == 0 -> fork[right] = 1 }; fork[right] = 0; fork[left] = 0 od }";

/// A value of `a` that comes up when the cache is in use changes how states are packed. If it kept what was packed
/// before (the mistake `cache-shape`), it would know the state with a == 5 and b == 0 by what another one was, and
/// safety would hold.
#[test]
fn a_cache_knows_nothing_by_how_it_was_packed_before() {
    let text = "byte a, b, c;
        active proctype P() {
            do :: break :: a < 5 -> a++ od;
            do :: break :: b < 2 -> b++ od;
            assert(!(a == 5 && b == 1))
        }";
    for bytes in [200, 1_000] {
        let mut model = Model::promela("cache.pml", text).expect("a model");
        let safety = model.ask(Question::Safety).expect("a question");
        let keep = Keep::Cache { bytes, policy: Policy::default() };
        let mut config = bounded(keep, 1);
        config.engine.plan_after = Some(4);
        config.shortcuts = Shortcuts::NONE;
        let answer = model.check(safety, &config).expect("an answer");
        assert_eq!(answer.status(), Status::Violated, "{bytes}");
    }
}

#[test]
fn one_search_of_a_swarm_can_be_repeated() {
    let mut model = Model::promela("philosophers.pml", PHILOSOPHERS).unwrap();
    let asked = model.safety().unwrap();
    let keep = Keep::Bits { log_bits: 20, functions: 1 };
    for only in 1..12 {
        let run = || {
            let swarm = Some(Swarm { only: Some(only) });
            let bounded = Some(Bounded { keep, seed: 1, repeat: 1, swarm });
            let answer = model.check(asked, &Config { bounded, ..plain() }).unwrap();
            let run = answer.run().map(|run| model.show(run));
            (answer.status(), answer.statistics.states, run)
        };
        let first = run();
        assert_eq!(first, run(), "search {only}");
        assert_eq!(first.2.is_some(), first.0 == Status::Violated);
    }
}

#[test]
fn a_swarm_finds_the_deadlock_and_says_how_to_repeat_it() {
    let mut model = Model::promela("philosophers.pml", PHILOSOPHERS).unwrap();
    let asked = model.safety().unwrap();
    let keep = Keep::Bits { log_bits: 20, functions: 1 };
    let swarm = Some(Swarm { only: None });
    let bounded = Some(Bounded { keep, seed: 1, repeat: 1, swarm });
    let answer = model.check(asked, &Config { bounded, ..plain() }).unwrap();
    assert_eq!(answer.status(), Status::Violated);
    assert!(answer.notes.iter().any(|note| note.contains("--swarm-seed")), "{:?}", answer.notes);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let mut model = Model::promela("philosophers.pml", PHILOSOPHERS).unwrap();
    let asked = model.safety().unwrap();
    let cache = bounded(Keep::Cache { bytes: 1 << 20, policy: Policy::Random }, 0);
    let breadth_first = Config { order: Order::BreadthFirst, ..cache };
    let error = model.check(asked, &breadth_first).err().expect("refused").to_string();
    assert!(error.contains("--cache does not go with --bfs"), "{error}");
    let shortest = Setup { shortest: true, ..Setup::default() };
    let bits = bounded(Keep::Bits { log_bits: 20, functions: 1 }, 0);
    let error = model.check(asked, &Config { setup: shortest, ..bits }).err().expect("refused");
    assert!(error.to_string().contains("--shortest"), "{error}");
}

/// A ring puts nothing off for ever where errors are looked for, and fewer states are visited. Of runs,
/// every second search leaves steps out.
#[test]
fn lossy_searches_leave_steps_out() {
    let text = "bool p; active proctype a() { do :: skip; skip od } \
        active [2] proctype b() { byte i; do :: i < 3 -> i++ :: else -> break od } \
        active proctype c() { skip; p = true; assert(false) }";
    let mut model = Model::promela("ring.pml", text).unwrap();
    let (safety, live) = (model.safety().unwrap(), model.ltl("[] !p").unwrap());
    let no_por = ReductionSwitches { no_por: true };
    for keep in [Keep::Bits { log_bits: 22, functions: 3 }, Keep::Prints { bits: 64 }] {
        let config = Config { order: Order::DepthFirst, ..bounded(keep, 1) };
        let answer = model.check(safety, &config).unwrap();
        assert_eq!(answer.status(), Status::Violated, "{keep:?}");
        assert!(answer.reduction.is_used());
        // No error: everything is visited.
        let errors = Errors { no_assert: true, ..Errors::default() };
        let config = Config { errors, ..config };
        let reduced = model.check(safety, &config).unwrap();
        let all = model.check(safety, &Config { reduction: no_por, ..config.clone() }).unwrap();
        assert_eq!((reduced.status(), all.status()), (Status::Inconclusive, Status::Inconclusive));
        assert!(reduced.statistics.states * 2 < all.statistics.states, "{keep:?}");
        for (repeat, is_reduced) in [(1, false), (2, true)] {
            let bounded = Some(Bounded { keep, seed: 1, repeat, swarm: None });
            let answer = model.check(live, &Config { bounded, ..plain() }).unwrap();
            assert_eq!(answer.status(), Status::Violated, "{keep:?}");
            assert_eq!(answer.reduction.is_used(), is_reduced);
        }
    }
    let cache = bounded(Keep::Cache { bytes: 1 << 20, policy: Policy::Random }, 0);
    let answer = model.check(safety, &cache).unwrap();
    assert!(matches!(answer.reduction, Reduction::Impossible(why) if why.contains("a cache")));
}

/// A level of thousands of states, and errors of two kinds behind it.
const WIDE: &str = "byte a, b, c, d; active proctype p() { do :: a < 12 -> a++ :: b < 12 -> b++ :: c < 12 -> c++ :: d < 12 -> d++ od }";

/// Breadth first on several threads: errors are as near as on one, and are found by the way that is kept.
#[test]
fn threads_share_one_array() {
    let errors = [
        "active proctype q() { (a == 9 && b == 5 && c == 7) -> assert(false) }",
        "active proctype q() { (a == 3 && d == 11) -> a = 99 / (b - 4) }",
        "",
    ];
    for error in errors {
        let mut model = Model::promela("test.pml", &format!("{WIDE} {error}")).expect("a model");
        let safety = model.ask(Question::Safety).expect("a question");
        let never =
            model.ask(Question::Invariant("a + b + c + d < 40".to_owned())).expect("a question");
        for asked in [safety, never] {
            let mut lengths = Vec::new();
            for threads in [1, 2, 3, 4] {
                let config = bounded(Keep::Bits { log_bits: 24, functions: 3 }, 1);
                let engine = Engine { threads: Some(threads), ..config.engine.clone() };
                let config = Config { engine, order: Order::BreadthFirst, ..config };
                let answer = model.check(asked, &config).expect("an answer");
                let length = answer.run().map(|run| run.whole().steps.len());
                lengths.push((answer.status(), length));
                let states = answer.statistics.states;
                assert!(answer.run().is_some() || states > 28_000, "{states} on {threads}");
            }
            assert!(lengths.iter().all(|one| *one == lengths[0]), "{lengths:?}: {error}");
        }
    }
}

/// No thread goes on for ever, and none proves anything.
#[test]
fn limits_end_all_threads_of_a_bit_state_search() {
    let text = "byte a, b, c; active proctype p() { do :: a++ :: b++ :: c++ od }";
    let mut model = Model::promela("test.pml", text).expect("a model");
    let asked = model.ask(Question::Safety).expect("a question");
    let config = bounded(Keep::Bits { log_bits: 26, functions: 3 }, 1);
    let engine = Engine { threads: Some(3), ..config.engine.clone() };
    let config = Config { engine, order: Order::BreadthFirst, ..config };
    let all = [
        Limits { memory: Some(10 << 20), ..Limits::default() },
        Limits { time: Some(Duration::from_millis(200)), ..Limits::default() },
        Limits { depth: Some(30), ..Limits::default() },
    ];
    for limits in all {
        let answer = model.check(asked, &Config { limits, ..config.clone() }).expect("an answer");
        assert_eq!(answer.status(), Status::Inconclusive, "{limits:?}");
        assert!(answer.statistics.states > 100 && answer.statistics.states < 1 << 24);
        let most = limits.memory.map_or(u64::MAX, |bytes| bytes as u64 / 100 * 101);
        assert!(answer.statistics.memory <= most, "{}", answer.statistics.memory);
    }
}

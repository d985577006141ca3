//! A search whose store remembers the steps of processes sees the same as one by the interpreter
//! with a plain store. `LARIAT_REMEMBERED_STATES` sets how large models may be.

use std::path::Path;

use crate::common::{generate, generate_dve};
use lariat_codegen::NativeSpace;
use lariat_core::MAX_STATES;
use lariat_model::dve;
use lariat_model::explore::{Exploration, ExploreOptions, Limit, Order, explore, explore_rows};
use lariat_model::ir::Model;
use lariat_model::promela::{self, Options};
use lariat_store::Tree;
use lariat_testing::{PROMELA, facts, files, repository};

fn remembered(
    model: &Model,
    options: &ExploreOptions,
    store: impl FnMut(usize) -> Tree,
) -> Exploration {
    let steps = |width| {
        // Models that code cannot be made for are interpreted.
        let space = NativeSpace::new(model, width, Vec::new()).with_code_after(Some(1), Some(9));
        Box::new(space) as _
    };
    explore_rows(model, options, steps, store, &mut |_| true).expect("initial values are fine")
}

/// States and steps, if the whole space was seen.
fn compare(model: &Model, max_states: u64) -> Result<u64, String> {
    let order = Order::BreadthFirst;
    let options = ExploreOptions { order, max_states: Some(max_states), ..Default::default() };
    let Ok(plain) = explore(model, &options) else { return Ok(0) };
    if plain.limit.is_some() {
        return Ok(0);
    }
    let options = ExploreOptions { max_states: None, ..options };
    // Once more with ids that run out on the way and become wide.
    for narrow in [MAX_STATES, 700] {
        let store = |width| Tree::new(width).with_narrow_ids_up_to(narrow);
        let found = remembered(model, &options, store);
        let tell = |found: &Exploration| {
            (found.states, found.transitions, found.atomic_steps, found.depth, found.deadlocks)
        };
        if tell(&found) != tell(&plain) || found.errors != plain.errors {
            return Err(format!(
                "{:?} {:?}, not {:?} {:?}",
                tell(&found),
                found.errors,
                tell(&plain),
                plain.errors
            ));
        }
    }
    Ok(plain.states)
}

#[test]
fn random_models() {
    let mut states = 0;
    for seed in 1..=300 {
        let text = generate::model(seed);
        let loaded = promela::load_text("random.pml", &text, &Options::default());
        let model = loaded.map_err(|_| "refused").expect("the generator knows the language").model;
        match compare(&model, 3_000) {
            Ok(more) => states += more,
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        }
    }
    println!("{states} states");
    assert!(states > 10_000, "{states}");
}

#[test]
fn micro_models() {
    let mut states = 0;
    for path in facts("promela", 278) {
        let Ok(loaded) = promela::load(&path, &Options::default()) else { continue };
        match compare(&loaded.model, 20_000) {
            Ok(more) => states += more,
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    assert!(states > 3_000, "{states}");
}

#[test]
fn random_dve_models() {
    let mut states = 0;
    for seed in 1..=400 {
        let text = generate_dve::model(seed);
        let loaded = dve::load_text("random.dve", &text, dve::Options { property: true });
        let model = loaded.map_err(|_| "refused").expect("the generator knows the language").model;
        match compare(&model, 3_000) {
            Ok(more) => states += more,
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        }
    }
    println!("{states} states");
    assert!(states > 10_000, "{states}");
}

fn load_dve(path: &Path, property: bool) -> Result<Model, dve::Failure> {
    let text = String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
    dve::load_text("model.dve", &text, dve::Options { property }).map(|loaded| loaded.model)
}

#[test]
fn dve_micro_models_and_examples() {
    let mut states = 0;
    let mut paths = facts("dve", 159);
    paths.extend(files(&repository().join("examples"), &["dve"]));
    for path in paths {
        for property in [true, false] {
            let Ok(model) = load_dve(&path, property) else { continue };
            match compare(&model, 20_000) {
                Ok(more) => states += more,
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
    }
    assert!(states > 500, "{states}");
}

#[test]
#[ignore = "needs LARIAT_CORPUS, see docs/corpus.md"]
fn corpus() {
    let given = std::env::var("LARIAT_REMEMBERED_STATES").ok();
    let largest = given.and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let (mut models, mut states) = (0, 0);
    let corpus = lariat_testing::corpus();
    let mut paths = files(&corpus.join("beem/pm"), PROMELA);
    paths.extend(files(&corpus.join("beem/dve"), &["dve"]));
    for path in paths {
        let loaded = match path.extension().is_some_and(|ending| ending == "dve") {
            true => load_dve(&path, true).ok(),
            false => promela::load(&path, &Options::default()).ok().map(|loaded| loaded.model),
        };
        let Some(model) = loaded else { continue };
        match compare(&model, largest) {
            Ok(0) => {}
            Ok(more) => {
                models += 1;
                states += more;
            }
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    println!("{models} models, {states} states");
    assert!(models > 10, "{models}");
}

/// The limit of memory holds while steps are remembered, and nothing is lost before it.
#[test]
fn the_memory_limit_is_hard() {
    let text = "byte a, b, c;
        active proctype A() { do :: a = (a + 1) % 60 od }
        active proctype B() { do :: b = (b + 1) % 60 od }
        active proctype C() { do :: c = (c + 1) % 60 :: d_step { c == a -> c = b } od }";
    let loaded = promela::load_text("model.pml", text, &Options::default());
    let model = loaded.map_err(|_| "refused").expect("a model").model;
    let options = ExploreOptions { order: Order::BreadthFirst, ..Default::default() };
    let whole = remembered(&model, &options, Tree::new);
    assert_eq!((whole.states, whole.limit), (216_000, None));
    let mut before = 0;
    for limit in [200_000, 500_000, 1_500_000, 3_000_000] {
        let options = ExploreOptions { max_memory: Some(limit), ..options.clone() };
        let found = remembered(&model, &options, Tree::new);
        assert_eq!(found.limit, Some(Limit::Memory), "limit {limit}");
        assert!(found.memory <= limit, "{} of {limit}", found.memory);
        assert!(found.states > before && found.states < whole.states, "{}", found.states);
        before = found.states;
    }
}

//! Native code and interpreter agree on random Promela models. Each has a seed, which is named
//! when they do not; `LARIAT_SEED` starts elsewhere, `LARIAT_SWEEP_COUNT` says how many.

use crate::common::generate::{self, PROPOSITIONS};
use crate::common::{Fair, Seen, bytes, compare, generate_dve};
use fastrand::Rng;
use lariat_model::dve;
use lariat_model::promela::{PromelaOptions, load_text};
use lariat_model::shortcuts::{Shortcuts, apply};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect(name))
}

fn check(seed: u64, text: &str, with_shortcuts: bool) -> Result<Seen, String> {
    let mut loaded =
        load_text("random.pml", text, &PromelaOptions::default()).map_err(|failure| {
            let messages = failure.diagnostics.iter().filter(|d| d.is_error());
            format!("refused: {:?}", messages.map(|d| d.message.clone()).collect::<Vec<_>>())
        })?;
    let add = |at: &str| loaded.add_expression("proposition", at).map_err(|d| format!("{d:?}"));
    let propositions = PROPOSITIONS.iter().copied().map(add).collect::<Result<Vec<_>, _>>()?;
    if with_shortcuts {
        let all = Shortcuts { merge: seed.is_multiple_of(3), ..Shortcuts::ALL };
        apply(&mut loaded.model, &propositions, all);
    }
    // Some of them: all together look at everything.
    let some = &propositions[seed as usize / 4 % propositions.len()..];
    let some = &some[..some.len().min(1 + seed as usize % 4)];
    let warm_up = if seed.is_multiple_of(5) { 0 } else { 10 };
    compare(&loaded.model, some, 300, warm_up, Fair::by(seed / 3))
}

#[test]
fn random_models() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_SWEEP_COUNT", 400));
    let (mut native, mut interpreted, mut edges) = (0, 0, 0);
    let (mut foretold, mut by_own, mut by_factors, mut valued) = (0, 0, 0, 0);
    for seed in first..first + count {
        let text = generate::model(seed);
        match check(seed, &text, seed.is_multiple_of(2)) {
            Ok(seen) => {
                native += seen.counts.native;
                interpreted += seen.counts.interpreted;
                edges += seen.edges;
                foretold += seen.foretold;
                by_own += seen.foretold_by_own;
                by_factors += seen.foretold_by_factors;
                valued += seen.valued;
            }
            Err(error) => panic!("LARIAT_SEED={seed}: {error}\n{text}"),
        }
    }
    println!(
        "{count} models: {native} states native, {interpreted} interpreted, {edges} edges, \
         {foretold} times the steps of a process foretold, {by_own} by its own variables, \
         {by_factors} by factors, {valued} times a valuation"
    );
    assert!(native > 2 * interpreted, "code must be used: {native}, {interpreted}");
    assert!(valued > native / 4, "propositions must look at few words: {valued}");
    assert!(foretold > native / 2, "processes must be looked at one by one: {foretold}");
    assert!(by_own > 0, "own variables must tell what is touched");
    assert!(by_factors > count / 2, "commands must fall into factors: {by_factors}");
}

#[test]
fn random_dve_models() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_SWEEP_COUNT", 400));
    let (mut native, mut edges, mut valued) = (0, 0, 0);
    let (mut foretold, mut by_own, mut by_factors) = (0, 0, 0);
    for seed in first..first + count {
        let text = generate_dve::model(seed);
        let options = dve::DveOptions { property: true };
        let mut loaded = dve::load_text("random.dve", &text, options).unwrap_or_else(|failure| {
            let messages = failure.diagnostics.iter().map(|d| d.message.clone());
            panic!("LARIAT_SEED={seed}: {:?}\n{text}", messages.collect::<Vec<_>>())
        });
        let propositions = ["x == 1", "P0.s1 and y > 0", "arr[x] != 0", "P1->l == 1"];
        let some = &propositions[..seed as usize % 5];
        let some: Vec<_> = some
            .iter()
            .map(|text| dve::expression(&mut loaded, "it", text).expect("a proposition"))
            .collect();
        if seed.is_multiple_of(2) {
            apply(&mut loaded.model, &some, Shortcuts::ALL);
        }
        let warm_up = if seed.is_multiple_of(5) { 0 } else { 10 };
        match compare(&loaded.model, &some, 300, warm_up, Fair::by(seed / 3)) {
            Ok(seen) => {
                native += seen.counts.native;
                edges += seen.edges;
                foretold += seen.foretold;
                by_own += seen.foretold_by_own;
                by_factors += seen.foretold_by_factors;
                valued += seen.valued;
            }
            Err(error) => panic!("LARIAT_SEED={seed}: {error}\n{text}"),
        }
    }
    println!(
        "{count} models: {native} states native, {edges} edges, {foretold} times the steps of a \
         process foretold, {by_own} by its own variables, \
         {by_factors} by factors, {valued} times a valuation"
    );
    assert!(foretold > native / 4, "processes must be looked at one by one: {foretold} {native}");
    assert!(by_own > 0, "own variables must tell what is touched");
    assert!(by_factors > count / 2, "commands must fall into factors: {by_factors}");
    assert!(valued > native / 10, "propositions must look at few words: {valued}");
}

/// Texts of random models with lines dropped, doubled and exchanged, and states that no step leads
/// to.
#[test]
fn mutated_models_and_rows() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_SWEEP_COUNT", 120));
    let (mut models, mut rows) = (0, 0);
    for seed in first..first + count {
        println!("LARIAT_SEED={seed}");
        let mut random = Rng::with_seed(seed);
        let mut data: Vec<u8> = (0..bytes::CHANGES).map(|_| random.u8(..)).collect();
        let text = match data[0] % 4 {
            0 => generate_dve::model(seed),
            _ => generate::model(seed),
        };
        let mut lines: Vec<&str> = text.lines().collect();
        for _ in 0..random.usize(..3) {
            let (one, other) = (random.usize(..lines.len()), random.usize(..lines.len()));
            match random.u8(..3) {
                0 => drop(lines.remove(one)),
                1 => lines.insert(one, lines[other]),
                _ => lines.swap(one, other),
            }
        }
        data.extend_from_slice(lines.join("\n").as_bytes());
        if let Some(compared) = bytes::agree(&data) {
            models += 1;
            rows += compared;
        }
    }
    println!("{models} models, {rows} rows from outside");
    assert!(models > count / 3 && rows > 500, "{models} {rows}");
}

//! The generators of the net make models that lariat takes, and cover pairs quickly.

use lariat_bench::net::case::{Case, Language};
use lariat_bench::net::coverage::Coverage;
use lariat_bench::net::{dve, promela};
use lariat_model::promela::{PromelaOptions, load_text};

/// Most models are taken; none is refused by a mistake that the lexer or parser sees.
#[test]
fn promela_models_are_taken() {
    let mut coverage = Coverage::new();
    let mut refused = Vec::new();
    for seed in 0..200 {
        let case: Case = promela::case(seed, &mut coverage);
        let text = case.model.to_string();
        if let Err(failure) = load_text("case", &text, &PromelaOptions::default()) {
            refused.push((seed, failure.diagnostics[0].message.clone()));
        }
    }
    assert!(refused.len() <= 4, "{refused:?}");
}

#[test]
fn five_hundred_promela_models_cover_a_tenth_of_the_pairs() {
    let mut coverage = Coverage::new();
    for seed in 0..500 {
        promela::case(seed, &mut coverage);
    }
    let (made, possible) = coverage.pairs(Language::Promela);
    assert!(10 * made > possible, "{coverage}");
}

#[test]
fn dve_models_are_taken_and_made_again() {
    let mut coverage = Coverage::new();
    for seed in 0..200 {
        let case = dve::case(seed, &mut coverage);
        let text = case.model.to_string();
        let options = lariat_model::dve::DveOptions { property: false };
        if let Err(failure) = lariat_model::dve::load_text("case", &text, options) {
            panic!("seed {seed}: {:?}", failure.diagnostics[0].message);
        }
        let (again, _) = dve::case_of(seed, case.wanted.clone());
        assert_eq!(case.model, again.model, "seed {seed}");
        assert_eq!(case.questions, again.questions, "seed {seed}");
    }
    let (made, possible) = coverage.pairs(Language::Dve);
    assert!(5 * made > possible, "{coverage}");
}

/// What is wanted is made: the last pairs do not wait for a lucky draw.
#[test]
fn wanted_pairs_are_made() {
    let mut coverage = Coverage::new();
    let (mut wanted, mut made) = (0, 0);
    for seed in 0..100 {
        let wishes = promela::case(seed, &mut coverage).wanted;
        let (_, cells) = promela::case_of(seed, wishes.clone());
        wanted += wishes.len();
        made += wishes.iter().filter(|wish| cells.contains(wish)).count();
    }
    assert!(10 * made > 9 * wanted, "{made} of {wanted}");
}

//! The generators of the net make models that lariat takes, and cover pairs quickly.

use lariat_bench::net::case::{Case, Language};
use lariat_bench::net::coverage::Coverage;
use lariat_bench::net::promela;
use lariat_model::promela::{Options, load_text};

/// Most models are taken; none is refused by a mistake that the lexer or parser sees.
#[test]
fn promela_models_are_taken() {
    let mut coverage = Coverage::new();
    let mut refused = Vec::new();
    for seed in 0..200 {
        let case: Case = promela::case(seed, &mut coverage);
        let text = case.model.to_string();
        if let Err(failure) = load_text("case", &text, &Options::default()) {
            refused.push((seed, failure.diagnostics[0].message.clone()));
        }
    }
    assert!(refused.len() <= 4, "{refused:?}");
}

#[test]
fn five_hundred_promela_models_cover_half_of_the_pairs() {
    let mut coverage = Coverage::new();
    for seed in 0..500 {
        promela::case(seed, &mut coverage);
    }
    let (made, possible) = coverage.pairs(Language::Promela);
    assert!(2 * made > possible, "{coverage}");
}

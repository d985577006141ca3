//! Micro-models, damaged at random: whatever is still accepted runs without a panic and has
//! the same space depth first and breadth first. The seed is printed with a failure.

use fastrand::Rng;
use lariat_model::promela::{PromelaOptions, load_text};
use lariat_search::safety::{ExploreOptions, Order, explore};
use lariat_testing::facts;

/// Replaces, drops, doubles or swaps a few words.
fn mutate(text: &str, random: &mut Rng) -> String {
    let mut words: Vec<String> =
        text.split_inclusive([' ', '\n', ';', '\t']).map(Into::into).collect();
    for _ in 0..random.usize(1..=3) {
        let (a, b) = (random.usize(..words.len()), random.usize(..words.len()));
        match random.usize(..5) {
            0 => words[a] = words[b].clone(),
            1 => words[a].clear(),
            2 => words.insert(
                a,
                ["else ", "skip; ", "atomic { ", "1", "timeout -> "][random.usize(..5)].into(),
            ),
            3 => words.swap(a, b),
            _ => words.insert(a, words[b].clone()),
        }
    }
    words.concat()
}

#[test]
fn both_orders_agree_on_damaged_models() {
    let (mut ran, mut refused) = (0, 0);
    for path in facts("promela", 278) {
        let text = std::fs::read_to_string(&path).unwrap();
        for seed in 1..=12 {
            let mut random = Rng::with_seed(seed * 7919 + text.len() as u64);
            let text = mutate(&text, &mut random);
            let Ok(loaded) = load_text("mutant.pml", &text, &PromelaOptions::default()) else {
                refused += 1;
                continue;
            };
            if loaded.model.hidden_size > 0 {
                continue;
            }
            let mut counts = Vec::new();
            for order in [Order::DepthFirst, Order::BreadthFirst] {
                let max_states = Some(2000);
                let options = ExploreOptions { order, max_states, ..Default::default() };
                let Ok(found) = explore(&loaded.model, &options) else { continue };
                if found.limit.is_none() {
                    counts.push((found.states, found.transitions, found.errors));
                }
            }
            if let [depth_first, breadth_first] = &counts[..] {
                assert_eq!(depth_first, breadth_first, "{}, seed {seed}:\n{text}", path.display());
                ran += 1;
            }
        }
    }
    println!("{ran} mutants ran, {refused} were refused");
    assert!(ran > 300);
}

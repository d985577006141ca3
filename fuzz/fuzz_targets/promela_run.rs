//! Any text that is a small Promela model: no panic, and the same space depth first and breadth
//! first.
#![no_main]

use lariat_model::promela::{PromelaOptions, load_text};
use lariat_search::safety::{ExploreOptions, Order, explore};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let Ok(loaded) = load_text("fuzz.pml", &text, &PromelaOptions::default()) else { return };
    let model = &loaded.model;
    // Large states make slow runs; what hidden variables hold depends on the order.
    let is_large = model.globals_size > 4096
        || model.proctypes.iter().any(|proctype| proctype.frame_size > 1024)
        || model.channel_types.iter().any(|channel| channel.size > 1024);
    if is_large || model.hidden_size > 0 {
        return;
    }
    let mut counts = Vec::new();
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let options = ExploreOptions { order, max_states: Some(1000), ..Default::default() };
        let Ok(found) = explore(model, &options) else { return };
        if found.limit.is_some() {
            return;
        }
        counts.push((found.states, found.transitions, found.errors));
    }
    assert_eq!(counts[0], counts[1]);
});

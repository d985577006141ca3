//! Any text that is a small DVE model: no panic, and the same space depth first and breadth
//! first.
#![no_main]

use lariat_model::dve::{DveOptions, load_text};
use lariat_search::safety::{ExploreOptions, Order, explore};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    // A large array makes large states, and then slow runs.
    let Ok(dve) = load_text("fuzz.dve", &text, DveOptions { property: true }) else { return };
    if dve.model.globals_size > 4096 {
        return;
    }
    let mut counts = Vec::new();
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let options = ExploreOptions { order, max_states: Some(2000), ..Default::default() };
        let found = explore(&dve.model, &options).expect("initial values were checked");
        if found.limit.is_some() {
            return;
        }
        counts.push((found.states, found.transitions, found.deadlocks, found.errors));
    }
    assert_eq!(counts[0], counts[1]);
});

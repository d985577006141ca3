//! Any text: no panic, no hang, and what is read can be written, read again and used.
#![no_main]

use lariat_automata::{ExplicitGraph, Tgba, classify, compile, degeneralise, dot, hoa};
use lariat_core::Marks;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let mut reader = hoa::Reader::new(&text, "fuzz.hoa");
    while let Some(item) = reader.next() {
        match item {
            Ok(tgba) => check(&tgba),
            Err(error) => assert!(reader.render(&error).contains("fuzz.hoa:")),
        }
    }
    for warning in reader.take_warnings() {
        assert!(reader.render(&warning).contains("fuzz.hoa:"));
    }
});

fn check(tgba: &Tgba) {
    let count = tgba.state_count() as u32;
    assert!(tgba.initial.iter().all(|&state| state < count));
    for edge in tgba.edges.iter().flatten() {
        assert!(edge.target < count);
        assert!(Marks::all(tgba.mark_count).contains(edge.marks));
        assert!(edge.label.max_ap().is_none_or(|ap| ap < tgba.aps.len() as u32));
    }
    let written = hoa::to_string(tgba);
    let again = hoa::Reader::new(&written, "again.hoa").next();
    let again = again.expect("one automaton").unwrap_or_else(|error| {
        panic!("{}", error.render(&written, "again.hoa"));
    });
    assert_eq!(again.initial, tgba.initial);
    assert_eq!(again.mark_count, tgba.mark_count);
    assert_eq!(again.edge_count(), tgba.edge_count());
    dot::to_string(tgba);
    ExplicitGraph::new(tgba);
    let _ = compile(tgba);
    if tgba.edge_count() < 200 {
        let classes = classify(tgba);
        let plain = degeneralise(tgba).0;
        assert_eq!(plain.is_empty(), tgba.is_empty());
        assert!(!classes.terminal || classes.weak);
        assert!(!classes.weak || classes.inherently_weak);
    }
}

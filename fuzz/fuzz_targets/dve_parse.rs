//! Any text: no panic, no hang, errors are located, and what is read can be printed and read
//! again with the same outcome.
#![no_main]

use lariat_syntax::diagnostics::{SourceMap, render};
use lariat_syntax::dve;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let mut sources = SourceMap::new();
    let Some(file) = sources.try_add("fuzz.dve", &text) else { return };
    let parsed = dve::parse(&sources, file);
    for error in &parsed.diagnostics {
        assert!(render(&sources, error, false).contains("fuzz.dve:"));
    }
    let Some(model) = parsed.tree else {
        assert!(!parsed.diagnostics.is_empty());
        return;
    };
    let printed = dve::print(&model);
    let file = sources.add("printed.dve", &printed);
    let again = dve::parse(&sources, file).tree.expect("printed text can be read");
    assert_eq!(dve::print(&again), printed);
    dve::parse_expression(&sources, file);
});

//! Any text: no panic, no hang, every message can be drawn, and a model that is accepted is
//! printed as text that is accepted and prints to itself.
//!
//! Seeds: `fuzz/seed-promela DIR` copies the micro-models to DIR, and the files of LARIAT_CORPUS if it is set.
#![no_main]

use lariat_syntax::diagnostics::{SourceMap, render};
use lariat_syntax::promela::ast::Program;
use lariat_syntax::promela::{CppOptions, parse, print};
use libfuzzer_sys::fuzz_target;

fn read(text: &str) -> (Option<Program>, String) {
    let mut sources = SourceMap::new();
    let root = sources.add("fuzz.pml", text);
    let parsed = parse(&mut sources, root, &CppOptions::default());
    let messages = parsed.diagnostics.iter().map(|diagnostic| {
        let message = render(&sources, diagnostic, false);
        assert!(message.contains("fuzz.pml:") || message.contains(':'), "no place: {message}");
        message
    });
    let messages = messages.collect();
    (parsed.program, messages)
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (Some(program), _) = read(&text) else { return };
    let printed = print(&program);
    let (again, messages) = read(&printed);
    let Some(again) = again else { panic!("{messages}\n{printed}") };
    // The first text names the inlines that it expanded in comments; the second has none.
    let plain = print(&again);
    let (last, messages) = read(&plain);
    let Some(last) = last else { panic!("{messages}\n{plain}") };
    assert_eq!(print(&last), plain);
});

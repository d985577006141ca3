//! Malformed models and the messages they get.
//!
//! `malformed.dve.txt` has cases divided by lines `===`: the model, a line `---`, then a line
//! `line:column message; remarks` for every error.

use lariat_syntax::diagnostics::{Remark, SourceMap};
use lariat_syntax::dve;

const CASES: &str = include_str!("../malformed.dve.txt");

fn messages(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("m.dve", text);
    let parsed = dve::parse(&sources, file);
    assert!(parsed.tree.is_none() || parsed.diagnostics.is_empty());
    let mut lines = String::new();
    for error in parsed.diagnostics {
        let place = sources.location(error.primary.span).expect("errors have a place");
        lines += &format!("{}:{} {}", place.line, place.column, error.message);
        for remark in &error.remarks {
            let (Remark::Note(text) | Remark::Help(text)) = remark;
            lines += &format!("; {text}");
        }
        lines.push('\n');
    }
    lines
}

#[test]
fn every_message_is_located() {
    let mut count = 0;
    let mut actual = String::new();
    for case in CASES.split("===\n") {
        let (model, _) = case.split_once("---\n").expect("model, ---, messages");
        let messages = messages(model);
        assert!(!messages.is_empty(), "accepted:\n{model}");
        if count > 0 {
            actual += "===\n";
        }
        actual += &format!("{model}---\n{messages}");
        count += 1;
    }
    assert!(count >= 60, "only {count} cases");
    if actual != CASES {
        let path = std::env::temp_dir().join("malformed.dve.txt");
        std::fs::write(&path, &actual).unwrap();
        panic!("messages differ; compare with {}", path.display());
    }
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    for (open, close) in [("(", ")"), ("- ", ""), ("not ", ""), ("t[", "]"), ("1 + ", "")] {
        let deep = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        let text = format!(
            "byte t[2]; process P {{ state a; init a; trans a -> a {{ guard {deep}; }}; }} \
             system async;"
        );
        let messages = messages(&text);
        assert!(messages.contains("nested too deeply"), "{open}: {messages}");
    }
}

#[test]
fn carriage_returns_get_one_message() {
    let text = "byte x;\r\nprocess P { state a; init a; }\r\nsystem async;\r\n";
    let messages = messages(text);
    assert!(messages.starts_with("1:8 carriage return;"), "{messages}");
    assert_eq!(messages.lines().count(), 1);
}

#[test]
fn many_errors_are_cut() {
    let messages = messages(&"byte ;\n".repeat(100));
    assert_eq!(messages.lines().count(), 20);
}

/// Drops, doubles and swaps words of the cases; the parser must end and never panic.
#[test]
fn mutated_models_end() {
    let mut random = fastrand::Rng::with_seed(0x5eed);
    let models: Vec<&str> =
        CASES.split("===\n").filter_map(|case| case.split("---\n").next()).collect();
    for _ in 0..20_000 {
        let model = models[random.usize(..models.len())];
        let mut words: Vec<&str> = model.split_inclusive([' ', ';', '{', '}', ',', '\n']).collect();
        for _ in 0..random.usize(1..=3) {
            let at = random.usize(..words.len());
            match random.usize(..3) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[random.usize(..words.len())]),
                _ => {
                    let other = random.usize(..words.len());
                    words.swap(at, other);
                }
            }
            if words.is_empty() {
                break;
            }
        }
        messages(&words.concat());
    }
}

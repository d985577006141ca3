//! Every kind of run that is shown was judged on the given model: with each set of shortcuts,
//! with each fairness. With the feature `mistakes`, runs are spoilt on purpose, and none of them
//! is shown: `cargo test -p lariat-cli --features mistakes --test all judge::`.

use std::process::Output;

use crate::desk::{Desk, report};
use serde_json::json;

/// A desk with all the models.
fn desk_with_models(name: &str) -> Desk {
    let desk = Desk::new(name);
    for (name, text) in FILES {
        desk.put(name, text);
    }
    desk
}

fn lariat(desk: &Desk, arguments: &[&str], mistake: Option<&str>) -> Output {
    let mistake = mistake.map(|mistake| ("LARIAT_MISTAKE", mistake));
    desk.command(arguments).envs(mistake).output().expect("lariat can be started")
}

const FILES: [(&str, &str); 8] = [
    (
        "m.pml",
        "byte x, unused;
inline count() { unused = (unused + 1) % 5 }
active proctype P() {
  byte old;
  do
  :: x < 3 -> old = x; count(); x = old + 1; old = 0
  :: x == 3 ->
progress: x = 0
  :: x == 1 ->
accept: x = 1
  od
}
active proctype Q() { bool q; do :: q = !q od }
never { do :: x != 3 :: x == 3 -> break od; accept_all: do :: true od }
",
    ),
    ("labels.never", "never { do :: true :: P@accept -> accept1: _last == 0 od }\n"),
    (
        "a.hoa",
        "HOA: v1
States: 1
Start: 0
AP: 1 \"x is three\"
acc-name: Buchi
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
[!0] 0
--END--
",
    ),
    (
        "m.dve",
        "byte x = 0;
process P { state a; init a; trans a -> a { guard x < 2; effect x = x + 1; }, a -> a { guard x == 2; effect x = 0; }; }
process Q { state b; init b; trans b -> b {}; }
process Watch { state w; accept w; init w; trans w -> w { guard x < 2; }, w -> w { guard x == 2; }; }
system async property Watch;
",
    ),
    ("ends.pml", "byte x; active proctype P() { x = 1; accept: x == 2 }\n"),
    (
        "wrong.pml",
        "byte x; active proctype P() { byte y; y = 1; x = y; if :: assert(x == 2) :: x = 4 / (x - 1) fi }
",
    ),
    (
        "wrong.dve",
        "byte x = 0;
process P { state a, b; init a; assert b: x == 2; trans a -> b { effect x = 1; }; }
system async;
",
    ),
    ("counts.pml", "int n; byte x; active proctype P() { do :: x = 1 - x; n++ od }\n"),
];

/// Runs that go on for ever: what judges them, the exit code, the command line.
const FOREVER: [(&str, i32, &[&str]); 13] = [
    ("formula", 1, &["m.pml", "--ltl", "[] <> (x == 3)"]),
    ("formula", 1, &["m.pml", "--ltl", "[] (x < 3 || X (x < 3))"]),
    ("formula", 0, &["m.pml", "--exists", "[] <> (x == 3)"]),
    ("formula", 1, &["ends.pml", "--ltl", "<> (x == 2)"]),
    ("claim", 1, &["m.pml", "--property", "never"]),
    ("claim", 1, &["m.pml", "--never", "labels.never"]),
    ("automaton", 1, &["m.pml", "--automaton", "a.hoa", "--bind", "x is three=x == 3"]),
    ("accept labels", 1, &["m.pml", "--property", "accept"]),
    ("accept labels", 1, &["ends.pml", "--property", "accept"]),
    ("progress labels", 1, &["m.pml", "--non-progress"]),
    ("progress labels", 1, &["ends.pml", "--non-progress", "--finite-runs", "stutter"]),
    ("claim", 1, &["m.dve", "--property", "never"]),
    ("formula", 1, &["m.dve", "--ltl", "F G (x == 2)"]),
];

/// Runs that end in an error.
const FINITE: [(&str, &[&str]); 7] = [
    ("fault", &["wrong.pml", "--safety"]),
    ("fault", &["wrong.pml", "--safety", "--no-assert"]),
    ("end state", &["ends.pml", "--safety"]),
    ("condition", &["m.pml", "--safety", "--invariant", "x < 3"]),
    ("condition", &["m.pml", "--safety", "--reach", "x == 3 && unused == 4"]),
    ("fault", &["wrong.dve"]),
    ("end state", &["wrong.dve", "--deadlock", "--no-assert"]),
];

const SHORTCUTS: [&str; 6] = ["none", "fold", "dead", "merge", "slice", "all"];

const FAIR: [Option<(&str, &str)>; 4] = [
    None,
    Some(("weak", "weak fairness")),
    Some(("strong", "strong fairness")),
    Some(("spin", "spin's fairness")),
];

fn check(desk: &Desk, arguments: &[&str], mistake: Option<&str>) -> Output {
    let usual = ["check", "--json", "--quiet", "--lasso", "run.json"];
    lariat(desk, &[&usual, arguments].concat(), mistake)
}

#[test]
fn every_run_was_judged_on_the_given_model() {
    let desk = desk_with_models("judged");
    let judged = |arguments: &[&str], code: i32, by: &[&str]| {
        let output = check(&desk, arguments, None);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        let properties = report(&output)["properties"].clone();
        // Safety is answered beside other questions, and has no run.
        let with_run = properties.as_array().into_iter().flatten().find(|p| !p["run"].is_null());
        let judged = with_run.map(|property| property["run"]["judged"].clone());
        assert_eq!(judged, Some(json!(by)), "{arguments:?}");
        let again = desk.lariat(&["replay", "run.json"]);
        let said = String::from_utf8_lossy(&again.stderr);
        assert_eq!(again.status.code(), Some(0), "{arguments:?}: {said}");
    };
    for shortcuts in SHORTCUTS {
        for (by, code, arguments) in FOREVER {
            for fair in FAIR {
                let mut arguments = [arguments, &["--shortcuts", shortcuts]].concat();
                let mut by = vec![by];
                if let Some((fair, name)) = fair {
                    arguments.extend(["--fair", fair]);
                    by.push(name);
                }
                judged(&arguments, code, &by);
            }
        }
        for (by, arguments) in FINITE {
            judged(&[arguments, &["--shortcuts", shortcuts]].concat(), 1, &[by]);
        }
    }
}

/// What a slice leaves out may count for longer than anybody goes round: then it is not left out.
#[test]
fn a_counter_that_is_left_out() {
    let desk = desk_with_models("counts");
    let arguments = ["counts.pml", "--ltl", "<> [] (x == 1)", "--shortcuts", "all"];
    let output = check(&desk, &[&arguments[..], &["--depth-limit", "9999"]].concat(), None);
    let report = report(&output);
    assert_eq!(output.status.code(), Some(3), "{report}");
    assert_eq!(report["verdict"], "inconclusive");
}

/// An escape goes before what it is an escape from, in claims as well.
#[test]
fn claims_with_unless() {
    let desk = desk_with_models("unless");
    let claims = [
        ("do :: { x == 0 -> break } unless { x >= 0 } od", 0),
        ("do :: { x == 0 -> break } unless { x > 0 } od", 1),
        ("do :: { x == 3 -> break } unless { x < 3 } od", 1),
    ];
    for (claim, code) in claims {
        let file = desk.folder.join("unless.never");
        std::fs::write(file, format!("never {{ {claim} }}\n")).expect("a file can be written");
        let output = check(&desk, &["m.pml", "--never", "unless.never"], None);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{claim}: {said}");
    }
}

#[cfg(feature = "mistakes")]
mod mistakes {
    use super::*;

    fn is_internal_error(desk: &Desk, arguments: &[&str], mistake: &str, says: &str) {
        let output = check(desk, arguments, Some(mistake));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{mistake}: {arguments:?}: {said}");
        assert!(said.contains(says), "{mistake}: {arguments:?}: {said}");
        assert!(said.contains("This is a bug in lariat"), "{said}");
        let report = report(&output);
        assert_eq!((&report["exit"], &report["failure"]), (&json!(4), &json!("internal error")));
        assert_eq!(report["verdict"], "inconclusive", "{mistake}: {arguments:?}");
        let file = report["internal_error"]["file"].as_str().expect("a file");
        let saved = desk.json(file);
        assert_eq!(saved["model"], arguments[0]);
        assert_eq!(saved["error"], report["internal_error"]["message"]);
        let words = saved["command"].as_array().expect("the command line");
        assert!(arguments.iter().all(|word| words.contains(&json!(word))), "{words:?}");
        let text = FILES.iter().find(|(name, _)| *name == arguments[0]).expect("a model").1;
        let sources = saved["sources"].as_array().expect("texts");
        assert!(sources.iter().any(|source| source["text"] == *text), "the model's text");
        std::fs::remove_file(desk.folder.join(file)).expect("it can be removed");
    }

    #[test]
    fn spoilt_runs_are_not_shown() {
        let desk = desk_with_models("spoilt");
        let wrong = "the run that was found is wrong";
        for (_, _, arguments) in FOREVER.iter().filter(|case| case.2[0] != "ends.pml") {
            for shortcuts in ["none", "all"] {
                for fair in ["weak", "strong", "spin"] {
                    let more = ["--shortcuts", shortcuts, "--fair", fair];
                    let arguments = [arguments, &more[..]].concat();
                    is_internal_error(&desk, &arguments, "lasso-drops-a-step", wrong);
                }
                let arguments = [arguments, &["--shortcuts", shortcuts][..]].concat();
                is_internal_error(&desk, &arguments, "lasso-drops-a-step", wrong);
            }
            let arguments = [arguments, &["--shortcuts", "dead"][..]].concat();
            is_internal_error(&desk, &arguments, "retrace-wrong", wrong);
        }
        for (_, arguments) in FINITE {
            for shortcuts in ["none", "all"] {
                let arguments = [arguments, &["--shortcuts", shortcuts][..]].concat();
                is_internal_error(&desk, &arguments, "trace-drops-a-step", wrong);
            }
        }
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        let desk = desk_with_models("panic");
        let arguments = ["m.pml", "--ltl", "[] (x < 3)"];
        is_internal_error(&desk, &arguments, "panic-in-a-check", "a mistake on purpose");
        // Where the file cannot be, it is among temporary files.
        let name = "m.pml.lariat-bug.json";
        std::fs::create_dir(desk.folder.join(name)).expect("a folder");
        let file = std::env::temp_dir().join(name);
        is_internal_error(&desk, &arguments, "panic-in-a-check", &file.to_string_lossy());
        // The others are answered all the same.
        let several = ["check", "--junit", "j.xml", "wrong.pml", "m.pml", "--threads", "2"];
        let output = lariat(&desk, &several, Some("panic-in-a-check"));
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains("1 violated") && said.contains("internal error"), "{said}");
        let junit = desk.read("j.xml");
        assert!(junit.contains("type=\"internal-error\""), "{junit}");
    }
}

//! Runs of every kind of property are saved, and replayed only as long as they are true.

use crate::desk::{Desk, text};
use serde_json::{Value, json};

const LABELS: &str = "byte x;
active proctype P() {
  do
  :: x < 3 -> x++
  :: x == 3 ->
progress: x = 0
  :: x == 1 ->
accept: x = 1
  od
}
active proctype Q() { bool q; do :: q = !q od }
never { do :: x != 3 :: x == 3 -> break od; accept_all: do :: true od }
";

const AUTOMATON: &str = "HOA: v1
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
";

const DVE: &str = "byte x = 0;
process P { state a; init a; trans a -> a { guard x < 2; effect x = x + 1; }, a -> a { guard x == 2; effect x = 0; }; }
process Watch { state w; accept w; init w; trans w -> w { guard x < 2; }, w -> w { guard x == 2; }; }
system async property Watch;
";

#[test]
fn every_kind_of_property() {
    let desk = Desk::new("kinds");
    desk.put("m.pml", LABELS);
    desk.put("n.hoa", AUTOMATON);
    desk.put("claim.pml", "never { accept: do :: x < 200 od }\n");
    desk.put("m.dve", DVE);
    desk.put("div.pml", "byte x = 1; init { x = 0; x = 1 / x }\n");
    desk.put("ends.pml", "byte x; init { x = 1; x == 2 }\n");
    let cases: &[(&str, i32, &[&str])] = &[
        ("ltl", 1, &["m.pml", "--ltl", "[] <> (x == 3)"]),
        ("exists", 0, &["m.pml", "--exists", "[] <> (x == 3)"]),
        ("weak", 1, &["m.pml", "--ltl", "[] <> (x == 3)", "--fair", "weak"]),
        ("strong", 1, &["m.pml", "--ltl", "<> [] (x == 3)", "--fair", "strong"]),
        (
            "fair-to-one",
            1,
            &["m.pml", "--ltl", "[] (x < 3)", "--fair", "weak", "--fair-process", "Q"],
        ),
        ("never", 1, &["m.pml", "--property", "never"]),
        ("never-file", 1, &["m.pml", "--never", "claim.pml"]),
        ("accept", 1, &["m.pml", "--property", "accept"]),
        ("non-progress", 1, &["m.pml", "--non-progress"]),
        ("automaton", 1, &["m.pml", "--automaton", "n.hoa", "--bind", "x is three=x == 3"]),
        ("dve", 1, &["m.dve"]),
        ("dve-ltl", 1, &["m.dve", "--ltl", "F G (x == 2)"]),
        ("invariant", 1, &["m.pml", "--invariant", "x < 3", "--safety"]),
        ("fault", 1, &["div.pml"]),
        ("end", 1, &["ends.pml"]),
        ("rest", 1, &["ends.pml", "--ltl", "<> (x == 2)"]),
    ];
    for (name, code, arguments) in cases {
        let file = format!("{name}.json");
        let found = desk.lariat(&[&["check", "--quiet", "--lasso", &file], *arguments].concat());
        assert_eq!(found.status.code(), Some(*code), "{name}: {}", text(&found));
        let again = desk.lariat(&["replay", &file]);
        assert_eq!(again.status.code(), Some(0), "{name}: {}", text(&again));
        // Every view of it can be made.
        let views = ["--msc", "--vars", "all", "--svg", "x.svg", "--itf", "x.itf", "--full-trace"];
        let shown = desk.lariat(&[&["replay", &file], &views[..]].concat());
        assert_eq!(shown.status.code(), Some(0), "{name}: {}", text(&shown));
        let itf = desk.json("x.itf");
        let saved = desk.json(&file);
        let run = &saved["runs"][0];
        // What is decided by a beginning is shown so far; saved is all that was judged.
        let is_decided = text(&again).contains("the property, however the run goes on");
        assert_eq!(is_decided, ["fair-to-one", "never"].contains(name), "{name}");
        match run["ending"].as_str() {
            _ if is_decided => assert!(itf["loop"].is_null(), "{name}"),
            Some("loop") => assert_eq!(itf["loop"], run["loop_start"], "{name}"),
            Some("rest") => {
                assert_eq!(itf["loop"], run["steps"].as_array().unwrap().len(), "{name}")
            }
            _ => assert!(itf["loop"].is_null(), "{name}"),
        }
        assert_eq!(itf["#meta"]["format"], "ITF");
        let vars = itf["vars"].as_array().expect("variables");
        for state in itf["states"].as_array().expect("states") {
            assert!(vars.iter().all(|var| state.get(var.as_str().unwrap()).is_some()), "{name}");
        }
        forgeries_are_refused(&desk, name, &saved);
    }
}

/// A file that claims what is not so is refused, whatever was changed.
fn forgeries_are_refused(desk: &Desk, name: &str, saved: &Value) {
    let steps = saved["runs"][0]["steps"].as_array().expect("steps").len();
    let mut forgeries: Vec<(&str, Value)> = Vec::new();
    let mut forge = |what, change: &dyn Fn(&mut Value)| {
        let mut copy = saved.clone();
        change(&mut copy);
        if copy != *saved {
            forgeries.push((what, copy));
        }
    };
    forge("the hash", &|file| file["model"]["sha256"] = json!("00"));
    forge("the version", &|file| file["version"] = json!(2));
    forge("a process", &|file| file["runs"][0]["steps"][steps - 1][0][0] = json!(7));
    forge("a command", &|file| file["runs"][0]["steps"][0][0][1] = json!(4_000_000));
    forge("the kind", &|file| file["runs"][0]["kind"] = json!("hearsay"));
    forge("the last step", &|file| {
        let steps = file["runs"][0]["steps"].as_array_mut().expect("steps");
        steps.pop();
    });
    if !saved["runs"][0]["error"].is_null() {
        forgeries.retain(|(what, _)| *what != "the kind");
    }
    for (what, forged) in forgeries {
        desk.put("forged.json", &forged.to_string());
        let refused = desk.lariat(&["replay", "forged.json"]);
        assert_eq!(refused.status.code(), Some(2), "{name}, {what}: {}", text(&refused));
    }
}

#[test]
fn a_formula_is_asked_again() {
    let desk = Desk::new("formula");
    desk.put("m.pml", LABELS);
    let found = desk.lariat(&["check", "m.pml", "--ltl", "[] <> (x == 3)", "--lasso", "a.json"]);
    assert_eq!(found.status.code(), Some(1));
    let mut saved = desk.json("a.json");
    // The run breaks another formula than this one.
    saved["runs"][0]["formula"] = json!("[] (x < 9)");
    desk.put("b.json", &saved.to_string());
    let refused = desk.lariat(&["replay", "b.json"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused).contains("the formula says otherwise"), "{}", text(&refused));
}

#[test]
fn a_changed_model_is_refused() {
    let desk = Desk::new("changed");
    desk.put("limit.h", "#define LIMIT 2\n");
    desk.put("m.pml", "#include \"limit.h\"\nbyte x; init { x++; x++; assert(x < LIMIT) }\n");
    assert_eq!(desk.lariat(&["check", "m.pml"]).status.code(), Some(1));
    assert_eq!(desk.lariat(&["replay", "m.pml.lasso.json"]).status.code(), Some(0));
    // Not the model itself, but what it includes.
    desk.put("limit.h", "#define LIMIT 3\n");
    let refused = desk.lariat(&["replay", "m.pml.lasso.json"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused).contains("has changed"), "{}", text(&refused));
    assert!(desk.folder.join("m.pml.lasso.json").exists());
}

/// Checks `m.pml`; whether there is a file of its runs then.
fn leaves_a_file(desk: &Desk, model: &str, code: i32, arguments: &[&str]) -> bool {
    desk.put("m.pml", model);
    let output = desk.lariat(&[&["check", "m.pml"], arguments].concat());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    desk.folder.join("m.pml.lasso.json").exists()
}

const WRONG: &str =
    "byte x; active proctype P() { x = 1; assert(x == 0) } ltl zero { [] (x == 0) }";
const RIGHT: &str =
    "byte x; active proctype P() { x = 0; assert(x == 0) } ltl zero { [] (x == 0) }";

#[test]
fn runs_that_are_none_any_more_are_removed() {
    let desk = Desk::new("stale");
    assert!(leaves_a_file(&desk, WRONG, 1, &[]));
    assert!(!leaves_a_file(&desk, RIGHT, 0, &[]));
    // The formula itself was mended.
    assert!(leaves_a_file(&desk, WRONG, 1, &["--property", "zero"]));
    assert!(!leaves_a_file(
        &desk,
        &WRONG.replace("(x == 0) }", "(x < 2) }"),
        0,
        &["--property", "zero"]
    ));
    assert!(leaves_a_file(&desk, WRONG, 1, &["--ltl", "[] (x == 0)"]));
    assert!(!leaves_a_file(&desk, RIGHT, 0, &["--ltl", "[] (x == 0)"]));
}

#[test]
fn runs_that_may_still_be_are_kept() {
    let desk = Desk::new("kept");
    // Another question, or the same one of a model that was read in another way.
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &["--property", "zero"]),
        (&[], &["--safety"]),
        (&["--safety"], &["--safety", "--no-assert"]),
        (&["--safety"], &["--safety", "-DX=1"]),
        (&["--safety", "--invariant", "x == 0"], &["--safety"]),
        (&["--ltl", "[] (x == 0)"], &["--ltl", "[] (x < 2)"]),
        (&["--ltl", "[] (x == 0)"], &["--ltl", "[] (x == 0)", "--fair", "weak"]),
        (&["--ltl", "[] (x == 0)"], &["--ltl", "[] (x == 0)", "--finite-runs", "ignore"]),
        (&["--ltl", "[] (x == 0)"], &["--ltl", "[] (x == 0)", "--no-save"]),
        (&["--ltl", "[] (x == 0)"], &["--ltl", "[] (x == 0)", "--lasso", "other.json"]),
    ];
    for (before, now) in cases {
        assert!(leaves_a_file(&desk, WRONG, 1, before));
        assert!(leaves_a_file(&desk, RIGHT, 0, now), "{before:?}, {now:?}");
    }
    // No answer.
    assert!(leaves_a_file(&desk, WRONG, 1, &[]));
    assert!(leaves_a_file(&desk, RIGHT, 3, &["--depth-limit", "1"]));
    // A file of another model, or none of ours.
    let saved = desk.json("m.pml.lasso.json");
    let mut other = saved.clone();
    other["model"]["path"] = json!("other/m.pml");
    let mut format = saved.clone();
    format["format"] = json!("something");
    for text in [other.to_string(), format.to_string(), "notes".to_owned(), String::new()] {
        desk.put("m.pml.lasso.json", &text);
        assert!(leaves_a_file(&desk, RIGHT, 0, &[]), "{text}");
    }
}

/// A saved run knows its model from any directory; if the model was moved, `--model` is named.
#[test]
fn from_another_directory() {
    let desk = Desk::new("elsewhere");
    std::fs::create_dir_all(desk.folder.join("models/parts")).expect("a folder");
    std::fs::create_dir_all(desk.folder.join("runs")).expect("a folder");
    desk.put("models/m.pml", "#include \"x.h\"\ninit { x = 1; x == 2 }\n");
    desk.put("models/parts/x.h", "byte x;\n");
    let check = ["check", "models/m.pml", "-I", "models/parts"];
    assert_eq!(desk.lariat(&check).status.code(), Some(1));
    let elsewhere = [&check[..], &["--lasso", "runs/m.json"]].concat();
    assert_eq!(desk.lariat(&elsewhere).status.code(), Some(1));
    let replay = |directory: &str, file: &str| {
        let mut lariat = desk.command(&["replay", file]);
        lariat.current_dir(desk.folder.join(directory));
        lariat.output().expect("lariat can be started")
    };
    for (directory, file) in [
        ("", "m.pml.lasso.json"),
        ("", "runs/m.json"),
        ("runs", "../m.pml.lasso.json"),
        ("runs", "m.json"),
        ("models/parts", "../../runs/m.json"),
    ] {
        let output = replay(directory, file);
        assert_eq!(output.status.code(), Some(0), "{directory} {file}: {}", text(&output));
    }
    std::fs::remove_file(desk.folder.join("models/m.pml")).expect("it can be removed");
    let output = replay("runs", "m.json");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("--model"), "{}", text(&output));
}

//! A search that was cut, or whose store is lossy, proves nothing, and says so: exit code 3 in
//! the report for people, in JSON, in JUnit and in Spin's lines alike.

use std::process::Command;

struct Said {
    code: Option<i32>,
    stdout: String,
    junit: String,
}

fn check(name: &str, model: &str, arguments: &[&str]) -> Said {
    let junit = std::env::temp_dir().join(format!("lariat-{}-{name}.xml", std::process::id()));
    let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["check", model, "--no-save", "--junit"])
        .arg(&junit)
        .args(arguments)
        .output()
        .expect("lariat can be started");
    let text = std::fs::read_to_string(&junit).expect("a JUnit report is written");
    std::fs::remove_file(&junit).expect("the report can be removed");
    Said {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        junit: text,
    }
}

/// Checks with a limit: in the human report, then as JSON, then in Spin's words.
fn is_inconclusive(name: &str, arguments: &[&str], because: &str) {
    is_inconclusive_for(LARGE, name, arguments, because);
}

fn is_inconclusive_for(model: &str, name: &str, arguments: &[&str], because: &str) {
    let people = check(name, model, arguments);
    assert_eq!(people.code, Some(3), "{name}: {}", people.stdout);
    assert!(people.stdout.contains("inconclusive: "), "{name}: {}", people.stdout);
    assert!(people.stdout.contains(because), "{name}: {}", people.stdout);
    assert!(!people.stdout.contains("holds"), "{name}: {}", people.stdout);

    assert!(people.junit.contains("errors=\"1\""), "{name}: {}", people.junit);
    assert!(people.junit.contains("type=\"inconclusive\""), "{name}: {}", people.junit);
    assert!(people.junit.contains(because), "{name}: {}", people.junit);

    let scripts = check(name, model, &[arguments, &["--json"]].concat());
    assert_eq!(scripts.code, Some(3));
    let object: serde_json::Value = serde_json::from_str(&scripts.stdout).expect("JSON");
    assert_eq!(object["verdict"], "inconclusive", "{name}");
    assert_eq!(object["exit"], 3, "{name}");
    let property = &object["properties"][0];
    assert_eq!(property["verdict"], "inconclusive", "{name}");
    assert!(property["reason"].as_str().is_some_and(|r| r.contains(because)), "{name}: {property}");

    let spin = check(name, model, &[arguments, &["--report", "spin"]].concat());
    assert_eq!(spin.code, Some(3));
    assert!(spin.stdout.contains("Search not completed"), "{name}: {}", spin.stdout);
    assert!(spin.stdout.contains("errors: 0"), "{name}: {}", spin.stdout);
    assert!(spin.stdout.contains(because), "{name}: {}", spin.stdout);
}

/// Some 16 million states.
const LARGE: &str = "tests/data/large.pml";
const FORMULA: [&str; 2] = ["--ltl", "[] (a <= 255)"];

#[test]
fn depth_limit() {
    let limit = ["--depth-limit", "5"];
    is_inconclusive("depth", &limit, "the depth limit was reached");
    is_inconclusive("depth-bfs", &["--depth-limit", "5", "--bfs"], "the depth limit was reached");
    is_inconclusive("depth-ltl", &[FORMULA, limit].concat(), "the depth limit was reached");
}

#[test]
fn memory_limit() {
    let limit = ["--max-memory", "1M"];
    is_inconclusive("memory", &limit, "the memory limit was reached");
    is_inconclusive("memory-ltl", &[FORMULA, limit].concat(), "the memory limit was reached");
}

/// Without a limit of ours: the system gives no more memory.
#[cfg(target_os = "linux")]
#[test]
fn memory_of_the_system() {
    for algorithm in ["se", "dijkstra", "gabow"] {
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 500000 && exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_lariat"))
            .args(["check", LARGE, "--no-save", "--algorithm", algorithm])
            .args(["--ltl", "[] <> (a <= 255)"])
            .output()
            .expect("a shell can be started");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{algorithm}: {output:?}");
        assert!(said.contains("inconclusive: ") && said.contains("memory"), "{said}");
    }
}

#[test]
fn time_limit() {
    let limit = ["--time-limit", "0.05"];
    is_inconclusive("time", &limit, "the time limit was reached");
    is_inconclusive("time-ltl", &[FORMULA, limit].concat(), "the time limit was reached");
}

#[test]
fn bit_state() {
    for check in ["auto", "se", "dijkstra", "gabow", "hpy"] {
        let lossy = ["--property", "exclusion", "--bitstate", "20", "--algorithm", check];
        let model = "../../examples/mutex.pml";
        is_inconclusive_for(model, check, &lossy, "no counterexample found (lossy)");
    }
}

/// A model that cannot be read is no reason to forget the others, nor to call it passed.
#[test]
fn bad_input_beside_a_model() {
    let model = "tests/data/typo.pml";
    let said = check("typo", model, &["../../examples/peterson.pml", "--json", "--quiet"]);
    assert_eq!(said.code, Some(2), "{}", said.stdout);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!(object["verdict"], "inconclusive");
    assert_eq!(object["models"][0]["failure"], "bad input");
    let message = object["models"][0]["message"].as_str().expect("a message");
    assert!(message.contains("tests/data/typo.pml:"), "{message}");
    assert!(said.junit.contains("tests/data/typo.pml:"), "{}", said.junit);
    assert_eq!(object["models"][1]["verdict"], "holds");
    assert!(said.junit.contains("type=\"bad-input\""), "{}", said.junit);
    assert!(said.junit.contains("tests=\"2\" skipped=\"0\" failures=\"0\" errors=\"1\""));
}

/// `([]<>a0 -> <>[]b0) && …`: its automaton takes long.
fn conjuncts(count: usize) -> String {
    let parts: Vec<_> = (0..count).map(|i| format!("([]<>a{i} -> <>[]b{i})")).collect();
    parts.join(" && ")
}

/// A model with as many propositions, and little else.
fn propositions(name: &str, count: usize) -> std::path::PathBuf {
    let names: Vec<_> = (0..count).map(|i| format!("a{i}, b{i}")).collect();
    let text = format!("bit {}; active proctype P() {{ skip }}\n", names.join(", "));
    let path = std::env::temp_dir().join(format!("lariat-{}-{name}.pml", std::process::id()));
    std::fs::write(&path, text).expect("a model can be written");
    path
}

/// No work goes on after the limit: the search would take a minute here.
#[test]
fn time_limit_while_a_formula_is_translated() {
    let path = propositions("formula", 8);
    let formula = conjuncts(8);
    let limit = ["--ltl", &formula, "--time-limit", "0.3"];
    let model = path.to_str().expect("a plain name");
    let because = "the time limit was reached while the formula was translated";
    is_inconclusive_for(model, "translate", &limit, because);
    // One property does not use up the time of the others.
    let each = ["--ltl", &formula, "--ltl", "[] !a0", "--time-limit-each", "1"];
    let said = check("each", model, &each);
    assert_eq!(said.code, Some(3), "{}", said.stdout);
    assert!(said.stdout.contains("--ltl#1 inconclusive"), "{}", said.stdout);
    assert!(said.stdout.contains("--ltl#2 holds"), "{}", said.stdout);
    std::fs::remove_file(path).expect("the model can be removed");
}

/// A formula that is too large has one exit code, wherever it is met.
#[test]
fn formulas_that_cannot_be_translated() {
    let path = propositions("marks", 70);
    // One after the other, each with an acceptance set of its own.
    let formula = (0..70).rev().fold("true".to_owned(), |f, i| format!("<>(a{i} && X {f})"));
    let model = path.to_str().expect("a plain name");
    let said = check("marks", model, &["--exists", &formula, "--exists", "<> a0"]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    let because = "--exists#1 inconclusive: cannot translate the formula";
    assert!(said.stdout.contains(because), "{}", said.stdout);
    assert!(said.stdout.contains("--exists#2 no run exists"), "{}", said.stdout);
    std::fs::remove_file(path).expect("the model can be removed");
    for command in ["translate", "cross"] {
        let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .args([command, "--max-states", "3", "G F a & G F b & (c U d) & F (e & F d)"])
            .output()
            .expect("lariat can be started");
        assert_eq!(output.status.code(), Some(3), "{command}: {output:?}");
    }
}

/// The limit is for all models together: those that it leaves no time for say so.
#[test]
fn time_limit_of_several_models() {
    let said = check("several", LARGE, &[LARGE, "../../examples/mutex.pml", "--time-limit", "0.2"]);
    assert_eq!(said.code, Some(3), "{}", said.stdout);
    assert!(said.junit.contains("errors=\"3\""), "{}", said.junit);
    assert!(!said.stdout.contains("holds "), "{}", said.stdout);
}

/// The run that was found is shown, though the limit falls into the search for a shorter one.
#[test]
fn a_run_is_not_lost_in_the_search_for_a_shorter_one() {
    // Depth first, the end is near; breadth first, everything else is nearer.
    let text = "byte a, b, c, d;
active proctype A() { do :: a++ od }
active proctype B() { do :: b++ od }
active proctype C() { do :: c++ od }
active proctype Long() {
  do :: d < 200 -> d++ :: d == 200 -> break od;
  assert(false)
}
";
    let path = std::env::temp_dir().join(format!("lariat-{}-long.pml", std::process::id()));
    std::fs::write(&path, text).expect("a model can be written");
    let model = path.to_str().expect("a plain name");
    let said = check("shorter", model, &["--shortest", "--time-limit", "2"]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    assert!(said.stdout.contains("there may be a shorter run"), "{}", said.stdout);
    std::fs::remove_file(path).expect("the model can be removed");
}

/// One step takes for ever, or the model is very long: the program is ended by force, with a report
/// that has all properties.
#[test]
fn work_that_does_not_look_at_the_clock() {
    let path = std::env::temp_dir().join(format!("lariat-{}-steps.pml", std::process::id()));
    let text = "int x, y, z;
active proctype P() { atomic { do :: x++ :: y++ :: z++ :: x + y == -1 -> break od } }
ltl p { [] (z >= 0) }
";
    std::fs::write(&path, text).expect("a model can be written");
    let model = path.to_str().expect("a plain name");
    let said = check("steps", model, &["--time-limit", "1", "--max-memory", "100M", "--json"]);
    assert_eq!(said.code, Some(3), "{}", said.stdout);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    for (at, name) in ["safety", "p"].into_iter().enumerate() {
        let property = &object["properties"][at];
        assert_eq!(property["name"], name, "{object}");
        assert_eq!(property["verdict"], "inconclusive", "{object}");
    }
    assert!(said.junit.contains("errors=\"2\""), "{}", said.junit);
    let long = format!("byte x; init {{ {} skip }}", "x = 1; ".repeat(300_000));
    std::fs::write(&path, long).expect("a model can be written");
    let said = check("long", model, &["--time-limit", "0.1", "--json"]);
    assert_eq!(said.code, Some(3), "{}", said.stdout);
    std::fs::remove_file(path).expect("the model can be removed");
}

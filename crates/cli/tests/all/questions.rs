//! Questions about states stand beside each other, each with its own answer; shortest runs and
//! counts.

use std::path::PathBuf;
use std::process::{Command, Output};

fn lariat(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(arguments)
        .output()
        .expect("lariat can be started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A model in a file of its own.
fn model(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("lariat-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("a model can be written");
    path
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let (_, stdout, stderr) = lariat(&[arguments, &["--json", "--no-save"]].concat());
    serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("no JSON: {stdout}{stderr}"))
}

#[test]
fn reach_and_invariants_beside_safety() {
    // x is 3 only behind the violated assertion, and never 9; 7 / x fails where x is 0.
    let path = model(
        "reach.pml",
        "byte x;\nactive proctype P() { x = 1; assert(x == 2); x = 3 }\nltl one { <> (x == 1) }\n",
    );
    let file = path.to_str().expect("a plain name");
    let questions =
        ["--reach", "x == 3", "--reach", "x == 9", "--reach", "7 / x == 7", "--invariant", "x < 3"];
    let arguments = [&["check", file, "--no-save"][..], &questions].concat();
    let (code, stdout, stderr) = lariat(&arguments);
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    for line in [
        "safety violated: assertion violated",
        "`x == 3` can be reached (",
        "`x == 9` cannot be reached (",
        "`7 / x == 7` can be reached (",
        "invariant `x < 3` violated (",
        "one holds (",
    ] {
        assert!(stdout.contains(line), "{line} is missing: {stdout}");
    }
    let object = json(&[&["check", file][..], &questions].concat());
    let found: Vec<_> = object["properties"].as_array().expect("a list").iter().collect();
    let said = |key: &str| found.iter().map(|entry| entry[key].clone()).collect::<Vec<_>>();
    let names = ["safety", "--invariant#1", "--reach#1", "--reach#2", "--reach#3", "one"];
    assert_eq!(said("name"), names);
    let verdicts = ["violated", "violated", "violated", "holds", "violated", "holds"];
    assert_eq!(said("verdict"), verdicts);
    assert_eq!(said("kind")[1..4], ["invariant", "reach", "reach"]);
    assert_eq!(said("formula")[3], "x == 9");
    // With other properties only, safety is not asked for.
    let object = json(&["check", file, "--ltl", "<> (x == 1)", "--reach", "x == 9"]);
    assert_eq!(object["exit"], 0);
    assert_eq!(object["properties"].as_array().map(Vec::len), Some(2));
    std::fs::remove_file(path).expect("the model can be removed");
}

#[test]
fn junit_has_a_case_for_each_question() {
    let path = model("junit.pml", "byte x; active proctype P() { x = 1 }");
    let report = std::env::temp_dir().join(format!("lariat-{}-junit.xml", std::process::id()));
    let (file, report) = (path.to_str().expect("a name"), report.to_str().expect("a name"));
    let questions = ["--reach", "x == 1", "--reach", "x == 2", "--invariant", "x < 2"];
    let (code, ..) =
        lariat(&[&["check", file, "--no-save", "--junit", report][..], &questions].concat());
    assert_eq!(code, Some(1));
    let junit = std::fs::read_to_string(report).expect("a report");
    assert!(junit.contains("tests=\"4\" skipped=\"0\" failures=\"1\" errors=\"0\""), "{junit}");
    assert!(junit.contains("--reach#1 x == 1") && junit.contains("can be reached"), "{junit}");
    for file in [file, report] {
        std::fs::remove_file(file).expect("it can be removed");
    }
}

/// Depth first, the long way round comes first.
const ROUND: &str = "byte x;
active proctype P() {
  if
  :: x = 1; x = 2; x = 3; x = 4; x = 5
  :: x = 9
  fi;
  assert(false)
}
";

#[test]
fn shortest_applies_to_safety() {
    let path = model("shortest.pml", ROUND);
    let file = path.to_str().expect("a plain name");
    let steps = |options: &[&str]| {
        let object = json(&[&["check", file, "--shortcuts", "none"][..], options].concat());
        object["properties"][0]["run"]["prefix"]["steps"].as_u64().expect("steps")
    };
    assert_eq!((steps(&["--dfs"]), steps(&["--shortest"]), steps(&["--bfs"])), (6, 2, 2));
    assert_eq!(steps(&["--shortest", "--safety"]), 2);
    std::fs::remove_file(path).expect("the model can be removed");
}

/// Two processes: one is stuck after one step, the other fails in its first.
#[test]
fn an_error_of_a_state_is_nearer_than_one_of_a_step_from_it() {
    let text = "chan dead = [0] of { bit };
bool goes;
active proctype P() { if :: goes = 1; dead?1 :: skip; goes = 0; assert(goes) fi }
";
    let path = model("nearer.pml", text);
    let file = path.to_str().expect("a plain name");
    let object = json(&["check", file, "--shortest", "--shortcuts", "none"]);
    assert_eq!(object["properties"][0]["run"]["prefix"]["steps"], 1, "{object}");
    assert_eq!(object["properties"][0]["error"]["kind"], "invalid-end-state");
    std::fs::remove_file(path).expect("the model can be removed");
}

#[test]
fn count_in_either_order() {
    let count = |options: &[&str]| {
        let (code, stdout, stderr) = lariat(
            &[&["count", "../../examples/broken_mutex.pml", "--json"][..], options].concat(),
        );
        assert_eq!(code, Some(0), "{stdout}{stderr}");
        serde_json::from_str::<serde_json::Value>(&stdout).expect("JSON")
    };
    let (usual, breadth, depth) = (count(&[]), count(&["--bfs"]), count(&["--dfs"]));
    for key in ["states", "transitions", "errors"] {
        assert_eq!((&usual[key], &breadth[key]), (&depth[key], &depth[key]), "{key}");
    }
    assert_eq!(usual["depth"], breadth["depth"]);
    assert!(usual["depth"].as_u64() < depth["depth"].as_u64(), "Spin's depth is of its search");
    let (code, _, stderr) = lariat(&["count", "../../examples/mutex.pml", "--bfs", "--dfs"]);
    assert_eq!(code, Some(2), "{stderr}");
}

#[test]
fn progress_names_the_property_and_explains_the_restart() {
    let large = ["check", "tests/data/large.pml", "--no-save", "--progress", "always"];
    let (_, stdout, stderr) = lariat(&[&large[..], &["--time-limit", "3"]].concat());
    assert!(stderr.contains("large.pml: safety: nothing found in the first 100,000"), "{stderr}");
    let shown = |name: &str, stderr: &str| {
        let start = format!("tests/data/large.pml: {name}: ");
        stderr.lines().any(|line| line.starts_with(&start) && line.contains(" states/s"))
    };
    assert!(shown("safety", &stderr), "{stderr}");
    assert!(stdout.contains("inconclusive"), "{stdout}");
    let temporal = ["--ltl", "[] (a <= 255)", "--time-limit", "3"];
    let (_, _, stderr) = lariat(&[&large[..], &temporal].concat());
    assert!(stderr.contains("large.pml: --ltl#1: not decided by the first 20,000"), "{stderr}");
    assert!(shown("--ltl#1", &stderr), "{stderr}");
    let (_, _, stderr) = lariat(&["check", "../../examples/mutex.pml", "--no-save"]);
    assert_eq!(stderr, "", "no terminal");
}

#[test]
fn labels_at_jumps_are_control_points_wherever_they_are_named() {
    // P rests at l for one step, but only if something asks for l.
    let text = "#define there P@l\nbyte a;\n\
                active proctype P() { a = 1; l: goto again; again: do :: a = 1 - a od }\n";
    let path = model("labels.pml", text);
    let file = path.to_str().expect("a plain name");
    let automaton = model(
        "labels.hoa",
        "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"P@l\"\nAcceptance: 1 Inf(0)\n--BODY--\n\
         State: 0\n[!0] 0\n[0] 1\nState: 1 {0}\n[t] 1\n--END--\n",
    );
    let automaton = automaton.to_str().expect("a plain name");
    let asked: [&[&str]; 8] = [
        &["--ltl", "[] !P@l"],
        &["--ltl", "[] !there"],
        &["--ltl", "[] !P[a - a]@l"],
        &["--ltl", "[] !q", "--bind", "q=P@l"],
        &["--invariant", "!P@l"],
        &["--reach", "there"],
        &["--automaton", automaton],
        &["--exists", "<> there"],
    ];
    for question in asked {
        let (code, stdout, stderr) = lariat(&[&["check", file, "--no-save"], question].concat());
        let wanted = if question[0] == "--exists" { 0 } else { 1 };
        assert_eq!(code, Some(wanted), "{question:?}: {stdout}{stderr}");
    }
    // A saved run is replayed on the same model.
    let saved = path.with_extension("lasso.json");
    let saved = saved.to_str().expect("a plain name");
    let (code, ..) = lariat(&["check", file, "--ltl", "[] !there", "--lasso", saved]);
    assert_eq!(code, Some(1));
    let (code, stdout, stderr) = lariat(&["replay", saved]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    // In a block, with an index of its own.
    let block = model("block.pml", &format!("{text}byte i[2];\nltl p {{ [] !P[i[1]]@l }}\n"));
    let (code, stdout, stderr) = lariat(&["check", block.to_str().expect("a name"), "--no-save"]);
    assert_eq!(code, Some(1), "{stdout}{stderr}");
}

#[test]
fn nothing_holds_behind_a_fatal_error() {
    // What P would do behind the division is not known, with whatever check.
    let path = model("fatal.pml", "byte x, g;\nactive proctype P() { g = 1; x = 1 / x; g = 2 }\n");
    let file = path.to_str().expect("a plain name");
    for more in [&[][..], &["--interpret"], &["--bfs"], &["--algorithm", "se"], &["--fair", "weak"]]
    {
        let ask =
            |formula| lariat(&[&["check", file, "--no-save", "--ltl", formula], more].concat());
        let (code, stdout, stderr) = ask("[] (g < 2)");
        assert_eq!(code, Some(3), "{more:?}: {stdout}{stderr}");
        assert!(stdout.contains("inconclusive: run-time error: division by zero"), "{stdout}");
        let (code, stdout, stderr) = ask("[] (g < 1)");
        assert_eq!(code, Some(1), "{more:?}: {stdout}{stderr}");
    }
    // One part of a property cannot be proved, another is violated.
    let text = "byte x, g; bool p;\nactive proctype P() {\n  if :: x = 1 / x :: skip fi;\n  \
                do :: p = 1; p = 0 :: g = 1 od\n}\n";
    let path = model("fatal_part.pml", text);
    let file = path.to_str().expect("a plain name");
    for (formula, expected) in [("[] (g < 2) && []<> p", 1), ("[] (g < 2) && []<> (g < 2)", 3)] {
        let (code, stdout, stderr) = lariat(&["check", file, "--no-save", "--ltl", formula]);
        assert_eq!(code, Some(expected), "{formula}: {stdout}{stderr}");
    }
    // It need not be the last that is seen.
    let text = "byte x, g;\nactive proctype P() {\n  if :: x = 1 / x; g = 1 :: skip fi;\n  \
                do :: x = 1 - x od\n}\n";
    let path = model("fatal_early.pml", text);
    let file = path.to_str().expect("a plain name");
    for more in [&[][..], &["--interpret"], &["--bfs"], &["--algorithm", "se"], &["--fair", "weak"]]
    {
        let ask = ["check", file, "--no-save", "--ltl", "[] (g < 1)"];
        let (code, stdout, stderr) = lariat(&[&ask, more].concat());
        assert_eq!(code, Some(3), "{more:?}: {stdout}{stderr}");
    }
}

#[test]
fn shortest_is_the_nearest_violation() {
    // The run with the shortest loop violates the formula at its fourth step, another at its first.
    let text = "byte x, y;\nactive proctype P() {\n  if\n  \
                :: y = 1; y = 2; y = 3; x = 1; do :: y = 0 od\n  \
                :: x = 1; do :: y < 40 -> y++ :: else -> y = 39 od\n  fi\n}\n";
    let path = model("nearest.pml", text);
    let file = path.to_str().expect("a plain name");
    let ask = ["check", file, "--no-save", "--ltl", "[] (x == 0)", "--shortest"];
    let (code, stdout, stderr) = lariat(&ask);
    assert_eq!(code, Some(1), "{stdout}{stderr}");
    assert!(stdout.contains("step 1 violates the property"), "{stdout}");
}

#[test]
fn a_variable_of_a_dve_process_in_a_formula() {
    let text = "process P { byte x; state a; init a; trans a -> a { effect x = 1 - x; }; }\n\
                system async;\n";
    let path = model("variable.dve", text);
    let file = path.to_str().expect("a plain name");
    let (code, _, stderr) = lariat(&["check", file, "--no-save", "--ltl", "[] (P->x == 0)"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("--bind 'p=P->x == 0' --ltl '[] p'"), "{stderr}");
    let as_told = ["check", file, "--no-save", "--bind", "p=P->x == 0", "--ltl", "[] p"];
    let (code, stdout, stderr) = lariat(&as_told);
    assert_eq!(code, Some(1), "{stdout}{stderr}");
}

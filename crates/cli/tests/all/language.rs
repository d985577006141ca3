//! What models mean, where it is easy to get wrong: loops inside atomic sequences, propositions
//! that cannot be evaluated, and what Spin itself gets wrong (docs/promela-differences.md).

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Nothing that these choose may change an answer.
const WAYS: [&[&str]; 6] = [
    &[],
    &["--interpret"],
    &["--shortcuts", "none"],
    &["--dfs"],
    &["--system-store", "flat"],
    &["--interpret", "--shortcuts", "none", "--dfs"],
];

fn lariat(arguments: &[&str], text: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("lariat can be started");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(text.as_bytes()).expect("the model can be written");
    drop(stdin);
    child.wait_with_output().expect("lariat ends")
}

fn report(arguments: &[&str], text: &str) -> Value {
    let output = lariat(&[&["check", "-", "--no-save", "--json"], arguments].concat(), text);
    let said = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&said).unwrap_or_else(|error| {
        panic!("{error}: {said}{}", String::from_utf8_lossy(&output.stderr))
    })
}

/// The verdict of each property, by name.
fn verdicts(arguments: &[&str], text: &str) -> BTreeMap<String, String> {
    let report = report(arguments, text);
    let properties = report["properties"].as_array().expect("a list");
    let of = |property: &Value, key: &str| property[key].as_str().expect("a text").to_owned();
    properties.iter().map(|property| (of(property, "name"), of(property, "verdict"))).collect()
}

fn expect(arguments: &[&str], text: &str, expected: &[(&str, &str)]) {
    for way in WAYS {
        let found = verdicts(&[arguments, way].concat(), text);
        for (name, verdict) in expected {
            let known = found.get(*name).map(String::as_str);
            assert_eq!(known, Some(*verdict), "{name} with {arguments:?} {way:?}\n{text}");
        }
    }
}

fn models(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder)
}

#[test]
fn where_spin_is_wrong() {
    let expected = [
        ("undo_index.pml", "safety", "holds"),
        ("undo_receive.pml", "safety", "holds"),
        ("undo_eval.pml", "safety", "holds"),
        ("undo_channel.pml", "safety", "holds"),
        ("priority.pml", "safety", "violated"),
        ("d_step_printf.pml", "safety", "violated"),
        ("claim_timeout.pml", "unseen", "violated"),
        ("reduced_claim.pml", "never", "violated"),
        ("reduced_fair.pml", "served", "violated"),
        ("reduced_pid.pml", "safety", "violated"),
        ("reduced_count.pml", "safety", "violated"),
    ];
    for (file, property, verdict) in expected {
        let path = models("spin_wrong").join(file);
        let text = std::fs::read_to_string(&path).expect("a model");
        let fair: &[&str] = if file == "reduced_fair.pml" { &["--fair", "weak"] } else { &[] };
        expect(fair, &text, &[(property, verdict)]);
    }
    let files = std::fs::read_dir(models("spin_wrong")).expect("a folder").count();
    assert_eq!(files, expected.len(), "each model has a row above");
}

/// Six states inside, each of which the loop may be left from. What nobody reads would be left out.
const LOOP: &str = "byte w, b; bool done;
active proctype P() {
	atomic { do :: w = (w + 1) % 3 :: b = 2 :: break od };
	done = true;
	assert(done || w + b == 9)
}
ltl ends { <> done }
ltl bounded { [] (w < 3 && b != 1) }
ltl reached { [] !(done && w == 2 && b == 2) }
ltl next { X (done || w < 3) }
";

#[test]
fn a_loop_inside_an_atomic_sequence_ends_with_all_its_exits() {
    for way in WAYS {
        let report = report(&[&["--safety"], way].concat(), LOOP);
        let safety = &report["properties"][0];
        assert_eq!(safety["verdict"], "holds", "{safety}");
        // The initial state, and four states for each pair of values at the exit.
        assert_eq!(safety["statistics"]["states"], 1 + 4 * 6, "{way:?} {safety}");
    }
    let said = [("bounded", "holds"), ("reached", "violated"), ("next", "holds")];
    expect(&[], LOOP, &said);
}

#[test]
fn a_run_that_stays_inside_is_a_run() {
    expect(&[], LOOP, &[("ends", "violated")]);
    // Others cannot move while the sequence lasts, so fairness is no help.
    expect(&["--fair", "weak"], LOOP, &[("ends", "violated")]);
    let output = lariat(&["check", "-", "--no-save", "--property", "ends"], LOOP);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("then it stays inside the atomic sequence for ever:"), "{text}");
    assert_eq!(output.status.code(), Some(1));
    // It sees the state before, again and again, and no state inside.
    let no_way_out = "byte x;\ninit { atomic { do :: x = 1 - x od } }
ltl p { <> (x == 1) }\nltl q { [] (x == 0) }";
    expect(&[], no_way_out, &[("safety", "holds"), ("p", "violated"), ("q", "holds")]);
}

/// Staying is for ever: nobody stays a while and then goes on, which X would notice.
#[test]
fn who_stays_inside_does_not_come_out() {
    let text = "byte w, y; bool t;
active proctype P() { y = 1; atomic { do :: w = 1 - w :: break od }; t = 1 }
ltl first { X (y == 1) }
ltl second { X X (t == 0) }
ltl goes_on { X X (w == 0 -> (([] !t) || X t)) }
";
    expect(&[], text, &[("first", "holds"), ("second", "holds"), ("goes_on", "holds")]);
}

#[test]
fn progress_and_accept_labels_count_inside() {
    let with = "byte w;
active proctype P() { atomic { w = 1; do :: w == 1 -> progress: w = 2; w = 1 od } }";
    let without = "byte w;
active proctype P() { atomic { w = 1; do :: w == 1 -> w = 2; w = 1 od } }";
    let both = "byte w;
active proctype P() { atomic { do :: w = 1 - w :: w == 1 -> progress: w = 0; skip od } }";
    for search in ["--non-progress", "--non-progress=direct"] {
        expect(&[search], with, &[("non-progress", "holds")]);
        expect(&[search], without, &[("non-progress", "violated")]);
        expect(&[search], both, &[("non-progress", "violated")]);
    }
    let accepting = "byte w;
active proctype P() { atomic { w = 1; do :: w == 1 -> accept: w = 2; w = 1 od } }";
    expect(&[], accepting, &[("accept", "violated")]);
}

/// Native code is at work long before the loop is met.
#[test]
fn a_late_loop_is_found_by_native_code_too() {
    let text = "byte a, b, w;
active proctype A() { do :: a < 60 -> a++ :: a == 60 -> a = 0 od }
active proctype B() { do :: b < 60 -> b++ :: b == 60 -> b = 0 od }
active proctype P() {
	do :: atomic { a == 59 && b == 57 -> do :: w = (w + 1) % 3 :: break od } od
}
ltl moves { []<> (a != 59) }
ltl small { [] (w < 3) }
";
    let mut counts: BTreeMap<bool, Value> = BTreeMap::new();
    for way in WAYS {
        let report = report(&[&["--property", "small"], way].concat(), text);
        let small = &report["properties"][0];
        assert_eq!(small["verdict"], "holds", "{small}");
        let states = &small["statistics"]["states"];
        let first = counts.entry(way.contains(&"none")).or_insert_with(|| states.clone());
        assert_eq!(first, states, "{way:?}");
    }
    expect(&[], text, &[("moves", "violated")]);
}

/// A proposition that cannot be evaluated is neither true nor false, unless another decides.
#[test]
fn propositions_without_a_value() {
    let text = "chan q; byte x, a[3];
active proctype P() { do :: x < 5 -> x++ :: x == 5 -> x = 0 od }
ltl length { [] (len(q) < 5) }
ltl divides { [] (10 / x < 100) }
ltl index { [] (a[x] == 0) }
ltl guarded { [] (x < 3 -> a[x] == 0) }
ltl other { [] (nempty(q) -> false) }
";
    let none = "inconclusive";
    let expected = [
        ("length", none),
        ("divides", none),
        ("index", none),
        ("guarded", "holds"),
        ("other", none),
    ];
    expect(&[], text, &expected);
    let report = report(&["--property", "length"], text);
    let reason = report["properties"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("channel variable is not initialised at "), "{reason}");
    expect(
        &[],
        "byte x, a[3];
active proctype P() { do :: x < 5 -> x++ :: x == 5 -> x = 0 od }
never { do :: a[x] == 1 -> break :: true od }",
        &[("never", none)],
    );
    // In a process it is an error of safety; so it is in an invariant.
    expect(&["--safety", "--invariant", "len(q) < 5"], text, &[("--invariant#1", "violated")]);
}

//! Models that say what is right.

use std::process::Command;

use crate::desk::Desk;

fn check(desk: &Desk, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = desk.lariat(&[&["check", "--no-save"], arguments].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

const MODEL: &str = "byte x;\nactive proctype P() { x = 1; x = 2 }\nltl low { [] (x < 2) }\n";

#[test]
fn as_expected_or_not() {
    let desk = Desk::new("expect");
    let expecting = |what: &str| format!("/* lariat: expect {what} */\n{MODEL}");
    for (what, code, said) in [
        ("low violated", 0, "low violated, as expected"),
        ("low violated, safety holds", 0, "safety holds, as expected"),
        ("low holds", 1, "low violated, NOT as expected: holds"),
        ("safety holds", 1, "safety holds, as expected"),
        ("low violated safety violated", 1, "safety holds, NOT as expected: violated"),
        ("low violated states 4", 0, "states holds"),
        ("low violated states 7", 1, "7 states expected, not 4"),
        ("low inconclusive", 1, "NOT as expected"),
    ] {
        desk.put("m.pml", &expecting(what));
        let (found, stdout, stderr) = check(&desk, &["m.pml"]);
        assert_eq!(found, Some(code), "{what}: {stdout}{stderr}");
        assert!(stdout.contains(said), "{what}: {stdout}");
    }
    // Options that change the question, or that ask only for other things.
    desk.put("m.pml", &expecting("low holds"));
    assert_eq!(check(&desk, &["m.pml", "--safety"]).0, Some(0));
    assert_eq!(check(&desk, &["m.pml", "--ignore-expectations"]).0, Some(1));
    let (code, stdout, _) = check(&desk, &["m.pml", "--fair", "weak"]);
    assert!(code == Some(1) && !stdout.contains("expected"), "{stdout}");
    let (_, stdout, stderr) = check(&desk, &["m.pml", "m.pml", "--fair", "weak"]);
    assert!(!stdout.contains("as expected") && stderr.contains("with --fair"), "{stdout}{stderr}");
}

#[test]
fn a_file_beside_the_model() {
    let desk = Desk::new("beside");
    desk.put("m.pml", MODEL).put("m.pml.expect", "# all of it\nlow violated # by x = 2\n");
    assert_eq!(check(&desk, &["m.pml"]).0, Some(0));
    desk.put("m.pml.expect", "low violated\n  lo holds\n");
    let (code, _, stderr) = check(&desk, &["m.pml"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("m.pml.expect:2:3") && stderr.contains("no property `lo`"), "{stderr}");
}

#[test]
fn a_name_without_a_property_is_located() {
    let desk = Desk::new("located");
    desk.put("m.pml", &format!("{MODEL}// lariat: expect law violated\n"));
    let (code, _, stderr) = check(&desk, &["m.pml"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("m.pml:4:19") && stderr.contains("no property `law`"), "{stderr}");
    assert!(stderr.contains("safety, low"), "{stderr}");
}

#[test]
fn a_folder_is_a_regression_suite() {
    let desk = Desk::new("suite");
    desk.put("a.pml", &format!("/* lariat: expect low violated */ {MODEL}"));
    desk.put(
        "b.dve",
        "// lariat: expect safety holds\nbyte x;\nprocess P { state a; init a; }\nsystem async;\n",
    );
    let (code, stdout, stderr) = check(&desk, &["."]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("2 of 2 as expected"), "{stdout}");
    desk.put("c.pml", &format!("/* lariat: expect low holds */ {MODEL}"));
    let (code, stdout, _) = check(&desk, &[".", "--json", "--junit", "report.xml"]);
    assert_eq!(code, Some(1), "{stdout}");
    let object: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let low = &object["models"][2]["properties"][1];
    assert_eq!((&low["expected"], &low["as_expected"]), (&"holds".into(), &false.into()));
    assert_eq!(object["models"][0]["exit"], 0);
    let junit = desk.read("report.xml");
    assert!(junit.contains("failures=\"1\"") && junit.contains("not-as-expected"), "{junit}");
    assert!(junit.contains("holds expected, but violated"), "{junit}");
}

/// The examples say what they show, but for the one of README and the tutorial: its exit code is
/// that of a violated property.
#[test]
fn the_examples_are_as_expected() {
    let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["check", "../../examples", "--no-save", "--quiet"])
        .output()
        .expect("lariat can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let is_other = |line: &&str| line.starts_with("../../examples") && !line.contains("spinlock");
    let others: Vec<&str> = said.lines().filter(is_other).collect();
    let is_right = |line: &&str| line.contains("as expected") && !line.contains("NOT");
    assert!(others.len() > 8 && others.iter().all(is_right), "{said}");
}

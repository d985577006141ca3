//! Models that say what is right.

use std::path::PathBuf;
use std::process::{Command, Output};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("lariat-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory can be made");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> &Self {
        std::fs::write(self.0.join(name), text).expect("a file can be written");
        self
    }

    fn check(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let output: Output = Command::new(env!("CARGO_BIN_EXE_lariat"))
            .arg("check")
            .args(arguments)
            .arg("--no-save")
            .current_dir(&self.0)
            .output()
            .expect("lariat can be started");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const MODEL: &str = "byte x;\nactive proctype P() { x = 1; x = 2 }\nltl low { [] (x < 2) }\n";

#[test]
fn as_expected_or_not() {
    let folder = Folder::new("expect");
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
        folder.write("m.pml", &expecting(what));
        let (found, stdout, stderr) = folder.check(&["m.pml"]);
        assert_eq!(found, Some(code), "{what}: {stdout}{stderr}");
        assert!(stdout.contains(said), "{what}: {stdout}");
    }
    // Options that change the question, or that ask only for other things.
    folder.write("m.pml", &expecting("low holds"));
    assert_eq!(folder.check(&["m.pml", "--safety"]).0, Some(0));
    assert_eq!(folder.check(&["m.pml", "--ignore-expectations"]).0, Some(1));
    let (code, stdout, _) = folder.check(&["m.pml", "--fair", "weak"]);
    assert!(code == Some(1) && !stdout.contains("expected"), "{stdout}");
    let (_, stdout, stderr) = folder.check(&["m.pml", "m.pml", "--fair", "weak"]);
    assert!(!stdout.contains("as expected") && stderr.contains("with --fair"), "{stdout}{stderr}");
}

#[test]
fn a_file_beside_the_model() {
    let folder = Folder::new("beside");
    folder.write("m.pml", MODEL).write("m.pml.expect", "# all of it\nlow violated # by x = 2\n");
    assert_eq!(folder.check(&["m.pml"]).0, Some(0));
    folder.write("m.pml.expect", "low violated\n  lo holds\n");
    let (code, _, stderr) = folder.check(&["m.pml"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("m.pml.expect:2:3") && stderr.contains("no property `lo`"), "{stderr}");
}

#[test]
fn a_name_without_a_property_is_located() {
    let folder = Folder::new("located");
    folder.write("m.pml", &format!("{MODEL}// lariat: expect law violated\n"));
    let (code, _, stderr) = folder.check(&["m.pml"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("m.pml:4:19") && stderr.contains("no property `law`"), "{stderr}");
    assert!(stderr.contains("safety, low"), "{stderr}");
}

#[test]
fn a_folder_is_a_regression_suite() {
    let folder = Folder::new("suite");
    folder.write("a.pml", &format!("/* lariat: expect low violated */ {MODEL}"));
    folder.write(
        "b.dve",
        "// lariat: expect safety holds\nbyte x;\nprocess P { state a; init a; }\nsystem async;\n",
    );
    let (code, stdout, stderr) = folder.check(&["."]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.contains("2 of 2 as expected"), "{stdout}");
    folder.write("c.pml", &format!("/* lariat: expect low holds */ {MODEL}"));
    let (code, stdout, _) = folder.check(&[".", "--json", "--junit", "report.xml"]);
    assert_eq!(code, Some(1), "{stdout}");
    let object: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let low = &object["models"][2]["properties"][1];
    assert_eq!((&low["expected"], &low["as_expected"]), (&"holds".into(), &false.into()));
    assert_eq!(object["models"][0]["exit"], 0);
    let junit = std::fs::read_to_string(folder.0.join("report.xml")).expect("a report");
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

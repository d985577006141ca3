//! Every command of the tutorial, and README's first, run in the folder of the project.
//! `TRYCMD=overwrite cargo test -p lariat-cli --test tutorial` writes what they print now.

use std::path::Path;

#[test]
fn tutorial() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::set_current_dir(project).expect("the folder of the project");
    trycmd::TestCases::new().case("docs/tutorial.md");
}

#[test]
fn readme() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(project.join("README.md")).expect("README.md");
    let first = readme.split("```sh\n").nth(1).and_then(|rest| rest.lines().next());
    let command = first.expect("a command").strip_prefix("cargo run -- ");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_lariat"))
        .current_dir(project)
        .args(command.expect("it runs lariat").split_whitespace())
        .arg("--no-save")
        .output()
        .expect("lariat can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    // One model of which everything holds, one with a lasso.
    let held = said.lines().filter(|line| line.starts_with("examples/ticket.pml"));
    assert!(held.clone().count() == 3 && held.clone().all(|line| line.contains("holds")), "{said}");
    assert!(said.contains("examples/spinlock.pml: served violated"), "{said}");
    assert!(said.contains("then for ever, 5 steps:"), "{said}");
}

/// The picture on the first page is what the command beside it draws.
#[test]
fn picture() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(project.join("README.md")).expect("README.md");
    let command = readme.split("<!-- cargo run -- ").nth(1).expect("the command");
    let command = command.split(" --svg docs/lasso.svg -->").next().expect("its end");
    let drawn = std::env::temp_dir().join(format!("lariat-lasso-{}.svg", std::process::id()));
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_lariat"))
        .current_dir(&project)
        .args(command.split_whitespace())
        .arg("--svg")
        .arg(&drawn)
        .output()
        .expect("lariat can be started");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let found = std::fs::read_to_string(&drawn).expect("a picture");
    let _ = std::fs::remove_file(&drawn);
    let kept = std::fs::read_to_string(project.join("docs/lasso.svg")).expect("docs/lasso.svg");
    assert_eq!(found, kept, "run the command of README.md once more");
}

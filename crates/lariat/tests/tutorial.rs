//! Every command of the tutorial, and README's first, run in the folder of the project.
//! `TRYCMD=overwrite cargo test -p lariat --test tutorial` writes what they print now.

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
    let command = first.expect("a command").strip_prefix("cargo run --release -- ");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_lariat"))
        .current_dir(project)
        .args(command.expect("it runs lariat").split_whitespace())
        .arg("--no-save")
        .output()
        .expect("lariat can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    // The examples say what is violated in them.
    assert_eq!(output.status.code(), Some(0), "{said}");
    // One model of which everything holds, one with a lasso.
    let held = said.lines().filter(|line| line.starts_with("examples/ticket.pml"));
    assert!(held.clone().count() == 3 && held.clone().all(|line| line.contains("holds")), "{said}");
    assert!(said.contains("examples/spinlock.pml: served violated"), "{said}");
    assert!(said.contains("then for ever, 5 steps:"), "{said}");
}

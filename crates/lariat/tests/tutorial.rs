//! Every command of the tutorial, run in the folder of the project.
//! `TRYCMD=overwrite cargo test -p lariat --test tutorial` writes what they print now.

use std::path::Path;

#[test]
fn tutorial() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::set_current_dir(project).expect("the folder of the project");
    trycmd::TestCases::new().case("docs/tutorial.md");
}

//! The command line as users and scripts see it: one file for each session, replayed.
//! `TRYCMD=overwrite cargo test -p lariat-cli --test cli` writes what the commands print now.

#[test]
fn sessions() {
    trycmd::TestCases::new().case("tests/cmd/*.md").case("tests/cmd/*.toml");
}

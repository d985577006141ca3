//! The table of `bench/ltl.md` without the rest of lariat:
//! `cargo run --release -p lariat-ltl --example sizes LISTS [PATTERNS..] > bench/ltl.md`,
//! with LISTS as in `docs/corpus.md`.

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("give the folder with formulas/ and csv/")?;
    let patterns: Vec<_> = arguments.map(Into::into).collect();
    print!("{}", lariat_ltl::bench::table(folder.as_ref(), &patterns, 200_000)?);
    Ok(())
}

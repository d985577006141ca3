//! The table of `bench/ltl.md` without the rest of lariat:
//! `cargo run --release -p lariat-ltl --example sizes ../shared/ltl > bench/ltl.md`.

fn main() -> Result<(), String> {
    let folder = std::env::args().nth(1).ok_or("give the folder with formulas/ and csv/")?;
    print!("{}", lariat_ltl::bench::table(folder.as_ref(), 200_000)?);
    Ok(())
}

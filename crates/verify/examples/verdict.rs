//! Checks a formula on a model and reads the verdict:
//! `cargo run -p lariat-verify --example verdict -- examples/spinlock.pml '[]<> (inside == 1)'`

use lariat_verify::{Config, Limits, Model, Verdict};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(formula)) = (arguments.next(), arguments.next()) else {
        return Err("usage: verdict MODEL FORMULA".into());
    };
    let mut model = Model::load(path)?;
    let question = model.ltl(&formula)?;
    let limits = Limits { memory: Some(1 << 30), ..Limits::default() };
    let answer = model.check(question, &Config { limits, ..Config::default() })?;
    match &answer.verdict {
        Verdict::Holds => println!("holds on every run ({} states)", answer.statistics.states),
        Verdict::Violated(run) => println!("violated by this run:\n{}", model.show(run)),
        Verdict::Inconclusive(why) => println!("nobody knows: {why}"),
        // `Model::exists` asks for a run.
        Verdict::Found(run) => println!("this run is as wanted:\n{}", model.show(run)),
        Verdict::Refuted => println!("no run is as wanted"),
    }
    Ok(())
}

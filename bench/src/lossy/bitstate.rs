//! Bit-state searches of models that an exact search does not get through in 1 GiB: lariat's and
//! Spin's, each with 2^31 bits and three hash functions, without reduction and shortcuts, so that both walk the
//! same states.

use std::fmt::Write as _;
use std::path::Path;

use super::{Lariat, Run, ask, path_of, timed};
use crate::versus::spin::Scratch;

/// Models, with how much work their processes do.
pub const MODELS: [(&str, u32); 5] = [
    ("late_audit", 30),
    ("late_commit", 27),
    ("late_config", 8),
    ("late_handshake", 24),
    ("late_token", 30),
];

/// 256 MiB.
const BITS: &str = "31";

/// States of a search by Spin, and what it took.
fn spin(model: &str, work: u32, most: f64) -> Result<(u64, Run), String> {
    let scratch = Scratch::new(&format!("bitstate-{model}")).map_err(|error| error.to_string())?;
    let folder = scratch.path();
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let model = path_of(model).display().to_string();
    let spin = [words(&format!("-DWORK={work} -o1 -o2 -o3 -a")), vec![model]].concat();
    timed(Path::new("spin"), &spin, folder, 60.0)?;
    let flags = "-O2 -w -DBITSTATE -DSAFETY -DNOREDUCE -o pan pan.c";
    timed(Path::new("gcc"), &words(flags), folder, 60.0)?;
    let args = words(&format!("-A -E -w{BITS} -k3 -m1000000"));
    let run = timed(&folder.join("pan"), &args, folder, most)?;
    let line = run.said.lines().find(|line| line.contains("states, stored"));
    let states = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    let states = states.ok_or_else(|| format!("no answer of pan: {}", run.said))?;
    Ok((states as u64, run))
}

/// The table: a row for each model with this in its name.
pub fn table(lariat: Lariat<'_>, only: &str) -> Result<String, String> {
    let mut out = String::from(
        "| model | work | exact in 1 GiB | Spin: states | processor s | lariat: states | processor s \
         | bits set |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (model, work) in MODELS.into_iter().filter(|(model, _)| model.contains(only)) {
        let any = Lariat { most: f64::INFINITY, ..lariat };
        let exact = ask(any, model, work, &["--no-assert", "--no-deadlock", "--max-memory", "1G"])?;
        let (states, pan) = spin(model, work, lariat.most)?;
        let usual = ["--no-assert", "--no-deadlock", "--shortcuts", "none", "-k", "3"];
        let ours = ask(lariat, model, work, &[&usual[..], &["--bitstate", BITS]].concat())?;
        let row = format!(
            "| {model} | {work} | {} at {} states | {states} | {:.1} | {} | {:.1} | {} |",
            exact.reason,
            exact.states,
            pan.cpu,
            ours.states,
            ours.run.cpu,
            ours.filling()
        );
        eprintln!("{row}");
        let _ = writeln!(out, "{row}");
    }
    Ok(out)
}

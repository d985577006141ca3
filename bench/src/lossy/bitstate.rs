//! Bit-state searches of models that an exact search does not get through in 1 GiB: lariat's and
//! Spin's, each with as many bits and three hash functions, without reduction and shortcuts, so that both walk the
//! same states. With 2^31 bits (256 MiB) both are ended after the same processor time; with 2^24 they end by
//! themselves, as the array is full.

use std::fmt::Write as _;
use std::path::Path;

use super::{Lariat, Run, ask, path_of, timed};
use crate::versus::spin::Scratch;

/// Models, with how much work their processes do, and the array's bits as a power of two.
const MODELS: [(&str, u32, u32); 7] = [
    ("late_audit", 30, 31),
    ("late_commit", 27, 31),
    ("late_config", 10, 31),
    ("late_handshake", 24, 31),
    ("late_token", 30, 31),
    ("late_audit", 30, SMALL),
    ("late_config", 10, SMALL),
];

/// 2 MiB.
const SMALL: u32 = 24;

/// States of a search by Spin, and what it took.
fn spin(model: &str, work: u32, bits: u32, most: f64) -> Result<(u64, Run), String> {
    let scratch = Scratch::new(&format!("bitstate-{model}")).map_err(|error| error.to_string())?;
    let folder = scratch.path();
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let model = path_of(model).display().to_string();
    let spin = [words(&format!("-DWORK={work} -o1 -o2 -o3 -a")), vec![model]].concat();
    timed(Path::new("spin"), &spin, folder, 60.0)?;
    let flags = "-O2 -w -DBITSTATE -DSAFETY -DNOREDUCE -o pan pan.c";
    timed(Path::new("gcc"), &words(flags), folder, 60.0)?;
    let args = words(&format!("-A -E -w{bits} -k3 -m1000000"));
    let run = timed(&folder.join("pan"), &args, folder, most)?;
    let line = run.said.lines().find(|line| line.contains("states, stored"));
    let states = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    let states = states.ok_or_else(|| format!("no answer of pan: {}", run.said))?;
    Ok((states as u64, run))
}

/// The table: a row for each model with this in its name.
pub fn table(lariat: Lariat<'_>, only: &str) -> Result<String, String> {
    let mut out = String::from(
        "| model | work | exact in 1 GiB | bits | Spin: states | processor s | lariat: states | processor s \
         | bits set | lariat / Spin |\n|---|---:|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (model, work, bits) in MODELS.into_iter().filter(|(model, ..)| model.contains(only)) {
        let usual = ["--no-assert", "--no-deadlock"];
        let exact = match bits {
            SMALL => "as above".to_owned(),
            _ => {
                let any = Lariat { most: f64::INFINITY, ..lariat };
                let exact = ask(any, model, work, &[&usual[..], &["--max-memory", "1G"]].concat())?;
                format!("{} ({}) at {} states", exact.verdict, exact.reason, exact.states)
            }
        };
        let (states, pan) = spin(model, work, bits, lariat.most)?;
        let bits_text = bits.to_string();
        let bitstate = ["--shortcuts", "none", "--no-por", "-k", "3", "--bitstate", &bits_text];
        let ours = ask(lariat, model, work, &[&usual[..], &bitstate].concat())?;
        let row = format!(
            "| {model} | {work} | {exact} | 2^{bits} | {states} | {:.1} | {} | {:.1} | {} | {:.2} |",
            pan.cpu,
            ours.states,
            ours.run.cpu,
            ours.filling(),
            ours.states as f64 / states as f64
        );
        eprintln!("{row}");
        let _ = writeln!(out, "{row}");
    }
    Ok(out)
}

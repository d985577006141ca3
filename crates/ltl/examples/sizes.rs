//! Sizes beside Spot's; a work in progress.
use lariat_ltl::syntax::{self, ParseOptions};
use lariat_ltl::translate::*;
use lariat_ltl::*;
use std::time::Instant;
fn main() {
    let dir = "../shared/ltl";
    let args: Vec<String> = std::env::args().skip(1).collect();
    let verbose = args.iter().any(|a| a == "-v");
    let mut lists: Vec<String> = args.iter().filter(|a| !a.starts_with('-')).cloned().collect();
    if lists.is_empty() {
        for e in std::fs::read_dir(format!("{dir}/formulas")).unwrap() {
            lists
                .push(e.unwrap().file_name().to_str().unwrap().trim_end_matches(".ltl").to_owned());
        }
        lists.sort();
    }
    for list in lists {
        let text = std::fs::read_to_string(format!("{dir}/formulas/{list}.ltl")).unwrap();
        let csv = std::fs::read_to_string(format!("{dir}/csv/{list}.csv")).unwrap();
        let mut out = format!("{list:28}");
        for (config, buchi) in [("tgba-high", false), ("ba-high", true)] {
            for pol in ["pos", "neg"] {
                let rows: Vec<Vec<&str>> = csv
                    .lines()
                    .map(|l| l.splitn(21, ',').collect::<Vec<_>>())
                    .filter(|r: &Vec<&str>| r[1] == pol && r[2] == config)
                    .collect();
                let (mut ms, mut me, mut ss, mut se) = (0, 0, 0, 0);
                let start = Instant::now();
                let mut all = Formulas::new();
                let mut tr = Translator::new(Options::default().buchi(buchi));
                for (i, line) in text.lines().enumerate() {
                    let f = syntax::parse(&mut all, line, ParseOptions::default()).unwrap().formula;
                    let f = if pol == "neg" { all.not(f) } else { f };
                    let row = &rows[i];
                    if row[3] != "ok" {
                        continue;
                    }
                    let (s, e): (usize, usize) = (row[4].parse().unwrap(), row[5].parse().unwrap());
                    let t1 = Instant::now();
                    match tr.translate(&mut all, f) {
                        Ok(t) => {
                            let (a, b) = (t.automaton.state_count(), t.automaton.edge_count());
                            ms += a;
                            me += b;
                            if verbose && (a, b) != (s, e) {
                                println!(
                                    "{} {config} {pol} {}: {a},{b} spot {s},{e} det {} {:?}  {line}   [{}]",
                                    if (a, b) > (s, e) { "WORSE" } else { "better" },
                                    i + 1,
                                    row[11],
                                    t1.elapsed(),
                                    syntax::Printer::new(&all).text(t.simplified)
                                );
                            }
                        }
                        Err(x) => {
                            println!("{list} {}: {x}", i + 1);
                            continue;
                        }
                    }
                    ss += s;
                    se += e;
                }
                out += &format!(
                    " | {pol} {ms:5}/{ss:<5} {me:6}/{se:<6} {:5.0}ms{}",
                    start.elapsed().as_secs_f64() * 1e3,
                    if ms > ss {
                        "S"
                    } else if me > se {
                        "E"
                    } else {
                        " "
                    }
                );
            }
        }
        println!("{out}");
    }
}

//! `bench-core table [REPETITIONS [N]]`: every variant in a process of its own, interleaved,
//! the median of the repetitions, as a Markdown table with ratios.

use std::process::Command;

/// Variant, and the one it is compared with.
const ROWS: &[(&str, &str)] = &[
    ("hand-dfs", "hand-dfs"),
    ("reach", "hand-dfs"),
    ("hand-se", "hand-se"),
    ("se", "hand-se"),
    ("cvwy", "hand-dfs"),
    ("hpy", "hand-dfs"),
    ("gmz", "hand-dfs"),
    ("and", "hand-dfs"),
    ("sd", "hand-dfs"),
    ("tauriainen", "hand-dfs"),
    ("tarjan", "hand-dfs"),
    ("gv", "hand-dfs"),
    ("c99", "enumerate-couvreur"),
    ("ascc", "hand-dfs"),
    ("tarjan-tgba", "enumerate-tarjan"),
    ("dijkstra", "enumerate-dijkstra"),
    ("gabow", "enumerate-gabow"),
    ("enumerate-tarjan", "hand-dfs"),
    ("enumerate-dijkstra", "hand-dfs"),
    ("enumerate-gabow", "hand-dfs"),
    ("enumerate-couvreur", "hand-dfs"),
    ("dijkstra-plain-roots", "dijkstra"),
    ("dijkstra-ds", "dijkstra"),
    ("dijkstra-lazy", "dijkstra"),
    ("gabow-ds", "gabow"),
    ("hand-dfs-no-prefetch", "hand-dfs"),
    ("se-no-prefetch", "se"),
    ("dijkstra-no-prefetch", "dijkstra"),
];

#[derive(Clone, Default)]
struct Run {
    states: f64,
    transitions: f64,
    seconds: f64,
    store_bytes: f64,
    peak_bytes: f64,
}

pub(crate) fn print(repetitions: usize, n: u32) {
    let mut runs = vec![Vec::new(); ROWS.len()];
    for _ in 0..repetitions {
        for (row, (variant, _)) in ROWS.iter().enumerate() {
            runs[row].push(measure(variant, n));
        }
    }
    let medians: Vec<Run> = runs.into_iter().map(median).collect();
    let seconds_of = |name: &str| {
        let row = ROWS.iter().position(|(variant, _)| *variant == name);
        row.map_or(f64::NAN, |row| medians[row].seconds)
    };
    println!(
        "| variant | states | transitions | s | M states/s | store bytes/state | peak bytes/state | ratio of time | to |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for ((variant, base), run) in ROWS.iter().zip(&medians) {
        println!(
            "| {variant} | {} | {} | {:.2} | {:.2} | {} | {:.0} | {:.2} | {base} |",
            run.states,
            run.transitions,
            run.seconds,
            run.states / run.seconds / 1e6,
            if run.store_bytes > 0.0 {
                format!("{:.0}", run.store_bytes / run.states)
            } else {
                "as above".to_owned()
            },
            run.peak_bytes / run.states,
            run.seconds / seconds_of(base),
        );
    }
}

fn measure(variant: &str, n: u32) -> Run {
    let program = std::env::current_exe().expect("the running program has a path");
    let output = Command::new(program).args([variant, &n.to_string()]).output();
    let text = String::from_utf8(output.expect("it can be started again").stdout);
    let text = text.expect("it prints ASCII");
    let field = |name: &str| {
        let value =
            text.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        value.and_then(|value| value.parse().ok()).unwrap_or(f64::NAN)
    };
    Run {
        states: field("states"),
        transitions: field("transitions"),
        seconds: field("seconds"),
        store_bytes: field("store_bytes"),
        peak_bytes: field("peak_bytes"),
    }
}

/// The run with the median time.
fn median(mut runs: Vec<Run>) -> Run {
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    runs[runs.len() / 2].clone()
}

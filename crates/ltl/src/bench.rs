//! Sizes and times beside those that were recorded of Spot's `ltl2tgba`.

mod strength;

use crate::formula::Formulas;
use crate::syntax::{ParseOptions, parse};
use crate::translate::{Options, Translator};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// One row of a recorded list.
struct Recorded {
    states: usize,
    edges: usize,
}

#[derive(Default)]
struct Sums {
    formulas: usize,
    ours: (usize, usize),
    theirs: (usize, usize),
    /// Seconds of this thread on a processor.
    cpu: f64,
    /// Formulas with more states, or as many and more edges: number, ours, theirs.
    larger: Vec<String>,
    given_up: Vec<String>,
}

const RUNS: [(&str, bool); 2] = [("tgba-high", false), ("ba-high", true)];
/// The lists of patterns whose negations the papers speak of, as far as they are recorded.
const PATTERNS: [&str; 4] = ["dac-patterns", "eh-patterns", "sb-patterns", "p-patterns"];

/// The whole table as Markdown. `patterns` are more lists whose negations' strength is
/// stated: one formula a line, or a table as BEEM's.
pub fn table(folder: &Path, patterns: &[PathBuf], max_states: usize) -> Result<String, String> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
    };
    let formulas = folder.join("formulas");
    let mut lists: Vec<String> = std::fs::read_dir(&formulas)
        .map_err(|error| format!("cannot read {}: {error}", formulas.display()))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".ltl").map(str::to_owned))
        .collect();
    lists.sort();
    let times = times(&read(&folder.join("csv/_times.csv"))?);
    let mut out = String::from(HEADER);
    let mut notes = String::new();
    let mut shares = String::new();
    for list in &lists {
        let text = read(&formulas.join(format!("{list}.ltl")))?;
        let csv = read(&folder.join(format!("csv/{list}.csv")))?;
        for (config, buchi) in RUNS {
            for polarity in ["pos", "neg"] {
                let recorded = recorded(&csv, config, polarity);
                let options = Options { max_states, ..Options::default().buchi(buchi) };
                let sums = measure(&text, polarity == "neg", options, &recorded)?;
                let key = (list.clone(), config.to_owned(), polarity.to_owned());
                let spot = times.get(&key).copied();
                row(&mut out, list, config, polarity, &sums, spot);
                for line in sums.larger.iter().chain(&sums.given_up) {
                    let _ = writeln!(notes, "- {list} {config} {polarity} {line}");
                }
            }
        }
    }
    let mut total = strength::Total::default();
    let recorded = PATTERNS.iter().map(|list| formulas.join(format!("{list}.ltl")));
    for path in recorded.chain(patterns.iter().cloned()) {
        for list in strength::read(&path)? {
            shares += &strength::rows(&list, max_states, &mut total)?;
        }
    }
    shares += &total.rows();
    let _ = write!(
        out,
        "\n## Weak and terminal automata for the negated patterns\n\n\
         | list | automaton | formulas | weak | terminal |\n|---|---|---:|---:|---:|\n{shares}\
         \n## Formulas with a larger automaton than Spot's, or given up\n\n{notes}"
    );
    Ok(out)
}

const HEADER: &str = "# Translation of LTL beside Spot 2.12.1\n\n\
Made by `lariat translate --bench-against LISTS --patterns \
$LARIAT_CORPUS/beem/beem_properties.csv --patterns hkrss-patterns.ltl > bench/ltl.md` \
(`docs/corpus.md` says what LISTS is; `hkrss-patterns.ltl` has the 55 formulas of Spot's `genltl --hkrss-patterns`; it is not stored here). Sums over each list, \
both polarities; Spot's are recorded in `LISTS/csv` (`ltl2tgba`, `ltl2tgba -B`). \
Formulas on which Spot's run was cut are left out. CPU seconds are for the whole list in one \
process, ours without the start of the process, Spot's on another machine (-: not recorded for the whole list). **Bold**: above \
Spot's sum.\n\n\
| list | automaton | polarity | formulas | states | Spot | edges | Spot | CPU s | Spot |\n\
|---|---|---|---:|---:|---:|---:|---:|---:|---:|\n";

fn row(out: &mut String, list: &str, config: &str, polarity: &str, sums: &Sums, spot: Option<f64>) {
    let shown = |ours: usize, theirs: usize| match ours > theirs {
        true => format!("**{ours}**"),
        false => ours.to_string(),
    };
    let spot = spot.map_or("-".to_owned(), |seconds| format!("{seconds:.3}"));
    let _ = writeln!(
        out,
        "| {list} | {config} | {polarity} | {} | {} | {} | {} | {} | {:.3} | {spot} |",
        sums.formulas,
        shown(sums.ours.0, sums.theirs.0),
        sums.theirs.0,
        shown(sums.ours.1, sums.theirs.1),
        sums.theirs.1,
        sums.cpu,
    );
}

fn measure(
    text: &str,
    negate: bool,
    options: Options,
    recorded: &HashMap<usize, Recorded>,
) -> Result<Sums, String> {
    let mut sums = Sums::default();
    let mut automata = Vec::new();
    let start = cpu_seconds();
    let mut all = Formulas::new();
    let mut translator = Translator::new(options);
    for (index, text) in text.lines().enumerate() {
        let line = index + 1;
        let Some(theirs) = recorded.get(&line) else { continue };
        let formula = parse(&mut all, text, ParseOptions::default())
            .map_err(|error| error.render(text, "list", line))?
            .formula;
        let formula = if negate { all.not(formula) } else { formula };
        match translator.translate(&mut all, formula) {
            Ok(done) => automata.push((line, text, theirs, done.automaton)),
            Err(error) => sums.given_up.push(format!("{line}: {error}: `{text}`")),
        }
    }
    sums.cpu = cpu_seconds() - start;
    for (line, text, theirs, automaton) in automata {
        let ours = (automaton.state_count(), automaton.edge_count());
        sums.formulas += 1;
        sums.ours = (sums.ours.0 + ours.0, sums.ours.1 + ours.1);
        sums.theirs = (sums.theirs.0 + theirs.states, sums.theirs.1 + theirs.edges);
        if ours > (theirs.states, theirs.edges) {
            sums.larger.push(format!(
                "{line}: {} states, {} edges against {}, {}: `{text}`",
                ours.0, ours.1, theirs.states, theirs.edges
            ));
        }
    }
    Ok(sums)
}

/// The rows of one configuration and polarity that Spot finished, by line.
fn recorded(csv: &str, config: &str, polarity: &str) -> HashMap<usize, Recorded> {
    csv.lines()
        .skip(1)
        .filter_map(|row| {
            let fields: Vec<&str> = row.splitn(21, ',').collect();
            let wanted = fields.get(1) == Some(&polarity) && fields.get(2) == Some(&config);
            if !wanted || fields.get(3) != Some(&"ok") {
                return None;
            }
            let number = |i: usize| fields.get(i)?.parse().ok();
            Some((number(0)?, Recorded { states: number(4)?, edges: number(5)? }))
        })
        .collect()
}

/// CPU seconds by list, configuration and polarity.
fn times(csv: &str) -> HashMap<(String, String, String), f64> {
    csv.lines()
        .skip(1)
        .filter_map(|row| {
            let fields: Vec<&str> = row.split(',').collect();
            let [list, config, polarity, _, _, _, cpu] = fields[..] else { return None };
            let key = (list.to_owned(), config.to_owned(), polarity.to_owned());
            Some((key, cpu.parse().ok()?))
        })
        .collect()
}

/// How long this thread was on a processor; 0 where the system does not tell.
fn cpu_seconds() -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or(0.0, |nanoseconds| nanoseconds / 1e9)
}

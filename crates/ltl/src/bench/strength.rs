//! How many automata of negated patterns are weak or terminal: such properties have simpler
//! checks (I. Černá, R. Pelánek, "Relating hierarchy of temporal properties to model
//! checking", MFCS 2003).

use crate::formula::Formulas;
use crate::syntax::{ParseOptions, parse};
use crate::translate::{Options, Translator};
use lariat_automata::classify;
use std::path::Path;

/// A named list of formulas.
pub(super) struct Patterns {
    name: String,
    formulas: Vec<String>,
    /// Whether it counts for the total: a formula that occurs often counts once.
    counts: bool,
}

/// How many automata there are of each kind, by configuration.
#[derive(Default)]
pub(super) struct Total([(usize, usize, usize); super::RUNS.len()]);

/// Reads a list: one formula a line, or a CSV table as BEEM's, where the rows whose
/// `prop_type` is LTL have a `formula`. The latter is two lists: each formula once, and each
/// as often as it occurs.
pub(super) fn read(path: &Path) -> Result<Vec<Patterns>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
    if path.extension().is_none_or(|extension| extension != "csv") {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let formulas = lines.map(str::to_owned).collect();
        return Ok(vec![Patterns { name, formulas, counts: true }]);
    }
    let mut rows = text.lines();
    let header: Vec<&str> = rows.next().unwrap_or_default().split(',').collect();
    let column = |wanted: &str| {
        let found = header.iter().position(|&name| name == wanted);
        found.ok_or_else(|| format!("{}: there is no column {wanted}", path.display()))
    };
    let (kind, formula) = (column("prop_type")?, column("formula")?);
    let all: Vec<String> = rows
        .map(|row| row.split(',').collect::<Vec<_>>())
        .filter(|fields| fields.get(kind) == Some(&"LTL"))
        .filter_map(|fields| fields.get(formula).map(|&formula| formula.to_owned()))
        .collect();
    let mut once = all.clone();
    once.sort();
    once.dedup();
    Ok(vec![
        Patterns { name: format!("{name}, each formula once"), formulas: once, counts: true },
        Patterns { name: format!("{name}, all rows"), formulas: all, counts: false },
    ])
}

/// Rows of the table: list, automaton, formulas, weak, terminal.
pub(super) fn rows(
    patterns: &Patterns,
    max_states: usize,
    total: &mut Total,
) -> Result<String, String> {
    let mut out = String::new();
    for ((config, buchi), total) in super::RUNS.into_iter().zip(&mut total.0) {
        let mut all = Formulas::new();
        let options = Options { max_states, ..Options::default().buchi(buchi) };
        let mut translator = Translator::new(options);
        let (mut weak, mut terminal) = (0, 0);
        for (index, text) in patterns.formulas.iter().enumerate() {
            let parsed = parse(&mut all, text, ParseOptions::default())
                .map_err(|error| error.render(text, &patterns.name, index + 1))?;
            let negated = all.not(parsed.formula);
            let done = translator
                .translate(&mut all, negated)
                .map_err(|error| format!("{}:{}: {error}", patterns.name, index + 1))?;
            let classes = classify(&done.automaton);
            weak += classes.weak as usize;
            terminal += classes.terminal as usize;
        }
        let count = patterns.formulas.len();
        out += &row(&patterns.name, config, (count, weak, terminal));
        if patterns.counts {
            *total = (total.0 + count, total.1 + weak, total.2 + terminal);
        }
    }
    Ok(out)
}

impl Total {
    pub(super) fn rows(&self) -> String {
        let rows = super::RUNS.iter().zip(self.0);
        rows.map(|((config, _), counts)| {
            row("together (each formula of BEEM once)", config, counts)
        })
        .collect()
    }
}

fn row(name: &str, config: &str, (count, weak, terminal): (usize, usize, usize)) -> String {
    let percent = |part: usize| 100.0 * part as f64 / count.max(1) as f64;
    format!(
        "| {name} | {config} | {count} | {weak} ({:.0} %) | {terminal} ({:.0} %) |\n",
        percent(weak),
        percent(terminal)
    )
}

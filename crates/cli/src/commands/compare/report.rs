//! What was measured, for people, for spreadsheets and for scripts.

use lariat_plot::{Bars, bars};
use lariat_verify::Status;
use serde_json::{Map, Value, json};

use super::columns::{COLUMNS, TRANSITIONS};
use super::{Args, Comparison};

/// Grows when a key changes its meaning or goes.
const SCHEMA: u32 = 1;

pub(super) fn print(args: &Args, comparisons: &[Comparison]) {
    if args.json {
        outln!("{}", object(comparisons));
    } else if args.csv {
        out!("{}", csv(comparisons));
    } else {
        comparisons.iter().for_each(|comparison| out!("{}", table(comparison)));
    }
}

/// One table for each property. A column where no check has a value is left out.
fn table(comparison: &Comparison) -> String {
    let Comparison { model, property, rows, .. } = comparison;
    let cell = |row: usize, column: usize| COLUMNS[column].shown(&rows[row].1.values[column]);
    let is_filled = |&column: &usize| (0..rows.len()).any(|row| !cell(row, column).is_empty());
    let filled: Vec<usize> = (0..COLUMNS.len()).filter(is_filled).collect();
    let mut lines = vec![vec!["check".to_owned(), "verdict".to_owned()]];
    lines[0].extend(filled.iter().map(|&column| COLUMNS[column].name.to_owned()));
    for (row, (algorithm, measured)) in rows.iter().enumerate() {
        let mut line = vec![algorithm.name().to_owned(), measured.in_words()];
        if measured.values.iter().any(|value| !value.is_null()) {
            line.extend(filled.iter().map(|&column| cell(row, column)));
        }
        lines.push(line);
    }
    let mut out = format!("{model}: {property}\n");
    for line in &lines {
        let mut text = String::new();
        for (at, cell) in line.iter().enumerate() {
            // Reasons without numbers behind them need no column.
            let whole = lines.iter().filter(|line| line.len() > 2).filter_map(|line| line.get(at));
            let width = whole.map(|cell| cell.chars().count()).max().unwrap_or(0);
            text += &match at {
                0 | 1 => format!("  {cell:<width$}"),
                _ => format!("  {cell:>width$}"),
            };
        }
        out += text.trim_end();
        out.push('\n');
    }
    out.push('\n');
    out
}

fn csv(comparisons: &[Comparison]) -> String {
    let names = COLUMNS.iter().map(|column| column.name);
    let header: Vec<&str> =
        ["model", "property", "check", "verdict"].into_iter().chain(names).collect();
    let mut out = header.join(",") + "\n";
    for comparison in comparisons {
        for (algorithm, row) in &comparison.rows {
            let mut fields = vec![quoted(&comparison.model), quoted(&comparison.property)];
            fields.extend([algorithm.name().to_owned(), quoted(&row.in_words())]);
            let value =
                |value: &Value| if value.is_null() { String::new() } else { value.to_string() };
            fields.extend(row.values.iter().map(value));
            out += &(fields.join(",") + "\n");
        }
    }
    out
}

/// A field, in quotes if it needs them.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

fn object(comparisons: &[Comparison]) -> Value {
    let one = |comparison: &Comparison| {
        let checks = comparison.rows.iter().map(|(algorithm, row)| {
            let mut object = Map::new();
            object.insert("check".to_owned(), json!(algorithm.name()));
            let verdict = row.verdict().unwrap_or(Status::Inconclusive);
            object.insert("verdict".to_owned(), json!(verdict.name()));
            if row.verdict().is_none() {
                object.insert("reason".to_owned(), json!(row.in_words()));
            }
            let named = COLUMNS.iter().zip(&row.values);
            object.extend(named.map(|(column, value)| (column.name.to_owned(), value.clone())));
            Value::Object(object)
        });
        json!({
            "model": comparison.model,
            "property": comparison.property,
            "formula": comparison.formula,
            "verdict": comparison.verdict().name(),
            "agree": comparison.agrees(),
            "checks": checks.collect::<Vec<_>>(),
        })
    };
    let exit = comparisons.iter().map(Comparison::exit).max();
    json!({
        "schema": SCHEMA,
        "exit": exit.map_or(0, |exit| exit.code()),
        "comparisons": comparisons.iter().map(one).collect::<Vec<_>>(),
    })
}

/// The transitions of each check as bars, in percent of the most of the same property: properties
/// differ more than checks do.
pub(super) fn svg(comparisons: &[Comparison]) -> Result<String, String> {
    let at = COLUMNS.iter().position(|column| column.name == TRANSITIONS).expect("a column");
    let series = comparisons.first().map_or(&[][..], |comparison| &comparison.rows[..]);
    let group = |comparison: &Comparison| {
        let values = comparison.rows.iter().map(|(_, row)| row.values[at].as_f64());
        let values: Vec<Option<f64>> = values.collect();
        let most = values.iter().flatten().copied().fold(1.0, f64::max);
        let share = values.into_iter().map(|value| value.map(|value| value / most * 100.0));
        (comparison.property.clone(), share.collect())
    };
    bars(&Bars {
        title: "Transitions generated".to_owned(),
        unit: "percent of the most".to_owned(),
        series: series.iter().map(|(algorithm, _)| algorithm.name().to_owned()).collect(),
        groups: comparisons.iter().map(group).collect(),
    })
}

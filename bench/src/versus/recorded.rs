//! Spin's answers as they stand in the corpus: `spin_exact.csv` has the counts, `spin_ref.csv`
//! the verdicts. For machines without Spin, and without an hour to spare.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use super::Counts;
use super::spin::Spin;

/// All recorded answers, by path.
pub struct Recorded(HashMap<String, Spin>);

impl Recorded {
    pub fn read(corpus: &Path) -> io::Result<Recorded> {
        let mut answers = HashMap::new();
        let reference = std::fs::read_to_string(corpus.join("spin_ref.csv"))?;
        let reference = Table::new(&reference);
        for row in reference.rows() {
            let path = row.get("path").to_owned();
            if row.get("mode") == "parse" {
                let ran = Spin::Ran { counts: None, verdict: None };
                let refused = || Spin::Rejected(row.get("parse_class").to_owned());
                answers.insert(path, if row.get("status") == "ok" { ran } else { refused() });
            } else if row.get("mode") == "safety_nored" {
                let verdict = match row.get("verdict") {
                    "safe" => Some("none".to_owned()),
                    "error" => Some(row.get("error_type").to_owned()),
                    _ => None,
                };
                answers.insert(path, Spin::Ran { counts: None, verdict });
            }
        }
        let exact = std::fs::read_to_string(corpus.join("spin_exact.csv"))?;
        for row in Table::new(&exact).rows().filter(|row| row.get("status") == "complete") {
            let number = |column: &str| row.get(column).parse().ok();
            let (Some(states), Some(transitions), Some(depth)) =
                (number("states"), number("transitions"), number("depth"))
            else {
                continue;
            };
            if let Some(Spin::Ran { counts, .. }) = answers.get_mut(row.get("path")) {
                *counts = Some(Counts { states, transitions, depth });
            }
        }
        Ok(Recorded(answers))
    }

    pub fn answer(&self, path: &str) -> Spin {
        self.0.get(path).cloned().unwrap_or(Spin::Ran { counts: None, verdict: None })
    }
}

/// A table of comma-separated values; fields may be in double quotes.
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// One line of it.
pub struct Row<'t> {
    header: &'t [String],
    fields: &'t [String],
}

impl Table {
    pub fn new(text: &str) -> Table {
        let mut rows = text.lines().map(split);
        let header = rows.next().unwrap_or_default();
        Table { header, rows: rows.collect() }
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|fields| Row { header: &self.header, fields })
    }
}

impl Row<'_> {
    /// The field of a column.
    pub fn get(&self, column: &str) -> &str {
        let at = self.header.iter().position(|name| name == column);
        at.and_then(|at| self.fields.get(at)).map_or("", String::as_str)
    }
}

fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("there is a field").push(c),
        }
    }
    fields
}

//! The published numbers, answers and propositions of BEEM.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Rows of a CSV file by column name.
pub(crate) struct Table {
    columns: HashMap<String, usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn read(path: &Path) -> Result<Table, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let mut lines = text.lines().map(fields);
        let header = lines.next().unwrap_or_default();
        let columns = header.into_iter().enumerate().map(|(at, name)| (name, at)).collect();
        Ok(Table { columns, rows: lines.collect() })
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|fields| Row { table: self, fields })
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Row<'t> {
    table: &'t Table,
    fields: &'t [String],
}

impl<'t> Row<'t> {
    /// A field; empty if there is no such column.
    pub(crate) fn get(&self, column: &str) -> &'t str {
        let at = self.table.columns.get(column);
        at.and_then(|&at| self.fields.get(at)).map_or("", String::as_str)
    }

    pub(crate) fn number(&self, column: &str) -> Option<u64> {
        self.get(column).parse().ok()
    }
}

/// The fields of a line; one in quotes may contain commas, and `""` for a quote.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let field = fields.last_mut().expect("never empty");
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => field.push(c),
        }
    }
    fields
}

/// All of BEEM's tables.
pub(crate) struct Beem {
    folder: PathBuf,
    pub(crate) instances: Table,
    pub(crate) properties: Table,
    propositions: Table,
    ltsmin: Table,
}

impl Beem {
    pub(crate) fn read(shared: &Path) -> Result<Beem, String> {
        let folder = shared.join("corpus/beem");
        let table = |name: &str| Table::read(&folder.join(name));
        Ok(Beem {
            instances: table("beem_instances.csv")?,
            properties: table("beem_properties.csv")?,
            propositions: table("beem_propositions.csv")?,
            ltsmin: table("ltsmin_ref.csv")?,
            folder,
        })
    }

    /// The text of a model, if it is public.
    pub(crate) fn model(&self, file: &str) -> Option<String> {
        std::fs::read_to_string(self.folder.join("dve").join(file)).ok()
    }

    pub(crate) fn ltsmin(&self, file: &str) -> Option<Row<'_>> {
        self.ltsmin.rows().find(|row| row.get("file") == file && row.get("status") == "ok")
    }

    /// The published number of states of an instance that was explored to the end.
    pub(crate) fn states(&self, model: &str, instance: &str) -> Option<u64> {
        let mut rows = self.instances.rows();
        let row = rows.find(|row| row.get("model") == model && row.get("instance") == instance)?;
        if row.get("reach_complete") == "yes" { row.number("states") } else { None }
    }

    /// A formula without temporal operators as a DVE expression: propositions replaced by what
    /// they stand for.
    pub(crate) fn expression(&self, model: &str, instance: &str, formula: &str) -> String {
        let mut expression = String::new();
        let mut word = String::new();
        for c in formula.chars().chain([' ']) {
            if c.is_ascii_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                match self.proposition(model, instance, &word) {
                    Some(meaning) => expression += &format!("({meaning})"),
                    None => expression += &word,
                }
                word.clear();
            }
            expression.push(c);
        }
        expression
    }

    fn proposition(&self, model: &str, instance: &str, name: &str) -> Option<&str> {
        let mut rows = self.propositions.rows();
        let row = rows.find(|row| {
            (row.get("model"), row.get("instance"), row.get("proposition"))
                == (model, instance, name)
        })?;
        Some(row.get("expression"))
    }
}

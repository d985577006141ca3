//! Tables with commas between their fields.

use std::collections::HashMap;
use std::path::Path;

/// Rows by column name.
pub struct Table {
    columns: HashMap<String, usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn read(path: &Path) -> Result<Table, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let mut lines = text.lines().map(fields);
        let header = lines.next().unwrap_or_default();
        let columns = header.into_iter().enumerate().map(|(at, name)| (name, at)).collect();
        Ok(Table { columns, rows: lines.collect() })
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|fields| Row { table: self, fields })
    }
}

#[derive(Clone, Copy)]
pub struct Row<'t> {
    table: &'t Table,
    fields: &'t [String],
}

impl<'t> Row<'t> {
    /// A field; empty if there is no such column.
    pub fn get(&self, column: &str) -> &'t str {
        let at = self.table.columns.get(column);
        at.and_then(|&at| self.fields.get(at)).map_or("", String::as_str)
    }

    pub fn number(&self, column: &str) -> Option<u64> {
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

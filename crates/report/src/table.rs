//! Text in columns.

/// Cells wider than this are cut; JSON has them whole.
const WIDEST: usize = 60;

/// Rows of cells, aligned on the left; the last column is never padded.
pub struct Table {
    rows: Vec<Vec<String>>,
    /// Lines of text, each before the row of this number.
    lines: Vec<(usize, String)>,
    /// The last column has its cells whole, and counts as not wider than `WIDEST`.
    long_last: bool,
}

impl Table {
    pub fn new(header: Vec<String>) -> Table {
        Table { rows: vec![header], lines: Vec::new(), long_last: false }
    }

    /// A table whose last column is never cut.
    pub fn with_long_last(header: Vec<String>) -> Table {
        Table { long_last: true, ..Table::new(header) }
    }

    pub fn row(&mut self, mut cells: Vec<String>) {
        let is_whole = self.long_last && cells.len() == self.rows[0].len();
        let last = if is_whole { cells.pop() } else { None };
        let cells = cells.iter().map(|cell| shorten(cell));
        self.rows.push(cells.chain(last.map(|last| last.replace('\n', " "))).collect());
    }

    /// A line between rows that knows no columns.
    pub fn line(&mut self, text: &str) {
        self.lines.push((self.rows.len(), text.to_owned()));
    }

    /// How wide the columns are together.
    pub fn width(&self) -> usize {
        let mut widths = self.widths();
        if let Some(last) = widths.last_mut().filter(|_| self.long_last) {
            *last = (*last).min(WIDEST);
        }
        widths.iter().map(|width| width + 2).sum()
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        (0..columns).map(width).collect()
    }

    /// Every line starts with `indent` and ends without blanks.
    pub fn render(&self, indent: &str) -> String {
        let widths = self.widths();
        let mut out = String::new();
        for (at, row) in self.rows.iter().enumerate() {
            for (_, text) in self.lines.iter().filter(|(before, _)| *before == at) {
                out += &format!("{indent}{text}\n");
            }
            let mut line = indent.to_owned();
            for (cell, width) in row.iter().zip(&widths) {
                line.push_str(cell);
                line.extend(std::iter::repeat_n(' ', width + 2 - cell.chars().count()));
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

fn shorten(cell: &str) -> String {
    let line = cell.replace('\n', " ");
    if line.chars().count() <= WIDEST {
        return line;
    }
    line.chars().take(WIDEST - 1).chain(['…']).collect()
}

//! A replayed trace as a table: one column for each process, then what changed.

use lariat_model::ir::Model;

use crate::replay::{Line, Replayed, Standing};
use crate::table::Table;
use crate::values::Named;

/// Process columns wider than this together become one column that names the process.
const WIDEST: usize = 120;

/// Which variables stand beside a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vars {
    Changed,
    All,
}

impl Vars {
    fn title(self) -> String {
        match self {
            Vars::Changed => "changes".to_owned(),
            Vars::All => "values".to_owned(),
        }
    }

    fn table(self, header: Vec<String>) -> Table {
        match self {
            Vars::Changed => Table::new(header),
            Vars::All => Table::with_long_last(header),
        }
    }

    fn of(self, line: &Line) -> String {
        match self {
            Vars::Changed => values(&line.changes),
            Vars::All => values(&line.values),
        }
    }
}

/// The steps as a table.
pub fn table(model: &Model, trace: &Replayed, vars: Vars) -> String {
    let mut out = String::new();
    if trace.lines.is_empty() {
        return out;
    }
    let columns = by_process(model, trace, vars);
    let table = if columns.width() <= WIDEST { columns } else { in_one_column(model, trace, vars) };
    out += &table.render("  ");
    out
}

/// Where the processes stand, for an invalid end state.
pub fn standings(standings: &[Standing]) -> String {
    let mut out = String::new();
    for standing in standings {
        let place = if standing.place.is_empty() { "its end" } else { &standing.place };
        let statements = standing.statements.join(" | ");
        let end = if standing.is_end { " (a valid end)" } else { "" };
        out += &format!("  {} at {place}: {statements}{end}\n", standing.process);
    }
    out
}

/// `x = 1, y = 2`
pub fn values(values: &[Named]) -> String {
    let values: Vec<String> =
        values.iter().map(|named| format!("{} = {}", named.name, named.value)).collect();
    values.join(", ")
}

fn by_process(model: &Model, trace: &Replayed, vars: Vars) -> Table {
    let mut columns: Vec<&str> = Vec::new();
    let mut sorted: Vec<&Line> = trace.lines.iter().collect();
    sorted.sort_by_key(|line| line.pid);
    for line in sorted {
        if !columns.contains(&line.process.as_str()) {
            columns.push(&line.process);
        }
    }
    let mut header = vec!["step".to_owned()];
    header.extend(columns.iter().map(|&column| column.to_owned()));
    header.push(vars.title());
    let width = header.len();
    let mut table = vars.table(header);
    rows(trace, |entry| {
        let mut cells = vec![String::new(); width];
        match entry {
            Entry::Line(line, step) => {
                cells[0] = step;
                let column = columns.iter().position(|&column| column == line.process);
                cells[1 + column.unwrap_or(0)] = statement(model, line);
                cells[width - 1] = vars.of(line);
            }
            Entry::Output(text) => cells[width - 1] = text,
            Entry::Gap(text) => cells = vec!["…".to_owned(), text],
        }
        table.row(cells);
    });
    table
}

fn in_one_column(model: &Model, trace: &Replayed, vars: Vars) -> Table {
    let header = ["step", "process", "statement"].map(str::to_owned);
    let mut table = vars.table(header.into_iter().chain([vars.title()]).collect());
    rows(trace, |entry| {
        table.row(match entry {
            Entry::Line(line, step) => {
                vec![step, line.process.clone(), statement(model, line), vars.of(line)]
            }
            Entry::Output(text) => vec![String::new(), String::new(), String::new(), text],
            Entry::Gap(text) => vec!["…".to_owned(), text],
        });
    });
    table
}

enum Entry<'t> {
    Line(&'t Line, String),
    Output(String),
    Gap(String),
}

fn rows(trace: &Replayed, mut row: impl FnMut(Entry<'_>)) {
    let mut last = trace.lines.first().map_or(0, |line| line.step - 1);
    for line in &trace.lines {
        if line.step > last + 1 {
            let left_out = line.step - last - 1;
            row(Entry::Gap(format!("({left_out} steps left out)")));
        }
        let step = if line.step == last { String::new() } else { line.step.to_string() };
        last = line.step;
        row(Entry::Line(line, step));
        for text in line.output.lines() {
            row(Entry::Output(format!("prints {text:?}")));
        }
    }
}

/// `12: x = 1`; with the file, if it is not the model itself.
fn statement(model: &Model, line: &Line) -> String {
    let mark = if line.at_fault { " ✗" } else { "" };
    match line.line {
        0 => format!("{}{mark}", line.text),
        number if line.file == model.name => format!("{number}: {}{mark}", line.text),
        number => format!("{}:{number}: {}{mark}", line.file, line.text),
    }
}

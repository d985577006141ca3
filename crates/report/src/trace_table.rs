//! A replayed run as a table: one column for each process, then the truth of the propositions
//! behind each step, then what changed.

use lariat_model::ir::Model;

use crate::execution::Execution;
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

/// A run to be shown: the steps before its loop, and those of the loop.
pub struct Shown<'a> {
    pub execution: &'a Execution,
    pub prefix: &'a Replayed,
    pub cycle: Option<&'a Replayed>,
}

/// The steps as a table; between prefix and loop stands `between`. Long names of propositions
/// are numbers in its header, explained below it.
pub fn table(model: &Model, run: &Shown<'_>, vars: Vars, between: &str) -> String {
    let lines = |part: Option<&Replayed>| part.is_some_and(|part| !part.lines.is_empty());
    let has_truth = !run.execution.propositions.is_empty();
    if !lines(Some(run.prefix)) && !lines(run.cycle) && !has_truth {
        return String::new();
    }
    let columns = fill(model, run, vars, between, &by_process(run));
    let table = match columns.width() <= WIDEST {
        true => columns,
        false => fill(model, run, vars, between, &Columns::One),
    };
    table.render("  ") + &legend(run.execution)
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

/// Where the statements of processes stand.
enum Columns {
    /// Each process has a column.
    Processes(Vec<String>),
    /// A column for its name, and one for the statement.
    One,
}

impl Columns {
    fn header(&self) -> Vec<String> {
        match self {
            Columns::Processes(names) => names.clone(),
            Columns::One => ["process", "statement"].map(str::to_owned).to_vec(),
        }
    }

    fn cells(&self, process: &str, statement: String) -> Vec<String> {
        match self {
            Columns::Processes(names) => {
                let mut cells = vec![String::new(); names.len()];
                let column = names.iter().position(|name| name == process);
                cells[column.unwrap_or(0)] = statement;
                cells
            }
            Columns::One => vec![process.to_owned(), statement],
        }
    }
}

fn by_process(run: &Shown<'_>) -> Columns {
    let mut columns: Vec<String> = Vec::new();
    let mut sorted: Vec<&Line> = run.prefix.lines.iter().collect();
    sorted.extend(run.cycle.iter().flat_map(|cycle| &cycle.lines));
    sorted.sort_by_key(|line| line.pid);
    for line in sorted {
        if !columns.contains(&line.process) {
            columns.push(line.process.clone());
        }
    }
    Columns::Processes(columns)
}

fn fill(model: &Model, run: &Shown<'_>, vars: Vars, between: &str, columns: &Columns) -> Table {
    let propositions = &run.execution.propositions;
    let mut header = vec!["step".to_owned()];
    header.extend(columns.header());
    header.extend(propositions.iter().enumerate().map(|(at, p)| title(at, &p.name)));
    header.push(vars.title());
    let (width, behind) = (header.len(), columns.header().len() + 1);
    let mut table = vars.table(header);
    let put_truth = |cells: &mut Vec<String>, steps: usize| {
        for (at, holds) in run.execution.truth_behind(steps).into_iter().enumerate() {
            cells[behind + at] = if holds { "1" } else { "0" }.to_owned();
        }
    };
    if !propositions.is_empty() {
        let mut cells = vec![String::new(); width];
        cells[0] = "0".to_owned();
        put_truth(&mut cells, 0);
        cells[width - 1] = match vars {
            Vars::Changed => "(initial state)".to_owned(),
            Vars::All => values(&run.prefix.initial),
        };
        table.row(cells);
    }
    let part = |table: &mut Table, part: &Replayed| {
        rows(part, |entry| {
            let mut cells = vec![String::new(); width];
            match entry {
                Entry::Line { line, step, is_last } => {
                    cells[0] = step;
                    let filled = columns.cells(&line.process, statement(model, line));
                    filled.into_iter().zip(&mut cells[1..]).for_each(|(text, cell)| *cell = text);
                    if is_last {
                        put_truth(&mut cells, line.step);
                    }
                    cells[width - 1] = vars.of(line);
                }
                Entry::Output(text) => cells[width - 1] = text,
                Entry::Gap(text) => return table.line(&format!("…  {text}")),
            }
            table.row(cells);
        });
    };
    part(&mut table, run.prefix);
    if let Some(cycle) = run.cycle {
        table.line(between);
        part(&mut table, cycle);
    }
    table
}

/// Names that are longer have a number in the header.
const LONGEST_TITLE: usize = 24;

fn title(at: usize, name: &str) -> String {
    match name.chars().count() <= LONGEST_TITLE {
        true => name.to_owned(),
        false => format!("[{}]", at + 1),
    }
}

fn legend(execution: &Execution) -> String {
    let propositions = execution.propositions.iter().enumerate();
    let long = propositions.filter(|(at, p)| title(*at, &p.name) != p.name);
    long.map(|(at, p)| format!("  [{}] is {}\n", at + 1, p.name)).collect()
}

enum Entry<'t> {
    Line { line: &'t Line, step: String, is_last: bool },
    Output(String),
    Gap(String),
}

fn rows(trace: &Replayed, mut row: impl FnMut(Entry<'_>)) {
    let mut last = trace.lines.first().map_or(0, |line| line.step - 1);
    for (at, line) in trace.lines.iter().enumerate() {
        if line.step > last + 1 {
            let left_out = line.step - last - 1;
            row(Entry::Gap(format!("({left_out} steps left out)")));
        }
        let step = if line.step == last { String::new() } else { line.step.to_string() };
        last = line.step;
        let is_last = trace.lines.get(at + 1).is_none_or(|next| next.step != line.step);
        row(Entry::Line { line, step, is_last });
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

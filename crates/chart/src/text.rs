//! The chart in the terminal.

use crate::{Chart, Event, legend, title};

/// Between two lifelines, at least and at most.
const NARROW: usize = 14;
const WIDE: usize = 30;
/// Before the first lifeline: the step's number.
const MARGIN: usize = 6;

/// Lines of text: one for each row, with the truth of the propositions at its end.
pub fn text(chart: &Chart) -> String {
    let labels = chart.rows.iter().flat_map(|row| match &row.event {
        Event::Local(act) => vec![act.text.chars().count() + 3],
        event => event.acts().iter().map(|act| act.text.chars().count() + 5).collect(),
    });
    let names = chart.columns.iter().map(|name| name.chars().count() + 2);
    let width = labels.chain(names).max().unwrap_or(0).clamp(NARROW, WIDE);
    let titles = chart.propositions.iter().enumerate().map(|(at, name)| title(at, name));
    let paper = Paper { columns: chart.columns.len(), width, titles: titles.collect() };
    let mut out = paper.header(&chart.columns);
    if !chart.initial.is_empty() {
        let mut line = paper.empty();
        paper.put(&mut line, 0, "0", MARGIN - 1);
        out += &paper.finish(line, &chart.initial);
    }
    let mut step = 0;
    for (at, row) in chart.rows.iter().enumerate() {
        if chart.loop_row == Some(at) {
            out += &paper.rule("loop");
        }
        let number = if row.step == step || row.step == 0 { 0 } else { row.step };
        step = row.step;
        let line = paper.row(number, &row.event);
        out += &paper.finish(line, &row.truth);
    }
    if !chart.end.is_empty() {
        out += &paper.rule(chart.end);
    }
    out + &legend(&chart.propositions).iter().map(|line| format!("{line}\n")).collect::<String>()
}

struct Paper {
    columns: usize,
    width: usize,
    /// What stands above the propositions.
    titles: Vec<String>,
}

impl Paper {
    fn x(&self, column: usize) -> usize {
        MARGIN + column * self.width
    }

    /// Lifelines only.
    fn empty(&self) -> Vec<char> {
        let mut line = vec![' '; self.x(self.columns)];
        (0..self.columns).for_each(|column| line[self.x(column)] = '│');
        line
    }

    fn header(&self, columns: &[String]) -> String {
        let mut line = vec![' '; self.x(self.columns)];
        for (column, name) in columns.iter().enumerate() {
            self.put(&mut line, self.x(column), name, self.width - 1);
        }
        self.with_cells(line, &self.titles)
    }

    /// The line with the truth of the propositions.
    fn finish(&self, line: Vec<char>, truth: &[bool]) -> String {
        let cells: Vec<&str> = truth.iter().map(|&holds| if holds { "1" } else { "0" }).collect();
        self.with_cells(line, &cells)
    }

    fn with_cells(&self, mut line: Vec<char>, cells: &[impl AsRef<str>]) -> String {
        if !cells.is_empty() {
            line.resize(self.x(self.columns).max(line.len()), ' ');
        }
        for (cell, title) in cells.iter().zip(&self.titles) {
            let width = title.chars().count();
            line.extend(format!("  {:<width$}", cell.as_ref()).chars());
        }
        finish(line)
    }

    /// `════ loop ════`
    fn rule(&self, label: &str) -> String {
        let mut line = vec!['═'; self.x(self.columns.max(1)) - self.width + 1];
        (0..MARGIN - 2).for_each(|at| line[at] = ' ');
        let label = format!(" {label}");
        line.extend(label.chars());
        finish(line)
    }

    fn row(&self, step: usize, event: &Event) -> Vec<char> {
        let mut line = self.empty();
        if step > 0 {
            let number = step.to_string();
            self.put(&mut line, 0, &number, MARGIN - 1);
        }
        match event {
            Event::Local(act) => self.label(&mut line, act.column, '│', &act.text),
            Event::Send(act) => {
                self.label(&mut line, act.column, '├', &format!("▷ {}", act.text));
            }
            Event::Receive { act, sent: Some((_, from)) } if *from != act.column => {
                self.arrow(&mut line, *from, act.column, &act.text, '┄');
            }
            Event::Receive { act, .. } => {
                self.label(&mut line, act.column, '├', &format!("◁ {}", act.text));
            }
            Event::Rendezvous { from, to } if from.column != to.column => {
                self.arrow(&mut line, from.column, to.column, &from.text, '─');
            }
            Event::Rendezvous { from, .. } => self.label(&mut line, from.column, '├', &from.text),
            Event::Gap { rows } => {
                line = vec![' '; MARGIN];
                line.extend(format!("… {rows} statements left out …").chars());
            }
        }
        line
    }

    fn label(&self, line: &mut [char], column: usize, mark: char, text: &str) {
        line[self.x(column)] = mark;
        self.put(line, self.x(column) + 2, text, self.width - 3);
    }

    /// From lifeline to lifeline, the text on the arrow.
    fn arrow(&self, line: &mut [char], from: usize, to: usize, text: &str, stroke: char) {
        let (left, right) = (self.x(from.min(to)), self.x(from.max(to)));
        line[left + 1..right].fill(stroke);
        let (tail, head) = if from < to { ('├', '▶') } else { ('┤', '◀') };
        line[self.x(from)] = tail;
        let tip = if from < to { right - 1 } else { left + 1 };
        line[tip] = head;
        let room = right - left - 5;
        let length = text.chars().count().min(room);
        let start = left + 1 + (right - left - length) / 2;
        if length > 0 {
            self.put(line, start.saturating_sub(1), &format!(" {}", cut(text, room)), length + 1);
            if let Some(behind) = line.get_mut(start + length).filter(|_| start + length < tip) {
                *behind = ' ';
            }
        }
    }

    fn put(&self, line: &mut [char], at: usize, text: &str, room: usize) {
        for (cell, letter) in line[at..].iter_mut().zip(cut(text, room).chars()) {
            *cell = letter;
        }
    }
}

fn cut(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    text.chars().take(room.saturating_sub(1)).chain(['…']).collect()
}

fn finish(line: Vec<char>) -> String {
    let line: String = line.into_iter().collect();
    format!("{}\n", line.trim_end())
}

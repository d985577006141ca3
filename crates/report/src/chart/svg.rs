//! The chart as an SVG document: no scripts, no fonts of its own, colours that print.

use std::fmt::Write;

use super::{Chart, Event};

const COLUMN: usize = 200;
const ROW: usize = 26;
const MARGIN: usize = 60;
const HEAD: usize = 70;
const CELL: usize = 18;

/// The whole document; `title` and the names of the propositions stand on it.
pub fn svg(chart: &Chart, title: &str, propositions: &[String]) -> String {
    let columns = chart.columns.len().max(1);
    let table = MARGIN + columns * COLUMN;
    let legend = propositions.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let width = table + propositions.len() * CELL + MARGIN;
    let foot = HEAD + (chart.rows.len() + 1) * ROW;
    let height = foot + ROW + propositions.len() * CELL + MARGIN / 2;
    let width = width.max(MARGIN + legend * 8 + 2 * MARGIN);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"12\">\n\
         <title>{title}</title>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" \
         markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0 0L10 5L0 10z\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"20\">{title}</text>\n",
        title = escape(title)
    );
    if let Some(row) = chart.loop_row {
        let top = y(row) - ROW / 2;
        let _ = writeln!(
            out,
            "<rect class=\"loop\" x=\"4\" y=\"{top}\" width=\"{}\" height=\"{}\" \
             fill=\"#fff4d6\" stroke=\"#c90\"/>\n<text x=\"8\" y=\"{}\" fill=\"#960\">loop</text>",
            width - 8,
            foot - ROW - top + ROW / 2,
            top + 12
        );
    }
    for (column, name) in chart.columns.iter().enumerate() {
        let x = x(column);
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"36\" width=\"120\" height=\"22\" fill=\"#eef\" stroke=\"black\"/>\n\
             <text x=\"{x}\" y=\"51\" text-anchor=\"middle\">{}</text>\n\
             <line x1=\"{x}\" y1=\"58\" x2=\"{x}\" y2=\"{}\" stroke=\"#888\"/>",
            x - 60,
            escape(name),
            foot - ROW / 2
        );
    }
    let mut step = 0;
    for (at, row) in chart.rows.iter().enumerate() {
        if row.step != step && row.step > 0 {
            step = row.step;
            let _ = writeln!(out, "<text x=\"40\" y=\"{}\" fill=\"#888\">{step}</text>", y(at) + 4);
        }
        draw(&mut out, &row.event, at);
        for (number, &holds) in row.truth.iter().enumerate() {
            let fill = if holds { "#2a7" } else { "white" };
            let _ = writeln!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{w}\" fill=\"{fill}\" \
                 stroke=\"#888\"/>",
                table + number * CELL,
                y(at) - 7,
                w = CELL - 4
            );
        }
    }
    let _ = writeln!(out, "<text x=\"{MARGIN}\" y=\"{foot}\">{}</text>", escape(chart.end));
    for (number, name) in propositions.iter().enumerate() {
        let x = table + number * CELL;
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"51\">{number}</text>\n<text x=\"{MARGIN}\" y=\"{}\">{number}: {}</text>",
            foot + ROW + number * CELL,
            escape(name),
            number = number + 1
        );
    }
    out + "</svg>\n"
}

fn draw(out: &mut String, event: &Event, at: usize) {
    let _ = match event {
        Event::Local { column, text } => label(out, *column, at, "black", text),
        Event::Send { column, text } => label(out, *column, at, "#06c", &format!("{text} ▷")),
        Event::Receive { column, text, sent: Some((row, from)) } => {
            arrow(out, (*from, *row), (*column, at), "4 3");
            label(out, *column, at, "#06c", &format!("▷ {text}"))
        }
        Event::Receive { column, text, sent: None } => {
            label(out, *column, at, "#06c", &format!("▷ {text}"))
        }
        Event::Rendezvous { from, to, text } => {
            arrow(out, (*from, at), (*to, at), "none");
            let middle = (x(*from) + x(*to)) / 2;
            writeln!(
                out,
                "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" fill=\"#06c\">{}</text>",
                y(at) - 4,
                escape(text)
            )
        }
        Event::Gap { rows } => {
            let (x, y) = (MARGIN, y(at) + 4);
            writeln!(out, "<text x=\"{x}\" y=\"{y}\">… {rows} statements left out …</text>")
        }
    };
}

fn label(out: &mut String, column: usize, at: usize, fill: &str, text: &str) -> std::fmt::Result {
    let (x, y) = (x(column), y(at));
    writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{fill}\"/>")?;
    let text = escape(text);
    writeln!(out, "<text x=\"{}\" y=\"{}\" fill=\"{fill}\">{text}</text>", x + 8, y + 4)
}

fn arrow(out: &mut String, from: (usize, usize), to: (usize, usize), dashes: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<line class=\"message\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#06c\" \
         stroke-dasharray=\"{dashes}\" marker-end=\"url(#tip)\"/>",
        x(from.0),
        y(from.1),
        x(to.0),
        y(to.1)
    );
}

fn x(column: usize) -> usize {
    MARGIN + 60 + column * COLUMN
}

fn y(row: usize) -> usize {
    HEAD + row * ROW + ROW / 2
}

/// Text for XML; control characters have no place in it.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

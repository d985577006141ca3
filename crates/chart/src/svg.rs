//! The chart as an SVG document: no scripts, no fonts of its own, colours that print.

use std::fmt::Write;

use crate::layout::{CHANGES, LABEL, Layout, STRIP, TOP, label, shorten, width};
use crate::xml::escape;
use crate::{Act, Chart, Event, legend, title};

const MESSAGE: &str = "#06c";
const BAD: &str = "#c00";
const DIM: &str = "#777";

/// The whole document; `titles` stand above it, and `failure` says what is wrong at its end.
pub fn svg(chart: &Chart, titles: &[String], failure: &str) -> String {
    let place = Layout::new(chart, titles, failure);
    let mut paper = Paper { out: String::new(), chart, place };
    paper.frame(titles);
    paper.the_loop();
    paper.lifelines();
    paper.header();
    let mut step = 0;
    for (at, row) in chart.rows.iter().enumerate() {
        let y = paper.place.rows[at];
        if row.step != step && row.step > 0 {
            step = row.step;
            paper.step(y, step);
        }
        paper.event(at, &row.event);
        paper.truth(y, &row.truth);
        let (x, changes) = (paper.place.changes, shorten(&row.changes, CHANGES));
        paper.text((x, y + 4), "black", &changes, &row.changes);
    }
    paper.foot(failure);
    paper.out + "</svg>\n"
}

struct Paper<'a> {
    out: String,
    chart: &'a Chart,
    place: Layout,
}

/// A place on paper.
type At = (usize, usize);

impl Paper<'_> {
    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{element}");
    }

    /// A text; `whole` is its tooltip, if it was shortened.
    fn text(&mut self, (x, y): At, fill: &str, text: &str, whole: &str) {
        if text.is_empty() {
            return;
        }
        let tooltip = match text == whole {
            true => String::new(),
            false => format!("<title>{}</title>", escape(whole)),
        };
        let text = escape(text);
        self.put(format_args!("<text x=\"{x}\" y=\"{y}\" fill=\"{fill}\">{text}{tooltip}</text>"));
    }

    fn frame(&mut self, titles: &[String]) {
        let (width, height) = (self.place.width, self.place.height);
        let name = escape(titles.first().map_or("", |title| title));
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans Mono, monospace\" \
             font-size=\"12\">\n<title>{name}</title>\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" \
             markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
             <path d=\"M0 0L10 5L0 10z\" fill=\"{MESSAGE}\"/></marker>\
             <marker id=\"back\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"8\" \
             markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"#960\"/>\
             </marker></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
        ));
        for (line, title) in titles.iter().enumerate() {
            self.text((10, TOP + line * 18), "black", title, title);
        }
    }

    /// The rows that are repeated, and the way back at their left.
    fn the_loop(&mut self) {
        let Some(row) = self.chart.loop_row.filter(|&row| row < self.chart.rows.len()) else {
            return;
        };
        let has_band = !matches!(self.chart.rows[row].event, Event::Local(_) | Event::Send(_));
        let top = self.place.rows[row] - if has_band { 25 } else { 11 };
        let bottom = self.place.body.1 + 2;
        let (width, height) = (self.place.width - 8, bottom - top);
        self.put(format_args!(
            "<rect class=\"loop\" x=\"4\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
             rx=\"6\" fill=\"#fff4d6\" stroke=\"#c90\"/>"
        ));
        let (low, high) = (bottom - 8, top + 8);
        self.put(format_args!(
            "<path d=\"M28 {low}H14V{high}H30\" fill=\"none\" stroke=\"#960\" \
             marker-end=\"url(#back)\"/>"
        ));
        // Beside the way back, if there is room for it above the numbers of steps.
        if height > 40 {
            self.text((18, (low + high) / 2 + 4), "#960", "loop", "loop");
        }
    }

    fn lifelines(&mut self) {
        let (head, end) = (self.place.head, self.place.body.1 + 6);
        for (column, name) in self.chart.columns.iter().enumerate() {
            let x = self.place.columns[column];
            let (left, wide) = (x - 6, width(name) + 10);
            self.put(format_args!(
                "<line x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{end}\" stroke=\"#aaa\"/>\n\
                 <rect x=\"{left}\" y=\"{head}\" width=\"{wide}\" height=\"20\" fill=\"#eef\" \
                 stroke=\"#668\"/>",
                head + 20
            ));
            self.text((x, head + 14), "black", name, name);
        }
    }

    fn header(&mut self) {
        let y = self.place.head + 14;
        let names: Vec<String> = self.chart.propositions.clone();
        for (at, name) in names.iter().enumerate() {
            self.text((self.place.truth[at], y), DIM, &title(at, name), name);
        }
        self.text((self.place.changes, y), DIM, "changes", "changes");
        if !self.chart.initial.is_empty() {
            let (y, x) = (self.place.initial, self.place.changes);
            let initial = self.chart.initial.clone();
            self.step(y, 0);
            self.truth(y, &initial);
            self.text((x, y + 4), DIM, "(initial state)", "(initial state)");
        }
    }

    fn step(&mut self, y: usize, step: usize) {
        let number = step.to_string();
        let x = self.place.step - width(&number);
        self.text((x, y + 4), DIM, &number, &number);
    }

    fn truth(&mut self, y: usize, truth: &[bool]) {
        for (at, &holds) in truth.iter().enumerate() {
            let (x, top) = (self.place.truth[at], y - 6);
            let fill = if holds { "#2a7" } else { "white" };
            self.put(format_args!(
                "<rect x=\"{x}\" y=\"{top}\" width=\"12\" height=\"12\" fill=\"{fill}\" \
                 stroke=\"{DIM}\"/>"
            ));
        }
    }

    fn event(&mut self, at: usize, event: &Event) {
        let y = self.place.rows[at];
        let is_bad = self.chart.is_bad && at + 1 == self.chart.rows.len();
        let colour = |usual| if is_bad { BAD } else { usual };
        match event {
            Event::Local(act) => self.act(act, y, colour("black")),
            Event::Send(act) => {
                if self.place.lanes[at].is_none() {
                    // Nobody on the chart takes the message out.
                    let x = self.place.columns[act.column];
                    self.arrow(&format!("M{x} {y}H{}", x - 12), "none");
                }
                self.act(act, y, colour(MESSAGE));
            }
            Event::Receive { act, sent } => {
                let (x, band) = (self.place.columns[act.column], self.place.band(at));
                let way = sent.and_then(|(row, column)| {
                    let lane = self.place.lane(column, self.place.lanes[row]?);
                    let (from, start) = (self.place.columns[column], self.place.rows[row]);
                    Some(format!("M{from} {start}H{lane}V{band}H{x}"))
                });
                let way = way.unwrap_or_else(|| format!("M{} {band}H{x}", x - 12));
                self.arrow(&way, "4 3");
                self.act(act, y, colour(MESSAGE));
            }
            Event::Rendezvous { from, to } => {
                let (start, end) = (self.place.columns[from.column], self.place.columns[to.column]);
                let band = self.place.band(at);
                self.arrow(&format!("M{start} {band}H{end}"), "none");
                self.act(from, y, colour(MESSAGE));
                self.act(to, y, colour(MESSAGE));
            }
            Event::Gap { rows } => {
                let text = format!("… {rows} statements left out …");
                self.text((STRIP, y + 4), DIM, &text, &text);
            }
        }
    }

    fn act(&mut self, act: &Act, y: usize, fill: &str) {
        let x = self.place.columns[act.column];
        self.put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{fill}\"/>"));
        let whole = match act.text.chars().count() + act.place.len() + 2 > LABEL {
            true => format!("{}: {}", act.place, act.text),
            false => label(act),
        };
        self.text((x + 8, y + 4), fill, &label(act), &whole);
    }

    fn arrow(&mut self, way: &str, dashes: &str) {
        self.put(format_args!(
            "<path class=\"message\" d=\"{way}\" fill=\"none\" stroke=\"{MESSAGE}\" \
             stroke-dasharray=\"{dashes}\" marker-end=\"url(#tip)\"/>"
        ));
    }

    fn foot(&mut self, failure: &str) {
        let end = self.chart.end;
        let fill = if self.chart.is_bad { BAD } else { "black" };
        let lines = [(failure, fill), (end, "black")];
        let mut lines: Vec<(String, &str)> = lines
            .iter()
            .filter(|(text, _)| !text.is_empty())
            .map(|&(text, fill)| (text.to_owned(), fill))
            .collect();
        lines.extend(legend(&self.chart.propositions).into_iter().map(|text| (text, DIM)));
        for (number, (text, fill)) in lines.iter().enumerate() {
            self.text((STRIP, self.place.line(number)), fill, text, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;

    /// Left, top, right, bottom.
    type Box4 = (f64, f64, f64, f64);

    fn attribute(element: &str, name: &str) -> f64 {
        let at = element.find(&format!(" {name}=\"")).expect("the attribute") + name.len() + 3;
        let text = &element[at..];
        text[..text.find('"').expect("its end")].parse().expect("a number")
    }

    /// The boxes around the texts: a letter of a monospace font is 0.6 as wide as it is high.
    fn texts(document: &str) -> Vec<Box4> {
        let lines = document.lines().filter(|line| line.starts_with("<text"));
        lines
            .map(|line| {
                let start = line.find('>').expect("the end of the tag") + 1;
                let end = line[start..].find('<').expect("the end of the text") + start;
                let text = line[start..end].replace("&lt;", "<").replace("&gt;", ">");
                let text = text.replace("&amp;", "&").replace("&quot;", "\"");
                let (x, y) = (attribute(line, "x"), attribute(line, "y"));
                (x, y - 9.0, x + 7.2 * text.chars().count() as f64, y + 2.0)
            })
            .collect()
    }

    /// The parts of the arrows, as thin boxes.
    fn arrows(document: &str) -> Vec<Box4> {
        let mut found = Vec::new();
        for line in document.lines().filter(|line| line.starts_with("<path class=\"message\"")) {
            let way = line.split(" d=\"").nth(1).and_then(|rest| rest.split('"').next());
            let mut at = (0.0, 0.0);
            let mut rest = way.expect("a way");
            while let Some(kind) = rest.chars().next() {
                let end = rest[1..].find(['H', 'V', 'M']).map_or(rest.len(), |end| end + 1);
                let numbers: Vec<f64> = rest[1..end]
                    .split(' ')
                    .map(|number| number.parse().expect("a number"))
                    .collect();
                let to = match kind {
                    'M' => (numbers[0], numbers[1]),
                    'H' => (numbers[0], at.1),
                    _ => (at.0, numbers[0]),
                };
                if kind != 'M' {
                    found.push((at.0.min(to.0), at.1.min(to.1), at.0.max(to.0), at.1.max(to.1)));
                }
                (at, rest) = (to, &rest[end..]);
            }
        }
        found
    }

    fn meet(a: &Box4, b: &Box4) -> bool {
        a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
    }

    /// Many processes with messages that wait long, overtake each other, go to their sender.
    fn crowded() -> Chart {
        let act =
            |column: usize, text: &str| Act { column, place: "123".into(), text: text.into() };
        let mut rows: Vec<Row> = Vec::new();
        let mut add = |event: Event| {
            let (step, truth) = (rows.len() + 1, vec![rows.len().is_multiple_of(2), true]);
            let changes = "a_variable_with_a_long_name = 1, ".repeat(rows.len() % 4);
            rows.push(Row { step, event, changes, truth });
        };
        for column in 0..8 {
            add(Event::Send(act(column, "channel!request,1")));
            add(Event::Send(act(column, "channel!x")));
            add(Event::Local(act(column, &"a long condition && ".repeat(1 + column))));
        }
        for column in 0..8 {
            let sent = Some((3 * (7 - column), 7 - column));
            add(Event::Receive { act: act(column, "channel?request,1"), sent });
            let from = act((column + 3) % 8, "meet!1");
            add(Event::Rendezvous { from, to: act(column, "meet?1") });
            let sent = Some((3 * column + 1, column));
            add(Event::Receive { act: act(column, "channel?x"), sent });
        }
        add(Event::Receive { act: act(0, "lost?1"), sent: None });
        let name = |pid: usize| format!("{}({pid})", "Process".repeat(1 + pid % 3));
        Chart {
            columns: (0..8).map(name).collect(),
            propositions: vec!["p".into(), "a_long_name_of_a_proposition == 1".into()],
            initial: vec![true, false],
            rows,
            loop_row: Some(20),
            end: "then again from the start of the loop",
            is_bad: true,
        }
    }

    #[test]
    fn nothing_covers_a_text_and_nothing_is_clipped() {
        let titles = ["model.pml: property".to_owned(), "[] (a && b < c) ".repeat(20)];
        let document = svg(&crowded(), &titles, "step 49 violates the property");
        let (width, height) = (attribute(&document, "width"), attribute(&document, "height"));
        let texts = texts(&document);
        for (at, text) in texts.iter().enumerate() {
            assert!(text.0 >= 0.0 && text.1 >= 0.0 && text.2 <= width && text.3 <= height);
            let covered = texts[..at].iter().find(|other| meet(text, other));
            assert_eq!(covered, None, "{text:?}");
        }
        let arrows = arrows(&document);
        assert_eq!(document.matches("class=\"message\"").count(), 25);
        for arrow in &arrows {
            let covered = texts.iter().find(|text| meet(arrow, text));
            assert_eq!(covered, None, "{arrow:?}");
            assert!(arrow.0 >= 0.0 && arrow.2 <= width && arrow.3 <= height);
        }
        assert!(document.contains(">123: channel?request,1</text>"), "a receive has a ?");
        assert!(document.contains("fill=\"#c00\">step 49 violates the property</text>"));
    }
}

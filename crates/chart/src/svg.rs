//! The chart as an SVG document: no scripts, no fonts of its own, colours that print. Each step is a group that knows
//! its number and its height, so that a page can mark it and hear clicks on it.

use std::fmt::Write;

use crate::layout::{
    CHANGES, LABEL, Layout, NAME, ROW, STRIP, TOP, label, left_out, shorten, width,
};
use crate::style::{BAD, DARK, DIM, INK, LOOP, MESSAGE, PAPER, TRUE, class};
use crate::xml::escape;
use crate::{Act, Chart, Event, legend, title};

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
        paper.open(row.step, paper.place.area(at));
        if row.step != step && row.step > 0 {
            step = row.step;
            paper.step(y, step);
        }
        paper.event(at, &row.event);
        paper.truth(y, &row.truth);
        let (x, changes) = (paper.place.changes, shorten(&row.changes, CHANGES));
        paper.text((x, y + 4), INK, &changes, &row.changes);
        paper.close();
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
        let (text, class) = (escape(text), class(fill));
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" class=\"{class}\" fill=\"{fill}\">{text}{tooltip}</text>"
        ));
    }

    /// A row, from its top to its bottom; 0 is the initial state, or what is left out.
    fn open(&mut self, step: usize, (top, bottom): (usize, usize)) {
        self.put(format_args!(
            "<g class=\"row\" data-step=\"{step}\" data-top=\"{top}\" data-bottom=\"{bottom}\">"
        ));
    }

    fn close(&mut self) {
        self.put(format_args!("</g>"));
    }

    fn frame(&mut self, titles: &[String]) {
        let (width, height) = (self.place.width, self.place.height);
        let name = escape(titles.first().map_or("", |title| title));
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans Mono, monospace\" \
             font-size=\"12\">\n<title>{name}</title>\n{DARK}\
             <defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" \
             markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
             <path class=\"sent\" d=\"M0 0L10 5L0 10z\" fill=\"{MESSAGE}\"/></marker>\
             <marker id=\"back\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" markerWidth=\"8\" \
             markerHeight=\"8\" orient=\"auto\"><path class=\"turn\" \
             d=\"M0 0L10 5L0 10z\" fill=\"{LOOP}\"/></marker></defs>\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>"
        ));
        for (line, title) in titles.iter().enumerate() {
            self.text((10, TOP + line * 18), INK, title, title);
        }
    }

    /// The rows that are repeated, and the way back at their left.
    fn the_loop(&mut self) {
        let Some(row) = self.chart.loop_row.filter(|&row| row < self.chart.rows.len()) else {
            return;
        };
        let top = self.place.area(row).0;
        let bottom = self.place.body.1 + 2;
        let (width, height) = (self.place.width - 8, bottom - top);
        self.put(format_args!(
            "<rect class=\"loop\" x=\"4\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
             rx=\"6\" fill=\"#fff4d6\" stroke=\"#c90\"/>"
        ));
        let (low, high) = (bottom - 8, top + 8);
        self.put(format_args!(
            "<path class=\"back\" d=\"M28 {low}H14V{high}H30\" fill=\"none\" stroke=\"{LOOP}\" \
             marker-end=\"url(#back)\"/>"
        ));
        // Beside the way back, if there is room for it above the numbers of steps.
        if height > 40 {
            self.text((18, (low + high) / 2 + 4), LOOP, "loop", "loop");
        }
    }

    fn lifelines(&mut self) {
        let (head, end) = (self.place.head + 20, self.place.body.1 + 6);
        for x in self.place.columns.clone() {
            self.put(format_args!(
                "<line class=\"life\" x1=\"{x}\" y1=\"{head}\" x2=\"{x}\" y2=\"{end}\" stroke=\"#aaa\"/>"
            ));
        }
    }

    /// What stands above the columns, and the initial state.
    fn header(&mut self) {
        let (chart, head) = (self.chart, self.place.head);
        self.put(format_args!(
            "<g class=\"head\" data-top=\"{head}\" data-bottom=\"{}\">",
            head + 20
        ));
        for (column, name) in chart.columns.iter().enumerate() {
            let x = self.place.columns[column];
            let short = shorten(name, NAME);
            let (left, wide) = (x - 6, width(&short) + 10);
            self.put(format_args!(
                "<rect class=\"name\" x=\"{left}\" y=\"{head}\" width=\"{wide}\" height=\"20\" fill=\"#eef\" \
                 stroke=\"#668\"/>"
            ));
            self.text((x, head + 14), INK, &short, name);
        }
        for (at, name) in chart.propositions.iter().enumerate() {
            self.text((self.place.truth[at], head + 14), DIM, &title(at, name), name);
        }
        self.text((self.place.changes, head + 14), DIM, "changes", "changes");
        self.close();
        if !chart.initial.is_empty() {
            let (y, x) = (self.place.initial, self.place.changes);
            self.open(0, (y - ROW / 2, y + ROW / 2));
            self.step(y, 0);
            self.truth(y, &chart.initial);
            self.text((x, y + 4), DIM, "(initial state)", "(initial state)");
            self.close();
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
            let (fill, class) = if holds { (TRUE, "true") } else { (PAPER, "false") };
            self.put(format_args!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"12\" height=\"12\" fill=\"{fill}\" \
                 stroke=\"{DIM}\"/>"
            ));
        }
    }

    fn event(&mut self, at: usize, event: &Event) {
        let y = self.place.rows[at];
        let is_bad = self.chart.is_bad && at + 1 == self.chart.rows.len();
        let colour = |usual| if is_bad { BAD } else { usual };
        match event {
            Event::Local(act) => self.act(act, y, colour(INK)),
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
                // Messages go down beside lifelines; among the changes nothing does.
                let text = left_out(*rows);
                self.text((self.place.changes, y + 4), DIM, &text, &text);
            }
        }
    }

    fn act(&mut self, act: &Act, y: usize, fill: &str) {
        let (x, class) = (self.place.columns[act.column], class(fill));
        self.put(format_args!(
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{fill}\"/>"
        ));
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
        let fill = if self.chart.is_bad { BAD } else { INK };
        let lines = [(failure, fill), (end, INK)];
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
        let name = |pid: usize| format!("{}({pid})", "Process".repeat(1 + pid % 5));
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

    /// The document, where nothing may cover a text or be cut off.
    fn looked_at(chart: &Chart) -> String {
        let titles = ["model.pml: property".to_owned(), "[] (a && b < c) ".repeat(20)];
        let document = svg(chart, &titles, "step 49 violates the property");
        let (width, height) = (attribute(&document, "width"), attribute(&document, "height"));
        let texts = texts(&document);
        for (at, text) in texts.iter().enumerate() {
            assert!(text.0 >= 0.0 && text.1 >= 0.0 && text.2 <= width && text.3 <= height);
            let covered = texts[..at].iter().find(|other| meet(text, other));
            assert_eq!(covered, None, "{text:?}");
        }
        let arrows = arrows(&document);
        for arrow in &arrows {
            let covered = texts.iter().find(|text| meet(arrow, text));
            assert_eq!(covered, None, "{arrow:?}");
            assert!(arrow.0 >= 0.0 && arrow.2 <= width && arrow.3 <= height);
        }
        document
    }

    #[test]
    fn nothing_covers_a_text_and_nothing_is_clipped() {
        let document = looked_at(&crowded());
        assert_eq!(document.matches("class=\"message\"").count(), 25);
        assert!(document.contains(">123: channel?request,1</text>"), "a receive has a ?");
        assert!(document.contains("fill=\"#c00\">step 49 violates the property</text>"));
    }

    #[test]
    fn nothing_covers_a_text_in_a_part_of_a_run() {
        let whole = crowded();
        assert!(looked_at(&whole.clone().cut(10, 10)).contains("… 29 statements left out …"));
        for start in 0..whole.rows.len() {
            looked_at(&whole.clone().window(start..start + 7));
        }
    }

    #[test]
    fn long_texts_are_cut_and_a_tooltip_has_them_whole() {
        let document = svg(&crowded(), &[], "");
        let whole = "a long condition &amp;&amp; ".repeat(8);
        assert!(document.contains(&format!("…<title>123: {whole}</title></text>")));
        let name = format!("…<title>{}(4)</title></text>", "Process".repeat(5));
        assert!(document.contains(&name), "names of processes, too");
        let longest = document.lines().filter(|line| line.starts_with("<text"));
        let longest = longest.filter_map(|line| line.split(['>', '<']).nth(2));
        let longest = longest.map(|text| text.replace("&amp;", "&").chars().count());
        assert_eq!(longest.max(), Some(CHANGES));
    }

    /// What dark paper would hide: each colour has a class, and the style sheet knows each class.
    #[test]
    fn every_colour_has_one_for_the_dark() {
        let document = svg(&crowded(), &["title".to_owned()], "failed");
        let coloured = |line: &&str| {
            let fills = line.matches("fill=\"").count() - line.matches("fill=\"none\"").count();
            fills > 0 || line.contains("stroke=\"")
        };
        for element in document.split('<').filter(coloured) {
            let class = element.split("class=\"").nth(1).and_then(|rest| rest.split('"').next());
            let class = class.unwrap_or_else(|| panic!("no class: {element}"));
            let known = [" ", ",", "\n"].iter().any(|end| DARK.contains(&format!(".{class}{end}")));
            assert!(known, "{class}");
        }
    }
}

//! Where everything stands on paper, so that nothing covers anything else.
//!
//! Every column is as wide as its longest text. A row with an arrow has a band for it above its
//! texts; so arrows that go across meet lifelines, never texts. A message that waits in a
//! channel goes down a lane of its own, left of the sender's lifeline.

use crate::{Chart, Event, legend, title};

/// The width of a letter in tenths of a unit, a little more than monospace fonts have.
const LETTER: usize = 74;
/// The longest label and the longest list of changes; tooltips have them whole, as names below.
pub(super) const LABEL: usize = 48;
pub(super) const CHANGES: usize = 64;
/// The longest name of a process.
pub(super) const NAME: usize = 24;

pub(super) const ROW: usize = 22;
const BAND: usize = 14;
const LANE: usize = 7;
/// The strip at the left, where the loop goes back.
pub(super) const STRIP: usize = 52;
pub(super) const TOP: usize = 20;
const LINE: usize = 18;

pub(super) struct Layout {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Where the numbers of steps end.
    pub(super) step: usize,
    /// The lifelines.
    pub(super) columns: Vec<usize>,
    /// The left edges of the columns of propositions.
    pub(super) truth: Vec<usize>,
    pub(super) changes: usize,
    /// The tops of the boxes with the names of processes.
    pub(super) head: usize,
    pub(super) initial: usize,
    /// The middle of the texts of each row.
    pub(super) rows: Vec<usize>,
    /// By row of a send: the lane of its message.
    pub(super) lanes: Vec<Option<usize>>,
    /// Where the first row begins, and where the last ends.
    pub(super) body: (usize, usize),
    /// Base lines below the chart: the end, what failed, the legend.
    pub(super) foot: usize,
}

/// How wide a text is.
pub(super) fn width(text: &str) -> usize {
    text.chars().count() * LETTER / 10 + 2
}

/// As much of a text as there is room for.
pub(super) fn shorten(text: &str, most: usize) -> String {
    match text.chars().count() <= most {
        true => text.to_owned(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

impl Layout {
    /// `titles` stand above the chart, `failure` below.
    pub(super) fn new(chart: &Chart, titles: &[String], failure: &str) -> Layout {
        let lanes = lanes(chart);
        let mut left =
            STRIP + width(&chart.rows.iter().map(|r| r.step).max().unwrap_or(0).to_string());
        let step = left;
        let mut columns = Vec::new();
        for (column, name) in chart.columns.iter().enumerate() {
            let here = lanes.iter().zip(&chart.rows).filter(|(_, row)| starts_in(row, column));
            let deepest = here.filter_map(|(lane, _)| *lane).max();
            let lifeline = left + 16 + deepest.map_or(0, |lane| (lane + 1) * LANE) + 10;
            columns.push(lifeline);
            let acts = chart.rows.iter().flat_map(|row| row.event.acts());
            let labels = acts.filter(|act| act.column == column).map(|act| width(&label(act)));
            left = lifeline + 10 + labels.max().unwrap_or(0).max(width(&shorten(name, NAME)));
        }
        let mut truth = Vec::new();
        for (at, name) in chart.propositions.iter().enumerate() {
            truth.push(left + 16);
            left += 16 + width(&title(at, name)).max(14);
        }
        let changes = left + 16;
        let all = chart.rows.iter().map(|row| match row.event {
            Event::Gap { rows } => width(&left_out(rows)),
            _ => width(&shorten(&row.changes, CHANGES)),
        });
        let right = changes + all.max().unwrap_or(0).max(width("changes"));
        let below = legend(&chart.propositions);
        let texts = titles.iter().chain(&below).map(|text| width(text) + STRIP);
        let texts = texts.chain([width(failure) + STRIP, width(chart.end) + STRIP]);
        let width = right.max(texts.max().unwrap_or(0)) + 16;

        let head = TOP + titles.len() * LINE;
        let mut y = head + 30;
        let initial = y + ROW / 2;
        if !chart.initial.is_empty() {
            y += ROW;
        }
        let top = y;
        let mut rows = Vec::new();
        for row in &chart.rows {
            if matches!(row.event, Event::Receive { .. } | Event::Rendezvous { .. }) {
                y += BAND;
            }
            rows.push(y + ROW / 2);
            y += ROW;
        }
        let lines = 1 + usize::from(!failure.is_empty()) + below.len();
        let foot = y + 24;
        let height = foot + lines * LINE;
        let body = (top, y);
        Layout {
            width,
            height,
            step,
            columns,
            truth,
            changes,
            head,
            initial,
            rows,
            lanes,
            body,
            foot,
        }
    }

    /// From where to where a row goes, with its band.
    pub(super) fn area(&self, row: usize) -> (usize, usize) {
        let above = row.checked_sub(1).map_or(self.body.0, |above| self.rows[above] + ROW / 2);
        (above, self.rows[row] + ROW / 2)
    }

    /// The band above the texts of a row.
    pub(super) fn band(&self, row: usize) -> usize {
        self.rows[row] - ROW / 2 - BAND / 2 + 3
    }

    /// Where the messages of a column go down.
    pub(super) fn lane(&self, column: usize, lane: usize) -> usize {
        self.columns[column] - 10 - lane * LANE
    }

    pub(super) fn line(&self, number: usize) -> usize {
        self.foot + number * LINE
    }
}

/// `12: c!1`
pub(super) fn label(act: &crate::Act) -> String {
    let text = match act.place.is_empty() {
        true => act.text.clone(),
        false => format!("{}: {}", act.place, act.text),
    };
    shorten(&text, LABEL)
}

/// What stands instead of rows.
pub(super) fn left_out(rows: usize) -> String {
    format!("… {rows} statements left out …")
}

fn starts_in(row: &crate::Row, column: usize) -> bool {
    matches!(&row.event, Event::Send(act) if act.column == column)
}

/// A lane for each message that waits, by the row of its send: messages of one column that wait
/// at the same time have different ones.
fn lanes(chart: &Chart) -> Vec<Option<usize>> {
    let mut lanes: Vec<Option<usize>> = vec![None; chart.rows.len()];
    let mut until = vec![0; chart.rows.len()];
    for (at, row) in chart.rows.iter().enumerate() {
        if let Event::Receive { sent: Some((from, _)), .. } = row.event {
            until[from] = at;
        }
    }
    // By column: the row where each lane is free again.
    let mut free: Vec<Vec<usize>> = vec![Vec::new(); chart.columns.len()];
    for (at, row) in chart.rows.iter().enumerate() {
        let Event::Send(act) = &row.event else { continue };
        if until[at] == 0 {
            continue;
        }
        let free = &mut free[act.column];
        let lane = free.iter().position(|&row| row <= at).unwrap_or(free.len());
        match free.get_mut(lane) {
            Some(row) => *row = until[at],
            None => free.push(until[at]),
        }
        lanes[at] = Some(lane);
    }
    lanes
}

//! A run as a message sequence chart: processes as columns, messages as arrows between them.
//!
//! - `events`: what each statement sent or received, by looking at the channels before and
//!   after it
//! - `text`: for the terminal; `svg`: for documents

mod events;
mod svg;
mod text;

pub use events::chart;
pub use svg::svg;
pub use text::text;

/// A chart that is ready to be drawn.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The processes that move, in the order of pids.
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
    /// The row before which the loop starts.
    pub loop_row: Option<usize>,
    /// What comes after the last row.
    pub end: &'static str,
}

/// One statement, or both halves of a rendezvous.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// From 1.
    pub step: usize,
    pub event: Event,
    /// The truth of the propositions behind the step.
    pub truth: Vec<bool>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A statement without a message.
    Local { column: usize, text: String },
    /// A message goes into a channel.
    Send { column: usize, text: String },
    /// A message is taken out of a channel; the row and column where it was sent, if that is
    /// on the chart.
    Receive { column: usize, text: String, sent: Option<(usize, usize)> },
    /// Both at once.
    Rendezvous { from: usize, to: usize, text: String },
    /// Rows that are left out.
    Gap { rows: usize },
}

impl Chart {
    /// Without the middle of a long run.
    pub fn cut(mut self, first: usize, last: usize) -> Chart {
        if self.rows.len() <= first + last {
            return self;
        }
        let from = self.rows.len() - last;
        let left_out = from - first;
        let moved = |row: usize| row + 1 - left_out;
        let mut rest = self.rows.split_off(from);
        self.rows.truncate(first);
        let gap = Event::Gap { rows: left_out };
        self.rows.push(Row { step: 0, event: gap, truth: Vec::new() });
        for row in &mut rest {
            if let Event::Receive { sent, .. } = &mut row.event {
                *sent = sent.and_then(|(row, column)| match row {
                    row if row < first => Some((row, column)),
                    row if row >= from => Some((moved(row), column)),
                    _ => None,
                });
            }
        }
        self.rows.append(&mut rest);
        // A loop that starts in the gap starts at the gap.
        self.loop_row = self.loop_row.map(|row| match row {
            row if row <= first => row,
            row if row >= from => moved(row),
            _ => first,
        });
        self
    }
}

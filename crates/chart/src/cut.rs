//! A part of a long run. What is left out is a row that says how much.

use std::ops::Range;

use crate::{Chart, Event, Row};

impl Chart {
    /// Without the middle of a long run.
    pub fn cut(self, first: usize, last: usize) -> Chart {
        let rows = self.rows.len();
        match rows <= first + last {
            true => self,
            false => self.keep(|row| row < first || row >= rows - last),
        }
    }

    /// These rows only, as far as they are there.
    pub fn window(self, rows: Range<usize>) -> Chart {
        self.keep(|row| rows.contains(&row))
    }

    fn keep(mut self, is_kept: impl Fn(usize) -> bool) -> Chart {
        let mut rows: Vec<Row> = Vec::new();
        // By old row: where it is now, or the gap that stands for it.
        let mut place = Vec::with_capacity(self.rows.len());
        for (at, mut row) in std::mem::take(&mut self.rows).into_iter().enumerate() {
            if is_kept(at) {
                if let Event::Receive { sent, .. } = &mut row.event {
                    *sent = sent.filter(|&(from, _)| is_kept(from));
                    *sent = sent.map(|(from, column)| (place[from], column));
                }
                place.push(rows.len());
                rows.push(row);
                continue;
            }
            if let Some(Event::Gap { rows }) = rows.last_mut().map(|row| &mut row.event) {
                *rows += 1;
            } else {
                let (event, changes) = (Event::Gap { rows: 1 }, String::new());
                rows.push(Row { step: 0, event, changes, truth: Vec::new() });
            }
            place.push(rows.len() - 1);
        }
        // A loop that starts in a gap starts at the gap.
        self.loop_row = self.loop_row.map(|row| place.get(row).copied().unwrap_or(rows.len()));
        self.rows = rows;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Act;

    fn act(text: &str) -> Act {
        Act { column: 0, place: String::new(), text: text.to_owned() }
    }

    /// Nine local rows, then the receive of what the row `sent` has sent.
    fn chart(sent: usize, loop_row: usize) -> Chart {
        let receive = Event::Receive { act: act("c?x"), sent: Some((sent, 0)) };
        let events = (0..9).map(|row| match row == sent {
            true => Event::Send(act("c!x")),
            false => Event::Local(act("skip")),
        });
        let rows = events.chain([receive]).enumerate().map(|(at, event)| {
            let (changes, truth) = (String::new(), Vec::new());
            Row { step: at + 1, event, changes, truth }
        });
        let (columns, loop_row) = (vec!["P(0)".to_owned()], Some(loop_row));
        let (propositions, initial, end) = (Vec::new(), Vec::new(), "");
        let rows = rows.collect();
        Chart { columns, propositions, initial, rows, loop_row, end, is_bad: false }
    }

    fn steps(chart: &Chart) -> Vec<usize> {
        chart.rows.iter().map(|row| row.step).collect()
    }

    fn sent(chart: &Chart) -> Option<(usize, usize)> {
        match chart.rows.last().expect("there are rows").event {
            Event::Receive { sent, .. } => sent,
            _ => panic!("the last row is no receive"),
        }
    }

    #[test]
    fn the_middle_is_left_out() {
        let cut = chart(8, 5).cut(2, 3);
        assert_eq!(steps(&cut), [1, 2, 0, 8, 9, 10]);
        assert_eq!(cut.rows[2].event, Event::Gap { rows: 5 });
        assert_eq!((cut.loop_row, sent(&cut)), (Some(2), Some((4, 0))));
        assert_eq!(sent(&chart(4, 0).cut(2, 3)), None);
        assert_eq!(sent(&chart(1, 0).cut(2, 3)), Some((1, 0)));
        assert_eq!(steps(&chart(4, 0).cut(5, 5)).len(), 10);
    }

    #[test]
    fn a_window_says_what_is_before_and_behind_it() {
        let window = chart(4, 1).window(3..6);
        assert_eq!(steps(&window), [0, 4, 5, 6, 0]);
        assert_eq!(window.rows[0].event, Event::Gap { rows: 3 });
        assert_eq!(window.rows[4].event, Event::Gap { rows: 4 });
        assert_eq!(window.loop_row, Some(0));
        assert_eq!(chart(4, 8).window(3..6).loop_row, Some(4));
        assert_eq!(steps(&chart(4, 8).window(7..99)), [0, 8, 9, 10]);
    }
}

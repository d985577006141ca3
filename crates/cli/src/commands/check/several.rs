//! Several models: checked side by side, shown as a table in the order of the command line.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use lariat_report::numbers::{counted, grouped};
use lariat_verify::Status;

use super::human::colour;
use super::report::{Failed, ModelReport};
use crate::exit::Exit;
use crate::style::{Colour, Style};

/// Bytes of stack for each worker: as much as the main thread has.
const STACK: usize = 8 << 20;

/// Checks the models on `threads` workers; `done` is called in the order of the models, each
/// as soon as it and all before it are known.
pub(crate) fn side_by_side(
    models: usize,
    threads: usize,
    check: impl Fn(usize) + Sync,
    mut done: impl FnMut(usize),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut is_checked = vec![false; models];
    let mut next_shown = 0;
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, models.max(1)) {
            let (next, check, sender) = (&next, &check, sender.clone());
            let work = move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= models {
                        return;
                    }
                    check(at);
                    // The receiver is gone only if the main thread has panicked.
                    if sender.send(at).is_err() {
                        return;
                    }
                }
            };
            let worker = std::thread::Builder::new().stack_size(STACK);
            worker.spawn_scoped(scope, work).expect("a thread can be started");
        }
        drop(sender);
        for at in receiver {
            is_checked[at] = true;
            while is_checked.get(next_shown) == Some(&true) {
                done(next_shown);
                next_shown += 1;
            }
        }
    });
}

/// The table, row by row.
pub(super) struct Table {
    model_width: usize,
    style: Style,
}

/// How wide the column of properties is; longer names push the rest to the right.
const PROPERTY: usize = 16;

impl Table {
    pub(super) fn new(models: &[PathBuf], style: Style) -> Table {
        let widths = models.iter().map(|path| path.display().to_string().chars().count());
        Table { model_width: widths.max().unwrap_or(0).max("model".len()), style }
    }

    pub(super) fn header(&self) -> String {
        self.row(["model", "property", "verdict", "states", "transitions", "time", ""], None)
    }

    pub(super) fn rows(&self, report: &ModelReport) -> String {
        let mut out = String::new();
        for entry in &report.entries {
            let judgement = &entry.judgement;
            let found = &judgement.statistics;
            let (states, transitions) = (grouped(found.states), grouped(found.transitions));
            let time = format!("{:.2} s", found.elapsed.as_secs_f64());
            let because = match judgement.is_as_expected() {
                Some(true) => {
                    let because = judgement.because().map(|because| format!("{because}; "));
                    because.unwrap_or_default() + "as expected"
                }
                Some(false) => format!("NOT as expected: {}", judgement.unexpected()),
                None => judgement.because().unwrap_or_default(),
            };
            let cells = [
                &report.model,
                &judgement.name,
                judgement.in_words(),
                &states,
                &transitions,
                &time,
                &because,
            ];
            out += &self.row(cells, Some(colour(judgement.status())));
        }
        if let Some(failure) = &report.failure {
            let why = failure.message.lines().next().unwrap_or_default();
            let why = if failure.what == Failed::Inconclusive { why } else { "" };
            let cells = [&report.model, "", failure.what.name(), "", "", "", why];
            out += &self.row(cells, Some(Colour::Red));
        }
        if report.entries.is_empty() && report.failure.is_none() {
            out += &self.row([&report.model, "", "no properties", "", "", "", ""], None);
        }
        out
    }

    fn row(&self, cells: [&str; 7], colour: Option<Colour>) -> String {
        let [model, property, verdict, states, transitions, time, because] = cells;
        let verdict = format!("{verdict:<13}");
        let verdict = colour.map_or(verdict.clone(), |colour| self.style.paint(colour, &verdict));
        let line = format!(
            "{model:<width$}  {property:<PROPERTY$}  {verdict}  {states:>11}  {transitions:>12}  \
             {time:>9}  {because}",
            width = self.model_width
        );
        format!("{}\n", line.trim_end())
    }
}

/// `12 models, 30 checks: 25 holding, 4 violated, 1 inconclusive`
pub(super) fn tally(reports: &[&ModelReport]) -> String {
    let verdicts = || reports.iter().flat_map(|r| &r.entries).map(|e| e.judgement.status());
    let count = |wanted| verdicts().filter(|&status| status == wanted).count();
    let refused = reports.iter().filter(|report| report.exit == Exit::BadInput).count();
    let mut text = format!(
        "{}, {}: {} holding, {} violated, {} inconclusive",
        counted(reports.len() as u64, "model"),
        counted(verdicts().count() as u64, "check"),
        count(Status::Holds),
        count(Status::Violated),
        count(Status::Inconclusive)
    );
    if refused > 0 {
        text += &format!("; {} refused", counted(refused as u64, "model"));
    }
    let bugs = reports.iter().filter(|report| report.exit == Exit::InternalError).count();
    if bugs > 0 {
        text += &format!("; {} with an internal error", counted(bugs as u64, "model"));
    }
    let expected =
        || reports.iter().flat_map(|r| &r.entries).filter_map(|e| e.judgement.is_as_expected());
    if expected().count() > 0 {
        let (right, all) = (expected().filter(|&is| is).count(), expected().count());
        text += &format!("; {right} of {all} as expected");
    }
    text
}

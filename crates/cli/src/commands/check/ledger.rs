//! All that is known about the models so far, and its way into the reports.
//!
//! Results are kept here as soon as they are there: if the watchdog has to end the program, it
//! prints the same reports as the thread that was at work would have printed.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use lariat_core::Limit;
use lariat_model::ir::Model;

use super::judgement::Judgement;
use super::report::{Entry, ModelReport};
use super::several::{Table, tally};
use super::{Args, Report, human, json, junit, spoken};
use crate::exit::Exit;
use crate::input;
use crate::style::Style;

pub(super) struct Ledger {
    args: &'static Args,
    pub(super) reports: Vec<Mutex<ModelReport>>,
    /// Whose results are shown in full, as soon as they are known.
    is_one: bool,
    table: Table,
    style: Style,
    /// Rows of the table that were printed.
    shown: AtomicUsize,
}

/// What a thread left behind that has panicked is still true.
pub(super) fn locked(report: &Mutex<ModelReport>) -> MutexGuard<'_, ModelReport> {
    report.lock().unwrap_or_else(|broken| broken.into_inner())
}

impl Ledger {
    pub(super) fn new(models: &[PathBuf], is_one: bool, args: &'static Args) -> Ledger {
        let style = Style::of_stdout(args.color);
        Ledger {
            args,
            reports: models.iter().map(|path| Mutex::new(ModelReport::new(path, is_one))).collect(),
            is_one,
            table: Table::new(models, style),
            style,
            shown: AtomicUsize::new(0),
        }
    }

    fn is_table(&self) -> bool {
        !self.is_one && !self.args.json && self.args.report == Report::Human
    }

    pub(super) fn begin(&self) {
        if self.is_table() {
            out!("{}", self.table.header());
        }
    }

    /// Adds a property that was judged; says so at once, if there is one model only.
    pub(super) fn add(
        report: &Mutex<ModelReport>,
        model: &Model,
        judgement: Judgement,
        args: &Args,
    ) {
        // Nobody else waits while this is made, nor while a reader takes his time.
        let is_alone = locked(report).is_alone;
        let wants_text = args.junit.is_some() || args.report == Report::Spin || args.runs;
        let text = match wants_text {
            true => spoken(model, &judgement, args, Style::PLAIN),
            false => String::new(),
        };
        let json = args.json.then(|| json::property(model, &judgement));
        let spoken = match is_alone {
            true => spoken(model, &judgement, args, Style::of_stdout(args.color)),
            false => String::new(),
        };
        let mut known = locked(report);
        known.add(Entry { judgement, text, json });
        drop(known);
        out!("{spoken}");
    }

    /// Shows the results of one of several models.
    pub(super) fn show(&self, at: usize) {
        self.shown.store(at + 1, Ordering::Relaxed);
        let report = locked(&self.reports[at]);
        if self.is_table() {
            out!("{}", self.table.rows(&report));
        } else if !self.args.json {
            report.entries.iter().for_each(|entry| out!("{}", entry.text));
        }
    }

    /// Ends the check by force: what is not known by now is inconclusive.
    pub(super) fn cut(&self, why: Limit) -> Exit {
        for report in &self.reports {
            let mut report = locked(report);
            for judgement in report.cut(why) {
                let line = human::line(&report.model, &judgement, self.style) + "\n";
                if self.is_one && !self.args.json {
                    out!("{line}");
                }
                let json = self.args.json.then(|| json::entry(&judgement));
                report.add(Entry { judgement, text: line, json });
            }
            if let Some(failure) = report.failure.as_ref().filter(|_| self.is_one) {
                errln!("{}", failure.message);
            }
        }
        if !self.is_one {
            (self.shown.load(Ordering::Relaxed)..self.reports.len()).for_each(|at| self.show(at));
        }
        self.conclude()
    }

    /// The reports that are made of everything.
    pub(super) fn conclude(&self) -> Exit {
        let reports: Vec<_> = self.reports.iter().map(locked).collect();
        let reports: Vec<&ModelReport> = reports.iter().map(|report| &**report).collect();
        if self.is_table() {
            out!("{}\n", tally(&reports));
            let entries = reports.iter().flat_map(|report| &report.entries);
            for entry in entries.filter(|entry| self.args.runs && entry.judgement.run().is_some()) {
                out!("\n{}", entry.text);
            }
        }
        let worst = reports.iter().map(|report| report.exit).max().unwrap_or(Exit::Holds);
        if self.args.json {
            let object = match self.is_one {
                true => json::model(reports[0]),
                false => json::together(&reports, worst),
            };
            outln!("{object}");
        }
        match self.write_junit(&reports) {
            Ok(()) => worst,
            Err(message) => input::refuse(&message),
        }
    }

    fn write_junit(&self, reports: &[&ModelReport]) -> Result<(), String> {
        let Some(file) = &self.args.junit else { return Ok(()) };
        let document = junit::document(reports);
        std::fs::write(file, document)
            .map_err(|error| format!("cannot write {}: {error}", file.display()))
    }
}

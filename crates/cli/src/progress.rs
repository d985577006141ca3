//! What is said while a search runs: a line on the terminal.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use lariat_report::numbers::{bytes, grouped};
use lariat_search::safety::Progress;
use lariat_verify::Observer;

use crate::watchdog;

#[derive(clap::Args, Clone, Debug)]
#[group(id = "progress_options")]
pub(crate) struct ProgressArgs {
    /// Report the progress of the search on standard error
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    progress: Wanted,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Wanted {
    /// One line that is updated, if standard error is a terminal
    Auto,
    /// A new line each time
    Always,
    Never,
}

/// How progress is shown. There is one command, so there is one answer.
static HOW: Mutex<How> = Mutex::new(How::Not);
/// A line is on the terminal that is not finished.
static SHOWN: AtomicBool = AtomicBool::new(false);

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Not,
    OverItself,
    Lines,
}

impl ProgressArgs {
    pub(crate) fn apply(&self) {
        let how = match self.progress {
            Wanted::Auto if stderr().is_terminal() => How::OverItself,
            Wanted::Always => How::Lines,
            Wanted::Auto | Wanted::Never => How::Not,
        };
        *HOW.lock().unwrap_or_else(|broken| broken.into_inner()) = how;
    }
}

fn how() -> How {
    *HOW.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Takes an unfinished line away, before something else is written.
pub(crate) fn clear() {
    if SHOWN.swap(false, Ordering::Relaxed) {
        let _ = write!(stderr(), "\r\x1b[K");
    }
}

/// Between two lines on a terminal, and elsewhere.
const INTERVAL: Duration = Duration::from_millis(250);
const LINE_INTERVAL: Duration = Duration::from_secs(1);

/// Looks after a running search.
pub(crate) struct Watch {
    /// `model.pml: served`.
    what: String,
    started: Instant,
    shown: Mutex<Instant>,
    how: How,
}

impl Watch {
    pub(crate) fn start(what: String) -> Watch {
        let now = Instant::now();
        Watch { what, started: now, shown: Mutex::new(now), how: how() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Says how far the work is, unless that was said a moment ago.
    pub(crate) fn show(&self, text: impl FnOnce(f64) -> String) {
        let interval = match self.how {
            How::Not => return,
            How::OverItself => INTERVAL,
            How::Lines => LINE_INTERVAL,
        };
        // Whoever is showing something does it for all.
        let Ok(mut shown) = self.shown.try_lock() else { return };
        if shown.elapsed() < interval {
            return;
        }
        *shown = Instant::now();
        let seconds = self.elapsed().as_secs_f64();
        let text = format!("{}: {seconds:.0} s, {}", self.what, text(seconds));
        // A progress line that cannot be written is no reason to stop.
        if self.how == How::Lines {
            errln!("{text}");
        } else {
            let _ = write!(stderr(), "\r\x1b[K{text}");
            SHOWN.store(true, Ordering::Relaxed);
        }
    }
}

impl Observer for Watch {
    fn explored(&self, progress: Progress) {
        let Progress { states, depth, memory, .. } = progress;
        self.show(|seconds| {
            format!(
                "{} states, {} states/s, depth {}, {}",
                grouped(states),
                grouped((states as f64 / seconds) as u64),
                grouped(depth),
                bytes(memory)
            )
        });
    }

    fn expanded(&self, expansions: u64) {
        self.show(|seconds| {
            let rate = (expansions as f64 / seconds) as u64;
            format!("{} states expanded, {} states/s", grouped(expansions), grouped(rate))
        });
    }

    fn remark(&self, text: &str) {
        if self.how != How::Not {
            clear();
            errln!("{text}");
        }
    }

    fn found(&self) {
        watchdog::note_found();
    }
}

//! What happens while a search runs: a line on the terminal, and Ctrl-C.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lariat_model::explore::Progress;
use lariat_report::numbers::{bytes, grouped};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static SILENT: AtomicBool = AtomicBool::new(false);

/// No more progress lines: several searches run side by side.
pub(crate) fn silence() {
    SILENT.store(true, Ordering::Relaxed);
}

/// From now on, the first Ctrl-C asks searches to stop; the second one ends the program.
pub(crate) fn catch_interrupts() {
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    match ctrlc::try_set_handler(handler) {
        // A shell lets jobs in the background ignore Ctrl-C; so be it.
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => {}
        Err(error) => eprintln!("warning: Ctrl-C will not give a report: {error}"),
    }
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

const INTERVAL: Duration = Duration::from_millis(250);

/// Looks after a running search.
pub(crate) struct Watch {
    started: Instant,
    shown: Option<Instant>,
    on_terminal: bool,
}

impl Watch {
    pub(crate) fn start() -> Watch {
        let on_terminal = stderr().is_terminal() && !SILENT.load(Ordering::Relaxed);
        Watch { started: Instant::now(), shown: None, on_terminal }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Shows how far the search is; whether it may go on.
    pub(crate) fn look(&mut self, progress: Progress) -> bool {
        let due = self.shown.unwrap_or(self.started).elapsed() >= INTERVAL;
        if self.on_terminal && due {
            self.shown = Some(Instant::now());
            let rate = progress.states as f64 / self.elapsed().as_secs_f64();
            let Progress { states, depth, memory, .. } = progress;
            // A progress line that cannot be written is no reason to stop.
            let _ = write!(
                stderr(),
                "\r\x1b[K{} states, {} states/s, depth {}, {}",
                grouped(states),
                grouped(rate as u64),
                grouped(depth),
                bytes(memory)
            );
        }
        !is_interrupted()
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        if self.shown.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

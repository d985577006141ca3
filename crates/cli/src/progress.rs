//! What is said while a search runs: a line on the terminal, lines of JSON, or all of it at once when
//! somebody presses Ctrl-\ (as for `ping`) or sends SIGUSR1.
//!
//! Another key would need the terminal in another mode, which a search that is killed would leave so;
//! and whoever types the next command while a search runs would lose it. How long a search will still
//! take is said where it can be known: see [`lariat_core::headway`].

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lariat_core::{Headway, memory};
use lariat_report::numbers::{bytes, counted, grouped};
use lariat_search::safety::Progress;
use lariat_verify::Observer;
use lariat_verify::observer::Expansions;
use serde_json::{Value, json};

use crate::watchdog;

#[derive(clap::Args, Clone, Debug)]
#[group(id = "progress_options")]
pub(crate) struct ProgressArgs {
    /// Report the progress of searches that take longer than a second, on standard error. Ctrl-\ or
    /// SIGUSR1 has it reported at once
    #[arg(long, value_enum, default_value = "auto", value_name = "HOW")]
    progress: Wanted,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Wanted {
    /// One line that is updated, if standard error is a terminal
    Auto,
    /// A new line each time
    Always,
    /// A line of JSON each time, for programs
    Json,
    Never,
}

/// How progress is shown. There is one command, so there is one answer.
static HOW: Mutex<How> = Mutex::new(How::Not);
/// The line on the terminal.
static LINE: Mutex<Option<ProgressBar>> = Mutex::new(None);
/// The searches that run.
static RUNNING: Mutex<Vec<Weak<Search>>> = Mutex::new(Vec::new());

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Not,
    OverItself,
    Lines,
    Json,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

impl ProgressArgs {
    pub(crate) fn apply(&self) {
        *locked(&HOW) = match self.progress {
            Wanted::Auto if stderr().is_terminal() => How::OverItself,
            Wanted::Always => How::Lines,
            Wanted::Json => How::Json,
            Wanted::Auto | Wanted::Never => How::Not,
        };
    }
}

/// Takes an unfinished line away, before something else is written.
pub(crate) fn clear() {
    if let Some(line) = locked(&LINE).take() {
        line.finish_and_clear();
    }
}

/// Writes or updates the line on the terminal. One that cannot be written is no reason to stop.
fn draw(text: String) {
    let mut shown = locked(&LINE);
    let line = shown.get_or_insert_with(|| {
        let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{wide_msg}");
        line.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
    });
    line.set_message(text);
}

/// Says now how far all searches are, whatever was asked for.
pub(crate) fn report() {
    let running: Vec<Arc<Search>> = locked(&RUNNING).iter().filter_map(Weak::upgrade).collect();
    let is_json = *locked(&HOW) == How::Json;
    for search in &running {
        match is_json {
            true => errln!("{}", search.json()),
            false => errln!("{}", search.text()),
        }
    }
    if running.is_empty() {
        errln!("no search is running");
    }
}

/// Nothing is said about searches that are over by then.
const PATIENCE: Duration = Duration::from_secs(1);
/// Between two lines on a terminal, and elsewhere.
const INTERVAL: Duration = Duration::from_millis(250);
const LINE_INTERVAL: Duration = Duration::from_secs(1);

/// How far a search is; a number that is not known is [`UNKNOWN`].
struct Search {
    /// `model.pml: served`.
    what: String,
    started: Instant,
    states: AtomicU64,
    expansions: AtomicU64,
    depth: AtomicU64,
    memory: AtomicU64,
    headway: Mutex<(Instant, Headway)>,
    /// Of work that is no search.
    words: Mutex<String>,
}

const UNKNOWN: u64 = u64::MAX;

fn known(number: &AtomicU64) -> Option<u64> {
    Some(number.load(Ordering::Relaxed)).filter(|&number| number != UNKNOWN)
}

impl Search {
    /// States, or expansions of product states, in a second.
    fn rate(&self) -> Option<u64> {
        let count = known(&self.expansions).or_else(|| known(&self.states))?;
        let seconds = self.started.elapsed().as_secs_f64();
        (seconds > 0.0).then(|| (count as f64 / seconds) as u64)
    }

    fn text(&self) -> String {
        let mut parts = vec![format!("{:.0} s", self.started.elapsed().as_secs_f64())];
        let words = locked(&self.words).clone();
        parts.extend(Some(words).filter(|words| !words.is_empty()));
        parts.extend(known(&self.expansions).map(|count| format!("{} expanded", grouped(count))));
        parts.extend(known(&self.states).map(|count| format!("{} states", grouped(count))));
        parts.extend(self.rate().map(|rate| format!("{} states/s", grouped(rate))));
        let headway = self.headway();
        parts.extend(match (headway.level, headway.frontier) {
            (Some(level), Some(states)) => {
                Some(format!("level {} with {}", grouped(level), counted(states, "state")))
            }
            _ => known(&self.depth).map(|depth| format!("depth {}", grouped(depth))),
        });
        parts.extend(known(&self.memory).map(|taken| bytes(taken as usize)));
        parts.extend(headway.about.map(|left| format!("about {} left", time(left))));
        parts.extend(headway.at_most.map(|left| format!("at most {} left", time(left))));
        format!("{}: {}", self.what, parts.join(", "))
    }

    /// What is left is less by now than it was when it was said.
    fn headway(&self) -> Headway {
        let (said, headway) = *locked(&self.headway);
        let left = |then: Option<Duration>| then.map(|then| then.saturating_sub(said.elapsed()));
        Headway { about: left(headway.about), at_most: left(headway.at_most), ..headway }
    }

    fn json(&self) -> Value {
        let headway = self.headway();
        let seconds = |left: Option<Duration>| left.map(|left| left.as_secs_f64());
        json!({ "progress": {
            "what": self.what,
            "seconds": self.started.elapsed().as_secs_f64(),
            "states": known(&self.states),
            "expansions": known(&self.expansions),
            "rate": self.rate(),
            "depth": known(&self.depth),
            "level": headway.level,
            "frontier": headway.frontier,
            "memory": known(&self.memory),
            "resident": memory::resident(),
            "about": seconds(headway.about),
            "at_most": seconds(headway.at_most),
        } })
    }
}

/// `model.pml: safety: …` of `folder/model.pml: safety: …`.
fn without_folders(text: &str) -> &str {
    let name_end = text.find(": ").unwrap_or(0);
    &text[text[..name_end].rfind('/').map_or(0, |at| at + 1)..]
}

/// As a person says it.
fn time(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..120 => format!("{} s", seconds.max(1)),
        seconds @ 120..7200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}

/// Looks after a running search.
pub(crate) struct Watch {
    search: Arc<Search>,
    shown: Mutex<Instant>,
    how: How,
}

impl Watch {
    pub(crate) fn start(what: String) -> Watch {
        let now = Instant::now();
        let unknown = || AtomicU64::new(UNKNOWN);
        let search = Arc::new(Search {
            what,
            started: now,
            states: unknown(),
            expansions: unknown(),
            depth: unknown(),
            memory: unknown(),
            headway: Mutex::new((now, Headway::default())),
            words: Mutex::default(),
        });
        let mut running = locked(&RUNNING);
        running.retain(|search| search.strong_count() > 0);
        running.push(Arc::downgrade(&search));
        Watch { search, shown: Mutex::new(now), how: *locked(&HOW) }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.search.started.elapsed()
    }

    /// Says how far the work is in words, unless that was said a moment ago.
    pub(crate) fn say(&self, words: String) {
        *locked(&self.search.words) = words;
        self.show();
    }

    fn show(&self) {
        let interval = match self.how {
            How::Not => return,
            How::OverItself => INTERVAL,
            How::Lines | How::Json => LINE_INTERVAL,
        };
        // Whoever is showing something does it for all.
        let Ok(mut shown) = self.shown.try_lock() else { return };
        if shown.elapsed() < interval || self.elapsed() < PATIENCE {
            return;
        }
        *shown = Instant::now();
        match self.how {
            // One line has no room for folders.
            How::OverItself => draw(without_folders(&self.search.text()).to_owned()),
            How::Json => errln!("{}", self.search.json()),
            How::Lines | How::Not => errln!("{}", self.search.text()),
        }
    }
}

impl Observer for Watch {
    fn explored(&self, progress: Progress) {
        let Progress { states, depth, memory, headway } = progress;
        self.search.states.store(states, Ordering::Relaxed);
        self.search.depth.store(depth, Ordering::Relaxed);
        self.search.memory.store(memory as u64, Ordering::Relaxed);
        *locked(&self.search.headway) = (Instant::now(), headway);
        self.show();
    }

    fn expanded(&self, so_far: Expansions) {
        self.search.expansions.store(so_far.expanded, Ordering::Relaxed);
        self.search.states.store(so_far.system_states.unwrap_or(UNKNOWN), Ordering::Relaxed);
        self.search.memory.store(so_far.memory, Ordering::Relaxed);
        let depth = so_far.headway.depth.or(so_far.headway.level);
        self.search.depth.store(depth.unwrap_or(UNKNOWN), Ordering::Relaxed);
        *locked(&self.search.headway) = (Instant::now(), so_far.headway);
        self.show();
    }

    fn remark(&self, text: &str) {
        match self.how {
            How::Not => {}
            How::Json => errln!("{}", json!({ "remark": text })),
            How::OverItself | How::Lines => errln!("{text}"),
        }
    }

    fn found(&self) {
        watchdog::note_found();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_no_folders() {
        assert_eq!(without_folders("a/b/m.pml: x/y: 1 s"), "m.pml: x/y: 1 s");
        assert_eq!(without_folders("m.pml: x/y"), "m.pml: x/y");
        assert_eq!(without_folders("translating"), "translating");
    }

    #[test]
    fn times() {
        let say = |seconds| time(Duration::from_millis(seconds));
        assert_eq!(
            [say(0), say(119_900), say(125_000), say(7_300_000)],
            ["1 s", "119 s", "2 min", "2 h"]
        );
    }
}

//! Limits of the whole command: time, memory, and a signal that asks it to end.
//!
//! Searches and translations look at [`lariat_core::stop`] and end by themselves, with what they
//! have found so far. This thread tells them of memory. Where work does not look (reading a model,
//! compiling it, printing a long run), the thread ends the program itself a little later, with a
//! report: no work goes far beyond a limit, and the system never has to end us.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use lariat_core::{Limit, memory, stop};

use crate::exit::Exit;
use crate::out;

/// What ends the program with a report.
type Ending = Box<dyn FnOnce(Limit) -> Exit + Send>;

/// How often to look.
const INTERVAL: Duration = Duration::from_millis(20);
/// How long work may take to notice that it must end, and to show what was found.
const GRACE: Duration = Duration::from_millis(1500);
/// How long it may take to judge and to show a run that was found before time was over.
const SHOWING: Duration = Duration::from_secs(30);
/// Beyond its limit of memory, a process cannot wait that long.
const MEMORY_GRACE: Duration = Duration::from_millis(250);

/// When a run was found last.
static FOUND: Mutex<Option<Instant>> = Mutex::new(None);

/// A run was found: it is not to be lost because it is long.
pub(crate) fn note_found() {
    *FOUND.lock().unwrap_or_else(|broken| broken.into_inner()) = Some(Instant::now());
}

pub(crate) struct Bounds {
    /// When the whole command must be over.
    pub(crate) deadline: Option<Instant>,
    /// Bytes of the process.
    pub(crate) memory: Option<usize>,
}

/// Watches from now on; called once.
pub(crate) fn start(bounds: Bounds, ending: Ending) {
    let ending = Mutex::new(Some(ending));
    let watch = move || {
        let mut dog = Watchdog { bounds, interrupted: None, short: None };
        loop {
            std::thread::sleep(INTERVAL);
            let found = *FOUND.lock().unwrap_or_else(|broken| broken.into_inner());
            let Some(why) = dog.look(Instant::now(), memory::resident(), found) else { continue };
            // Somebody is reading: a pager, say. Or the search is being saved; a second Ctrl-C ends the program at once.
            if out::is_writing() || stop::Hold::is_held() {
                continue;
            }
            let Some(ending) = ending.lock().ok().and_then(|mut ending| ending.take()) else {
                return;
            };
            let exit = out::finish(ending(why));
            std::process::exit(exit.code().into());
        }
    };
    // Without the thread, the limits are still looked at by those who look.
    let _ = std::thread::Builder::new().name("watchdog".to_owned()).spawn(watch);
}

struct Watchdog {
    bounds: Bounds,
    /// Since when the user waits.
    interrupted: Option<Instant>,
    /// Since when there is too little memory.
    short: Option<Instant>,
}

impl Watchdog {
    /// Tells the others of memory; a reason to end the program at once.
    fn look(&mut self, now: Instant, resident: usize, found: Option<Instant>) -> Option<Limit> {
        let is_short = self.bounds.memory.is_some_and(|limit| resident > limit);
        let waits = |since: &mut Option<Instant>, is_so: bool, grace: Duration| {
            *since = is_so.then(|| since.unwrap_or(now));
            since.is_some_and(|since| now - since >= grace)
        };
        stop::short_of_memory(is_short);
        if waits(&mut self.short, is_short, MEMORY_GRACE) {
            return Some(Limit::Memory);
        }
        let is_interrupted = waits(&mut self.interrupted, stop::is_interrupted(), GRACE);
        if found.is_some_and(|found| now - found < SHOWING) {
            return None;
        }
        if is_interrupted {
            return Some(Limit::Interrupted);
        }
        let is_late = self.bounds.deadline.is_some_and(|deadline| now >= deadline + GRACE);
        is_late.then_some(Limit::Time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_has_some_time_to_end_by_itself() {
        let start = Instant::now();
        let bounds = Bounds { deadline: Some(start + GRACE), memory: Some(100) };
        let mut dog = Watchdog { bounds, interrupted: None, short: None };
        assert_eq!(dog.look(start, 100, None), None);
        assert_eq!(dog.look(start, 101, None), None);
        assert_eq!(dog.look(start + MEMORY_GRACE / 2, 50, None), None);
        assert_eq!(dog.look(start + MEMORY_GRACE, 101, None), None, "it was relieved in between");
        assert_eq!(dog.look(start + 2 * MEMORY_GRACE, 101, None), Some(Limit::Memory));
        assert_eq!(dog.look(start + GRACE, 50, None), None);
        assert_eq!(dog.look(start + 2 * GRACE, 50, Some(start)), None, "a run is being shown");
        assert_eq!(dog.look(start + 2 * GRACE, 50, None), Some(Limit::Time));
        assert_eq!(dog.look(start + SHOWING, 50, Some(start)), Some(Limit::Time));
        stop::short_of_memory(false);
    }
}

//! Ctrl-C, SIGTERM and a hangup end a search with a report; a second one ends the program. SIGUSR1
//! and Ctrl-\ (SIGQUIT) have the progress reported.

use lariat_core::stop;

#[cfg(unix)]
use crate::progress;

/// From now on. To be called before other threads are started, which inherit what is blocked.
#[cfg(unix)]
pub(crate) fn catch() {
    use nix::sys::signal::{SigSet, Signal};
    let reports = [Signal::SIGUSR1, Signal::SIGQUIT];
    let caught: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]
        .into_iter()
        .chain(reports)
        .filter(|&signal| !is_ignored(signal as u32))
        .collect();
    let wait = move || {
        while let Ok(signal) = caught.wait() {
            if reports.contains(&signal) {
                progress::report();
                continue;
            }
            if stop::is_interrupted() {
                std::process::exit(128 + signal as i32);
            }
            stop::interrupt();
        }
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    let result = caught.thread_block().map_err(std::io::Error::from);
    if let Err(error) = result.and_then(|()| thread.spawn(wait).map(drop)) {
        errln!("warning: Ctrl-C will not give a report: {error}");
    }
}

/// Elsewhere, Ctrl-C ends the program.
#[cfg(not(unix))]
pub(crate) fn catch() {}

/// Shells let jobs in the background ignore Ctrl-C, and `nohup` a hangup; so be it.
#[cfg(unix)]
fn is_ignored(signal: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

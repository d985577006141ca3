//! How far a search may go.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use lariat_core::{Limit, memory, stop};

use crate::exit::Exit;
use crate::watchdog::{self, Bounds};

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Limits {
    /// Stop when lariat takes more memory: a number of bytes, or with k, M or G. The default is
    /// three quarters of the memory that is free at the start
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_memory: Option<usize>,
    /// Stop the whole command after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Do not search deeper than N steps
    #[arg(long, value_name = "N")]
    depth_limit: Option<u64>,
}

impl Limits {
    /// Whether the command has an end.
    pub(crate) fn has_time(&self) -> bool {
        self.time_limit.is_some()
    }

    /// What the states may take.
    fn max_memory(&self) -> Option<usize> {
        self.max_memory.or_else(usual_memory)
    }

    /// Begins to watch over the whole command. `ending` makes the report if work does not end by
    /// itself. Until when there is time.
    pub(crate) fn watch(
        &self,
        ending: impl FnOnce(Limit) -> Exit + Send + 'static,
    ) -> Option<Instant> {
        let deadline = self.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let memory = self.max_memory.map(|limit| limit.saturating_add(OWN_MEMORY));
        let memory = memory.or_else(usual_memory).map(|limit| limit + memory::resident());
        watchdog::start(Bounds { deadline, memory }, Box::new(ending));
        deadline
    }

    /// Whether the depth is limited.
    pub(crate) fn has_depth(&self) -> bool {
        self.depth_limit.is_some()
    }

    /// Of one search, by one of so many workers of a process that share its memory; without a limit, so many processes share that of the machine.
    pub(crate) fn shared_by(
        &self,
        workers: Option<u32>,
        processes: usize,
    ) -> lariat_verify::Limits {
        let limits = self.plain();
        let processes = if self.max_memory.is_none() { processes } else { 1 };
        let workers = workers.unwrap_or(1) as usize * processes;
        lariat_verify::Limits { memory: limits.memory.map(|bytes| bytes / workers), ..limits }
    }

    /// Of one search.
    pub(crate) fn plain(&self) -> lariat_verify::Limits {
        // The whole command and each property have deadlines of their own.
        lariat_verify::Limits { memory: self.max_memory(), depth: self.depth_limit, time: None }
    }
}

/// What the program may take beside the states if it has a limit: the model, its machine code.
const OWN_MEMORY: usize = 32 << 20;

/// The limit without `--max-memory`.
fn usual_memory() -> Option<usize> {
    static USUAL: OnceLock<Option<usize>> = OnceLock::new();
    *USUAL.get_or_init(|| memory::available().map(|bytes| bytes / 4 * 3))
}

/// Other commands have a limit of memory, too.
pub(crate) fn watch_memory() {
    let memory = usual_memory().map(|limit| limit + memory::resident());
    let ending = |why| {
        errln!("inconclusive: {why}");
        Exit::Inconclusive
    };
    watchdog::start(Bounds { deadline: None, memory }, Box::new(ending));
}

/// How long one question may take.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Each {
    /// Stop each property after this many seconds, and continue with the next
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit_each: Option<Duration>,
}

impl Each {
    /// Whether each property has an end.
    pub(crate) fn has_time(&self) -> bool {
        self.time_limit_each.is_some()
    }

    /// Works on one question.
    pub(crate) fn question<T>(&self, work: impl FnOnce() -> T) -> T {
        let limit = self.time_limit_each;
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        stop::within(deadline, || {
            let result = work();
            if stop::asked() == Some(Limit::Memory) {
                // Its memory is free now. If that is not enough, the watchdog says so again.
                stop::short_of_memory(false);
            }
            result
        })
    }
}

pub(crate) fn size(text: &str) -> Result<usize, String> {
    let lower = text.to_ascii_lowercase();
    let number = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match &lower[number.len()..] {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        unit => return Err(format!("unknown unit `{unit}`; expected k, M or G")),
    };
    let bytes = number.parse::<f64>().map_err(|_| format!("`{number}` is not a number"))?;
    let bytes = bytes * f64::from(1_u32 << shift);
    // Negative numbers, NaN and numbers beyond the address space are no sizes.
    if !(0.0..9e18).contains(&bytes) {
        return Err("not a size".to_owned());
    }
    Ok(bytes as usize)
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().map_err(|_| "expected seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_with_units() {
        for (text, bytes) in [("7", 7), ("2k", 2048), ("1.5M", 3 << 19), ("4GiB", 4 << 30)] {
            assert_eq!(size(text), Ok(bytes));
        }
        for text in ["", "-1", "M", "3X", "nan", "1e300"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}

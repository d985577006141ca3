//! What a check in a process of its own hears and says.
//!
//! A search may take all memory, run into a limit of the system or crash; the server must not. So the
//! program starts itself once more for each check. The task comes on standard input as a line of JSON, progress and
//! the answer go to standard output, a line each. The server believes nothing of it but "holds": a
//! run is executed and judged again there. When standard input ends, the server is gone, and so is
//! the worker.

use std::io::{BufRead, Read, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use lariat_core::Headway;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Lines of JSON on standard output.
#[derive(Default)]
pub struct Lines {
    last: Mutex<Option<Instant>>,
}

/// Between two lines about progress.
const INTERVAL: Duration = Duration::from_millis(100);

/// Does the task on standard input, and answers on standard output.
pub fn work<T: DeserializeOwned>(answer: impl FnOnce(T, &Lines) -> Result<Value, String>) {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    let task = read.ok().and_then(|_| serde_json::from_str::<T>(&line).ok());
    let out = Lines::default();
    let Some(task) = task else {
        return out.put(&json!({ "failure": "there is no task on standard input" }));
    };
    // The server is gone when its end of the pipe is closed.
    std::thread::spawn(|| {
        let mut rest = Vec::new();
        let _ = std::io::stdin().lock().take(1 << 20).read_to_end(&mut rest);
        std::process::exit(0);
    });
    match answer(task, &out) {
        Ok(answer) => out.put(&json!({ "answer": answer })),
        Err(why) => out.put(&json!({ "failure": why })),
    }
}

impl Lines {
    /// Says something.
    pub fn put(&self, value: &Value) {
        let mut out = std::io::stdout().lock();
        // If nobody reads, nobody is there.
        if writeln!(out, "{value}").and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
        }
    }

    /// Says how far the search is, unless that was said a moment ago.
    pub fn so_far(&self, states: u64, depth: Option<u64>, memory: u64, headway: &Headway) {
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.is_none_or(|last| last.elapsed() >= INTERVAL) {
            *last = Some(Instant::now());
            let seconds = |left: Option<Duration>| left.map(|left| left.as_secs_f64());
            self.put(&json!({
                "states": states, "depth": depth, "memory": memory, "level": headway.level,
                "frontier": headway.frontier, "about": seconds(headway.about),
                "at_most": seconds(headway.at_most),
            }));
        }
    }
}

//! What the threads of a process know of a run: whether it is broken, by what, and how long the process has been running.
//!
//! The first fault counts; what follows from it is not reported. A fault wakes all who sleep.

use lariat_core::Broken;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::Thread;
use std::time::Duration;

/// What has happened.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) what: String,
    /// Another process has told of it, in its words.
    pub(crate) is_told: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Health {
    fault: OnceLock<Fault>,
    sleepers: Mutex<Vec<Thread>>,
    /// Microseconds for which this process has been running, as `pulse` counts them: while it is stopped, this clock is.
    awake: AtomicU64,
}

impl Health {
    pub(crate) fn note(&self, what: String, is_told: bool) {
        if self.fault.set(Fault { what, is_told }).is_ok() {
            self.sleepers().iter().for_each(Thread::unpark);
        }
    }

    #[inline]
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.fault.get()
    }

    #[inline]
    pub(crate) fn check(&self) -> Result<(), Broken> {
        match self.fault.get() {
            None => Ok(()),
            Some(fault) => Err(Broken { what: fault.what.clone() }),
        }
    }

    /// This thread parks, and wants to hear of faults.
    pub(crate) fn sleeps(&self, thread: Thread) {
        self.sleepers().push(thread);
    }

    pub(crate) fn awake(&self) -> Duration {
        Duration::from_micros(self.awake.load(Relaxed))
    }

    pub(crate) fn stay_awake(&self, time: Duration) {
        self.awake.fetch_add(time.as_micros() as u64, Relaxed);
    }

    fn sleepers(&self) -> std::sync::MutexGuard<'_, Vec<Thread>> {
        self.sleepers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

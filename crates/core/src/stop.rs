//! When work must end before it is done: out of time, out of memory, or told to.
//!
//! Whoever works for long calls [`asked`] every thousand steps or so (see [`Poll`]) and, if there
//! is a reason, gives up with what it has. What was cut proves nothing: the caller reports
//! "inconclusive".
//!
//! A deadline belongs to a thread and to a question ([`within`]), because several questions may
//! be worked on side by side. Interrupts and memory belong to the process. Nothing ever asks
//! unless the program has set a deadline or told of an interrupt or of memory, so libraries and
//! tests need not care.

use crate::Limit;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static MEMORY: AtomicBool = AtomicBool::new(false);
static HELD: AtomicUsize = AtomicUsize::new(0);

/// What holds for the question at hand, until the one around it goes on.
#[derive(Clone, Copy, Default)]
struct WorkScope {
    deadline: Option<Instant>,
    /// Once asked to stop, for this question it stays so.
    reason: Option<Limit>,
    /// What was found is being shown.
    undisturbed: bool,
}

thread_local! {
    static SCOPE: Cell<WorkScope> = const {
        Cell::new(WorkScope { deadline: None, reason: None, undisturbed: false })
    };
}

/// Whether the work at hand must end, and why.
pub fn asked() -> Option<Limit> {
    let mut scope = SCOPE.get();
    if scope.undisturbed || scope.reason.is_some() {
        return scope.reason.filter(|_| !scope.undisturbed);
    }
    scope.reason = if INTERRUPTED.load(Ordering::Relaxed) {
        Some(Limit::Interrupted)
    } else if scope.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        Some(Limit::Time)
    } else if MEMORY.load(Ordering::Relaxed) && MEMORY.swap(false, Ordering::Relaxed) {
        // One question gives up. If that does not free enough, the next one is told.
        Some(Limit::Memory)
    } else {
        None
    };
    if scope.reason.is_some() {
        SCOPE.set(scope);
    }
    scope.reason
}

/// Until when there is time for the work at hand. Threads that help with it must be told.
pub fn deadline() -> Option<Instant> {
    SCOPE.get().deadline
}

/// Asks all work of the process to end.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// Whether the user has asked to stop.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Tells whether the process has more memory than it may have. The first question that looks
/// gives up.
pub fn short_of_memory(is_short: bool) {
    MEMORY.store(is_short, Ordering::Relaxed);
}

/// As long as it lives, whoever ends a program whose time is over waits: what there is of a search is being saved, or a run that
/// was found is looked for.
#[derive(Debug)]
pub struct Hold(());

impl Hold {
    /// From now on.
    pub fn new() -> Hold {
        HELD.fetch_add(1, Ordering::Relaxed);
        Hold(())
    }

    /// Whether anybody is to be waited for.
    pub fn is_held() -> bool {
        HELD.load(Ordering::Relaxed) > 0
    }
}

impl Default for Hold {
    fn default() -> Self {
        Hold::new()
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        HELD.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Works on a question that has time until `deadline`, and no longer than the question around
/// it. An earlier question that gave up is none of its business.
pub fn within<T>(deadline: Option<Instant>, work: impl FnOnce() -> T) -> T {
    let outer = SCOPE.get();
    let deadline = match (outer.deadline, deadline) {
        (Some(outer), Some(inner)) => Some(outer.min(inner)),
        (outer, inner) => outer.or(inner),
    };
    let _restore = Restore(outer);
    SCOPE.set(WorkScope { deadline, ..WorkScope::default() });
    work()
}

/// Works although time may be over: to replay and show what was found must not fail for that.
/// For work that is known to be short.
pub fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    let outer = SCOPE.get();
    let _restore = Restore(outer);
    SCOPE.set(WorkScope { undisturbed: true, ..outer });
    work()
}

/// Whether this is inside [`undisturbed`].
pub fn is_undisturbed() -> bool {
    SCOPE.get().undisturbed
}

/// The scope before, also after a panic.
struct Restore(WorkScope);

impl Drop for Restore {
    fn drop(&mut self) {
        SCOPE.set(self.0);
    }
}

/// Calls [`asked`] once in so many steps.
#[derive(Clone, Copy, Debug)]
pub struct Poll {
    every: u32,
    left: u32,
}

impl Poll {
    /// Looks at every so many steps.
    pub const fn every(steps: u32) -> Poll {
        Poll { every: steps, left: steps }
    }

    /// One more step; a reason to stop.
    #[inline]
    pub fn step(&mut self) -> Option<Limit> {
        self.left = self.left.saturating_sub(1);
        if self.left > 0 {
            return None;
        }
        self.left = self.every;
        asked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    // Interrupts and memory are of the whole process, so no test here sets them.

    #[test]
    fn a_deadline_ends_with_its_question() {
        assert_eq!(asked(), None);
        let past = Instant::now();
        let later = past + Duration::from_secs(1000);
        within(Some(past), || {
            assert_eq!(asked(), Some(Limit::Time));
            undisturbed(|| assert_eq!(asked(), None));
            within(Some(later), || {
                assert_eq!(asked(), Some(Limit::Time), "no longer than outside")
            });
        });
        assert_eq!(asked(), None);
        within(Some(later), || {
            within(Some(past), || assert_eq!(asked(), Some(Limit::Time)));
            assert_eq!(asked(), None, "the inner question was another one");
        });
    }

    #[test]
    fn a_poll_looks_now_and_then() {
        let mut poll = Poll::every(3);
        within(Some(Instant::now()), || {
            let looks: Vec<bool> = (0..6).map(|_| poll.step().is_some()).collect();
            assert_eq!(looks, [false, false, true, false, false, true]);
        });
    }
}

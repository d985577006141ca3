//! Where all threads of a search come together.
//!
//! **The last to arrive decides** how all go on, while the others wait: what it reads cannot change before
//! all have heard of it. (A flag that each reads for itself behind a plain barrier can: the first to go on may
//! set it again.)
//!
//! **Nobody waits for ever.** A thread that will not come says so by [`Meeting::end`]; from then on all that
//! wait or come are sent home. What was decided before still holds for those who had arrived.
//!
//! **Order.** `arrived`, the decision and its number are written under the mutex. Who waits sees the new number by
//! an acquire load of what the last one stored with release, or under the mutex: so all that was written before
//! the meeting by any thread is seen by all behind it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::*};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A thread does not come any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended;

#[derive(Debug)]
pub(super) struct Meeting {
    threads: usize,
    arrived: Mutex<usize>,
    all_here: Condvar,
    /// How many there were, and the last decision in the low 8 bits.
    number: AtomicU64,
    has_ended: AtomicBool,
}

/// So long a thread looks whether the others are there, before it sleeps.
const SPINS: usize = 2_000;

impl Meeting {
    pub(super) fn new(threads: usize) -> Self {
        Meeting {
            threads,
            arrived: Mutex::new(0),
            all_here: Condvar::new(),
            number: AtomicU64::new(0),
            has_ended: AtomicBool::new(false),
        }
    }

    /// Waits for all others; the last one decides. The same for all.
    pub(super) fn wait(&self, decide: impl FnOnce() -> u8) -> Result<u8, Ended> {
        let mut arrived = self.lock();
        if self.has_ended() {
            return Err(Ended);
        }
        let before = self.number.load(Relaxed) >> 8;
        *arrived += 1;
        if *arrived == self.threads {
            *arrived = 0;
            let decision = decide();
            self.number.store((before + 1) << 8 | u64::from(decision), Release);
            drop(arrived);
            self.all_here.notify_all();
            return Ok(decision);
        }
        drop(arrived);
        // The next one cannot be over before this thread comes to it.
        let decision = || {
            let now = self.number.load(Acquire);
            (now >> 8 != before).then_some(now as u8)
        };
        for _ in 0..SPINS {
            if let Some(decision) = decision() {
                return Ok(decision);
            }
            std::hint::spin_loop();
        }
        let mut arrived = self.lock();
        loop {
            if let Some(decision) = decision() {
                return Ok(decision);
            }
            if self.has_ended() {
                return Err(Ended);
            }
            arrived = self.all_here.wait(arrived).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Sends all home.
    pub(super) fn end(&self) {
        let _arrived = self.lock();
        self.has_ended.store(true, Release);
        self.all_here.notify_all();
    }

    #[inline(always)]
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended.load(Relaxed)
    }

    /// Who panicked while deciding has left a number behind, and nothing half done.
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.arrived.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits a little for another thread.
pub(crate) struct Patience(u32);

impl Patience {
    pub(crate) fn new() -> Self {
        Patience(0)
    }

    pub(crate) fn wait(&mut self) {
        #[cfg(all(feature = "loom", test))]
        loom::thread::yield_now();
        self.0 = self.0.wrapping_add(1);
        // It may be that the other one does not run.
        if self.0.is_multiple_of(128) {
            std::thread::yield_now();
        } else {
            std::hint::spin_loop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn the_last_one_decides_for_all() {
        for threads in [1, 2, 3, 8] {
            let (meeting, decided) = (Meeting::new(threads), AtomicUsize::new(0));
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        for round in 0..2_000_u32 {
                            let decision = meeting.wait(|| {
                                decided.fetch_add(1, Relaxed);
                                (round % 251) as u8
                            });
                            assert_eq!(decision, Ok((round % 251) as u8));
                            assert_eq!(decided.load(Relaxed), round as usize + 1);
                            // Nobody is a meeting ahead.
                            meeting.wait(|| 0).unwrap();
                        }
                    });
                }
            });
        }
    }

    #[test]
    fn who_does_not_come_sends_the_others_home() {
        let meeting = Meeting::new(3);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| assert_eq!(meeting.wait(|| 0), Err(Ended)));
            }
            meeting.end();
        });
        assert_eq!(meeting.wait(|| 0), Err(Ended));
    }

    #[test]
    fn after_a_panic_in_a_decision_others_are_sent_home() {
        let meeting = Meeting::new(2);
        let come = || {
            let wait = std::panic::AssertUnwindSafe(|| meeting.wait(|| panic!("on purpose")));
            let came = std::panic::catch_unwind(wait);
            // As a session does when it is dropped.
            if came.is_err() {
                meeting.end();
            }
            came.ok()
        };
        std::thread::scope(|scope| {
            let other = scope.spawn(come);
            let both = [come(), other.join().unwrap()];
            assert!(both.contains(&None) && both.contains(&Some(Err(Ended))), "{both:?}");
        });
    }
}

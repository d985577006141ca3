//! An exchange among the threads of one process: the contract, as short as it can be said.
//!
//! Everything is under one mutex. Who rests is counted, and so are messages that nobody has taken yet: a phase is over when all rest and there is no
//! such message. Whoever hears of it late still gets to hear of it first, because messages of the next phase wait until then.

use super::{Broken, Event, Exchange};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// So many bytes of one worker may wait at another before the first one is told to wait.
pub const WINDOW: usize = 1 << 20;

/// One worker's end.
#[derive(Debug)]
pub struct Local {
    me: usize,
    workers: usize,
    /// How often this worker has heard that a phase is over.
    phase: u64,
    /// It is counted among those who rest: since it had nothing to do, no message has come to it.
    is_resting: bool,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// How many phases are over.
    phase: u64,
    resting: usize,
    /// Messages that were sent and not taken yet.
    under_way: usize,
    /// What waits at each worker: messages with their phases, in the order in which they were sent.
    inboxes: Vec<Inbox>,
    /// The first worker that left.
    gone: Option<usize>,
}

#[derive(Debug, Default)]
struct Inbox {
    calls: VecDeque<(usize, u64)>,
    messages: VecDeque<(u64, usize, Vec<u8>)>,
    /// Bytes of each sender that wait here.
    waiting: Vec<usize>,
}

/// Ends for so many workers; each goes to a thread of its own.
pub fn local(workers: usize) -> Vec<Local> {
    let inbox = || Inbox { waiting: vec![0; workers], ..Inbox::default() };
    let inboxes = (0..workers).map(|_| inbox()).collect();
    let state = State { phase: 0, resting: 0, under_way: 0, inboxes, gone: None };
    let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
    (0..workers)
        .map(|me| Local { me, workers, phase: 0, is_resting: false, shared: shared.clone() })
        .collect()
}

impl State {
    /// What worker `me` gets in its phase: calls first, as they cannot wait.
    fn take(&mut self, me: usize, phase: u64) -> Option<Event> {
        let inbox = &mut self.inboxes[me];
        if let Some((from, word)) = inbox.calls.pop_front() {
            return Some(Event::Call { from, word });
        }
        if inbox.messages.front().is_none_or(|&(of, ..)| of != phase) {
            return None;
        }
        let (_, from, bytes) = inbox.messages.pop_front()?;
        inbox.waiting[from] -= bytes.len();
        self.under_way -= 1;
        Some(Event::Message { from, bytes })
    }

    fn keep_up(&self, with: usize) -> bool {
        self.inboxes.iter().all(|inbox| inbox.waiting[with] < WINDOW)
    }

    /// Somebody left before this phase was over: it never will be.
    fn broken(&self, phase: u64) -> Result<(), Broken> {
        match self.gone {
            Some(who) if self.phase == phase => {
                Err(Broken { what: format!("worker {who} ended before the others") })
            }
            _ => Ok(()),
        }
    }
}

impl Shared {
    /// Nothing that can panic is done under the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

impl Local {
    /// What has come. Only a message wakes.
    fn take(&mut self, state: &mut State) -> Option<Event> {
        let event = state.take(self.me, self.phase)?;
        if matches!(event, Event::Message { .. }) && self.is_resting {
            self.is_resting = false;
            state.resting -= 1;
        }
        self.shared.changed.notify_all();
        Some(event)
    }
}

impl Exchange for Local {
    fn me(&self) -> usize {
        self.me
    }

    fn workers(&self) -> usize {
        self.workers
    }

    fn may_send(&self) -> bool {
        self.shared.lock().keep_up(self.me)
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        assert!(!self.is_resting, "who rests does not send before a message has come");
        let mut state = self.shared.lock();
        state.under_way += 1;
        state.inboxes[to].waiting[self.me] += bytes.len();
        state.inboxes[to].messages.push_back((self.phase, self.me, bytes));
        self.shared.changed.notify_all();
    }

    fn call(&mut self, word: u64) {
        let mut state = self.shared.lock();
        state.inboxes.iter_mut().for_each(|inbox| inbox.calls.push_back((self.me, word)));
        self.shared.changed.notify_all();
    }

    /// While this worker may not send, waits until it may or something comes, so that asking again and again costs nothing.
    fn poll(&mut self) -> Result<Option<Event>, Broken> {
        let shared = self.shared.clone();
        let mut state = shared.lock();
        loop {
            if let Some(event) = self.take(&mut state) {
                return Ok(Some(event));
            }
            state.broken(self.phase)?;
            if state.keep_up(self.me) {
                return Ok(None);
            }
            state = shared.wait(state);
        }
    }

    fn rest(&mut self) -> Result<Event, Broken> {
        let shared = self.shared.clone();
        let mut state = shared.lock();
        if !self.is_resting {
            self.is_resting = true;
            state.resting += 1;
        }
        loop {
            if let Some(event) = self.take(&mut state) {
                return Ok(event);
            }
            if state.phase > self.phase {
                self.phase += 1;
                self.is_resting = false;
                return Ok(Event::Over);
            }
            state.broken(self.phase)?;
            if state.resting == self.workers && state.under_way == 0 {
                state.phase += 1;
                state.resting = 0;
                shared.changed.notify_all();
            } else {
                state = shared.wait(state);
            }
        }
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.shared.lock().gone.get_or_insert(self.me);
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Numbers walk among workers: each is sent on `hops` times, to whoever it names. Counts what each phase has handed out.
    fn walk(mut end: Local, seeds: u64, hops: u64, is_free: bool) -> Vec<u64> {
        let workers = end.workers() as u64;
        let mut random = fastrand::Rng::with_seed(end.me() as u64);
        let mut waiting: Vec<u64> =
            if end.me() == 0 { (0..seeds).map(|_| hops).collect() } else { Vec::new() };
        let (mut next, mut counts) = (Vec::new(), Vec::new());
        let mut taken = 0;
        loop {
            while let Some(left) = waiting.pop() {
                while !end.may_send() {
                    if let Some(Event::Message { bytes, .. }) = end.poll().unwrap() {
                        taken += 1;
                        next.push(u64::from_le_bytes(bytes.try_into().unwrap()));
                    }
                }
                if left > 0 {
                    end.send(random.u64(..workers) as usize, (left - 1).to_le_bytes().to_vec());
                }
            }
            match end.rest().unwrap() {
                Event::Message { bytes, .. } => {
                    taken += 1;
                    next.push(u64::from_le_bytes(bytes.try_into().unwrap()));
                }
                Event::Call { .. } => unreachable!("nobody calls"),
                Event::Over => {
                    let all = end.agree(&u64::to_le_bytes(taken)).unwrap();
                    let all =
                        all.iter().map(|said| u64::from_le_bytes(said[..].try_into().unwrap()));
                    counts.push(all.sum());
                    taken = 0;
                    if counts.last() == Some(&0) {
                        return counts;
                    }
                    waiting.append(&mut next);
                }
            }
            if is_free {
                waiting.append(&mut next);
            }
        }
    }

    #[test]
    fn phases_end_when_all_rest_and_nothing_is_under_way() {
        for (workers, is_free) in [(1, false), (2, false), (4, false), (1, true), (3, true)] {
            let counts: Vec<Vec<u64>> = thread::scope(|scope| {
                let all = local(workers).into_iter();
                let all: Vec<_> =
                    all.map(|end| scope.spawn(move || walk(end, 50, 40, is_free))).collect();
                all.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            for count in counts {
                let levels =
                    if is_free { vec![50 * 40, 0] } else { [vec![50; 40], vec![0]].concat() };
                assert_eq!(count, levels, "{workers} workers, free: {is_free}");
            }
        }
    }

    #[test]
    fn a_call_is_heard_before_messages_and_by_the_caller() {
        let mut ends = local(2);
        ends[1].send(0, vec![1]);
        ends[1].call(7);
        assert_eq!(ends[0].poll(), Ok(Some(Event::Call { from: 1, word: 7 })));
        assert_eq!(ends[0].poll(), Ok(Some(Event::Message { from: 1, bytes: vec![1] })));
        assert_eq!(ends[0].poll(), Ok(None));
        assert_eq!(ends[1].rest(), Ok(Event::Call { from: 1, word: 7 }));
    }

    #[test]
    #[should_panic(expected = "does not send before a message")]
    fn who_hears_a_call_still_rests() {
        let mut ends = local(2);
        ends[0].call(1);
        let mut second = ends.pop().unwrap();
        assert!(matches!(second.rest(), Ok(Event::Call { .. })));
        second.send(0, vec![1]);
    }

    #[test]
    fn a_message_of_the_next_phase_waits_for_the_end_of_this_one() {
        let mut ends = local(2).into_iter();
        let (mut slow, mut quick) = (ends.next().unwrap(), ends.next().unwrap());
        thread::scope(|scope| {
            let quick = scope.spawn(move || {
                assert_eq!(quick.rest(), Ok(Event::Over));
                quick.send(0, vec![2]);
                quick.rest()
            });
            assert_eq!(slow.rest(), Ok(Event::Over));
            assert_eq!(slow.rest(), Ok(Event::Message { from: 1, bytes: vec![2] }));
            assert_eq!(slow.rest(), Ok(Event::Over));
            assert_eq!(quick.join().unwrap(), Ok(Event::Over));
        });
    }

    #[test]
    fn who_leaves_too_early_breaks_it_for_the_others_only_in_a_later_phase() {
        let mut ends = local(2).into_iter();
        let (mut stays, mut leaves) = (ends.next().unwrap(), ends.next().unwrap());
        thread::scope(|scope| {
            let left = scope.spawn(move || leaves.rest());
            assert_eq!(stays.rest(), Ok(Event::Over));
            assert_eq!(left.join().unwrap(), Ok(Event::Over));
        });
        let broken = stays.rest().unwrap_err();
        assert_eq!(broken.to_string(), "worker 1 ended before the others");
        assert_eq!(stays.poll(), Err(broken));
    }

    #[test]
    fn whoever_sends_too_much_may_not_send_until_it_is_taken() {
        let mut ends = local(2);
        ends[0].send(1, vec![0; WINDOW]);
        assert!(!ends[0].may_send() && ends[1].may_send());
        assert!(matches!(ends[1].poll(), Ok(Some(Event::Message { .. }))));
        assert!(ends[0].may_send());
    }
}

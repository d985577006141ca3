//! One worker's exchange: a loop of its own that steps timely whenever it is called, and sleeps in between.
//!
//! *Credits.* timely's queues have no bounds. So what was sent to a worker and not taken by it yet is counted, and who has a window full of it may not send. Takers acknowledge by
//! quarters of a window: if everything was taken, less than a quarter is left, so nobody waits in vain. What is on its way to a worker is at most a window for each sender, and what one
//! turn of that sender's loop adds.
//!
//! *Packets.* Small messages to the same worker travel together: until they are [`PACKET`] bytes, or the sender rests, or [`PATIENCE`] is over.

use super::desk::{self, Ends, Parcel};
use super::note::{Note, What};
use super::packet::Packet;
use crate::health::Health;
use lariat_core::{Broken, Event, Exchange};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use timely::communication::{Pull, Push};
use timely::worker::Worker;

/// So many bytes make a packet.
const PACKET: usize = 32 << 10;
/// So long messages wait for others that go to the same worker.
const PATIENCE: Duration = Duration::from_micros(500);
/// What a message takes beside its bytes: here, and on the wire.
const OVERHEAD: usize = 48;
/// After so many events from the inbox the network has its turn.
const TURN: u32 = 64;
/// Whoever sleeps is woken by what comes and by faults; this is for what nobody has thought of.
const SLEEP: Duration = Duration::from_millis(500);

/// A worker among all workers.
pub(crate) struct Member {
    worker: Worker,
    ends: Ends,
    health: Arc<Health>,
    window: usize,
    /// Small messages for each worker, and their bytes.
    pending: Vec<(Vec<Vec<u8>>, usize)>,
    is_pending: bool,
    /// When packets were made of all that was pending.
    flushed: Instant,
    /// What each worker has not taken yet.
    under_way: Vec<usize>,
    /// What was taken of each worker's messages and not acknowledged.
    taken: Vec<usize>,
    calls: VecDeque<(usize, u64)>,
    /// Who does nothing any more, and since which phase.
    left: Vec<Option<u64>>,
    events: u32,
}

impl Member {
    pub(super) fn new(mut worker: Worker, window: usize, health: Arc<Health>) -> Member {
        health.sleeps(std::thread::current());
        let (ends, workers) = (desk::build(&mut worker), worker.peers());
        Member {
            worker,
            ends,
            health,
            window,
            pending: (0..workers).map(|_| (Vec::new(), 0)).collect(),
            is_pending: false,
            flushed: Instant::now(),
            under_way: vec![0; workers],
            taken: vec![0; workers],
            calls: VecDeque::new(),
            left: vec![None; workers],
            events: 0,
        }
    }

    /// The work is done: waits until it is for all others, too. Only then nobody needs this worker any more. A worker for which the run is broken does not say that it is done, so no other one
    /// takes it for that.
    pub(crate) fn leave(&mut self) -> Result<(), Broken> {
        self.health.check()?;
        let (me, phase) = (self.me(), self.ends.desk.borrow().phase);
        self.tell_others(What::Left(phase));
        self.left[me] = Some(phase);
        while self.left.iter().any(Option::is_none) {
            self.health.check()?;
            self.step(SLEEP);
        }
        if let Some(other) = self.left.iter().position(|left| *left != Some(phase)) {
            let what = format!("workers {me} and {other} ended in different phases");
            self.health.note(what, false);
        }
        self.health.check()
    }

    fn tell(&mut self, to: usize, what: What) {
        let from = self.me() as u32;
        // It goes out at once: to say "flush" would only wake the other one again.
        self.ends.tell[to].send(Note { from, what });
    }

    fn tell_others(&mut self, what: What) {
        let me = self.me();
        (0..self.workers()).filter(|&to| to != me).for_each(|to| self.tell(to, what));
    }

    /// Lets timely work if there is something to do, else sleeps for so long at most; then takes notes.
    fn step(&mut self, sleep: Duration) {
        self.worker.step_or_park(Some(sleep));
        while let Some(note) = self.ends.hear.recv() {
            let from = note.from as usize;
            match note.what {
                What::Call(word) => self.calls.push_back((from, word)),
                What::Taken(bytes) => self.under_way[from] -= bytes as usize,
                What::Left(phase) => self.left[from] = Some(phase),
            }
        }
    }

    /// Makes packets of all that is pending.
    fn flush(&mut self) {
        self.flushed = Instant::now();
        if std::mem::take(&mut self.is_pending) {
            (0..self.pending.len()).for_each(|to| self.pack(to));
        }
    }

    fn pack(&mut self, to: usize) {
        let (messages, bytes) = &mut self.pending[to];
        if !messages.is_empty() {
            *bytes = 0;
            let packet = Packet {
                to: to as u32,
                from: self.worker.index() as u32,
                messages: std::mem::take(messages),
            };
            self.ends.desk.borrow_mut().outbox.push(packet);
        }
    }

    /// Has timely send what is in packets. The second step is for the way through the loop.
    fn send_packets(&mut self) {
        if !self.ends.desk.borrow().outbox.is_empty() {
            self.ends.activator.activate();
            self.step(Duration::ZERO);
        }
        self.step(Duration::ZERO);
    }

    fn take(&mut self) -> Option<Event> {
        if let Some((from, word)) = self.calls.pop_front() {
            return Some(Event::Call { from, word });
        }
        let mut desk = self.ends.desk.borrow_mut();
        let Parcel { from, bytes, .. } = desk.take()?;
        desk.is_resting = false;
        drop(desk);
        let size = bytes.len() + OVERHEAD;
        if from == self.me() {
            self.under_way[from] -= size;
        } else {
            self.taken[from] += size;
            if self.taken[from] >= self.window / 4 {
                let taken = std::mem::take(&mut self.taken[from]);
                self.tell(from, What::Taken(taken as u64));
            }
        }
        Some(Event::Message { from, bytes })
    }

    /// Somebody does nothing any more, and is needed: the phase is never over.
    fn check_left(&self) -> Result<(), Broken> {
        let phase = self.ends.desk.borrow().phase;
        match self.left.iter().position(|left| left.is_some_and(|left| left <= phase)) {
            None => Ok(()),
            Some(who) => {
                self.health.note(format!("worker {who} ended before the others"), false);
                self.health.check()
            }
        }
    }
}

impl Exchange for Member {
    fn me(&self) -> usize {
        self.worker.index()
    }

    fn workers(&self) -> usize {
        self.pending.len()
    }

    fn may_send(&self) -> bool {
        self.under_way.iter().all(|&size| size < self.window)
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) {
        let me = self.me();
        let mut desk = self.ends.desk.borrow_mut();
        assert!(!desk.is_resting, "who rests does not send before a message has come");
        let size = bytes.len() + OVERHEAD;
        self.under_way[to] += size;
        if to == me {
            let phase = desk.phase;
            desk.inbox.push_back(Parcel { phase, from: me, bytes });
            return;
        }
        drop(desk);
        let (messages, pending) = &mut self.pending[to];
        messages.push(bytes);
        *pending += size;
        self.is_pending = true;
        if *pending >= PACKET {
            self.pack(to);
        }
    }

    fn call(&mut self, word: u64) {
        let me = self.me();
        self.calls.push_back((me, word));
        self.tell_others(What::Call(word));
    }

    /// While this worker may not send, waits for a while until it may or something comes, so that asking again and again costs little.
    fn poll(&mut self) -> Result<Option<Event>, Broken> {
        self.health.check()?;
        self.events = self.events.wrapping_add(1);
        if self.events.is_multiple_of(TURN) || self.ends.desk.borrow().inbox.is_empty() {
            if self.is_pending && self.flushed.elapsed() > PATIENCE {
                self.flush();
            }
            self.send_packets();
        }
        if let Some(event) = self.take() {
            return Ok(Some(event));
        }
        if !self.may_send() {
            self.flush();
            self.send_packets();
            let until = Instant::now() + SLEEP;
            while !self.may_send() && Instant::now() < until {
                self.health.check()?;
                if let Some(event) = self.take() {
                    return Ok(Some(event));
                }
                self.check_left()?;
                self.step(SLEEP);
            }
            return Ok(self.take());
        }
        self.check_left()?;
        Ok(None)
    }

    fn rest(&mut self) -> Result<Event, Broken> {
        self.health.check()?;
        if let Some(event) = self.take() {
            if matches!(event, Event::Call { .. }) {
                // It rests, and was called: what it has sent goes out, and it may send after a message only.
                self.flush();
                self.ends.desk.borrow_mut().is_resting = true;
            }
            return Ok(event);
        }
        self.flush();
        self.ends.desk.borrow_mut().is_resting = true;
        self.ends.activator.activate();
        loop {
            self.health.check()?;
            self.step(SLEEP);
            if let Some(event) = self.take() {
                return Ok(event);
            }
            if self.ends.desk.borrow().is_over() {
                self.ends.desk.borrow_mut().begin_next();
                return Ok(Event::Over);
            }
            self.check_left()?;
        }
    }
}

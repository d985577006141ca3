//! Peterson's lock for two and the alternating bit, in Promela and in Rust.

use lariat::{Model, State, Steps};

pub(crate) const PETERSON: &str = "
bool flag[2]; byte turn, inside;
active [2] proctype P() {
end: do
  :: flag[_pid] = true; turn = 1 - _pid;
     (!flag[1 - _pid] || turn == _pid);
     inside++;
     inside--;
     flag[_pid] = false
  od
}";

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
pub(crate) struct Lock {
    pub(crate) at: [u8; 2],
    pub(crate) flag: [bool; 2],
    pub(crate) turn: usize,
    pub(crate) inside: u8,
}

pub(crate) struct Peterson {
    /// Both wait for the flag of the other only.
    pub(crate) without_turn: bool,
}

impl Model for Peterson {
    type State = Lock;
    type Action = (usize, u8);
    fn initial(&self) -> Vec<Lock> {
        vec![Lock { at: [0; 2], flag: [false; 2], turn: 0, inside: 0 }]
    }
    fn steps(&self, lock: &Lock, to: &mut Steps<'_, Self>) {
        for me in 0..2 {
            let (at, other) = (lock.at[me], 1 - me);
            to.step_if((me, at), |lock| {
                lock.at[me] = (at + 1) % 6;
                match at {
                    0 => lock.flag[me] = true,
                    1 => lock.turn = other,
                    2 => return !lock.flag[other] || lock.turn == me && !self.without_turn,
                    3 => lock.inside += 1,
                    4 => lock.inside -= 1,
                    _ => lock.flag[me] = false,
                }
                true
            });
        }
    }
}

pub(crate) const ALTERNATING_BIT: &str = "
chan to = [1] of { bit }; chan back = [1] of { bit };
bit sent, expected; byte delivered;
active proctype sender() {
  bit got;
  do
  :: nfull(to) -> to!sent
  :: d_step { back?got; if :: got == sent -> sent = 1 - sent :: else fi; got = 0 }
  :: d_step { back?_ }
  od
}
active proctype receiver() {
  bit got;
  do
  :: d_step { to?got; if :: got == expected -> expected = 1 - expected; delivered = 1 - delivered :: else fi; got = 0 }
  :: d_step { to?_ }
  :: nfull(back) -> back!(1 - expected)
  od
}";

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
pub(crate) struct Protocol {
    pub(crate) to: Option<u8>,
    pub(crate) back: Option<u8>,
    pub(crate) sent: u8,
    pub(crate) expected: u8,
    pub(crate) delivered: u8,
    /// Between a test and a send.
    pub(crate) at: [bool; 2],
}

/// Alternating bit over channels of one place that lose messages.
pub(crate) struct AlternatingBit;
impl Model for AlternatingBit {
    type State = Protocol;
    type Action = &'static str;
    fn initial(&self) -> Vec<Protocol> {
        let (to, back) = (None, None);
        vec![Protocol { to, back, sent: 0, expected: 0, delivered: 0, at: [false; 2] }]
    }
    fn steps(&self, s: &Protocol, to: &mut Steps<'_, Self>) {
        if s.at[0] {
            if s.to.is_none() {
                to.step("send", |s| (s.to, s.at[0]) = (Some(s.sent), false));
            }
        } else {
            if s.to.is_none() {
                to.step("can send", |s| s.at[0] = true);
            }
            if let Some(got) = s.back {
                to.step("answer", |s| {
                    s.back = None;
                    if got == s.sent {
                        s.sent = 1 - s.sent;
                    }
                });
                to.step("lose answer", |s| s.back = None);
            }
        }
        if s.at[1] {
            if s.back.is_none() {
                to.step("acknowledge", |s| (s.back, s.at[1]) = (Some(1 - s.expected), false));
            }
        } else {
            if let Some(got) = s.to {
                to.step("receive", |s| {
                    s.to = None;
                    if got == s.expected {
                        (s.expected, s.delivered) = (1 - s.expected, 1 - s.delivered);
                    }
                });
                to.step("lose", |s| s.to = None);
            }
            if s.back.is_none() {
                to.step("can acknowledge", |s| s.at[1] = true);
            }
        }
    }
}

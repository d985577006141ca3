//! A data structure against its specification: a ring buffer for one producer and one consumer, step by
//! step, beside the queue that it should be.

use lariat::{Check, Model, Report, State, Steps};
use std::collections::VecDeque;
use std::process::ExitCode;

#[derive(Clone, Debug, PartialEq, Eq, Hash, State)]
pub struct Buffers {
    /// What is written, and up to where. Positions count on for ever, modulo twice the size.
    #[state(each)]
    slots: Vec<u8>,
    head: usize,
    tail: usize,
    /// The producer has written its slot, but not yet said so.
    is_writing: bool,
    next: u8,
    /// What a queue would hold, and what was taken out of it and out of the buffer last.
    queue: VecDeque<u8>,
    taken: Option<(u8, Option<u8>)>,
}

pub struct RingBuffer {
    pub size: usize,
    /// The producer moves the end before it writes.
    pub is_hasty: bool,
}

impl Model for RingBuffer {
    type State = Buffers;
    type Action = &'static str;

    fn initial(&self) -> Vec<Buffers> {
        vec![Buffers {
            slots: vec![0; self.size],
            head: 0,
            tail: 0,
            is_writing: false,
            next: 1,
            queue: VecDeque::new(),
            taken: None,
        }]
    }

    fn steps(&self, s: &Buffers, to: &mut Steps<'_, Self>) {
        let around = 2 * self.size;
        let write = |s: &mut Buffers, at: usize| {
            s.slots[at % self.size] = s.next;
            s.next = s.next % 3 + 1;
        };
        let publish = |s: &mut Buffers| {
            s.tail = (s.tail + 1) % around;
            let value =
                if self.is_hasty { s.next } else { s.slots[(s.tail + around - 1) % self.size] };
            s.queue.push_back(value);
        };
        match (s.is_writing, (s.tail + around - s.head) % around == self.size) {
            (false, true) => {}
            (false, false) => to.step("begin", |s| {
                s.is_writing = true;
                if self.is_hasty { publish(s) } else { write(s, s.tail) }
            }),
            (true, _) => to.step("end", |s| {
                s.is_writing = false;
                if self.is_hasty { write(s, s.tail + around - 1) } else { publish(s) }
            }),
        }
        if s.head != s.tail {
            to.step("take", |s| {
                s.taken = Some((s.slots[s.head % self.size], s.queue.pop_front()));
                s.head = (s.head + 1) % around;
            });
        }
    }
}

pub fn check(buffer: &RingBuffer) -> Report<RingBuffer> {
    let size = buffer.size;
    Check::of(buffer)
        .always("as a queue", |s| s.taken.is_none_or(|(taken, expected)| Some(taken) == expected))
        .always("not too many", move |s| s.queue.len() <= size)
        .reachable("full", move |s| s.queue.len() == size)
        .ends_only_in("no end", |_| false)
        .run()
}

pub fn main() -> ExitCode {
    print!("{}", check(&RingBuffer { size: 2, is_hasty: true }));
    let report = check(&RingBuffer { size: 2, is_hasty: false });
    print!("{report}");
    report.exit_code()
}

#[test]
fn a_ring_buffer_is_a_queue() {
    for size in 1..4 {
        check(&RingBuffer { size, is_hasty: false }).assert_ok();
        let report = check(&RingBuffer { size, is_hasty: true });
        assert_eq!(report.assert_violated("as a queue").actions, ["begin", "take"]);
    }
}

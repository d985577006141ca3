//! Which reduced states have a successor that leads on: their owners are asked.
//!
//! Partial-order reduction goes by levels (`by_level`): a reduced state none of whose successors leads on is expanded fully. What is known of a successor is known to its owner. So whoever
//! expands a reduced state asks the owner of each successor, itself included, when it tells of it; the answer is one bit.
//!
//! *Whose answer it is.* A worker answers each message at once, with one bit for each question in it, in their order; messages of a pair come in order. So the first answer of a
//! worker is to the oldest question to it that has none, and nobody sends numbers of questions.
//!
//! *Why the answers are those of one machine.* While level L is expanded, it is settled which states are of level L or earlier, and which of earlier levels are full (`by_level`). This does not depend on
//! who is asked when, as long as it is within the level. It is: a phase is over when nothing is on its way, so all answers have come by then, and all states without one that leads on have been expanded fully.
//!
//! *A search that is cut or ends* in the midst of a level may leave questions open: who has ended answers no more, and a phase may be over before the others hear of it. If nobody says that it has, an open question is
//! an error. The states of open questions are given back, as if they had not been expanded: whoever goes on asks anew. What their successors
//! were told stands, and what is answered then is what would have been answered: a successor that was new is of the next level.

use std::collections::VecDeque;

/// A state whose successors were asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    key: u64,
    successors: u32,
    /// Answers that are missing.
    open: u32,
    leads_on: bool,
}

/// A reduced state, and how many successors it was told to have.
pub(super) type Reduced = (u64, u32);

/// Questions of a worker, and their states.
#[derive(Debug, Default)]
pub(super) struct Asking {
    /// By number; those that are free are listed.
    states: Vec<Asked>,
    free: Vec<u32>,
    /// By worker: whose successors it was asked for, the oldest first.
    questions: Vec<VecDeque<u32>>,
    /// States none of whose successors leads on.
    refuted: Vec<Reduced>,
}

impl Asking {
    pub(super) fn new(workers: usize) -> Self {
        Asking { questions: vec![VecDeque::new(); workers], ..Asking::default() }
    }

    /// A state with so many successors, all of which are asked for next.
    pub(super) fn begin(&mut self, key: u64, successors: usize) -> u32 {
        let successors = successors as u32;
        let asked = Asked { key, successors, open: successors, leads_on: false };
        match self.free.pop() {
            Some(number) => {
                self.states[number as usize] = asked;
                number
            }
            None => {
                self.states.push(asked);
                self.states.len() as u32 - 1
            }
        }
    }

    /// A worker is asked for a successor of that state.
    pub(super) fn ask(&mut self, to: usize, number: u32) {
        self.questions[to].push_back(number);
    }

    /// A worker answers the oldest question to it. False if there is none.
    pub(super) fn answer(&mut self, from: usize, leads_on: bool) -> bool {
        let Some(number) = self.questions[from].pop_front() else { return false };
        let asked = &mut self.states[number as usize];
        asked.open -= 1;
        asked.leads_on |= leads_on;
        if asked.open == 0 {
            if !asked.leads_on {
                self.refuted.push((asked.key, asked.successors));
            }
            self.free.push(number);
        }
        true
    }

    /// Whether some states must be expanded fully.
    pub(super) fn has_refuted(&self) -> bool {
        !self.refuted.is_empty()
    }

    pub(super) fn take_refuted(&mut self) -> Vec<Reduced> {
        std::mem::take(&mut self.refuted)
    }

    /// They wait again.
    pub(super) fn put_back(&mut self, refuted: &[Reduced]) {
        self.refuted.extend_from_slice(refuted);
    }

    /// All states about which it is not settled what becomes of them; nothing is asked any more.
    pub(super) fn unsettled(&mut self) -> Vec<Reduced> {
        let mut all = self.take_refuted();
        let open = self.states.iter_mut().filter(|asked| asked.open > 0);
        all.extend(open.map(|asked| {
            asked.open = 0;
            (asked.key, asked.successors)
        }));
        self.clear();
        all
    }

    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.free.clear();
        self.refuted.clear();
        self.questions.iter_mut().for_each(VecDeque::clear);
    }

    pub(super) fn bytes(&self) -> usize {
        let questions: usize = self.questions.iter().map(|queue| queue.capacity() * 4).sum();
        let states = self.states.capacity() * size_of::<Asked>() + self.free.capacity() * 4;
        questions + states + self.refuted.capacity() * size_of::<Reduced>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_to_the_oldest_questions() {
        let mut asking = Asking::new(2);
        let (one, other) = (asking.begin(10, 2), asking.begin(20, 2));
        for (to, number) in [(0, one), (1, one), (1, other), (0, other)] {
            asking.ask(to, number);
        }
        assert!(asking.answer(1, false) && asking.answer(1, true) && asking.answer(0, false));
        assert_eq!(asking.take_refuted(), [(10, 2)]);
        let third = asking.begin(30, 1);
        assert_eq!(third, one, "its number is free");
        asking.ask(1, third);
        assert_eq!(asking.unsettled(), [(30, 1), (20, 2)]);
        assert!(!asking.answer(0, true) && !asking.answer(1, true), "nobody has asked");
    }
}

//! UFSCC: components, on several threads.
//!
//! V. Bloemen, A. Laarman, J. van de Pol, *Multi-core on-the-fly SCC decomposition*, PPoPP 2016, Fig. 5, for worker p; with the acceptance marks of each
//! component after V. Bloemen, J. van de Pol, *Multi-core SCC-based LTL model checking*, HVC 2016 (lines 10 and 11):
//!
//! ```text
//!  1  proc UFSCC(v)                                    MakeClaim(v, p) has succeeded
//!  2      R.push(v)
//!  3      while v' := PickFromList(v)
//!  4          for w in post(v'), in an order of its own
//!  5              match MakeClaim(w, p)
//!  6                  dead:  nothing
//!  7                  new:   UFSCC(w)
//!  8                  found: while not SameSet(w, v)
//!  9                             r := R.pop(); Unite(r, R.top())
//! 10                         add the marks of v' → w to the set of v
//! 11                         if the set of v has all marks then report a cycle
//! 12          RemoveFromList(v')
//! 13      if v = R.top() then R.pop()
//! ```
//!
//! The sets, their lists and their workers are `lariat_store::Components`, with the argument for what threads write there.
//!
//! *Why.* That sets are parts of components, and complete when their list is empty, is the paper's Theorem 1. So two states of a set with all marks are on a cycle with all marks.
//! Conversely, let v' → w be an edge inside a component: its marks come to the component before that is dead. Take the worker that takes v' off the list (line 12; one does).
//! It has looked at the edge before. `dead` it was not, as v' was still on the list of the same component. If it was `new`, then `UFSCC(w)` came back after the component of w
//! was dead, so v' was off the list before: by another one. So it was `found`, and line 10 was done. If a component has all marks on its edges, the last one
//! who adds to its set sees that (`Components::hold`, `unite`).
//!
//! *Numbers.* A state gets a number with the first edge that leads to it, in the payload of the shared set; it is written once. Successors are numbered all at once; those that are
//! dead or found by then are dealt with at once, and the others wait for their turn: the order is the worker's own anyway.
//!
//! *What may stop* (see the parent module) comes before anything is changed: successors are asked for, then numbered, then looked at.

use super::{Ground, Initial, Order, bytes, growth};
use lariat_core::{Marks, makes_mistake};
use lariat_store::components::{Claim, Components, NUMBER};
use std::cell::Cell;
use std::ops::Range;

/// Bits of payload: a state's number.
pub const PAYLOAD: u32 = NUMBER;

/// The payload of a state without a number: somebody else has entered it.
pub const UNNUMBERED: u64 = (1 << NUMBER) - 1;

/// What all workers share.
#[derive(Debug)]
pub struct Shared {
    components: Components,
    workers: u32,
    /// All marks, as bits of what a set holds.
    all: u64,
}

impl Shared {
    /// For so many workers and marks. None if there are too many.
    pub fn new(workers: usize, marks: u32) -> Option<Self> {
        let workers = u32::try_from(workers).ok()?;
        let all = Marks::all(marks).0.checked_shl(workers).unwrap_or(0);
        let fits = workers + marks <= u64::BITS;
        fits.then(|| Shared { components: Components::new(), workers, all })
    }

    /// Bytes that it takes before there are states.
    pub const BYTES: usize = Components::BYTES;

    /// Marks, as bits of what a set holds.
    fn bits(&self, marks: Marks) -> u64 {
        marks.0.checked_shl(self.workers).unwrap_or(0) & self.all
    }

    fn has_all(&self, held: u64) -> bool {
        held & self.all == self.all
    }
}

/// A thread's part in the search.
#[derive(Debug)]
pub struct Worker {
    bit: u64,
    order: Order,
    /// Numbers that it may give to states.
    numbers: Range<u32>,
    initial: Initial,
    /// R.
    roots: Vec<u32>,
    frames: Vec<Frame>,
    /// Edges that are left, with their marks.
    left: Vec<u32>,
    marks: Vec<Marks>,
    /// Edges of the states that this worker has taken off their lists.
    transitions: u64,
    deepest: usize,
    /// Scratch.
    edges: Vec<(u64, Marks)>,
    keys: Vec<u64>,
    told: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    v: u32,
    /// v'.
    at: u32,
    /// How many edges it had, if these were asked for, and where those that are left begin.
    degree: Option<u32>,
    first: usize,
}

impl Worker {
    /// The worker with this number, from 0 on.
    pub fn new(number: usize) -> Self {
        Worker {
            bit: 1 << number,
            order: Order::of(number),
            numbers: 0..0,
            initial: Initial::of(number),
            roots: Vec::new(),
            frames: Vec::new(),
            left: Vec::new(),
            marks: Vec::new(),
            transitions: 0,
            deepest: 0,
            edges: Vec::new(),
            keys: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Edges of the states that this worker has taken off their lists. Those of all workers together are the edges of the graph, if there is no accepting cycle.
    pub fn transitions(&self) -> u64 {
        self.transitions
    }

    /// The most states that were on its way at once.
    pub fn deepest(&self) -> usize {
        self.deepest
    }

    /// Searches until it has found an accepting cycle (true), or everything is dead. None if there are no numbers left.
    pub fn run<G: Ground>(
        &mut self,
        shared: &Shared,
        ground: &mut G,
    ) -> Result<Option<bool>, G::Stop> {
        let components = &shared.components;
        loop {
            let Some(frame) = self.frames.last().copied() else {
                match self.initial.next(ground) {
                    None => return Ok(Some(false)),
                    Some(key) => {
                        self.keys.clear();
                        self.keys.push(key);
                        if !self.number_all(shared, ground)? {
                            return Ok(None);
                        }
                        self.make_room(0, ground)?;
                        self.initial.done += 1;
                        // Nothing is on the way, so none is found.
                        if components.make_claim(self.told[0], self.bit) == Claim::New {
                            self.enter(self.told[0]);
                        }
                    }
                }
                continue;
            };
            if self.left.len() > frame.first {
                // Lines 4 to 11 for the next edge.
                self.make_room(0, ground)?;
                let (w, marks) = (self.left.pop(), self.marks.pop());
                let (w, marks) = w.zip(marks).expect("an edge is left");
                let is_cycle = match components.make_claim(w, self.bit) {
                    Claim::Dead => false,
                    Claim::New => {
                        self.enter(w);
                        false
                    }
                    Claim::Found => self.close(frame, w, marks, shared),
                };
                if is_cycle {
                    return Ok(Some(true));
                }
            } else if let Some(degree) = frame.degree {
                // Lines 12 and 3.
                if components.remove(frame.at) {
                    self.transitions += u64::from(degree);
                }
                match components.pick(frame.v) {
                    Some(at) => {
                        let frame = self.frames.last_mut().expect("the one at hand");
                        (frame.at, frame.degree) = (at, None);
                    }
                    None => {
                        // Line 13.
                        self.roots.pop_if(|root| *root == frame.v);
                        self.frames.pop();
                    }
                }
            } else {
                match self.expand(frame, shared, ground)? {
                    Some(false) => {}
                    other => return Ok(other),
                }
            }
        }
    }

    /// Lines 1 and 2.
    fn enter(&mut self, v: u32) {
        self.roots.push(v);
        self.frames.push(Frame { v, at: v, first: self.left.len(), degree: None });
        self.deepest = self.deepest.max(self.frames.len());
    }

    /// Lines 8 to 11: the edge from `frame.at` leads to a state whose set this worker has been in. Whether there is an accepting cycle.
    fn close(&mut self, frame: Frame, w: u32, marks: Marks, shared: &Shared) -> bool {
        let components = &shared.components;
        while !components.same_set(w, frame.v) {
            let r = self.roots.pop().expect("a set that was found is on the way");
            let &top = self.roots.last().expect("a set that was found is on the way");
            let held = components.unite(r, top);
            if held.is_some_and(|held| shared.has_all(held)) {
                return true;
            }
        }
        let marks = if makes_mistake("ufscc-marks") { Marks::NONE } else { marks };
        shared.has_all(components.hold(frame.v, shared.bits(marks)))
    }

    /// post(v'): those that are dead or found are dealt with, the others are left to do. Whether there is an accepting cycle; none if there are no numbers left.
    fn expand<G: Ground>(
        &mut self,
        frame: Frame,
        shared: &Shared,
        ground: &mut G,
    ) -> Result<Option<bool>, G::Stop> {
        let components = &shared.components;
        self.edges.clear();
        ground.successors(components.key(frame.at), &mut self.edges)?;
        self.order.arrange(&mut self.edges);
        self.keys.clear();
        self.keys.extend(self.edges.iter().map(|&(key, _)| key));
        if !self.number_all(shared, ground)? {
            return Ok(None);
        }
        self.make_room(self.edges.len(), ground)?;
        self.frames.last_mut().expect("the one at hand").degree = Some(self.edges.len() as u32);
        for at in 0..self.edges.len() {
            let (w, marks) = (self.told[at], self.edges[at].1);
            match components.look(w, self.bit) {
                Claim::Dead => {}
                Claim::New => {
                    self.left.push(w);
                    self.marks.push(marks);
                }
                Claim::Found if self.close(frame, w, marks, shared) => return Ok(Some(true)),
                Claim::Found => {}
            }
        }
        Ok(Some(false))
    }

    /// The numbers of all keys, of which new ones are settled. False if there are not enough.
    fn number_all<G: Ground>(&mut self, shared: &Shared, ground: &mut G) -> Result<bool, G::Stop> {
        let components = &shared.components;
        self.told.clear();
        let mut done = 0;
        while done < self.keys.len() {
            if self.numbers.is_empty() {
                match components.numbers(|bytes| ground.take(bytes))? {
                    Some(more) => self.numbers = more,
                    None => return Ok(false),
                }
            }
            let some = &self.keys[done..self.keys.len().min(done + self.numbers.len())];
            // Nobody knows of a number before it is in the set; one that is not needed is the next one's.
            let next = Cell::new(self.numbers.start);
            let known = |payload: Option<u64>| payload.filter(|&number| number != UNNUMBERED);
            let told = &mut self.told;
            ground.update(
                some,
                |at, before| {
                    known(before).unwrap_or_else(|| {
                        components.settle(next.get(), some[at]);
                        next.get().into()
                    })
                },
                |_, before| {
                    let number = known(before);
                    told.push(number.map_or(next.get(), |number| number as u32));
                    next.set(next.get() + u32::from(number.is_none()));
                },
            )?;
            self.numbers.start = next.get();
            done += some.len();
        }
        Ok(true)
    }

    /// Asks for the bytes of what is about to be pushed.
    fn make_room<G: Ground>(&mut self, edges: usize, ground: &mut G) -> Result<(), G::Stop> {
        let Worker { roots, frames, left, marks, .. } = self;
        let more =
            growth(roots, 1) + growth(frames, 1) + growth(left, edges) + growth(marks, edges);
        match more {
            0 => Ok(()),
            _ => ground.reserve(bytes(roots) + bytes(frames) + bytes(left) + bytes(marks) + more),
        }
    }
}

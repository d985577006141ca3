//! CNDFS: a nested depth-first search on several threads.
//!
//! S. Evangelista, A. Laarman, L. Petrucci, J. van de Pol, *Improved multi-core nested depth-first search*, ATVA 2012, Fig. 4, for worker i:
//!
//! ```text
//!  1  proc dfs_blue(s)
//!  2      s.cyan[i] := true
//!  3      for t in post(s), in an order of its own
//!  4          if t.cyan[i] and (s ∈ A or t ∈ A) then report a cycle
//!  5          if not t.cyan[i] and not t.blue then dfs_blue(t)
//!  6      s.blue := true
//!  7      if s ∈ A then
//!  8          R := ∅
//!  9          dfs_red(s)
//! 10          await for all s' ∈ R ∩ A, s' ≠ s: s'.red
//! 11          for s' ∈ R: s'.red := true
//! 12      s.cyan[i] := false
//!
//! 13  proc dfs_red(s)
//! 14      R := R ∪ { s }
//! 15      for t in post(s), in an order of its own
//! 16          if t.cyan[i] then report a cycle
//! 17          if t ∉ R and not t.red then dfs_red(t)
//! ```
//!
//! Line 4 is the usual early look (Schwoon, Esparza 2005). There is no accepting cycle if all workers have come to their end: the paper proves that (Theorem 2), and that
//! nobody waits for ever in line 10 (Theorem 3): among workers that all wait there is one whose red search would have met its own cyan state.
//!
//! **Colours** are the payload of a state: `BLUE` and `RED` for all, and two bits for each worker, `cyan` and `pink` (R), which only that worker writes and looks at. The whole payload is
//! changed in one step (`RootSet`), so no thread undoes what another has painted.
//!
//! **Order.** Blue and red are never taken away. A worker that sees an older payload than there is takes a blue state for one that is not, or a red one: it
//! searches or waits where it need not, as if it had looked earlier; it never takes a state for blue or red that is not. Its own colours it sees as they are. All that
//! the proof says of blue and red states was true when they were painted, and stays true. Who has seen a colour sees what its painter had painted before: lines
//! of the set are released and acquired.
//!
//! **What is looked at when.** The cyan states of a worker are its stack. When it comes back to `s` in line 3, they are the same as when it began with `s`. So lines 4 and 16, and what is blue or red
//! by then, are looked at for all successors at once; those that are left are looked at again when their turn comes.
//!
//! **What may stop** (see the parent module): a worker paints a state cyan before it asks for its successors. If it is stopped there, it will come to the same state again, and goes
//! on with it; or takes the cyan away, if it is blue by then. Pink is painted after the successors are there.

use super::{Ground, Initial, Order, bytes, growth};
use lariat_core::{Marks, makes_mistake};

const BLUE: u64 = 1;
const RED: u64 = 2;

/// Bits of payload for so many workers.
pub fn payload_bits(workers: usize) -> u32 {
    2 + 2 * workers as u32
}

/// States that are painted red at once.
const TOGETHER: usize = 256;

/// What a worker has found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    Cycle,
    Nothing,
}

/// A thread's part in the search.
#[derive(Debug)]
pub struct Worker {
    cyan: u64,
    pink: u64,
    order: Order,
    initial: Initial,
    blue: Stack,
    red: Stack,
    phase: Phase,
    /// R.
    pinks: Vec<u64>,
    /// Edges of the states that this worker has painted blue.
    transitions: u64,
    deepest: usize,
    /// Scratch.
    edges: Vec<(u64, Marks)>,
    states: Vec<u64>,
    colours: Vec<u64>,
    kept: Vec<u64>,
}

/// Which lines it is in.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// 1 to 5.
    Blue,
    /// 6 to 9.
    Seed,
    /// 13 to 17.
    Red,
    /// 10: so many of R were looked at.
    Await(usize),
    /// 11: so many are painted.
    Paint(usize),
}

/// The states that a search is in, and for each the successors that are left.
#[derive(Debug, Default)]
struct Stack {
    frames: Vec<Frame>,
    successors: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    state: u64,
    /// Where its successors begin.
    first: usize,
    /// How many it had.
    degree: usize,
}

impl Stack {
    fn push(&mut self, state: u64, degree: usize, left: &[u64]) {
        self.frames.push(Frame { state, first: self.successors.len(), degree });
        self.successors.extend_from_slice(left);
    }

    /// The state at hand, and its next successor.
    fn top(&self) -> Option<(Frame, Option<u64>)> {
        let frame = *self.frames.last()?;
        let next = (self.successors.len() > frame.first).then(|| self.successors.last().copied());
        Some((frame, next.flatten()))
    }

    fn bytes(&self) -> usize {
        bytes(&self.frames) + bytes(&self.successors)
    }

    fn growth(&self, more: usize) -> usize {
        growth(&self.frames, 1) + growth(&self.successors, more)
    }
}

impl Worker {
    /// The worker with this number, from 0 on.
    pub fn new(number: usize) -> Self {
        let bit = |at: u32| 1 << (2 + 2 * number as u32 + at);
        Worker {
            cyan: bit(0),
            pink: bit(1),
            order: Order::of(number),
            initial: Initial::of(number),
            blue: Stack::default(),
            red: Stack::default(),
            phase: Phase::Blue,
            pinks: Vec::new(),
            transitions: 0,
            deepest: 0,
            edges: Vec::new(),
            states: Vec::new(),
            colours: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// Edges of the states that this worker was the first to be done with. Those of all workers together are the edges of the graph, if there is no accepting cycle.
    pub fn transitions(&self) -> u64 {
        self.transitions
    }

    /// The most states that were on its way at once.
    pub fn deepest(&self) -> usize {
        self.deepest
    }

    /// Searches until it has found an accepting cycle (true), or seen that there is none behind what it was first to see.
    pub fn run<G: Ground>(&mut self, ground: &mut G) -> Result<bool, G::Stop> {
        loop {
            let found = match self.phase {
                Phase::Blue => match self.blue.top() {
                    Some((_, Some(t))) => self.dfs_blue(t, ground)?,
                    Some((frame, None)) => self.leave(frame, ground)?,
                    None => match self.initial.next(ground) {
                        Some(s) => self.dfs_blue(s, ground)?,
                        None => return Ok(false),
                    },
                },
                Phase::Seed => {
                    let seed = self.seed();
                    let found = self.dfs_red(seed, ground)?;
                    self.phase = Phase::Red;
                    found
                }
                Phase::Red => match self.red.top() {
                    Some((_, Some(t))) => self.dfs_red(t, ground)?,
                    Some((_, None)) => {
                        self.red.frames.pop();
                        Found::Nothing
                    }
                    None => {
                        self.phase = Phase::Await(0);
                        Found::Nothing
                    }
                },
                Phase::Await(done) => self.await_red(done, ground)?,
                Phase::Paint(done) => self.paint_red(done, ground)?,
            };
            if found == Found::Cycle {
                return Ok(true);
            }
        }
    }

    /// The accepting state whose red search this is.
    fn seed(&self) -> u64 {
        self.blue.frames.last().expect("a red search has a seed").state
    }

    /// The blue search has dealt with what came next.
    fn go_on_blue(&mut self) {
        match self.blue.frames.is_empty() {
            true => self.initial.done += 1,
            false => drop(self.blue.successors.pop()),
        }
    }

    /// Lines 1 to 4, if the state is not blue; 5 is what is left on the stack.
    fn dfs_blue<G: Ground>(&mut self, s: u64, ground: &mut G) -> Result<Found, G::Stop> {
        let (cyan, mut is_blue) = (self.cyan, false);
        // It is not on the stack: cyan is left from when this worker was stopped here, if it is.
        let paint =
            |colours: u64| if colours & BLUE != 0 { colours & !cyan } else { colours | cyan };
        ground.update(
            &[s],
            |_, colours| paint(colours.unwrap_or(0)),
            |_, colours| is_blue = colours.unwrap_or(0) & BLUE != 0,
        )?;
        if is_blue {
            self.go_on_blue();
            return Ok(Found::Nothing);
        }
        self.ask_for_successors(s, ground)?;
        let is_accepting = ground.is_accepting(s);
        let mut is_cycle = false;
        self.keep(ground, |t, colours, ground| {
            let is_cyan = colours & cyan != 0;
            is_cycle |= is_cyan && (is_accepting || ground.is_accepting(t));
            !is_cyan && colours & BLUE == 0
        });
        if is_cycle {
            return Ok(Found::Cycle);
        }
        self.make_room(ground)?;
        self.go_on_blue();
        self.blue.push(s, self.edges.len(), &self.kept);
        self.deepest = self.deepest.max(self.blue.frames.len());
        Ok(Found::Nothing)
    }

    /// Lines 6 to 8, and 12 if there is no red search.
    fn leave<G: Ground>(&mut self, frame: Frame, ground: &mut G) -> Result<Found, G::Stop> {
        let Frame { state: s, degree, .. } = frame;
        let is_accepting = ground.is_accepting(s);
        let keep = if is_accepting { u64::MAX } else { !self.cyan };
        let transitions = &mut self.transitions;
        ground.update(
            &[s],
            |_, colours| (colours.unwrap_or(0) | BLUE) & keep,
            |_, colours| {
                let is_first = colours.unwrap_or(0) & BLUE == 0;
                *transitions += if is_first { degree as u64 } else { 0 };
            },
        )?;
        if is_accepting {
            self.pinks.clear();
            self.phase = Phase::Seed;
        } else {
            self.blue.frames.pop();
        }
        Ok(Found::Nothing)
    }

    /// Lines 13 to 16, if the state is neither red nor in R; 17 is what is left on the stack.
    fn dfs_red<G: Ground>(&mut self, s: u64, ground: &mut G) -> Result<Found, G::Stop> {
        let (cyan, pink) = (self.cyan, self.pink);
        let mut is_known = false;
        ground.payloads(&[s], |_, colours| is_known = colours.unwrap_or(0) & (RED | pink) != 0);
        let is_seed = matches!(self.phase, Phase::Seed);
        if is_known && !is_seed {
            self.red.successors.pop();
            return Ok(Found::Nothing);
        }
        self.ask_for_successors(s, ground)?;
        let mut is_cycle = false;
        self.keep(ground, |_, colours, _| {
            is_cycle |= colours & cyan != 0;
            colours & (RED | pink) == 0
        });
        if is_cycle && !makes_mistake("cndfs-cyan") {
            return Ok(Found::Cycle);
        }
        self.make_room(ground)?;
        ground.update(&[s], |_, colours| colours.unwrap_or(0) | pink, |_, _| ())?;
        self.pinks.push(s);
        if !is_seed {
            self.red.successors.pop();
        }
        self.red.push(s, self.edges.len(), &self.kept);
        Ok(Found::Nothing)
    }

    /// Line 10: whether the next ones of R are red.
    fn await_red<G: Ground>(&mut self, done: usize, ground: &mut G) -> Result<Found, G::Stop> {
        let seed = self.seed();
        let mut others = self.pinks.iter().enumerate().skip(done);
        let awaited = others.find(|&(_, &s)| s != seed && ground.is_accepting(s));
        let Some((at, &s)) = awaited.filter(|_| !makes_mistake("cndfs-await")) else {
            self.phase = Phase::Paint(0);
            return Ok(Found::Nothing);
        };
        let mut is_red = false;
        ground.payloads(&[s], |_, colours| is_red = colours.unwrap_or(0) & RED != 0);
        if is_red {
            self.phase = Phase::Await(at + 1);
        } else {
            self.phase = Phase::Await(at);
            ground.wait()?;
        }
        Ok(Found::Nothing)
    }

    /// Line 11 for some of R; then line 12.
    fn paint_red<G: Ground>(&mut self, done: usize, ground: &mut G) -> Result<Found, G::Stop> {
        let (cyan, pink) = (self.cyan, self.pink);
        let some = &self.pinks[done..self.pinks.len().min(done + TOGETHER)];
        if some.is_empty() {
            ground.update(&[self.seed()], |_, colours| colours.unwrap_or(0) & !cyan, |_, _| ())?;
            self.blue.frames.pop();
            self.phase = Phase::Blue;
            return Ok(Found::Nothing);
        }
        ground.update(some, |_, colours| (colours.unwrap_or(0) | RED) & !pink, |_, _| ())?;
        self.phase = Phase::Paint(done + some.len());
        Ok(Found::Nothing)
    }

    /// post(s), in the worker's order.
    fn ask_for_successors<G: Ground>(&mut self, s: u64, ground: &mut G) -> Result<(), G::Stop> {
        self.edges.clear();
        ground.successors(s, &mut self.edges)?;
        self.states.clear();
        self.states.extend(self.edges.iter().map(|&(t, _)| t));
        self.order.arrange(&mut self.states);
        Ok(())
    }

    /// Keeps those successors that are wanted, by their colours.
    fn keep<G: Ground>(&mut self, ground: &mut G, mut wants: impl FnMut(u64, u64, &G) -> bool) {
        let Worker { states, colours, kept, .. } = self;
        colours.clear();
        ground.payloads(states, |_, now| colours.push(now.unwrap_or(0)));
        kept.clear();
        let both = states.iter().zip(colours);
        kept.extend(both.filter(|(t, now)| wants(**t, **now, ground)).map(|(&t, _)| t));
    }

    /// Asks for the bytes of what is about to be pushed.
    fn make_room<G: Ground>(&mut self, ground: &mut G) -> Result<(), G::Stop> {
        let more = self.kept.len();
        let growth = self.blue.growth(more) + self.red.growth(more) + growth(&self.pinks, 1);
        match growth {
            0 => Ok(()),
            _ => ground.reserve(self.blue.bytes() + self.red.bytes() + bytes(&self.pinks) + growth),
        }
    }
}

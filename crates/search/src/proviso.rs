//! The cycle proviso, afterwards (docs/por.md).
//!
//! Partial-order reduction may leave out a step in every state of a cycle, and so for ever. A search
//! goes on as if it did not; what it finds is there anyway. If it has found nothing, this looks whether
//! steps were left out for ever. If so, some states are expanded fully from now on, and the search begins anew.
//!
//! Every cycle of reduced states has a suspect: the state with the largest id has a successor whose id is
//! not larger. So it is enough to look from suspects, and through reduced states only. If no way leads out of
//! some reduced states, the one with the largest id has *only* such successors: it is stuck. Others need not be
//! looked at for ways out, and there are few of these.

use fixedbitset::FixedBitSet;
use lariat_core::{SystemId, headway, makes_mistake};
use lariat_system::{Edges, LeftOut, Stop, SystemGraph};

/// What must not be left out for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proviso {
    /// For states and single steps: from every state a way leads to one that is expanded fully, or to
    /// one without steps (condition S).
    WayOut,
    /// For runs: every cycle has a state that is expanded fully (condition C3).
    EveryCycle,
}

/// After so many searches in vain, ids decide instead.
pub const ROUNDS: u32 = 3;

/// Whether the proviso holds for the search that has just ended. If not, states are forgotten, and
/// the next search will see more. `own`: bytes of the search.
pub fn holds<G: SystemGraph>(
    graph: &mut G,
    proviso: Proviso,
    round: u32,
    own: usize,
) -> Result<bool, Stop> {
    let full = violated(graph, proviso, 0, own)?;
    full.iter().for_each(|&id| graph.make_full(id));
    if !full.is_empty() {
        begin_anew(graph, round);
    }
    Ok(full.is_empty())
}

/// Forgets all states. After some rounds ids decide.
pub fn begin_anew<G: SystemGraph>(graph: &mut G, round: u32) {
    if round >= ROUNDS
        && let Some(left_out) = graph.left_out()
    {
        left_out.go_by_ids();
    }
    graph.forget_states();
}

/// States that must be expanded fully for the proviso to hold. Those with an id below `known` were looked at
/// before, and lead to each other only, or are full: it is enough to look at the others, and from them to one
/// of these is a way out.
pub fn violated<G: SystemGraph>(
    graph: &mut G,
    proviso: Proviso,
    known: SystemId,
    own: usize,
) -> Result<Vec<SystemId>, Stop> {
    let has_none = |left_out: &mut LeftOut| match proviso {
        Proviso::EveryCycle => left_out.next_suspect(known).is_none(),
        Proviso::WayOut => left_out.next_stuck(known).is_none(),
    };
    let is_done =
        graph.left_out().is_none_or(|left_out| left_out.goes_by_ids() || has_none(left_out));
    if is_done || makes_mistake("por-no-proviso") {
        return Ok(Vec::new());
    }
    let mut walk = Walk::new(graph, known, own)?;
    match proviso {
        Proviso::EveryCycle => walk.open_cycles()?,
        Proviso::WayOut => walk.open_traps()?,
    }
    Ok(walk.full)
}

/// Depth first over reduced states.
struct Walk<'g, G> {
    graph: &'g mut G,
    /// Reduced states that were met, and those on the stack: for components, those whose component is
    /// not complete.
    seen: FixedBitSet,
    on_stack: FixedBitSet,
    frames: Vec<Frame>,
    /// Successors of the states on the stack that are still to be looked at.
    pending: Vec<SystemId>,
    edges: Edges,
    /// What will be expanded fully.
    full: Vec<SystemId>,
    /// States below were looked at before.
    known: SystemId,
    /// Bytes of the search, and those of the sets here.
    own: usize,
}

struct Frame {
    id: SystemId,
    /// Where its successors start in `pending`.
    first: usize,
}

impl<'g, G: SystemGraph> Walk<'g, G> {
    fn new(graph: &'g mut G, known: SystemId, own: usize) -> Result<Self, Stop> {
        let states = graph.len();
        // Two bits and, for components, a number.
        let own = own + states / 4 + states * size_of::<u32>();
        graph.reserve(own)?;
        headway::begin();
        Ok(Walk {
            own,
            known,
            graph,
            seen: FixedBitSet::with_capacity(states),
            on_stack: FixedBitSet::with_capacity(states),
            frames: Vec::new(),
            pending: Vec::new(),
            edges: Edges::default(),
            full: Vec::new(),
        })
    }

    fn left_out(&mut self) -> &LeftOut {
        self.graph.left_out().expect("only then there is a walk")
    }

    fn is_looked_at(&mut self, id: SystemId) -> bool {
        id >= self.known && self.left_out().is_reduced(id)
    }

    fn enter(&mut self, id: SystemId) -> Result<(), Stop> {
        self.seen.insert(id as usize);
        self.on_stack.insert(id as usize);
        let first = self.pending.len();
        self.edges.clear();
        self.graph.expand(&[id], &mut self.edges)?;
        self.make_room(self.edges.ids.len())?;
        self.pending.extend_from_slice(&self.edges.ids);
        self.frames.push(Frame { id, first });
        Ok(())
    }

    /// Makes room on the stack, within the limit.
    fn make_room(&mut self, successors: usize) -> Result<(), Stop> {
        let (frames, pending) = (&mut self.frames, &mut self.pending);
        let is_enough =
            frames.len() < frames.capacity() && pending.len() + successors <= pending.capacity();
        if is_enough {
            return Ok(());
        }
        let more = (frames.capacity().max(256), pending.capacity().max(256).max(successors));
        // A component is on the stack as a whole: its states, and two numbers for each frame.
        let each = size_of::<Frame>() + 3 * size_of::<SystemId>();
        let frames_then = (frames.capacity() + more.0) * each;
        let pending_then = (pending.capacity() + more.1) * size_of::<SystemId>();
        self.graph.reserve(self.own + frames_then + pending_then)?;
        frames.reserve(more.0);
        pending.reserve(more.1);
        Ok(())
    }

    /// Has a state of every cycle of reduced states expanded fully: the one from which an edge leads
    /// back to the stack.
    fn open_cycles(&mut self) -> Result<(), Stop> {
        let mut from = self.known;
        while let Some(suspect) = self.left_out().next_suspect(from) {
            from = suspect + 1;
            if !self.seen.contains(suspect as usize) {
                self.enter(suspect)?;
            }
            while let Some(frame) = self.frames.last() {
                let (id, first) = (frame.id, frame.first);
                if self.pending.len() == first {
                    self.on_stack.set(id as usize, false);
                    self.frames.pop();
                    continue;
                }
                let next = self.pending.pop().expect("there are more");
                if !self.is_looked_at(next) {
                    continue;
                }
                if !self.seen.contains(next as usize) {
                    self.enter(next)?;
                } else if self.on_stack.contains(next as usize) {
                    // No cycle through it is left, so its other edges do not matter.
                    self.full.push(id);
                    self.on_stack.set(id as usize, false);
                    self.pending.truncate(first);
                }
            }
        }
        Ok(())
    }

    /// Has a state of every component of reduced states that no edge leaves expanded fully. What was seen
    /// and is not open any more has a way out, or has got one.
    fn open_traps(&mut self) -> Result<(), Stop> {
        // Tarjan: the states whose component is not complete, and by state its place among them,
        // from 1.
        let mut open: Vec<SystemId> = Vec::new();
        let mut place = vec![0_u32; self.graph.len()];
        // By frame: the smallest place that is reached.
        let mut reached: Vec<u32> = Vec::new();
        let mut from = self.known;
        while let Some(stuck) = self.left_out().next_stuck(from) {
            from = stuck + 1;
            let mut next = Some(stuck).filter(|&id| !self.seen.contains(id as usize));
            loop {
                if let Some(id) = next.take() {
                    open.push(id);
                    place[id as usize] = open.len() as u32;
                    reached.push(open.len() as u32);
                    self.enter(id)?;
                }
                let Some(&Frame { id, first }) = self.frames.last() else { break };
                let last = reached.len() - 1;
                if self.pending.len() > first {
                    let to = self.pending.pop().expect("there are more");
                    if self.on_stack.contains(to as usize) {
                        reached[last] = reached[last].min(place[to as usize]);
                    } else if self.is_looked_at(to) && !self.seen.contains(to as usize) {
                        next = Some(to);
                    } else {
                        self.leave(&mut open);
                        reached.clear();
                    }
                    continue;
                }
                // No way out was met so far, not even from what was seen.
                self.frames.pop();
                let low = reached.pop().expect("one for each frame");
                if low == place[id as usize] {
                    self.full.push(id);
                    self.leave(&mut open);
                    reached.clear();
                } else if let Some(before) = reached.last_mut() {
                    *before = (*before).min(low);
                }
            }
        }
        Ok(())
    }

    /// A way out was met. All that are open lead to the last state of the stack, so it is one for them, and
    /// from now on for whoever comes to one of them.
    fn leave(&mut self, open: &mut Vec<SystemId>) {
        open.drain(..).for_each(|id| self.on_stack.set(id as usize, false));
        self.frames.clear();
        self.pending.clear();
    }
}

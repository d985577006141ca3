//! *Roots* of (state, set): SE §5.2, GS Figure 2 lines 15 to 21.
//!
//! With sets of states the set of a root is what the states of its component belong to. With
//! marks on edges, as in Couvreur's own paper, it is what the edges inside carry; the edge
//! that leads to the root is remembered with it and joins the set when the component merges
//! with the one below.

use super::frame::Acc;

#[derive(Clone, Copy, Debug)]
struct Entry<A> {
    number: u32,
    /// Whether a cycle was seen: the component is not trivial.
    cycle: bool,
    set: A,
    /// The edge that leads to the root, by marks on edges.
    into: A,
}

/// The roots on the search path, by DFS number.
#[derive(Debug)]
pub(super) struct RootSets<A> {
    stack: Vec<Entry<A>>,
    peak: usize,
}

impl<A: Acc> RootSets<A> {
    pub(super) fn new() -> Self {
        RootSets { stack: Vec::new(), peak: 0 }
    }

    /// push(Roots, (s, A(s)))
    #[inline]
    pub(super) fn push(&mut self, number: u32, set: A, into: A) {
        self.stack.push(Entry { number, cycle: false, set, into });
        self.peak = self.peak.max(self.stack.len());
    }

    /// An edge with `b` leads from the top component to the state numbered `t`, in an open
    /// component: they merge. Whether `report` says so of what the result carries.
    #[inline]
    pub(super) fn merge(&mut self, t: u32, mut b: A, report: impl Fn(A) -> bool) -> bool {
        // repeat (u, C) := pop(Roots); B := B ∪ C; if B = K then report cycle
        loop {
            let u = self.stack.last_mut().expect("the root of an open component is here");
            b.add(u.set);
            if report(b) {
                return true;
            }
            // until u.dfsnum ≤ t.dfsnum; push(Roots, (u, B))
            if u.number <= t {
                u.set = b;
                u.cycle = true;
                return false;
            }
            b.add(u.into);
            self.stack.pop();
        }
    }

    /// if top(Roots) = (s, ·) then pop(Roots): the set, and whether there was a cycle.
    #[inline]
    pub(super) fn pop_if(&mut self, number: u32) -> Option<(A, bool)> {
        let root = *self.stack.last()?;
        if root.number != number {
            return None;
        }
        self.stack.pop();
        Some((root.set, root.cycle))
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.stack.len()
    }

    pub(super) fn peak(&self) -> u64 {
        self.peak as u64
    }
}

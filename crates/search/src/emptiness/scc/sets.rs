//! *Roots* of (state, set), a stack: SE §5.2, GS Figure 2.
//!
//! With sets of states the set of a root is what the states of its component belong to. With
//! marks on edges, as in Couvreur's own paper, it is what the edges inside carry; the edge
//! that leads to the root is remembered with it and joins the set when the component merges
//! with the one below.

use super::frame::Acc;

/// (u, C)
#[derive(Clone, Copy, Debug)]
pub(super) struct Root<A> {
    /// u.dfsnum
    pub(super) dfsnum: u32,
    /// Whether a cycle was seen: the component is not trivial.
    pub(super) cycle: bool,
    /// C
    pub(super) set: A,
    /// The edge that leads to the root, by marks on edges.
    pub(super) into: A,
}

/// The roots on the search path, by DFS number.
#[derive(Debug)]
pub(super) struct RootSets<A> {
    stack: Vec<Root<A>>,
    peak: usize,
}

impl<A: Acc> RootSets<A> {
    pub(super) fn new() -> Self {
        RootSets { stack: Vec::new(), peak: 0 }
    }

    /// push(Roots, (s, A(s)))
    #[inline]
    pub(super) fn push(&mut self, dfsnum: u32, set: A, into: A) {
        self.stack.push(Root { dfsnum, cycle: false, set, into });
        self.peak = self.peak.max(self.stack.len());
    }

    /// The root of the component on top, which is open.
    #[inline]
    pub(super) fn top(&mut self) -> &mut Root<A> {
        self.stack.last_mut().expect("the root of an open component is here")
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.stack.pop();
    }

    /// if top(Roots) = (s, ·) then pop(Roots): the set, and whether there was a cycle.
    #[inline]
    pub(super) fn pop_if(&mut self, dfsnum: u32) -> Option<(A, bool)> {
        let root = *self.stack.last()?;
        if root.dfsnum != dfsnum {
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

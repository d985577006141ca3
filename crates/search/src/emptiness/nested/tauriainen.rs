//! Tauriainen, *Nested emptiness search for generalized Büchi automata*, ACSD 2004 and
//! Fundamenta Informaticae 2006 (report A79, 2003): n marks on the edges, each state visited
//! at most n + 1 times (SE §5.2). Rebuilt from the description; the argument is below.
//!
//! Every state has a set `acc` of marks. When the first search is done with an edge s → t that
//! carries `marks` (t was known, or the search has come back from it), a second search hands
//! `acc(s) ∪ marks` on to t and to whatever visited state t leads to, and turns back where
//! nothing is new. A run is reported when a state on the first search's stack has all marks.
//!
//! - *No false report.* A state u on the stack leads to the top s of the stack, and what is
//!   handed to u comes along a path from s, or from an edge out of s. So every mark that u is
//!   given while it is on the stack lies on a cycle through u, by induction over time: what s
//!   hands on it was itself given while on the stack.
//! - *No run missed.* Let a component carry all marks. When the first search leaves its root,
//!   every edge u → v in it has been done with, v has all of acc(u) (given at that moment, or
//!   handed on by the second search that gave it to u later) and the marks of the edge. Along
//!   the component's cycles all its states, the root too, have all marks.
//! - *Traversals.* The first search walks every state once, the second ones walk it again
//!   only when `acc` has grown: n times at most.
//!
//! Without any mark each cycle is accepting: then every edge counts as carrying one.
//! The sets must be exact and are kept for all states, so the store must be lossless.

use crate::dfs::{DfsEvent, SearchOptions};
use crate::emptiness::cover::cycle_through;
use crate::emptiness::frame::NestedDfs;
use lariat_core::{Graph, Lasso, Lossless, Marks, Outcome, RowOf, Run};

/// What is known of a state; unseen while `visited` and `on_stack` are false.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tag {
    acc: Marks,
    visited: bool,
    on_stack: bool,
}

/// Whether `graph` has an accepting run by the marks on its edges.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: SearchOptions) -> Outcome
where
    G: Graph,
    S: Lossless<Row = RowOf<G::Batch>, Tag = Tag>,
{
    // A bit for each mark, and whether the state is visited and on the stack.
    let bits_per_state = graph.mark_count().max(1) + 2;
    NestedDfs::run(graph, store, options, bits_per_state, |search, root| {
        if search.store.tag(root).visited { None } else { search.dfs_blue(root) }
    })
}

/// The marks that count: all edges carry one if there is none.
fn counted<G: Graph>(graph: &G, marks: Marks) -> Marks {
    if graph.mark_count() == 0 { Marks::one(0) } else { marks }
}

impl<G, S> NestedDfs<'_, G, S, Tag, Marks>
where
    G: Graph,
    S: Lossless<Row = RowOf<G::Batch>, Tag = Tag>,
{
    fn dfs_blue(&mut self, root: S::Id) -> Option<Lasso> {
        self.enter_blue(root, Marks::NONE);
        while let Some(step) = self.blue.step(self.graph, self.store) {
            let (s, marks, t) = match step {
                // if t is unseen then dfs_blue(t)
                DfsEvent::Edge { dst: t, marks, .. } if !self.store.tag(t).visited => {
                    self.enter_blue(t, marks);
                    continue;
                }
                DfsEvent::Edge { src: s, dst: t, marks } => (s, marks, t),
                // The edge to t is done with when the search has come back along it.
                DfsEvent::Retreat(t) => {
                    let tag = self.store.tag(t);
                    self.store.set_tag(t, Tag { on_stack: false, ..tag });
                    let Some(s) = self.blue.top() else { continue };
                    (s, self.blue.left(), t)
                }
            };
            // hand acc(s) ∪ marks on to t
            let handed = self.store.tag(s).acc | counted(self.graph, marks);
            if let Some(knot) = self.dfs_red(t, handed) {
                return Some(self.lasso_through(knot));
            }
            if self.stopped() {
                return None;
            }
        }
        None
    }

    /// Hands marks on from `t`; a state of the first search's stack that has all marks then.
    fn dfs_red(&mut self, t: S::Id, handed: Marks) -> Option<S::Id> {
        let all = counted(self.graph, Marks::all(self.graph.mark_count()));
        let mut next = Some(t);
        loop {
            // if t is visited and handed ⊄ acc(t) then acc(t) := acc(t) ∪ handed; dfs_red(t)
            if let Some(t) = next {
                let tag = self.store.tag(t);
                if tag.visited && !tag.acc.contains(handed) {
                    let acc = tag.acc | handed;
                    self.store.set_tag(t, Tag { acc, ..tag });
                    // if t is on the stack and acc(t) = all then report cycle
                    if tag.on_stack && acc.contains(all) {
                        return Some(t);
                    }
                    self.enter_red(t);
                }
            }
            next = match self.red.step(self.graph, self.store)? {
                DfsEvent::Edge { dst, .. } => Some(dst),
                DfsEvent::Retreat(_) => None,
            };
        }
    }

    /// Each frame keeps the marks of the edge into its state.
    #[inline]
    fn enter_blue(&mut self, s: S::Id, marks: Marks) {
        self.store.set_tag(s, Tag { acc: Marks::NONE, visited: true, on_stack: true });
        self.states += 1;
        self.blue.enter(s, marks);
    }

    /// The stack down to `knot`, then a cycle through it with all marks among the visited states.
    #[cold]
    fn lasso_through(&mut self, knot: S::Id) -> Lasso {
        let NestedDfs { graph, store, blue, .. } = self;
        let width = store.row(knot).as_ref().len();
        let mut prefix = Run::new(width);
        for id in blue.path().take_while(|&id| id != knot) {
            prefix.push(store.row(id).as_ref());
        }
        let all = Marks::all(graph.mark_count());
        let cycle = cycle_through(*graph, &**store, knot, all, |tag| tag.visited)
            .expect("the search has walked a cycle with all marks");
        Lasso { prefix, cycle }
    }
}

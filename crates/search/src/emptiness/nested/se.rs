//! Schwoon and Esparza, *A Note on On-the-Fly Verification Algorithms*, TACAS 2005, Figure 3.
//!
//! Nested depth-first search with four colours in two bits. The comments carry the paper's
//! lines. The printed indentation is lost in the text: lines 11 to 15 (what happens at the
//! retreat) stand after the loop over the successors. The seed stays cyan during its red
//! search and turns red after it.

use super::lasso_of_stacks;
use crate::dfs::{Dfs, Options, Step};
use crate::emptiness::conclude;
use lariat_core::{Batch, Graph, Lasso, Outcome, RowOf, Stats, Store};

/// White is unseen, cyan on the blue stack, red on no accepting cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Colour {
    #[default]
    White,
    Cyan,
    Blue,
    Red,
}

/// Whether `graph` has an accepting run by its states.
pub fn check<G, S>(graph: &mut G, store: &mut S, options: Options) -> Outcome
where
    G: Graph,
    S: Store<Row = RowOf<G::Batch>, Tag = Colour>,
{
    let (blue, red) = (graph.batch(options.room), graph.batch(options.room));
    let mut search = Search {
        graph,
        store,
        blue: Dfs::new(blue, options),
        red: Dfs::new(red, options),
        states: 0,
        depth: 0,
    };
    let found = search.run();
    let Search { blue, red, states, depth, .. } = search;
    let stats = Stats {
        states,
        transitions: blue.transitions + red.transitions,
        expansions: blue.expansions + red.expansions,
        depth: depth.max(blue.max_depth) as u64,
        ..Stats::default()
    };
    conclude(store, found, blue.cut().or(red.cut()), stats)
}

struct Search<'a, G: Graph, S: Store> {
    graph: &'a mut G,
    store: &'a mut S,
    blue: Dfs<S::Id, G::Batch>,
    red: Dfs<S::Id, G::Batch>,
    states: u64,
    /// The longest blue and red stack together.
    depth: usize,
}

impl<G: Graph, S: Store<Row = RowOf<G::Batch>, Tag = Colour>> Search<'_, G, S> {
    fn run(&mut self) -> Option<Lasso> {
        let mut roots = self.graph.batch(usize::MAX);
        self.graph.initial(&mut roots);
        for i in 0..roots.len() {
            let root = self.store.intern(roots.row(i));
            if self.store.tag(root) == Colour::White
                && let Some(lasso) = self.dfs_blue(root)
            {
                return Some(lasso);
            }
            if self.blue.stopped() || self.red.stopped() {
                return None;
            }
            self.store.release(root);
        }
        None
    }

    fn dfs_blue(&mut self, root: S::Id) -> Option<Lasso> {
        self.enter_blue(root);
        while let Some(step) = self.blue.step(self.graph, self.store) {
            match step {
                Step::Edge { src: s, dst: t, .. } => match self.store.tag(t) {
                    // if t.color = cyan ∧ (s ∈ A ∨ t ∈ A) then report cycle
                    Colour::Cyan if self.accepting(s) || self.accepting(t) => {
                        return Some(lasso_of_stacks(self.store, &self.blue, &self.red, t));
                    }
                    // else if t.color = white then dfs_blue(t)
                    Colour::White => self.enter_blue(t),
                    _ => {}
                },
                // if s ∈ A then dfs_red(s); s.color := red
                Step::Retreat(s) if self.accepting(s) => {
                    if let Some(lasso) = self.dfs_red(s) {
                        return Some(lasso);
                    }
                    if self.red.stopped() {
                        return None;
                    }
                    self.store.set_tag(s, Colour::Red);
                }
                // else s.color := blue
                Step::Retreat(s) => self.store.set_tag(s, Colour::Blue),
            }
        }
        None
    }

    fn dfs_red(&mut self, seed: S::Id) -> Option<Lasso> {
        self.red.enter(seed, ());
        while let Some(step) = self.red.step(self.graph, self.store) {
            if let Step::Edge { dst: t, .. } = step {
                match self.store.tag(t) {
                    // if t.color = cyan then report cycle
                    Colour::Cyan => {
                        return Some(lasso_of_stacks(self.store, &self.blue, &self.red, t));
                    }
                    // else if t.color = blue then t.color := red; dfs_red(t)
                    Colour::Blue => {
                        self.store.set_tag(t, Colour::Red);
                        self.red.enter(t, ());
                        self.depth = self.depth.max(self.blue.depth() + self.red.depth());
                    }
                    _ => {}
                }
            }
        }
        None
    }

    fn enter_blue(&mut self, s: S::Id) {
        self.store.set_tag(s, Colour::Cyan);
        self.states += 1;
        self.blue.enter(s, ());
    }

    fn accepting(&self, s: S::Id) -> bool {
        self.graph.accepting(self.store.row(s))
    }
}

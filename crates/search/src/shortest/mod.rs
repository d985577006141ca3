//! Shorter counterexamples: the shortest lasso, prefix and cycle together, that ends in the
//! component of a given one, with any number of marks.
//!
//! 1. The lasso is replayed, and the component of its cycle is brought into memory: what the
//!    cycle reaches and what reaches the cycle from there (`component`).
//! 2. A breadth-first search from the initial states gives each state of the component its
//!    distance.
//! 3. For each state, nearest first, a breadth-first search over (state, marks seen) finds
//!    the shortest accepting cycle through it, no longer than what is best so far allows
//!    (`cycle`). With so many marks that this space is too large, the cycle is a greedy one:
//!    the nearest missing mark, again and again, then back.
//!
//! Whatever a [`Budget`] ends early leaves the best lasso so far. The result is verified.

mod component;
mod cycle;

use component::{Component, Explorer};
use lariat_core::lasso::expand_into;
use lariat_core::{Acceptance, Batch, Graph, Lasso, LassoError, Lossless, RowOf, Run};

/// How much may be spent.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// States that are looked at to find the component, and once more for the distances.
    pub states: usize,
    /// Edges that the searches for cycles walk along.
    pub steps: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { states: 10_000_000, steps: 100_000_000 }
    }
}

/// A lasso of the same component that is no longer than `lasso`. `store` is an empty one.
pub fn shorten<G, S>(
    graph: &mut G,
    store: &mut S,
    lasso: &Lasso,
    by: Acceptance,
    budget: Budget,
) -> Result<Lasso, LassoError>
where
    G: Graph,
    S: Lossless<Row = RowOf<G::Batch>, Tag = u32>,
{
    lasso.verify(graph, by)?;
    let mut explorer = Explorer::new(graph, store, by);
    let original = replay(&mut explorer, lasso);
    let component = Component::around(&mut explorer, &original, budget.states);
    let longest = lasso.prefix.len() + lasso.cycle.len();
    let distances = Distances::to(&mut explorer, &component, longest, budget.states);
    let all = explorer.all();
    let near = &distances.of_component;
    let Some(cycle) = cycle::shortest(&component, near, all, longest, budget.steps) else {
        return Ok(lasso.clone());
    };

    let width = lasso.cycle.state(0).len();
    let (mut prefix, mut knot) = (Run::new(width), Run::new(width));
    let cycle: Vec<u32> = cycle.into_iter().map(|i| component.states[i as usize]).collect();
    for number in distances.path_to(cycle[0]) {
        prefix.push(explorer.row(number).as_ref());
    }
    for &number in &cycle {
        knot.push(explorer.row(number).as_ref());
    }
    let shorter = Lasso { prefix, cycle: knot };
    shorter.verify(graph, by)?;
    Ok(shorter)
}

/// The numbers of the states on the cycle of a run that was verified.
fn replay<G, S>(explorer: &mut Explorer<'_, G, S>, lasso: &Lasso) -> Vec<u32>
where
    G: Graph,
    S: Lossless<Row = RowOf<G::Batch>, Tag = u32>,
{
    let mut batch = explorer.graph.batch(usize::MAX);
    let mut next = explorer.graph.batch(usize::MAX);
    explorer.graph.initial(&mut batch);
    let mut cycle = Vec::with_capacity(lasso.cycle.len());
    for (step, state) in lasso.prefix.iter().chain(lasso.cycle.iter()).enumerate() {
        let at = (0..batch.len()).find(|&i| batch.row(i).as_ref() == state);
        let at = at.expect("the run was verified");
        if step >= lasso.prefix.len() {
            cycle.push(explorer.number(batch.row(at)));
        }
        expand_into(explorer.graph, batch.row(at), &mut next);
        std::mem::swap(&mut batch, &mut next);
    }
    cycle
}

const UNSEEN: u32 = u32::MAX;

/// Distances from the initial states, by breadth-first search.
struct Distances {
    /// By place in the component; `UNSEEN` where the search did not come.
    of_component: Vec<u32>,
    /// By number: the number of the state before, or of the state itself at the start.
    parents: Vec<u32>,
    /// The states met, with their distances.
    order: Vec<(u32, u32)>,
    /// States of the component that were not met yet.
    left: usize,
}

impl Distances {
    /// Searches until the whole component was met, as deep as `longest`, for as many states
    /// as `budget`.
    fn to<G, S>(
        explorer: &mut Explorer<'_, G, S>,
        component: &Component,
        longest: usize,
        budget: usize,
    ) -> Self
    where
        G: Graph,
        S: Lossless<Row = RowOf<G::Batch>, Tag = u32>,
    {
        let mut search = Distances {
            of_component: vec![UNSEEN; component.states.len()],
            parents: Vec::new(),
            order: Vec::new(),
            left: component.states.len(),
        };
        let mut initial = explorer.graph.batch(usize::MAX);
        explorer.graph.initial(&mut initial);
        for i in 0..initial.len() {
            let number = explorer.number(initial.row(i));
            search.meet(component, number, number, 0);
        }
        let mut next = 0;
        let mut edges = Vec::new();
        while search.left > 0 && next < search.order.len().min(budget) {
            let (number, distance) = search.order[next];
            if distance as usize >= longest || !explorer.successors(number, &mut edges) {
                break;
            }
            for &(dst, _) in &edges {
                search.meet(component, dst, number, distance + 1);
            }
            next += 1;
        }
        search
    }

    fn meet(&mut self, component: &Component, number: u32, parent: u32, distance: u32) {
        if self.parents.len() <= number as usize {
            self.parents.resize(number as usize + 1, UNSEEN);
        }
        if self.parents[number as usize] != UNSEEN {
            return;
        }
        self.parents[number as usize] = parent;
        self.order.push((number, distance));
        if let Some(place) = component.place(number) {
            self.of_component[place as usize] = distance;
            self.left -= 1;
        }
    }

    /// The states before `number` on a shortest path to it.
    fn path_to(&self, number: u32) -> Vec<u32> {
        let (mut path, mut at) = (Vec::new(), number);
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
            path.push(at);
        }
        path.reverse();
        path
    }
}

//! From an accepting component to a lasso (SE §4.2; Couvreur, Duret-Lutz, Poitrenaud 2005
//! for the generalised case).
//!
//! The top of the search stack is in the component. A live state reaches the top of the
//! stack, since its component's root is on it. So whatever the top reaches through live
//! states is in its component: the searches here need no other bound. They call the
//! successor function again for the component's states; those calls are not counted in the
//! statistics, as in the papers. Under a reduction that generates other successors than the
//! first time, states that are not live are passed over (SE §6).
//!
//! The cycle starts at the top: a shortest way to an edge with a mark that is still missing,
//! from there to the next one, and at last back. It is then turned to begin at the first
//! state of the search stack that lies on it. Memory is linear in the component.

use fixedbitset::FixedBitSet;
use lariat_core::{
    Acceptance, Batch, Cursor, DONE, Graph, Lasso, Limit, LiveStates, Marks, RowOf, Run,
};

/// The lasso of the component of the last state of `path`, a search stack. Fails only if the
/// graph was stopped.
#[cold]
pub(super) fn lasso<G, S>(
    graph: &mut G,
    store: &S,
    path: &[S::Id],
    by: Acceptance,
) -> Result<Lasso, Limit>
where
    G: Graph,
    S: LiveStates<Row = RowOf<G::Batch>>,
{
    let top = *path.last().expect("the component is on the search stack");
    let bound = store.live_bound() as usize;
    let start = number_of(store, top);
    let mut missing = match by {
        Acceptance::Edges => Marks::all(graph.mark_count()),
        Acceptance::States => Marks::all(1),
    };
    let mut search = Bfs { seen: FixedBitSet::with_capacity(bound), order: Vec::new(), by };
    let mut cycle = vec![Node { id: top, number: start }];
    let mut at = cycle[0];
    while !missing.is_empty() {
        let (edge, marks) =
            search.run(graph, store, at, |_, marks| marks.0 & missing.0 != 0, &mut cycle)?;
        missing = missing.without(marks);
        at = edge;
        cycle.push(edge);
    }
    if at.number == start && cycle.len() > 1 {
        cycle.pop();
    } else {
        search.run(graph, store, at, |node, _| node.number == start, &mut cycle)?;
    }

    let mut on_cycle = FixedBitSet::with_capacity(bound);
    for node in &cycle {
        on_cycle.insert(node.number as usize);
    }
    let mut entry = 0;
    while !on_cycle.contains(number_of(store, path[entry]) as usize) {
        entry += 1;
    }
    let knot = number_of(store, path[entry]);
    let turn = cycle.iter().position(|node| node.number == knot).expect("it is on the cycle");
    cycle.rotate_left(turn);
    let width = store.row(top).as_ref().len();
    let (mut stem, mut loop_) = (Run::new(width), Run::new(width));
    for &id in &path[..entry] {
        stem.push(store.row(id).as_ref());
    }
    for node in &cycle {
        loop_.push(store.row(node.id).as_ref());
    }
    Ok(Lasso { prefix: stem, cycle: loop_ })
}

fn number_of<S: LiveStates>(store: &S, id: S::Id) -> u32 {
    store.find_live(store.row(id)).expect("the states on the search stack are live").0
}

/// A live state.
#[derive(Clone, Copy)]
struct Node<I> {
    id: I,
    number: u32,
}

/// Breadth-first search through live states, used again and again.
struct Bfs<I> {
    seen: FixedBitSet,
    /// The states met, each with the place of its parent.
    order: Vec<(Node<I>, u32)>,
    by: Acceptance,
}

impl<I: Copy> Bfs<I> {
    /// The nearest edge from `from` that is `wanted`: its end, and the marks of all edges
    /// parallel to it. The states before its end, without `from`, are appended to `way`.
    fn run<G, S>(
        &mut self,
        graph: &mut G,
        store: &S,
        from: Node<I>,
        wanted: impl Fn(Node<I>, Marks) -> bool,
        way: &mut Vec<Node<I>>,
    ) -> Result<(Node<I>, Marks), Limit>
    where
        G: Graph,
        S: LiveStates<Row = RowOf<G::Batch>, Id = I>,
    {
        self.seen.clear();
        self.order.clear();
        self.seen.insert(from.number as usize);
        self.order.push((from, 0));
        let mut batch = graph.batch(usize::MAX);
        let mut next = 0;
        while let Some(&(Node { id, .. }, _)) = self.order.get(next) {
            batch.clear();
            let mut at = Cursor::default();
            while at != DONE {
                graph.expand(store.row(id), &mut at, &mut batch);
                if let Some(limit) = graph.stopped() {
                    return Err(limit);
                }
            }
            let of_source = match self.by {
                Acceptance::States if graph.accepting(store.row(id)) => Marks::all(1),
                _ => Marks::NONE,
            };
            let marks_of = |i: usize| match self.by {
                Acceptance::Edges => batch.marks(i),
                Acceptance::States => of_source,
            };
            for i in 0..batch.len() {
                let Some((number, id)) = store.find_live(batch.row(i)) else { continue };
                let node = Node { id, number };
                if wanted(node, marks_of(i)) {
                    let parallel = (0..batch.len()).filter(|&j| batch.row(j) == batch.row(i));
                    let marks = parallel.fold(Marks::NONE, |marks, j| marks | marks_of(j));
                    self.append_way_to(next, way);
                    return Ok((node, marks));
                }
                if !self.seen.put(number as usize) {
                    self.order.push((node, next as u32));
                }
            }
            next += 1;
        }
        panic!("the successors of a state differ from one call to the next");
    }

    fn append_way_to(&self, mut place: usize, way: &mut Vec<Node<I>>) {
        let start = way.len();
        while place != 0 {
            let (node, parent) = self.order[place];
            way.push(node);
            place = parent as usize;
        }
        way[start..].reverse();
    }
}

//! The component of a cycle, in memory.

use lariat_core::{Acceptance, Batch, Cursor, DONE, Graph, Lossless, Marks, RowOf, States};

/// Numbers the states of a graph as they are met.
pub(super) struct Explorer<'a, G: Graph, S: States> {
    pub(super) graph: &'a mut G,
    store: &'a mut S,
    by: Acceptance,
    /// By number.
    ids: Vec<S::Id>,
    batch: G::Batch,
}

impl<'a, G, S> Explorer<'a, G, S>
where
    G: Graph,
    S: Lossless<Row = RowOf<G::Batch>, Tag = u32>,
{
    pub(super) fn new(graph: &'a mut G, store: &'a mut S, by: Acceptance) -> Self {
        let batch = graph.batch(usize::MAX);
        Explorer { graph, store, by, ids: Vec::new(), batch }
    }

    /// The marks that an accepting cycle carries.
    pub(super) fn all(&self) -> Marks {
        match self.by {
            Acceptance::States => Marks::all(1),
            Acceptance::Edges => Marks::all(self.graph.mark_count()),
        }
    }

    pub(super) fn number(&mut self, row: &S::Row) -> u32 {
        let id = self.store.intern(row);
        let tag = self.store.tag(id);
        if tag != 0 {
            return tag - 1;
        }
        self.ids.push(id);
        self.store.set_tag(id, self.ids.len() as u32);
        self.ids.len() as u32 - 1
    }

    pub(super) fn row(&self, number: u32) -> &S::Row {
        self.store.row(self.ids[number as usize])
    }

    /// The successors, each once with the marks of all edges to it: a run that goes round for
    /// ever can take them all. False if the graph was stopped.
    pub(super) fn successors(&mut self, number: u32, out: &mut Vec<(u32, Marks)>) -> bool {
        self.batch.clear();
        out.clear();
        let src = self.ids[number as usize];
        let mut at = Cursor::default();
        while at != DONE {
            self.graph.expand(self.store.row(src), &mut at, &mut self.batch);
            if self.graph.stopped().is_some() {
                return false;
            }
        }
        let of_source = match self.by {
            Acceptance::States if self.graph.accepting(self.store.row(src)) => Marks::all(1),
            _ => Marks::NONE,
        };
        for i in 0..self.batch.len() {
            let marks = match self.by {
                Acceptance::States => of_source,
                Acceptance::Edges => self.batch.marks(i),
            };
            let id = self.store.intern(self.batch.row(i));
            let mut tag = self.store.tag(id);
            if tag == 0 {
                self.ids.push(id);
                tag = self.ids.len() as u32;
                self.store.set_tag(id, tag);
            }
            out.push((tag - 1, marks));
        }
        out.sort_unstable_by_key(|&(dst, _)| dst);
        out.dedup_by(|extra, kept| {
            let same = extra.0 == kept.0;
            if same {
                kept.1 |= extra.1;
            }
            same
        });
        true
    }
}

/// Adjacency lists in two pieces of memory.
pub(super) struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    fn new() -> Self {
        Lists { starts: vec![0], items: Vec::new() }
    }

    fn push_list(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.starts.push(u32::try_from(self.items.len()).expect("fewer than 2^32 edges"));
    }

    pub(super) fn of(&self, place: u32) -> &[T] {
        let place = place as usize;
        &self.items[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

impl Lists<(u32, Marks)> {
    /// The sources of the edges to each of `0..len`.
    fn reversed(&self, len: usize) -> Lists<u32> {
        let mut starts = vec![0; len + 1];
        for &(dst, _) in &self.items {
            starts[dst as usize + 1] += 1;
        }
        for i in 0..len {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut items = vec![0; self.items.len()];
        for src in 0..self.len() as u32 {
            for &(dst, _) in self.of(src) {
                items[next[dst as usize] as usize] = src;
                next[dst as usize] += 1;
            }
        }
        Lists { starts, items }
    }
}

/// A strongly connected set of states that contains a given cycle; a whole component, unless
/// a budget ended the search for it.
pub(super) struct Component {
    /// The numbers of the states, by place.
    pub(super) states: Vec<u32>,
    /// By number: place + 1, or 0.
    places: Vec<u32>,
    /// The edges inside, by place.
    pub(super) edges: Lists<(u32, Marks)>,
}

impl Component {
    pub(super) fn place(&self, number: u32) -> Option<u32> {
        self.places.get(number as usize)?.checked_sub(1)
    }

    /// The states of `cycle` are the first that `explorer` numbered.
    pub(super) fn around<G, S>(
        explorer: &mut Explorer<'_, G, S>,
        cycle: &[u32],
        budget: usize,
    ) -> Self
    where
        G: Graph,
        S: Lossless<Row = RowOf<G::Batch>, Tag = u32>,
    {
        // Forward: numbers are given in the order of the search, so that the queue is just
        // the next number. The cycle is whole even if the budget is small.
        let floor = cycle.iter().max().map_or(0, |&last| last as usize + 1);
        let mut forward = Lists::new();
        let mut edges = Vec::new();
        while forward.len() < explorer.ids.len().min(budget.max(floor)) {
            if !explorer.successors(forward.len() as u32, &mut edges) {
                break;
            }
            forward.push_list(edges.iter().copied());
        }
        // Backward, over the edges that were recorded.
        let backward = forward.reversed(explorer.ids.len());
        let mut places = vec![0; explorer.ids.len()];
        let mut queue = vec![cycle[0]];
        places[cycle[0] as usize] = 1;
        let mut next = 0;
        while next < queue.len() {
            for &src in backward.of(queue[next]) {
                if places[src as usize] == 0 {
                    queue.push(src);
                    places[src as usize] = queue.len() as u32;
                }
            }
            next += 1;
        }
        let mut inside = Lists::new();
        for &number in &queue {
            let edges = forward.of(number).iter();
            inside.push_list(
                edges.filter_map(|&(dst, marks)| {
                    Some((places[dst as usize].checked_sub(1)?, marks))
                }),
            );
        }
        Component { states: queue, places, edges: inside }
    }
}

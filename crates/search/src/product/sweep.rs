//! Breadth first through the product as long as no run can be accepted.
//!
//! A run is accepted in an accepting component of the automaton. Before it has come to one,
//! nothing need be known of a product state but that it was seen: no stack, no colours, no
//! components. That part of the product, *before acceptance*, is swept breadth first, which is
//! faster than depth first. The states behind it are what an emptiness check begins with, some at a
//! time, as they are found: it looks for a run there before the sweep goes on. No state is looked at
//! by both, and together they look at those that the check alone would, had it nothing found.
//!
//! A sweep can also go through everything and look for marks only. If the edges of the product
//! that stay in a component of the automaton do not carry all marks together, for no component,
//! then no run is accepted, and that is all there is to know.
//!
//! That no accepting cycle leaves a component of the automaton is used in the same way by
//! Edelkamp, Leue, Lluch Lafuente, *Directed explicit-state model checking in the validation of
//! communication protocols*, STTT 2004.

use super::Product;
use super::components::Components;
use super::marks::MarkSearch;
use crate::breadth_first::BreadthFirst;
use lariat_core::{
    Automaton, Batch, Cursor, Emptiness, Fixed, Graph, Lasso, Limit, Run, Stats, Successors, Word,
    conclude, makes_mistake,
};
use lariat_store::Frontier;
use lariat_store::frontier::{self, Reader};
use lariat_system::{Stop, SystemGraph};
use std::ops::Range;

/// The rest of a product, as a graph whose initial states are found by the sweep.
pub struct Sweep<'p, 'a, G, A> {
    product: &'p mut Product<'a, G, A>,
    /// The automaton states that are gone through.
    through: u64,
    marks: Option<MarkSearch<'p>>,
    frontier: Frontier,
    walk: BreadthFirst,
    /// Before the next state that the walk reads.
    reader: Reader,
    transitions: u64,
    /// Bytes of the check behind.
    of_check: usize,
    /// The states that the walk has read and not left yet.
    window: Vec<Swept>,
    /// System states that the walk was asked to expand, and of those, how many it has.
    asked: usize,
    expanded: usize,
    /// What the check was given last to begin with, and the state before each.
    exits: Vec<([Word; 2], Option<usize>)>,
}

struct Swept {
    row: [Word; 2],
    /// Its edges in the automaton, in the product's lists.
    edges: Range<usize>,
    /// Which of the states that the walk was asked to expand; none if no edge is enabled.
    source: Option<usize>,
}

impl<'p, 'a, G: SystemGraph, A: Automaton> Sweep<'p, 'a, G, A> {
    /// Sweeps where no run can be accepted yet.
    pub fn new(product: &'p mut Product<'a, G, A>, components: &Components) -> Self {
        Self::through(product, components.before, None)
    }

    /// Sweeps everything, to look for marks.
    pub fn for_marks(product: &'p mut Product<'a, G, A>, components: &'p Components) -> Self {
        let marks = MarkSearch::new(components, product.automaton.mark_count());
        Self::through(product, components.known, Some(marks))
    }

    fn through(
        product: &'p mut Product<'a, G, A>,
        through: u64,
        marks: Option<MarkSearch<'p>>,
    ) -> Self {
        // Those behind it count as well.
        let ways_out = (0..frontier::MOST as Word)
            .filter(|state| through >> state & 1 == 1)
            .flat_map(|state| product.automaton.edges(state).iter().map(|edge| edge.dst));
        let highest = ways_out.chain(product.automaton.initial().iter().copied()).max();
        let states = highest.map_or(1, |highest| highest as usize + 1);
        let mut initial = product.automaton.initial().iter();
        let main = initial.find(|&state| through >> state & 1 == 1).copied().unwrap_or(0);
        Sweep {
            product,
            through,
            marks,
            frontier: Frontier::new(states, main),
            walk: BreadthFirst::new(),
            reader: Reader::default(),
            transitions: 0,
            of_check: 0,
            window: Vec::new(),
            asked: 0,
            expanded: 0,
            exits: Vec::new(),
        }
    }

    /// Looks for all marks. No verdict if a component has them: whether a run meets them all is not
    /// known.
    pub fn look_for_marks(&mut self) -> Option<Emptiness> {
        let mut none = self.batch(usize::MAX);
        self.initial(&mut none);
        match &self.marks {
            Some(marks) if marks.has_all => None,
            _ => Some(conclude(None, self.stopped(), false)),
        }
    }

    /// What the check counted and what the sweep did.
    pub fn with_own(&self, of_check: &Stats) -> Stats {
        Stats {
            states: of_check.states + self.frontier.len() as u64,
            transitions: of_check.transitions + self.transitions,
            expansions: of_check.expansions + self.walk.expanded() as u64,
            depth: of_check.depth + self.walk.levels(),
            bytes: of_check.bytes + self.frontier.bytes() as u64,
            ..of_check.clone()
        }
    }

    /// A run that the check has just found, from the initial state on.
    pub fn whole(&self, found: &Lasso) -> Lasso {
        let first = if found.prefix.is_empty() { &found.cycle } else { &found.prefix };
        let start = self.exits.iter().find(|(row, _)| row[..] == *first.state(0));
        let mut prefix = Run::new(2);
        if let Some(&(_, Some(before))) = start {
            for row in self.frontier.path(before) {
                prefix.push(&row);
            }
        }
        found.prefix.iter().for_each(|row| prefix.push(row));
        Lasso { prefix, cycle: found.cycle.clone() }
    }

    /// Sweeps until there is something to begin with, or nothing is left.
    fn go_on(&mut self, out: &mut Fixed<2>) {
        self.exits.clear();
        while self.exits.is_empty()
            && self.stopped().is_none()
            && self.marks.as_ref().is_none_or(|marks| !marks.has_all)
            && (self.walk.is_in_level() || self.walk.begin_level(self.frontier.len()))
        {
            if let Err(stop) = self.sweep_block() {
                self.product.stopped = Some(stop);
                return;
            }
        }
        self.product.has_met_acceptance |= !self.exits.is_empty();
        for (row, _) in &self.exits {
            out.push_copy(row);
        }
    }

    /// Goes through some states of the level.
    fn sweep_block(&mut self) -> Result<(), Stop> {
        let Sweep { product, frontier, walk, reader, window, asked, expanded, .. } = self;
        let Product { graph, automaton, enabled, .. } = &mut **product;
        let block = walk.expand(*graph, |graph| {
            let row = frontier.read(reader).expect("the level has more states");
            let [id, state] = row;
            let valuation = graph.valuation(id.into())?;
            let edges = enabled.list(*automaton, state, valuation, graph);
            // The same system state in another state of the automaton.
            let same = window.last().filter(|last| last.row[0] == id).and_then(|last| last.source);
            let source = match same {
                _ if edges.is_empty() => None,
                Some(source) => Some(source),
                None => Some(*asked),
            };
            let is_own = source == Some(*asked);
            *asked += usize::from(is_own);
            window.push(Swept { row, edges, source });
            Ok(is_own.then_some(id.into()))
        })?;
        let first = *expanded;
        *expanded += walk.edges.sources();
        self.note_successors(block, first)
    }

    /// Notes the successors of the block, whose first source is this one.
    fn note_successors(&mut self, block: Range<usize>, first: usize) -> Result<(), Stop> {
        let Sweep {
            product,
            frontier,
            walk,
            window,
            exits,
            through,
            transitions,
            marks,
            of_check,
            ..
        } = self;
        let stutters = product.stutters();
        let Product { graph, automaton, enabled, .. } = &mut **product;
        let edges = &walk.edges;
        let successors =
            |swept: &Swept| swept.source.map_or(0..0, |source| edges.of(source - first));
        let block_len = block.len();
        let highest = edges.ids.iter().copied().max().unwrap_or(0) as Word;
        let highest = window[..block_len].iter().map(|swept| swept.row[0]).fold(highest, Word::max);
        let count = |swept: &Swept| successors(swept).len().max(1) * swept.edges.len();
        let more = window[..block_len].iter().map(count).sum();
        let growth = frontier.growth(more, block_len, highest);
        if growth > 0 {
            graph.reserve(*of_check + frontier.bytes() + growth)?;
        }
        frontier.make_room(more, block_len, highest)?;
        for (number, swept) in block.zip(window.drain(..block_len)) {
            let [id, state] = swept.row;
            let own = [id.into()];
            let rests = swept.source.is_some() && successors(&swept).is_empty();
            let ids = match rests && stutters {
                true => &own[..],
                false => &edges.ids[successors(&swept)],
            };
            let of_automaton = automaton.edges(state);
            let list = &enabled.lists[swept.edges.clone()];
            if let Some(marks) = marks.as_mut().filter(|_| !ids.is_empty()) {
                marks.look(state, list.iter().map(|&edge| &of_automaton[edge as usize]));
            }
            for &edge in list {
                let dst = of_automaton[edge as usize].dst;
                *transitions += ids.len() as u64;
                if *through >> dst & 1 == 1 {
                    for row in ids.iter().map(|&id| [id as Word, dst]) {
                        if frontier.note(row) {
                            frontier.push(row);
                        }
                    }
                } else {
                    for row in ids.iter().map(|&id| [id as Word, dst]) {
                        let is_lost = makes_mistake("sweep-exits") && rests;
                        if frontier.note(row) && !is_lost {
                            exits.push((row, Some(number)));
                        }
                    }
                }
            }
            frontier.end_parent();
        }
        Ok(())
    }

    fn begin(&mut self, out: &mut Fixed<2>) -> Result<(), Stop> {
        let mut all = self.batch(usize::MAX);
        self.product.initial(&mut all);
        let highest = (0..all.len()).map(|i| all.row(i)[0]).max().unwrap_or(0);
        let growth = self.frontier.growth(all.len(), 1, highest);
        self.product.graph.reserve(self.frontier.bytes() + growth)?;
        self.frontier.make_room(all.len(), 1, highest)?;
        for i in 0..all.len() {
            let row = *all.row(i);
            if !self.frontier.note(row) {
                continue;
            }
            if self.through >> row[1] & 1 == 1 {
                self.frontier.push(row);
            } else {
                self.exits.push((row, None));
                out.push_copy(&row);
            }
        }
        self.frontier.end_parent();
        Ok(())
    }
}

impl<G: SystemGraph, A: Automaton> Successors for Sweep<'_, '_, G, A> {
    type Batch = Fixed<2>;

    fn batch(&self, room: usize) -> Fixed<2> {
        self.product.batch(room)
    }

    fn initial(&mut self, out: &mut Fixed<2>) {
        match self.begin(out) {
            Err(stop) => self.product.stopped = Some(stop),
            Ok(()) if out.len() == 0 => self.go_on(out),
            Ok(()) => {}
        }
    }

    fn more_initial(&mut self, out: &mut Fixed<2>) {
        self.go_on(out);
    }

    fn expand(&mut self, src: &[Word; 2], at: &mut Cursor, out: &mut Fixed<2>) {
        self.product.expand(src, at, out);
    }

    fn stopped(&self) -> Option<Limit> {
        self.product.stopped()
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), Limit> {
        self.of_check = bytes;
        self.product.reserve(self.frontier.bytes() + bytes)
    }
}

impl<G: SystemGraph, A: Automaton> Graph for Sweep<'_, '_, G, A> {
    fn accepting(&self, state: &[Word; 2]) -> bool {
        self.product.accepting(state)
    }

    fn mark_count(&self) -> u32 {
        self.product.mark_count()
    }
}

//! Breadth first through the product as long as no run can be accepted.
//!
//! A run is accepted in an accepting component of the automaton. Before it has come to one,
//! nothing need be known of a product state but that it was seen: no stack, no colours, no
//! components. That part of the product is *swept*, in blocks of states whose successors the
//! store looks for together, which is faster than depth first. The states behind it are what
//! an emptiness check begins with, some at a time, as they are found: it looks for a run there
//! before the sweep goes on. No state is looked at by both, and together they look at those
//! that the check alone would, had it nothing found.
//!
//! A sweep can also go through everything and look for marks only. If the edges of the product
//! that stay in a component of the automaton do not carry all marks together, for no component,
//! then no run is accepted, and that is all there is to know.
//!
//! That no accepting cycle leaves a component of the automaton is used in the same way by
//! Edelkamp, Leue, Lluch Lafuente, *Directed explicit-state model checking in the validation of
//! communication protocols*, STTT 2004.

use super::SharedProduct;
use super::components::Components;
use lariat_core::{
    Automaton, Batch, Cursor, Edge, Fixed, Full, Graph, Lasso, Marks, RowOf, Run, StateSpace,
    Stats, Successors, SystemStore, Word, makes_mistake,
};
use lariat_store::Frontier;
use lariat_store::frontier::{self, Reader};
use std::ops::Range;

/// States of a block, and the successors that end it early.
const BLOCK: usize = 64;
const SUCCESSORS: usize = 128;
/// How far ahead of its turn a state's steps are asked for.
const AHEAD: usize = 6;

/// The rest of a product, as a graph whose initial states are found by the sweep.
pub struct Sweep<'p, 'a, M: StateSpace, A, S> {
    product: &'p mut SharedProduct<'a, M, A, S>,
    /// The automaton states that are gone through.
    calm: u64,
    hunt: Option<Hunt<'p>>,
    frontier: Frontier,
    /// Before the next state to go through, and before the next one whose steps are asked for.
    next: Reader,
    ahead: Reader,
    /// The number of the first state of the next level, and the levels before it.
    level_end: usize,
    levels: u64,
    transitions: u64,
    /// Scratch: the states of the block at hand.
    block: Vec<Swept>,
    /// What the check was given last to begin with, and the state before each.
    exits: Vec<([Word; 2], Option<usize>)>,
    is_full: bool,
}

/// Marks that are looked for.
struct Hunt<'p> {
    components: &'p Components,
    /// Those that were seen inside a component, by its name.
    seen: [Marks; frontier::MOST],
    all: Marks,
    /// A component has all.
    is_over: bool,
}

/// What a sweep for marks says.
pub enum Hunted {
    /// There are components with all marks; whether a run meets them is not known.
    Found,
    /// No run is accepted.
    Missing,
    Interrupted,
}

/// A state of a block.
struct Swept {
    row: [Word; 2],
    /// Its edges in the automaton, in the product's `lists`.
    edges: Range<usize>,
    /// Its successors in the product's `ids`; one that rests is its own.
    ids: Range<usize>,
    rests: bool,
}

impl Hunt<'_> {
    /// Notes the marks of edges that leave a state.
    #[inline]
    fn look<'e>(&mut self, state: Word, edges: impl Iterator<Item = &'e Edge>) {
        for edge in edges {
            let is_new = !self.seen[state as usize].contains(edge.marks) || self.all == Marks::NONE;
            if is_new && self.components.together(state, edge.dst) {
                self.seen[state as usize] |= edge.marks;
                let name = self.components.name(state);
                self.seen[name] |= edge.marks;
                self.is_over |= self.seen[name].contains(self.all);
            }
        }
    }
}

impl<'p, 'a, M, A, S> Sweep<'p, 'a, M, A, S>
where
    M: StateSpace,
    A: Automaton,
    S: SystemStore<Row = RowOf<M::Batch>>,
{
    /// Sweeps where no run can be accepted yet.
    pub fn new(product: &'p mut SharedProduct<'a, M, A, S>, components: &'p Components) -> Self {
        Self::through(product, components.calm, None)
    }

    /// Sweeps everything.
    pub fn for_marks(
        product: &'p mut SharedProduct<'a, M, A, S>,
        components: &'p Components,
    ) -> Self {
        let all = Marks::all(product.automaton.mark_count());
        let seen = [Marks::NONE; frontier::MOST];
        let hunt = Hunt { components, seen, all, is_over: false };
        Self::through(product, components.known, Some(hunt))
    }

    fn through(
        product: &'p mut SharedProduct<'a, M, A, S>,
        calm: u64,
        hunt: Option<Hunt<'p>>,
    ) -> Self {
        // Those behind it count as well.
        let ways_out = (0..frontier::MOST as Word)
            .filter(|state| calm >> state & 1 == 1)
            .flat_map(|state| product.automaton.edges(state).iter().map(|edge| edge.dst));
        let highest = ways_out.chain(product.automaton.initial().iter().copied()).max();
        let states = highest.map_or(1, |highest| highest as usize + 1);
        let mut initial = product.automaton.initial().iter();
        let main = initial.find(|&state| calm >> state & 1 == 1).copied().unwrap_or(0);
        Sweep {
            product,
            calm,
            hunt,
            frontier: Frontier::new(states, main),
            next: Reader::default(),
            ahead: Reader::default(),
            level_end: 0,
            levels: 0,
            transitions: 0,
            block: Vec::new(),
            exits: Vec::new(),
            is_full: false,
        }
    }

    /// Looks for all marks.
    pub fn hunt(&mut self) -> Hunted {
        let mut none = self.batch(usize::MAX);
        self.initial(&mut none);
        match &self.hunt {
            Some(hunt) if hunt.is_over => Hunted::Found,
            _ if self.interrupted() => Hunted::Interrupted,
            _ => Hunted::Missing,
        }
    }

    /// Whether there was no room for a state.
    pub fn is_full(&self) -> bool {
        self.is_full || self.product.is_full()
    }

    /// What the check counted and what the sweep did.
    pub fn with_own(&self, of_check: &Stats) -> Stats {
        Stats {
            states: of_check.states + self.frontier.len() as u64,
            transitions: of_check.transitions + self.transitions,
            expansions: of_check.expansions + self.next.number() as u64,
            depth: of_check.depth + self.levels,
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

    fn is_over(&self) -> bool {
        self.interrupted() || self.hunt.as_ref().is_some_and(|hunt| hunt.is_over)
    }

    fn is_calm(&self, state: Word) -> bool {
        self.calm >> state & 1 == 1
    }

    /// Sweeps until there is something to begin with, or nothing is left.
    fn go_on(&mut self, out: &mut Fixed<2>) {
        self.exits.clear();
        while self.exits.is_empty() && self.next.number() < self.frontier.len() && !self.is_over() {
            if self.next.number() == self.level_end {
                self.level_end = self.frontier.len();
                self.levels += 1;
            }
            let first = self.next.number();
            self.expand_block();
            if self.product.interrupted() || self.note_successors(first).is_err() {
                self.is_full |= !self.product.interrupted();
                return;
            }
        }
        for (row, _) in &self.exits {
            out.push_copy(row);
        }
    }

    /// Has the store look for the successors of some states of the level.
    fn expand_block(&mut self) {
        let product = &mut *self.product;
        product.ids.clear();
        self.block.clear();
        let (mut taken, mut before) = (0, None);
        let end = self.level_end.min(self.next.number() + BLOCK);
        while self.next.number() < end && taken < SUCCESSORS {
            while self.ahead.number() <= self.next.number() + AHEAD
                && let Some([id, _]) = self.frontier.read(&mut self.ahead)
            {
                product.system.prefetch_steps(id.into());
            }
            let Some([id, state]) = self.frontier.read(&mut self.next) else { break };
            product.spend();
            let valuation = product.valuation(id.into());
            let edges = product.enabled(valuation, state);
            let (ids, rests) = match (&before, self.block.last()) {
                _ if edges.is_empty() => (0..0, false),
                // The same system state in another state of the automaton.
                (Some(known), Some(last)) if *known == id => (last.ids.clone(), last.rests),
                _ => {
                    let count = product.take_in(id.into());
                    let ids = taken..taken + count;
                    taken += count;
                    (ids, count == 0)
                }
            };
            before = (!edges.is_empty()).then_some(id);
            self.block.push(Swept { row: [id, state], edges, ids, rests });
        }
        product.finish();
    }

    /// Notes the successors of the block, which starts with this state.
    fn note_successors(&mut self, first: usize) -> Result<(), Full> {
        let Sweep { product, frontier, block, exits, calm, transitions, hunt, .. } = self;
        let highest = product.ids.iter().copied().max().unwrap_or(0) as Word;
        let stutters = product.stutters();
        for (number, swept) in (first..).zip(block) {
            let [id, state] = swept.row;
            let own = [id.into()];
            let ids = match swept.rests && stutters {
                true => &own[..],
                false => &product.ids[swept.ids.clone()],
            };
            let edges = product.automaton.edges(state);
            frontier.make_room(ids.len() * swept.edges.len(), highest.max(id))?;
            if let Some(hunt) = hunt.as_mut().filter(|_| !ids.is_empty()) {
                let list = product.lists[swept.edges.clone()].iter();
                hunt.look(state, list.map(|&edge| &edges[edge as usize]));
            }
            for &edge in &product.lists[swept.edges.clone()] {
                let dst = edges[edge as usize].dst;
                *transitions += ids.len() as u64;
                if *calm >> dst & 1 == 1 {
                    for row in ids.iter().map(|&id| [id as Word, dst]) {
                        if frontier.note(row) {
                            frontier.push(row);
                        }
                    }
                } else {
                    for row in ids.iter().map(|&id| [id as Word, dst]) {
                        let is_lost = makes_mistake("sweep-exits") && swept.rests;
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
}

impl<M, A, S> Successors for Sweep<'_, '_, M, A, S>
where
    M: StateSpace,
    A: Automaton,
    S: SystemStore<Row = RowOf<M::Batch>>,
{
    type Batch = Fixed<2>;

    fn batch(&self, room: usize) -> Fixed<2> {
        self.product.batch(room)
    }

    fn initial(&mut self, out: &mut Fixed<2>) {
        let mut all = self.batch(usize::MAX);
        self.product.initial(&mut all);
        let highest = (0..all.len()).map(|i| all.row(i)[0]).max().unwrap_or(0);
        if self.frontier.make_room(all.len(), highest).is_err() {
            self.is_full = true;
            return;
        }
        for i in 0..all.len() {
            let row = *all.row(i);
            if !self.frontier.note(row) {
                continue;
            }
            if self.is_calm(row[1]) {
                self.frontier.push(row);
            } else {
                self.exits.push((row, None));
                out.push_copy(&row);
            }
        }
        self.frontier.end_parent();
        if out.len() == 0 {
            self.go_on(out);
        }
    }

    fn more_initial(&mut self, out: &mut Fixed<2>) {
        self.go_on(out);
    }

    fn expand(&mut self, src: &[Word; 2], at: &mut Cursor, out: &mut Fixed<2>) {
        self.product.expand(src, at, out);
    }

    fn interrupted(&self) -> bool {
        self.is_full || self.product.interrupted()
    }
}

impl<M, A, S> Graph for Sweep<'_, '_, M, A, S>
where
    M: StateSpace,
    A: Automaton,
    S: SystemStore<Row = RowOf<M::Batch>>,
{
    fn accepting(&self, state: &[Word; 2]) -> bool {
        self.product.accepting(state)
    }

    fn mark_count(&self) -> u32 {
        self.product.mark_count()
    }
}

//! The product of a system and an automaton as rows: those of the system with a word behind for the
//! automaton's state. Nothing of it is kept here, so it suits checks whose stores forget, or are lossy.

use lariat_core::{
    Automaton, Batch, Cursor, DONE, Flat, Graph, Limit, Marks, Successors, SystemId, Word,
};
use lariat_store::Scratch;
use lariat_system::{Edges, Stop, System, SystemGraph};

use super::shuffle::{Dice, Shuffle};
use crate::product::FiniteRuns;

/// The product, as a graph for the checks.
pub struct RowProduct<'a, 'm, A> {
    system: &'a mut System<'m, Scratch>,
    automaton: &'a A,
    finite_runs: FiniteRuns,
    /// Words of a row of the system.
    width: usize,
    shuffle: Shuffle,
    dice: Dice,
    /// Scratch: the system's successors, the order in which they are looked at, a row.
    edges: Edges,
    order: Vec<usize>,
    row: Vec<Word>,
    /// Why the walk must end.
    stopped: Option<Stop>,
}

impl<'a, 'm, A: Automaton> RowProduct<'a, 'm, A> {
    /// Before anything was walked. The rows of the system have `width` words.
    pub fn new(
        system: &'a mut System<'m, Scratch>,
        automaton: &'a A,
        finite_runs: FiniteRuns,
        width: usize,
        shuffle: Shuffle,
    ) -> Self {
        RowProduct {
            system,
            automaton,
            finite_runs,
            width,
            shuffle,
            dice: shuffle.dice(),
            edges: Edges::default(),
            order: Vec::new(),
            row: Vec::new(),
            stopped: None,
        }
    }

    /// Words of a row of the product.
    pub fn width(&self) -> usize {
        self.width + 1
    }

    /// Why the walk was stopped, if it was.
    pub fn why_stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// Appends a state of the system with one of the automaton.
    fn push(&mut self, id: SystemId, state: Word, marks: Marks, out: &mut Flat) {
        self.row.clear();
        self.row.extend_from_slice(self.system.load(id));
        self.row.push(state);
        out.push_copy(&self.row);
        out.set_marks(out.len() - 1, marks);
    }

    fn try_initial(&mut self, out: &mut Flat) -> Result<(), Stop> {
        let mut ids = Vec::new();
        self.system.forget_states();
        self.system.initial(&mut ids)?;
        for id in ids {
            for &state in self.automaton.initial() {
                self.push(id, state, Marks::NONE, out);
            }
        }
        Ok(())
    }

    fn try_expand(&mut self, src: &[Word], out: &mut Flat) -> Result<(), Stop> {
        let (row, state) = (&src[..self.width], src[self.width]);
        self.system.set_state(row)?;
        let valuation = self.system.valuation(0)?;
        let truth = self.system.truth(valuation);
        let automaton = self.automaton;
        let enabled = || automaton.edges(state).iter().filter(|edge| edge.allows(truth));
        if enabled().next().is_none() {
            return Ok(());
        }
        self.edges.clear();
        self.system.expand(&[0], &mut self.edges)?;
        if self.edges.ids.is_empty() && self.finite_runs == FiniteRuns::Stutter {
            // A system at rest starves nobody: the stuttering step is fair to all.
            self.edges.ids.push(0);
            self.edges.marks.push(Marks::all(self.system.mark_count()));
        }
        self.shuffle.order(&mut self.dice, self.edges.ids.len(), &mut self.order);
        let shift = self.automaton.mark_count();
        for edge in enabled() {
            for place in 0..self.order.len() {
                let at = self.order[place];
                let of_model = self.edges.marks.get(at).map_or(0, |marks| marks.0);
                let of_model = of_model.checked_shl(shift).unwrap_or(0);
                self.push(self.edges.ids[at], edge.dst, edge.marks | Marks(of_model), out);
            }
        }
        Ok(())
    }
}

impl<A: Automaton> Successors for RowProduct<'_, '_, A> {
    type Batch = Flat;

    fn batch(&self, room: usize) -> Flat {
        Flat::new(self.width(), room)
    }

    fn initial(&mut self, out: &mut Flat) {
        self.stopped = self.try_initial(out).err().or(self.stopped);
    }

    /// All successors at once, whatever the room.
    fn expand(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        *at = DONE;
        if let Err(stop) = self.try_expand(src, out) {
            self.stopped = Some(stop);
        }
    }

    #[inline]
    fn stopped(&self) -> Option<Limit> {
        self.stopped.map(Stop::limit)
    }

    fn reserve(&mut self, bytes: usize) -> Result<(), Limit> {
        self.stopped = self.system.reserve(bytes).err().or(self.stopped);
        self.stopped().map_or(Ok(()), Err)
    }
}

impl<A: Automaton> Graph for RowProduct<'_, '_, A> {
    /// Meaningful only for a model without marks.
    fn accepting(&self, state: &[Word]) -> bool {
        self.automaton.accepting(state[self.width])
    }

    fn mark_count(&self) -> u32 {
        self.automaton.mark_count() + self.system.mark_count()
    }
}

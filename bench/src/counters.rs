//! The implicit graph that the core is measured on: three counters, never precomputed.

use lariat_core::{
    Automaton, Batch, Cursor, DONE, Edge, Fixed, Guard, Marks, Props, StateSpace, Successors, Word,
};

/// Three counters modulo `n`; each step raises one. Proposition 0: some counter is zero.
pub(crate) struct Counters {
    pub(crate) n: Word,
}

impl Successors for Counters {
    type Batch = Fixed<4>;

    fn batch(&self, room: usize) -> Fixed<4> {
        Fixed::new(room)
    }

    fn initial(&mut self, out: &mut Fixed<4>) {
        out.push_copy(&[0; 4]);
    }

    #[inline]
    fn expand(&mut self, src: &[Word; 4], at: &mut Cursor, out: &mut Fixed<4>) {
        while at.0 < 3 {
            if out.room() == 0 {
                return;
            }
            let i = at.0 as usize;
            let row = out.push_copy(src);
            row[i] = if row[i] + 1 == self.n { 0 } else { row[i] + 1 };
            at.0 += 1;
        }
        *at = DONE;
    }
}

impl StateSpace for Counters {
    #[inline]
    fn props(&mut self, state: &[Word; 4]) -> Props {
        Props::from(state[..3].contains(&0))
    }
}

/// A Büchi automaton given by its edges; state 0 is initial.
pub(crate) struct Listed {
    initial: [Word; 1],
    edges: Vec<Vec<Edge>>,
    accepting: Vec<bool>,
    marks: u32,
}

impl Automaton for Listed {
    fn initial(&self) -> &[Word] {
        &self.initial
    }
    #[inline]
    fn edges(&self, state: Word) -> &[Edge] {
        &self.edges[state as usize]
    }
    #[inline]
    fn accepting(&self, state: Word) -> bool {
        self.accepting[state as usize]
    }
    fn mark_count(&self) -> u32 {
        self.marks
    }
}

fn edge(must: Props, must_not: Props, marks: Marks, dst: Word) -> Edge {
    Edge { guards: Box::new([Guard { must, must_not }]), marks, dst }
}

/// `F G ¬p`: no run of the counters satisfies it, and every check must see all of both
/// copies of the state space to know.
pub(crate) fn eventually_never_p() -> Listed {
    let marked = Marks::one(0);
    Listed {
        initial: [0],
        edges: vec![
            vec![edge(0, 0, Marks::NONE, 0), edge(0, 1, Marks::NONE, 1)],
            vec![edge(0, 1, marked, 1)],
        ],
        accepting: vec![false, true],
        marks: 1,
    }
}

/// A terminal automaton whose accepting state is never reached: what `reach` walks, with
/// the same two copies of the state space.
pub(crate) fn never_reached() -> Listed {
    Listed {
        initial: [0],
        edges: vec![
            vec![edge(0, 0, Marks::NONE, 0), edge(0, 1, Marks::NONE, 1)],
            vec![edge(0, 1, Marks::NONE, 1), edge(1 << 63, 0, Marks::NONE, 2)],
            vec![edge(0, 0, Marks::one(0), 2)],
        ],
        accepting: vec![false, false, true],
        marks: 1,
    }
}

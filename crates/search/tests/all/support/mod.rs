//! Explicit graphs for tests, random or written down, and an oracle that decides emptiness
//! in another way: components of the whole graph by petgraph.

// Each test binary uses a part of this.
#![allow(dead_code, unreachable_pub, unused_imports)]

pub mod checks;
pub mod oracle;
mod random;

pub use random::{Sweep, chance};

use lariat_core::{Batch, Cursor, DONE, Fixed, Graph, Limit, Marks, Successors, Word};

/// A graph written down edge by edge. A state is its number.
#[derive(Clone, Debug, Default)]
pub struct Explicit {
    pub initial: Vec<Word>,
    /// The edges of each state, in the order in which they are generated.
    pub edges: Vec<Vec<(Word, Marks)>>,
    pub accepting: Vec<bool>,
    pub mark_count: u32,
    /// What was generated so far, in order: (from, to, marks).
    pub log: Vec<(Word, Word, Marks)>,
    /// How often a state's successors were asked for from the start.
    pub calls: u64,
    /// The walk is interrupted after so many calls of `expand`.
    pub patience: Option<u64>,
    pub expand_calls: u64,
}

impl Explicit {
    /// State-based Büchi acceptance: state 0 is initial, edges leave accepting states with
    /// the one mark.
    pub fn buchi(edges: &[&[Word]], accepting: &[Word]) -> Self {
        let is_accepting = |state: usize| accepting.contains(&(state as Word));
        let marked = |(state, targets): (usize, &&[Word])| {
            let marks = if is_accepting(state) { Marks::one(0) } else { Marks::NONE };
            targets.iter().map(|&target| (target, marks)).collect()
        };
        Explicit {
            initial: vec![0],
            edges: edges.iter().enumerate().map(marked).collect(),
            accepting: (0..edges.len()).map(is_accepting).collect(),
            mark_count: 1,
            ..Explicit::default()
        }
    }

    /// Marks on the edges; state 0 is initial. Acceptance by states follows
    /// [`Graph::accepting`] where there is at most one mark, and is false elsewhere.
    pub fn tgba(mark_count: u32, edges: Vec<Vec<(Word, Marks)>>) -> Self {
        let accepting = edges
            .iter()
            .map(|out| match mark_count {
                0 => true,
                1 => !out.is_empty() && out.iter().all(|&(_, marks)| marks.has(0)),
                _ => false,
            })
            .collect();
        Explicit { initial: vec![0], edges, accepting, mark_count, ..Explicit::default() }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }
}

impl Successors for Explicit {
    type Batch = Fixed<1>;

    fn batch(&self, room: usize) -> Fixed<1> {
        Fixed::new(room)
    }

    fn initial(&mut self, out: &mut Fixed<1>) {
        for &state in &self.initial {
            out.push_copy(&[state]);
        }
    }

    fn expand(&mut self, &[src]: &[Word; 1], at: &mut Cursor, out: &mut Fixed<1>) {
        self.expand_calls += 1;
        self.calls += u64::from(*at == Cursor::default());
        let edges = &self.edges[src as usize];
        while (at.0 as usize) < edges.len() && out.room() > 0 {
            let (dst, marks) = edges[at.0 as usize];
            out.push_copy(&[dst]);
            out.set_marks(out.len() - 1, marks);
            self.log.push((src, dst, marks));
            at.0 += 1;
        }
        if at.0 as usize == edges.len() {
            *at = DONE;
        }
    }

    fn stopped(&self) -> Option<Limit> {
        let is_over = self.patience.is_some_and(|patience| self.expand_calls > patience);
        is_over.then_some(Limit::Interrupted)
    }
}

impl Graph for Explicit {
    fn accepting(&self, &[state]: &[Word; 1]) -> bool {
        self.accepting[state as usize]
    }

    fn mark_count(&self) -> u32 {
        self.mark_count
    }
}

//! Counterexamples, and the check that one is really one.

use crate::{Batch, Cursor, DONE, Graph, Marks, RowOf, Word};
use std::fmt;

/// A sequence of states, all in one piece of memory: runs of millions of states occur.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    words: Vec<Word>,
    width: usize,
    len: usize,
}

impl Run {
    /// No state yet; all will have `width` words.
    pub fn new(width: usize) -> Self {
        Run { words: Vec::new(), width, len: 0 }
    }

    /// Appends a state.
    pub fn push(&mut self, state: &[Word]) {
        debug_assert_eq!(state.len(), self.width);
        self.words.extend_from_slice(state);
        self.len += 1;
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The state at a position.
    pub fn state(&self, i: usize) -> &[Word] {
        &self.words[i * self.width..][..self.width]
    }

    /// The states in order.
    pub fn iter(&self) -> impl Iterator<Item = &[Word]> {
        (0..self.len).map(|i| self.state(i))
    }
}

/// An accepting run: `prefix`, then `cycle` for ever. The cycle is never empty; its last
/// state has an edge back to its first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// From an initial state up to the cycle; may be empty.
    pub prefix: Run,
    /// What is repeated for ever.
    pub cycle: Run,
}

/// Why a lasso is not a run of the graph, or not an accepting one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LassoError {
    /// There is nothing to repeat.
    EmptyCycle,
    /// State number `.0` (prefix, then cycle, then the cycle's first again) is not initial or
    /// no successor of the one before.
    NoSuchStep(usize),
    /// The cycle does not carry these marks.
    Missing(Marks),
    /// State-based acceptance: no accepting state on the cycle.
    NotAccepting,
}

impl fmt::Display for LassoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LassoError::EmptyCycle => write!(f, "the cycle has no state"),
            LassoError::NoSuchStep(i) => write!(f, "step {i} is no edge of the graph"),
            LassoError::Missing(marks) => write!(f, "the cycle lacks the marks {marks:?}"),
            LassoError::NotAccepting => write!(f, "the cycle has no accepting state"),
        }
    }
}

impl std::error::Error for LassoError {}

/// Which acceptance a check looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acceptance {
    /// [`Graph::accepting`] of the states.
    States,
    /// The marks on the edges.
    Edges,
}

impl Lasso {
    /// Replays the run on `graph`; a search or store that errs is found out here.
    pub fn verify<G: Graph>(&self, graph: &mut G, by: Acceptance) -> Result<(), LassoError> {
        let (marks, accepting) = self.replay(graph)?;
        let all = Marks::all(graph.mark_count());
        match by {
            Acceptance::Edges if !marks.contains(all) => {
                Err(LassoError::Missing(all.without(marks)))
            }
            Acceptance::States if !accepting => Err(LassoError::NotAccepting),
            _ => Ok(()),
        }
    }

    /// The marks on the cycle, and whether it has an accepting state, if this is a run.
    ///
    /// Parallel edges between two states count together: a run that goes round for ever can
    /// take each of them infinitely often.
    pub fn replay<G: Graph>(&self, graph: &mut G) -> Result<(Marks, bool), LassoError> {
        if self.cycle.is_empty() {
            return Err(LassoError::EmptyCycle);
        }
        let (stem, total) = (self.prefix.len(), self.prefix.len() + self.cycle.len());
        let (mut batch, mut next) = (graph.batch(usize::MAX), graph.batch(usize::MAX));
        graph.initial(&mut batch);
        let (mut marks, mut accepting) = (Marks::NONE, false);
        for step in 0..=total {
            let state = match step {
                i if i < stem => self.prefix.state(i),
                i if i < total => self.cycle.state(i - stem),
                _ => self.cycle.state(0),
            };
            let mut found = None;
            for i in 0..batch.len() {
                if batch.row(i).as_ref() == state {
                    found = Some(i);
                    // The edge into state `stem` is not on the cycle the first time.
                    if step > stem {
                        marks |= batch.marks(i);
                    }
                }
            }
            let found = found.ok_or(LassoError::NoSuchStep(step))?;
            if step >= stem {
                accepting |= graph.accepting(batch.row(found));
            }
            if step < total {
                expand_into(graph, batch.row(found), &mut next);
                std::mem::swap(&mut batch, &mut next);
            }
        }
        Ok((marks, accepting))
    }
}

/// All successors of one state, in place of what is in `batch`, which has room for all.
pub fn expand_into<G: Graph>(graph: &mut G, src: &RowOf<G::Batch>, batch: &mut G::Batch) {
    batch.clear();
    let mut at = Cursor::default();
    while at != DONE {
        graph.expand(src, &mut at, batch);
    }
}

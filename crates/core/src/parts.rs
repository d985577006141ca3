//! Systems whose steps fall into parts that look at few words of a state each.
//!
//! The steps of a process depend on its own frame and on some globals. States that agree in
//! those have the same steps of that process, and a store that knows them from one state need
//! not have them computed for the next.

use crate::{Flat, Marks, Word};

/// The parts of a system. Together, and in their order, their steps are those of a state.
pub trait Parts {
    /// How many parts there are.
    fn len(&self) -> usize;

    /// The process that is a part.
    fn pid(&self, part: usize) -> usize;

    /// Another number whenever the answers below may have changed.
    fn version(&self) -> u64;

    /// The word that tells the control point of a part, and so which words it looks at.
    fn selector(&self, part: usize) -> usize;

    /// The bytes of a row that the steps of a part depend on or change, as bits, in all states whose
    /// selector has this value; it is among them. The lowest byte of a word comes first. None if that is not known, no bytes if there
    /// are no steps in such states.
    fn touched(&self, part: usize, selector: Word) -> Option<&[u64]>;

    /// Where what a part touches may be less by its own bytes than by its selector: these, and the least that it may touch then. None
    /// if there is no such thing to ask.
    fn narrowing(&self, _part: usize, _selector: Word) -> Option<Narrowing> {
        None
    }

    /// As [`Parts::touched`], in all states that agree with this one in the part's own bytes, which are among them.
    fn touched_by_own(&self, _part: usize, _row: &[Word]) -> Option<Box<[u64]>> {
        None
    }

    /// The pieces that the only command of a part falls into, in all states whose selector has this value: the part has a step if
    /// each of them allows it, and the step changes what each of them changes. Whether one does, and what it changes, depends on the bytes that it
    /// touches; no two change the same byte, and none changes what another one touches. Whoever has a step in a state in which nothing failed
    /// knows that all of them allow it; if it has none, one of those with a condition forbids it. None if that is not known.
    fn factors(&self, _part: usize, _selector: Word) -> Option<Vec<Factor>> {
        None
    }

    /// The words that decide which commands of a part can be executed, why others cannot, and which
    /// channels and elements of arrays they mean; in all states whose selector, which is one of
    /// them, has this value. None if that is not known.
    fn conditions(&self, part: usize, selector: Word) -> Option<&[u32]>;

    /// The bytes that the truth of the propositions depends on, as bits. None if that is not
    /// known.
    fn observed(&self) -> Option<&[u64]> {
        None
    }

    /// By byte of a row: a number for all parts and control points that touch it. Bytes that are always
    /// touched together have the same one.
    fn classes(&self) -> &[u32];

    /// Every step of every part is one command: none goes through an atomic sequence, and no two
    /// commands make one step.
    fn have_single_commands(&self) -> bool {
        false
    }

    /// Appends the steps of some parts, one part after the other, and says of each what became
    /// of it. False if the state must be expanded as a whole. If steps have marks, those of the rows are
    /// what [`Parts::marks`] makes them from.
    fn expand_parts(
        &mut self,
        parts: &[u32],
        row: &[Word],
        out: &mut Flat,
        found: &mut Vec<PartSteps>,
    ) -> bool;

    /// The marks of a step, from what its row in [`Parts::expand_parts`] has instead, and what the
    /// parts of the state have together in [`PartSteps::able`].
    fn marks(&self, _of_step: Marks, _able: u64) -> Marks {
        Marks::NONE
    }
}

/// Bytes of a row, as bits; see [`Parts::narrowing`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Narrowing {
    /// The part's own ones.
    pub own: Box<[u64]>,
    /// Those that are touched in any case.
    pub least: Box<[u64]>,
}

/// Bytes of a row, as bits; see [`Parts::factors`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factor {
    /// Those that it reads or changes.
    pub touched: Box<[u64]>,
    /// Those of them that it may change.
    pub written: Box<[u64]>,
    /// It may forbid the step.
    pub has_condition: bool,
}

/// What became of the steps of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartSteps {
    /// How many successors the part has.
    pub successors: u32,
    /// Commands executed whose target is inside an atomic sequence.
    pub atomic_steps: u32,
    /// Who could take part in them, if steps have marks.
    pub able: u64,
    /// Whether they are the same in all states that agree in the words touched.
    pub may_keep: bool,
}

//! Accepting cycles by elimination: One Way Catch Them Young.
//!
//! I. Černá, R. Pelánek, *Distributed explicit fair cycle detection*, SPIN 2003; J. Barnat, L. Brim, P. Ročkai, *A time-optimal on-the-fly
//! parallel algorithm for model checking of weak LTL properties*, ICFEM 2009, for weak automata. After the hull of Fisler, Fraer, Kamhi,
//! Vardi, Yang, *Is there a best symbolic cycle-detection algorithm?*, TACAS 2001:
//!
//! ```text
//! S := states of accepting components that can be reached
//! repeat
//!     S := states of S that can be reached within S from an edge of S with mark i, for each mark i    (reach)
//!     while some state of S has no predecessor in S: S := S \ { it }                                   (eliminate)
//! until S does not change
//! there is an accepting cycle if and only if S is not empty
//! ```
//!
//! *Why.* An edge counts only inside one accepting component of the automaton, as accepting cycles do not leave those. A state of an accepting cycle is
//! never removed: the cycle carries all marks and stays in S. If S is not empty in the end, take a component of S into
//! which no other one leads. Each of its states has a predecessor in S, which is in the component, so the component has a cycle; and each
//! can be reached within S from an edge with mark i, which is in the component, too. So it carries all marks.
//!
//! *Weak automata* have no marks to reach: every cycle inside an accepting component is accepting. One elimination is enough, each state is expanded
//! twice, and predecessors are counted while the states are swept. Not even that is needed if no edge inside an accepting component leads to a state of the
//! same level of the sweep or of an earlier one, as one edge of every cycle does (J. Barnat, L. Brim, J. Chaloupka, *Parallel breadth-first search LTL
//! model-checking*, ASE 2003): so that is looked for first (`forth`). States carry the number of their level, up to one from which on nothing is said. A
//! payload is written once then, with its state. Where an edge leads back it mostly shows soon, and what was swept is swept again.
//!
//! *Before acceptance* no state has a payload: those are swept and put aside (`Search::begin_behind`). S and all passes here begin behind them.
//!
//! With marks there may be several rounds; after some it is left to others.
//!
//! Everything is breadth first, on all threads, with a few bits of payload for each product state (`product/owcty.rs`): how many predecessors in S it has, whether it is in S, from which
//! marks it can be reached, and whether it waits to be expanded. Threads change a payload in one step (`RootSet`), so a predecessor is counted once
//! and counted off once, by whoever expands it, and one thread only sees the last one go. A block of states is noted as a whole or not at all (`pass`). Counts beyond the bits are kept in a table
//! beside the set: the payload stays as it is while the table has some.
//!
//! Sets of marks grow only, so it does not matter in which order threads add to them: a state that gets more waits to be expanded again, unless it waits
//! already. Whoever expands it ends the waiting *before* it reads the marks, in one step: what comes later makes it wait again.
//!
//! One file for each pass: `forth`, `count` (weak automata), `reach`, `predecessors`, `eliminate`; `beyond`: counts that do not fit.

mod beyond;
mod count;
mod eliminate;
mod forth;
mod predecessors;
mod reach;

use std::sync::Arc;

use lariat_core::{Automaton, Marks};
use lariat_store::SharedSession;
use lariat_store::lines::MOST_PAYLOAD;

use super::Search;
use super::sweep::FEW;
use super::walker::Block;
use crate::product::components::Components;
use crate::product::owcty::{MARKS, payload_bits};
use crate::team::End;
use beyond::Beyond;
use count::Count;
use eliminate::Eliminate;
use forth::Forth;
use predecessors::Predecessors;
use reach::Reach;

/// Rounds with marks.
const ROUNDS: u32 = 3;

/// What all passes know.
pub(super) struct Owcty<'c> {
    components: &'c Components,
    /// All marks, as bits of a payload.
    all: u64,
    beyond: Beyond,
    /// The states to begin with.
    exits: Arc<Vec<u64>>,
    /// It is left to others if there are more behind these.
    most: usize,
}

impl<'s, A: Automaton + Sync> Search<'_, 's, A> {
    /// Done if no edge inside an accepting component leads to the same level or to an earlier one, found if one does.
    pub(super) fn only_forth(&mut self) -> End {
        match self.begin_behind(forth::PAYLOAD) {
            Ok(()) => self.pass(Forth::new(self.components, self.exits.clone())).0,
            Err(end) => end,
        }
    }

    /// Found if there is an accepting cycle, done if there is none. Without marks, every cycle of an accepting component is accepting.
    pub(super) fn owcty(&mut self, marks: u32) -> End {
        if payload_bits(marks) > MOST_PAYLOAD {
            return End::Unfit;
        }
        if let Err(end) = self.begin_behind(payload_bits(marks)) {
            return end;
        }
        let all = Marks::all(marks).0 << MARKS;
        let (components, beyond, exits) = (self.components, Beyond::new(), self.exits.clone());
        let most = if self.only_few { self.shared.len_aside() / FEW } else { usize::MAX };
        let owcty = &Owcty { components, all, beyond, exits, most };
        if marks == 0 {
            // S := Reach; S := Elimination(S)
            let (end, size, _) = self.pass(Count(owcty));
            return match end {
                End::Done => self.left(owcty, size).map_or_else(|end| end, found_if),
                end => end,
            };
        }
        let (mut end, mut size, _) = self.pass(Reach::first(owcty));
        let mut rounds = 0;
        while let End::Done = end {
            rounds += 1;
            if rounds > ROUNDS {
                return End::Found;
            }
            let left = match self.reached(owcty).and_then(|size| self.left(owcty, size)) {
                Ok(left) => left,
                Err(end) => return end,
            };
            if left == 0 || left == size {
                return found_if(left);
            }
            size = left;
            end = self.pass(Reach::within(owcty)).0;
        }
        end
    }

    /// S := those that can be reached from all marks, and counts their predecessors; how many they are.
    fn reached(&mut self, owcty: &Owcty<'_>) -> Result<u64, End> {
        owcty.beyond.clear();
        match self.pass(Predecessors::new(owcty)) {
            (End::Done, size, _) => Ok(size),
            (end, ..) => Err(end),
        }
    }

    /// S := Elimination(S), of so many; how many are left.
    fn left(&mut self, owcty: &Owcty<'_>, size: u64) -> Result<u64, End> {
        match self.pass(Eliminate::new(owcty)) {
            (End::Done, gone, _) => Ok(size - gone),
            (end, ..) => Err(end),
        }
    }
}

fn found_if(left: u64) -> End {
    if left > 0 { End::Found } else { End::Done }
}

impl Owcty<'_> {
    /// Whether a state, by its key, is in an accepting component.
    fn may_accept(&self, key: u64, session: &SharedSession<'_>) -> bool {
        self.components.is_accepting(session.keys().split(key).1)
    }

    /// By successor: whether its edge is inside an accepting component. None if one alone is an accepting cycle.
    fn insides(
        &self,
        sources: &[u64],
        block: &Block,
        session: &SharedSession<'_>,
        inside: &mut Vec<bool>,
    ) -> Option<()> {
        let keys = session.keys();
        inside.clear();
        for (number, &source) in sources.iter().enumerate() {
            let (_, src) = keys.split(source);
            for at in block.of(number) {
                let key = block.keys[at];
                let is_inside = self.components.inside(src, keys.split(key).1);
                let has_all = block.marks[at].contains(Marks(self.all >> MARKS));
                if is_inside && key == source && has_all {
                    return None;
                }
                inside.push(is_inside);
            }
        }
        Some(())
    }
}

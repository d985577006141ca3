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
//! twice, and predecessors are counted while the product is swept. Not even that is needed if no edge inside an accepting component leads to a state of the
//! same level of the sweep or of an earlier one, as one edge of every cycle does (J. Barnat, L. Brim, J. Chaloupka, *Parallel breadth-first search LTL
//! model-checking*, ASE 2003): so states carry the number of their level, up to a number from which on nothing is said.
//!
//! With marks there may be several rounds; after some it is left to others.
//!
//! Everything is breadth first, on all threads, with a few bits of payload for each product state: how many predecessors in S it has, whether it is in S, from which
//! marks it can be reached, and whether it waits to be expanded. Threads change a payload in one step (`RootSet`), so a predecessor is counted once
//! and counted off once, by whoever expands it, and one thread only sees the last one go. A block of states is noted as a whole or not at all (`pass`). Counts beyond the bits are kept in a table
//! beside the set: the payload stays as it is while the table has some.
//!
//! Sets of marks grow only, so it does not matter in which order threads add to them: a state that gets more waits to be expanded again, unless it waits
//! already. Whoever expands it ends the waiting *before* it reads the marks, in one step: what comes later makes it wait again.
//!
//! One file for each pass: `count` (weak automata), `reach`, `predecessors`, `eliminate`; `beyond`: counts that do not fit.

mod beyond;
mod count;
mod eliminate;
mod predecessors;
mod reach;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use lariat_core::{Automaton, Marks, makes_mistake};
use lariat_store::SharedSession;
use lariat_store::lines::MOST_PAYLOAD;

use super::Search;
use super::walker::Block;
use crate::product::components::Components;
use crate::team::End;
use beyond::Beyond;
use count::Count;
use eliminate::Eliminate;
use predecessors::Predecessors;
use reach::Reach;

/// Predecessors, up to this number: there may be more in the table.
const MANY: u64 = 31;
/// In S.
const IN: u64 = 1 << 5;
/// In the level at hand or in the next one. Without marks there is no such bit.
const WAITS: u64 = 1 << 6;
/// Marks from which the state can be reached.
const MARKS: u32 = 7;
/// Without marks, the level of a state, up to this number.
const LEVEL: u32 = 6;
const DEEP: u64 = (1 << 10) - 1;
/// Rounds with marks.
const ROUNDS: u32 = 3;

fn payload_bits(marks: u32) -> u32 {
    if marks == 0 { LEVEL + DEEP.count_ones() } else { MARKS + marks }
}

/// What all passes know.
pub(super) struct Owcty<'c> {
    components: &'c Components,
    /// All marks, as bits of a payload.
    all: u64,
    beyond: Beyond,
    /// An edge of a weak component leads to a state of the same level or of an earlier one; whether that ends the search.
    leads_back: AtomicBool,
    only_forth: bool,
}

impl<'s, A: Automaton + Sync> Search<'_, 's, A> {
    /// Found if there is an accepting cycle, done if there is none. Without marks, every cycle of an accepting component is accepting. `only_forth`: found, too, if
    /// there is one edge to the same level or an earlier one.
    pub(super) fn owcty(&mut self, marks: u32, only_forth: bool) -> End {
        if payload_bits(marks) > MOST_PAYLOAD || !self.start_again(payload_bits(marks)) {
            return End::Unfit;
        }
        let all = Marks::all(marks).0 << MARKS;
        let (components, beyond) = (self.components, Beyond::new());
        let leads_back = AtomicBool::new(false);
        let owcty = &Owcty { components, all, beyond, leads_back, only_forth };
        if marks == 0 {
            // S := Reach; S := Elimination(S)
            let (end, size) = self.sweep(Count::new(owcty));
            return match end {
                End::Done if !owcty.leads_back.load(Relaxed) => End::Done,
                End::Done => self.left(owcty, size).map_or_else(|end| end, found_if),
                end => end,
            };
        }
        let (mut end, mut size) = self.sweep(Reach::first(owcty));
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

/// A payload with one predecessor more.
fn one_more(payload: u64) -> u64 {
    let is_wrong = makes_mistake("owcty-count") && payload & MANY > 0;
    payload + u64::from(payload & MANY < MANY && !is_wrong)
}

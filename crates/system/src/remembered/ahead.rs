//! What is asked for ahead of its turn.
//!
//! Where the entries of a state are is found some states ahead, so that they are on their way when its turn comes; and found once: what
//! was found is kept until then. It is found again if the table was filled anew meanwhile, or parts or shape are others. An entry that another
//! one has taken the place of is missing. States are told apart by their packed rows, as ids may be given again.

use super::factored::Found;
use super::part::RememberedPart;
use super::quick::BY_FACTORS;
use super::table::Table;
use lariat_core::makes_mistake;

/// A part that has steps, and where its entry would be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) part: u32,
    /// [`NOWHERE`] if it is not looked for; [`CHANGE`] if its only step is known to change the bits of the key.
    pub(super) place: u32,
    pub(super) key: u64,
}

/// There are fewer entries.
pub(super) const NOWHERE: u32 = u32::MAX;
pub(super) const CHANGE: u32 = u32::MAX - 1;

/// The parts of a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    /// The state, and the filling of the table.
    packed: u64,
    filling: u64,
    pub(super) parts: Vec<Asked>,
}

/// More than states are asked for ahead; and one for a state that was not.
const TURNS: usize = 8;
const NOW: usize = TURNS;

#[derive(Debug, Default)]
pub(super) struct Ahead {
    turns: [Turn; TURNS + 1],
    /// Where the next state is asked for, and whose turn it is.
    begun: usize,
    next: usize,
}

impl Ahead {
    /// Asks for the parts of a state whose turn comes later.
    #[inline(always)]
    pub(super) fn ask(&mut self, packed: u64, parts: &mut [RememberedPart], table: &Table) {
        self.turns[self.begun % TURNS].ask(packed, parts, table);
        self.begun += 1;
    }

    pub(super) fn bytes(&self) -> usize {
        let parts = self.turns.iter().map(|turn| turn.parts.capacity());
        parts.sum::<usize>() * size_of::<Asked>()
    }

    /// The turn of a state.
    #[inline(always)]
    pub(super) fn turn(
        &mut self,
        packed: u64,
        parts: &mut [RememberedPart],
        table: &Table,
    ) -> &Turn {
        let is_it = |turn: &Turn| {
            let is_same = turn.packed == packed || makes_mistake("steps-ahead");
            is_same && turn.filling == table.filling()
        };
        let mut at = self.next % TURNS;
        if !is_it(&self.turns[at]) {
            at = self.turns[..TURNS].iter().position(is_it).unwrap_or(NOW);
        }
        match at {
            NOW => self.turns[NOW].ask(packed, parts, table),
            _ => self.next = at + 1,
        }
        &self.turns[at]
    }
}

impl Turn {
    #[inline(always)]
    fn ask(&mut self, packed: u64, parts: &mut [RememberedPart], table: &Table) {
        (self.packed, self.filling) = (packed, table.filling());
        self.parts.clear();
        for (part, number) in parts.iter_mut().zip(0..) {
            let Some(mask) = part.looked_for(packed) else {
                self.parts.push(Asked { part: number, place: NOWHERE, key: 0 });
                continue;
            };
            if mask < BY_FACTORS {
                let key = packed & mask;
                let place = table.ask(number as usize, key);
                self.parts.push(Asked { part: number, place, key });
            } else if mask == BY_FACTORS {
                self.ask_by_factors(packed, part, number);
            }
        }
    }

    /// The same for a part that is looked for by the factors of its command.
    #[inline(never)]
    fn ask_by_factors(&mut self, packed: u64, part: &mut RememberedPart, number: u32) {
        let (place, key) = match part.try_factors(packed) {
            Found::NoStep => return,
            Found::Step(change) => (CHANGE, change),
            Found::Unknown => (NOWHERE, 0),
        };
        self.parts.push(Asked { part: number, place, key });
    }
}

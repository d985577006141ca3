//! The pairs that coverage counts, and their numbers.

use super::kind::{Effect, Feature, Guard, Sync};

/// A transition, as far as pairs are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub guard: Guard,
    pub sync: Sync,
    pub effect: Effect,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// A transition, and whether it leaves or enters a committed state.
    Transition { shape: Shape, leaves: bool, enters: bool },
    /// A transition and one that can follow it.
    Next { sync: Sync, effect: Effect, next: Sync, then: Effect },
    /// Both sides of a rendezvous, and whether they are committed.
    Meeting { send: Sync, effect: Effect, other: Effect, committed: bool },
    /// Two features of one model, the smaller one first.
    Features(Feature, Feature),
}

const GUARDS: u32 = Guard::ALL.len() as u32;
const SYNCS: u32 = Sync::ALL.len() as u32;
const EFFECTS: u32 = Effect::ALL.len() as u32;
const FEATURES: u32 = Feature::ALL.len() as u32;

pub const TABLES: [(&str, u32); 4] = [
    ("transition", GUARDS * SYNCS * EFFECTS * 4),
    ("transition and next", SYNCS * EFFECTS * SYNCS * EFFECTS),
    ("handshake, both sides", SYNCS * EFFECTS * EFFECTS * 2),
    ("features of one model", FEATURES * FEATURES),
];

fn first_of(table: usize) -> u32 {
    TABLES[..table].iter().map(|(_, cells)| cells).sum()
}

impl Cell {
    pub fn number(self) -> u32 {
        match self {
            Cell::Transition { shape, leaves, enters } => {
                let parts = (shape.guard.index() * SYNCS + shape.sync.index()) * EFFECTS;
                (parts + shape.effect.index()) * 4 + u32::from(leaves) * 2 + u32::from(enters)
            }
            Cell::Next { sync, effect, next, then } => {
                let before = (sync.index() * EFFECTS + effect.index()) * SYNCS;
                first_of(1) + (before + next.index()) * EFFECTS + then.index()
            }
            Cell::Meeting { send, effect, other, committed } => {
                let effects = (send.index() * EFFECTS + effect.index()) * EFFECTS + other.index();
                first_of(2) + effects * 2 + u32::from(committed)
            }
            Cell::Features(one, other) => {
                let (one, other) = (one.min(other), one.max(other));
                first_of(3) + one.index() * FEATURES + other.index()
            }
        }
    }

    pub fn of_number(number: u32) -> Option<Cell> {
        let table = (0..TABLES.len()).rev().find(|&table| number >= first_of(table))?;
        let index = number - first_of(table);
        if index >= TABLES[table].1 {
            return None;
        }
        let sync = |index: u32| Sync::ALL[(index % SYNCS) as usize];
        let effect = |index: u32| Effect::ALL[(index % EFFECTS) as usize];
        let feature = |index: u32| Feature::ALL[(index % FEATURES) as usize];
        Some(match table {
            0 => {
                let parts = index / 4;
                let guard = Guard::ALL[(parts / EFFECTS / SYNCS) as usize];
                let shape = Shape { guard, sync: sync(parts / EFFECTS), effect: effect(parts) };
                Cell::Transition { shape, leaves: index & 2 != 0, enters: index & 1 != 0 }
            }
            1 => Cell::Next {
                sync: sync(index / EFFECTS / SYNCS / EFFECTS),
                effect: effect(index / EFFECTS / SYNCS),
                next: sync(index / EFFECTS),
                then: effect(index),
            },
            2 => Cell::Meeting {
                send: sync(index / 2 / EFFECTS / EFFECTS),
                effect: effect(index / 2 / EFFECTS),
                other: effect(index / 2),
                committed: index % 2 == 1,
            },
            _ => Cell::Features(feature(index / FEATURES), feature(index)),
        })
    }

    /// Why there can be no such pair.
    pub fn impossible(self) -> Option<&'static str> {
        match self {
            Cell::Meeting { send, .. } if !(send.meets() && send.sends()) => {
                Some("a rendezvous begins with its send")
            }
            Cell::Features(one, other) if one >= other => Some("another cell has this pair"),
            Cell::Features(one, other) => {
                let has = |feature| one == feature || other == feature;
                // Processes that all move at once cannot communicate, nor wait for each other.
                let needs_async = [Feature::Typed, Feature::Buffered, Feature::Room]
                    .into_iter()
                    .chain([Feature::Commit, Feature::Property, Feature::Accept]);
                (has(Feature::Lockstep) && needs_async.into_iter().any(has))
                    .then_some("not in lock-step")
            }
            _ => None,
        }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let committed = |is: bool| if is { "committed" } else { "other" };
        match *self {
            Cell::Transition { shape: Shape { guard, sync, effect }, leaves, enters } => write!(
                to,
                "{}, {}, {}, from {} to {} state",
                guard.name(),
                sync.name(),
                effect.name(),
                committed(leaves),
                committed(enters)
            ),
            Cell::Next { sync, effect, next, then } => write!(
                to,
                "{}, {}, then {}, {}",
                sync.name(),
                effect.name(),
                next.name(),
                then.name()
            ),
            Cell::Meeting { send, effect, other, committed: both } => write!(
                to,
                "{} with {}, received with {}, {} states",
                send.name(),
                effect.name(),
                other.name(),
                committed(both)
            ),
            Cell::Features(one, other) => write!(to, "{} with {}", one.name(), other.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_tell_cells() {
        for number in 0..first_of(TABLES.len()) {
            let cell = Cell::of_number(number).expect("a cell");
            if !matches!(cell, Cell::Features(one, other) if one > other) {
                assert_eq!(cell.number(), number, "{cell}");
            }
        }
        assert_eq!(Cell::of_number(first_of(TABLES.len())), None);
    }
}

//! The pairs that coverage counts, and their numbers.

use super::kind::{Access, Hold, Kind, Position, Where, named};
use super::possible;

named! {
    /// What a model has somewhere; every two of them should meet in one model.
    Feature {
        Typedef = "typedef",
        StructArray = "array of typedef",
        Instances = "several instances",
        RunInLoop = "run in a loop",
        RunArguments = "run with arguments",
        Dying = "dying process",
        Pid = "_pid",
        Count = "_nr_pr",
        Last = "_last",
        Remote = "remote reference",
        Timeout = "timeout",
        ElseAtMeeting = "else beside a handshake",
        Provided = "provided",
        Priority = "priority",
        MtypeSet = "set of mtypes",
        Overflow = "overflow",
        NegativeModulo = "negative modulo",
        Hidden = "hidden",
        LocalChannel = "local channel",
        PassedChannel = "passed channel",
        ChannelMessage = "channel in a message",
        ChannelArray = "array of channels",
        Lossy = "message loss",
        Init = "init",
        Inline = "inline",
        Unless = "unless",
        Trace = "trace",
    }
}

/// One pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// A statement in its block.
    Place { kind: Kind, at: Where, hold: Hold, position: Position },
    /// A statement, the one behind it, and their block.
    Next { kind: Kind, next: Kind, at: Where, hold: Hold },
    /// The two sides of a handshake.
    Meeting { sender: (Where, Hold), receiver: (Where, Hold), matches: bool },
    /// A statement and how it knows its channel.
    Channel { kind: Kind, access: Access, hold: Hold, lossy: bool },
    /// Two features of one model, the smaller one first.
    Features(Feature, Feature),
}

const KINDS: u32 = Kind::ALL.len() as u32;
const WHERES: u32 = Where::ALL.len() as u32;
const HOLDS: u32 = Hold::ALL.len() as u32;
const ACCESSES: u32 = Access::ALL.len() as u32;
const FEATURES: u32 = Feature::ALL.len() as u32;
const SITES: u32 = WHERES * HOLDS;

/// The tables: a name, and how many cells.
pub const TABLES: [(&str, u32); 5] = [
    ("statement in block", KINDS * SITES * 2),
    ("statement, block, next", KINDS * KINDS * SITES),
    ("handshake, both sides", SITES * SITES * 2),
    ("statement and channel", KINDS * ACCESSES * HOLDS * 2),
    ("features of one model", FEATURES * FEATURES),
];

fn first_of(table: usize) -> u32 {
    TABLES[..table].iter().map(|(_, cells)| cells).sum()
}

fn site((at, hold): (Where, Hold)) -> u32 {
    at.index() * HOLDS + hold.index()
}

fn site_of(index: u32) -> (Where, Hold) {
    (Where::ALL[(index / HOLDS) as usize], Hold::ALL[(index % HOLDS) as usize])
}

impl Cell {
    pub fn number(self) -> u32 {
        match self {
            Cell::Place { kind, at, hold, position } => {
                (kind.index() * SITES + site((at, hold))) * 2 + position.index()
            }
            Cell::Next { kind, next, at, hold } => {
                first_of(1) + (kind.index() * KINDS + next.index()) * SITES + site((at, hold))
            }
            Cell::Meeting { sender, receiver, matches } => {
                first_of(2) + (site(sender) * SITES + site(receiver)) * 2 + u32::from(matches)
            }
            Cell::Channel { kind, access, hold, lossy } => {
                let index = (kind.index() * ACCESSES + access.index()) * HOLDS + hold.index();
                first_of(3) + index * 2 + u32::from(lossy)
            }
            Cell::Features(one, other) => {
                let (one, other) = (one.min(other), one.max(other));
                first_of(4) + one.index() * FEATURES + other.index()
            }
        }
    }

    pub fn of_number(number: u32) -> Option<Cell> {
        let table = (0..TABLES.len()).rev().find(|&table| number >= first_of(table))?;
        let index = number - first_of(table);
        if index >= TABLES[table].1 {
            return None;
        }
        let kind = |index: u32| Kind::ALL[index as usize];
        let hold = |index: u32| Hold::ALL[(index % HOLDS) as usize];
        Some(match table {
            0 => {
                let (at, hold) = site_of(index / 2 % SITES);
                let position = Position::ALL[(index % 2) as usize];
                Cell::Place { kind: kind(index / 2 / SITES), at, hold, position }
            }
            1 => {
                let (at, hold) = site_of(index % SITES);
                let next = kind(index / SITES % KINDS);
                Cell::Next { kind: kind(index / SITES / KINDS), next, at, hold }
            }
            2 => Cell::Meeting {
                sender: site_of(index / 2 / SITES),
                receiver: site_of(index / 2 % SITES),
                matches: index % 2 == 1,
            },
            3 => Cell::Channel {
                kind: kind(index / 2 / HOLDS / ACCESSES),
                access: Access::ALL[(index / 2 / HOLDS % ACCESSES) as usize],
                hold: hold(index / 2),
                lossy: index % 2 == 1,
            },
            _ => Cell::Features(
                Feature::ALL[(index / FEATURES) as usize],
                Feature::ALL[(index % FEATURES) as usize],
            ),
        })
    }

    /// Whether a model with this pair is of little use for others: with priorities, or who moved
    /// last in the state, hardly any shortcut is taken, and Spin refuses most.
    pub fn dampens(self) -> bool {
        let dull = [Feature::Priority, Feature::Provided, Feature::Last, Feature::Trace];
        match self {
            Cell::Place { kind, .. } => kind == Kind::SetPriority,
            Cell::Next { kind, next, .. } => [kind, next].contains(&Kind::SetPriority),
            Cell::Features(one, other) => dull.contains(&one) || dull.contains(&other),
            _ => false,
        }
    }

    /// Why there can be no such pair.
    pub fn impossible(self) -> Option<&'static str> {
        match self {
            Cell::Place { kind, at, hold, position } => possible::place(kind, at, hold, position),
            Cell::Next { kind, next, at, hold } => possible::next(kind, next, at, hold),
            Cell::Meeting { sender, receiver, .. } => possible::meeting(sender, receiver),
            Cell::Channel { kind, access, hold, .. } => possible::channel(kind, access, hold),
            Cell::Features(one, other) => (one >= other).then_some("another cell has this pair"),
        }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let site = |(at, hold): (Where, Hold)| format!("{} {}", at.name(), hold.name());
        match *self {
            Cell::Place { kind, at, hold, position } => {
                write!(to, "{} {} in {}", kind.name(), position.name(), site((at, hold)))
            }
            Cell::Next { kind, next, at, hold } => {
                write!(to, "{}, then {} in {}", kind.name(), next.name(), site((at, hold)))
            }
            Cell::Meeting { sender, receiver, matches } => {
                let what = if matches { "a certain value" } else { "any value" };
                write!(to, "send in {}, receive of {what} in {}", site(sender), site(receiver))
            }
            Cell::Channel { kind, access, hold, lossy } => {
                let loss = if lossy { ", lossy" } else { "" };
                write!(to, "{} by {} channel {}{loss}", kind.name(), access.name(), hold.name())
            }
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

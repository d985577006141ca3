//! What all workers tell each other after a phase, so that all conclude the same.
//!
//! A worker that cannot go on calls the others, so that they end soon. But nothing is concluded from calls, nor from there being none: after each phase, all tell all how it ended for them
//! (`Exchange::agree`), and each joins these in the same way.

use lariat_core::{Broken, Exchange, Limit};
use lariat_system::{Room, Stop};

use super::wire::{Malformed, Reader};

/// Why a worker, or a search, has ended before everything was seen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum End {
    /// What was looked for is there; nobody knows the way to it.
    Found,
    /// States do not fit into 64 bits any more.
    Unfit,
    /// A limit, more room, or a run-time error that this worker can tell.
    Stopped(Stop),
    /// A run-time error that another worker has met.
    Fault,
}

/// How a phase has ended for a worker.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Halted {
    No,
    /// It has stopped expanding, so that all that there is can be saved: then it goes on, or not because of a limit.
    Paused(Option<Limit>),
    Here(End),
    /// Because of another one.
    Elsewhere,
}

/// How a phase has ended for all.
#[derive(Clone, Debug)]
pub(super) struct Agreed {
    /// None if nobody has halted.
    pub(super) end: Option<End>,
    /// Nobody has halted, some have paused: what there is should be saved. All go on, if not for a limit.
    pub(super) pause: Option<Option<Limit>>,
    /// What was counted, summed up.
    pub(super) counts: Vec<u64>,
    /// What each has said besides.
    pub(super) notes: Vec<Vec<u8>>,
}

const LIMITS: [Limit; 10] = [
    Limit::Depth,
    Limit::States,
    Limit::Memory,
    Limit::Time,
    Limit::Interrupted,
    Limit::Budget,
    Limit::Lossy,
    Limit::Proviso,
    Limit::EndlessStep,
    Limit::Fault,
];

const PAUSED: u64 = 1;
const WIDEN: u64 = 6;

fn place(limit: Limit) -> u64 {
    let at = LIMITS.iter().position(|&other| other == limit);
    at.expect("all limits are there") as u64
}

fn limit_at(place: u64) -> Limit {
    LIMITS.get(place as usize).copied().unwrap_or(Limit::Interrupted)
}

fn code(halted: Halted) -> [u64; 3] {
    match halted {
        Halted::No => [0, 0, 0],
        Halted::Paused(limit) => [PAUSED, limit.map_or(0, |limit| place(limit) + 1), 0],
        Halted::Elsewhere => [2, 0, 0],
        Halted::Here(End::Fault | End::Stopped(Stop::Fault(_))) => [3, 0, 0],
        Halted::Here(End::Stopped(Stop::Limit(limit))) => [4, place(limit), 0],
        Halted::Here(End::Unfit) => [5, 0, 0],
        Halted::Here(End::Stopped(Stop::Widen(room))) => {
            [WIDEN, room.width as u64, room.processes.into()]
        }
        Halted::Here(End::Found) => [7, 0, 0],
    }
}

/// More room is the largest that anybody wants, and who has paused for a limit does not go on; of all else, the first reason of the highest rank counts.
fn join(one: [u64; 3], other: [u64; 3]) -> [u64; 3] {
    match one[0] == other[0] && [PAUSED, WIDEN].contains(&one[0]) {
        true => [one[0], one[1].max(other[1]), one[2].max(other[2])],
        false if other[0] > one[0] => other,
        false => one,
    }
}

/// Tells how a phase has ended here, and hears how it has ended everywhere.
pub(super) fn agree(
    exchange: &mut dyn Exchange,
    halted: Halted,
    counts: &[u64],
    note: &[u8],
) -> Result<Agreed, Broken> {
    let mut mine = Vec::new();
    code(halted).iter().chain(counts).for_each(|word| mine.extend_from_slice(&word.to_le_bytes()));
    mine.extend_from_slice(note);
    let all = exchange.agree(&mine)?;
    let mut joined = [0; 3];
    let mut agreed =
        Agreed { end: None, pause: None, counts: vec![0; counts.len()], notes: Vec::new() };
    for (from, said) in all.iter().enumerate() {
        let mut rest = Reader(said);
        let mut read = || -> Result<[u64; 3], Malformed> {
            let code = [rest.long()?, rest.long()?, rest.long()?];
            for sum in &mut agreed.counts {
                *sum = sum.wrapping_add(rest.long()?);
            }
            Ok(code)
        };
        let Ok(code) = read() else {
            return Err(Broken { what: format!("worker {from} does something else") });
        };
        joined = join(joined, code);
        agreed.notes.push(rest.0.to_vec());
    }
    agreed.end = match joined {
        [0, ..] => None,
        [PAUSED, limit, _] => {
            agreed.pause = Some(limit.checked_sub(1).map(limit_at));
            None
        }
        // Somebody has called, and does not know why.
        [2, ..] => return Err(Broken { what: "a worker was stopped by nobody".to_owned() }),
        [3, ..] => Some(End::Fault),
        [4, limit, _] => Some(End::Stopped(limit_at(limit).into())),
        [5, ..] => Some(End::Unfit),
        [WIDEN, width, processes] => {
            let (width, processes) = (width as usize, processes as u32);
            Some(End::Stopped(Stop::Widen(Room { width, processes })))
        }
        _ => Some(End::Found),
    };
    Ok(agreed)
}

impl End {
    /// With the error that this worker knows of, if it is one.
    pub(super) fn with_own(self, halted: Halted) -> End {
        match (self, halted) {
            (End::Fault, Halted::Here(own @ End::Stopped(Stop::Fault(_)))) => own,
            (end, _) => end,
        }
    }

    /// What cuts the search.
    pub(super) fn limit(self) -> Limit {
        match self {
            End::Stopped(stop) => stop.limit(),
            End::Fault => Limit::Fault,
            End::Unfit | End::Found => Limit::Memory,
        }
    }
}

//! How much room there is for states and marks.
//!
//! Processes come and go, and rows have one width. So a walk begins with rows for the initial
//! state; where a state does not fit, it starts again with wider ones. Processes are mostly
//! created early.

#[cfg(feature = "model")]
use lariat_model::{interp::ModelSpace, ir::Model};

#[cfg(feature = "model")]
use crate::Stop;

/// Room for states and marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Words of a row.
    pub width: usize,
    /// Processes that have marks of their own, where fairness is asked for.
    pub processes: u32,
}

/// Does the work with as little room as is enough for it. The only place that starts again.
#[cfg(feature = "model")]
pub fn with_room<T>(
    model: &Model,
    mut work: impl FnMut(Room) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let mut room = Room {
        width: ModelSpace::minimal_width(model),
        processes: model.initial_processes.len().max(1) as u32,
    };
    loop {
        match work(room) {
            Err(Stop::Widen(wanted)) => {
                // More than is wanted: the next process will soon want more again.
                let wider = wanted.width.max(room.width * 3 / 2);
                let width = if wanted.width > room.width { wider } else { room.width };
                room = Room { width, processes: room.processes.max(wanted.processes) };
            }
            done => return done,
        }
    }
}

//! Where the processes and channels of a model's states are, as far as all states agree.
//!
//! Processes come and go in stack order, so a frame is where those below it say. As long as
//! every state has the first processes of one list, by type and by the parameters they were
//! given, all positions are constants, and the number of processes says which are there.

use lariat_model::analysis::Population;
use lariat_model::ir::layout::{FRAME_PROCTYPE, NR_CHANNELS, NR_PROCESSES};
use lariat_model::ir::{ChannelTypeId, ProctypeId};

use crate::facts::ModelFacts;
use crate::native::bytes_of;

/// The processes and channels of a row, and where they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) population: Population,
    /// By pid: where frames begin in the state.
    pub(crate) frames: Vec<u32>,
    /// By id - 1.
    pub(crate) channels: Vec<u32>,
}

/// The part of a row that says how many processes and channels there are: of its first word behind
/// so many hidden ones.
pub(crate) fn counts(row: &[u32], hidden: usize) -> u32 {
    let header = row[hidden].to_le_bytes();
    u32::from(header[NR_PROCESSES]) | u32::from(header[NR_CHANNELS]) << 8
}

impl Layout {
    /// That of a row; None if it is not well formed.
    pub(crate) fn of(facts: &ModelFacts<'_>, row: &[u32]) -> Option<Self> {
        let model = facts.model;
        let bytes = bytes_of(facts.visible(row));
        let mut layout = Layout::default();
        let mut at = model.globals_size;
        for ty in facts.global_channels() {
            at = layout.add_channel(facts, ty, at);
        }
        for _ in 0..bytes[NR_PROCESSES] {
            let id = ProctypeId(*bytes.get(at as usize + FRAME_PROCTYPE)?);
            let proctype = model.proctypes.get(id.0 as usize)?;
            let frame = bytes.get(at as usize..(at + proctype.frame_size) as usize)?;
            layout.population.processes.push(facts.constants.fixed(id, frame));
            layout.frames.push(at);
            at += proctype.frame_size;
            for &ty in &proctype.channels {
                at = layout.add_channel(facts, ty, at);
            }
        }
        let fits =
            at as usize <= bytes.len() && layout.channels.len() == bytes[NR_CHANNELS] as usize;
        fits.then_some(layout)
    }

    /// Where it ends.
    fn add_channel(&mut self, facts: &ModelFacts<'_>, ty: ChannelTypeId, at: u32) -> u32 {
        self.population.channels.push(ty);
        self.channels.push(at);
        at + facts.size_of(ty)
    }

    /// How many processes there are.
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether one is the start of the other.
    pub(crate) fn agrees_with(&self, other: &Layout) -> bool {
        let (one, other) = (&self.population.processes, &other.population.processes);
        one.iter().zip(other).all(|(one, other)| one == other)
    }
}

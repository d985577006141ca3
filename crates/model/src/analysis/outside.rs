//! Which bytes of globals and frames matter to somebody: sets of bytes that passes fill, and
//! what is read of a frame from outside.

use super::access::Access;
use super::touch::Cells;
use crate::ir::{Expr, ExprId, Model, ProctypeId, ProctypeKind};

/// A set of bytes of the globals and of the frames of each proctype.
#[derive(Clone, Debug)]
pub(crate) struct Bytes {
    pub(crate) globals: Vec<bool>,
    pub(crate) frames: Vec<Vec<bool>>,
}

impl Bytes {
    pub(crate) fn none(model: &Model) -> Bytes {
        let frame = |size: u32| vec![false; size as usize];
        Bytes {
            globals: frame(model.globals_size),
            frames: model.proctypes.iter().map(|proctype| frame(proctype.frame_size)).collect(),
        }
    }

    /// Adds the bytes; whether one is new. `of` is the proctype whose frame is local.
    pub(crate) fn add(&mut self, access: Access, of: Option<ProctypeId>) -> bool {
        let Some(bytes) = self.slice_mut(access, of) else { return false };
        let grows = bytes.contains(&false);
        bytes.fill(true);
        grows
    }

    pub(crate) fn touches(&self, access: Access, of: Option<ProctypeId>) -> bool {
        match (access, of) {
            (Access::Global { start, end }, _) => {
                self.globals[start as usize..end as usize].contains(&true)
            }
            (Access::Local { start, end }, Some(of)) => {
                self.frames[of.0 as usize][start as usize..end as usize].contains(&true)
            }
            _ => false,
        }
    }

    fn slice_mut(&mut self, access: Access, of: Option<ProctypeId>) -> Option<&mut [bool]> {
        match (access, of) {
            (Access::Global { start, end }, _) => {
                Some(&mut self.globals[start as usize..end as usize])
            }
            (Access::Local { start, end }, Some(of)) => {
                Some(&mut self.frames[of.0 as usize][start as usize..end as usize])
            }
            _ => None,
        }
    }
}

/// The bytes of frames that processes and properties read of others.
pub(crate) struct OutsideReads(Vec<(u32, u32)>);

impl OutsideReads {
    /// Whether some of these bytes of a frame are read.
    pub(crate) fn touches(&self, start: u32, end: u32) -> bool {
        self.0.iter().any(|&(from, to)| from < end && start < to)
    }

    pub(crate) fn ranges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.iter().map(|&(start, end)| (start as usize, end as usize))
    }
}

/// The bytes of the shortest frame of a process.
pub(super) fn shortest_frame(model: &Model) -> u32 {
    let kinds = [ProctypeKind::Process, ProctypeKind::Init];
    let processes = model.proctypes.iter().filter(|proctype| kinds.contains(&proctype.kind));
    processes.map(|proctype| proctype.frame_size).min().unwrap_or(0)
}

/// What any expression of the model reads of frames from outside. A process named by its pid
/// may be of any type, so such bytes count for all proctypes. None if they may lie behind a
/// frame of another type: then any byte of any process may be read.
pub(crate) fn read_from_outside(model: &Model) -> Option<OutsideReads> {
    let shortest = shortest_frame(model);
    let mut read = Vec::new();
    for id in (0..model.exprs.len() as u32).map(ExprId) {
        if let Expr::Remote(remote) = model.exprs.get(id) {
            let (start, end) = Cells::from(&remote.place).span();
            if remote.instance.pid.is_some() && end > shortest {
                return None;
            }
            read.push((start, end));
        }
    }
    read.sort_unstable();
    read.dedup();
    Some(OutsideReads(read))
}

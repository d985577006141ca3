//! Sets of parts of a state whose processes are known.

use crate::ir::layout::MAX_LIVE;

/// What steps touch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Footprint {
    /// There are no steps.
    Nothing,
    /// The header of the state, and these.
    Only(Objects),
    /// Perhaps everything.
    Everything,
}

/// Parts of a state.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Objects {
    /// Bytes of the globals, from and to: ascending, with gaps between them.
    pub globals: Vec<(u32, u32)>,
    /// Bytes of the hidden variables, likewise.
    pub hidden: Vec<(u32, u32)>,
    /// Processes, each with its frame and its channels.
    pub processes: Pids,
    /// Control points of processes.
    pub controls: Pids,
    pub channels: Channels,
}

impl Objects {
    pub(super) fn add_globals(&mut self, start: u32, end: u32) {
        add_range(&mut self.globals, start, end);
    }

    pub(super) fn add_hidden(&mut self, start: u32, end: u32) {
        add_range(&mut self.hidden, start, end);
    }

    pub(super) fn add_process(&mut self, pid: usize) {
        self.processes.add(pid);
    }

    /// Adds the others; false if they may be everything.
    pub(super) fn join(&mut self, others: &Footprint) -> bool {
        match others {
            Footprint::Nothing => true,
            Footprint::Everything => false,
            Footprint::Only(others) => {
                others.globals.iter().for_each(|&(start, end)| self.add_globals(start, end));
                others.hidden.iter().for_each(|&(start, end)| self.add_hidden(start, end));
                self.processes.join(others.processes);
                self.controls.join(others.controls);
                self.channels.join(others.channels);
                true
            }
        }
    }
}

/// Adds a range to others; those that touch become one.
fn add_range(ranges: &mut Vec<(u32, u32)>, start: u32, end: u32) {
    let first = ranges.partition_point(|&(_, to)| to < start);
    let behind = ranges.partition_point(|&(from, _)| from <= end);
    let met = &ranges[first..behind];
    let start = met.first().map_or(start, |&(from, _)| from.min(start));
    let end = met.last().map_or(end, |&(_, to)| to.max(end));
    ranges.splice(first..behind, [(start, end)]);
}

/// A set of pids.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Pids(Bits);

impl Pids {
    pub(super) fn add(&mut self, pid: usize) {
        self.0.add(pid);
    }

    pub(super) fn join(&mut self, others: Pids) {
        self.0.join(others.0);
    }

    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.iter()
    }
}

/// A set of channels, by id.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Channels(Bits);

impl Channels {
    pub(super) fn add(&mut self, id: u32) {
        self.0.add(id as usize);
    }

    pub(super) fn contains(self, id: u32) -> bool {
        self.0.iter().any(|at| at == id as usize)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == Bits::default()
    }

    pub(super) fn join(&mut self, others: Channels) {
        self.0.join(others.0);
    }

    pub fn iter(self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|at| at as u32)
    }
}

/// Numbers up to [`MAX_LIVE`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Bits([u64; (MAX_LIVE + 1) / 64]);

impl Bits {
    fn add(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn join(&mut self, others: Bits) {
        self.0.iter_mut().zip(others.0).for_each(|(word, other)| *word |= other);
    }

    fn iter(self) -> impl Iterator<Item = usize> {
        (0..64 * self.0.len()).filter(move |at| self.0[at / 64] >> (at % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_become_one() {
        let mut objects = Objects::default();
        for (start, end) in [(8, 9), (2, 4), (12, 16), (4, 5), (9, 12), (30, 31), (0, 1)] {
            objects.add_globals(start, end);
        }
        assert_eq!(objects.globals, [(0, 1), (2, 5), (8, 16), (30, 31)]);
        objects.add_globals(3, 30);
        assert_eq!(objects.globals, [(0, 1), (2, 31)]);
    }
}

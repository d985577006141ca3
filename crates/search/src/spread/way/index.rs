//! Where the states are that may be on the way back.
//!
//! Each step of the way asks for states of one level and with one hint, one of some thousands. Without an index all states are looked at in each step, which is as
//! many times as the way is long. The index has the keys of all states in the order of their places (`label`): 8 bytes a state, while nothing else grows. If there is no room for it, all states are
//! looked at. The set does not change meanwhile, so both find the same.

use lariat_store::SharedSession;

use super::label::{PLACES, hint, place};
use crate::spread::parts::Parts;

/// States of the set that are looked at together.
const TOGETHER: usize = 8_192;
/// A shorter way is not worth an index.
pub(super) const WORTH: u64 = 4;

pub(super) struct Index {
    keys: Vec<u64>,
    /// By place, where its keys begin.
    starts: Vec<usize>,
}

impl Index {
    /// Bytes for so many states.
    pub(super) fn bytes(states: usize) -> usize {
        states * size_of::<u64>() + (PLACES + 1) * size_of::<usize>()
    }

    pub(super) fn new(session: &SharedSession<'_>, parts: &Parts) -> Index {
        let mut starts = vec![0; PLACES + 1];
        for_each(session, |key, label| {
            if let Some(place) = place_of(session, parts, key, label) {
                starts[place + 1] += 1;
            }
        });
        for place in 0..PLACES {
            starts[place + 1] += starts[place];
        }
        let mut keys = vec![0; starts[PLACES]];
        let mut next = starts.clone();
        for_each(session, |key, label| {
            if let Some(place) = place_of(session, parts, key, label) {
                keys[next[place]] = key;
                next[place] += 1;
            }
        });
        Index { keys, starts }
    }

    /// The states of a place.
    pub(super) fn at(&self, place: usize) -> &[u64] {
        &self.keys[self.starts[place]..self.starts[place + 1]]
    }
}

/// All states and their labels.
pub(super) fn for_each(session: &SharedSession<'_>, mut each: impl FnMut(u64, u64)) {
    let sections = session.set().len() / TOGETHER + 1;
    for section in 0..sections {
        session.for_each_in(section, sections, &mut each);
    }
}

fn place_of(session: &SharedSession<'_>, parts: &Parts, key: u64, label: u64) -> Option<usize> {
    let (root, state) = session.keys().split(key);
    place(label, hint(parts.hash(root), state))
}

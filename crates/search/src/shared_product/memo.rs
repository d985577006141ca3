//! The valuations that were worked out last, by the words that propositions look at.
//!
//! Propositions look at few words of a state. States that agree in these have one valuation,
//! and a store that can tell so by a number need not put the row together.

use super::Valuation;
use lariat_core::{Fields, Parts, SystemId, SystemStore, makes_mistake};

/// A power of two.
const ENTRIES: usize = 1 << 10;

#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The parts and the fields that this is about; no fields if the words are not known.
    about: Option<(u64, Option<Fields>)>,
    /// A valuation of 0 is a free entry.
    entries: Vec<(u64, Valuation)>,
}

/// Where the valuation of a state is to be kept, or is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    key: u64,
    at: usize,
}

impl Memo {
    /// The place of a state, if there is one.
    #[inline]
    pub(super) fn place<S: SystemStore>(
        &mut self,
        id: SystemId,
        parts: &dyn Parts,
        system: &S,
    ) -> Option<Place> {
        let fields = match self.about {
            Some((version, fields)) if version == parts.version() => fields?,
            _ => self.learn(parts, system)?,
        };
        let key = match system.key(id, fields) {
            Some(key) => key,
            None => {
                let fields = self.learn(parts, system)?;
                system.key(id, fields)?
            }
        };
        // Fibonacci hashing.
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Some(Place { key, at: (hash >> (u64::BITS - ENTRIES.ilog2())) as usize })
    }

    /// Other parts, or another way to keep states: starts anew.
    #[cold]
    fn learn<S: SystemStore>(&mut self, parts: &dyn Parts, system: &S) -> Option<Fields> {
        let fields = parts.observed().and_then(|words| system.fields(words));
        self.about = Some((parts.version(), fields));
        self.entries.clear();
        self.entries.resize(if fields.is_some() { ENTRIES } else { 0 }, (0, 0));
        fields
    }

    #[inline]
    pub(super) fn get(&self, place: Place) -> Option<Valuation> {
        let (key, valuation) = self.entries[place.at];
        let is_it = key == place.key || makes_mistake("memo-key");
        (is_it && valuation != 0).then_some(valuation)
    }

    pub(super) fn put(&mut self, place: Place, valuation: Valuation) {
        self.entries[place.at] = (place.key, valuation);
    }
}

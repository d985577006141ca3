//! The propositions of states: each valuation has a number, and mostly it is found without the row
//! of the state.
//!
//! Propositions look at few words of a state. States that agree in these have one valuation, and a
//! store that can tell so by a number need not put the row together. That is right because
//! - the words are all that the propositions look at (`Parts::observed`, from the analysis of the
//!   model, or None);
//! - the number is the same for states that agree in them, and for no others (`SystemStore::fields`),
//!   as long as the store's shape is the one that the fields were asked of, which is looked at each
//!   time;
//! - the first word, which tells the error state of a DVE model from all others, is always among
//!   them.

use std::collections::HashMap;

use lariat_core::{Fields, Parts, Props, SystemId, SystemStore, makes_mistake};
use lariat_store::Tags;

use crate::{NO_VALUATION, Valuation};

/// A power of two.
const ENTRIES: usize = 1 << 10;

/// The valuations that were met, by number, and those of states that were asked for.
#[derive(Debug, Default)]
pub struct Valuations {
    /// By number. The first is [`NO_VALUATION`].
    truths: Vec<Props>,
    numbers: HashMap<Props, Valuation>,
    /// The valuation that was met last, and its number: neighbours mostly have the same.
    latest: Option<(Props, Valuation)>,
    pub(crate) memo: Memo,
    /// By state, where the memo does not help. 0 is unknown.
    kept: Tags,
    /// Every valuation is kept with its state.
    pub(crate) keeps_all: bool,
}

impl Valuations {
    /// The truth of the propositions that a number stands for.
    pub fn truth(&self, valuation: Valuation) -> Props {
        self.truths.get(valuation as usize).copied().unwrap_or(0)
    }

    /// The number of a valuation, a new one if it was not met before.
    pub fn number(&mut self, props: Props) -> Valuation {
        if let Some((latest, number)) = self.latest
            && latest == props
        {
            return number;
        }
        if self.truths.is_empty() {
            self.truths.push(0);
        }
        let next = self.truths.len() as Valuation;
        let number = *self.numbers.entry(props).or_insert(next);
        if number == next {
            self.truths.push(props);
        }
        self.latest = Some((props, number));
        number
    }

    /// The valuation of a state, if it is kept.
    #[inline]
    pub fn kept(&self, id: SystemId) -> Option<Valuation> {
        Some(self.kept.get(id)).filter(|&valuation| valuation != NO_VALUATION)
    }

    /// Keeps the valuation of a state.
    #[inline]
    pub fn keep(&mut self, id: SystemId, valuation: Valuation) {
        self.kept.set(id, valuation);
    }

    /// More bytes that it takes to keep a valuation.
    #[inline]
    pub fn growth(&self, id: SystemId, valuation: Valuation) -> usize {
        self.kept.growth(id, valuation)
    }

    /// States have other ids now. Numbers of valuations mean what they meant.
    pub fn forget_states(&mut self) {
        self.kept = Tags::default();
    }

    /// The same, where it happens at every state.
    pub(crate) fn forget_state(&mut self) {
        self.kept.clear();
    }

    /// Bytes of all structures.
    pub fn bytes(&self) -> usize {
        self.kept.bytes() + self.memo.entries.capacity() * size_of::<(u64, Valuation)>()
    }
}

/// The valuations that were worked out last, by the words that propositions look at.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The parts and the fields that this is about; no fields if the words are not known.
    about: Option<(u64, Option<Fields>)>,
    /// [`NO_VALUATION`] is a free entry.
    entries: Vec<(u64, Valuation)>,
}

/// Where the valuation of a state is to be kept, or is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    key: u64,
    at: usize,
}

impl Memo {
    /// The place of a state, if there is one.
    #[inline]
    pub(crate) fn place<S: SystemStore>(
        &mut self,
        id: SystemId,
        parts: &dyn Parts,
        store: &S,
    ) -> Option<Place> {
        let fields = match self.about {
            Some((version, fields)) if version == parts.version() => fields?,
            _ => self.learn(parts, store)?,
        };
        let is_of_shape = Some(fields.version) == store.shape() || makes_mistake("memo-shape");
        let fields = if is_of_shape { fields } else { self.learn(parts, store)? };
        let key = store.packed(id) & fields.mask;
        // Fibonacci hashing.
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Some(Place { key, at: (hash >> (u64::BITS - ENTRIES.ilog2())) as usize })
    }

    /// Other parts, or another way to keep states: starts anew.
    #[cold]
    fn learn<S: SystemStore>(&mut self, parts: &dyn Parts, store: &S) -> Option<Fields> {
        let fields = parts.observed().and_then(|bytes| {
            let mut bytes = bytes.to_vec();
            bytes[0] |= 0xF;
            store.fields(&bytes)
        });
        self.about = Some((parts.version(), fields));
        self.entries.clear();
        self.entries.resize(if fields.is_some() { ENTRIES } else { 0 }, (0, NO_VALUATION));
        fields
    }

    #[inline]
    pub(crate) fn get(&self, place: Place) -> Option<Valuation> {
        let (key, valuation) = self.entries[place.at];
        let is_it = key == place.key || makes_mistake("memo-key");
        (is_it && valuation != NO_VALUATION).then_some(valuation)
    }

    pub(crate) fn put(&mut self, place: Place, valuation: Valuation) {
        self.entries[place.at] = (place.key, valuation);
    }
}

//! The steps of a state that partial-order reduction chooses (docs/por.md).
//!
//! Which parts are chosen depends on what each looks at and on how many steps it has: a *kind*, which
//! is kept with the steps. A part that was left out has an entry without its steps.

use lariat_core::{Batch, Flat, Full, Parts, SystemId, SystemStore, Word};

use super::part::NO_STEPS;
use super::table::NO_KIND;
use super::{Remembered, StepsByParts, take_back};
use crate::reduced::{Chooser, Reach};

/// A part of the state at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Considered {
    part: u32,
    /// Its kind, as the chooser numbers them; found when it is asked for first.
    kind: u32,
    successors: u32,
    /// Where its entry is; none if it was computed, or has no steps at its control point.
    entry: Option<u32>,
    /// Its place among those that are computed, if it is one of them.
    computed: Option<usize>,
    is_chosen: bool,
    /// Its first step among the states that were taken in.
    first: u32,
}

impl Considered {
    fn new(part: usize) -> Self {
        Considered {
            part: part as u32,
            kind: NO_KIND,
            successors: 0,
            entry: None,
            computed: None,
            is_chosen: false,
            first: 0,
        }
    }
}

impl Remembered {
    /// Takes in the successors that the chooser keeps. None if the state must be expanded as a
    /// whole; then nothing was taken in.
    pub(crate) fn take_in_reduced<S: SystemStore<Row = [Word]>>(
        &mut self,
        id: SystemId,
        parts: &mut dyn Parts,
        chooser: &mut Chooser<'_>,
        store: &mut S,
        out: &mut Vec<SystemId>,
    ) -> Result<Option<(StepsByParts, Reach)>, Full> {
        if !self.make_ready(parts, store) {
            return Ok(None);
        }
        let packed = store.packed(id);
        let mut considered = std::mem::take(&mut self.considered);
        considered.clear();
        self.missing.clear();
        let (mut tried, mut are_known) = (0, true);
        let Remembered { parts: of_parts, table, missing, hurry, .. } = self;
        for (number, part) in of_parts.iter_mut().enumerate() {
            let touched = part.kind(packed);
            if touched == NO_STEPS {
                // It waits for others, or is not there: its control point says all.
                let kind = part.waiting_kind(packed).unwrap_or(NO_KIND);
                considered.push(Considered { kind, ..Considered::new(number) });
                continue;
            }
            tried += 1;
            let mask = part.try_mask(touched);
            let place = mask.and_then(|mask| table.place_of_any(number, packed & mask));
            let mut found = Considered::new(number);
            match place.map(|place| table.entry(place)) {
                Some(entry) => {
                    (found.kind, found.successors) = (entry.kind, entry.len() as u32);
                    found.entry = place;
                    // Nobody else has to be looked at.
                    are_known &= entry.kind != NO_KIND;
                    if are_known && missing.is_empty() && chooser.takes_alone(entry.kind) {
                        considered.clear();
                        found.is_chosen = true;
                        considered.push(found);
                        break;
                    }
                }
                None => {
                    found.computed = Some(missing.len());
                    missing.push(number as u32);
                    if mask.is_some() {
                        part.miss(*hurry);
                    }
                }
            }
            considered.push(found);
        }
        if !self.judge(tried, self.missing.len() as u32, parts, store) {
            self.considered = considered;
            return Ok(None);
        }
        let taken =
            self.take_in_considered(id, packed, &mut considered, parts, chooser, store, out);
        self.considered = considered;
        taken
    }

    #[allow(clippy::too_many_arguments)]
    fn take_in_considered<S: SystemStore<Row = [Word]>>(
        &mut self,
        id: SystemId,
        packed: u64,
        considered: &mut [Considered],
        parts: &mut dyn Parts,
        chooser: &mut Chooser<'_>,
        store: &mut S,
        out: &mut Vec<SystemId>,
    ) -> Result<Option<(StepsByParts, Reach)>, Full> {
        let before = (out.len(), store.pending());
        let version = self.version;
        let is_same = |parts: &dyn Parts, store: &S| {
            version == store.shape().map(|shape| (parts.version(), shape))
        };
        let new = || Flat::new(store.load(id).len(), usize::MAX);
        let mut batch = self.batch.take().unwrap_or_else(new);
        batch.clear();
        self.found.clear();
        // What is not known is computed; then all kinds are there to choose by.
        let mut is_known = self.missing.is_empty() || {
            let row = store.load(id);
            parts.expand_parts(&self.missing, row, &mut batch, &mut self.found)
                && is_same(parts, store)
        };
        let mut reach = Reach::Reduced;
        if is_known && !considered.iter().any(|one| one.is_chosen) {
            for one in considered.iter_mut() {
                one.successors =
                    one.computed.map_or(one.successors, |at| self.found[at].successors);
            }
            // One process alone has nobody to wait for.
            reach = match considered.iter().filter(|one| one.successors > 0).count() {
                0 => chooser.choose_all(false),
                1 => {
                    let mut moves = considered.iter_mut().filter(|one| one.successors > 0);
                    let is_alone = moves.next().filter(|_| chooser.is_leveled).is_some_and(|one| {
                        self.learn_kind(id, packed, one, parts, chooser, store);
                        chooser.takes_alone(one.kind)
                    });
                    chooser.choose_all(is_alone)
                }
                _ => self.choose(id, packed, considered, parts, chooser, store),
            };
            for one in considered.iter_mut() {
                one.is_chosen = chooser.has_chosen(parts.pid(one.part as usize));
            }
            // A state that moves by a timeout only, or not at all, is expanded as a whole.
            is_known = considered.iter().any(|one| one.is_chosen && one.successors > 0);
        }
        // Those that are chosen, but were always left out before.
        let known = self.missing.len();
        for one in considered.iter_mut().filter(|one| one.is_chosen) {
            if one.entry.is_some_and(|entry| self.table.entry(entry).is_kind_only()) {
                one.computed = Some(self.missing.len());
                self.missing.push(one.part);
            }
        }
        if is_known && self.missing.len() > known {
            let row = store.load(id);
            let (missing, found) = (&self.missing[known..], &mut self.found);
            is_known = parts.expand_parts(missing, row, &mut batch, found) && is_same(parts, store);
        }
        let mut taken = StepsByParts::default();
        for one in considered.iter_mut().filter(|one| one.is_chosen) {
            if !is_known {
                break;
            }
            one.first = store.pending() as u32;
            taken.successors += one.successors as usize;
            match (one.computed, one.entry) {
                (Some(computed), _) => {
                    let steps = self.found[computed];
                    let before = self.found[..computed].iter();
                    let first: usize = before.map(|steps| steps.successors as usize).sum();
                    taken.atomic_steps += u64::from(steps.atomic_steps);
                    let rows = first..first + steps.successors as usize;
                    store.take_in_rows(&batch, rows, out)?;
                    is_known = is_same(parts, store);
                }
                (None, None) => debug_assert_eq!(one.successors, 0, "it only waits"),
                (None, Some(entry)) => {
                    let entry = self.table.entry(entry);
                    taken.atomic_steps += u64::from(entry.atomic_steps);
                    store.take_in_changes(packed, self.table.changes(entry));
                }
            }
        }
        self.batch = Some(batch);
        if !is_known {
            take_back(before, store, out);
            return Ok(None);
        }
        for one in &*considered {
            let Some(computed) = one.computed else { continue };
            let (number, steps) = (one.part as usize, self.found[computed]);
            let entry = self.entry_of(number, packed, id, steps, parts, store);
            let Some((entry, mask)) = entry else { continue };
            let entry = entry.with_kind(one.kind);
            match one.is_chosen {
                true => self.keep(entry, mask, packed, one.first as usize, (0, 0), store),
                false => self.table.put_kind(entry),
            }
        }
        Ok(Some((taken, reach)))
    }

    /// Chooses by the kinds of all parts.
    fn choose<S: SystemStore<Row = [Word]>>(
        &mut self,
        id: SystemId,
        packed: u64,
        considered: &mut [Considered],
        parts: &dyn Parts,
        chooser: &mut Chooser<'_>,
        store: &mut S,
    ) -> Reach {
        chooser.begin();
        for one in considered {
            self.learn_kind(id, packed, one, parts, chooser, store);
            chooser.add(parts.pid(one.part as usize), one.kind, one.successors);
        }
        chooser.choose(|| store.load(id))
    }

    /// Has the kind of a part, asked for if it was not known.
    #[inline]
    fn learn_kind<S: SystemStore<Row = [Word]>>(
        &mut self,
        id: SystemId,
        packed: u64,
        one: &mut Considered,
        parts: &dyn Parts,
        chooser: &mut Chooser<'_>,
        store: &mut S,
    ) {
        if one.kind != NO_KIND {
            return;
        }
        let number = one.part as usize;
        one.kind = chooser.kind(parts, number, store.load(id), one.successors);
        match (one.entry, one.computed) {
            (Some(entry), _) => self.table.learn_kind(entry, one.kind),
            (None, None) => self.parts[number].learn_waiting(packed, one.kind),
            (None, Some(_)) => {}
        }
    }
}

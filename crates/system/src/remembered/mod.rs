//! The steps of a system's parts, as changes of packed states.
//!
//! A part looks at few words of a state, which are some fields of the packed state. States that
//! agree in these have the same steps of that part, and a step changes the same bits in all of
//! them: what the part does in a state is found by the masked state, and a successor is the packed
//! state with some bits flipped. Neither is the row put together nor the model asked.
//!
//! That is right because of four things, each of which is looked at:
//! - The parts, in their order, have all steps of a state (`Parts`); of what a part touches the
//!   analysis of the model knows an upper bound, by its control point, or it says that it does not
//!   know, and nothing is kept ([`RememberedPart::kind`]). Other parts have another version, and then
//!   everything is learned anew.
//! - States with the same bits in the fields of some words agree in these words, in one shape of the
//!   store (`SystemStore::fields`). Another shape has another number, and then everything is learned
//!   anew; if it changes while the steps of a state are taken in, these are taken back.
//! - A step changes only fields of touched words. That is looked at when it is kept.
//! - A part says of each of its steps whether others may be told of it (`PartSteps::may_keep`).
//!
//! The marks of a step depend on more than the part: on who could move in the whole state. So what is
//! kept is who takes part in a step, which depends on no more than the step does, and who could by this
//! part; the marks are made from these when all parts of a state are known (`Parts::marks`).
//!
//! Successors are taken in in the order in which the model produces them, so ids are the same as
//! those of whole expansions: what is known is taken in until something is missing; then all that is
//! missing in this state is computed at once, and the rest is taken in, part after part.
//!
//! - `ahead`: what is asked for before a state's turn comes
//! - `table`: what is kept; an entry takes the place of another one
//! - `part`: what a part touches, and whether it pays to look for it; `narrow`: the same by more than its control point; `quick`: the same by one number
//! - `factored`: a step that is known by the pieces of its command
//! - `reduced`: the steps of some parts only, chosen by partial-order reduction
//! - `trial`: whether it pays to look for parts at all

mod ahead;
mod bits;
mod factored;
mod narrow;
mod part;
mod quick;
mod reduced;
mod table;
mod trial;

use std::collections::HashMap;

use lariat_core::{
    Batch, Flat, Full, Marks, PartSteps, Parts, SystemId, SystemStore, Word, makes_mistake,
};

use ahead::{Ahead, Asked, CHANGE};
use factored::Found;
use part::{FIRST_MASK, NO_STEPS, RememberedPart};
use table::{Entry, Table};
use trial::{Judgement, Trial};

/// Successors of one part of one state that are kept.
const MOST_SUCCESSORS: usize = 255;
/// Another look-up is worth so many bits of a key.
const WORTH: u32 = 6;
/// Factors are worth it if the longest of their keys has so many bits less than that of all that the part touches: one look-up more for each of them.
const FACTORS_WORTH: u32 = 8;
/// One of so many states is many.
const COARSE: u32 = 16;
/// Bytes for what is known of factors.
const MOST_FACTORED: usize = 1 << 20;

/// Whether the steps of processes are remembered. No id and no answer depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Remember {
    /// Where it pays.
    #[default]
    Usually,
    /// All successors of every state are computed.
    Never,
    /// With short trials and small tables, so that small models of a test come to what large ones
    /// come to.
    Early,
}

/// What is remembered, and whether it pays.
#[derive(Debug, Default)]
pub struct Remembered {
    /// The versions of parts and shape that this is about.
    version: Option<(u64, u64)>,
    parts: Vec<RememberedPart>,
    table: Table,
    ahead: Ahead,
    trial: Trial,
    /// The store was asked to take words apart whose bytes are looked at by different parts.
    is_fine: bool,
    /// No part can be told from others in this shape.
    is_idle: bool,
    /// In this trial: steps that were computed although their command has factors, which are kept as one because words have several of them.
    coarse: u32,
    /// What a part touches depends on its control point alone. What reduction keeps with steps does.
    by_control_only: bool,
    is_given_up: bool,
    /// Steps are looked for, and nothing was computed since that was found out.
    is_ready: bool,
    /// The bytes that the store and this may have together.
    limit: usize,
    /// Trials and tables are so many times halved, for tests.
    hurry: u32,
    /// Scratch: the parts from the first missing one on, those that are missing, what became of
    /// them, their rows.
    rest: Vec<Looked>,
    missing: Vec<u32>,
    found: Vec<PartSteps>,
    batch: Option<Flat>,
    /// Of the state that was taken in last, if steps have marks: what these are made from.
    moved: Vec<Marks>,
    able: u64,
    considered: Vec<reduced::Considered>,
}

/// The steps of a state by its parts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepsByParts {
    pub(crate) successors: usize,
    pub(crate) atomic_steps: u64,
}

/// A part that was looked for.
#[derive(Clone, Copy, Debug)]
struct Looked {
    part: u32,
    known: Known,
    /// Of a missing one: its steps among the states that were taken in, and among those of this state.
    first: u32,
    moved: u32,
}

/// What is known of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Missing,
    /// Where its entry is.
    Entry(u32),
    /// It has one step, which changes these bits.
    Change(u64),
}

impl Remembered {
    /// Nothing yet.
    pub fn new(remember: Remember) -> Self {
        let hurry = if remember == Remember::Early { 8 } else { 0 };
        Remembered {
            is_given_up: remember == Remember::Never,
            limit: usize::MAX,
            hurry,
            trial: Trial::new(hurry),
            ..Remembered::default()
        }
    }

    /// What another one is to do in the same system.
    pub fn remember(&self) -> Remember {
        match (self.is_given_up, self.hurry) {
            (true, _) => Remember::Never,
            (false, 0) => Remember::Usually,
            (false, _) => Remember::Early,
        }
    }

    /// Whether it has paid so far.
    pub fn pays(&self) -> bool {
        !self.is_given_up && self.trial.pays()
    }

    /// Steps have marks, which are kept, too.
    pub(crate) fn with_marks(mut self, has_marks: bool) -> Self {
        self.table.is_marked = has_marks;
        self
    }

    /// What reduction knows of a part is kept with its steps: why each of its commands cannot be executed, too. One that is false by
    /// the part's own variables waits for the part itself, whatever else it waits for; but what else there is decides
    /// which set is chosen, and that must not depend on which state was seen first.
    pub(crate) fn keeping_kinds(mut self, keeps_kinds: bool) -> Self {
        self.by_control_only = keeps_kinds;
        self
    }

    /// The marks of the steps that were taken in last, if they have any.
    pub(crate) fn marks<'r>(&'r self, parts: &'r dyn Parts) -> impl Iterator<Item = Marks> + 'r {
        let able = match makes_mistake("steps-marks") {
            true => self.able & self.able.wrapping_sub(1),
            false => self.able,
        };
        self.moved.iter().map(move |&moved| parts.marks(moved, able))
    }

    /// Nothing is looked for any more.
    #[inline]
    pub(crate) fn is_given_up(&self) -> bool {
        self.is_given_up
    }

    /// Looks for nothing any more.
    pub(crate) fn give_up(&mut self) {
        self.is_given_up = true;
    }

    /// The store and this together may have so many bytes.
    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    pub(crate) fn bytes(&self) -> usize {
        let parts = self.parts.iter().map(RememberedPart::bytes).sum::<usize>();
        self.table.bytes() + self.ahead.bytes() + parts
    }

    /// The successors of the state will be taken in soon, all of them or some.
    #[inline]
    pub(crate) fn prefetch<S: SystemStore>(&mut self, id: SystemId, store: &S, all: bool) {
        let is_idle = self.is_given_up || self.is_idle || self.trial.rests();
        if is_idle || self.version.is_none() || store.shape() != self.version.map(|v| v.1) {
            return;
        }
        let packed = store.packed(id);
        if all {
            return self.ahead.ask(packed, &mut self.parts, &self.table);
        }
        for (number, part) in self.parts.iter().enumerate() {
            if let Some(mask) = part.mask(packed) {
                self.table.ask(number, packed & mask);
            }
        }
    }

    /// Something else than look-ups comes: what was looked at before the first of them is looked at again.
    #[inline(always)]
    pub(crate) fn look_again(&mut self) {
        self.is_ready = false;
    }

    /// Takes in the successors of a state. None if it must be expanded as a whole; then nothing
    /// was taken in. Nobody is asked for the parts in a state that is known, behind another one that was.
    #[inline]
    pub(crate) fn take_in<'p, S: SystemStore<Row = [Word]>>(
        &mut self,
        id: SystemId,
        parts: impl FnOnce() -> Option<&'p mut dyn Parts>,
        store: &mut S,
        out: &mut Vec<SystemId>,
    ) -> Result<Option<StepsByParts>, Full> {
        let mut parts = OnDemand::Not(parts);
        if !self.is_ready {
            self.is_ready = parts.get().is_some_and(|parts| self.make_ready(parts, store));
            if !self.is_ready {
                return Ok(None);
            }
        }
        let before = (out.len(), store.pending());
        let packed = store.packed(id);
        let mut taken = StepsByParts::default();
        self.moved.clear();
        self.able = 0;
        let Remembered { parts: of_parts, table, ahead, moved, able, .. } = self;
        let turn = ahead.turn(packed, of_parts, table);
        let mut tried = 0;
        let mut missing = None;
        for (at, &Asked { part, place, key }) in turn.parts.iter().enumerate() {
            let Some(entry) = table.find_at(place, part as usize, key) else {
                let mut found = TakenIn { packed, taken, tried, moved, able };
                missing = found.take_in(&turn.parts[at..], of_parts, table, store);
                (taken, tried) = (found.taken, found.tried);
                break;
            };
            tried += 1;
            taken.successors += entry.len();
            taken.atomic_steps += u64::from(entry.atomic_steps);
            store.take_in_changes(packed, table.changes(entry));
            note_marks(table, entry, moved, able);
        }
        if missing.is_none() && self.trial.note_known(tried) {
            return Ok(Some(taken));
        }
        self.is_ready = false;
        let Some(parts) = parts.get() else { return Ok(take_back(before, store, out)) };
        if let Some(part) = missing {
            return self.take_in_rest(id, packed, (part, tried, taken), before, parts, store, out);
        }
        match self.judge(tried, 0, parts, store) {
            true => Ok(Some(taken)),
            false => Ok(take_back(before, store, out)),
        }
    }

    /// Whether steps are looked for in the next state.
    #[inline(always)]
    fn make_ready<S: SystemStore<Row = [Word]>>(
        &mut self,
        parts: &dyn Parts,
        store: &mut S,
    ) -> bool {
        if self.is_given_up {
            return false;
        }
        let shape = store.shape();
        if self.version != shape.map(|shape| (parts.version(), shape)) || shape.is_none() {
            self.learn(parts, store);
            if self.is_given_up {
                return false;
            }
        }
        if store.len() >= self.table.next_growth {
            self.grow(store);
        }
        !(self.is_idle || self.trial.rest())
    }

    /// Notes that so many parts of a state were looked for, and so many missing. Whether to go on
    /// with it.
    #[inline]
    fn judge<S: SystemStore>(
        &mut self,
        tried: u32,
        missed: u32,
        parts: &dyn Parts,
        store: &mut S,
    ) -> bool {
        let judgement = self.trial.note(tried, missed);
        let is_coarse = self.trial.is_over() && self.is_coarse();
        let would_be_known = judgement == Judgement::Rests || is_coarse;
        if would_be_known
            && judgement != Judgement::GivenUp
            && !self.is_fine
            && has_words_to_take_apart(parts.classes())
        {
            self.is_fine = true;
            store.suit(parts.classes());
            self.trial.begin_anew();
            return judgement == Judgement::Pays;
        }
        if judgement == Judgement::GivenUp {
            self.is_given_up = true;
            self.parts = Vec::new();
            self.table.discard();
            // A shape without regard to parts is better then.
            store.suit(&[]);
            store.limit_bytes(self.limit);
        }
        judgement == Judgement::Pays
    }

    /// Whether a step in many states of the trial that has ended would be known if words were taken apart.
    fn is_coarse(&mut self) -> bool {
        std::mem::take(&mut self.coarse) > (trial::STATES / COARSE) >> self.hurry
    }

    /// Takes in the steps of the parts from the missing one on. `done`: that one, how many parts
    /// before it have steps, and these. `before`: what there was before this state.
    #[allow(clippy::too_many_arguments)]
    fn take_in_rest<S: SystemStore<Row = [Word]>>(
        &mut self,
        id: SystemId,
        packed: u64,
        done: (usize, u32, StepsByParts),
        before: (usize, usize),
        parts: &mut dyn Parts,
        store: &mut S,
        out: &mut Vec<SystemId>,
    ) -> Result<Option<StepsByParts>, Full> {
        let (first, mut tried, mut taken) = done;
        self.look_for_rest(first, packed);
        tried += self.rest.len() as u32;
        if !self.judge(tried, self.missing.len() as u32, parts, store) {
            return Ok(take_back(before, store, out));
        }
        let version = self.version;
        let row = store.load(id);
        let width = row.len();
        let mut batch = self.batch.take().unwrap_or_else(|| Flat::new(width, usize::MAX));
        batch.clear();
        self.found.clear();
        let is_known = parts.expand_parts(&self.missing, row, &mut batch, &mut self.found);
        // Otherwise the parts are others now.
        let is_same = |parts: &dyn Parts, store: &S| {
            version == store.shape().map(|shape| (parts.version(), shape))
        };
        let mut is_known = is_known && is_same(parts, store);
        if is_known {
            let (mut row, mut next) = (0, self.found.iter());
            for looked in &mut self.rest {
                looked.first = store.pending() as u32;
                looked.moved = self.moved.len() as u32;
                match looked.known {
                    Known::Change(change) => {
                        taken.successors += 1;
                        store.take_in_changes(packed, &[change]);
                        if self.table.is_marked {
                            let part = &mut self.parts[looked.part as usize];
                            note_mover(part, packed, &mut self.moved, &mut self.able);
                        }
                    }
                    Known::Entry(at) => {
                        let entry = self.table.entry(at);
                        taken.successors += entry.len();
                        taken.atomic_steps += u64::from(entry.atomic_steps);
                        store.take_in_changes(packed, self.table.changes(entry));
                        note_marks(&self.table, entry, &mut self.moved, &mut self.able);
                    }
                    Known::Missing => {
                        let steps = next.next().expect("each missing part was computed");
                        let rows = row..row + steps.successors as usize;
                        row = rows.end;
                        taken.successors += rows.len();
                        taken.atomic_steps += u64::from(steps.atomic_steps);
                        if self.table.is_marked {
                            self.moved.extend(rows.clone().map(|at| batch.marks(at)));
                            self.able |= steps.able;
                        }
                        store.take_in_rows(&batch, rows, out)?;
                        is_known = is_same(parts, store);
                    }
                }
                if !is_known {
                    break;
                }
            }
        }
        self.batch = Some(batch);
        if !is_known {
            return Ok(take_back(before, store, out));
        }
        self.keep_missing(packed, id, parts, store);
        Ok(Some(taken))
    }

    /// Looks for the parts from the first one that is missing on.
    fn look_for_rest(&mut self, first: usize, packed: u64) {
        self.rest.clear();
        self.missing.clear();
        let Remembered { parts, table, hurry, rest, missing, .. } = self;
        for (number, part) in parts.iter_mut().enumerate().skip(first) {
            let looked = |known| Looked { part: number as u32, known, first: 0, moved: 0 };
            match part.by_factors(packed) {
                Some(Found::NoStep) => continue,
                Some(Found::Step(change)) => {
                    rest.push(looked(Known::Change(change)));
                    continue;
                }
                Some(Found::Unknown) => {
                    missing.push(number as u32);
                    rest.push(looked(Known::Missing));
                    continue;
                }
                None => {}
            }
            let kind = part.kind(packed);
            if kind == NO_STEPS {
                continue;
            }
            // The first one was tried already.
            let mask = match number == first {
                true => part.known_mask(kind),
                false => part.try_mask(kind),
            };
            let entry = match mask.filter(|_| number != first) {
                Some(mask) => table.place_of(number, packed & mask),
                None => None,
            };
            if entry.is_none() {
                missing.push(number as u32);
                if mask.is_some() {
                    part.miss(*hurry);
                }
            }
            rest.push(looked(entry.map_or(Known::Missing, Known::Entry)));
        }
    }

    /// Keeps the steps that were computed, if they may be kept.
    fn keep_missing<S: SystemStore<Row = [Word]>>(
        &mut self,
        packed: u64,
        id: SystemId,
        parts: &dyn Parts,
        store: &mut S,
    ) {
        let mut computed = 0;
        for at in 0..self.rest.len() {
            let Looked { part, known: Known::Missing, first, moved } = self.rest[at] else {
                continue;
            };
            let steps = self.found[computed];
            computed += 1;
            if self.keep_by_factors(
                part as usize,
                (packed, id),
                steps,
                (first, moved),
                parts,
                store,
            ) {
                continue;
            }
            let entry = self.entry_of(part as usize, packed, id, steps, parts, store);
            if let Some((entry, mask)) = entry {
                let marks = (moved as usize, steps.able);
                self.keep(entry, mask, packed, first as usize, marks, store);
            }
        }
    }

    /// Keeps what a computed step tells of the factors of its command. False if it is not kept by factors.
    fn keep_by_factors<S: SystemStore<Row = [Word]>>(
        &mut self,
        number: usize,
        (packed, id): (u64, SystemId),
        steps: PartSteps,
        (first, moved): (u32, u32),
        parts: &dyn Parts,
        store: &mut S,
    ) -> bool {
        if self.parts[number].rests_without_factors() {
            return false;
        }
        let part = &self.parts[number];
        if part.place_of_factors(packed).is_none() {
            if !part.can_look_for_factors(packed) {
                return false;
            }
            self.find_factors(number, (packed, id), parts, store);
        }
        let Some(place) = self.parts[number].place_of_factors(packed) else { return false };
        self.coarse += u32::from(self.parts[number].is_coarse(place));
        let Remembered { parts: of_parts, table, moved: movers, hurry, .. } = self;
        let part = &mut of_parts[number];
        let Some(factors) = part.factors_at(place) else { return false };
        let is_one_command = steps.successors <= 1 && steps.atomic_steps == 0;
        debug_assert!(!steps.may_keep || is_one_command, "one command has several steps");
        let goes_on = match steps.successors {
            _ if !steps.may_keep => true,
            _ if !is_one_command => false,
            0 => {
                factors.learn_no_step(packed);
                steps.able == 0
            }
            _ => match store.pending_packed(first as usize) {
                None => true,
                Some(next) => {
                    let mover = movers.get(moved as usize).copied().unwrap_or_default();
                    let moved = (mover, if table.is_marked { steps.able } else { 0 });
                    factors.learn_step(packed, next ^ packed, moved)
                }
            },
        };
        if !(part.miss_factors(*hurry) && goes_on) {
            part.give_up_factors();
            // What was asked for ahead is found by other means.
            table.begin_anew();
        }
        true
    }

    /// Looks whether a part has factors where it is, and whether there is memory for them.
    #[cold]
    fn find_factors<S: SystemStore<Row = [Word]>>(
        &mut self,
        number: usize,
        (packed, id): (u64, SystemId),
        parts: &dyn Parts,
        store: &mut S,
    ) {
        let row = store.load(id);
        if self.parts[number].knows_factors(packed, row) {
            return;
        }
        let selector = row[parts.selector(number)];
        let factored = self.parts.iter().map(RememberedPart::bytes_of_factors).sum::<usize>();
        let spare = self.limit.saturating_sub(store.bytes() + self.bytes());
        let room = MOST_FACTORED.saturating_sub(factored).min(spare);
        let wanted = (FACTORS_WORTH >> self.hurry, self.hurry, room);
        self.parts[number].find_factors((number, selector), packed, parts, wanted, store);
        store.limit_bytes(self.limit.saturating_sub(self.bytes()));
    }

    /// An entry for steps that were computed, and the fields that they touch, if others may be told
    /// of them.
    fn entry_of<S: SystemStore<Row = [Word]>>(
        &mut self,
        number: usize,
        packed: u64,
        id: SystemId,
        steps: PartSteps,
        parts: &dyn Parts,
        store: &mut S,
    ) -> Option<(Entry, u64)> {
        if !steps.may_keep || self.parts[number].rests() {
            return None;
        }
        let worth = (!self.by_control_only).then_some(WORTH >> self.hurry);
        let kind = self.parts[number].learn(number, packed, id, (parts, worth), store);
        let count = steps.successors as usize;
        let atomic_steps = u16::try_from(steps.atomic_steps).ok()?;
        if kind < FIRST_MASK || count > MOST_SUCCESSORS {
            debug_assert!(kind != NO_STEPS || count == 0, "a part without steps has some");
            return None;
        }
        let mask = self.parts[number].mask_of(kind);
        Some((Entry::new(number, packed & mask, count, atomic_steps), mask))
    }

    /// Keeps an entry with the changes to the states that were taken in from `first` on. `marks`: where
    /// what their marks are made from begins in `moved`, and what those of all are.
    fn keep<S: SystemStore<Row = [Word]>>(
        &mut self,
        entry: Entry,
        mask: u64,
        packed: u64,
        first: usize,
        marks: (usize, u64),
        store: &S,
    ) {
        let count = entry.len();
        let successors = (first..first + count).map(|at| store.pending_packed(at));
        let changes = successors.map(|next| next.map(|next| next ^ packed));
        let is_within = |change: u64| change & !mask == 0;
        if !changes.clone().all(|change| change.is_some_and(is_within)) {
            let is_wide = |change: Option<u64>| change.is_some_and(|it| !is_within(it));
            debug_assert!(!changes.clone().any(is_wide), "a part changes what it only reads");
            return;
        }
        let is_wrong = makes_mistake("steps-key") && count > 0;
        let known_by = changes.clone().next().flatten().filter(|_| is_wrong).unwrap_or(0);
        let entry = entry.with_key((packed ^ known_by) & mask);
        if !self.table.is_marked {
            return self.table.put(entry, changes.flatten());
        }
        let (moved, able) = marks;
        let moved = self.moved[moved..][..count].iter().map(|marks| marks.0);
        self.table.put(entry, changes.flatten().chain(moved).chain([able]));
    }

    /// Another shape, or other parts: starts anew.
    #[cold]
    fn learn<S: SystemStore<Row = [Word]>>(&mut self, parts: &dyn Parts, store: &mut S) {
        if self.widen(parts, store) {
            return;
        }
        let classes = parts.classes();
        if self.version.is_none_or(|(version, _)| version != parts.version()) {
            // A shape that keeps them apart is better.
            match self.is_fine {
                true => store.suit(classes),
                false => store.suit(&of_words(classes)),
            }
        }
        let of_part = |number| RememberedPart::new(parts.selector(number), classes.len(), store);
        let of_parts: Option<Vec<RememberedPart>> = (0..parts.len()).map(of_part).collect();
        let (Some(of_parts), Some(shape)) = (of_parts, store.shape()) else {
            self.is_given_up = true;
            return;
        };
        self.is_idle = !of_parts.iter().any(RememberedPart::has_field);
        self.table.begin_anew();
        self.parts = of_parts;
        let entries = self.table.len().max(Table::first_len(self.hurry));
        let more = Table::bytes_of(entries - self.table.len());
        self.is_given_up = store.bytes() + self.bytes() + more > self.limit;
        if self.is_given_up {
            return;
        }
        let is_stale = makes_mistake("steps-shape") && self.table.len() == entries;
        if !is_stale {
            self.table.forget(entries);
        }
        store.limit_bytes(self.limit - self.bytes());
        self.version = Some((parts.version(), shape));
    }

    /// The same parts in the same shape, but for fields that have more bits: everything that is known stays true. False if that is
    /// not all.
    fn widen<S: SystemStore>(&mut self, parts: &dyn Parts, store: &S) -> bool {
        let (Some((version, before)), Some(shape)) = (self.version, store.shape()) else {
            return false;
        };
        let is_wider = version == parts.version()
            && store.widened(0, before).is_some()
            && self.parts.iter_mut().all(|part| part.widen(|mask| store.widened(mask, before)));
        if is_wider {
            self.table.begin_anew();
            self.version = Some((version, shape));
        }
        is_wider
    }

    /// More entries for more states, if there is use for them.
    #[cold]
    fn grow<S: SystemStore>(&mut self, store: &mut S) {
        let spare = self.limit.saturating_sub(store.bytes() + self.bytes());
        self.table.grow(store.len(), self.hurry, spare);
        store.limit_bytes(self.limit.saturating_sub(self.bytes()));
    }
}

/// The parts, asked for when they are needed first.
enum OnDemand<'p, F> {
    Not(F),
    Known(&'p mut dyn Parts),
    None,
}

impl<'p, F: FnOnce() -> Option<&'p mut dyn Parts>> OnDemand<'p, F> {
    fn get(&mut self) -> Option<&mut (dyn Parts + 'p)> {
        if let OnDemand::Not(_) = self {
            let OnDemand::Not(ask) = std::mem::replace(self, OnDemand::None) else {
                unreachable!()
            };
            if let Some(parts) = ask() {
                *self = OnDemand::Known(parts);
            }
        }
        match self {
            OnDemand::Known(parts) => Some(&mut **parts),
            _ => None,
        }
    }
}

/// Bytes of a word.
const BYTES: usize = size_of::<Word>();

/// Whether bytes of one word have different classes.
fn has_words_to_take_apart(classes: &[u32]) -> bool {
    classes.chunks(BYTES).any(|bytes| bytes.iter().any(|class| *class != bytes[0]))
}

/// Classes of words, by byte: those of their bytes together.
fn of_words(classes: &[u32]) -> Vec<u32> {
    let mut numbers = HashMap::new();
    let of_word = |bytes: &[u32]| {
        let next = numbers.len() as u32;
        [*numbers.entry(bytes.to_vec()).or_insert(next); BYTES]
    };
    classes.chunks(BYTES).flat_map(of_word).collect()
}

/// Notes what the marks of remembered steps are made from.
#[inline(always)]
fn note_marks(table: &Table, entry: &Entry, moved: &mut Vec<Marks>, able: &mut u64) {
    if let Some((of_steps, of_all)) = table.marks(entry) {
        moved.extend(of_steps.iter().map(|&bits| Marks(bits)));
        *able |= of_all;
    }
}

/// What was taken in of a state.
struct TakenIn<'r> {
    packed: u64,
    taken: StepsByParts,
    tried: u32,
    moved: &'r mut Vec<Marks>,
    able: &'r mut u64,
}

impl TakenIn<'_> {
    /// Goes on with parts some of which are known by factors; the first one that is missing.
    #[inline(never)]
    fn take_in<S: SystemStore>(
        &mut self,
        rest: &[Asked],
        parts: &mut [RememberedPart],
        table: &Table,
        store: &mut S,
    ) -> Option<usize> {
        let packed = self.packed;
        for &Asked { part, place, key } in rest {
            let part = part as usize;
            if place == CHANGE {
                self.taken.successors += 1;
                store.take_in_changes(packed, &[key]);
                if table.is_marked {
                    note_mover(&mut parts[part], packed, self.moved, self.able);
                }
            } else {
                let Some(entry) = table.find_at(place, part, key) else { return Some(part) };
                self.taken.successors += entry.len();
                self.taken.atomic_steps += u64::from(entry.atomic_steps);
                store.take_in_changes(packed, table.changes(entry));
                note_marks(table, entry, self.moved, self.able);
            }
            self.tried += 1;
        }
        None
    }
}

/// The same of a step that is known by its factors.
#[cold]
fn note_mover(part: &mut RememberedPart, packed: u64, moved: &mut Vec<Marks>, able: &mut u64) {
    let (mover, could) = part.factors(packed).map(|factors| factors.moved()).unwrap_or_default();
    moved.push(mover);
    *able |= could;
}

/// The successors of a state that is expanded as a whole were not taken in. `before`: ids, and states
/// taken in, when it began. If some have got ids since, all before have.
#[cold]
fn take_back<S: SystemStore>(
    before: (usize, usize),
    store: &mut S,
    out: &mut Vec<SystemId>,
) -> Option<StepsByParts> {
    let (ids, pending) = before;
    if out.len() > ids {
        store.take_back(0);
        out.truncate(ids + pending);
    } else {
        store.take_back(pending);
    }
    None
}

//! The steps of a system's parts, as changes of roots.
//!
//! A part looks at few words of a state, which are some fields of its root. States that agree
//! in these have the same steps of that part, and a step changes the same bits in all of them:
//! what the part does in a state is found by the masked root, and a successor is the root with
//! some bits flipped. Neither is the row put together nor the model asked.
//!
//! What is known is kept in a table that forgets: an entry takes the place of another one. A
//! part that is seldom found there is left alone for a while.

use super::find::Found;
use super::shape::{Field, NONE};
use super::{Tree, Tuning};
use crate::hash::prefetch;
use crate::pairs::hash;
use std::ops::Range;

use lariat_core::{
    Batch, Flat, Full, PartSteps, Parts, StepsByParts, SystemId, SystemStore, makes_mistake,
};

/// Entries at first; there are never more than one for so many states.
const FIRST_ENTRIES: usize = 1 << 12;
const STATES_PER_ENTRY: usize = 16;
/// More are thought of when there are so many states.
const FIRST_GROWTH: usize = 1 << 14;
const MOST_ENTRIES: usize = 1 << 20;
/// Changes kept in an entry itself.
const INLINE: usize = 2;
/// Successors of one part of one state that are kept.
const MOST_SUCCESSORS: usize = 255;
/// Changes kept outside of entries, for each entry there is.
const LONG_PER_ENTRY: usize = 2;
/// After so many look-ups a part is judged; if fewer than half were found, it is left alone for
/// so many times as many.
const TRIAL: u32 = 1 << 13;
const REST: u32 = 16 * TRIAL;
/// The same for all parts of so many states together. After two trials in vain, parts are given
/// up.
const TRIAL_OF_ALL: u32 = 1 << 15;
const REST_OF_ALL: u32 = 1 << 17;
/// Values of a lead that masks are kept for.
const MOST_LEADS: usize = 1 << 16;

/// What a part touches, by the value of its lead: not worked out yet; nothing, as there are no
/// steps; everything, so that nothing is kept; from here on, the mask of this number.
const UNKNOWN: u8 = 0;
const NO_STEPS: u8 = 1;
const WHOLE_ROOT: u8 = 2;
const FIRST_MASK: u8 = 3;

#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Entry {
    key: u64,
    /// The changes, or where they start in `long`.
    changes: [u64; INLINE],
    atomic_steps: u32,
    /// The number of changes.
    count: u16,
    /// The part and one; 0 is a free entry.
    part: u16,
}

const FREE: Entry = Entry { key: 0, changes: [0; INLINE], atomic_steps: 0, count: 0, part: 0 };

#[derive(Debug, Default)]
struct Part {
    lead_word: usize,
    /// Where the value of the lead is in the root, if it is in a field of few values.
    lead: Option<Field>,
    /// By that value: what is touched.
    kinds: Vec<u8>,
    /// Different sets of fields, from [`FIRST_MASK`] on.
    masks: Vec<u64>,
    /// Look-ups in this trial, and those without success.
    tried: u32,
    missed: u32,
    /// Look-ups that are left out.
    rest: u32,
}

impl Part {
    /// What is touched in a state.
    #[inline(always)]
    fn kind(&self, root: u64) -> u8 {
        self.lead.map_or(WHOLE_ROOT, |lead| {
            self.kinds.get(lead.get(root) as usize).copied().unwrap_or(UNKNOWN)
        })
    }

    /// The number of a mask.
    fn number_of(&mut self, mask: u64) -> u8 {
        let known = self.masks.iter().position(|&known| known == mask);
        let at = known.unwrap_or_else(|| {
            self.masks.push(mask);
            self.masks.len() - 1
        });
        u8::try_from(at + FIRST_MASK as usize).unwrap_or(WHOLE_ROOT)
    }

    /// A look-up was in vain.
    fn miss(&mut self, hurry: u32) {
        self.missed += 1;
        if self.tried >= TRIAL >> hurry {
            if self.missed > self.tried / 2 {
                self.rest = REST >> hurry;
            }
            (self.tried, self.missed) = (0, 0);
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Steps {
    /// The versions of parts and shape that this is about.
    version: Option<(u64, u64)>,
    parts: Vec<Part>,
    entries: Vec<Entry>,
    /// Entries that are not free.
    used: usize,
    /// Changes of entries with many.
    long: Vec<u64>,
    /// The number of states at which more entries are thought of.
    next_growth: usize,
    /// States looked at in this trial, their parts, and those of them that were missing.
    states: u32,
    tried: u64,
    missed: u64,
    /// States that are left out.
    rest: u32,
    vain_trials: u32,
    /// Nothing is remembered, but parts without steps are left out; or not even that.
    only_skips: bool,
    is_given_up: bool,
    /// Trials and tables are so many times halved, for tests.
    hurry: u32,
    /// Scratch: parts that are not found, what became of them, their rows.
    missing: Vec<u32>,
    found: Vec<PartSteps>,
    batch: Option<Flat>,
}

impl Steps {
    pub(super) fn new(tuning: Tuning) -> Self {
        let hurry = if tuning.is_early() { 8 } else { 0 };
        Steps { is_given_up: !tuning.remembers_steps, hurry, ..Steps::default() }
    }

    pub(super) fn bytes(&self) -> usize {
        let kinds: usize = self.parts.iter().map(|part| part.kinds.capacity()).sum();
        self.entries.capacity() * size_of::<Entry>()
            + self.long.capacity() * size_of::<u64>()
            + kinds
    }

    /// Whether so many parts of the state at hand were tried, and before it of others, that it
    /// is better to expand states as a whole for a while: most parts had to be computed.
    #[inline]
    fn is_in_vain(&mut self, tried: u32) -> bool {
        self.states += 1;
        self.tried += u64::from(tried);
        self.missed += self.missing.len() as u64;
        if self.states < TRIAL_OF_ALL >> self.hurry || self.only_skips {
            return false;
        }
        let parts = self.parts.len() as u64 * u64::from(self.states);
        let are_most_idle = self.tried < parts / 2;
        let is_in_vain = self.missed > self.tried / 2;
        (self.states, self.tried, self.missed) = (0, 0, 0);
        if is_in_vain {
            self.rest = REST_OF_ALL >> self.hurry;
            self.vain_trials += 1;
            self.only_skips = self.vain_trials == 2 && are_most_idle;
        } else {
            self.vain_trials = 0;
        }
        is_in_vain
    }

    /// Asks for the entries of the parts of a state.
    #[inline]
    pub(super) fn prefetch(&self, root: u64) {
        if self.rest > 0 || self.only_skips {
            return;
        }
        for (number, part) in self.parts.iter().enumerate() {
            let kind = part.kind(root);
            if kind >= FIRST_MASK && part.rest == 0 {
                let mask = part.masks[(kind - FIRST_MASK) as usize];
                prefetch(&self.entries[place(&self.entries, number, root & mask)]);
            }
        }
    }

    fn forget(&mut self, entries: usize) {
        self.entries.clear();
        self.entries.resize(entries, FREE);
        self.long.clear();
        self.used = 0;
    }
}

/// Where an entry belongs.
#[inline(always)]
fn place(entries: &[Entry], part: usize, key: u64) -> usize {
    hash(key ^ (part as u64) << 58 ^ part as u64) as usize & (entries.len() - 1)
}

impl Tree {
    /// See [`SystemStore::take_in_steps`].
    #[inline]
    pub(super) fn take_in_parts(
        &mut self,
        id: SystemId,
        parts: &mut dyn Parts,
        out: &mut Vec<SystemId>,
    ) -> Result<Option<StepsByParts>, Full> {
        if self.steps.is_given_up {
            return Ok(None);
        }
        if self.roots.len() >= self.next_plan && self.found.is_empty() {
            self.reconsider_shape();
        }
        let shapes = self.steps.version.map_or(0, |(_, shapes)| shapes);
        let shapes = if makes_mistake("steps-shape") { shapes } else { self.shapes };
        if self.steps.version != Some((parts.version(), shapes)) {
            self.learn_parts(parts);
            if self.steps.is_given_up {
                return Ok(None);
            }
        }
        if self.roots.len() >= self.steps.next_growth {
            self.grow_steps();
        }
        if self.steps.rest > 0 {
            self.steps.rest -= 1;
            return Ok(None);
        }
        let before = out.len() + self.found.len();
        let root = self.roots.get(id);
        let mut taken = StepsByParts::default();
        let Steps { parts: of_parts, entries, long, missing, only_skips, hurry, .. } =
            &mut self.steps;
        missing.clear();
        let mut tried = 0;
        for (number, part) in of_parts.iter_mut().enumerate() {
            let kind = part.kind(root);
            if kind == NO_STEPS {
                continue;
            }
            tried += 1;
            if kind < FIRST_MASK || part.rest > 0 || *only_skips {
                part.rest = part.rest.saturating_sub(1);
                missing.push(number as u32);
                continue;
            }
            let key = root & part.masks[(kind - FIRST_MASK) as usize];
            part.tried += 1;
            let entry = &entries[place(entries, number, key)];
            if entry.key != key || entry.part != number as u16 + 1 {
                missing.push(number as u32);
                part.miss(*hurry);
                continue;
            }
            let count = entry.count as usize;
            taken.successors += count;
            taken.atomic_steps += u64::from(entry.atomic_steps);
            let changes = match count <= INLINE {
                true => &entry.changes[..count],
                false => &long[entry.changes[0] as usize..][..count],
            };
            for change in changes {
                let root = root ^ change;
                let hash = hash(root);
                self.roots.prefetch_bucket(hash);
                self.found.push(Found { root, hash });
            }
        }
        if self.steps.is_in_vain(tried) {
            if self.steps.vain_trials == 2 {
                // A shape without regard to parts is better then.
                let Steps { only_skips, hurry, .. } = self.steps;
                let is_given_up = !only_skips;
                self.steps = Steps { only_skips, is_given_up, hurry, ..Steps::default() };
                self.suit(&[]);
            }
            self.take_back_all(before, out);
            return Ok(None);
        }
        if !self.steps.missing.is_empty() {
            match self.compute_parts(id, root, parts, out)? {
                Some(found) => {
                    taken.successors += found.successors;
                    taken.atomic_steps += found.atomic_steps;
                }
                None => {
                    self.take_back_all(before, out);
                    return Ok(None);
                }
            }
        }
        // There is room for all, or it is made.
        if let Err(full) = self.make_root_room(0) {
            self.forget_all();
            return Err(full);
        }
        Ok(Some(taken))
    }

    /// The rows of a state that is expanded as a whole were not taken in.
    #[cold]
    fn take_back_all(&mut self, before: usize, out: &mut Vec<SystemId>) {
        if out.len() > before {
            self.found.clear();
            self.unknown_before(0);
            out.truncate(before);
        } else {
            self.found.truncate(before - out.len());
            self.unknown_before(before - out.len());
        }
    }

    /// Computes the steps of the parts that are missing, and keeps them if they may be.
    fn compute_parts(
        &mut self,
        id: SystemId,
        root: u64,
        parts: &mut dyn Parts,
        out: &mut Vec<SystemId>,
    ) -> Result<Option<StepsByParts>, Full> {
        self.load(id);
        let width = self.row.len();
        let missing = std::mem::take(&mut self.steps.missing);
        let mut found = std::mem::take(&mut self.steps.found);
        let mut batch = self.steps.batch.take().unwrap_or_else(|| Flat::new(width, usize::MAX));
        batch.clear();
        found.clear();
        let (version, shapes, first) = (parts.version(), self.shapes, self.found.len());
        let mut taken = None;
        if parts.expand_parts(&missing, &self.row, &mut batch, &mut found) {
            let rows = (0..batch.len()).map(|number| batch.row(number));
            self.find_rows(rows, &mut |id| out.push(id))?;
            // Otherwise the parts are others now.
            if parts.version() == version {
                let atomic_steps = found.iter().map(|found| u64::from(found.atomic_steps)).sum();
                taken = Some(StepsByParts { successors: batch.len(), atomic_steps });
            }
            if self.shapes == shapes && taken.is_some() {
                let mut at = first;
                for (&part, &steps) in missing.iter().zip(&found) {
                    let end = at + steps.successors as usize;
                    if self.steps.only_skips {
                        self.kind(part as usize, root, parts);
                    } else if steps.may_keep && self.steps.parts[part as usize].rest == 0 {
                        self.keep(part as usize, root, at..end, steps.atomic_steps, parts);
                    }
                    at = end;
                }
            }
        }
        (self.steps.missing, self.steps.found) = (missing, found);
        self.steps.batch = Some(batch);
        Ok(taken)
    }

    /// Keeps the steps of a part, which were taken in as these rows.
    fn keep(
        &mut self,
        number: usize,
        root: u64,
        rows: Range<usize>,
        atomic_steps: u32,
        parts: &dyn Parts,
    ) {
        let count = rows.len();
        if count > MOST_SUCCESSORS || self.has_unknown_from(rows.start) {
            return;
        }
        let kind = self.kind(number, root, parts);
        if kind < FIRST_MASK {
            debug_assert!(kind != NO_STEPS || count == 0, "a part has steps but touches nothing");
            return;
        }
        let mask = self.steps.parts[number].masks[(kind - FIRST_MASK) as usize];
        let steps = &mut self.steps;
        let is_wrong = makes_mistake("steps-key") && count > 0;
        let known_by = if is_wrong { self.found[rows.start].root } else { root };
        let mut entry = Entry {
            key: known_by & mask,
            changes: [0; INLINE],
            atomic_steps,
            count: count as u16,
            part: number as u16 + 1,
        };
        let changes = self.found[rows].iter().map(|found| found.root ^ root);
        if changes.clone().any(|change| change & !mask != 0) {
            debug_assert!(false, "a part changes more than it touches");
            return;
        }
        if count <= INLINE {
            entry.changes.iter_mut().zip(changes).for_each(|(place, change)| *place = change);
        } else {
            if steps.long.len() + count > LONG_PER_ENTRY * steps.entries.len() {
                let entries = steps.entries.len();
                steps.forget(entries);
            }
            entry.changes[0] = steps.long.len() as u64;
            steps.long.extend(changes);
        }
        let place = place(&steps.entries, number, entry.key);
        steps.used += usize::from(steps.entries[place].part == 0);
        steps.entries[place] = entry;
    }

    /// What a part of the loaded state touches.
    fn kind(&mut self, number: usize, root: u64, parts: &dyn Parts) -> u8 {
        let part = &self.steps.parts[number];
        let known = part.kind(root);
        // Without a lead, nothing is known.
        let Some(lead) = part.lead.filter(|_| known == UNKNOWN) else { return known };
        let at = lead.get(root) as usize;
        if at >= MOST_LEADS {
            return WHOLE_ROOT;
        }
        let kind = match parts.touched(number, self.row[part.lead_word]) {
            None => WHOLE_ROOT,
            Some(words) if words.iter().all(|&word| word == 0) => NO_STEPS,
            Some(words) => {
                let mask = self.mask_of(words);
                self.steps.parts[number].number_of(mask)
            }
        };
        let kinds = &mut self.steps.parts[number].kinds;
        if kinds.len() <= at {
            kinds.resize(at + 1, UNKNOWN);
        }
        kinds[at] = kind;
        kind
    }

    /// The fields of words.
    pub(super) fn mask_of(&self, words: &[u64]) -> u64 {
        let mut mask = 0;
        for group in 0..self.shape.groups() {
            let mut range = self.shape.words(group);
            if !range.any(|word| words[word / 64] >> (word % 64) & 1 == 1) {
                continue;
            }
            let mut top = group;
            while self.shape.place(top).parent != NONE {
                top = self.shape.place(top).parent as usize;
            }
            mask |= self.shape.place(top).field.mask();
        }
        mask
    }

    /// Another shape, or other parts: starts anew.
    #[cold]
    fn learn_parts(&mut self, parts: &dyn Parts) {
        let width = self.shape.width();
        if !self.steps.only_skips && self.classes != parts.classes()[..width] {
            // A shape that keeps them apart is better.
            self.classes = parts.classes()[..width].to_vec();
            self.plan_anew();
        }
        let of_part = |number: usize| {
            let lead_word = parts.selector(number);
            let place = self.shape.place(self.shape.group_of(lead_word));
            let is_top =
                place.parent == NONE && !self.shape.is_word(self.shape.group_of(lead_word));
            let lead = is_top.then_some(place.field);
            Part { lead_word, lead, ..Part::default() }
        };
        self.steps.parts = (0..parts.len()).map(of_part).collect();
        let entries = self.steps.entries.len().max(FIRST_ENTRIES >> self.steps.hurry);
        let more = (entries - self.steps.entries.len()) * size_of::<Entry>();
        self.steps.is_given_up = self.bytes() + more > self.limit;
        if self.steps.is_given_up {
            return;
        }
        self.steps.forget(entries);
        self.steps.version = Some((parts.version(), self.shapes));
    }

    /// More entries for more states, if there is use for them.
    #[cold]
    fn grow_steps(&mut self) {
        let now = self.steps.entries.len();
        self.steps.next_growth =
            (self.roots.len() + self.roots.len() / 4).max(FIRST_GROWTH >> self.steps.hurry);
        if self.steps.used < now / 2 {
            return;
        }
        let most = (self.roots.len() / STATES_PER_ENTRY + 1).next_power_of_two() / 2;
        let entries = most.min(MOST_ENTRIES).min(now * 4);
        if entries <= now || self.bytes() + (entries - now) * size_of::<Entry>() > self.limit {
            return;
        }
        let old = std::mem::take(&mut self.steps.entries);
        let long = std::mem::take(&mut self.steps.long);
        self.steps.forget(entries);
        self.steps.long = long;
        for entry in old.into_iter().filter(|entry| entry.part != 0) {
            let place = place(&self.steps.entries, entry.part as usize - 1, entry.key);
            self.steps.used += usize::from(self.steps.entries[place].part == 0);
            self.steps.entries[place] = entry;
        }
    }
}

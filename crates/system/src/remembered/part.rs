//! What a part touches, by its control point, and whether it pays to look for its steps.

use lariat_core::{Parts, SystemId, SystemStore, Word};

use super::bits::Bits;
use super::factored::{Factored, Found};
use super::narrow::Narrow;
use super::quick::{BY_FACTORS, BY_KIND, LEFT_OUT, Quick};
use super::table::NO_KIND;

/// After so many look-ups a part is judged; if fewer than half were found, it is left alone for
/// so many times as many.
const TRIAL: u32 = 1 << 13;
const REST: u32 = 16 * TRIAL;
/// The same of look-ups by factors, which are not tried again in this shape.
const FACTOR_TRIAL: u32 = 1 << 13;
/// Values of a selector that masks are kept for.
const MOST_VALUES: usize = 1 << 16;

/// What a part touches: not worked out yet; nothing, as there are no steps; everything, so that
/// nothing is kept; that is told by its own fields (`narrow`); from here on, the mask of this number.
pub(super) const UNKNOWN: u8 = 0;
pub(super) const NO_STEPS: u8 = 1;
const WHOLE_STATE: u8 = 2;
const BY_OWN: u8 = 3;
pub(super) const FIRST_MASK: u8 = 4;

/// The factors of commands.
#[derive(Debug, Default)]
struct ByFactors {
    /// By the value of the control point: 0 if that was not looked at yet, or the place in the list behind.
    control_points: Vec<u16>,
    /// By the word that tells the control point.
    factored: Vec<(Word, Factoring)>,
    /// Look-ups in this trial, and those without success.
    tried: u32,
    missed: u32,
}

/// Whether steps are looked for by the factors of a command.
#[derive(Debug, Default)]
struct Factoring {
    /// They would be more if words were taken apart.
    is_coarse: bool,
    factors: Option<Box<Factored>>,
}

#[derive(Debug)]
pub(super) struct RememberedPart {
    /// The word that tells the control point.
    selector: usize,
    /// Where the value of that word is in a packed state, if it is in a field of few values.
    field: Option<Bits>,
    /// By that value: what is touched.
    kinds: Vec<u8>,
    /// The same for look-ups.
    quick: Quick,
    is_quick_by_own: bool,
    /// Where it depends on more than that value.
    narrow: Narrow,
    /// Different sets of fields, from [`FIRST_MASK`] on.
    masks: Vec<u64>,
    /// Whether steps are looked for by factors anywhere, and which.
    has_factors: bool,
    by_factors: Box<ByFactors>,
    /// By the same value, where there are no steps: the kind for reduction.
    waiting: Vec<u32>,
    /// Look-ups in this trial, and those without success.
    tried: u32,
    missed: u32,
    /// Look-ups that are left out.
    rest: u32,
}

impl RememberedPart {
    /// Of rows of so many bytes. None if the store does not pack states.
    pub(super) fn new<S: SystemStore>(selector: usize, bytes: usize, store: &S) -> Option<Self> {
        let mut of_selector = vec![0; bytes.div_ceil(64)];
        let first = selector * size_of::<Word>();
        of_selector[first / 64] = 0xF << (first % 64);
        let mask = store.fields(&of_selector)?.mask;
        let field = Bits::of(mask);
        let (kinds, masks, waiting) = (Vec::new(), Vec::new(), Vec::new());
        Some(RememberedPart {
            selector,
            field,
            kinds,
            quick: Quick::of(mask).unwrap_or_default(),
            is_quick_by_own: false,
            narrow: Narrow::default(),
            masks,
            has_factors: false,
            by_factors: Box::default(),
            waiting,
            tried: 0,
            missed: 0,
            rest: 0,
        })
    }

    /// Fields have got more bits, as `widened` says. What was learned stays: values have the numbers that they had, and keys
    /// are 0 in the new bits. False if that cannot be said.
    pub(super) fn widen(&mut self, widened: impl Fn(u64) -> Option<u64>) -> bool {
        if let Some(field) = &self.field {
            let Some(mask) = widened(field.mask) else { return false };
            self.field = Bits::of(mask);
        }
        self.by_factors.control_points.clear();
        self.by_factors.factored.clear();
        self.has_factors = false;
        let own = std::iter::once(&mut self.narrow.own).filter(|own| **own != 0);
        let is_known = self
            .masks
            .iter_mut()
            .chain(own)
            .all(|mask| widened(*mask).map(|wide| *mask = wide).is_some());
        self.begin_quick();
        is_known
    }

    /// Whether what is touched can be known in this shape.
    pub(super) fn has_field(&self) -> bool {
        self.field.is_some()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes_of_factors()
            + self.by_factors.control_points.capacity() * size_of::<u16>()
            + self.by_factors.factored.capacity() * size_of::<(Word, Factoring)>()
            + self.kinds.capacity()
            + self.quick.bytes()
            + self.narrow.bytes()
            + self.masks.capacity() * size_of::<u64>()
            + self.waiting.capacity() * size_of::<u32>()
    }

    pub(super) fn bytes_of_factors(&self) -> usize {
        let known =
            self.by_factors.factored.iter().filter_map(|(_, factoring)| factoring.factors.as_ref());
        known.map(|factors| factors.bytes()).sum()
    }

    /// The number of the control point, in this shape of the store.
    #[inline(always)]
    fn value(&self, packed: u64) -> Option<usize> {
        self.field.as_ref().map(|field| field.get(packed))
    }

    /// The kind of a part that has no steps at its control point, if it is known.
    #[inline]
    pub(super) fn waiting_kind(&self, packed: u64) -> Option<u32> {
        self.waiting.get(self.value(packed)?).copied().filter(|&kind| kind != NO_KIND)
    }

    pub(super) fn learn_waiting(&mut self, packed: u64, kind: u32) {
        let Some(value) = self.value(packed).filter(|&value| value < MOST_VALUES) else { return };
        if self.waiting.len() <= value {
            self.waiting.resize(value + 1, NO_KIND);
        }
        self.waiting[value] = kind;
    }

    /// What is touched in a state.
    #[inline(always)]
    pub(super) fn kind(&self, packed: u64) -> u8 {
        let of_value = |value| self.kinds.get(value).copied().unwrap_or(UNKNOWN);
        match self.value(packed).map_or(WHOLE_STATE, of_value) {
            BY_OWN => self.narrow.get(packed),
            kind => kind,
        }
    }

    #[inline(always)]
    pub(super) fn mask_of(&self, kind: u8) -> u64 {
        self.masks[(kind - FIRST_MASK) as usize]
    }

    /// The fields that are touched in a state, if they are looked for.
    #[inline(always)]
    pub(super) fn mask(&self, packed: u64) -> Option<u64> {
        self.known_mask(self.kind(packed))
    }

    #[inline(always)]
    pub(super) fn known_mask(&self, kind: u8) -> Option<u64> {
        (kind >= FIRST_MASK && self.rest == 0).then(|| self.mask_of(kind))
    }

    /// The same for a look-up.
    #[inline(always)]
    pub(super) fn try_mask(&mut self, kind: u8) -> Option<u64> {
        match self.known_mask(kind) {
            Some(mask) => {
                self.tried += 1;
                Some(mask)
            }
            None => {
                self.rest = self.rest.saturating_sub(1);
                None
            }
        }
    }

    /// A look-up was in vain.
    pub(super) fn miss(&mut self, hurry: u32) {
        self.missed += 1;
        if self.tried >= TRIAL >> hurry {
            if self.missed > self.tried / 2 {
                self.rest = REST >> hurry;
            }
            (self.tried, self.missed) = (0, 0);
        }
    }

    pub(super) fn rests(&self) -> bool {
        self.rest > 0
    }

    pub(super) fn rests_without_factors(&self) -> bool {
        self.rests() && !self.has_factors
    }

    /// What this part, of the given number, touches in a state. `worth`: its own fields are asked where some of their
    /// values leave so many bits less; never if there is none.
    pub(super) fn learn<S: SystemStore<Row = [Word]>>(
        &mut self,
        number: usize,
        packed: u64,
        id: SystemId,
        (parts, worth): (&dyn Parts, Option<u32>),
        store: &mut S,
    ) -> u8 {
        let known = self.kind(packed);
        // Without a field of the selector, nothing is known.
        let Some(at) = self.value(packed).filter(|_| known == UNKNOWN) else { return known };
        if at >= MOST_VALUES {
            return WHOLE_STATE;
        }
        let selector = store.load(id)[self.selector];
        if self.kinds.len() <= at {
            self.kinds.resize(at + 1, UNKNOWN);
        }
        if self.kinds[at] == UNKNOWN {
            self.kinds[at] = match parts.touched(number, selector) {
                Some(bytes) if bytes.iter().all(|&bits| bits == 0) => NO_STEPS,
                touched => {
                    let all = touched.and_then(|bytes| store.fields(bytes)).map(|it| it.mask);
                    let mut saved = || self.saved(number, selector, all, parts, store);
                    match worth.is_some_and(|worth| saved() >= Some(worth)) {
                        true => BY_OWN,
                        false => self.number_of(all),
                    }
                }
            };
        }
        if self.kinds[at] == BY_OWN {
            let touched = parts.touched_by_own(number, store.load(id));
            let mask = touched.and_then(|bytes| store.fields(&bytes)).map(|it| it.mask);
            let kind = self.number_of(mask);
            if self.narrow.put(packed, kind) {
                return kind;
            }
            let touched = parts.touched(number, selector);
            let all = touched.and_then(|bytes| store.fields(bytes)).map(|it| it.mask);
            self.kinds[at] = self.number_of(all);
        }
        self.kinds[at]
    }

    /// By the control point, and by what is the part's own if that has few values.
    fn begin_quick(&mut self) {
        let control = self.field.as_ref().map_or(0, |field| field.mask);
        let by_own = Quick::of(control | self.narrow.own);
        self.is_quick_by_own = by_own.is_some();
        self.quick = by_own.or_else(|| Quick::of(control)).unwrap_or_default();
    }

    /// The fields that are touched in a state, for a look-up; none if none is made, [`LEFT_OUT`] or [`BY_FACTORS`].
    #[inline(always)]
    pub(super) fn looked_for(&mut self, packed: u64) -> Option<u64> {
        let known = self.quick.get(packed);
        if known == BY_KIND || self.rest > 0 {
            return self.looked_for_by_kind(packed);
        }
        self.tried += u32::from(known < BY_FACTORS);
        Some(known)
    }

    #[inline]
    fn looked_for_by_kind(&mut self, packed: u64) -> Option<u64> {
        if self.factors(packed).is_some() {
            self.quick.put(packed, BY_FACTORS);
            return Some(BY_FACTORS);
        }
        let by_control = self.value(packed).and_then(|value| self.kinds.get(value));
        let is_quick = by_control != Some(&BY_OWN) || self.is_quick_by_own;
        let mask = match self.kind(packed) {
            NO_STEPS => LEFT_OUT,
            kind => self.try_mask(kind).filter(|&mask| mask < BY_FACTORS)?,
        };
        if is_quick {
            self.quick.put(packed, mask);
        }
        Some(mask)
    }

    /// Where the factors of the command at this control point are; none if that was not looked at.
    #[inline]
    pub(super) fn place_of_factors(&self, packed: u64) -> Option<usize> {
        let places = &self.by_factors.control_points;
        let place = self.value(packed).and_then(|value| places.get(value).copied());
        usize::from(place?).checked_sub(1)
    }

    /// Whether the place of factors can be known.
    pub(super) fn can_look_for_factors(&self, packed: u64) -> bool {
        self.value(packed).is_some_and(|value| value < MOST_VALUES)
    }

    /// The factors at a place, if steps are looked for by them.
    #[inline]
    pub(super) fn factors_at(&mut self, place: usize) -> Option<&mut Factored> {
        self.by_factors.factored[place].1.factors.as_deref_mut()
    }

    /// The factors of the only command at this control point, if steps are looked for by them.
    #[inline]
    pub(super) fn factors(&mut self, packed: u64) -> Option<&mut Factored> {
        if !self.has_factors {
            return None;
        }
        let place = self.place_of_factors(packed)?;
        self.factors_at(place)
    }

    /// What factors tell of the step in a state, if it is looked for by them.
    #[inline]
    pub(super) fn by_factors(&mut self, packed: u64) -> Option<Found> {
        self.factors(packed).map(|factors| factors.find(packed))
    }

    /// The same for a look-up.
    #[inline]
    pub(super) fn try_factors(&mut self, packed: u64) -> Found {
        self.by_factors.tried += 1;
        self.by_factors(packed).unwrap_or(Found::Unknown)
    }

    /// It was in vain. False if that is so too often.
    pub(super) fn miss_factors(&mut self, hurry: u32) -> bool {
        self.by_factors.missed += 1;
        if self.by_factors.tried < FACTOR_TRIAL >> (hurry / 2) {
            return true;
        }
        let pays = self.by_factors.missed <= self.by_factors.tried / 2;
        (self.by_factors.tried, self.by_factors.missed) = (0, 0);
        pays
    }

    /// Whether the factors at a place would be more in another shape.
    pub(super) fn is_coarse(&self, place: usize) -> bool {
        self.by_factors.factored[place].1.is_coarse
    }

    /// Whether the factors of its command are known from another state with the same control point.
    pub(super) fn knows_factors(&mut self, packed: u64, row: &[Word]) -> bool {
        let known = &self.by_factors.factored;
        let place = known.iter().position(|(word, _)| *word == row[self.selector]);
        place.is_some_and(|place| {
            self.note_factors(packed, place);
            true
        })
    }

    /// Where the factors of the command at this control point are.
    fn note_factors(&mut self, packed: u64, place: usize) {
        let Some(at) = self.value(packed).filter(|&value| value < MOST_VALUES) else { return };
        let places = &mut self.by_factors.control_points;
        if places.len() <= at {
            places.resize(at + 1, 0);
        }
        places[at] = u16::try_from(place + 1).unwrap_or(0);
    }

    /// Looks whether this part, of the given number, has factors where the word of its control point is this, and whether they are worth it: with keys so
    /// many bits shorter, and in `room` bytes.
    pub(super) fn find_factors<S: SystemStore<Row = [Word]>>(
        &mut self,
        (number, selector): (usize, Word),
        packed: u64,
        parts: &dyn Parts,
        (worth, hurry, room): (u32, u32, usize),
        store: &S,
    ) {
        let all = parts.touched(number, selector).and_then(|bytes| store.fields(bytes));
        let all = all.map_or(u64::BITS, |fields| fields.mask.count_ones());
        let factors = parts.factors(number, selector).unwrap_or_default();
        let (found, is_coarse) = Factored::of(&factors, self.selector, hurry, store);
        let is_worth = |found: &Factored| found.most_bits() + worth <= all && found.bytes() <= room;
        let factors = found.filter(is_worth).map(Box::new);
        self.has_factors |= factors.is_some();
        let known = &mut self.by_factors.factored;
        known.push((selector, Factoring { is_coarse, factors }));
        let place = known.len() - 1;
        self.note_factors(packed, place);
    }

    /// Steps are not looked for by factors any more.
    #[cold]
    pub(super) fn give_up_factors(&mut self) {
        self.has_factors = false;
        self.by_factors.factored.iter_mut().for_each(|(_, factoring)| factoring.factors = None);
        self.begin_quick();
    }

    /// How many bits less than `all` some values of the part's own fields leave at this control point; none if
    /// they tell nothing.
    fn saved<S: SystemStore>(
        &mut self,
        number: usize,
        selector: Word,
        all: Option<u64>,
        parts: &dyn Parts,
        store: &S,
    ) -> Option<u32> {
        let narrowing = parts.narrowing(number, selector)?;
        let least = store.fields(&narrowing.least)?.mask;
        self.narrow.own = store.fields(&narrowing.own)?.mask;
        self.begin_quick();
        all.map_or(u64::BITS, u64::count_ones).checked_sub(least.count_ones())
    }

    /// The number of a mask; none is everything.
    fn number_of(&mut self, mask: Option<u64>) -> u8 {
        let Some(mask) = mask else { return WHOLE_STATE };
        let known = self.masks.iter().position(|&known| known == mask);
        let at = known.unwrap_or_else(|| {
            self.masks.push(mask);
            self.masks.len() - 1
        });
        u8::try_from(at + FIRST_MASK as usize).unwrap_or(WHOLE_STATE)
    }
}

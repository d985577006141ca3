//! What a part touches, by its control point, and whether it pays to look for its steps.

use lariat_core::{Parts, SystemId, SystemStore, Word};

use super::bits::Bits;
use super::narrow::Narrow;
use super::quick::{BY_KIND, LEFT_OUT, Quick};
use super::table::NO_KIND;

/// After so many look-ups a part is judged; if fewer than half were found, it is left alone for
/// so many times as many.
const TRIAL: u32 = 1 << 13;
const REST: u32 = 16 * TRIAL;
/// Values of a selector that masks are kept for.
const MOST_VALUES: usize = 1 << 16;

/// What a part touches: not worked out yet; nothing, as there are no steps; everything, so that
/// nothing is kept; that is told by its own fields (`narrow`); from here on, the mask of this number.
pub(super) const UNKNOWN: u8 = 0;
pub(super) const NO_STEPS: u8 = 1;
const WHOLE_STATE: u8 = 2;
const BY_OWN: u8 = 3;
pub(super) const FIRST_MASK: u8 = 4;

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
        self.kinds.capacity()
            + self.quick.bytes()
            + self.narrow.bytes()
            + self.masks.capacity() * size_of::<u64>()
            + self.waiting.capacity() * size_of::<u32>()
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

    /// The fields that are touched in a state, for a look-up; none if none is made, or [`LEFT_OUT`].
    #[inline(always)]
    pub(super) fn looked_for(&mut self, packed: u64) -> Option<u64> {
        let known = self.quick.get(packed);
        if known == BY_KIND || self.rest > 0 {
            return self.looked_for_by_kind(packed);
        }
        self.tried += u32::from(known != LEFT_OUT);
        Some(known)
    }

    #[inline]
    fn looked_for_by_kind(&mut self, packed: u64) -> Option<u64> {
        let by_control = self.value(packed).and_then(|value| self.kinds.get(value));
        let is_quick = by_control != Some(&BY_OWN) || self.is_quick_by_own;
        let mask = match self.kind(packed) {
            NO_STEPS => LEFT_OUT,
            kind => self.try_mask(kind).filter(|&mask| mask != LEFT_OUT)?,
        };
        if is_quick {
            self.quick.put(packed, mask);
        }
        Some(mask)
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

//! The step of a part whose only command falls into factors (`Parts::factors`): what each of them does is kept by its own fields.
//!
//! By all fields that the part touches, its step may be known in hardly any state. A factor touches few of them, and what it does
//! (it allows the step and changes some bits, or forbids it) is soon known for all of their values. If all allow, the step changes what they change
//! together; if one forbids, there is none. No row and no model is asked.
//!
//! That is right because of the following, besides what [`super`] says of fields:
//! - Whether a factor allows depends on bytes that lie in the fields it is kept by. So do the bits that it changes: they are in
//!   fields of bytes that it writes, and no factor that is kept apart from it changes these fields ([`joined`]), so behind the step they hold what
//!   this factor makes of them.
//! - A step that was computed tells that all factors allowed, and which bits of its own each has changed. All bits that it has changed belong to some
//!   factor; that is looked at, and where it is not so, nothing is kept any more.
//! - That there was no step tells that one with a condition forbids. Which one is known only where all others are known to allow.
//! - Who takes part in the step, and who could, is the same whenever there is one, and nobody if there is none; but those to whom fairness is not
//!   asked count as taking part, as far as they are there. That is told by the header, which a factor is kept by: so where it is another one, a step
//!   is computed first, and if others take part, nothing is kept any more.
//! - The word of the control point is the same wherever these factors are asked, so whoever does not change it need not be kept by it.
//! - If fields get more bits, factors are found anew, by the fields as they are then.
//!
//! A factor of few values costs one look at a small list, so those beside each other are kept as one as long as that list is small.

use lariat_core::{Factor, Marks, SystemStore, Word, makes_mistake};

use super::bits::Bits;

/// Fields of a factor with more bits have too many values; those of factors that are kept as one have this many at most.
const MOST_BITS: u32 = 12;
const JOINED_BITS: u32 = 9;
/// What is known of a factor with these values, instead of the bits that it changes: nothing; that it forbids the step.
const UNKNOWN: u64 = u64::MAX;
const FORBIDS: u64 = u64::MAX - 1;

/// What is known of the step in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// It changes these bits.
    Step(u64),
    NoStep,
    Unknown,
}

#[derive(Debug)]
pub(super) struct Factored {
    factors: Vec<Kept>,
    /// Who takes part in the step, and who could; none if no step was seen.
    moved: Option<(Marks, u64)>,
}

/// A factor, or several that are kept as one.
#[derive(Debug)]
struct Kept {
    fields: Bits,
    /// The bits that it may change.
    written: u64,
    has_condition: bool,
    /// By the value of its fields.
    known: Vec<u64>,
}

impl Factored {
    /// `selector`: the word that tells the control point, which is the same whenever this is asked. `hurry`: not for the
    /// sake of speed. None if the factors have too many values; and whether some are kept as one because they write the same fields, though not
    /// the same bytes.
    pub(super) fn of<S: SystemStore<Row = [Word]>>(
        factors: &[Factor],
        selector: usize,
        hurry: u32,
        store: &S,
    ) -> (Option<Self>, bool) {
        let fields = |bytes: &[u64]| store.fields(bytes).map(|fields| fields.mask);
        let masks = |factor: &Factor| {
            let touched = fields(&without_word(&factor.touched, selector))?;
            let written = fields(&factor.written)?;
            // Whoever writes a field is kept by it.
            let touched = touched | written;
            Some(Masks { touched, written, has_condition: factor.has_condition })
        };
        let Some(masks) = factors.iter().map(masks).collect::<Option<Vec<Masks>>>() else {
            return (None, false);
        };
        let apart = apart(masks);
        let is_coarse = apart.len() < factors.len();
        let most = if hurry > 0 { 0 } else { JOINED_BITS };
        let kept = |Masks { touched, written, has_condition }| {
            let is_small = touched.count_ones() <= MOST_BITS;
            is_small.then(|| Kept {
                fields: Bits::of(touched).expect("few values"),
                written,
                has_condition,
                known: vec![UNKNOWN; 1 << touched.count_ones()],
            })
        };
        let joined = joined(apart, most);
        let factors: Option<Vec<Kept>> = joined.into_iter().map(kept).collect();
        let several = factors.filter(|factors| factors.len() > 1);
        (several.map(|factors| Factored { factors, moved: None }), is_coarse)
    }

    /// Bits of the longest key.
    pub(super) fn most_bits(&self) -> u32 {
        self.factors.iter().map(|factor| factor.fields.mask.count_ones()).max().unwrap_or(0)
    }

    pub(super) fn bytes(&self) -> usize {
        let known = |factor: &Kept| factor.known.capacity() * size_of::<u64>();
        self.factors.iter().map(known).sum::<usize>()
            + self.factors.capacity() * size_of::<Kept>()
            + size_of::<Self>()
    }

    /// What is known in a state.
    #[inline]
    pub(super) fn find(&self, packed: u64) -> Found {
        let (mut change, mut is_known) = (0, true);
        for factor in &self.factors {
            match factor.known[factor.fields.get(packed)] {
                FORBIDS => return Found::NoStep,
                UNKNOWN => is_known = false,
                bits => change |= bits,
            }
        }
        match is_known {
            true => Found::Step(change),
            false => Found::Unknown,
        }
    }

    /// What the marks of the step are made from.
    pub(super) fn moved(&self) -> (Marks, u64) {
        self.moved.unwrap_or_default()
    }

    /// The state with this change was the only successor. False if factors are not what they should be.
    #[cold]
    pub(super) fn learn_step(&mut self, packed: u64, change: u64, moved: (Marks, u64)) -> bool {
        let all = self.factors.iter().fold(0, |all, factor| all | factor.written);
        let is_as_before = *self.moved.get_or_insert(moved) == moved;
        debug_assert_eq!(change & !all, 0, "a step changes what none of its factors writes");
        if !is_as_before || change & !all != 0 {
            return false;
        }
        for factor in &mut self.factors {
            let known = &mut factor.known[factor.fields.get(packed)];
            let is_same = *known == UNKNOWN || *known == change & factor.written;
            debug_assert!(is_same, "a factor does something else in another state");
            if !is_same {
                return false;
            }
            *known = change & factor.written;
        }
        if makes_mistake("factors-lost") {
            let last = self.factors.last_mut().expect("several factors");
            last.known[last.fields.get(packed)] = 0;
        }
        true
    }

    /// There was no successor. What was not looked for by factors may be known to be forbidden already: then it tells nothing of others.
    #[cold]
    pub(super) fn learn_no_step(&mut self, packed: u64) {
        if self.find(packed) == Found::NoStep && !makes_mistake("factors-known") {
            return;
        }
        let is_suspect = |factor: &&mut Kept| {
            factor.has_condition && factor.known[factor.fields.get(packed)] == UNKNOWN
        };
        let mut suspects = self.factors.iter_mut().filter(is_suspect);
        if let Some(factor) = suspects.next()
            && (suspects.next().is_none() || makes_mistake("factors-suspect"))
        {
            factor.known[factor.fields.get(packed)] = FORBIDS;
        }
    }
}

/// A factor by the fields that it touches and those that it writes.
#[derive(Clone, Copy, Debug, Default)]
struct Masks {
    touched: u64,
    written: u64,
    has_condition: bool,
}

impl Masks {
    fn with(self, other: Masks) -> Masks {
        Masks {
            touched: self.touched | other.touched,
            written: self.written | other.written,
            has_condition: self.has_condition || other.has_condition,
        }
    }
}

/// Those that write the same fields joined.
fn apart(factors: Vec<Masks>) -> Vec<Masks> {
    let mut apart: Vec<Masks> = Vec::new();
    for mut factor in factors {
        apart.retain(|&other| {
            let is_apart = other.written & factor.written == 0 || makes_mistake("factors-field");
            if !is_apart {
                factor = factor.with(other);
            }
            is_apart
        });
        apart.push(factor);
    }
    apart
}

/// Bytes, as bits, without those of a word.
fn without_word(bytes: &[u64], word: usize) -> Vec<u64> {
    let mut bytes = bytes.to_vec();
    let first = word * size_of::<Word>();
    bytes[first / 64] &= !(0xF << (first % 64));
    bytes
}

/// Those beside each other joined, while they have `most` bits or fewer.
fn joined(mut factors: Vec<Masks>, most: u32) -> Vec<Masks> {
    factors.sort_by_key(|factor| factor.touched.trailing_zeros());
    let mut joined: Vec<Masks> = Vec::new();
    for factor in factors {
        let is_small = |both: Masks| both.touched.count_ones() <= most;
        match joined.last_mut().filter(|last| is_small(last.with(factor))) {
            Some(last) => *last = last.with(factor),
            None => joined.push(factor),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(touched: u64, written: u64, has_condition: bool) -> Masks {
        Masks { touched, written, has_condition }
    }

    fn kept(factors: &[Masks]) -> Factored {
        let kept = |&Masks { touched, written, has_condition }: &Masks| Kept {
            fields: Bits::of(touched).expect("few values"),
            written,
            has_condition,
            known: vec![UNKNOWN; 1 << touched.count_ones()],
        };
        Factored { factors: factors.iter().map(kept).collect(), moved: None }
    }

    #[test]
    fn factors_of_one_field_are_one() {
        let given =
            [factor(0xF, 0xF, true), factor(0xFF, 0xF0, false), factor(0x1F0, 0x1F0, false)];
        let together = apart(given.to_vec());
        let masks: Vec<_> = together.iter().map(|it| (it.touched, it.written)).collect();
        assert_eq!(masks, [(0xF, 0xF), (0x1FF, 0x1F0)]);
        // What is only read may be read by others.
        assert_eq!(apart(vec![factor(0x1F, 0xF, true), factor(0x30, 0x20, true)]).len(), 2);
    }

    #[test]
    fn small_neighbours_are_kept_as_one() {
        let given = [factor(0x7 << 40, 0, true), factor(0xF, 0xF, false), factor(0xF0, 0, false)];
        let masks = |most| {
            let joined = joined(given.to_vec(), most);
            joined.iter().map(|it| (it.touched, it.has_condition)).collect::<Vec<_>>()
        };
        assert_eq!(masks(8), [(0xFF, false), (0x7 << 40, true)]);
        assert_eq!(masks(11), [(0xFF | 0x7 << 40, true)]);
        assert_eq!(masks(0).len(), 3);
    }

    /// Two counters of four values, of which a step needs one below 3 and adds one to both.
    #[test]
    fn a_step_is_known_by_its_factors() {
        let mut known = kept(&[factor(0x3, 0x3, true), factor(0x30, 0x30, true)]);
        let moved = Default::default();
        assert_eq!(known.find(0x00), Found::Unknown);
        // Which of the two forbids is not known.
        known.learn_no_step(0x33);
        assert_eq!(known.find(0x33), Found::Unknown);
        assert!(known.learn_step(0x00, 0x11, moved) && known.learn_step(0x11, 0x33, moved));
        assert_eq!(known.find(0x10), Found::Step(0x31));
        assert_eq!(known.find(0x01), Found::Step(0x13));
        known.learn_no_step(0x13);
        assert_eq!(known.find(0x03), Found::NoStep);
        assert_eq!(known.find(0x23), Found::NoStep);
        // One is known to forbid it: nothing is learned of the other one.
        known.learn_no_step(0x23);
        assert_eq!(known.find(0x20), Found::Unknown);
        known.learn_no_step(0x30);
        assert_eq!(known.find(0x31), Found::NoStep);
        // What is not as it was before is not kept.
        let others = (Marks(1), 0);
        assert!(!known.learn_step(0x00, 0x11, others));
        assert!(known.learn_step(0x02, 0x11, moved));
    }
}

//! What a part touches, for a look-up: by one number from the fields that decide it.
//!
//! What a part touches depends on the fields of its control point and on those of its own variables (`part`, `narrow`). So a mask that was found
//! in one state is that of all states that agree in these fields. When fields get more bits, everything is found anew.

use super::bits::Bits;
use lariat_core::makes_mistake;

/// Instead of a mask: there are no steps to look for; they are looked for by factors. Both are above all masks that are used.
pub(super) const LEFT_OUT: u64 = u64::MAX;
pub(super) const BY_FACTORS: u64 = u64::MAX - 1;
/// Not known: the kind tells.
pub(super) const BY_KIND: u64 = 0;
/// Fields with more bits have too many values.
const MOST_BITS: u32 = 12;

#[derive(Debug, Default)]
pub(super) struct Quick {
    field: Option<Bits>,
    /// By the value of these fields; no mask is 0, as the control point is in it.
    masks: Vec<u64>,
}

impl Quick {
    /// By these fields; none if they have too many bits.
    pub(super) fn of(fields: u64) -> Option<Self> {
        if !(1..=MOST_BITS).contains(&fields.count_ones()) {
            return None;
        }
        let lost = if makes_mistake("steps-quick") { fields & fields.wrapping_neg() } else { 0 };
        Some(Quick { field: Bits::of(fields & !lost), masks: Vec::new() })
    }

    pub(super) fn bytes(&self) -> usize {
        self.masks.capacity() * size_of::<u64>()
    }

    #[inline(always)]
    pub(super) fn get(&self, packed: u64) -> u64 {
        let value = self.field.as_ref().map(|field| field.get(packed));
        value.and_then(|value| self.masks.get(value)).copied().unwrap_or(BY_KIND)
    }

    #[cold]
    pub(super) fn put(&mut self, packed: u64, mask: u64) {
        let Some(value) = self.field.as_ref().map(|field| field.get(packed)) else { return };
        if self.masks.len() <= value {
            self.masks.resize(value + 1, BY_KIND);
        }
        self.masks[value] = mask;
    }
}

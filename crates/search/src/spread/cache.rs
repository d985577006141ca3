//! What was said lately to other workers: saying it again would change nothing.
//!
//! Only for what a search says once and for all within a pass ([`Say::Once`](super::pass::Say)). The cache forgets, and never invents: a slot holds the whole key and a
//! tag, and both are compared.

use std::hint::black_box;

use super::parts::mix;

const SLOTS: usize = 1 << 16;

pub(super) struct Lately(Vec<(u64, u64)>);

/// No tag is this.
const NOTHING: (u64, u64) = (0, u64::MAX);

impl Lately {
    pub(super) fn new() -> Self {
        Lately(vec![NOTHING; SLOTS])
    }

    pub(super) fn forget(&mut self) {
        self.0.fill(NOTHING);
    }

    /// What will be asked soon is on its way from memory: a block of states waits once for all of its slots, not for each.
    #[inline]
    pub(super) fn expect(&self, keys: &[u64]) {
        let slot = |&key: &u64| self.0[mix(key) as usize & (SLOTS - 1)].0;
        black_box(keys.iter().map(slot).fold(0, u64::wrapping_add));
    }

    /// Whether this was said lately; now it was.
    #[inline(always)]
    pub(super) fn is_repeated(&mut self, key: u64, tag: u64) -> bool {
        debug_assert!(tag != NOTHING.1);
        let slot = &mut self.0[mix(key) as usize & (SLOTS - 1)];
        std::mem::replace(slot, (key, tag)) == (key, tag)
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.len() * size_of::<(u64, u64)>()
    }
}

//! When a tree does what makes it smaller or faster. No id and no row depends on it.

/// So many states are enough to plan a shape for millions.
const FIRST_PLAN: usize = 1 << 13;

#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// The number of states at which a shape is planned first; `usize::MAX` is never.
    pub first_plan: usize,
    /// Where threads share a tree, and roots have more bits than this, pairs are made of their parts, if there are two. Less than 64
    /// lets small models of a test come to that.
    pub most_bits: u32,
}

impl Tuning {
    /// Shapes are planned from less than is good for them, so that small models of a test come to
    /// groups that are too small, as large models do.
    pub fn is_early(self) -> bool {
        self.first_plan < FIRST_PLAN
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning { first_plan: FIRST_PLAN, most_bits: u64::BITS }
    }
}

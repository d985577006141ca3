//! When a tree does what makes it smaller or faster. No id and no row depends on it.

/// So many states are enough to plan a shape for millions.
const FIRST_PLAN: usize = 1 << 13;

#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// The number of states at which a shape is planned first; `usize::MAX` is never.
    pub first_plan: usize,
    pub remembers_steps: bool,
}

impl Tuning {
    /// Shapes are planned from less than is good for them, so that small models of a test come to
    /// groups that are too small, trials in vain and crowded tables as large models do.
    pub(super) fn is_early(self) -> bool {
        self.first_plan < FIRST_PLAN
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning { first_plan: FIRST_PLAN, remembers_steps: true }
    }
}

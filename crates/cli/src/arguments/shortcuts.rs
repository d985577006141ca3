//! Which shortcuts a check may take.

use clap::ValueEnum;
use lariat_model::shortcuts::Shortcuts;

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Allowed {
    /// Reductions of the state space that keep every verdict
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "fold,dead,merge",
        value_name = "LIST"
    )]
    shortcuts: Vec<Pass>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Pass {
    All,
    None,
    /// Compute constant expressions once
    Fold,
    /// Leave out what no guard, message or property depends on. Off by default, because it drops
    /// counters that nobody reads
    Slice,
    /// Set local variables to 0 when nobody reads them again
    Dead,
    /// Let a process continue at once after a local step
    Merge,
}

impl Allowed {
    pub(crate) fn which(&self) -> Shortcuts {
        let has = |pass| self.shortcuts.iter().any(|given| [pass, Pass::All].contains(given));
        match self.shortcuts.contains(&Pass::None) {
            true => Shortcuts::NONE,
            false => Shortcuts {
                fold: has(Pass::Fold),
                slice: has(Pass::Slice),
                dead_variables: has(Pass::Dead),
                merge: has(Pass::Merge),
            },
        }
    }
}

//! Where a search is, for its checkpoints.

use lariat_core::Broken;

/// Which pass is at hand, and what those before it have said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stage {
    pub(super) step: Step,
    /// States of S before the round.
    pub(super) size: u64,
    /// Those that can be reached from all marks.
    pub(super) reached: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Exits,
    Count,
    First,
    Predecessors,
    Eliminate,
    Again,
}

const STEPS: [Step; 6] =
    [Step::Exits, Step::Count, Step::First, Step::Predecessors, Step::Eliminate, Step::Again];

impl Stage {
    pub(super) fn begin(step: Step) -> Stage {
        Stage { step, size: 0, reached: 0 }
    }

    /// Whether the search has this pass.
    pub(super) fn is_one_of(self, steps: &[Step]) -> Result<(), Broken> {
        let what = "the checkpoint is in a pass that this search has not".to_owned();
        steps.contains(&self.step).then_some(()).ok_or(Broken { what })
    }

    pub(super) fn write(self) -> [u64; 3] {
        let step = STEPS.iter().position(|&step| step == self.step);
        [step.expect("all are there") as u64, self.size, self.reached]
    }

    pub(super) fn read([step, size, reached]: [u64; 3]) -> Result<Stage, Broken> {
        match usize::try_from(step).ok().and_then(|step| STEPS.get(step)) {
            Some(&step) => Ok(Stage { step, size, reached }),
            None => Err(Broken { what: "the checkpoint is in no known pass".to_owned() }),
        }
    }
}

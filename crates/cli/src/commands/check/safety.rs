//! Safety: which questions about states are asked.

use lariat_search::safety::Condition;
use lariat_syntax::diagnostics::Diagnostic;
use lariat_verify::safety::{Errors, StateProperty};
use lariat_verify::saved::{ConditionOptions, SafetyOptions, SavedOptions};
use lariat_verify::{Kind, Loaded};

#[derive(clap::Args, Clone, Debug)]
pub(super) struct SafetyArgs {
    /// Promela: do not report invalid end states (`pan -E`)
    #[arg(long, conflicts_with = "deadlock")]
    no_deadlock: bool,
    /// DVE: report states without successors
    #[arg(long)]
    deadlock: bool,
    /// Do not check assertions (`pan -A`)
    #[arg(long)]
    no_assert: bool,
    /// Promela: an end state is invalid if a channel still holds a message (`pan -q`)
    #[arg(long)]
    empty_channels: bool,
    /// Check that this expression is true in every state, besides safety
    #[arg(long, value_name = "EXPR")]
    invariant: Vec<String>,
    /// Look for a state in which this expression is true, besides safety. Shows a run to it (exit
    /// code 1), or says that there is none
    #[arg(long, value_name = "EXPR")]
    reach: Vec<String>,
}

impl SafetyArgs {
    pub(super) fn errors(&self) -> Errors {
        Errors {
            no_deadlock: self.no_deadlock,
            deadlock: self.deadlock,
            no_assert: self.no_assert,
            empty_channels: self.empty_channels,
        }
    }

    /// What is asked about states: safety, then each condition for itself. What is wrong with the
    /// conditions.
    pub(super) fn properties(
        &self,
        loaded: &mut Loaded,
        with_safety: bool,
    ) -> Result<Vec<StateProperty>, Vec<Diagnostic>> {
        let mut found = Vec::new();
        if with_safety {
            let name = "safety".to_owned();
            found.push(StateProperty { name, kind: Kind::Safety, condition: None });
        }
        for (kind, texts) in [(Kind::Invariant, &self.invariant), (Kind::Reach, &self.reach)] {
            let option = format!("--{}", kind.name());
            for (number, text) in texts.iter().enumerate() {
                let expr = loaded.expression(&option, text)?;
                let condition = Condition { expr, wanted: kind == Kind::Invariant };
                let name = format!("{option}#{}", number + 1);
                found.push(StateProperty {
                    name,
                    kind,
                    condition: Some((condition, text.clone())),
                });
            }
        }
        Ok(found)
    }

    /// What was looked for, in a saved run.
    pub(super) fn saved(&self, property: &StateProperty) -> SavedOptions {
        match property.text() {
            Some(condition) => SavedOptions::Condition(ConditionOptions { condition }),
            None => SavedOptions::Safety(SafetyOptions {
                no_deadlock: self.no_deadlock,
                deadlock: self.deadlock,
                no_assert: self.no_assert,
                empty_channels: self.empty_channels,
            }),
        }
    }

    /// An option that was given and decides what safety means.
    pub(super) fn changes_meaning(&self) -> Option<&'static str> {
        let given = [
            (self.no_deadlock, "--no-deadlock"),
            (self.deadlock, "--deadlock"),
            (self.no_assert, "--no-assert"),
            (self.empty_channels, "--empty-channels"),
        ];
        given.into_iter().find(|&(given, _)| given).map(|(_, option)| option)
    }
}

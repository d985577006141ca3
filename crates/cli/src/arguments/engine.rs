//! Who computes the successors of a model's states, and where these are kept.

use clap::ValueEnum;
use lariat_verify::engine::{self, Engine};

use super::FOR_TESTS;

#[derive(clap::Args, Clone, Debug)]
#[group(id = "engine")]
pub(crate) struct Args {
    /// How to store the states of the model
    #[arg(long, value_enum, default_value = "tree", value_name = "STORE")]
    system_store: SystemStore,
    /// Compute successors with the interpreter instead of native code
    #[arg(long)]
    interpret: bool,
    #[command(flatten)]
    tests: ForTests,
}

/// What is faster, switched off; and what large models come to, early. Answers are the same, which
/// tests want to see on small models (docs/net.md).
#[derive(clap::Args, Clone, Debug)]
struct ForTests {
    /// Make native code after the interpreter has expanded N states
    #[arg(long, value_name = "N", conflicts_with = "interpret",
          hide_short_help = true, help_heading = FOR_TESTS)]
    native_after: Option<u64>,
    /// Make special code for the processes that there are after N states were expanded by code
    /// for any
    #[arg(long, value_name = "N", conflicts_with = "interpret",
          hide_short_help = true, help_heading = FOR_TESTS)]
    special_after: Option<u64>,
    /// Plan the shape of trees when there are N states
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = FOR_TESTS)]
    plan_after: Option<usize>,
    /// Keep trees in the shape that they begin with
    #[arg(long, conflicts_with = "plan_after", hide_short_help = true, help_heading = FOR_TESTS)]
    no_plan: bool,
    /// Do not remember the steps of processes: compute all successors of every state
    #[arg(long, hide_short_help = true, help_heading = FOR_TESTS)]
    no_remembered_steps: bool,
    /// Trees: pretend that ids of 32 bits are enough for N states only
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = FOR_TESTS)]
    narrow_ids: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum SystemStore {
    /// As trees with shared parts, which takes less memory
    Tree,
    /// Each state in full
    Flat,
}

impl Args {
    pub(crate) fn engine(&self) -> Engine {
        let ForTests { native_after, special_after, plan_after, no_plan, .. } = self.tests;
        Engine {
            system_store: match self.system_store {
                SystemStore::Tree => engine::SystemStore::Tree,
                SystemStore::Flat => engine::SystemStore::Flat,
            },
            interpret: self.interpret,
            native_after,
            special_after,
            plan_after: if no_plan { Some(usize::MAX) } else { plan_after },
            no_remembered_steps: self.tests.no_remembered_steps,
            narrow_ids: self.tests.narrow_ids,
        }
    }
}

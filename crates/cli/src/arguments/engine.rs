//! Who computes the successors of a model's states, and where these are kept.

use clap::ValueEnum;
use lariat_verify::engine::{self, Engine, EngineSwitches};

use super::FOR_TESTS;
use super::switches::Given;
use crate::spread;

#[derive(clap::Args, Clone, Debug)]
#[group(id = "engine")]
pub(crate) struct Args {
    /// How to store the states of the model
    #[arg(long, value_enum, default_value = "tree", value_name = "STORE")]
    system_store: SystemStore,
    #[command(flatten)]
    switches: Given<EngineSwitches>,
    #[command(flatten)]
    tests: ForTests,
}

/// What large models come to, early. Answers are the same, which tests want to see on small models
/// (docs/net.md).
#[derive(clap::Args, Clone, Debug)]
struct ForTests {
    /// Make native code after the interpreter has expanded N states
    #[arg(long, value_name = "N", conflicts_with = "--interpret",
          hide_short_help = true, help_heading = FOR_TESTS)]
    native_after: Option<u64>,
    /// Make special code for the processes that there are after N states were expanded by code
    /// for any
    #[arg(long, value_name = "N", conflicts_with = "--interpret",
          hide_short_help = true, help_heading = FOR_TESTS)]
    special_after: Option<u64>,
    /// Plan the shape of trees when there are N states
    #[arg(long, value_name = "N", conflicts_with = "--no-plan",
          hide_short_help = true, help_heading = FOR_TESTS)]
    plan_after: Option<usize>,
    /// States without numbers: make pairs of their parts where these need more than N bits
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = FOR_TESTS)]
    root_bits: Option<u32>,
    /// Trees: pretend that ids of 32 bits are enough for N states only
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = FOR_TESTS)]
    narrow_ids: Option<usize>,
    /// Where nobody needs the numbers of states, go on without them when there are N
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = FOR_TESTS)]
    set_after: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum SystemStore {
    /// As trees with shared parts, which takes less memory
    Tree,
    /// Each state in full
    Flat,
}

impl Args {
    /// For so many threads, or as many as there are cores.
    pub(crate) fn engine(&self, threads: Option<usize>) -> Engine {
        let ForTests { native_after, special_after, plan_after, root_bits, narrow_ids, set_after } =
            self.tests;
        Engine {
            system_store: match self.system_store {
                SystemStore::Tree => engine::SystemStore::Tree,
                SystemStore::Flat => engine::SystemStore::Flat,
            },
            switches: self.switches.0,
            native_after,
            special_after,
            plan_after,
            root_bits,
            narrow_ids,
            set_after,
            threads,
            spread: spread::current(),
        }
    }
}

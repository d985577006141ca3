//! Who computes the successors of a model's states, and where these are kept.

use clap::ValueEnum;
use lariat_codegen::NativeSpace;
use lariat_core::FlatArena;
use lariat_model::explore::{Exploration, ExploreOptions, Progress, explore_rows};
use lariat_model::interp::{Fault, ModelSpace};
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::ModelSteps;
use lariat_store::{Exact, Tree, Tuning};

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Engine {
    /// How to store the states of the model
    #[arg(long, value_enum, default_value = "tree", value_name = "STORE")]
    pub(crate) system_store: SystemStore,
    /// Compute successors with the interpreter instead of native code
    #[arg(long)]
    pub(crate) interpret: bool,
    #[command(flatten)]
    pub(crate) tests: ForTests,
}

/// What is faster, switched off; and what large models come to, early. Answers are the same, which
/// tests want to see on small models (docs/net.md).
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ForTests {
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

/// The heading of options that are there for the tests of lariat itself.
pub(crate) const FOR_TESTS: &str = "Tests of lariat itself";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SystemStore {
    /// As trees with shared parts, which takes less memory
    Tree,
    /// Each state in full
    Flat,
}

impl Engine {
    /// Steps on rows of `width` words.
    pub(crate) fn steps<'m>(
        &self,
        model: &'m Model,
        width: usize,
        propositions: &[ExprId],
    ) -> Box<dyn ModelSteps + 'm> {
        match self.interpret {
            true => Box::new(ModelSpace::new(model, width, propositions.to_vec())),
            false => Box::new(self.native(model, width, propositions)),
        }
    }

    /// An empty tree for rows of `width` words.
    pub(crate) fn tree(&self, width: usize) -> Tree {
        let ForTests { plan_after, no_plan, no_remembered_steps, narrow_ids, .. } = self.tests;
        let usual = Tuning::default();
        let tree = Tree::new(width).with_tuning(Tuning {
            first_plan: if no_plan { usize::MAX } else { plan_after.unwrap_or(usual.first_plan) },
            remembers_steps: !no_remembered_steps,
        });
        match narrow_ids {
            Some(states) => tree.with_narrow_ids_up_to(states),
            None => tree,
        }
    }

    /// The same for the runs of a model, of which some may stay inside an atomic sequence.
    pub(crate) fn steps_of_runs<'m>(
        &self,
        model: &'m Model,
        width: usize,
        propositions: &[ExprId],
    ) -> Box<dyn ModelSteps + 'm> {
        match self.interpret {
            true => {
                let space = ModelSpace::new(model, width, propositions.to_vec());
                Box::new(space.with_divergences())
            }
            false => Box::new(self.native(model, width, propositions).with_divergences()),
        }
    }

    fn native<'m>(
        &self,
        model: &'m Model,
        width: usize,
        propositions: &[ExprId],
    ) -> NativeSpace<'m> {
        let ForTests { native_after, special_after, .. } = self.tests;
        let space = NativeSpace::new(model, width, propositions.to_vec());
        space.with_code_after(native_after, special_after)
    }

    /// Explores everything that can be reached.
    pub(crate) fn explore(
        &self,
        model: &Model,
        options: &ExploreOptions,
        watch: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<Exploration, Vec<Fault>> {
        let conditions: Vec<ExprId> = options.conditions.iter().map(|found| found.expr).collect();
        let steps = |width| self.steps(model, width, &conditions);
        match self.system_store {
            SystemStore::Tree => {
                explore_rows(model, options, steps, |width| self.tree(width), watch)
            }
            SystemStore::Flat => {
                let flat = |width| Exact::<u32, _>::new(FlatArena::new(width));
                explore_rows(model, options, steps, flat, watch)
            }
        }
    }
}

//! Who computes the successors of a model's states, and where these are kept.

use clap::ValueEnum;
use lariat_codegen::NativeSpace;
use lariat_core::FlatArena;
use lariat_model::explore::{Exploration, ExploreOptions, Progress, explore_rows};
use lariat_model::interp::{Fault, ModelSpace};
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::ModelSteps;
use lariat_store::{Exact, Tree};

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Engine {
    /// How to store the states of the model
    #[arg(long, value_enum, default_value = "tree", value_name = "STORE")]
    pub(crate) system_store: SystemStore,
    /// Compute successors with the interpreter instead of native code
    #[arg(long)]
    pub(crate) interpret: bool,
}

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
            false => Box::new(NativeSpace::new(model, width, propositions.to_vec())),
        }
    }

    /// The same for the runs of a model, of which some may stay inside an atomic sequence.
    pub(crate) fn steps_of_runs<'m>(
        &self,
        model: &'m Model,
        width: usize,
        propositions: &[ExprId],
    ) -> Box<dyn ModelSteps + 'm> {
        let propositions = propositions.to_vec();
        match self.interpret {
            true => Box::new(ModelSpace::new(model, width, propositions).with_divergences()),
            false => Box::new(NativeSpace::new(model, width, propositions).with_divergences()),
        }
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
            SystemStore::Tree => explore_rows(model, options, steps, Tree::new, watch),
            SystemStore::Flat => {
                let flat = |width| Exact::<u32, _>::new(FlatArena::new(width));
                explore_rows(model, options, steps, flat, watch)
            }
        }
    }
}

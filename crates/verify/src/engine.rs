//! Who computes the successors of a model's states, and where these are kept.

use lariat_codegen::NativeSpace;
use lariat_core::{FlatArena, switches};
use lariat_model::interp::{FairMarks, Fault, ModelSpace};
use lariat_model::ir::{ExprId, Model};
use lariat_model::steps::ModelSteps;
use lariat_search::safety::{
    Exploration, ExploreOptions, Progress, Sharing, explore_rows, explore_shared,
};
use lariat_store::{Exact, Tree, Tuning};
use lariat_system::Remember;

use crate::observer::Observer;
use crate::spread::{self, Spread};

/// Who computes successors, and where states are kept.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    /// Where the states of the model are kept.
    pub system_store: SystemStore,
    /// What is on or off.
    pub switches: EngineSwitches,
    /// Make native code after the interpreter has expanded so many states.
    pub native_after: Option<u64>,
    /// Make special code for the processes that there are after so many states were expanded by
    /// code for any.
    pub special_after: Option<u64>,
    /// Plan the shape of trees when there are so many states.
    pub plan_after: Option<usize>,
    /// States without numbers: make pairs of their parts if these need more than so many bits.
    pub root_bits: Option<u32>,
    /// Trees: pretend that ids of 32 bits are enough for so many states only.
    pub narrow_ids: Option<usize>,
    /// Go on without numbers of states, where nobody needs them, when there are so many states.
    pub set_after: Option<u64>,
    /// Threads for a search without numbers; as many as the machine has cores if none is said.
    pub threads: Option<usize>,
    /// The other workers of a search over several.
    pub spread: Option<Spread>,
}

/// Searches that outlive so many states go on without numbers, on all threads.
const SET_AFTER: u64 = 100_000;

switches! {
    /// What is on or off in the computation of successors and in the store of the model's states.
    pub struct EngineSwitches {
        /// Compute successors with the interpreter instead of native code
        interpret: "--interpret" for Users,
        /// Keep trees in the shape that they begin with
        no_plan: "--no-plan" for Tests,
        /// Do not remember the steps of processes: compute all successors of every state
        no_remembered_steps: "--no-remembered-steps" for Tests,
        /// Number all states, as searches do that need the numbers
        numbered: "--numbered" for Tests,
    }
}

/// How the states of a model are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SystemStore {
    /// As trees with shared parts.
    #[default]
    Tree,
    /// Each state in full.
    Flat,
}

impl Engine {
    /// Steps on rows of `width` words. Of runs, some may stay inside an atomic sequence.
    pub fn steps<'m>(
        &self,
        model: &'m Model,
        width: usize,
        propositions: &[ExprId],
        of_runs: bool,
    ) -> Box<dyn ModelSteps + 'm> {
        let propositions = propositions.to_vec();
        if self.switches.interpret {
            let space = ModelSpace::new(model, width, propositions);
            return Box::new(if of_runs { space.with_divergences() } else { space });
        }
        let space = NativeSpace::new(model, width, propositions)
            .with_code_after(self.native_after, self.special_after);
        Box::new(if of_runs { space.with_divergences() } else { space })
    }

    /// Steps of runs on rows of `width` words, with marks for fairness.
    pub fn fair_steps<'m>(
        &self,
        model: &'m Model,
        width: usize,
        propositions: &[ExprId],
        marks: FairMarks,
    ) -> Box<dyn ModelSteps + 'm> {
        let propositions = propositions.to_vec();
        if self.switches.interpret {
            let space = ModelSpace::new(model, width, propositions).with_divergences();
            return Box::new(space.with_fairness(marks));
        }
        let space = NativeSpace::new(model, width, propositions)
            .with_code_after(self.native_after, self.special_after);
        Box::new(space.with_divergences().with_fairness(marks))
    }

    /// Who works on a search that outlives how many states, if states may do without numbers.
    pub(crate) fn sharing(&self) -> Option<Sharing> {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let threads = self.threads.unwrap_or_else(cores).max(1);
        let after = self.set_after.unwrap_or(SET_AFTER);
        let is_possible = self.system_store == SystemStore::Tree && !self.switches.numbered;
        is_possible.then_some(Sharing { threads, after })
    }

    fn tuning(&self) -> Tuning {
        let first_plan = match self.switches.no_plan {
            true => usize::MAX,
            false => self.plan_after.unwrap_or(Tuning::default().first_plan),
        };
        let most_bits = self.root_bits.unwrap_or(Tuning::default().most_bits).min(u64::BITS);
        Tuning { first_plan, most_bits }
    }

    /// Whether the steps of processes are remembered.
    pub fn remember(&self) -> Remember {
        match self.switches.no_remembered_steps {
            true => Remember::Never,
            false if self.tuning().is_early() => Remember::Early,
            false => Remember::Usually,
        }
    }

    /// An empty tree for rows of `width` words.
    pub fn tree(&self, width: usize) -> Tree {
        let tree = Tree::new(width).with_tuning(self.tuning());
        match self.narrow_ids {
            Some(states) => tree.with_narrow_ids_up_to(states),
            None => tree,
        }
    }

    /// Explores everything that can be reached.
    pub fn explore(
        &self,
        model: &Model,
        options: &ExploreOptions,
        observer: &dyn Observer,
    ) -> Result<Exploration, Vec<Fault>> {
        let options = &ExploreOptions { remember: self.remember(), ..options.clone() };
        if let (Some(spread), Some(Sharing { after, .. })) = (&self.spread, self.sharing())
            && spread::suits(model, options)
        {
            return spread.explore(self, model, options, after);
        }
        let watch: &mut (dyn FnMut(Progress) -> bool + Send) = &mut |progress| {
            observer.explored(progress);
            true
        };
        let conditions: Vec<ExprId> = options.conditions.iter().map(|found| found.expr).collect();
        let steps = |width| self.steps(model, width, &conditions, false);
        match (self.system_store, self.sharing()) {
            (SystemStore::Tree, Some(sharing)) => {
                explore_shared(model, options, sharing, steps, |width| self.tree(width), watch)
            }
            (SystemStore::Tree, None) => {
                explore_rows(model, options, steps, |width| self.tree(width), watch)
            }
            (SystemStore::Flat, _) => {
                let flat = |width| Exact::<u32, _>::new(FlatArena::new(width));
                explore_rows(model, options, steps, flat, watch)
            }
        }
    }
}

//! A run that a search without numbers has put together, by rows: replayed on the product with numbers of its own.

use lariat_core::lasso::Acceptance;
use lariat_core::{Automaton, FlatArena, Lasso, Props, Run, SystemStore, Word, stop};
use lariat_search::product::{FiniteRuns, Product};
use lariat_search::spread::SpreadLasso;
use lariat_store::Exact;
use lariat_system::{Edges, Room, Stop, System, SystemGraph};

use super::product::{ProductCheck, ProductResult};
use super::run;
use super::search::Found;
use crate::answer::LassoLength;
use crate::error::Error;

impl ProductCheck<'_> {
    /// The run, checked by definition on the product, as commands for the judge. `result` says what else was found out.
    pub(crate) fn replayed<A: Automaton>(
        &self,
        (automaton, by): (&A, Acceptance),
        room: Room,
        lasso: &SpreadLasso,
        result: ProductResult,
    ) -> Result<Result<ProductResult, Error>, Stop> {
        let steps = match self.steps(automaton.mark_count(), room) {
            Ok(steps) => steps,
            Err(why) => return Ok(Err(why.into())),
        };
        let matters = |undefined: Props, truth: Props| self.matters(undefined, truth);
        let flat = |width| Exact::<u32, _>::new(FlatArena::new(width));
        let mut system = System::of_runs(self.model, steps, &self.propositions, matters, flat);
        if self.task.config.switches.no_remembered_propositions {
            system = system.keeping_valuations();
        }
        let stutters = self.task.finite_runs == FiniteRuns::Stutter;
        // What was found is not lost because time is over by now.
        stop::undisturbed(|| {
            let lasso = match numbered(&mut system, lasso, stutters) {
                Ok(lasso) => lasso,
                Err(Lost::Stopped(widen @ Stop::Widen(_))) => return Err(widen),
                Err(lost) => return Ok(Err(Error::wrong_run(lost.to_string(), None))),
            };
            let mut product = Product::new(&mut system, automaton, self.task.finite_runs);
            let lasso = match self.checked(&mut product, &lasso, by, room.processes) {
                Ok(lasso) => lasso,
                Err(error) => return Ok(Err(error)),
            };
            let rows = run::system_rows(&mut product, &lasso);
            let stays_inside = rows.stay_inside(self.model);
            Ok(match run::claimed(self.model, self.task.fair, &rows) {
                Ok(run) => {
                    let (found, lasso) = (Found::Run(run), Some(LassoLength::of(&lasso)));
                    Ok(ProductResult { found, stays_inside, lasso, ..result })
                }
                Err(what) => Err(Error::wrong_run(what, None)),
            })
        })
    }
}

/// Why rows are no run.
enum Lost {
    Stopped(Stop),
    /// A state that no step leads to, by its place.
    At(usize),
}

impl std::fmt::Display for Lost {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Lost::Stopped(stop) => write!(out, "the run cannot be replayed: {stop:?}"),
            Lost::At(at) => write!(out, "no step of the system leads to state {at} of the run"),
        }
    }
}

impl From<Stop> for Lost {
    fn from(stop: Stop) -> Self {
        Lost::Stopped(stop)
    }
}

/// The lasso, with numbers for the rows, along the steps of the system.
fn numbered<S: SystemStore<Row = [Word]>>(
    system: &mut System<'_, S>,
    lasso: &SpreadLasso,
    stutters: bool,
) -> Result<Lasso, Lost> {
    let SpreadLasso { prefix, cycle } = lasso;
    let mut ids = Vec::new();
    system.initial(&mut ids)?;
    let (mut edges, mut parts) = (Edges::default(), [Run::new(2), Run::new(2)]);
    for (at, (row, state)) in prefix.iter().chain(cycle).enumerate() {
        let is_it = |id: &u64| system.load(*id) == &row[..];
        let id = ids.iter().copied().find(is_it).ok_or(Lost::At(at))?;
        parts[usize::from(at >= prefix.len())].push(&[id as Word, *state]);
        edges.clear();
        system.expand(&[id], &mut edges)?;
        std::mem::swap(&mut ids, &mut edges.ids);
        if ids.is_empty() && stutters {
            ids.push(id);
        }
    }
    let [prefix, cycle] = parts;
    Ok(Lasso { prefix, cycle })
}

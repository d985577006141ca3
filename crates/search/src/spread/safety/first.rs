//! The first states, which each worker explores for itself.

use lariat_core::Broken;
use lariat_model::steps::ModelSteps;
use lariat_store::{SharedTree, Tree};
use lariat_system::{Remember, Stop, System, SystemGraph};

use super::{Ended, Explored, Search};
use crate::safety::breadth_first;
use crate::safety::explorer::Explorer;
use crate::safety::rows::reduction;
use crate::safety::{Exploration, repaired};
use crate::spread::Spreading;
use crate::spread::begin::{CLOSED, begin};
use crate::spread::status::{End, Halted};
use crate::spread::visit::Keeps;

/// How the first states went.
pub(super) enum First<'s> {
    Done(Box<Result<Exploration, Stop>>),
    Open(Box<dyn ModelSteps + 's>, Box<SharedTree>, Remember),
    Unfit,
    Whole,
}

impl<'s> Search<'_, 's> {
    /// The first states, by one worker as by any.
    pub(super) fn first<'t>(
        &self,
        (mut after, reduces): (u64, &mut bool),
        steps: Box<dyn ModelSteps + 't>,
        tree: Tree,
    ) -> First<'t>
    where
        's: 't,
    {
        let (model, options) = (self.model, self.options);
        let sets = options.reduces.then(|| reduction(model, options).ok()).flatten();
        let mut system = System::of_states(model, steps, true, |_| tree)
            .with_limit(options.max_memory)
            .remembering_steps(options.remember)
            .reduced_by(sets, options.reduces_after);
        let mut explorer = Explorer::new(&mut system, model, options, &|_| {});
        let walked = breadth_first::explore(&mut explorer, |system, states| {
            let is_time = states > after;
            after = if is_time { after.saturating_mul(2) } else { after };
            is_time && system.store().is_flat()
        });
        let Ok(Some(_)) = walked else {
            let own = explorer.own;
            let found = match explorer.finish(walked.map(drop)) {
                // What was left out may hide an error.
                Ok(found) if found.first_error.is_none() && found.limit.is_none() => {
                    match repaired(&mut system, model, options, found, own) {
                        Ok(Some(found)) => Ok(found),
                        Ok(None) => return First::Whole,
                        Err(stop) => Err(stop),
                    }
                }
                found => found,
            };
            let executed = system.steps().executed().to_vec();
            let executed_in_d_steps = system.steps().executed_in_d_steps().to_vec();
            let done = found.map(|found| Exploration { executed, executed_in_d_steps, ..found });
            return First::Done(Box::new(done));
        };
        *reduces &= system.reduces();
        let (steps, mut tree, remembered) = system.into_parts();
        let mut remember = remembered.remember();
        if !remembered.pays() {
            // The shape cannot change later: it is one for states that are expanded as a whole.
            lariat_core::SystemStore::suit(&mut tree, &[]);
            remember = Remember::Never;
        }
        let limit = options.max_memory.unwrap_or(usize::MAX / 2);
        let shared = tree.shared_product(Keeps::Nothing.keys(), 1, limit);
        match shared.filter(SharedTree::is_flat) {
            Some(shared) => First::Open(steps, Box::new(shared), remember),
            None => First::Unfit,
        }
    }

    /// The first states were all, or a limit was reached.
    pub(super) fn done(
        &self,
        done: Result<Exploration, Stop>,
        spreading: &mut Spreading<'_>,
    ) -> Result<Ended, Broken> {
        let halted = match &done {
            Ok(found) => match found.limit.filter(|limit| limit.ends_search()) {
                Some(limit) => Halted::Here(End::Stopped(limit.into())),
                None => Halted::No,
            },
            Err(stop) => Halted::Here(End::Stopped(*stop)),
        };
        let agreed = begin(spreading, halted, CLOSED)?;
        Ok(match (agreed, done) {
            (None, Ok(found)) => Ended::Explored(Explored::Done(Box::new(Ok(found)))),
            (Some(end), done) => self.ended(end, done.unwrap_or_default()),
            (None, Err(_)) => unreachable!("who has stopped has said so"),
        })
    }
}

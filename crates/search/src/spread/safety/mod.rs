//! Counting and errors, over workers that share nothing.
//!
//! Each worker explores the first states for itself, all in the same way: small models are done by then, and for others it is known what the parts of states are. Then all begin anew, each
//! with the states that it owns. By levels, a phase is a level: the counts are those of one machine, levels too, and of all errors of the first level that has any, the least by a fixed
//! order is taken; of a level that a limit has cut, the least that is known. Free, there is one phase and no levels; what is found is looked for once more by levels, as only these know a way back.
//! A search that need not be one of levels becomes free when these are narrow ([`Pace`]): what waits for the next level is expanded in one phase with all that it leads to.
//!
//! - `first`: what each explores for itself; `levels`: the levels; `error`: an error and the way to it; `counts`: what was counted

mod counts;
mod error;
mod first;
mod levels;

use lariat_core::Broken;
use lariat_core::stop::Hold;
use lariat_model::interp::{Fault, Interp};
use lariat_model::ir::Model;
use lariat_model::steps::ModelSteps;
use lariat_store::Tree;
use lariat_system::{Room, Sets, Stop, with_room};

use super::begin::{OPEN, begin, begun};
use super::checkpoint::Keeper;
use super::shard::Shard;
use super::status::{End, Halted};
use super::visit::{Keeps, Visitor};
use super::{LONGER, Pace, ROUNDS, Spreading};
use crate::safety::rows::reduction;
use crate::safety::{Exploration, ExploreOptions, Order};
pub(super) use counts::Note;
use first::First;
use levels::{Outcome, Place};

/// What a search over several workers says; the same to each of them.
pub enum Explored {
    /// As one machine would say it. Or the errors of initialisers.
    Done(Box<Result<Exploration, Vec<Fault>>>),
    /// It cannot be done: why.
    Unfit(&'static str),
}

/// Explores everything that can be reached. All workers call this with the same model and options.
pub fn explore_spread<'s>(
    model: &Model,
    options: &ExploreOptions,
    spreading: &mut Spreading<'_>,
    steps: impl Fn(usize) -> Box<dyn ModelSteps + 's>,
    tree: impl Fn(usize) -> Tree,
) -> Result<Explored, Broken> {
    if let Some(why) = why_unfit(model, options) {
        return Ok(Explored::Unfit(why));
    }
    if let Err(faults) = Interp::new(model).initial() {
        return Ok(Explored::Done(Box::new(Err(faults))));
    }
    // What is left out is decided by levels, and counted otherwise than by one machine.
    let mut reduces = options.reduces && options.stop_at_error && spreading.pace != Pace::Free;
    let (mut broken, mut rounds) = (None, 0);
    if let Some(resumed) = &spreading.resumed {
        spreading.after = resumed.after();
    }
    let explored = with_room(model, |room| {
        if let Some(wider) = spreading.resumed.as_ref().and_then(|it| it.wider_than(room)) {
            return Err(Stop::Widen(wider));
        }
        loop {
            let options = &ExploreOptions { reduces, ..options.clone() };
            let search = Search { model, options, room };
            match search.run(spreading, &steps, &tree) {
                Ok(Ended::Widen(room)) => return Err(Stop::Widen(room)),
                Ok(Ended::Unfit) if rounds < ROUNDS => {
                    rounds += 1;
                    spreading.after = spreading.after.saturating_mul(LONGER);
                }
                Ok(Ended::Whole) => reduces = false,
                Ok(Ended::Unfit) => return Ok(Some(Explored::Unfit(TOO_WIDE))),
                Ok(Ended::Explored(explored)) => return Ok(Some(explored)),
                Err(what) => {
                    broken = Some(what);
                    return Ok(None);
                }
            }
        }
    });
    match (broken, explored) {
        (Some(broken), _) => Err(broken),
        (None, Ok(Some(explored))) => Ok(explored),
        (None, _) => Err(Broken { what: "rows cannot be made wide enough".to_owned() }),
    }
}

/// What needs numbers of states, or an order of them.
fn why_unfit(model: &Model, options: &ExploreOptions) -> Option<&'static str> {
    if options.order != Order::BreadthFirst {
        return Some("states of several processes have no depth-first order");
    }
    if !options.hidden_is_state && model.hidden_size > 0 {
        return Some("hidden variables that are no part of a state belong to an order of states");
    }
    let has_limit = options.max_depth.is_some() || options.max_states.is_some();
    if has_limit || options.stop_at_fatal || options.explains_reduction {
        return Some(
            "a limit of depth or of states, and what is said of reductions, need numbers of states",
        );
    }
    None
}

enum Ended {
    Explored(Explored),
    Widen(Room),
    /// Once more, with nothing left out.
    Whole,
    /// Fields of packed states cannot be given enough bits. Whoever has seen more states before knows better how many each needs.
    Unfit,
}

struct Search<'o, 's> {
    model: &'s Model,
    /// All workers leave out the same steps, or none.
    options: &'o ExploreOptions,
    room: Room,
}

impl<'s> Search<'_, 's> {
    fn run<'t>(
        &self,
        spreading: &mut Spreading<'_>,
        steps: &impl Fn(usize) -> Box<dyn ModelSteps + 't>,
        tree: &impl Fn(usize) -> Tree,
    ) -> Result<Ended, Broken> {
        let width = self.room.width;
        let mut reduces = self.options.reduces;
        let first = self.first((spreading.after, &mut reduces), steps(width), tree(width));
        let (steps, shared, remember) = match first {
            First::Open(steps, shared, remember) => (steps, shared, remember),
            First::Whole => return Ok(Ended::Whole),
            First::Unfit => {
                begin(spreading, Halted::Here(End::Unfit), 0)?;
                return Ok(Ended::Explored(Explored::Unfit(TOO_WIDE)));
            }
            First::Done(done) => return self.done(*done, spreading),
        };
        let limit = self.options.max_memory.unwrap_or(usize::MAX / 2);
        let sets = reduces.then(|| reduction(self.model, self.options).ok()).flatten();
        let sets = sets.and_then(Sets::new);
        let reduces = sets.is_some();
        let visitor = Visitor::new(self.model, self.options, limit).choosing_by(sets);
        let among = (spreading.exchange.me(), spreading.exchange.workers());
        let agreed = spreading.fingerprint();
        let mut keeper = Keeper::new(spreading, self.room, among);
        let resumed = spreading.resumed.take();
        let exchange = &mut *spreading.exchange;
        let mut shard = Shard::new(exchange, visitor, *shared, (steps, width), remember, (1, 0));
        let parts = shard.fingerprint();
        if let Some(end) =
            begun(shard.own.exchange, Halted::No, parts ^ agreed ^ u64::from(reduces), OPEN)?
        {
            return Ok(self.ended(end, Exploration::default()));
        }
        keeper.begin_with(parts, shard.own.exchange)?;
        let mut place = Place::begin(spreading.pace, self.options.stop_at_error, reduces);
        if let Some(resumed) = &resumed {
            let there = Place::from(resumed.place(parts)?);
            if (there.keeps == Keeps::HintsAndLevels) != reduces {
                let what = "the checkpoint does not fit: other steps were left out".to_owned();
                return Err(Broken { what });
            }
            place = there;
        }
        let pace = spreading.pace;
        let had_resumed = resumed.is_some();
        let mut outcome = self.search(&mut shard, (pace, place), &mut keeper, resumed)?;
        if outcome.was_free && outcome.end.is_none() && outcome.has_least {
            shard.expander = Visitor::new(self.model, self.options, limit);
            let place = Place::begin(Pace::Levels, true, false);
            outcome = self.search(&mut shard, (Pace::Levels, place), &mut keeper, None)?;
        }
        let Outcome { mut end, level, has_least, was_free } = outcome;
        spreading.was_free = was_free;
        let mut path = None;
        // An error of a level that is not finished is one: the levels before are, and the way goes through these.
        let is_cut = end.is_some_and(|end| matches!(end, End::Stopped(Stop::Limit(_))));
        if has_least && !was_free && (end.is_none() || is_cut) {
            let _hold = Hold::new();
            match self.way(&mut shard, level)? {
                Ok(found) => (path, end) = (Some(found), None),
                Err(new) => end = end.or(Some(new)),
            }
        }
        let found = self.joined(&mut shard, level)?;
        spreading.sent.states += shard.own.wire.states;
        spreading.sent.bytes += shard.own.wire.bytes;
        spreading.sent.workers = among.1;
        if end.is_none() {
            keeper.forget();
        }
        spreading.saved = keeper.saved;
        spreading.note_end(had_resumed, end);
        let first_error = path;
        let found = Exploration { first_error, ..found };
        Ok(match end {
            None => Ended::Explored(Explored::Done(Box::new(Ok(found)))),
            Some(end) => self.ended(end, found),
        })
    }

    fn ended(&self, end: End, found: Exploration) -> Ended {
        match end {
            End::Stopped(Stop::Widen(room)) => Ended::Widen(room),
            End::Unfit => Ended::Unfit,
            end => {
                let limit = Some(end.limit());
                Ended::Explored(Explored::Done(Box::new(Ok(Exploration { limit, ..found }))))
            }
        }
    }
}

const TOO_WIDE: &str = "the states of this model do not fit into 64 bits";

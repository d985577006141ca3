//! Counting and errors, over workers that share nothing.
//!
//! Each worker explores the first states for itself, all in the same way: small models are done by then, and for others it is known what the parts of states are. Then all begin anew, each
//! with the states that it owns. By levels, a phase is a level: the counts are those of one machine, levels too, and of all errors of the first level that has any, the least by a fixed
//! order is taken; of a level that a limit has cut, the least that is known. Free, there is one phase and no levels; what is found is looked for once more by levels, as only these know a way back.
//! A search that need not be one of levels becomes free when these are narrow ([`Pace`]): what waits for the next level is expanded in one phase with all that it leads to.

use std::collections::BTreeMap;

use lariat_core::stop::Hold;
use lariat_core::{Broken, Exchange, Limit, headway};
use lariat_model::interp::{Fault, Interp};
use lariat_model::ir::Model;
use lariat_model::steps::ModelSteps;
use lariat_store::{Scratch, SharedTree, Tree};
use lariat_system::{Edges, Remember, Room, Sets, Stop, System, SystemGraph, with_room};

use super::checkpoint::{self, Beside, Keeper, bytes_of, words_of};
use super::shard::{Mode, Shard};
use super::status::{Agreed, End, Halted, agree};
use super::visit::{Keeps, Least, Visit, Visitor};
use super::way::{self, Met};
use super::{LONGER, NARROW, Pace, ROUNDS, Resumed, Spreading};
use crate::safety::breadth_first;
use crate::safety::explorer::Explorer;
use crate::safety::rows::reduction;
use crate::safety::{ErrorPath, Exploration, ExploreOptions, Order, repaired};

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

/// How the first states went.
enum First<'s> {
    Done(Box<Result<Exploration, Stop>>),
    Open(Box<dyn ModelSteps + 's>, Box<SharedTree>, Remember),
    Unfit,
    Whole,
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

    /// The first states, by one worker as by any.
    fn first<'t>(
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
    fn done(
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

    /// Goes through all states, or to the first level with an error; from where a checkpoint was on, if there is one.
    fn search(
        &self,
        shard: &mut Shard<'_, 's, Visitor<'_, 's>>,
        (pace, place): (Pace, Place),
        keeper: &mut Keeper,
        from: Option<Resumed>,
    ) -> Result<Outcome, Broken> {
        let Place { level, mut mode, keeps } = place;
        let mut pass = Visit { keeps, level };
        let mut narrow = 0;
        let failed = |end| Outcome { end, level, has_least: false, was_free: mode == Mode::Free };
        if !shard.start_again(keeps.keys()) {
            let end = agree(shard.own.exchange, Halted::Here(End::Unfit), &[0, 0], &[])?.end;
            return Ok(failed(end));
        }
        if let Some(resumed) = &from {
            let beside = match checkpoint::load(shard, resumed)? {
                Ok(beside) => beside,
                Err(end) => return Ok(failed(Some(end))),
            };
            self.inherit(shard, &beside)?;
        }
        shard.own.keeps = keeper.keeps();
        shard.own.cut_after = keeper.cut_after();
        headway::begin();
        loop {
            shard.own.due = keeper.due();
            let halted = shard.phase(&mut pass, mode)?;
            let has_least = u64::from(shard.expander.least.is_some());
            let counts = [shard.own.waiting, has_least];
            let Agreed { end, pause, counts, .. } =
                agree(shard.own.exchange, halted, &counts, &[])?;
            let (waiting, has_least) = (counts[0], counts[1] > 0);
            let was_free = mode == Mode::Free;
            let outcome = |end| Outcome { end, level: pass.level, has_least, was_free };
            if let Some(end) = end {
                return Ok(outcome(Some(end.with_own(halted))));
            }
            if let Some(limit) = pause {
                let own = vec![self.counted(shard)];
                let place = Place { level: pass.level, mode, keeps };
                checkpoint::save(
                    shard,
                    keeper,
                    &place.write(),
                    &Beside { own, beyond: Vec::new() },
                )?;
                if let Some(limit) = limit {
                    return Ok(outcome(Some(End::Stopped(limit.into()))));
                }
                shard.go_on();
                continue;
            }
            if shard.own.left_open {
                let what = "a worker has left questions without answers".to_owned();
                return Err(Broken { what });
            }
            if has_least || waiting == 0 {
                return Ok(outcome(None));
            }
            pass.level += 1;
            headway::note_level(pass.level, waiting);
            narrow = if waiting < NARROW { narrow + 1 } else { 0 };
            let needs_levels = keeps == Keeps::HintsAndLevels;
            if matches!(pace, Pace::Narrow(most) if narrow >= most) && !needs_levels {
                mode = Mode::Free;
            }
        }
    }

    /// What this worker has counted, and the state of its least error.
    fn counted(&self, shard: &Shard<'_, 's, Visitor<'_, 's>>) -> Vec<u8> {
        let found = &shard.expander.found;
        let counts = [found.transitions, found.atomic_steps, found.deadlocks];
        let least = shard.expander.least.as_ref().map_or(&[][..], |least| &least.row);
        let mut out = bytes_of(&counts);
        out.extend(bytes_of(&[u64::from(found.limit.is_some()), least.len() as u64]));
        least.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        let mut note = Note::of(found, shard.steps());
        note.join(shard.expander.inherited.clone());
        out.extend(note.write());
        out
    }

    /// Goes on with what others have counted.
    fn inherit(
        &self,
        shard: &mut Shard<'_, 's, Visitor<'_, 's>>,
        beside: &Beside,
    ) -> Result<(), Broken> {
        for own in &beside.own {
            let read = || {
                let ([transitions, atomic, deadlocks, is_cut, least], rest) = words_of(own)?;
                let (row, note) = rest.split_at_checked(usize::try_from(least).ok()? * 4)?;
                let row = super::wire::Reader(row).words(least as usize).ok()?;
                let counts = [transitions, atomic, deadlocks, is_cut];
                Some((counts, row, Note::read(note)?))
            };
            let Some(([transitions, atomic, deadlocks, is_cut], row, note)) = read() else {
                return Err(Broken { what: "the checkpoint has no counts".to_owned() });
            };
            let is_row = row.len() == self.room.width;
            let least = if is_row { self.error_of(shard, &row) } else { None };
            let visitor = &mut shard.expander;
            visitor.found.transitions += transitions;
            visitor.found.atomic_steps += atomic;
            visitor.found.deadlocks += deadlocks;
            if is_cut > 0 {
                visitor.found.limit = Some(Limit::EndlessStep);
            }
            if let Some(least) = least
                && visitor.least.as_ref().is_none_or(|old| least.rank() < old.rank())
            {
                visitor.least = Some(least);
            }
            for (name, count) in &note.errors {
                *visitor.found.errors.entry(static_name(name)).or_default() += count;
            }
            visitor.inherited.join(Note { errors: BTreeMap::new(), ..note });
        }
        Ok(())
    }

    /// The least error of the level, and the way to it.
    fn way(
        &self,
        shard: &mut Shard<'_, 's, Visitor<'_, 's>>,
        level: u64,
    ) -> Result<Result<ErrorPath, End>, Broken> {
        // What was found is not lost because time is over by now.
        lariat_core::stop::undisturbed(|| {
            let width = self.room.width;
            let mine = shard.expander.least.take();
            let mut note = Vec::new();
            if let Some(least) = &mine {
                note.push(u8::from(!least.moves.is_empty()));
                note.extend(Met { row: least.row.to_vec(), kept: 0 }.write());
            }
            let agreed = agree(shard.own.exchange, Halted::No, &[], &note)?;
            let read = |note: &Vec<u8>| {
                let (&on_the_way, met) = note.split_first()?;
                Some((on_the_way, Met::read(met, width)?))
            };
            let Some((_, mut met)) = agreed.notes.iter().filter_map(read).min() else {
                return Err(Broken { what: "nobody tells of the error that was found".to_owned() });
            };
            // Who tells of it may have heard of it from a checkpoint: its owner knows what is kept of it.
            let kept = shard.retrying(|_, system, _| {
                let session = system.session();
                let key = lariat_core::SystemStore::intern(session, &met.row)?;
                let mut kept = None;
                session.payloads(&[key], |_, found| kept = found);
                Ok(kept)
            });
            let note = kept.ok().flatten().map_or(Vec::new(), |kept| bytes_of(&[kept]));
            let agreed = agree(shard.own.exchange, Halted::No, &[], &note)?;
            let Some(([kept], _)) = agreed.notes.iter().find_map(|note| words_of(note)) else {
                return Err(Broken { what: "nobody has the state of the error".to_owned() });
            };
            met.kept = kept;
            let row: Box<[u32]> = met.row.clone().into();
            let rows = match way::back(shard, met, level)? {
                Ok(rows) => rows,
                Err(end) => return Ok(Err(end)),
            };
            match self.error_of(shard, &row) {
                Some(Least { error, moves, .. }) => {
                    let hidden_is_outside = false;
                    Ok(Ok(ErrorPath { error, rows, last: moves, hidden_is_outside }))
                }
                None => Err(Broken { what: "an error that was found is not there".to_owned() }),
            }
        })
    }

    /// The least error of a state, or on the way from it.
    fn error_of(&self, shard: &mut Shard<'_, 's, Visitor<'_, 's>>, row: &[u32]) -> Option<Least> {
        let (model, options) = (self.model, self.options);
        let (mut visitor, row) = (Visitor::new(model, options, usize::MAX / 2), row.to_vec());
        shard.with_steps(|steps| {
            let width = row.len();
            let mut system = System::of_states(model, steps, true, |_| Scratch::new(width));
            let mut edges = Edges::default();
            let looked = system.set_state(&row).and_then(|()| {
                system.expand(&[0], &mut edges)?;
                visitor.look(&mut system, &[0], &edges)
            });
            (system.into_parts().0, looked.is_ok())
        });
        visitor.least
    }

    /// What all have counted.
    fn joined(
        &self,
        shard: &mut Shard<'_, 's, Visitor<'_, 's>>,
        level: u64,
    ) -> Result<Exploration, Broken> {
        let found = &shard.expander.found;
        let counts = [
            shard.len() as u64,
            found.transitions,
            found.atomic_steps,
            found.deadlocks,
            shard.bytes() as u64,
            u64::from(found.limit.is_some()),
        ];
        let mut note = Note::of(found, shard.steps());
        note.join(shard.expander.inherited.clone());
        let note = note.write();
        let Agreed { counts, notes, .. } = agree(shard.own.exchange, Halted::No, &counts, &note)?;
        let mut all = Note::default();
        for (from, note) in notes.iter().enumerate() {
            let wrong = || Broken { what: format!("worker {from} counts something else") };
            all.join(Note::read(note).ok_or_else(wrong)?);
        }
        let errors = all.errors.into_iter().map(|(name, count)| (static_name(&name), count));
        let mut found = Exploration {
            states: counts[0],
            transitions: counts[1],
            atomic_steps: counts[2],
            deadlocks: counts[3],
            memory: counts[4] as usize,
            limit: (counts[5] > 0).then_some(Limit::EndlessStep),
            depth: level,
            errors: errors.collect(),
            executed: all.executed,
            executed_in_d_steps: all.in_d_steps,
            ..Exploration::default()
        };
        found.matched = (found.transitions + 1).saturating_sub(found.states);
        Ok(found)
    }
}

/// How a search has gone through the states.
struct Outcome {
    end: Option<End>,
    /// The last level that was expanded.
    level: u64,
    has_least: bool,
    /// Not all of it by levels.
    was_free: bool,
}

/// Where a search is, for its checkpoints.
#[derive(Clone, Copy, Debug)]
struct Place {
    level: u64,
    mode: Mode,
    /// Of states that were found free, hints say nothing.
    keeps: Keeps,
}

impl Place {
    fn begin(pace: Pace, stops_at_error: bool, reduces: bool) -> Place {
        let mode = if pace == Pace::Free { Mode::Free } else { Mode::Level };
        let keeps = match mode {
            Mode::Level if reduces => Keeps::HintsAndLevels,
            Mode::Level if stops_at_error => Keeps::Hints,
            _ => Keeps::Nothing,
        };
        Place { level: 0, mode, keeps }
    }

    fn write(self) -> [u64; 3] {
        let keeps = match self.keeps {
            Keeps::Nothing => 0,
            Keeps::Hints => 1,
            Keeps::HintsAndLevels => 2,
        };
        [self.level, u64::from(self.mode == Mode::Free), keeps]
    }
}

impl From<[u64; 3]> for Place {
    fn from([level, is_free, keeps]: [u64; 3]) -> Place {
        let mode = if is_free == 1 { Mode::Free } else { Mode::Level };
        let keeps = match keeps {
            0 => Keeps::Nothing,
            1 => Keeps::Hints,
            _ => Keeps::HintsAndLevels,
        };
        Place { level, mode, keeps }
    }
}

const TOO_WIDE: &str = "the states of this model do not fit into 64 bits";

pub(super) const OPEN: u8 = 1;
pub(super) const CLOSED: u8 = 2;

/// All begin, or none: with the same question, and the same parts.
pub(super) fn begun(
    exchange: &mut dyn Exchange,
    halted: Halted,
    fingerprint: u64,
    kind: u8,
) -> Result<Option<End>, Broken> {
    let mut note = vec![kind];
    note.extend_from_slice(&fingerprint.to_le_bytes());
    let agreed = agree(exchange, halted, &[], &note)?;
    if agreed.end.is_some() {
        return Ok(agreed.end);
    }
    match agreed.notes.iter().position(|other| *other != note) {
        None => Ok(None),
        Some(other) => {
            let (me, other) = (exchange.me(), other);
            Err(Broken {
                what: format!(
                    "workers {me} and {other} do not search the same: is it the same model, with the same options?"
                ),
            })
        }
    }
}

fn begin(spreading: &mut Spreading<'_>, halted: Halted, kind: u8) -> Result<Option<End>, Broken> {
    let fingerprint = spreading.fingerprint();
    begun(spreading.exchange, halted, fingerprint, kind)
}

/// Beside numbers, what was counted.
#[derive(Clone, Default)]
pub(super) struct Note {
    errors: BTreeMap<String, u64>,
    executed: Vec<bool>,
    in_d_steps: Vec<Vec<bool>>,
}

impl Note {
    fn of(found: &Exploration, steps: &dyn ModelSteps) -> Self {
        let errors = found.errors.iter().map(|(&name, &count)| (name.to_owned(), count)).collect();
        let in_d_steps = steps.executed_in_d_steps().to_vec();
        Note { errors, executed: steps.executed().to_vec(), in_d_steps }
    }

    fn join(&mut self, other: Note) {
        for (name, count) in other.errors {
            *self.errors.entry(name).or_default() += count;
        }
        join(&mut self.executed, &other.executed);
        let len = self.in_d_steps.len().max(other.in_d_steps.len());
        self.in_d_steps.resize(len, Vec::new());
        self.in_d_steps.iter_mut().zip(&other.in_d_steps).for_each(|(all, more)| join(all, more));
    }

    fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let put = |out: &mut Vec<u8>, bytes: &[u8]| {
            out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            out.extend_from_slice(bytes);
        };
        out.extend_from_slice(&(self.errors.len() as u32).to_le_bytes());
        for (name, count) in &self.errors {
            put(&mut out, name.as_bytes());
            out.extend_from_slice(&count.to_le_bytes());
        }
        let bits = |bits: &[bool]| bits.iter().map(|&bit| bit.into()).collect::<Vec<u8>>();
        put(&mut out, &bits(&self.executed));
        self.in_d_steps.iter().for_each(|inside| put(&mut out, &bits(inside)));
        out
    }

    fn read(bytes: &[u8]) -> Option<Note> {
        let mut rest = super::wire::Reader(bytes);
        let mut note = Note::default();
        for _ in 0..rest.word().ok()? {
            let len = rest.word().ok()? as usize;
            let name = std::str::from_utf8(rest.take(len).ok()?).ok()?.to_owned();
            note.errors.insert(name, rest.long().ok()?);
        }
        let mut bits = || -> Option<Vec<bool>> {
            let len = rest.word().ok()? as usize;
            Some(rest.take(len).ok()?.iter().map(|&byte| byte != 0).collect())
        };
        note.executed = bits()?;
        while let Some(inside) = bits() {
            note.in_d_steps.push(inside);
        }
        rest.0.is_empty().then_some(note)
    }
}

fn join(all: &mut Vec<bool>, more: &[bool]) {
    all.resize(all.len().max(more.len()), false);
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
}

/// The name of a kind of error, of which there are few.
fn static_name(name: &str) -> &'static str {
    Box::leak(name.to_owned().into_boxed_str())
}

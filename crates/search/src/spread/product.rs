//! The product of a system and an automaton, over workers that share nothing.
//!
//! A product state belongs to the owner of its system state, so all automaton states of one are in one place. Sweeps and elimination are passes (`owcty`); they need no levels, so each is one
//! phase. "There is none" is an answer; what is found is looked for once more on one machine, with numbers, where a run can be found.

use lariat_core::{Automaton, Broken, Emptiness, Marks, Stats, Word, conclude};
use lariat_model::interp::Fault;
use lariat_model::steps::ModelSteps;
use lariat_store::{Keys, SharedSession, SharedTree, Tree};
use lariat_system::{Room, Stop, System, SystemGraph};

use super::checkpoint::{self, Beside, Keeper, bytes_of, words_of};
use super::owcty::{Count, Eliminate, Owcty, Predecessors, Reach, payload_bits};
use super::pass::{Kept, Pass, Say, Source};
use super::safety::{CLOSED, OPEN, begun};
use super::shard::{Expander, Mode, Shard};
use super::status::{Agreed, End, Halted, agree};
use super::{Ending, Resumed, Spreading};
use crate::product::components::Components;
use crate::product::shared::walker::{Block, Walker};
use crate::product::shared::{SharedProduct, Way};

/// What a search says; the same to each worker.
pub struct SpreadOutcome {
    /// None if a search with numbers must say more.
    pub verdict: Option<Emptiness>,
    /// Why there is no answer.
    pub stopped: Option<Ending>,
    /// How much was looked at, by all.
    pub stats: Stats,
    /// Different states of the system.
    pub system_states: usize,
    /// Some runs cannot get past a run-time error: the error, if this worker has met it.
    pub dead_end: Option<Option<Fault>>,
}

/// Tells the others that this worker was done before anything was spread, or why it was not. An error if they were not.
pub fn settle(
    spreading: &mut Spreading<'_>,
    stopped: Option<Stop>,
) -> Result<Option<Ending>, Broken> {
    let halted = stopped.map_or(Halted::No, |stop| Halted::Here(End::Stopped(stop)));
    let fingerprint = spreading.fingerprint();
    let end = begun(spreading.exchange, halted, fingerprint, CLOSED)?;
    Ok(end.map(Ending::of))
}

/// Looks for an accepting run with states as they are packed in this tree. All workers call this with the same product and a tree of the same kind.
pub fn check_spread<'s, A: Automaton + Sync>(
    product: &SharedProduct<'s, A>,
    (way, detects_early): (Way, bool),
    tree: Tree,
    (steps, Room { width, processes }): (Box<dyn ModelSteps + 's>, Room),
    spreading: &mut Spreading<'_>,
) -> Result<SpreadOutcome, Broken> {
    let components = Components::of(product.automaton);
    let shared = components.as_ref().and_then(|components| {
        let keys = Keys::of_product(components.states(), 0);
        tree.shared_product(keys, 1, product.most_bytes()).filter(SharedTree::is_flat)
    });
    let (Some(components), Some(shared)) = (&components, shared) else {
        let fingerprint = spreading.fingerprint();
        let end = begun(spreading.exchange, Halted::Here(End::Unfit), fingerprint, OPEN)?;
        return Ok(SpreadOutcome::cut(end.unwrap_or(End::Unfit)));
    };
    let (of_model, states) = (steps.mark_count(), components.states());
    let keys = Keys::of_product(states, 0);
    let expander = OfProduct { product, keys, walker: None, dead_end: None };
    let agreed = spreading.fingerprint();
    let among = (spreading.exchange.me(), spreading.exchange.workers());
    let room = Room { width, processes };
    let mut keeper = Keeper::new(spreading, room, among);
    let resumed = spreading.resumed.take();
    let parts = (states as u32, keys.below());
    let exchange = &mut *spreading.exchange;
    let mut shard = Shard::new(exchange, expander, shared, (steps, width), product.remember, parts);
    let found_parts = shard.fingerprint();
    if let Some(end) = begun(shard.own.exchange, Halted::No, found_parts ^ agreed, OPEN)? {
        return Ok(SpreadOutcome::cut(end));
    }
    keeper.begin_with(found_parts, shard.own.exchange)?;
    shard.own.keeps = keeper.keeps();
    shard.own.cut_after = keeper.cut_after();
    let (transitions, has_dead_end) = (0, false);
    let mut search = Search { components, shard, transitions, keeper, has_dead_end, detects_early };
    let from = match resumed {
        Some(resumed) => Some((Stage::read(resumed.place(found_parts)?)?, resumed)),
        None => None,
    };
    let end = search.run(product.automaton, way, of_model, from)?;
    let outcome = search.outcome(end)?;
    if end.is_none() {
        search.keeper.forget();
    }
    spreading.saved = search.keeper.saved.take();
    spreading.sent.states += search.shard.own.wire.states;
    spreading.sent.bytes += search.shard.own.wire.bytes;
    spreading.sent.workers = search.shard.own.exchange.workers();
    Ok(outcome)
}

impl SpreadOutcome {
    fn cut(end: End) -> Self {
        let (verdict, stopped) = said(Some(end));
        let (stats, system_states) = (Stats::default(), 0);
        SpreadOutcome { verdict, stopped, stats, system_states, dead_end: None }
    }
}

/// What an end means.
fn said(end: Option<End>) -> (Option<Emptiness>, Option<Ending>) {
    match end {
        None => (Some(conclude(None, None, false)), None),
        Some(End::Found) => (None, None),
        Some(end) => (Some(conclude(None, Some(end.limit()), false)), Some(Ending::of(end))),
    }
}

/// Who expands product states.
struct OfProduct<'p, 's, A> {
    product: &'p SharedProduct<'s, A>,
    keys: Keys,
    /// It knows valuations by the numbers of one system.
    walker: Option<Walker<'p, A>>,
    dead_end: Option<Fault>,
}

impl<'p, 's, A: Automaton + Sync> Expander<'s> for OfProduct<'p, 's, A> {
    fn arrive(&mut self, keys: Keys) {
        self.keys = keys;
        self.walker = Some(Walker::new(self.product.automaton, self.product.stutters(), keys));
    }

    fn system<'a>(
        &mut self,
        steps: Box<dyn ModelSteps + 's>,
        session: SharedSession<'a>,
    ) -> System<'s, SharedSession<'a>> {
        self.product.system(steps, session)
    }

    fn initial(&mut self, system: &mut System<'s, SharedSession<'_>>) -> Result<Vec<u64>, Stop> {
        self.walker.as_ref().expect("it is at work").initial(system)
    }

    fn expand(
        &mut self,
        system: &mut System<'s, SharedSession<'_>>,
        keys: &[u64],
        wants: &dyn Fn(Word, Word) -> bool,
        block: &mut Block,
    ) -> Result<usize, Stop> {
        let walker = self.walker.as_mut().expect("it is at work");
        let expanded = walker.expand(system, keys, wants);
        std::mem::swap(&mut walker.block, block);
        self.dead_end = self.dead_end.or(system.dead_end());
        expanded
    }
}

/// Goes through the states before acceptance, until one behind them is found.
struct Exits<'c> {
    components: &'c Components,
    transitions: u64,
}

impl Pass for Exits<'_> {
    fn counts(&self) -> [u64; 2] {
        [0, self.transitions]
    }

    fn extra(&self) -> usize {
        0
    }

    fn say(&mut self, _: Source, _: u64, state: Word, _: Marks) -> Say {
        match self.components.is_before(state) {
            true => Say::Once(0, 0),
            false => Say::Found,
        }
    }

    fn note_expanded(&mut self, _: Source, successors: usize) {
        self.transitions += successors as u64;
    }

    fn keep(&self, _: Word, before: Option<u64>, _: u64) -> Kept {
        Kept { payload: 0, waits: before.is_none() }
    }

    fn hear(&mut self, _: u64, _: Word, _: Option<u64>, _: u64) -> bool {
        true
    }
}

struct Search<'x, 'p, 's, A> {
    components: &'p Components,
    shard: Shard<'x, 's, OfProduct<'p, 's, A>>,
    transitions: u64,
    keeper: Keeper,
    /// A worker has met a dead end before a checkpoint that this search goes on with.
    has_dead_end: bool,
    /// Whether cycles are looked for while predecessors are counted.
    detects_early: bool,
}

/// Which pass is at hand, and what those before it have said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stage {
    step: Step,
    /// States of S before the round.
    size: u64,
    /// Those that can be reached from all marks.
    reached: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Exits,
    Count,
    First,
    Predecessors,
    Eliminate,
    Again,
}

const STEPS: [Step; 6] =
    [Step::Exits, Step::Count, Step::First, Step::Predecessors, Step::Eliminate, Step::Again];

impl Stage {
    fn begin(step: Step) -> Stage {
        Stage { step, size: 0, reached: 0 }
    }

    /// Whether the search has this pass.
    fn is_one_of(self, steps: &[Step]) -> Result<(), Broken> {
        let what = "the checkpoint is in a pass that this search has not".to_owned();
        steps.contains(&self.step).then_some(()).ok_or(Broken { what })
    }

    fn write(self) -> [u64; 3] {
        let step = STEPS.iter().position(|&step| step == self.step);
        [step.expect("all are there") as u64, self.size, self.reached]
    }

    fn read([step, size, reached]: [u64; 3]) -> Result<Stage, Broken> {
        match usize::try_from(step).ok().and_then(|step| STEPS.get(step)) {
            Some(&step) => Ok(Stage { step, size, reached }),
            None => Err(Broken { what: "the checkpoint is in no known pass".to_owned() }),
        }
    }
}

/// The pass of a checkpoint, and what it goes on with.
type From = Option<(Stage, Resumed)>;

/// How a search ends, if not with everything seen and nothing found.
type Ended = Option<End>;

impl<A: Automaton + Sync> Search<'_, '_, '_, A> {
    /// None if there is no accepting run, found if there is one or nobody knows.
    fn run(&mut self, automaton: &A, way: Way, of_model: u32, from: From) -> Result<Ended, Broken> {
        match way {
            Way::Weak { .. } if self.components.are_weak(automaton) => self.owcty(0, from),
            Way::Before | Way::Weak { .. } => self.exits(automaton, from),
            Way::Marks { .. } => self.owcty(automaton.mark_count() + of_model, from),
        }
    }

    fn exits(&mut self, automaton: &A, from: From) -> Result<Ended, Broken> {
        if automaton.initial().iter().any(|&state| !self.components.is_before(state)) {
            return Ok(Some(End::Found));
        }
        let mut pass = Exits { components: self.components, transitions: 0 };
        let is_new = from.is_none();
        if let Some((stage, resumed)) = from {
            stage.is_one_of(&[Step::Exits])?;
            match self.load(&resumed)? {
                Ok(([_, transitions], _)) => pass.transitions = transitions,
                Err(end) => return Ok(Some(end)),
            }
        }
        let ended = self.pass(&mut pass, Stage::begin(Step::Exits), is_new)?;
        self.transitions = pass.transitions;
        Ok(ended)
    }

    /// What others have counted, and kept beside the set.
    fn load(&mut self, resumed: &Resumed) -> Result<Result<([u64; 2], Beside), End>, Broken> {
        let beside = match checkpoint::load(&mut self.shard, resumed)? {
            Ok(beside) => beside,
            Err(end) => return Ok(Err(end)),
        };
        let mut counts = [0; 2];
        for own in &beside.own {
            let Some(([counted, transitions, expanded, dead_end], [])) = words_of(own) else {
                return Err(Broken { what: "the checkpoint has no counts".to_owned() });
            };
            counts = [counts[0] + counted, counts[1] + transitions];
            self.shard.own.expanded += expanded;
            self.has_dead_end |= dead_end > 0;
        }
        Ok(Ok((counts, beside)))
    }

    /// One phase, until nothing is left; more if there are pauses. It is new, or its states are there.
    fn pass<P: Pass>(&mut self, pass: &mut P, stage: Stage, is_new: bool) -> Result<Ended, Broken> {
        if is_new {
            self.shard.begin_pass();
        }
        loop {
            self.shard.own.due = self.keeper.due();
            let halted = self.shard.phase(pass, Mode::Free)?;
            let agreed = agree(self.shard.own.exchange, halted, &[], &[])?;
            if agreed.end.is_some() {
                return Ok(agreed.end.map(|end| end.with_own(halted)));
            }
            let Some(limit) = agreed.pause else { return Ok(None) };
            let [counted, transitions] = pass.counts();
            let dead_end = self.has_dead_end || self.shard.expander.dead_end.is_some();
            let own = [counted, transitions, self.shard.own.expanded, u64::from(dead_end)];
            let beside = Beside { own: vec![bytes_of(&own)], beyond: pass.beyond() };
            checkpoint::save(&mut self.shard, &mut self.keeper, &stage.write(), &beside)?;
            if let Some(limit) = limit {
                return Ok(Some(End::Stopped(limit.into())));
            }
            self.shard.go_on();
        }
    }

    fn owcty(&mut self, marks: u32, from: From) -> Result<Ended, Broken> {
        let bits = payload_bits(marks);
        let is_fit = bits <= lariat_store::lines::MOST_PAYLOAD
            && self.shard.start_again(Keys::of_product(self.components.states(), bits));
        let halted = if is_fit { Halted::No } else { Halted::Here(End::Unfit) };
        if let Some(end) = agree(self.shard.own.exchange, halted, &[], &[])?.end {
            return Ok(Some(end));
        }
        let mut owcty = Owcty::new(self.components, marks, self.detects_early && marks == 0);
        let ended = self.rounds(&mut owcty, marks == 0, from)?;
        self.transitions = owcty.transitions;
        Ok(ended)
    }

    /// As in `owcty`: without marks, predecessors are counted while everything is swept, and there is one round.
    fn rounds(
        &mut self,
        owcty: &mut Owcty<'_>,
        is_weak: bool,
        from: From,
    ) -> Result<Ended, Broken> {
        let mut stage = Stage::begin(if is_weak { Step::Count } else { Step::First });
        let mut is_new = true;
        if let Some((at, resumed)) = from {
            at.is_one_of(match is_weak {
                true => &[Step::Count, Step::Eliminate],
                false => &[Step::First, Step::Predecessors, Step::Eliminate, Step::Again],
            })?;
            match self.load(&resumed)? {
                Ok((counts, beside)) => owcty.inherit(counts, &beside.beyond),
                Err(end) => return Ok(Some(end)),
            }
            (stage, is_new) = (at, false);
        }
        loop {
            let (step, is_first) = (stage.step, stage.step == Step::First);
            if step == Step::Predecessors && is_new {
                owcty.forget_predecessors();
            }
            let ended = match step {
                Step::Count => self.pass(&mut Count(owcty), stage, is_new)?,
                Step::Predecessors => self.pass(&mut Predecessors(owcty), stage, is_new)?,
                Step::Eliminate => self.pass(&mut Eliminate(owcty), stage, is_new)?,
                _ => self.pass(&mut Reach { owcty, is_first }, stage, is_new)?,
            };
            if ended.is_some() {
                return Ok(ended);
            }
            is_new = true;
            let counted = self.sum(owcty)?;
            stage = match step {
                Step::Count => Stage { step: Step::Eliminate, reached: counted, ..stage },
                Step::Predecessors => Stage { step: Step::Eliminate, reached: counted, ..stage },
                Step::Eliminate => {
                    let left = stage.reached - counted;
                    if is_weak || left == 0 || left == stage.size {
                        return Ok((left > 0).then_some(End::Found));
                    }
                    Stage { step: Step::Again, size: left, ..stage }
                }
                Step::Again => Stage { step: Step::Predecessors, ..stage },
                _ => Stage { step: Step::Predecessors, size: counted, ..stage },
            };
        }
    }

    /// What was counted in a pass, by all.
    fn sum(&mut self, owcty: &mut Owcty<'_>) -> Result<u64, Broken> {
        let counted = std::mem::take(&mut owcty.counted);
        Ok(agree(self.shard.own.exchange, Halted::No, &[counted], &[])?.counts[0])
    }

    fn outcome(&mut self, end: Ended) -> Result<SpreadOutcome, Broken> {
        let own = self.shard.expander.dead_end;
        let system_states = if end.is_none() { self.distinct() } else { 0 };
        let counts = [
            self.shard.len() as u64,
            self.transitions,
            self.shard.own.expanded,
            self.shard.bytes() as u64,
            system_states,
            u64::from(own.is_some() || self.has_dead_end),
        ];
        let Agreed { counts, .. } = agree(self.shard.own.exchange, Halted::No, &counts, &[])?;
        let stats = Stats {
            states: counts[0],
            transitions: counts[1],
            expansions: counts[2],
            bytes: counts[3],
            ..Stats::default()
        };
        let (verdict, stopped) = said(end);
        let (system_states, has_dead_end) = (counts[4] as usize, counts[5] > 0);
        let dead_end = has_dead_end.then_some(own);
        Ok(SpreadOutcome { verdict, stopped, stats, system_states, dead_end })
    }

    /// How many states of the system this worker has: each is counted in the first automaton state in which it is there.
    fn distinct(&mut self) -> u64 {
        let states: Vec<Word> = self.components.all().collect();
        self.shard.at_work(|_, system, _| {
            let sections = system.len() / TOGETHER + 1;
            let session = system.session();
            let (keys, mut count) = (session.keys(), 0);
            for section in 0..sections {
                let mut all = Vec::new();
                session.for_each_in(section, sections, |key, _| all.push(keys.split(key)));
                for (root, state) in all {
                    let earlier = states.iter().take_while(|&&other| other < state);
                    let earlier: Vec<u64> = earlier.map(|&other| keys.join(root, other)).collect();
                    let mut is_first = true;
                    session.payloads(&earlier, |_, found| is_first &= found.is_none());
                    count += u64::from(is_first);
                }
            }
            count
        })
    }
}

const TOGETHER: usize = 8_192;

//! The product of a system and an automaton, over workers that share nothing.
//!
//! A product state belongs to the owner of its system state, so all automaton states of one are in one place. Sweeps and elimination are passes (`owcty`); they need no levels, so each is one
//! phase. "There is none" is an answer; what is found is looked for once more on one machine, with numbers, where a run can be found.

use lariat_core::{Automaton, Broken, Emptiness, Marks, Stats, Word, conclude};
use lariat_model::interp::Fault;
use lariat_model::steps::ModelSteps;
use lariat_store::{Keys, SharedSession, Tree};
use lariat_system::{Stop, System, SystemGraph};

use super::owcty::{Count, Eliminate, Owcty, Predecessors, Reach, payload_bits};
use super::pass::{Kept, Pass, Say, Source};
use super::safety::{CLOSED, OPEN, begun};
use super::shard::{Expander, Mode, Shard};
use super::status::{Agreed, End, Halted, agree};
use super::{Ending, Spreading};
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
    let end = begun(spreading.exchange, halted, spreading.question, CLOSED)?;
    Ok(end.map(Ending::of))
}

/// Looks for an accepting run with states as they are packed in this tree. All workers call this with the same product and a tree of the same kind.
pub fn check_spread<'s, A: Automaton + Sync>(
    product: &SharedProduct<'s, A>,
    way: Way,
    tree: Tree,
    (steps, width): (Box<dyn ModelSteps + 's>, usize),
    spreading: &mut Spreading<'_>,
) -> Result<SpreadOutcome, Broken> {
    let components = Components::of(product.automaton);
    let shared = components.as_ref().and_then(|components| {
        let keys = Keys::of_product(components.states(), 0);
        tree.shared_product(keys, 1, product.most_bytes())
    });
    let (Some(components), Some(shared)) = (&components, shared) else {
        let end = begun(spreading.exchange, Halted::Here(End::Unfit), spreading.question, OPEN)?;
        return Ok(SpreadOutcome::cut(end.unwrap_or(End::Unfit)));
    };
    let (of_model, states) = (steps.mark_count(), components.states());
    let keys = Keys::of_product(states, 0);
    let expander = OfProduct { product, keys, walker: None, dead_end: None };
    let parts = (states as u32, keys.below());
    let exchange = &mut *spreading.exchange;
    let mut shard = Shard::new(exchange, expander, shared, (steps, width), product.remember, parts);
    let fingerprint = shard.fingerprint() ^ spreading.question;
    if let Some(end) = begun(shard.own.exchange, Halted::No, fingerprint, OPEN)? {
        return Ok(SpreadOutcome::cut(end));
    }
    let mut search = Search { components, shard, transitions: 0 };
    let end = search.run(product.automaton, way, of_model)?;
    let outcome = search.outcome(end)?;
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
        &self,
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
}

/// How a search ends, if not with everything seen and nothing found.
type Ended = Option<End>;

impl<A: Automaton + Sync> Search<'_, '_, '_, A> {
    /// None if there is no accepting run, found if there is one or nobody knows.
    fn run(&mut self, automaton: &A, way: Way, of_model: u32) -> Result<Ended, Broken> {
        match way {
            Way::Weak { .. } if self.components.are_weak(automaton) => self.owcty(0),
            Way::Before | Way::Weak { .. } => self.exits(automaton),
            Way::Marks { .. } => self.owcty(automaton.mark_count() + of_model),
        }
    }

    fn exits(&mut self, automaton: &A) -> Result<Ended, Broken> {
        if automaton.initial().iter().any(|&state| !self.components.is_before(state)) {
            return Ok(Some(End::Found));
        }
        let mut pass = Exits { components: self.components, transitions: 0 };
        let ended = self.pass(&mut pass)?;
        self.transitions = pass.transitions;
        Ok(ended)
    }

    /// One phase, until nothing is left.
    fn pass<P: Pass>(&mut self, pass: &mut P) -> Result<Ended, Broken> {
        self.shard.begin_pass();
        let halted = self.shard.phase(pass, Mode::Free)?;
        let agreed = agree(self.shard.own.exchange, halted, &[], &[])?;
        Ok(agreed.end.map(|end| end.with_own(halted)))
    }

    fn owcty(&mut self, marks: u32) -> Result<Ended, Broken> {
        let bits = payload_bits(marks);
        let is_fit = bits <= lariat_store::lines::MOST_PAYLOAD
            && self.shard.start_again(Keys::of_product(self.components.states(), bits));
        let halted = if is_fit { Halted::No } else { Halted::Here(End::Unfit) };
        if let Some(end) = agree(self.shard.own.exchange, halted, &[], &[])?.end {
            return Ok(Some(end));
        }
        let mut owcty = Owcty::new(self.components, marks);
        let ended = match marks {
            0 => self.weak(&mut owcty),
            _ => self.with_marks(&mut owcty),
        };
        self.transitions = owcty.transitions;
        ended
    }

    /// S := Reach; S := Elimination(S)
    fn weak(&mut self, owcty: &mut Owcty<'_>) -> Result<Ended, Broken> {
        if let Some(end) = self.pass(&mut Count(owcty))? {
            return Ok(Some(end));
        }
        let size = self.sum(owcty)?;
        if let Some(end) = self.pass(&mut Eliminate(owcty))? {
            return Ok(Some(end));
        }
        let left = size - self.sum(owcty)?;
        Ok((left > 0).then_some(End::Found))
    }

    fn with_marks(&mut self, owcty: &mut Owcty<'_>) -> Result<Ended, Broken> {
        if let Some(end) = self.pass(&mut Reach { owcty, is_first: true })? {
            return Ok(Some(end));
        }
        let mut size = self.sum(owcty)?;
        loop {
            if let Some(end) = self.pass(&mut Predecessors::new(owcty))? {
                return Ok(Some(end));
            }
            let reached = self.sum(owcty)?;
            if let Some(end) = self.pass(&mut Eliminate(owcty))? {
                return Ok(Some(end));
            }
            let left = reached - self.sum(owcty)?;
            if left == 0 || left == size {
                return Ok((left > 0).then_some(End::Found));
            }
            size = left;
            if let Some(end) = self.pass(&mut Reach { owcty, is_first: false })? {
                return Ok(Some(end));
            }
            owcty.counted = 0;
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
            u64::from(own.is_some()),
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

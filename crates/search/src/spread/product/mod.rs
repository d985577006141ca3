//! The product of a system and an automaton, over workers that share nothing.
//!
//! A product state belongs to the owner of its system state, so all automaton states of one are in one place. Sweeps and elimination are passes (`owcty`); they need no levels, so each is one
//! phase. What is found becomes a run (`lasso`), which all workers are given.
//!
//! - `expand`: who expands product states; `exits`: what is before acceptance
//! - `search`: which passes there are, and what follows from them; `stage`: where a search is, for its checkpoints; `tally`: how much was looked at

mod exits;
mod expand;
mod search;
mod stage;
mod tally;

use lariat_core::{Automaton, Broken, Emptiness, Stats, conclude};
use lariat_model::interp::Fault;
use lariat_model::steps::ModelSteps;
use lariat_store::{Keys, SharedTree, Tree};
use lariat_system::{Room, Stop};

use super::begin::{CLOSED, OPEN, begun};
use super::checkpoint::Keeper;
use super::lasso::SpreadLasso;
use super::shard::Shard;
use super::status::{End, Halted};
use super::{Ending, Spreading};
use crate::product::components::Components;
use crate::product::shared::{SharedProduct, Way};
use expand::OfProduct;
use search::Search;
use stage::Stage;

/// What a search says; the same to each worker.
pub struct SpreadOutcome {
    /// None if there is a run.
    pub verdict: Option<Emptiness>,
    /// The run.
    pub lasso: Option<SpreadLasso>,
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
    let expander = OfProduct::new(product, keys);
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
    let mut search = Search::new(components, shard, keeper, detects_early);
    let from = match resumed {
        Some(resumed) => Some((Stage::read(resumed.place(found_parts)?)?, resumed)),
        None => None,
    };
    let had_resumed = from.is_some();
    let end = search.run(product.automaton, way, of_model, from)?;
    let outcome = search.outcome(end)?;
    if end.is_none() || outcome.lasso.is_some() {
        search.keeper.forget();
    }
    spreading.saved = search.keeper.saved.take();
    spreading.sent.states += search.shard.own.wire.states;
    spreading.sent.bytes += search.shard.own.wire.bytes;
    spreading.sent.workers = search.shard.own.exchange.workers();
    spreading.note_end(had_resumed, end);
    Ok(outcome)
}

impl SpreadOutcome {
    fn cut(end: End) -> Self {
        let (verdict, stopped) = said(Some(end));
        let (lasso, stats, system_states) = (None, Stats::default(), 0);
        SpreadOutcome { verdict, lasso, stopped, stats, system_states, dead_end: None }
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

//! The run that a search over workers has found, put together by all of them.
//!
//! Elimination says that there is an accepting cycle, or something that was seen on the way suggests a state of one. Nobody has edges, numbers or stacks. So a run is put together from ways that are
//! shortest by themselves, each by a search breadth first by levels (`ahead`) and the way back (`way`):
//!
//! ```text
//! x       := a state of an accepting component: suggested, or among the states that elimination has left    (component)
//! round   := a shortest way from x to x inside the component of the automaton                                (round)
//! for each mark i that no part has so far:
//!     u -> t, t .. x := a shortest way to x from an edge with mark i that can be reached from x
//!     x .. u         := a shortest way
//!     round          := round, then x .. u -> t .. x
//! stem    := a shortest way from an initial state to a state of the round
//! ```
//!
//! *Why a round is there.* If x is in an accepting component of the product, all of that component can be reached from x by edges inside the component of the automaton, which accepting cycles do not leave; a round is in it, and
//! for each mark an edge from which x is reached again. *Why each mark is there:* u can be reached from x, and x from t, so u -> t is on a cycle through x, and the parts, one after the other, are one cycle through x.
//! If a part is not found, then x is in no such component: a suggestion was wrong, and the search goes on without suggestions.
//!
//! *Room.* A search keeps twelve bits of a product state and forgets those of the one before; there are at most one for the stem, one for the round, and three for each mark. None sees more states than the
//! sweep before. So what had room for the answer has room for the run, but for those bits.
//!
//! *Nothing of this is believed.* Each worker replays the run on the product, and the judge on the model, before it is shown.

mod ahead;
mod component;
mod round;

use lariat_core::{Broken, Limit, Marks, Word};
use lariat_store::Keys;

use super::shard::{Expander, Shard, keys_of};
use super::status::{End, Halted, agree};
use super::way::{self, Met, label};
use crate::product::components::Components;
use ahead::{Ahead, Aim};
pub(super) use component::in_first_component;

/// A product state: a row of the system, and a state of the automaton.
pub type ProductState = (Vec<Word>, Word);

/// An accepting run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpreadLasso {
    /// From an initial state on, up to the cycle.
    pub prefix: Vec<ProductState>,
    /// What is repeated for ever: its last state has an edge to its first.
    pub cycle: Vec<ProductState>,
}

/// What was looked for, if it is there; or why nobody knows.
type Sought<T> = Result<Result<Option<T>, End>, Broken>;

/// Which edges between states of the automaton are gone along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Along {
    All,
    /// Those inside accepting components.
    Inside,
}

/// Who looks for parts of a run.
pub(super) struct Looking<'l, 'x, 's, E> {
    pub(super) shard: &'l mut Shard<'x, 's, E>,
    pub(super) components: &'l Components,
    /// All marks of the product; none if every cycle inside an accepting component is accepting.
    pub(super) all: Marks,
}

impl<'l, 's, E: Expander<'s>> Looking<'l, '_, 's, E> {
    /// An accepting run through this state, if it is in an accepting component; first to another one, if one is given.
    pub(super) fn lasso(
        &mut self,
        at: &ProductState,
        by: Option<&[ProductState]>,
    ) -> Sought<SpreadLasso> {
        let mut cycle = match self.round(at)? {
            Ok(Some(round)) => round,
            Ok(None) => return Ok(Ok(None)),
            Err(end) => return Ok(Err(end)),
        };
        let mut prefix = by.unwrap_or_default().to_vec();
        let from = prefix.pop().map(|last| vec![last]);
        match self.way(from, &cycle)? {
            Ok(Some(way)) => prefix.extend(states(way)),
            Ok(None) => return Err(lost("a state that was reached cannot be reached")),
            Err(end) => return Ok(Err(end)),
        }
        let entry = prefix.pop();
        let entry = cycle.iter().position(|state| Some(state) == entry.as_ref());
        cycle.rotate_left(entry.unwrap_or(0));
        Ok(Ok(Some(SpreadLasso { prefix, cycle })))
    }

    /// A shortest way from an initial state to one that is not before acceptance.
    pub(super) fn way_behind(&mut self) -> Sought<Vec<ProductState>> {
        let mut ahead = match self.begin(None, Along::All, Aim::Behind)? {
            Ok(ahead) => ahead,
            Err(end) => return Ok(Err(end)),
        };
        let way = self.way_to_first(&mut ahead)?;
        Ok(way.map(|way| way.map(states)))
    }

    /// A shortest way from some states, or from the initial ones, to the nearest of others. It may be one of them.
    fn way(&mut self, from: Option<Vec<ProductState>>, to: &[ProductState]) -> Sought<Vec<Met>> {
        let aim = match self.aim(to, true)? {
            Ok(aim) => aim,
            Err(end) => return Ok(Err(end)),
        };
        match self.begin(from, Along::All, aim)? {
            Ok(mut ahead) => self.way_to_first(&mut ahead),
            Err(end) => Ok(Err(end)),
        }
    }

    /// Goes ahead until something that is looked for is met, then back from it.
    fn way_to_first(&mut self, ahead: &mut Ahead<'_>) -> Sought<Vec<Met>> {
        let met = match ahead.next(self.shard)? {
            Ok(met) => met,
            Err(end) => return Ok(Err(end)),
        };
        let Some(first) = met.into_iter().min() else { return Ok(Ok(None)) };
        let way = self.back(first.met, first.level, ahead.along)?;
        Ok(way.map(Some))
    }

    fn back(
        &mut self,
        last: Met,
        level: u64,
        along: Along,
    ) -> Result<Result<Vec<Met>, End>, Broken> {
        let components = self.components;
        way::back(self.shard, last, level, &|src, dst| along.wants(components, src, dst))
    }

    /// The states that are looked for.
    fn aim(
        &mut self,
        states: &[ProductState],
        may_begin: bool,
    ) -> Result<Result<Aim, End>, Broken> {
        let keys = self.shard.retrying(|_, system, _| keys_of(states, system));
        let keys = settled(self.shard, keys)?;
        let numbers =
            keys.map(|keys| keys.into_iter().enumerate().map(|(at, key)| (key, at)).collect());
        Ok(numbers.map(|numbers| Aim::States { numbers, may_begin }))
    }

    /// Forgets all states, and begins with some, or with the initial ones.
    fn begin(
        &mut self,
        from: Option<Vec<ProductState>>,
        along: Along,
        aim: Aim,
    ) -> Result<Result<Ahead<'l>, End>, Broken> {
        self.shard.own.starts = from;
        let keys = Keys::of_product(self.components.states(), label::BITS);
        let begun = self.shard.start_again(keys).then_some(()).ok_or(End::Unfit);
        let begun = settled(self.shard, begun)?;
        Ok(begun.map(|()| Ahead::new(self.components, along, aim)))
    }
}

impl Along {
    fn wants(self, components: &Components, src: Word, dst: Word) -> bool {
        self == Along::All || components.inside(src, dst)
    }
}

fn states(way: Vec<Met>) -> Vec<ProductState> {
    way.into_iter().map(|met| (met.row, met.state)).collect()
}

/// Whether all workers have done something.
fn settled<'s, T, E: Expander<'s>>(
    shard: &mut Shard<'_, 's, E>,
    done: Result<T, End>,
) -> Result<Result<T, End>, Broken> {
    let halted = match &done {
        Ok(_) => Halted::No,
        Err(end) => Halted::Here(*end),
    };
    let end = agree(shard.own.exchange, halted, &[], &[])?.end;
    Ok(match end {
        Some(end) => Err(end.with_own(halted)),
        None => done,
    })
}

fn lost(what: &str) -> Broken {
    Broken { what: what.to_owned() }
}

/// A phase that was paused has not expanded all that waited. Nobody calls for a pause here.
fn not_paused(pause: Option<Option<Limit>>) -> Result<(), Broken> {
    pause.map_or(Ok(()), |_| Err(lost("the search for a run was paused")))
}

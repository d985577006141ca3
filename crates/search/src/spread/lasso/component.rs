//! A state of an accepting component, among those that elimination has left.
//!
//! Each state of S has a predecessor in S, and can be reached within S from an edge with each mark. But it need not be on a cycle: it may lie behind one. A component of S into which no other one leads has a
//! cycle with all marks (`product/shared/owcty/mod.rs`). A state of such a component is found by what can be reached from where:
//!
//! ```text
//! X := S
//! repeat
//!     Y := some states of X; F := Y and all states of S that can be reached from Y within S    (one phase)
//!     if F != S: S := S \ F; X := X \ Y
//!     else:      X := Y
//! until F = S and Y is one state
//! ```
//!
//! *S stays what it is.* F is left by no edge of S. So a state outside of F has all its predecessors of S outside of F, and any way to it within S as well: what is said of S above is true of S \ F. If S \ F
//! is not empty, its components into which no other one leads are such ones of S.
//!
//! *X has a state of each such component*, which can be reached from nowhere else: at first X is S. If F is S, then Y has one of each. If not, those left are outside of F, so the states of X in them are not in Y.
//!
//! *In the end* all of S can be reached from the one state of Y, and the component into which no other one leads has a state of Y: so it is this state.
//!
//! *How many phases.* Y is one state at first, and twice as many each time, until F is S; then one again. If F is not S, the phase has looked at states only that are gone afterwards. If F is S, X is as small as Y was. X has
//! states by ranks, which are hashes of what states are: so Y is a part of X by chance, and the same one however many workers there are.

use lariat_core::{Broken, Marks, Word, makes_mistake};
use lariat_store::SharedSession;
use lariat_system::{System, SystemGraph};

use super::{ProductState, Sought, lost, not_paused};
use crate::product::components::Components;
use crate::product::owcty::IN;
use crate::spread::checkpoint::{bytes_of, words_of};
use crate::spread::parts::mix;
use crate::spread::pass::{Kept, Pass, Say, Source};
use crate::spread::shard::{Expander, Mode, Own, Shard};
use crate::spread::status::{Agreed, End, Halted, agree};
use crate::spread::way::{Met, agreed};

/// In F. Predecessors are not counted any more.
const REACHED: u64 = 1;
/// States of the set that are looked at together.
const TOGETHER: usize = 8_192;

/// By what states are ordered.
fn rank(hash: u64, state: Word) -> u64 {
    mix(hash ^ u64::from(state).rotate_left(32))
}

/// The ranks of X: from one on, to before another one.
#[derive(Clone, Copy, Debug)]
struct Ranks {
    from: u128,
    to: u128,
}

impl Ranks {
    fn have(self, rank: u64) -> bool {
        (self.from..self.to).contains(&u128::from(rank))
    }
}

/// What there is of S.
#[derive(Clone, Copy, Default, Debug)]
struct Survey {
    states: u64,
    /// Those of X.
    of_x: u64,
    /// The least rank of X, and how many have it.
    least: u64,
    ties: u64,
}

/// A state of a component of S into which no other one leads. None if S is empty.
pub(in crate::spread) fn in_first_component<'s, E: Expander<'s>>(
    shard: &mut Shard<'_, 's, E>,
    components: &Components,
) -> Sought<ProductState> {
    let mut x = Ranks { from: 0, to: 1 << 64 };
    let (mut some, mut drops) = (1_u64, false);
    loop {
        let survey = survey(shard, components, x, drops)?;
        if survey.states == 0 {
            return Ok(Ok(None));
        }
        if survey.of_x == 0 {
            return Err(lost("what elimination has left is behind nothing"));
        }
        let first = u128::from(survey.least) + 1;
        let y = match some == 1 {
            true => first,
            false => {
                let step = (x.to - x.from) / u128::from(survey.of_x) * u128::from(some);
                x.from.saturating_add(step).clamp(first, x.to)
            }
        };
        let y = Ranks { from: x.from, to: y };
        let mut pass = Forth { components, y, reached: 0 };
        shard.begin_pass();
        let halted = shard.phase(&mut pass, Mode::Free)?;
        let agreed = agree(shard.own.exchange, halted, &[pass.reached], &[])?;
        if let Some(end) = agreed.end {
            return Ok(Err(end.with_own(halted)));
        }
        not_paused(agreed.pause)?;
        drops = agreed.counts[0] < survey.states && !makes_mistake("lasso-component");
        match drops {
            true => (x.from, some) = (y.to, some.saturating_mul(2)),
            false if y.to > first => (x.to, some) = (y.to, 1),
            false if survey.ties == 1 => return state(shard, components, survey.least),
            false => return Err(lost("two states cannot be told apart")),
        }
    }
}

/// What there is of S, after what was reached is gone if it is to go.
fn survey<'s, E: Expander<'s>>(
    shard: &mut Shard<'_, 's, E>,
    components: &Components,
    x: Ranks,
    drops: bool,
) -> Result<Survey, Broken> {
    let mut own = Survey { least: u64::MAX, ..Survey::default() };
    let changed = shard.at_work(|worker, system, _| {
        for_each(worker, system, components, |rank, payload| {
            if drops && payload & REACHED != 0 {
                return payload & !IN;
            }
            own.states += 1;
            if x.have(rank) {
                own.of_x += 1;
                own.ties =
                    if rank < own.least { 1 } else { own.ties + u64::from(rank == own.least) };
                own.least = own.least.min(rank);
            }
            payload
        })
    });
    let note = bytes_of(&[own.least, own.ties]);
    let halted = changed.map_or_else(|stop| Halted::Here(End::Stopped(stop)), |()| Halted::No);
    let counts = [own.states, own.of_x];
    let Agreed { counts, notes, end, .. } = agree(shard.own.exchange, halted, &counts, &note)?;
    if end.is_some() {
        return Err(lost("what is kept of states could not be changed"));
    }
    let mut all = Survey { states: counts[0], of_x: counts[1], least: u64::MAX, ties: 0 };
    for note in &notes {
        let wrong = || lost("a worker has counted something else");
        let ([least, ties], _) = words_of(note).ok_or_else(wrong)?;
        if least <= all.least {
            all.ties = if least < all.least { ties } else { all.ties + ties };
            all.least = least;
        }
    }
    Ok(all)
}

/// The state of S with this rank.
fn state<'s, E: Expander<'s>>(
    shard: &mut Shard<'_, 's, E>,
    components: &Components,
    least: u64,
) -> Sought<ProductState> {
    let found = shard.at_work(|own, system, _| {
        let mut found = None;
        own.parts.catch_up(system.store());
        let (session, keys) = (system.store(), system.store().keys());
        each_of(session, |key, payload| {
            let (root, state) = keys.split(key);
            let is_it =
                is_in(components, state, payload) && rank(own.parts.hash(root), state) == least;
            if is_it {
                found = Some((root, state));
            }
        });
        found.map(|(root, state)| Met::new(system.load(root).to_vec(), state, 0))
    });
    let found = agreed(shard, Ok(found))?;
    Ok(found.map(|met| met.map(|met| (met.row, met.state))))
}

fn is_in(components: &Components, state: Word, payload: u64) -> bool {
    payload & IN != 0 && components.is_accepting(state)
}

fn each_of(session: &SharedSession<'_>, mut each: impl FnMut(u64, u64)) {
    let sections = session.set().len() / TOGETHER + 1;
    for section in 0..sections {
        session.for_each_in(section, sections, &mut each);
    }
}

/// Changes what is kept of the states of S, by their ranks.
fn for_each(
    own: &mut Own<'_>,
    system: &mut System<'_, SharedSession<'_>>,
    components: &Components,
    mut change: impl FnMut(u64, u64) -> u64,
) -> Result<(), lariat_system::Stop> {
    own.parts.catch_up(system.store());
    let keys = system.store().keys();
    let session = system.session();
    let sections = session.set().len() / TOGETHER + 1;
    let (mut changed, mut after) = (Vec::new(), Vec::new());
    for section in 0..sections {
        changed.clear();
        after.clear();
        session.for_each_in(section, sections, |key, payload| {
            let (root, state) = keys.split(key);
            if !is_in(components, state, payload) {
                return;
            }
            let new = change(rank(own.parts.hash(root), state), payload);
            if new != payload {
                changed.push(key);
                after.push(new);
            }
        });
        session.change(&changed, |at, _| after[at], |_, _| false)?;
    }
    Ok(())
}

/// F, from Y on.
struct Forth<'c> {
    components: &'c Components,
    y: Ranks,
    reached: u64,
}

impl Pass for Forth<'_> {
    fn extra(&self) -> usize {
        0
    }

    fn hashes(&self) -> bool {
        true
    }

    fn wants(&self, src: Word, dst: Word) -> bool {
        self.components.inside(src, dst)
    }

    fn picks(&self) -> bool {
        true
    }

    fn pick(&mut self, state: Word, payload: u64, hash: u64) -> Kept {
        if !is_in(self.components, state, payload) {
            return Kept { payload, waits: false };
        }
        let waits = self.y.have(rank(hash, state));
        self.reached += u64::from(waits);
        let payload = payload & !REACHED | if waits { REACHED } else { 0 };
        Kept { payload, waits }
    }

    fn say(&mut self, _: Source, _: u64, _: Word, _: Marks) -> Say {
        Say::Once(0, 0)
    }

    fn keep(&self, _: Word, before: Option<u64>, _: u64) -> Kept {
        let before = before.unwrap_or(0);
        let is_new = before & (IN | REACHED) == IN;
        Kept { payload: if is_new { before | REACHED } else { before }, waits: is_new }
    }

    fn hear(&mut self, _: u64, _: Word, before: Option<u64>, _: u64) -> bool {
        self.reached += u64::from(before.is_some_and(|before| before & (IN | REACHED) == IN));
        before.is_some()
    }

    fn counts(&self) -> [u64; 2] {
        [0; 2]
    }
}

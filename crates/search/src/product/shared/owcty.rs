//! Accepting cycles by elimination: One Way Catch Them Young.
//!
//! I. Černá, R. Pelánek, *Distributed explicit fair cycle detection*, SPIN 2003; J. Barnat, L. Brim, P. Ročkai, *A time-optimal on-the-fly
//! parallel algorithm for model checking of weak LTL properties*, ICFEM 2009, for weak automata. After the hull of Fisler, Fraer, Kamhi,
//! Vardi, Yang, *Is there a best symbolic cycle-detection algorithm?*, TACAS 2001:
//!
//! ```text
//! S := states of accepting components that can be reached
//! repeat
//!     S := states of S that can be reached within S from an edge of S with mark i, for each mark i    (reach)
//!     while some state of S has no predecessor in S: S := S \ { it }                                   (eliminate)
//! until S does not change
//! there is an accepting cycle if and only if S is not empty
//! ```
//!
//! *Why.* An edge counts only inside one accepting component of the automaton, as accepting cycles do not leave those. A state of an accepting cycle is
//! never removed: the cycle carries all marks and stays in S. If S is not empty in the end, take a component of S into
//! which no other one leads. Each of its states has a predecessor in S, which is in the component, so the component has a cycle; and each
//! can be reached within S from an edge with mark i, which is in the component, too. So it carries all marks.
//!
//! *Weak automata* have no marks to reach: every cycle inside an accepting component is accepting. One elimination is enough, each state is expanded
//! twice, and predecessors are counted while the product is swept. Not even that is needed if no edge inside an accepting component leads to a state of the
//! same level of the sweep or of an earlier one, as one edge of every cycle does (J. Barnat, L. Brim, J. Chaloupka, *Parallel breadth-first search LTL
//! model-checking*, ASE 2003): so states carry the number of their level, up to a number from which on nothing is said.
//!
//! With marks there may be several rounds; after some it is left to others.
//!
//! Everything is breadth first, on all threads, with a few bits of payload for each product state: how many predecessors in S it has, whether it is in S, from which
//! marks it can be reached, and whether it waits to be expanded. Threads change a payload in one step (`RootSet`), so a predecessor is counted once
//! and counted off once, by whoever expands it, and one thread only sees the last one go. A block of states is noted as a whole or not at all (`pass`). Counts beyond the bits are kept in a table
//! beside the set: the payload stays as it is while the table has some.
//!
//! Sets of marks grow only, so it does not matter in which order threads add to them: a state that gets more waits to be expanded again, unless it waits
//! already. Whoever expands it ends the waiting *before* it reads the marks, in one step: what comes later makes it wait again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use lariat_core::{Automaton, Marks, Word, makes_mistake};
use lariat_store::SharedSession;
use lariat_store::lines::MOST_PAYLOAD;
use lariat_system::Stop;

use super::Search;
use super::pass::{Own, Pass};
use super::walker::Block;
use crate::product::components::Components;
use crate::team::End;

/// Predecessors, up to this number: there may be more in the table.
const MANY: u64 = 31;
/// In S.
const IN: u64 = 1 << 5;
/// In the level at hand or in the next one. Without marks there is no such bit.
const WAITS: u64 = 1 << 6;
/// Marks from which the state can be reached.
const MARKS: u32 = 7;
/// Without marks, the level of a state, up to this number.
const LEVEL: u32 = 6;
const DEEP: u64 = (1 << 10) - 1;
/// Rounds with marks.
const ROUNDS: u32 = 3;

fn payload_bits(marks: u32) -> u32 {
    if marks == 0 { LEVEL + DEEP.count_ones() } else { MARKS + marks }
}

/// What all passes know.
pub(super) struct Owcty<'c> {
    components: &'c Components,
    /// All marks, as bits of a payload.
    all: u64,
    beyond: Beyond,
    /// An edge of a weak component leads to a state of the same level or of an earlier one; whether that ends the search.
    leads_back: AtomicBool,
    only_forth: bool,
}

impl<'s, A: Automaton + Sync> Search<'_, 's, A> {
    /// Found if there is an accepting cycle, done if there is none. Without marks, every cycle of an accepting component is accepting. `only_forth`: found, too, if
    /// there is one edge to the same level or an earlier one.
    pub(super) fn owcty(&mut self, marks: u32, only_forth: bool) -> End {
        if payload_bits(marks) > MOST_PAYLOAD || !self.start_again(payload_bits(marks)) {
            return End::Unfit;
        }
        let all = Marks::all(marks).0 << MARKS;
        let (components, beyond) = (self.components, Beyond::new());
        let leads_back = AtomicBool::new(false);
        let owcty = &Owcty { components, all, beyond, leads_back, only_forth };
        if marks == 0 {
            // S := Reach; S := Elimination(S)
            let (end, size) = self.sweep(Count { owcty, level: AtomicU64::new(0) });
            return match end {
                End::Done if !owcty.leads_back.load(Relaxed) => End::Done,
                End::Done => self.left(owcty, size).map_or_else(|end| end, found_if),
                end => end,
            };
        }
        let (mut end, mut size) = self.sweep(Reach { owcty, is_first: true });
        let mut rounds = 0;
        while let End::Done = end {
            rounds += 1;
            if rounds > ROUNDS {
                return End::Found;
            }
            let left = match self.reached(owcty).and_then(|size| self.left(owcty, size)) {
                Ok(left) => left,
                Err(end) => return end,
            };
            if left == 0 || left == size {
                return found_if(left);
            }
            size = left;
            end = self.pass(Reach { owcty, is_first: false }).0;
        }
        end
    }

    /// S := those that can be reached from all marks, and counts their predecessors; how many they are.
    fn reached(&mut self, owcty: &Owcty<'_>) -> Result<u64, End> {
        owcty.beyond.clear();
        match self.pass(Predecessors(owcty)) {
            (End::Done, size, _) => Ok(size),
            (end, ..) => Err(end),
        }
    }

    /// S := Elimination(S), of so many; how many are left.
    fn left(&mut self, owcty: &Owcty<'_>, size: u64) -> Result<u64, End> {
        match self.pass(Eliminate(owcty)) {
            (End::Done, gone, _) => Ok(size - gone),
            (end, ..) => Err(end),
        }
    }
}

fn found_if(left: u64) -> End {
    if left > 0 { End::Found } else { End::Done }
}

impl Owcty<'_> {
    /// Whether a state, by its key, is in an accepting component.
    fn may_accept(&self, key: u64, session: &SharedSession<'_>) -> bool {
        self.components.is_accepting(session.keys().split(key).1)
    }

    /// By successor: whether its edge is inside an accepting component. None if one alone is an accepting cycle.
    fn insides(
        &self,
        sources: &[u64],
        block: &Block,
        session: &SharedSession<'_>,
        inside: &mut Vec<bool>,
    ) -> Option<()> {
        let keys = session.keys();
        inside.clear();
        for (number, &source) in sources.iter().enumerate() {
            let (_, src) = keys.split(source);
            for at in block.of(number) {
                let key = block.keys[at];
                let is_inside = self.components.inside(src, keys.split(key).1);
                let has_all = block.marks[at].contains(Marks(self.all >> MARKS));
                if is_inside && key == source && has_all {
                    return None;
                }
                inside.push(is_inside);
            }
        }
        Some(())
    }
}

/// A payload with one predecessor more.
fn one_more(payload: u64) -> u64 {
    let is_wrong = makes_mistake("owcty-count") && payload & MANY > 0;
    payload + u64::from(payload & MANY < MANY && !is_wrong)
}

/// Sweeps everything, and counts predecessors inside accepting components.
struct Count<'o, 'c> {
    owcty: &'o Owcty<'c>,
    /// The number of the next level.
    level: AtomicU64,
}

impl Pass for Count<'_, '_> {
    fn wants(&self, _: Word, _: Word) -> bool {
        true
    }

    fn initial(
        &self,
        keys: &[u64],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        self.add(keys, &vec![false; keys.len()], session, own)?;
        Ok(false)
    }

    fn begin_level(&self) {
        self.level.fetch_add(1, Relaxed);
    }

    fn note(
        &self,
        sources: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        let mut inside = std::mem::take(&mut own.inside);
        let looked = self.owcty.insides(sources, block, session, &mut inside);
        let added = looked.map(|()| self.add(&block.keys, &inside, session, own));
        own.inside = inside;
        let Some(added) = added else { return Ok(true) };
        let leads_back = added?;
        own.transitions += block.keys.len() as u64;
        if leads_back {
            self.owcty.leads_back.store(true, Relaxed);
        }
        Ok(leads_back && self.owcty.only_forth)
    }
}

impl Count<'_, '_> {
    /// Adds states, and predecessors to those behind edges that are inside. Whether one of these edges does not lead to the next level.
    fn add(
        &self,
        keys: &[u64],
        inside: &[bool],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        let Owcty { components, beyond, .. } = self.owcty;
        let of_key = session.keys();
        let is_in = |at: usize| components.is_accepting(of_key.split(keys[at]).1);
        let next = self.level.load(Relaxed).min(DEEP);
        let change = |at: usize, before: Option<u64>| {
            let new = || next << LEVEL | if is_in(at) { IN } else { 0 };
            let payload = before.unwrap_or_else(new);
            if inside[at] { one_more(payload) } else { payload }
        };
        let leads_forth =
            |before: u64| before >> LEVEL == next && next < DEEP || makes_mistake("owcty-level");
        let (mut bytes, mut leads_back) = (0, false);
        session.update(keys, change, |at, before| {
            if let Some(before) = before.filter(|_| inside[at]) {
                leads_back |= !leads_forth(before);
                if before & MANY == MANY {
                    bytes += beyond.add(keys[at]);
                }
            }
            own.counted += u64::from(before.is_none() && is_in(at));
            before.is_none()
        })?;
        session.overdraw(bytes);
        Ok(leads_back)
    }
}

/// Adds the marks from which states can be reached: while everything is swept, or within S.
struct Reach<'o, 'c> {
    owcty: &'o Owcty<'c>,
    is_first: bool,
}

impl Pass for Reach<'_, '_> {
    fn wants(&self, src: Word, dst: Word) -> bool {
        self.is_first || self.owcty.components.inside(src, dst)
    }

    fn initial(
        &self,
        keys: &[u64],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        self.add(keys, &vec![0; keys.len()], session, own)?;
        Ok(false)
    }

    fn picks(&self) -> bool {
        !self.is_first
    }

    /// All of S wait, and no marks are known.
    fn pick(
        &self,
        states: &[(u64, u64)],
        session: &mut SharedSession<'_>,
        _: &mut Own,
    ) -> Result<(), Stop> {
        let is_in = |&&(key, payload): &&(u64, u64)| {
            payload & IN != 0 && self.owcty.may_accept(key, session)
        };
        let keys: Vec<u64> = states.iter().filter(is_in).map(|&(key, _)| key).collect();
        session.change(&keys, |_, before| before & !self.owcty.all | WAITS, |_, _| true)?;
        Ok(())
    }

    fn note(
        &self,
        sources: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        let mut inside = std::mem::take(&mut own.inside);
        let looked = self.owcty.insides(sources, block, session, &mut inside);
        own.inside = inside;
        if looked.is_none() {
            return Ok(true);
        }
        // They wait no longer: what comes from now on makes them wait again.
        let mut known = vec![0; sources.len()];
        session.change(
            sources,
            |_, before| before & !WAITS,
            |at, before| {
                known[at] = before & self.owcty.all;
                false
            },
        )?;
        let mut more = vec![0; block.keys.len()];
        for (number, known) in known.into_iter().enumerate() {
            for at in block.of(number).filter(|&at| own.inside[at]) {
                more[at] = known | block.marks[at].0 << MARKS & self.owcty.all;
            }
        }
        self.add(&block.keys, &more, session, own)?;
        if self.is_first {
            // Each state is in S when it was expanded, and its edges count once.
            session.change(
                sources,
                |_, before| before | IN,
                |at, before| {
                    if before & IN == 0 {
                        own.transitions += block.of(at).len() as u64;
                    }
                    false
                },
            )?;
        }
        Ok(false)
    }
}

impl Reach<'_, '_> {
    /// Adds marks to states. Those that have got some wait; so do new ones.
    fn add(
        &self,
        keys: &[u64],
        more: &[u64],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<(), Stop> {
        let gains = |at: usize, before: u64| more[at] & !before != 0;
        let with = |at: usize, before: u64| match gains(at, before) {
            true => before | more[at] | WAITS,
            false => before,
        };
        if !self.is_first {
            let change = |at, before| if before & IN == 0 { before } else { with(at, before) };
            let wants = |at, before| before & IN != 0 && before & WAITS == 0 && gains(at, before);
            return Ok(session.change(keys, change, wants)?);
        }
        let (components, of_key) = (self.owcty.components, session.keys());
        let change = |at: usize, before: Option<u64>| match before {
            None => more[at] | WAITS,
            Some(before) => with(at, before),
        };
        session.update(keys, change, |at, before| match before {
            None => {
                let may_accept = components.is_accepting(of_key.split(keys[at]).1);
                own.counted += u64::from(may_accept);
                true
            }
            Some(before) => {
                before & WAITS == 0 && gains(at, before) && !makes_mistake("owcty-marks")
            }
        })?;
        Ok(())
    }
}

/// Takes those that cannot be reached from all marks out of S, then counts predecessors in S.
struct Predecessors<'o, 'c>(&'o Owcty<'c>);

impl Pass for Predecessors<'_, '_> {
    fn wants(&self, src: Word, dst: Word) -> bool {
        self.0.components.inside(src, dst)
    }

    fn picks(&self) -> bool {
        true
    }

    fn pick(
        &self,
        states: &[(u64, u64)],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<(), Stop> {
        let may_accept = |&&(key, _): &&(u64, u64)| self.0.may_accept(key, session);
        let keys: Vec<u64> = states.iter().filter(may_accept).map(|&(key, _)| key).collect();
        let all = self.0.all;
        let stays = |before: u64| before & IN != 0 && before & all == all;
        session.change(
            &keys,
            |_, before| if stays(before) { before & !MANY } else { before & !IN },
            |_, before| {
                own.counted += u64::from(stays(before));
                stays(before)
            },
        )?;
        Ok(())
    }

    fn note(
        &self,
        _: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        _: &mut Own,
    ) -> Result<bool, Stop> {
        let mut bytes = 0;
        session.change(
            &block.keys,
            |_, before| if before & IN == 0 { before } else { one_more(before) },
            |at, before| {
                if before & IN != 0 && before & MANY == MANY {
                    bytes += self.0.beyond.add(block.keys[at]);
                }
                false
            },
        )?;
        session.overdraw(bytes);
        Ok(false)
    }
}

/// Takes states without predecessors in S out of S.
struct Eliminate<'o, 'c>(&'o Owcty<'c>);

impl Pass for Eliminate<'_, '_> {
    fn wants(&self, src: Word, dst: Word) -> bool {
        self.0.components.inside(src, dst)
    }

    fn picks(&self) -> bool {
        true
    }

    fn pick(
        &self,
        states: &[(u64, u64)],
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<(), Stop> {
        let goes = |&&(_, payload): &&(u64, u64)| payload & (IN | MANY) == IN;
        let keys: Vec<u64> = states
            .iter()
            .filter(goes)
            .map(|&(key, _)| key)
            .filter(|&key| self.0.may_accept(key, session))
            .collect();
        own.counted += keys.len() as u64;
        session.change(&keys, |_, before| before & !IN, |_, _| true)?;
        Ok(())
    }

    fn note(
        &self,
        _: &[u64],
        block: &Block,
        session: &mut SharedSession<'_>,
        own: &mut Own,
    ) -> Result<bool, Stop> {
        // In the table there may be more.
        let mut many = Vec::new();
        let change = |_, before: u64| match before & MANY {
            MANY => before,
            _ => one_less(before),
        };
        session.change(&block.keys, change, |at, before| {
            if before & (IN | MANY) == IN | MANY {
                many.push(block.keys[at]);
            }
            own.counted += u64::from(is_last(before));
            is_last(before)
        })?;
        for key in many {
            self.0.beyond.take(key, || {
                session.change(
                    &[key],
                    |_, before| one_less(before),
                    |_, before| {
                        own.counted += u64::from(is_last(before));
                        is_last(before)
                    },
                )?;
                Ok(())
            })?;
        }
        Ok(false)
    }
}

/// Whether one predecessor of a state in S is left.
fn is_last(payload: u64) -> bool {
    payload & (IN | MANY) == IN | 1
}

/// A payload with one predecessor less, if it is one of a state in S: without the last one it is out of S.
fn one_less(payload: u64) -> u64 {
    match payload & MANY {
        0 => payload,
        _ if payload & IN == 0 => payload,
        1 => payload & !IN & !MANY,
        _ => payload - 1,
    }
}

/// Predecessors beyond what a payload can count.
struct Beyond([Mutex<HashMap<u64, u32>>; 64]);

impl Beyond {
    fn new() -> Self {
        Beyond(std::array::from_fn(|_| Mutex::default()))
    }

    fn of(&self, key: u64) -> MutexGuard<'_, HashMap<u64, u32>> {
        let at = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
        self.0[at as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more; bytes that this takes.
    fn add(&self, key: u64) -> usize {
        let mut counts = self.of(key);
        let before = counts.capacity();
        *counts.entry(key).or_default() += 1;
        // A place has a byte of hash, and an eighth of the places is free.
        (counts.capacity() - before) * (size_of::<(u64, u32)>() + 1) * 8 / 7
    }

    /// One less; `else_` if there is none. Others wait meanwhile, so the last one is taken once.
    fn take(&self, key: u64, else_: impl FnOnce() -> Result<(), Stop>) -> Result<(), Stop> {
        let mut counts = self.of(key);
        match counts.entry(key) {
            Entry::Occupied(mut entry) if *entry.get() > 1 => *entry.get_mut() -= 1,
            Entry::Occupied(entry) => drop(entry.remove()),
            Entry::Vacant(_) => else_()?,
        }
        Ok(())
    }

    fn clear(&self) {
        for counts in &self.0 {
            counts.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

//! Sets of processes that are closed under what their members demand.
//!
//! Whom a process needs depends on its kind and on what each other one may still do: its *future*. There
//! are few futures, as a process that goes round has the same one everywhere, so the futures of all
//! processes together seldom change. For each such combination and each kind, the processes that must come along are
//! worked out once, as a *row* of sets; to close a set is to join some of them.

use std::sync::Arc;

use crate::demand::{Demand, Meeting};
use crate::hash::HashMap;
use crate::reduction::Kind;
use crate::set::{Ids, ProcessSet};
use crate::touched::{Touched, Use};

/// What is known of a kind.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct KindFacts {
    pub(crate) demand: Demand,
    pub(crate) brief: Brief,
}

/// What is asked in every state.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Brief {
    pub(crate) steps: u32,
    pub(crate) future: u32,
    /// In a state with such a process nothing is left out.
    pub(crate) needs_all: bool,
    /// Its one step conflicts with nobody, wherever they are: a set of its own.
    pub(crate) is_alone: bool,
    /// The channels on which it offers a rendezvous now, and those on which it accepts one.
    pub(crate) there: [Ids; 2],
}

/// Why nothing can be left out in a state, with the process that it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// There is no more than one step.
    OneStep,
    /// It moves by a timeout, or is committed.
    NeedsAll(usize),
    /// It may change what the property looks at.
    Visible(usize),
    /// It may change whether others can move, and only fair runs count.
    Disturbs(usize),
    /// All who can move must come along with it.
    Conflict(usize),
}

/// Rows that are kept; beyond that, all are made anew.
const MOST_ROWS: usize = 1 << 16;

#[derive(Default)]
pub(crate) struct Closures {
    /// By number: the futures of all processes.
    combinations: HashMap<Box<[u32]>, u32>,
    /// Those of the last state, and their number.
    last: Vec<u32>,
    number: usize,
    /// By combination, pid and kind: the row and one; 0 if it is not made yet.
    places: Vec<Vec<Vec<u32>>>,
    rows: Vec<Row>,
    /// By kind and future: what has to do with it.
    relations: Vec<Vec<Relation>>,
    /// By pid: the row in the state at hand, if it was needed.
    now: Vec<u32>,
    bytes: usize,
}

/// Who must come along with a process.
struct Row {
    /// Whatever else is in the set.
    always: Ids,
    /// No set may have it.
    is_excluded: bool,
    /// For each command that waits for one of several conditions: one of these sets.
    choices: Box<[Box<[Ids]>]>,
    meetings: Box<[MeetingRow]>,
}

/// One side of a rendezvous.
struct MeetingRow {
    /// Who is at the other end (see [`Brief::there`]), and on which channels.
    with: usize,
    on: Ids,
    is_visible: bool,
    /// Who comes along if somebody is at the other end now, and if not.
    along: [Ids; 2],
}

/// What a process of a kind has to do with what another one may still do, as bits: conflict and
/// disturbance; for each meeting, conflict and whether the other may come to it; for each set of
/// enablers, whether the other is in it.
type Relation = u64;

const CONFLICTS: u32 = 0;
const DISTURBS: u32 = 1;
const FIRST_MEETING: u32 = 2;
pub(crate) const MOST_BITS: usize = 60;
const UNKNOWN: Relation = 1 << 63;

/// The kinds of a state, and what is known of them.
pub(crate) struct State<'a> {
    /// By pid.
    pub(crate) kinds: &'a [Kind],
    /// By kind.
    pub(crate) facts: &'a [Arc<KindFacts>],
    pub(crate) briefs: &'a [Brief],
    pub(crate) futures: &'a [Touched],
    pub(crate) fairness: bool,
}

impl State<'_> {
    #[inline]
    fn brief(&self, pid: usize) -> &Brief {
        &self.briefs[self.kinds[pid].raw() as usize]
    }

    fn demand(&self, pid: usize) -> &Demand {
        &self.facts[self.kinds[pid].raw() as usize].demand
    }
}

impl Closures {
    /// The closed set with fewest steps, of less than `all`, then with fewest processes, then around the
    /// youngest one.
    pub(crate) fn smallest(&mut self, state: &State<'_>, all: u64) -> Option<ProcessSet> {
        self.begin(state);
        let mut best: Option<(u64, u32, Ids)> = None;
        for pid in (0..state.kinds.len()).rev() {
            let steps = state.brief(pid).steps;
            let least = best.map_or(all, |best| best.0 + 1);
            if steps == 0 || u64::from(steps) >= least {
                continue;
            }
            let Some((steps, set)) = self.close(state, pid, least) else { continue };
            let size = set.len();
            if steps < all && best.is_none_or(|best| (steps, size) < (best.0, best.1)) {
                best = Some((steps, size, set));
            }
        }
        best.map(|(_, _, set)| ProcessSet::new(set))
    }

    /// All closed sets around a process with fewer steps than `all`: those with fewest steps first, then with
    /// fewest processes, then around the youngest one.
    pub(crate) fn candidates(&mut self, state: &State<'_>, all: u64) -> Vec<ProcessSet> {
        self.begin(state);
        let mut found: Vec<(u64, Ids)> = Vec::new();
        for pid in (0..state.kinds.len()).rev().filter(|&pid| state.brief(pid).steps > 0) {
            let closed = self.close(state, pid, all);
            found.extend(closed.filter(|(_, set)| found.iter().all(|(_, known)| known != set)));
        }
        found.sort_by_key(|&(steps, set)| (steps, set.len()));
        found.into_iter().map(|(_, set)| ProcessSet::new(set)).collect()
    }

    /// Of the next state.
    fn begin(&mut self, state: &State<'_>) {
        self.combine(state);
        self.now.clear();
        self.now.resize(state.kinds.len(), 0);
    }

    /// Why there is no smaller set, for the process with the fewest steps.
    pub(crate) fn obstacle(&mut self, state: &State<'_>, all: u64) -> Option<Obstacle> {
        if self.smallest(state, all).is_some() {
            return None;
        }
        let moving = (0..state.kinds.len()).rev().filter(|&pid| state.brief(pid).steps > 0);
        let start = moving.min_by_key(|&pid| state.brief(pid).steps)?;
        // What is in its set though no set may have it.
        let (mut set, mut done) = (Ids::one(start), Ids::default());
        while let Some(pid) = set.without(done).first() {
            done.add(pid);
            if state.demand(pid).is_visible {
                return Some(Obstacle::Visible(pid));
            }
            let row = self.row(state, pid) as usize - 1;
            if self.rows[row].is_excluded {
                return Some(Obstacle::Disturbs(pid));
            }
            set = set.or(self.rows[row].always);
        }
        Some(Obstacle::Conflict(start))
    }

    /// The number of the futures.
    fn combine(&mut self, state: &State<'_>) {
        let count = state.kinds.len();
        let futures = || (0..count).map(|pid| state.brief(pid).future);
        let is_same = self.last.len() == count && futures().eq(self.last.iter().copied());
        if is_same && self.rows.len() < MOST_ROWS {
            return;
        }
        if self.rows.len() >= MOST_ROWS || self.places.len() >= MOST_ROWS {
            self.combinations.clear();
            (self.places, self.rows, self.bytes) = (Vec::new(), Vec::new(), 0);
        }
        self.last.clear();
        self.last.extend(futures());
        self.number = match self.combinations.get(&self.last[..]) {
            Some(&number) => number as usize,
            None => {
                let number = self.places.len();
                self.combinations.insert(self.last[..].into(), number as u32);
                self.places.push(vec![Vec::new(); count]);
                self.bytes += count * (size_of::<u32>() + size_of::<Vec<u32>>());
                number
            }
        };
    }

    /// The smallest closed set around a process, with the number of its steps. None if it has as many
    /// steps as `limit`, or does what no set may do.
    fn close(&mut self, state: &State<'_>, start: usize, limit: u64) -> Option<(u64, Ids)> {
        let (mut set, mut done, mut steps) = (Ids::one(start), Ids::default(), 0);
        while let Some(pid) = set.without(done).first() {
            done.add(pid);
            steps += u64::from(state.brief(pid).steps);
            if steps >= limit {
                return None;
            }
            if self.now[pid] == 0 {
                self.now[pid] = self.row(state, pid);
            }
            let row = &self.rows[self.now[pid] as usize - 1];
            if row.is_excluded {
                return None;
            }
            set = set.or(row.always);
            for meeting in &row.meetings {
                let mut others = (0..state.kinds.len()).filter(|&other| other != pid);
                let is_met =
                    others.any(|other| state.brief(other).there[meeting.with].meets(meeting.on));
                if is_met && (meeting.is_visible || state.fairness) {
                    return None;
                }
                set = set.or(meeting.along[!is_met as usize]);
            }
            for sets in &row.choices {
                let least = sets.iter().min_by_key(|ids| ids.without(set).len());
                set = set.or(least.copied().unwrap_or_default());
            }
        }
        Some((steps, set))
    }

    /// The number of a row and one.
    fn row(&mut self, state: &State<'_>, pid: usize) -> u32 {
        let kind = state.kinds[pid].raw() as usize;
        if let Some(&row) = self.places[self.number][pid].get(kind)
            && row != 0
        {
            return row;
        }
        let row = self.make(state, pid);
        let sets = 1 + 2 * row.meetings.len() + row.choices.iter().flatten().count();
        self.bytes += size_of::<Row>() + sets * size_of::<Ids>();
        self.rows.push(row);
        let number = self.rows.len() as u32;
        let of_pid = &mut self.places[self.number][pid];
        if of_pid.len() <= kind {
            self.bytes += (kind + 1 - of_pid.len()) * size_of::<u32>();
            of_pid.resize(kind + 1, 0);
        }
        of_pid[kind] = number;
        number
    }

    #[cold]
    fn make(&mut self, state: &State<'_>, pid: usize) -> Row {
        let kind = state.kinds[pid].raw() as usize;
        let relations: Vec<Relation> = (0..state.kinds.len())
            .map(|other| match other == pid {
                true => 0,
                false => self.relation(state, kind, state.brief(other).future as usize),
            })
            .collect();
        let with_bit = |bit: u32| {
            let related = relations.iter().enumerate().filter(|(_, found)| *found >> bit & 1 == 1);
            related.fold(Ids::default(), |ids, (other, _)| ids.or(Ids::one(other)))
        };
        let demand = state.demand(pid);
        let mut always = with_bit(CONFLICTS);
        if demand.behind_younger {
            always.add(pid + 1);
        }
        let disturbs = state.fairness && !with_bit(DISTURBS).is_empty();
        let mut bits = FIRST_MEETING..;
        let mut next = || with_bit(bits.next().expect("there is no end"));
        let of_meeting = |meeting: &Meeting| MeetingRow {
            with: usize::from(meeting.with != Use::Offer),
            on: meeting.on,
            is_visible: meeting.is_visible,
            along: [next(), next()],
        };
        let meetings = demand.meetings.iter().map(of_meeting).collect();
        let mut choices: Vec<Box<[Ids]>> = Vec::new();
        for sets in &demand.waits {
            let sets: Box<[Ids]> = sets.iter().map(|_| next()).collect();
            match *sets {
                [only] => always = always.or(only),
                _ => choices.push(sets),
            }
        }
        let is_excluded = demand.is_visible || disturbs;
        Row { always, is_excluded, choices: choices.into(), meetings }
    }

    /// What a process of a kind has to do with a future.
    fn relation(&mut self, state: &State<'_>, kind: usize, future: usize) -> Relation {
        if self.relations.len() <= kind {
            self.relations.resize(state.facts.len(), Vec::new());
        }
        let known = &mut self.relations[kind];
        if known.len() <= future {
            known.resize(state.futures.len(), UNKNOWN);
        }
        if known[future] == UNKNOWN {
            known[future] = relate(&state.facts[kind].demand, &state.futures[future]);
        }
        known[future]
    }

    pub(crate) fn bytes(&self) -> usize {
        let relations = self.relations.iter().map(|known| size_of_val(&known[..]));
        self.bytes + relations.sum::<usize>()
    }
}

fn relate(demand: &Demand, future: &Touched) -> Relation {
    let mut relation = Relation::from(demand.moves.conflicts(future)) << CONFLICTS;
    relation |= Relation::from(demand.moves.disturbs(future)) << DISTURBS;
    let meetings = demand.meetings.iter();
    let meetings =
        meetings.flat_map(|meeting| [meeting.touched.conflicts(future), meeting.may_find(future)]);
    let enablers = demand.waits.iter().flatten().map(|set| set.are_in(future));
    for (bit, is_related) in (FIRST_MEETING..).zip(meetings.chain(enablers)) {
        relation |= Relation::from(is_related) << bit;
    }
    relation
}

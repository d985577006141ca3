//! Kinds of processes, and the sets that are closed under what their members demand.

use lariat_core::{Word, makes_mistake};
use lariat_model::analysis::Fixed;
use lariat_model::interp::{Interp, row};
use lariat_model::ir::layout::{Divergence, NR_PROCESSES};
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{ExprId, Model, ProctypeId};

use crate::demand::{Asker, Demand};
use crate::hash::HashMap;
use crate::instance::{Identity, Instance, of_type};
use crate::memo::Memo;
use crate::reason::{self, Reason};
use crate::set::{Ids, ProcessSet};
use crate::touched::Touched;
use crate::visible::Visible;
use crate::world::World;

/// What a question looks at.
#[derive(Clone, Copy, Debug)]
pub struct Looks<'a> {
    /// Propositions, invariants, expressions that must be reachable: a command that may change one
    /// of them is visible.
    pub propositions: &'a [ExprId],
    /// Only fair runs count: steps of the set must not change whether others can move.
    pub fairness: bool,
}

/// What counts of a process in a state, as a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kind(u32);

impl Kind {
    /// Of a process that is not there, or that will never do anything.
    pub const NONE: Kind = Kind(1);

    pub fn raw(self) -> u32 {
        self.0
    }

    /// From what [`Kind::raw`] has said of a kind of the same reduction.
    pub fn from_raw(raw: u32) -> Kind {
        Kind(raw)
    }
}

/// Whose steps are enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Nothing is left out.
    All,
    /// Steps that begin with a command of one of these processes.
    Only(ProcessSet),
}

/// Chooses for one model and one question.
pub struct Reduction<'m> {
    world: World<'m>,
    visible: Visible,
    propositions: Vec<ExprId>,
    fairness: bool,
    /// The order of the model's steps: Spin tries the youngest process first.
    is_youngest_first: bool,
    interp: Interp<'m>,
    /// By type: what processes of it may touch. Found when it is asked for first.
    types: Vec<Touched>,
    /// By type: what processes other than one of it may touch.
    others: Vec<Touched>,
    instances: Vec<Instance>,
    instance_ids: HashMap<Box<[u32]>, u32>,
    kinds: Vec<KindFacts>,
    kind_ids: HashMap<Box<[u32]>, Kind>,
    futures: Vec<Touched>,
    future_ids: HashMap<Touched, u32>,
    /// By kind and future: what has to do with it.
    relations: Vec<Vec<Relation>>,
    memo: Memo,
    /// Bytes of instances, kinds and futures.
    grown: usize,
    state: Vec<u8>,
    hidden: Vec<u8>,
    key: Vec<u32>,
    scratch: Vec<Relation>,
}

/// What is known of a kind.
struct KindFacts {
    demand: Demand,
    future: u32,
    steps: u32,
    /// In a state with such a process nothing is left out.
    needs_all: bool,
    /// It conflicts with nobody, wherever they are: a set of its own.
    is_alone: bool,
}

/// What a process of a kind has to do with what another one may still do, as bits: conflict and
/// disturbance; for each meeting, conflict and whether the other may come to it; for each set of
/// enablers, whether the other is in it.
type Relation = u64;

const CONFLICTS: Relation = 1;
const DISTURBS: Relation = 2;
const FIRST_MEETING: u32 = 2;
const MOST_BITS: usize = 60;
const UNKNOWN: Relation = 1 << 63;

/// Of a state of which nothing is left out, whatever the processes are.
const WHOLE: Kind = Kind(0);

impl<'m> Reduction<'m> {
    /// An error says why nothing can be left out.
    pub fn new(model: &'m Model, looks: Looks<'_>) -> Result<Self, Reason> {
        reason::check(model, looks.fairness)?;
        let world = World::new(model).map_err(|_| Reason::new("the model has no initial state"))?;
        let visible = Visible::new(&world, looks.propositions)?;
        let idle = |needs_all| KindFacts {
            demand: Demand {
                moves: world.nothing(),
                meetings: Vec::new(),
                waits: Vec::new(),
                behind_younger: false,
                is_visible: needs_all,
            },
            future: 0,
            steps: 0,
            needs_all,
            is_alone: false,
        };
        let kinds = vec![idle(true), idle(false)];
        Ok(Reduction {
            futures: vec![world.nothing()],
            world,
            visible,
            propositions: looks.propositions.to_vec(),
            fairness: looks.fairness,
            is_youngest_first: model.discipline == Discipline::Spin,
            interp: Interp::new(model),
            types: Vec::new(),
            others: Vec::new(),
            instances: Vec::new(),
            instance_ids: HashMap::default(),
            kinds,
            kind_ids: HashMap::default(),
            future_ids: HashMap::default(),
            relations: Vec::new(),
            memo: Memo::default(),
            grown: 0,
            state: Vec::new(),
            hidden: Vec::new(),
            key: Vec::new(),
            scratch: Vec::new(),
        })
    }

    /// What counts of a process: which one it is, its control point, which of its commands can be
    /// executed, why others cannot, and how many steps it begins. A pure function of `steps` and of
    /// the words that the steps of this process look at.
    ///
    /// `steps`: how many successors there are whose first command is of this process; a
    /// rendezvous is begun by the sender.
    pub fn kind(&mut self, row: &[Word], pid: usize, steps: u32) -> Kind {
        if !self.load(row) {
            return WHOLE;
        }
        let first_channel = self.channels_before(pid);
        self.loaded_kind(pid, first_channel, steps)
    }

    /// The same of all processes, by pid.
    pub fn kinds(&mut self, row: &[Word], steps: &[u32], out: &mut Vec<Kind>) {
        out.clear();
        if !self.load(row) {
            out.push(WHOLE);
            return;
        }
        let mut first_channel = self.channels_before(0);
        let count = self.interp.processes().count();
        for pid in 0..count {
            let steps = steps.get(pid).copied().unwrap_or(0);
            out.push(self.loaded_kind(pid, first_channel, steps));
            first_channel += self.own_channels(pid);
        }
    }

    /// Whether processes have kinds in this state.
    fn load(&mut self, row: &[Word]) -> bool {
        row::unpack_into(self.world.model, row, &mut self.state, &mut self.hidden);
        let is_error =
            self.world.model.discipline != Discipline::Spin && self.state[NR_PROCESSES] == 0;
        if is_error || Divergence::of(&self.state).is_some() {
            return false;
        }
        self.interp.load_with_hidden(&self.state, &self.hidden);
        true
    }

    fn own_channels(&self, pid: usize) -> usize {
        let process = self.interp.processes().nth(pid);
        process.map_or(0, |process| self.world.model.proctype(process.proctype).channels.len())
    }

    /// The id of the first channel of a process, whether it has one or not.
    fn channels_before(&self, pid: usize) -> usize {
        let older = self.interp.processes().take(pid);
        let count = |process: lariat_model::interp::Process<'m>| {
            self.world.model.proctype(process.proctype).channels.len()
        };
        self.world.global_channels + 1 + older.map(count).sum::<usize>()
    }

    fn loaded_kind(&mut self, pid: usize, first_channel: usize, steps: u32) -> Kind {
        let Some(process) = self.interp.processes().nth(pid) else { return WHOLE };
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        let fixed = Fixed {
            proctype: process.proctype,
            constants: self
                .world
                .constants
                .of_frame(process.proctype, &self.interp.loaded()[process.base..]),
        };
        key.extend([pid as u32, u32::from(process.proctype.0), first_channel as u32]);
        key.extend(fixed.constants.iter().map(|&value| value as u32));
        let instance = match self.instance_ids.get(&key[..]) {
            Some(&instance) => instance,
            None => {
                let identity = Identity { pid, fixed, first_channel };
                self.find_types();
                let made = Instance::new(&self.world, &self.types, &self.visible, identity);
                self.grown += made.bytes() + size_of_val(&key[..]);
                self.instances.push(made);
                let id = self.instances.len() as u32 - 1;
                self.instance_ids.insert(key[..].into(), id);
                id
            }
        };
        key.clear();
        key.extend([instance, u32::from(process.at.0), steps]);
        let made = &self.instances[instance as usize];
        let mut asker = Asker {
            world: &self.world,
            instance: made,
            interp: &mut self.interp,
            point: &made.points[process.at.0 as usize],
        };
        let moves = asker.sign(&mut key);
        let kind = match self.kind_ids.get(&key[..]) {
            Some(&kind) => kind,
            None => {
                let demand = asker.demand(&self.visible);
                let kind = self.add_kind(instance, process.at.0 as usize, steps, moves, demand);
                self.kind_ids.insert(key[..].into(), kind);
                kind
            }
        };
        self.key = key;
        kind
    }

    fn find_types(&mut self) {
        if self.types.is_empty() {
            let ids = || (0..self.world.model.proctypes.len()).map(|at| ProctypeId(at as u8));
            self.types = ids().map(|id| of_type(&self.world, id)).collect();
            let others = ids().map(|id| everybody_else(&self.world, &self.types, id));
            self.others = others.collect();
        }
    }

    fn add_kind(
        &mut self,
        instance: u32,
        at: usize,
        steps: u32,
        moves: bool,
        mut demand: Demand,
    ) -> Kind {
        let instance = &self.instances[instance as usize];
        let point = &instance.points[at];
        let proctype = instance.identity.fixed.proctype;
        let location = &self.world.model.proctype(proctype).locations[at];
        // It moves because nobody else can.
        let by_timeout = point.asks_timeout && steps > 0 && !moves;
        let is_committed = location.is_committed && !makes_mistake("por-committed");
        demand.make_fit(MOST_BITS);
        let others = &self.others[proctype.0 as usize];
        let needs_others = demand.behind_younger
            || demand.moves.conflicts(others)
            || demand.meetings.iter().any(|meeting| meeting.may_find(others))
            || demand.waits.iter().any(|sets| sets.iter().all(|set| set.are_in(others)));
        let disturbs = self.fairness && demand.moves.disturbs(others);
        let is_alone = !demand.is_visible && !needs_others && !disturbs;
        let future = match self.future_ids.get(&point.future) {
            Some(&future) => future,
            None => {
                self.grown += 2 * point.future.bytes();
                self.futures.push(point.future.clone());
                let id = self.futures.len() as u32 - 1;
                self.future_ids.insert(point.future.clone(), id);
                id
            }
        };
        let needs_all = by_timeout || is_committed;
        self.grown += demand.bytes() + size_of::<KindFacts>();
        self.kinds.push(KindFacts { demand, future, steps, needs_all, is_alone });
        Kind(self.kinds.len() as u32 - 1)
    }

    /// Whether the one step of a process of this kind is enough, whatever the others are. If there are
    /// several such processes, the first one in the order of the model's steps is chosen.
    #[inline]
    pub fn is_alone(&self, kind: Kind) -> bool {
        let facts = &self.kinds[kind.0 as usize];
        facts.is_alone && facts.steps == 1 && !facts.needs_all
    }

    /// Whose steps are kept in a state whose processes have these kinds, by pid. A pure function of
    /// what the kinds stand for.
    pub fn choose(&mut self, kinds: &[Kind]) -> Choice {
        let (mut all, mut alone, mut needs_all) = (0, None, false);
        for (pid, kind) in kinds.iter().enumerate() {
            let facts = &self.kinds[kind.0 as usize];
            needs_all |= facts.needs_all;
            all += u64::from(facts.steps);
            if self.is_alone(*kind) && (alone.is_none() || self.is_youngest_first) {
                alone = Some(pid);
            }
        }
        if all <= 1 {
            return Choice::All;
        }
        // Who moves though nobody is needed moves without a timeout, and nobody is committed. Others need
        // not be asked, so the answer must not depend on them.
        if let Some(pid) = alone {
            return Choice::Only(ProcessSet::new(Ids::one(pid)));
        }
        if needs_all {
            return Choice::All;
        }
        if let Some(choice) = self.memo.get(kinds) {
            return choice;
        }
        let choice = self.smallest(kinds, all);
        self.memo.put(kinds, choice);
        choice
    }

    /// All sets that may stand for all processes, as far as nothing is put off for ever by that: those
    /// with fewest steps first, then with fewest processes, then around the youngest one.
    pub fn candidates(&mut self, kinds: &[Kind]) -> Vec<ProcessSet> {
        let facts = || kinds.iter().map(|kind| &self.kinds[kind.0 as usize]);
        let all = facts().map(|facts| u64::from(facts.steps)).sum();
        if facts().any(|facts| facts.needs_all) {
            return Vec::new();
        }
        let with_steps: Vec<bool> = facts().map(|facts| facts.steps > 0).collect();
        self.begin_closing(kinds);
        let mut found: Vec<(u64, Ids)> = Vec::new();
        for pid in (0..kinds.len()).rev().filter(|&pid| with_steps[pid]) {
            let closed = self.close(kinds, pid, all);
            found.extend(closed.filter(|(_, set)| found.iter().all(|(_, known)| known != set)));
        }
        found.sort_by_key(|&(steps, set)| (steps, set.len()));
        found.into_iter().map(|(_, set)| ProcessSet::new(set)).collect()
    }

    /// Nothing is known of these kinds yet.
    fn begin_closing(&mut self, kinds: &[Kind]) {
        self.scratch.clear();
        self.scratch.resize(kinds.len() * kinds.len(), UNKNOWN);
    }

    /// The closed set with fewest steps, then with fewest processes, then around the youngest one.
    fn smallest(&mut self, kinds: &[Kind], all: u64) -> Choice {
        self.begin_closing(kinds);
        let mut best: Option<(u64, u32, Ids)> = None;
        for pid in (0..kinds.len()).rev() {
            let facts = &self.kinds[kinds[pid].0 as usize];
            let least = best.map_or(all, |best| best.0 + 1);
            if facts.steps == 0 || u64::from(facts.steps) >= least {
                continue;
            }
            let Some((steps, set)) = self.close(kinds, pid, least) else { continue };
            let size = set.len();
            if steps < all && best.is_none_or(|best| (steps, size) < (best.0, best.1)) {
                best = Some((steps, size, set));
            }
        }
        best.map_or(Choice::All, |(_, _, set)| Choice::Only(ProcessSet::new(set)))
    }

    /// The smallest closed set around a process, with the number of its steps. None if it has as many
    /// steps as `limit`, or does what no set may do.
    fn close(&mut self, kinds: &[Kind], start: usize, limit: u64) -> Option<(u64, Ids)> {
        let (mut set, mut done, mut steps) = (Ids::one(start), Ids::default(), 0);
        while let Some(pid) = set.without(done).first() {
            done.add(pid);
            let facts = &self.kinds[kinds[pid].0 as usize];
            steps += u64::from(facts.steps);
            if facts.demand.is_visible || steps >= limit {
                return None;
            }
            if facts.demand.behind_younger {
                set.add(pid + 1);
            }
            for other in (0..kinds.len()).filter(|&other| other != pid) {
                let relation = self.relation(kinds, pid, other);
                if self.fairness && relation & DISTURBS != 0 {
                    return None;
                }
                if relation & CONFLICTS != 0 {
                    set.add(other);
                }
            }
            let relations = &self.scratch[pid * kinds.len()..][..kinds.len()];
            let with_bit = |bit: u32| {
                let related = (0..kinds.len())
                    .filter(|&other| other != pid && relations[other] >> bit & 1 == 1);
                related.fold(Ids::default(), |ids, other| ids.or(Ids::one(other)))
            };
            let demand = &self.kinds[kinds[pid].0 as usize].demand;
            let mut bit = FIRST_MEETING;
            for meeting in &demand.meetings {
                let mut others = kinds.iter().enumerate().filter(|&(other, _)| other != pid);
                let is_met = others.any(|(_, kind)| {
                    let other = &self.kinds[kind.0 as usize].demand;
                    other.is_there(meeting.with).meets(meeting.on)
                });
                if is_met && (meeting.is_visible || self.fairness) {
                    return None;
                }
                set = set.or(with_bit(bit + !is_met as u32));
                bit += 2;
            }
            for sets in &demand.waits {
                let bits = bit..bit + sets.len() as u32;
                let least = bits.map(with_bit).min_by_key(|ids| ids.without(set).len());
                set = set.or(least.unwrap_or_default());
                bit += sets.len() as u32;
            }
        }
        Some((steps, set))
    }

    /// What a process has to do with the future of another one.
    fn relation(&mut self, kinds: &[Kind], pid: usize, other: usize) -> Relation {
        let at = pid * kinds.len() + other;
        if self.scratch[at] == UNKNOWN {
            let future = self.kinds[kinds[other].0 as usize].future;
            let kind = kinds[pid].0;
            self.scratch[at] = self.known_relation(kind as usize, future as usize);
        }
        self.scratch[at]
    }

    fn known_relation(&mut self, kind: usize, future: usize) -> Relation {
        if self.relations.len() <= kind {
            self.relations.resize(self.kinds.len(), Vec::new());
        }
        let known = &mut self.relations[kind];
        if known.len() <= future {
            self.grown += (self.futures.len() - known.len()) * size_of::<Relation>();
            known.resize(self.futures.len(), UNKNOWN);
        }
        if known[future] == UNKNOWN {
            known[future] = relate(&self.kinds[kind].demand, &self.futures[future]);
        }
        known[future]
    }

    /// What the question looks at.
    pub fn looks(&self) -> Looks<'_> {
        Looks { propositions: &self.propositions, fairness: self.fairness }
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        self.grown + self.memo.bytes()
    }
}

fn relate(demand: &Demand, future: &Touched) -> Relation {
    let mut relation = 0;
    if demand.moves.conflicts(future) {
        relation |= CONFLICTS;
    }
    if demand.moves.disturbs(future) {
        relation |= DISTURBS;
    }
    let meetings = demand.meetings.iter();
    let meetings =
        meetings.flat_map(|meeting| [meeting.touched.conflicts(future), meeting.may_find(future)]);
    let enablers = demand.waits.iter().flatten().map(|set| set.are_in(future));
    for (at, is_related) in meetings.chain(enablers).enumerate() {
        relation |= Relation::from(is_related) << (FIRST_MEETING as usize + at);
    }
    relation
}

/// What processes may ever touch, apart from one of this type.
fn everybody_else(world: &World<'_>, types: &[Touched], id: ProctypeId) -> Touched {
    let model = world.model;
    let first = model.initial_processes.iter().filter(|process| process.proctype == id);
    let is_single = first.count() == 1 && !world.may_be_started(id);
    let mut touched = world.nothing();
    for (at, other) in types.iter().enumerate() {
        let other_id = ProctypeId(at as u8);
        let exists = world.may_be_started(other_id)
            || model.initial_processes.iter().any(|process| process.proctype == other_id);
        if exists && !(other_id == id && is_single) {
            touched.join(other);
        }
    }
    touched
}

//! Kinds of processes, and the sets that are closed under what their members demand.

use std::sync::Arc;

use lariat_core::{Word, makes_mistake};
use lariat_model::interp::{Interp, row};
use lariat_model::ir::layout::{Divergence, NR_PROCESSES};
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{Expr, ExprId, LocationId, Model, ProctypeId};

use crate::builder::of_type;
use crate::closure::{Brief, Closures, KindFacts, MOST_BITS, Obstacle, State};
use crate::demand::{Asker, Demand};
use crate::hash::HashMap;
use crate::instance::{Identity, Instance};
use crate::memo::Memo;
use crate::reason::{self, Reason};
use crate::set::{Ids, ProcessSet};
use crate::touched::{Touched, Use};
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
    /// What is known of a process may depend on its pid.
    uses_pids: bool,
    instances: Vec<Instance>,
    instance_ids: HashMap<Box<[u32]>, u32>,
    kinds: Vec<Arc<KindFacts>>,
    /// By kind: what is asked first.
    briefs: Vec<Brief>,
    kind_ids: HashMap<Box<[u32]>, Kind>,
    /// Kinds that are the same for all that is asked are one kind.
    facts_ids: HashMap<Arc<KindFacts>, Kind>,
    futures: Vec<Touched>,
    future_ids: HashMap<Touched, u32>,
    closures: Closures,
    memo: Memo,
    /// Bytes of instances, kinds and futures.
    grown: usize,
    state: Vec<u8>,
    hidden: Vec<u8>,
    key: Vec<u32>,
    first_channels: Vec<usize>,
}

/// Of a state of which nothing is left out, whatever the processes are.
const WHOLE: Kind = Kind(0);

impl<'m> Reduction<'m> {
    /// Whether something can be left out; an error says why not.
    pub fn check(model: &Model, looks: Looks<'_>) -> Result<(), Reason> {
        match looks.propositions {
            // Then no more is asked than of the model.
            [] => reason::check(model, looks.fairness),
            _ => Reduction::new(model, looks).map(drop),
        }
    }

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
            brief: Brief {
                steps: 0,
                future: 0,
                needs_all,
                is_alone: false,
                there: Default::default(),
            },
        };
        let kinds = vec![Arc::new(idle(true)), Arc::new(idle(false))];
        Ok(Reduction {
            briefs: kinds.iter().map(|kind| kind.brief).collect(),
            facts_ids: HashMap::default(),
            futures: vec![world.nothing()],
            propositions: looks.propositions.to_vec(),
            fairness: looks.fairness,
            is_youngest_first: model.discipline == Discipline::Spin,
            interp: Interp::new(model),
            uses_pids: visible.names_pids() || asks_for_pids(model),
            types: Vec::new(),
            others: Vec::new(),
            instances: Vec::new(),
            world,
            visible,
            instance_ids: HashMap::default(),
            kinds,
            kind_ids: HashMap::default(),
            future_ids: HashMap::default(),
            closures: Closures::default(),
            memo: Memo::default(),
            grown: 0,
            state: Vec::new(),
            hidden: Vec::new(),
            key: Vec::new(),
            first_channels: Vec::new(),
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
        self.find_kinds(row, steps, out, false);
    }

    /// The same, unless one process is enough whatever the others are: the first such one in the
    /// order of the model's steps. There must be more steps than one.
    pub fn alone_or_kinds(
        &mut self,
        row: &[Word],
        steps: &[u32],
        out: &mut Vec<Kind>,
    ) -> Option<usize> {
        self.find_kinds(row, steps, out, true)
    }

    fn find_kinds(
        &mut self,
        row: &[Word],
        steps: &[u32],
        out: &mut Vec<Kind>,
        may_be_alone: bool,
    ) -> Option<usize> {
        out.clear();
        if !self.load(row) {
            out.push(WHOLE);
            return None;
        }
        let mut first_channels = std::mem::take(&mut self.first_channels);
        first_channels.clear();
        let mut first_channel = self.channels_before(0);
        for process in self.interp.processes() {
            first_channels.push(first_channel);
            first_channel += self.world.model.proctype(process.proctype).channels.len();
        }
        let count = first_channels.len();
        out.resize(count, Kind::NONE);
        let mut alone = None;
        for at in 0..count {
            let pid = if self.is_youngest_first { count - 1 - at } else { at };
            let steps = steps.get(pid).copied().unwrap_or(0);
            out[pid] = self.loaded_kind(pid, first_channels[pid], steps);
            if may_be_alone && self.is_alone(out[pid]) {
                alone = Some(pid);
                break;
            }
        }
        self.first_channels = first_channels;
        alone
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
        let frame = &self.interp.loaded()[process.base..];
        let fixed = self.world.constants.fixed(process.proctype, frame);
        // Processes that differ in what does not matter are one.
        let known_as = if self.uses_pids { pid } else { 0 };
        let has_channels = self.world.has_channels_at_stake(process.proctype);
        let first_channel = if has_channels { first_channel } else { 0 };
        key.extend([known_as as u32, u32::from(process.proctype.0), first_channel as u32]);
        key.extend(fixed.constants.iter().map(|&value| value as u32));
        let instance = match self.instance_ids.get(&key[..]) {
            Some(&instance) => instance,
            None => {
                let identity = Identity { pid: known_as, fixed, first_channel };
                self.find_types();
                let made = Instance::new(&self.world, &self.types, identity);
                self.grown += made.bytes() + size_of_val(&key[..]);
                self.instances.push(made);
                let id = self.instances.len() as u32 - 1;
                self.instance_ids.insert(key[..].into(), id);
                id
            }
        };
        key.clear();
        key.extend([instance, u32::from(process.at.0), steps]);
        let made = &mut self.instances[instance as usize];
        self.grown += made.make_point(&self.world, &self.visible, process.at);
        let made = &self.instances[instance as usize];
        let mut asker = Asker {
            world: &self.world,
            instance: made,
            pid: pid as u8,
            interp: &mut self.interp,
            point: made.point(process.at),
        };
        let moves = asker.sign(&mut key);
        let kind = match self.kind_ids.get(&key[..]) {
            Some(&kind) => kind,
            None => {
                let demand = asker.demand(process.at, &self.visible);
                let kind = self.add_kind(instance, process.at, steps, moves, demand);
                self.grown += 2 * size_of_val(&key[..]);
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
        at: LocationId,
        steps: u32,
        moves: bool,
        mut demand: Demand,
    ) -> Kind {
        let instance = &self.instances[instance as usize];
        let point = instance.point(at);
        let proctype = instance.identity.fixed.proctype;
        let location = &self.world.model.proctype(proctype).locations[at.0 as usize];
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
        let needs_all = by_timeout || is_committed;
        let is_free = !demand.is_visible && !needs_others && !disturbs;
        let is_alone = is_free && steps == 1 && !needs_all;
        let future = instance.future(at);
        let future = match self.future_ids.get(future) {
            Some(&future) => future,
            None => {
                self.grown += 2 * future.bytes();
                self.futures.push(future.clone());
                let id = self.futures.len() as u32 - 1;
                self.future_ids.insert(future.clone(), id);
                id
            }
        };
        let there = [Use::Offer, Use::Accept].map(|side| demand.is_there(side));
        let brief = Brief { steps, future, needs_all, is_alone, there };
        let facts = Arc::new(KindFacts { demand, brief });
        if let Some(&kind) = self.facts_ids.get(&facts) {
            return kind;
        }
        self.grown += facts.demand.bytes() + size_of::<KindFacts>();
        let kind = Kind(self.kinds.len() as u32);
        self.kinds.push(facts.clone());
        self.briefs.push(brief);
        self.facts_ids.insert(facts, kind);
        kind
    }

    /// Whether the one step of a process of this kind is enough, whatever the others are. If there are
    /// several such processes, the first one in the order of the model's steps is chosen.
    #[inline]
    pub fn is_alone(&self, kind: Kind) -> bool {
        self.briefs[kind.0 as usize].is_alone
    }

    /// Whose steps are kept in a state whose processes have these kinds, by pid. A pure function of
    /// what the kinds stand for.
    pub fn choose(&mut self, kinds: &[Kind]) -> Choice {
        let (mut all, mut alone, mut needs_all) = (0, None, false);
        for (pid, kind) in kinds.iter().enumerate() {
            let brief = &self.briefs[kind.0 as usize];
            needs_all |= brief.needs_all;
            all += u64::from(brief.steps);
            if brief.is_alone && (alone.is_none() || self.is_youngest_first) {
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
        let state = state(kinds, &self.kinds, &self.briefs, &self.futures, self.fairness);
        let choice = self.closures.smallest(&state, all).map_or(Choice::All, Choice::Only);
        self.memo.put(kinds, choice);
        choice
    }

    /// All sets that may stand for all processes, as far as nothing is put off for ever by that: those
    /// with fewest steps first, then with fewest processes, then around the youngest one.
    pub fn candidates(&mut self, kinds: &[Kind]) -> Vec<ProcessSet> {
        let brief = |kind: &Kind| &self.briefs[kind.0 as usize];
        if kinds.iter().any(|kind| brief(kind).needs_all) {
            return Vec::new();
        }
        let all = kinds.iter().map(|kind| u64::from(brief(kind).steps)).sum();
        let state = state(kinds, &self.kinds, &self.briefs, &self.futures, self.fairness);
        self.closures.candidates(&state, all)
    }

    /// Why nothing is left out in a state whose processes have these kinds; none if something is.
    pub fn obstacle(&mut self, kinds: &[Kind]) -> Option<Obstacle> {
        match self.choose(kinds) {
            Choice::Only(_) => return None,
            Choice::All => {}
        }
        let brief = |kind: &Kind| &self.briefs[kind.0 as usize];
        let all: u64 = kinds.iter().map(|kind| u64::from(brief(kind).steps)).sum();
        if all <= 1 {
            return Some(Obstacle::OneStep);
        }
        if let Some(pid) = kinds.iter().position(|kind| brief(kind).needs_all) {
            return Some(Obstacle::NeedsAll(pid));
        }
        let state = state(kinds, &self.kinds, &self.briefs, &self.futures, self.fairness);
        self.closures.obstacle(&state, all)
    }

    /// Whether there is ever more than one process.
    pub fn has_choices(&self) -> bool {
        let model = self.world.model;
        let runs = |at| matches!(model.exprs.get(ExprId(at as u32)), Expr::Run(_));
        model.initial_processes.len() > 1 || (0..model.exprs.len()).any(runs)
    }

    /// Control points of all process types: what an analysis takes grows with them.
    pub fn control_points(&self) -> usize {
        self.world.model.proctypes.iter().map(|proctype| proctype.locations.len()).sum()
    }

    /// What the question looks at.
    pub fn looks(&self) -> Looks<'_> {
        Looks { propositions: &self.propositions, fairness: self.fairness }
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        self.grown + self.closures.bytes() + self.memo.bytes()
    }
}

fn state<'a>(
    kinds: &'a [Kind],
    facts: &'a [Arc<KindFacts>],
    briefs: &'a [Brief],
    futures: &'a [Touched],
    fairness: bool,
) -> State<'a> {
    State { kinds, facts, briefs, futures, fairness }
}

fn asks_for_pids(model: &Model) -> bool {
    (0..model.exprs.len()).any(|at| matches!(model.exprs.get(ExprId(at as u32)), Expr::Pid))
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

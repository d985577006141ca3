//! The model IR: processes as control graphs of guarded commands over a packed state vector.
//!
//! One IR for all modelling languages, independent of their syntax. Read [`layout`] (where
//! things lie in a state), [`expr`] (expressions as an arena of nodes), [`command`] (what a
//! step is), then [`Model`].
//!
//! ```text
//! Model ─┬─ globals, hidden            variables with offsets
//!        ├─ channel_types              capacity and message layout
//!        ├─ exprs                      arena of expression nodes
//!        ├─ commands                   arena of commands: action, target, atomicity, text
//!        ├─ d_steps                    programs of `d_step` blocks
//!        └─ proctypes ─┬─ frame        parameters and locals
//!                      └─ locations    control point → (command, priority) in order of trial
//! ```

pub mod command;
pub mod dot;
pub mod expr;
pub mod layout;
pub mod print;
pub mod transition;

use lariat_syntax::diagnostics::{SourceMap, Span};
use std::ops::Range;

pub use command::{
    Action, Assign, Command, CommandId, DStep, DStepId, DStepNode, Edge, Location, LocationId,
    NodeId, Print, Receive, ReceiveArg, Send,
};
pub use expr::{BinaryOp, Expr, ExprId, Exprs, Probe, Run, UnaryOp};
pub use layout::{ChannelType, ChannelTypeId, Index, Place, Region, Scalar, Variable};
pub use transition::Transition;

/// Names a proctype of a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ProctypeId(pub u8);

/// A whole model.
#[derive(Clone, Debug)]
pub struct Model {
    pub name: String,
    pub sources: SourceMap,
    /// Variables of the state vector outside the frames, in order of declaration.
    pub globals: Vec<Variable>,
    /// Bytes of the fixed part of a state: header and globals.
    pub globals_size: u32,
    /// Variables that are no part of a state's identity (`hidden`).
    pub hidden: Vec<Variable>,
    pub hidden_size: u32,
    /// What happens before the first process is created.
    pub global_inits: Vec<Init>,
    pub channel_types: Vec<ChannelType>,
    pub proctypes: Vec<Proctype>,
    /// A state, and the variables outside of it, in which to begin instead of the initial one. It can be
    /// reached from there, so what holds in all states that can be reached still does.
    pub start: Option<(Vec<u8>, Vec<u8>)>,
    /// The processes of the initial state, by pid.
    pub initial_processes: Vec<InitialProcess>,
    pub exprs: Exprs,
    pub commands: Vec<Command>,
    pub d_steps: Vec<DStep>,
    /// By command: the number of its statement in Spin's trails. Empty where Spin's numbering
    /// is not known.
    pub trail_numbers: Vec<u32>,
    /// Never claims: control graphs whose guards are tested on states. No process of the
    /// model; a property check walks them beside it.
    pub claims: Vec<ProctypeId>,
    /// The order of messages that is demanded or forbidden.
    pub trace: Option<EventTrace>,
    pub ltl: Vec<LtlProperty>,
    pub mtypes: Vec<MtypeSet>,
    pub uses: Uses,
    /// Which steps a state has.
    pub discipline: transition::Discipline,
    /// A process that watches the others; never in Promela, whose claims are no processes.
    pub property: Option<transition::Property>,
}

/// What the semantics depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// `timeout` occurs: states without other steps are looked at a second time.
    pub timeout: bool,
    /// `_last` is named, so it is part of the state.
    pub last: bool,
    /// A priority is given or read: only the highest enabled ones may move, and priorities are
    /// part of the state.
    pub priorities: bool,
    /// A `provided` clause occurs.
    pub provided: bool,
    /// A send to a full channel loses its message instead of blocking (`-m`).
    pub message_loss: bool,
    /// Control points have assertions.
    pub asserts: bool,
}

/// A kind of process, or a claim.
#[derive(Clone, Debug)]
pub struct Proctype {
    pub name: String,
    pub kind: ProctypeKind,
    /// The first `params` variables are the parameters.
    pub variables: Vec<Variable>,
    pub params: usize,
    /// Bytes of a frame, header included; a multiple of 4.
    pub frame_size: u32,
    /// What happens to a new frame, after the parameters are set.
    pub inits: Vec<Init>,
    /// Channels that come with every process, in order of creation.
    pub channels: Vec<ChannelTypeId>,
    /// Control points by number; numbers without a control point have no edges. Number 0 is
    /// no control point.
    pub locations: Vec<Location>,
    pub initial: LocationId,
    pub end: LocationId,
    pub provided: Option<ExprId>,
    /// `D_proctype`: a choice between two steps is an error.
    pub deterministic: bool,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProctypeKind {
    Process,
    Init,
    Never,
    Trace,
    NoTrace,
}

/// A process that exists in the initial state; its parameters are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InitialProcess {
    pub proctype: ProctypeId,
    pub priority: u8,
}

/// One initialisation.
#[derive(Clone, Debug)]
pub enum Init {
    /// Sets `count` elements from `place` on, each of the size of the place's scalar.
    Fill { place: Place, count: u32, value: ExprId },
    /// Makes `count` new channels and stores their ids from `place` on.
    Channels { place: Place, count: u32, channel: ChannelTypeId },
}

/// `trace { … }` or `notrace { … }`: a control graph whose commands are sends and receives.
#[derive(Clone, Debug)]
pub struct EventTrace {
    pub proctype: ProctypeId,
    /// `notrace`: the end must not be reached.
    pub negated: bool,
    /// Channels whose sends are watched, and those whose receives are.
    pub sends: Vec<ExprId>,
    pub receives: Vec<ExprId>,
}

/// `ltl name { … }`: text for the LTL parser, propositions in the model's own language.
#[derive(Clone, Debug)]
pub struct LtlProperty {
    pub name: String,
    pub text: String,
    pub span: Span,
    /// Where the tokens of `text` come from: the offset where each starts, ascending, and its
    /// span.
    pub origins: Vec<(u32, Span)>,
}

impl LtlProperty {
    /// The source of some bytes of `text`.
    pub fn origin(&self, bytes: Range<usize>, sources: &SourceMap) -> Span {
        let token = |offset: usize| {
            let at = self.origins.partition_point(|&(start, _)| start as usize <= offset);
            at.checked_sub(1).map_or(self.span, |at| self.origins[at].1)
        };
        sources.join(token(bytes.start), token(bytes.end.saturating_sub(1).max(bytes.start)))
    }
}

/// The constants of `mtype` or `mtype:name`.
#[derive(Clone, Debug)]
pub struct MtypeSet {
    pub name: Option<String>,
    /// `names[v - 1]` is the constant with value `v`.
    pub names: Vec<String>,
}

impl Model {
    pub fn command(&self, id: CommandId) -> &Command {
        &self.commands[id.0 as usize]
    }

    pub fn proctype(&self, id: ProctypeId) -> &Proctype {
        &self.proctypes[id.0 as usize]
    }

    /// The control points of processes, without those of claims.
    pub fn process_locations(&self) -> impl Iterator<Item = &Location> {
        let kinds = [ProctypeKind::Process, ProctypeKind::Init];
        let processes = self.proctypes.iter().filter(move |p| kinds.contains(&p.kind));
        processes.flat_map(|proctype| &proctype.locations)
    }

    /// The name of an mtype constant, as `%e` of `printf` shows it.
    pub fn mtype_name(&self, set: Option<&str>, value: i32) -> Option<&str> {
        let set = self.mtypes.iter().find(|s| s.name.as_deref() == set)?;
        let at = usize::try_from(value).ok()?.checked_sub(1)?;
        set.names.get(at).map(String::as_str)
    }
}

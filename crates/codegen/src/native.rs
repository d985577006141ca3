//! Compiled models, and how their code is called.

use lariat_model::interp::{FORGETFUL_STEPS, Fairness, Pids};
use lariat_model::ir::layout::{Divergence, FRAME_PROCTYPE, MAX_LIVE, NR_CHANNELS, NR_PROCESSES};
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{ChannelTypeId, ExprId, Model, ProctypeId, ProctypeKind};
use lariat_model::steps::Begun;

use crate::Unsupported;
use crate::context::{ASK, Context, FULL, OK};
use crate::facts::{FixedProcess, ModelFacts};
use crate::jit::{Jit, Machine};
use crate::parts::pid_of;

type RowFunction = unsafe extern "C" fn(*mut Context, *const u8) -> u32;
type StepFunction = unsafe extern "C" fn(*mut Context, *const u8, u64, u32, u32) -> u32;

/// States inside atomic sequences that may lie on top of each other.
const MAX_NESTING: usize = 256;
/// More successors of one state than this are left to the interpreter.
const MAX_SUCCESSORS: usize = 1 << 20;

/// A model as machine code.
pub struct Native<'m> {
    facts: ModelFacts<'m>,
    context: Box<Context>,
    scratch: Vec<u32>,
    commands: Vec<u32>,
    movers: Vec<Pids>,
    executed: Vec<bool>,
    /// What became of the steps of processes.
    ends: Vec<PartEnd>,
    calls: Calls,
    props: Option<RowFunction>,
    /// The code that the function pointers point to.
    _machine: Machine,
}

enum Calls {
    Spin {
        /// By proctype.
        steps: Vec<Option<StepFunction>>,
        /// The types of the processes of the last row, by pid.
        shape: Vec<u8>,
        /// A function for all rows whose shape begins this one.
        fused: Option<(RowFunction, Vec<u8>)>,
    },
    Divine {
        /// All to be called, in order.
        whole: Vec<RowFunction>,
        /// What is asked of a state before the steps of some processes.
        begin: RowFunction,
        /// By pid: steps that the process begins.
        steps: Vec<RowFunction>,
    },
}

// SAFETY: what is not `Send` by itself are pointers. Those of the context into `scratch`, `commands`,
// `movers` and `executed` are set anew by each call, before code uses them, and those to code and tables
// point to memory that `_machine` owns and nobody else knows. All of it moves with `Native`, and
// code runs through `&mut self` only, in the thread that calls it. The model is shared: see below.
unsafe impl Send for Native<'_> {}

const _: () = {
    const fn is_sync<T: Sync>() {}
    const fn is_send<T: Send + ?Sized>() {}
    is_sync::<Model>();
    is_send::<lariat_model::interp::ModelSpace<'_>>();
    is_send::<crate::NativeSpace<'_>>();
    is_send::<dyn lariat_model::steps::ModelSteps>();
};

/// What an expansion was like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expanded {
    pub(crate) rows: usize,
    pub(crate) is_blocked: bool,
    pub(crate) atomic_steps: u64,
    pub(crate) deepest: u32,
}

/// The steps of a process among those of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartEnd {
    /// Where its rows end.
    pub(crate) rows: usize,
    /// Steps inside atomic sequences up to there.
    pub(crate) atomic_steps: u64,
    /// Fairness: who takes part in some step of its from the beginning on.
    pub(crate) able: Pids,
}

impl<'m> Native<'m> {
    /// Compiles the steps of a model for rows of `width` words, and the propositions. There is
    /// special code for rows with the processes of `typical`, or the first of them. For fairness it
    /// is noted who takes part in steps.
    pub fn compile(
        model: &'m Model,
        width: usize,
        propositions: &[ExprId],
        typical: Option<&[u32]>,
        fairness: Option<Fairness>,
    ) -> Result<Self, Unsupported> {
        let mut facts = ModelFacts::new(model, width)?;
        facts.fairness = fairness;
        let mut jit = Jit::new(&facts)?;
        let mut context = Context::new();
        let props = match propositions.is_empty() {
            true => None,
            false => Some(jit.propositions(propositions)?),
        };
        let (mut functions, mut divine, mut fused) = (Vec::new(), None, None);
        match model.discipline {
            Discipline::Spin => {
                jit.shared()?;
                functions = jit.proctypes()?;
                for at in 0..model.proctypes.len() {
                    context.block_sizes[at] = facts.block_size(ProctypeId(at as u8));
                }
                let mut shape = Vec::new();
                if typical.is_some_and(|row| {
                    find_shape(&facts, facts.visible(row), &mut shape, &mut context).is_ok()
                }) {
                    let place = |(pid, &proctype): (usize, &u8)| FixedProcess {
                        proctype: ProctypeId(proctype),
                        base: context.frames[pid],
                    };
                    let processes: Vec<_> = shape.iter().enumerate().map(place).collect();
                    fused = jit.fused(&processes)?.map(|id| (id, shape));
                }
            }
            _ => {
                let parts = jit.divine()?;
                let whole = match typical {
                    Some(_) => jit.divine_fused()?,
                    None => {
                        let first = std::iter::once(parts.begin);
                        let steps = parts.steps.iter().copied();
                        first.chain(steps).chain(parts.end).collect()
                    }
                };
                divine = Some((parts, whole));
                for (pid, process) in facts.fixed.iter().flatten().enumerate() {
                    context.frames[pid] = process.base;
                }
            }
        }
        let machine = jit.finish()?;
        let row_function = |id| {
            // SAFETY: `define` gave these functions the parameters and the return value of
            // their type here, in the host's calling convention, which is that of `extern "C"`.
            unsafe { std::mem::transmute::<*const u8, RowFunction>(machine.entry(id)) }
        };
        let step_function = |id| {
            // SAFETY: as above.
            unsafe { std::mem::transmute::<*const u8, StepFunction>(machine.entry(id)) }
        };
        let entry = |id: Option<_>| id.map_or(std::ptr::null(), |id| machine.entry(id));
        for (at, of_proctype) in functions.iter().enumerate() {
            context.receivers[at] = entry(of_proctype.receive);
            context.enabled[at] = entry(of_proctype.enabled);
        }
        let calls = match divine {
            None => Calls::Spin {
                steps: functions.iter().map(|found| found.step.map(step_function)).collect(),
                shape: Vec::new(),
                fused: fused.map(|(id, shape)| (row_function(id), shape)),
            },
            Some((parts, whole)) => Calls::Divine {
                whole: whole.into_iter().map(row_function).collect(),
                begin: row_function(parts.begin),
                steps: parts.steps.into_iter().map(row_function).collect(),
            },
        };
        Ok(Native {
            scratch: vec![0; MAX_NESTING * width],
            commands: Vec::new(),
            movers: Vec::new(),
            ends: Vec::new(),
            executed: vec![false; model.commands.len()],
            context,
            calls,
            props: props.map(row_function),
            facts,
            _machine: machine,
        })
    }

    /// Words of a row.
    pub fn width(&self) -> usize {
        self.facts.row as usize / size_of::<u32>()
    }

    /// By command: whether native code has executed it.
    pub fn executed(&self) -> &[bool] {
        &self.executed
    }

    /// Some steps are more than one command.
    pub(crate) fn counts_commands(&self) -> bool {
        self.facts.counts_commands
    }

    /// How many commands led to each of the successors found last. Empty: one to each.
    pub(crate) fn commands(&self, rows: usize) -> &[u32] {
        match self.facts.counts_commands {
            true => &self.commands[..rows],
            false => &[],
        }
    }

    /// Who took part in the step to each of the successors found last.
    pub(crate) fn movers(&self, rows: usize) -> &[Pids] {
        &self.movers[..rows]
    }

    /// Who takes part in some step from the state that was expanded last, from its beginning on.
    pub(crate) fn able(&self, rows: usize) -> Pids {
        match self.facts.model.discipline {
            Discipline::Spin => self.context.able,
            // All take part from the beginning on.
            _ => self.movers(rows).iter().fold(0, |pids, movers| pids | movers),
        }
    }

    /// The types of the processes of the row that was expanded last, by pid.
    pub(crate) fn proctypes(&self) -> impl Iterator<Item = ProctypeId> + '_ {
        let (moving, fixed) = match &self.calls {
            Calls::Spin { shape, .. } => (&shape[..], &[][..]),
            Calls::Divine { .. } => (&[][..], self.facts.fixed.as_deref().unwrap_or(&[])),
        };
        let fixed = fixed.iter().map(|process| process.proctype);
        moving.iter().map(|&id| ProctypeId(id)).chain(fixed)
    }

    pub(crate) fn executed_mut(&mut self) -> &mut [bool] {
        &mut self.executed
    }

    /// Writes the successors of a row into `room`, which holds so many rows. The row may be any
    /// words: code goes only where `find_shape` has found processes and channels, and compares
    /// lengths of channels and control points before it uses them. What the successors of a row
    /// mean that is no state is another matter; see `lariat_model::interp::row::Validator`.
    pub(crate) fn expand(
        &mut self,
        row: &[u32],
        room: &mut [u32],
        rows: usize,
    ) -> Result<Expanded, Refusal> {
        self.make_ready(row, room, rows);
        let context = &mut *self.context;
        let row = self.facts.visible(row);
        let state = row.as_ptr().cast::<u8>();
        let status = match &mut self.calls {
            Calls::Spin { steps, shape, fused } => {
                find_shape(&self.facts, row, shape, context)?;
                let fused = fused.as_ref().filter(|(_, typical)| typical.starts_with(shape));
                let fused = fused.map(|(function, _)| *function);
                if self.facts.has_rendezvous {
                    context.listening = listening(&self.facts, row, &context.frames[..shape.len()]);
                }
                // SAFETY: see `spin_steps`; the pointers in the context were set above and
                // live as long as `room` and `self`, and `find_shape` was content.
                unsafe { spin_steps(&self.facts, context, state, shape, steps, fused) }
            }
            Calls::Divine { whole, .. } => {
                if bytes_of(row)[NR_PROCESSES] == 0 {
                    // The error state has no steps.
                    return Ok(Expanded { rows: 0, is_blocked: true, atomic_steps: 0, deepest: 0 });
                }
                // SAFETY: as above; positions are constants of the model in its rows.
                unsafe { divine_steps(context, state, whole) }
            }
        };
        self.outcome(status, room, rows)
    }

    /// Writes the steps of some processes of a row into `room`, which holds so many
    /// rows, and says for each process what became of its steps.
    pub(crate) fn expand_processes(
        &mut self,
        pids: impl Iterator<Item = usize>,
        row: &[u32],
        room: &mut [u32],
        rows: usize,
        ends: &mut Vec<PartEnd>,
    ) -> Result<(), Refusal> {
        self.make_ready(row, room, rows);
        let context = &mut *self.context;
        let row = self.facts.visible(row);
        let state = row.as_ptr().cast::<u8>();
        let start = context.out as usize;
        match &mut self.calls {
            Calls::Spin { shape, .. } => {
                find_shape(&self.facts, row, shape, context)?;
                if self.facts.has_rendezvous {
                    context.listening = listening(&self.facts, row, &context.frames[..shape.len()]);
                }
            }
            Calls::Divine { begin, .. } => {
                let is_error_state = bytes_of(row)[NR_PROCESSES] == 0;
                // SAFETY: as `divine_steps`, whose contract `make_ready` fulfils.
                if is_error_state || i64::from(unsafe { begin(context, state) }) != OK {
                    return Err(Refusal::Ask);
                }
            }
        }
        let (mut first, mut able) = (0, 0);
        for pid in pids {
            context.able = 0;
            let status = match &self.calls {
                Calls::Spin { steps, shape, .. } => match shape.get(pid) {
                    None => OK as u32,
                    Some(&proctype) => {
                        let Some(step) = steps[proctype as usize] else { return Err(Refusal::Ask) };
                        let frame = u64::from(context.frames[pid]);
                        // SAFETY: see `spin_steps`, whose contract `make_ready` and `find_shape`
                        // fulfil.
                        unsafe { step(context, state, frame, pid as u32, 0) }
                    }
                },
                // SAFETY: as above.
                Calls::Divine { steps, .. } => unsafe { steps[pid](context, state) },
            };
            match i64::from(status) {
                OK => {}
                FULL if rows < MAX_SUCCESSORS => return Err(Refusal::Full),
                _ => return Err(Refusal::Ask),
            }
            if context.atomic_steps > FORGETFUL_STEPS {
                return Err(Refusal::Ask);
            }
            let used = context.out as usize - start;
            let width = self.facts.row as usize;
            let (rows, atomic_steps) = (quotient(used, width), context.atomic_steps);
            if self.facts.fairness.is_some() && matches!(self.calls, Calls::Divine { .. }) {
                context.able = self.movers[first..rows].iter().fold(0, |pids, it| pids | it);
            }
            ends.push(PartEnd { rows, atomic_steps, able: context.able });
            able |= context.able;
            first = rows;
        }
        context.able = able;
        Ok(())
    }

    /// Writes the steps of all processes into `room`, process by process in the order of the model,
    /// and says where those of each end. Nobody sees a `timeout`.
    pub(crate) fn expand_each(
        &mut self,
        row: &[u32],
        room: &mut [u32],
        rows: usize,
        by: &mut Vec<Begun>,
    ) -> Result<Expanded, Refusal> {
        let count = bytes_of(self.facts.visible(row))[NR_PROCESSES] as usize;
        // A property process has no steps of its own.
        let count = match &self.calls {
            Calls::Spin { .. } => count,
            Calls::Divine { steps, .. } => count.min(steps.len()),
        };
        let discipline = self.facts.model.discipline;
        let pids = (0..count).map(|part| pid_of(discipline, count, part));
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        let done = self.expand_processes(pids.clone(), row, room, rows, &mut ends);
        by.clear();
        let pids = pids.map(|pid| pid as u8);
        by.extend(pids.zip(&ends).map(|(pid, end)| Begun { pid, end: end.rows as u32 }));
        self.ends = ends;
        done?;
        self.outcome(OK as u32, room, rows)
    }

    /// Points the context to the places for successors and for states on the way.
    fn make_ready(&mut self, row: &[u32], room: &mut [u32], rows: usize) {
        let width = self.width();
        assert!(row.len() == width && rows > 0, "rows have the width of the code");
        assert!(room.len() >= rows * width, "there is room for so many");
        if self.facts.counts_commands && self.commands.len() < rows {
            self.commands.resize(rows, 0);
        }
        if self.facts.fairness.is_some() && self.movers.len() < rows {
            self.movers.resize(rows, 0);
        }
        let context = &mut *self.context;
        // Code knows a row by where its state starts.
        let hidden = self.facts.hidden as usize / size_of::<u32>();
        context.out = room[hidden..].as_mut_ptr().cast();
        context.out_last = room[(rows - 1) * width + hidden..].as_mut_ptr().cast();
        context.commands = self.commands.as_mut_ptr();
        context.scratch = self.scratch[hidden..].as_mut_ptr().cast();
        let last = (MAX_NESTING - 1) * width + hidden;
        context.scratch_last = self.scratch[last..].as_mut_ptr().cast();
        context.executed = self.executed.as_mut_ptr().cast();
        context.movers = self.movers.as_mut_ptr();
        (context.together, context.able) = (0, 0);
        context.atomic_steps = 0;
        context.deepest = 0;
        context.timeout = 0;
    }

    /// What the code has said and written.
    #[inline]
    fn outcome(&self, status: u32, room: &[u32], rows: usize) -> Result<Expanded, Refusal> {
        let start = room.as_ptr() as usize + self.facts.hidden as usize;
        let used = self.context.out as usize - start;
        match i64::from(status) {
            // The interpreter remembers the states inside from here on.
            OK if self.context.atomic_steps > FORGETFUL_STEPS => Err(Refusal::Ask),
            OK => Ok(Expanded {
                rows: quotient(used, self.width() * size_of::<u32>()),
                is_blocked: used == 0,
                atomic_steps: self.context.atomic_steps,
                deepest: self.context.deepest,
            }),
            FULL if rows < MAX_SUCCESSORS => Err(Refusal::Full),
            _ => Err(Refusal::Ask),
        }
    }

    /// The propositions as bits; None if the interpreter must be asked.
    pub(crate) fn props(&mut self, row: &[u32]) -> Option<u64> {
        assert_eq!(row.len(), self.width(), "rows have the width of the code");
        let Some(function) = self.props else { return Some(0) };
        let row = self.facts.visible(row);
        match &mut self.calls {
            Calls::Spin { shape, .. } => {
                find_shape(&self.facts, row, shape, &mut self.context).ok()?;
            }
            Calls::Divine { .. } if bytes_of(row)[NR_PROCESSES] == 0 => return None,
            Calls::Divine { .. } => {}
        }
        self.context.timeout = 0;
        // SAFETY: the function reads the row, whose width is that of the code, and the context.
        let status = unsafe { function(&mut *self.context, row.as_ptr().cast()) };
        (i64::from(status) == OK).then_some(self.context.props)
    }
}

/// A multiple divided, mostly a small one: a division takes longer than the rest of the call.
#[inline]
fn quotient(mut multiple: usize, by: usize) -> usize {
    if multiple > 16 * by {
        return multiple / by;
    }
    let mut times = 0;
    while multiple > 0 {
        multiple -= by;
        times += 1;
    }
    times
}

/// Why there are no successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The room was too small.
    Full,
    /// The interpreter must expand this state.
    Ask,
}

pub(crate) fn bytes_of(row: &[u32]) -> &[u8] {
    // SAFETY: every byte of a word is a byte, and the length is the same in bytes.
    unsafe { std::slice::from_raw_parts(row.as_ptr().cast(), size_of_val(row)) }
}

/// Finds where frames and channels start in the state of a row, unless it has the shape of the last one: as
/// many processes, of the same types.
fn find_shape(
    facts: &ModelFacts<'_>,
    row: &[u32],
    shape: &mut Vec<u8>,
    context: &mut Context,
) -> Result<(), Refusal> {
    let bytes = bytes_of(row);
    if Divergence::of(bytes).is_some() {
        return Err(Refusal::Ask);
    }
    let count = bytes[NR_PROCESSES] as usize;
    let is_same = shape.len() == count
        && context.channel_count == u32::from(bytes[NR_CHANNELS])
        && shape
            .iter()
            .zip(&context.frames)
            .all(|(&proctype, &base)| bytes.get(base as usize + FRAME_PROCTYPE) == Some(&proctype));
    if is_same {
        return Ok(());
    }
    let found = lay_out(facts, bytes, shape, context);
    if found.is_err() {
        shape.clear();
        context.channel_count = u32::MAX;
    }
    found
}

/// Where frames and channels start in a row. A row may come from anywhere: what does not fit is
/// the interpreter's affair.
fn lay_out(
    facts: &ModelFacts<'_>,
    bytes: &[u8],
    shape: &mut Vec<u8>,
    context: &mut Context,
) -> Result<(), Refusal> {
    shape.clear();
    let mut at = facts.model.globals_size;
    let mut channels = 0;
    let mut note = |context: &mut Context, ty: ChannelTypeId, at: u32| {
        if channels == MAX_LIVE {
            return Err(Refusal::Ask);
        }
        (context.channels[channels], context.channel_types[channels]) = (at, ty.0.into());
        channels += 1;
        Ok(())
    };
    for ty in facts.global_channels() {
        note(context, ty, at)?;
        at += facts.size_of(ty);
    }
    for pid in 0..bytes[NR_PROCESSES] as usize {
        let &id = bytes.get(at as usize + FRAME_PROCTYPE).ok_or(Refusal::Ask)?;
        let proctype = facts.model.proctypes.get(id as usize).ok_or(Refusal::Ask)?;
        // Claims are no processes.
        if !matches!(proctype.kind, ProctypeKind::Process | ProctypeKind::Init) {
            return Err(Refusal::Ask);
        }
        context.frames[pid] = at;
        shape.push(id);
        at += proctype.frame_size;
        for &ty in &proctype.channels {
            note(context, ty, at)?;
            at += facts.size_of(ty);
        }
    }
    context.channel_count = channels as u32;
    let fits = at as usize <= bytes.len() && channels == bytes[NR_CHANNELS] as usize;
    if fits { Ok(()) } else { Err(Refusal::Ask) }
}

/// The rendezvous channels that some process may receive from.
fn listening(facts: &ModelFacts<'_>, row: &[u32], frames: &[u32]) -> u32 {
    frames.iter().fold(0, |channels, &base| {
        // Proctype, priority, and the control point in the upper half.
        let header = row[base as usize / size_of::<u32>()];
        let start = facts.starts[(header & 0xff) as usize];
        let mask = facts.receive_masks.get(start as usize + (header >> 16) as usize);
        channels | mask.map_or(u32::MAX, |&mask| mask as u32)
    })
}

/// All processes of a Promela model, the youngest first; once more with `timeout` if none can
/// move.
///
/// # Safety
/// `state` is a row of the code's width whose frames are those of the context; the context has
/// room for a row at `out` and at `scratch`, up to the last places that it names, as many
/// counters of commands and sets of pids as rows, and a flag for each command.
unsafe fn spin_steps(
    facts: &ModelFacts<'_>,
    context: &mut Context,
    state: *const u8,
    shape: &[u8],
    steps: &[Option<StepFunction>],
    fused: Option<RowFunction>,
) -> u32 {
    let start = context.out;
    loop {
        if let Some(fused) = fused {
            // SAFETY: by the contract of this function.
            let status = unsafe { fused(context, state) };
            if i64::from(status) != OK {
                return status;
            }
        }
        let one_by_one = if fused.is_some() { &[][..] } else { shape };
        for (pid, &proctype) in one_by_one.iter().enumerate().rev() {
            let Some(step) = steps[proctype as usize] else { return ASK as u32 };
            let frame = u64::from(context.frames[pid]);
            // SAFETY: by the contract of this function.
            let status = unsafe { step(context, state, frame, pid as u32, 0) };
            if i64::from(status) != OK {
                return status;
            }
        }
        let is_stuck = context.out == start && !shape.is_empty();
        if !is_stuck || !facts.model.uses.timeout || context.timeout != 0 {
            return OK as u32;
        }
        context.timeout = 1;
    }
}

/// All processes of a DVE model, the first one first.
///
/// # Safety
/// As [`spin_steps`].
unsafe fn divine_steps(context: &mut Context, state: *const u8, parts: &[RowFunction]) -> u32 {
    for part in parts {
        // SAFETY: by the contract of this function.
        let status = unsafe { part(context, state) };
        if i64::from(status) != OK {
            return status;
        }
    }
    OK as u32
}

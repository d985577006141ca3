//! Compiled models, and how their code is called.

use lariat_model::ir::layout::{FRAME_PROCTYPE, NR_CHANNELS, NR_PROCESSES};
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{ExprId, Model, ProctypeKind};

use crate::Unsupported;
use crate::context::{ASK, Context, FULL, OK};
use crate::jit::{Jit, Machine};
use crate::plan::Plan;

type RowFunction = unsafe extern "C" fn(*mut Context, *const u8) -> u32;
type StepFunction = unsafe extern "C" fn(*mut Context, *const u8, u64, u32, u32) -> u32;
type PropertyFunction = unsafe extern "C" fn(*mut Context, *const u8, *const u8, u32) -> u32;

/// States inside atomic sequences that may lie on top of each other.
const MAX_NESTING: usize = 256;
/// More successors of one state than this are left to the interpreter.
const MAX_SUCCESSORS: usize = 1 << 20;

/// A model as machine code.
pub struct Native<'m> {
    plan: Plan<'m>,
    context: Box<Context>,
    scratch: Vec<u32>,
    commands: Vec<u32>,
    executed: Vec<bool>,
    calls: Calls,
    props: Option<RowFunction>,
    /// The code that the function pointers point to.
    _machine: Machine,
}

enum Calls {
    /// By proctype; the number of processes and the types are those of the last shape.
    Spin { steps: Vec<Option<StepFunction>>, shape: Vec<u8> },
    Divine {
        prelude: Option<RowFunction>,
        steps: Vec<RowFunction>,
        property: Option<PropertyFunction>,
    },
}

/// What an expansion was like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expanded {
    pub(crate) rows: usize,
    pub(crate) is_blocked: bool,
    pub(crate) atomic_steps: u64,
    pub(crate) deepest: u32,
}

impl<'m> Native<'m> {
    /// Compiles the steps of a model for rows of `width` words, and the propositions.
    pub fn compile(
        model: &'m Model,
        width: usize,
        propositions: &[ExprId],
    ) -> Result<Self, Unsupported> {
        let plan = Plan::new(model, width)?;
        let mut jit = Jit::new(&plan)?;
        let mut context = Context::new();
        let props = match propositions.is_empty() {
            true => None,
            false => Some(jit.propositions(propositions)?),
        };
        let mut proctypes = Vec::new();
        let mut divine = None;
        match model.discipline {
            Discipline::Spin => {
                jit.handshake()?;
                for (id, proctype) in model.proctypes.iter().enumerate() {
                    let id = lariat_model::ir::ProctypeId(id as u8);
                    proctypes.push(match proctype.kind {
                        ProctypeKind::Process | ProctypeKind::Init => Some(jit.proctype(id)?),
                        _ => None,
                    });
                    context.block_sizes[id.0 as usize] = plan.block_size(id);
                }
            }
            _ => {
                divine = Some(jit.divine()?);
                for (pid, process) in plan.fixed.iter().flatten().enumerate() {
                    context.frames[pid] = process.base;
                }
            }
        }
        let machine = jit.finish()?;
        // SAFETY: `define` gave these functions the parameters and the return value of their
        // types here, in the host's calling convention, which is that of `extern "C"`.
        let row_function =
            |id| unsafe { std::mem::transmute::<*const u8, RowFunction>(machine.entry(id)) };
        let calls = match divine {
            None => {
                let mut steps = Vec::new();
                for (id, functions) in proctypes.iter().enumerate() {
                    steps.push(functions.map(|(step, receive)| {
                        if let Some(receive) = receive {
                            context.receivers[id] = machine.entry(receive);
                        }
                        // SAFETY: as above.
                        unsafe {
                            std::mem::transmute::<*const u8, StepFunction>(machine.entry(step))
                        }
                    }));
                }
                Calls::Spin { steps, shape: Vec::new() }
            }
            Some((prelude, steps, property)) => Calls::Divine {
                prelude: (plan.has_committed || model.uses.asserts).then(|| row_function(prelude)),
                steps: steps.into_iter().map(row_function).collect(),
                // SAFETY: as above.
                property: property.map(|id| unsafe {
                    std::mem::transmute::<*const u8, PropertyFunction>(machine.entry(id))
                }),
            },
        };
        Ok(Native {
            scratch: vec![0; MAX_NESTING * width],
            commands: Vec::new(),
            executed: vec![false; model.commands.len()],
            context,
            calls,
            props: props.map(row_function),
            plan,
            _machine: machine,
        })
    }

    pub fn model(&self) -> &'m Model {
        self.plan.model
    }

    /// Words of a row.
    pub fn width(&self) -> usize {
        self.plan.row as usize / size_of::<u32>()
    }

    /// By command: whether native code has executed it.
    pub fn executed(&self) -> &[bool] {
        &self.executed
    }

    /// How many commands led to each of the successors found last. Empty: one to each.
    pub(crate) fn commands(&self, rows: usize) -> &[u32] {
        match self.plan.counts_commands {
            true => &self.commands[..rows],
            false => &[],
        }
    }

    pub(crate) fn executed_mut(&mut self) -> &mut [bool] {
        &mut self.executed
    }

    /// Writes the successors of a row into `room`, which holds whole rows.
    pub(crate) fn expand(&mut self, row: &[u32], room: &mut [u32]) -> Result<Expanded, Refusal> {
        let width = self.width();
        assert!(row.len() == width && room.len() >= width, "rows have the width of the code");
        let rows = room.len() / width;
        if self.plan.counts_commands && self.commands.len() < rows {
            self.commands.resize(rows, 0);
        }
        let first = room.as_mut_ptr();
        let context = &mut *self.context;
        context.out = first.cast();
        context.out_last = room[(rows - 1) * width..].as_mut_ptr().cast();
        context.commands = self.commands.as_mut_ptr();
        context.scratch = self.scratch.as_mut_ptr().cast();
        context.scratch_last = self.scratch[(MAX_NESTING - 1) * width..].as_mut_ptr().cast();
        context.executed = self.executed.as_mut_ptr().cast();
        context.atomic_steps = 0;
        context.deepest = 0;
        context.timeout = 0;
        let state = row.as_ptr().cast::<u8>();
        let status = match &mut self.calls {
            Calls::Spin { steps, shape } => {
                find_shape(&self.plan, row, shape, context)?;
                // SAFETY: see `spin_steps`; the pointers in the context were set above and
                // live as long as `room` and `self`.
                unsafe { spin_steps(&self.plan, context, state, shape, steps) }
            }
            Calls::Divine { prelude, steps, property } => {
                if bytes_of(row)[NR_PROCESSES] == 0 {
                    // The error state has no steps.
                    return Ok(Expanded { rows: 0, is_blocked: true, atomic_steps: 0, deepest: 0 });
                }
                // SAFETY: as above; positions are constants of the model in its rows.
                unsafe { divine_steps(context, state, *prelude, steps, *property) }
            }
        };
        let used = context.out as usize - first as usize;
        match i64::from(status) {
            OK => Ok(Expanded {
                rows: used / (width * size_of::<u32>()),
                is_blocked: used == 0,
                atomic_steps: context.atomic_steps,
                deepest: context.deepest,
            }),
            FULL if rows < MAX_SUCCESSORS => Err(Refusal::Full),
            _ => Err(Refusal::Ask),
        }
    }

    /// The propositions as bits; None if the interpreter must be asked.
    pub(crate) fn props(&mut self, row: &[u32]) -> Option<u64> {
        assert_eq!(row.len(), self.width(), "rows have the width of the code");
        let Some(function) = self.props else { return Some(0) };
        match &mut self.calls {
            Calls::Spin { shape, .. } => {
                find_shape(&self.plan, row, shape, &mut self.context).ok()?;
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

/// Why there are no successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The room was too small.
    Full,
    /// The interpreter must expand this state.
    Ask,
}

fn bytes_of(row: &[u32]) -> &[u8] {
    // SAFETY: every byte of a word is a byte, and the length is the same in bytes.
    unsafe { std::slice::from_raw_parts(row.as_ptr().cast(), size_of_val(row)) }
}

/// Finds where frames and channels start, unless the row has the shape of the last one: as
/// many processes, of the same types.
fn find_shape(
    plan: &Plan<'_>,
    row: &[u32],
    shape: &mut Vec<u8>,
    context: &mut Context,
) -> Result<(), Refusal> {
    let bytes = bytes_of(row);
    let count = bytes[NR_PROCESSES] as usize;
    let is_same = shape.len() == count
        && shape
            .iter()
            .zip(&context.frames)
            .all(|(&proctype, &base)| bytes.get(base as usize + FRAME_PROCTYPE) == Some(&proctype));
    if is_same {
        return Ok(());
    }
    shape.clear();
    let mut at = plan.model.globals_size;
    let mut channels = 0;
    for ty in plan.global_channels() {
        context.channels[channels] = at;
        channels += 1;
        at += plan.model.channel_types[ty.0 as usize].size;
    }
    for pid in 0..count {
        let Some(&id) = bytes.get(at as usize + FRAME_PROCTYPE) else { return Err(Refusal::Ask) };
        let Some(proctype) = plan.model.proctypes.get(id as usize) else {
            return Err(Refusal::Ask);
        };
        context.frames[pid] = at;
        shape.push(id);
        at += proctype.frame_size;
        for ty in &proctype.channels {
            context.channels[channels] = at;
            channels += 1;
            at += plan.model.channel_types[ty.0 as usize].size;
        }
    }
    let fits = at as usize <= bytes.len() && channels == bytes[NR_CHANNELS] as usize;
    if !fits {
        shape.clear();
        return Err(Refusal::Ask);
    }
    Ok(())
}

/// All processes of a Promela model, the youngest first; once more with `timeout` if none can
/// move.
///
/// # Safety
/// `state` is a row of the code's width whose frames are those of the context; the context has
/// room for a row at `out` and at `scratch`, up to the last places that it names, as many
/// counters of commands as rows, and a flag for each command.
unsafe fn spin_steps(
    plan: &Plan<'_>,
    context: &mut Context,
    state: *const u8,
    shape: &[u8],
    steps: &[Option<StepFunction>],
) -> u32 {
    let start = context.out;
    loop {
        for (pid, &proctype) in shape.iter().enumerate().rev() {
            let Some(step) = steps[proctype as usize] else { return ASK as u32 };
            let frame = u64::from(context.frames[pid]);
            // SAFETY: by the contract of this function.
            let status = unsafe { step(context, state, frame, pid as u32, 0) };
            if i64::from(status) != OK {
                return status;
            }
        }
        let is_stuck = context.out == start && !shape.is_empty();
        if !is_stuck || !plan.model.uses.timeout || context.timeout != 0 {
            return OK as u32;
        }
        context.timeout = 1;
    }
}

/// All processes of a DVE model, the first one first.
///
/// # Safety
/// As [`spin_steps`].
unsafe fn divine_steps(
    context: &mut Context,
    state: *const u8,
    prelude: Option<RowFunction>,
    steps: &[RowFunction],
    property: Option<PropertyFunction>,
) -> u32 {
    if let Some(prelude) = prelude {
        // SAFETY: by the contract of this function.
        let status = unsafe { prelude(context, state) };
        if i64::from(status) != OK {
            return status;
        }
    }
    context.moved = 0;
    for step in steps {
        // SAFETY: by the contract of this function.
        let status = unsafe { step(context, state) };
        if i64::from(status) != OK {
            return status;
        }
    }
    match property {
        // The system is at its end: the property moves alone.
        // SAFETY: by the contract of this function.
        Some(property) if context.moved == 0 => unsafe { property(context, state, state, 0) },
        _ => OK as u32,
    }
}

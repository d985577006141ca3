//! From the model to machine code in memory.

use std::sync::Arc;

use cranelift_codegen::Context as FunctionContext;
use cranelift_codegen::ir::{AbiParam, Signature, Type, UserFuncName, types};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, ModuleError};
use lariat_model::ir::{Action, ProctypeId, ProctypeKind};

use crate::Unsupported;
use crate::code::{Callees, Code};
use crate::facts::{FixedProcess, ModelFacts};

/// Parameters of the functions; each returns a status.
const ROW_PARAMS: &[Type] = &[types::I64, types::I64];
const STEP_PARAMS: &[Type] = &[types::I64, types::I64, types::I64, types::I32, types::I32];
const RECEIVE_PARAMS: &[Type] =
    &[types::I64, types::I64, types::I64, types::I32, types::I32, types::I32, types::I64];
const HANDSHAKE_PARAMS: &[Type] =
    &[types::I64, types::I64, types::I32, types::I32, types::I32, types::I64];
const READY_PARAMS: &[Type] = &[types::I64, types::I64, types::I32, types::I32];
const OUTRANKED_PARAMS: &[Type] = &[types::I64, types::I64, types::I32, types::I32, types::I64];
const ENABLED_PARAMS: &[Type] =
    &[types::I64, types::I64, types::I64, types::I32, types::I32, types::I64];
const OBSERVE_PARAMS: &[Type] = &[types::I64, types::I64, types::I32, types::I32, types::I64];
const PROPERTY_PARAMS: &[Type] = &[types::I64, types::I64, types::I64, types::I32];

/// The functions of a proctype.
#[derive(Clone, Copy, Default)]
pub(crate) struct OfProctype {
    pub(crate) step: Option<FuncId>,
    /// Its half of rendezvous.
    pub(crate) receive: Option<FuncId>,
    pub(crate) enabled: Option<FuncId>,
}

/// The functions of a DVE model, one for each process of the system.
pub(crate) struct DivineFunctions {
    pub(crate) begin: FuncId,
    pub(crate) steps: Vec<FuncId>,
    pub(crate) end: Option<FuncId>,
}

/// Commands of processes that share a function: the code generator needs more than linear time.
const FUSE_LIMIT: usize = 300;

/// Addresses reserved for the code of a model; memory is taken as it is used. A model that needs
/// more is interpreted.
const CODE_SIZE: usize = 1 << 28;

/// Machine code and what it points to.
pub(crate) struct Machine {
    module: Option<JITModule>,
    _tables: Vec<Box<[i32]>>,
}

impl Machine {
    /// Where a function starts.
    pub(crate) fn entry(&self, id: FuncId) -> *const u8 {
        let module = self.module.as_ref().expect("there until it is dropped");
        module.get_finalized_function(id)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: `Machine` lies inside `Native`, next to all pointers to its functions;
            // they are private there, called only through `&mut self`, and go with it.
            unsafe { module.free_memory() };
        }
    }
}

/// Builds functions one by one.
pub(crate) struct Jit<'p, 'm> {
    facts: &'p ModelFacts<'m>,
    module: JITModule,
    tables: Vec<Box<[i32]>>,
    function: FunctionContext,
    builder: FunctionBuilderContext,
    steps: Vec<Option<FuncId>>,
    handshake: Option<FuncId>,
    ready: Option<FuncId>,
    outranked: Option<FuncId>,
    observe: Option<FuncId>,
    property: Option<FuncId>,
}

impl<'p, 'm> Jit<'p, 'm> {
    pub(crate) fn new(facts: &'p ModelFacts<'m>) -> Result<Self, Unsupported> {
        let mut builder = JITBuilder::with_isa(host()?, cranelift_module::default_libcall_names());
        // Functions call each other by 32-bit distances, so they must lie in one place: a search
        // that has mapped much memory would have them gigabytes apart.
        let arena = ArenaMemoryProvider::new_with_size(CODE_SIZE)
            .map_err(|error| Unsupported::Compiler(error.to_string()))?;
        builder.memory_provider(Box::new(arena));
        let mut module = JITModule::new(builder);
        let function = module.make_context();
        let mut declare = |wanted: bool, params: &[Type]| -> Result<_, Unsupported> {
            let signature = signature(&module, params);
            Ok(match wanted {
                true => Some(module.declare_anonymous_function(&signature)?),
                false => None,
            })
        };
        let handshake = declare(facts.has_rendezvous, HANDSHAKE_PARAMS)?;
        let ready = declare(facts.has_rendezvous, READY_PARAMS)?;
        let outranked = declare(facts.model.uses.priorities, OUTRANKED_PARAMS)?;
        let observe = declare(facts.model.trace.is_some(), OBSERVE_PARAMS)?;
        let property = declare(facts.model.property.is_some(), PROPERTY_PARAMS)?;
        Ok(Jit {
            facts,
            steps: vec![None; facts.model.proctypes.len()],
            handshake,
            ready,
            outranked,
            observe,
            property,
            module,
            tables: Vec::new(),
            function,
            builder: FunctionBuilderContext::new(),
        })
    }

    /// All definitions are there: the code can run.
    pub(crate) fn finish(mut self) -> Result<Machine, Unsupported> {
        self.module.finalize_definitions()?;
        Ok(Machine { module: Some(self.module), _tables: self.tables })
    }

    fn declare(&mut self, name: &str, params: &[Type]) -> Result<FuncId, Unsupported> {
        let signature = signature(&self.module, params);
        Ok(self.module.declare_function(name, Linkage::Local, &signature)?)
    }

    fn define(
        &mut self,
        id: FuncId,
        body: impl FnOnce(&mut Code<'_, '_, 'm>, &[cranelift_codegen::ir::Value]),
    ) -> Result<(), Unsupported> {
        let Jit { facts, module, tables, function, builder, steps, .. } = self;
        let (handshake, ready, property) = (self.handshake, self.ready, self.property);
        let (outranked, observe) = (self.outranked, self.observe);
        let declaration = module.declarations().get_function_decl(id);
        function.func.signature = declaration.signature.clone();
        function.func.name = UserFuncName::user(0, id.as_u32());
        let mut import = |id| module.declare_func_in_func(id, &mut function.func);
        let callees = Callees {
            steps: steps.iter().map(|step| step.map(&mut import)).collect(),
            handshake: handshake.map(&mut import),
            ready: ready.map(&mut import),
            outranked: outranked.map(&mut import),
            observe: observe.map(&mut import),
            property: property.map(&mut import),
        };
        let config = module.target_config();
        let builder = FunctionBuilder::new(&mut function.func, builder);
        let (mut code, params) = Code::new(builder, facts, callees, tables);
        body(&mut code, &params);
        code.finish(config);
        module.define_function(id, function)?;
        module.clear_context(function);
        Ok(())
    }

    /// The steps of all proctypes, and their receiving halves, if they have one.
    pub(crate) fn proctypes(&mut self) -> Result<Vec<OfProctype>, Unsupported> {
        let model = self.facts.model;
        for (at, proctype) in model.proctypes.iter().enumerate() {
            if matches!(proctype.kind, ProctypeKind::Process | ProctypeKind::Init) {
                let step = self.declare(&format!("{}_step_{at}", proctype.name), STEP_PARAMS)?;
                self.steps[at] = Some(step);
            }
        }
        let mut functions = Vec::new();
        for at in 0..self.steps.len() {
            let Some(step) = self.steps[at] else {
                functions.push(OfProctype::default());
                continue;
            };
            let id = ProctypeId(at as u8);
            self.define(step, |code, params| code.steps(id, params))?;
            let (mut receive, mut enabled) = (None, None);
            if self.facts.has_rendezvous && self.receives(id) {
                let name = format!("{}_receive_{at}", model.proctype(id).name);
                let function = self.declare(&name, RECEIVE_PARAMS)?;
                self.define(function, |code, params| code.receives(id, params))?;
                receive = Some(function);
            }
            if self.outranked.is_some() {
                let name = format!("{}_enabled_{at}", model.proctype(id).name);
                let function = self.declare(&name, ENABLED_PARAMS)?;
                self.define(function, |code, params| code.enabled(id, params))?;
                enabled = Some(function);
            }
            functions.push(OfProctype { step: Some(step), receive, enabled });
        }
        Ok(functions)
    }

    /// The steps of states whose processes are these, if that is not too much code.
    pub(crate) fn fused(
        &mut self,
        processes: &[FixedProcess],
    ) -> Result<Option<FuncId>, Unsupported> {
        let model = self.facts.model;
        let edges = processes.iter().flat_map(|process| {
            model.proctype(process.proctype).locations.iter().map(|location| location.edges.len())
        });
        if edges.sum::<usize>() > FUSE_LIMIT {
            return Ok(None);
        }
        let id = self.declare("next", ROW_PARAMS)?;
        self.define(id, |code, params| code.fused_steps(processes, params[1]))?;
        Ok(Some(id))
    }

    fn receives(&self, id: ProctypeId) -> bool {
        if self.facts.asks_everybody {
            return true;
        }
        let model = self.facts.model;
        let mut edges = model.proctype(id).locations.iter().flat_map(|location| &location.edges);
        edges.any(|edge| {
            matches!(model.command(edge.command).action, Action::Receive(_) | Action::DStep(_))
        })
    }

    /// The functions that all processes share.
    pub(crate) fn shared(&mut self) -> Result<(), Unsupported> {
        if let Some(id) = self.outranked {
            let enabled = signature(&self.module, ENABLED_PARAMS);
            self.define(id, |code, params| {
                let enabled = code.b.import_signature(enabled);
                code.outranked(params, enabled);
            })?;
        }
        if let Some(id) = self.observe {
            self.define(id, |code, params| code.observe(params))?;
        }
        self.handshake()
    }

    fn handshake(&mut self) -> Result<(), Unsupported> {
        let Some(id) = self.handshake else { return Ok(()) };
        let receive = signature(&self.module, RECEIVE_PARAMS);
        self.define(id, |code, params| {
            let receive = code.b.import_signature(receive);
            code.handshake(params, receive);
        })?;
        let ready = self.ready.expect("declared together");
        self.define(ready, |code, params| code.ready(params))
    }

    /// DVE: what is asked before steps, the steps of each process, and what comes last.
    pub(crate) fn divine(&mut self) -> Result<DivineFunctions, Unsupported> {
        let begin = self.declare("begin", ROW_PARAMS)?;
        self.define(begin, |code, params| code.divine_prelude(params[1]))?;
        let mut steps = Vec::new();
        for pid in 0..self.facts.system_size() {
            let id = self.declare(&format!("steps_{pid}"), ROW_PARAMS)?;
            self.define(id, |code, params| code.divine_steps(pid, params[1]))?;
            steps.push(id);
        }
        let mut end = None;
        if let Some(property) = self.property {
            self.define(property, |code, params| code.divine_property(params))?;
            let id = self.declare("end", ROW_PARAMS)?;
            self.define(id, |code, params| code.divine_end(params[1]))?;
            end = Some(id);
        }
        Ok(DivineFunctions { begin, steps, end })
    }

    /// DVE: the same in fewer functions, to be called one after the other. Processes share a
    /// function until that is too large.
    pub(crate) fn divine_fused(&mut self) -> Result<Vec<FuncId>, Unsupported> {
        let mut parts: Vec<Vec<usize>> = vec![Vec::new()];
        let mut weight = 0;
        for pid in 0..self.facts.system_size() {
            weight += self.facts.weight(pid);
            if weight > FUSE_LIMIT {
                weight = self.facts.weight(pid);
                parts.push(Vec::new());
            }
            parts.last_mut().expect("never empty").push(pid);
        }
        let last = parts.len() - 1;
        let mut functions = Vec::new();
        for (part, pids) in parts.into_iter().enumerate() {
            let id = self.declare(&format!("next_{part}"), ROW_PARAMS)?;
            self.define(id, |code, params| {
                let row = params[1];
                if part == 0 {
                    code.divine_prelude(row);
                }
                for pid in pids {
                    code.divine_steps(pid, row);
                }
                if part == last {
                    code.divine_end(row);
                }
            })?;
            functions.push(id);
        }
        Ok(functions)
    }

    /// The propositions as bits in the context.
    pub(crate) fn propositions(
        &mut self,
        propositions: &[lariat_model::ir::ExprId],
    ) -> Result<FuncId, Unsupported> {
        let id = self.declare("propositions", ROW_PARAMS)?;
        self.define(id, |code, params| code.propositions(propositions, params[1]))?;
        Ok(id)
    }
}

fn signature(module: &JITModule, params: &[Type]) -> Signature {
    let mut signature = module.make_signature();
    signature.params.extend(params.iter().map(|&ty| AbiParam::new(ty)));
    signature.returns.push(AbiParam::new(types::I32));
    signature
}

fn host() -> Result<Arc<dyn TargetIsa>, Unsupported> {
    let mut flags = settings::builder();
    let verify = if cfg!(debug_assertions) { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", "speed"),
        ("enable_verifier", verify),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
    ] {
        flags.set(name, value).map_err(|_| Unsupported::Machine)?;
    }
    let host = cranelift_native::builder().map_err(|_| Unsupported::Machine)?;
    host.finish(settings::Flags::new(flags)).map_err(|_| Unsupported::Machine)
}

impl From<ModuleError> for Unsupported {
    fn from(error: ModuleError) -> Unsupported {
        Unsupported::Compiler(error.to_string())
    }
}

//! A syntax tree to the IR: declarations, layout, and the order in which things are done.

use std::collections::HashMap;

use lariat_syntax::diagnostics::{Diagnostic, SourceMap};
use lariat_syntax::dve::ast::{self, Global, Init as InitTree, Synchrony, Type};

use super::constant;
use super::names::{ChannelKind, ChannelSymbol, Names, ProcessSymbol, Storage, Symbol, declare};
use super::{DveModel, DveOptions};
use crate::ir::layout::{FRAME_HEADER, HEADER_SIZE, MAX_LIVE, Packer, VariableKind};
use crate::ir::transition::Discipline;
use crate::ir::{
    ChannelType, Command, Expr, Exprs, Init, InitialProcess, LocationId, Model, Place, Proctype,
    ProctypeId, ProctypeKind, Region, Scalar, Uses, Variable,
};

/// The largest array; DiVinE's own limit is lower.
const MAX_ELEMENTS: i32 = 1 << 20;

/// The largest state in bytes. Far more than can be searched, far less than memory.
const MAX_STATE: u64 = 1 << 24;

/// What has been lowered so far.
pub(super) struct Lowering {
    pub(super) names: Names,
    pub(super) exprs: Exprs,
    pub(super) commands: Vec<Command>,
    pub(super) errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    pub(super) has_asserts: bool,
    property: Option<String>,
    channel_types: Vec<ChannelType>,
    rendezvous: u16,
}

/// A region of variables: the globals or the locals of a process.
struct Block {
    region: Region,
    packer: Packer,
    variables: Vec<Variable>,
    inits: Vec<Init>,
}

impl Block {
    fn new(region: Region, start: u32) -> Block {
        Block { region, packer: Packer::new(start), variables: Vec::new(), inits: Vec::new() }
    }

    /// Bytes up to the end, a multiple of 4.
    fn size(&self) -> u32 {
        self.packer.finish().next_multiple_of(4)
    }
}

impl Lowering {
    pub(super) fn run(
        name: &str,
        sources: SourceMap,
        tree: &ast::Model,
        options: DveOptions,
    ) -> Result<DveModel, (SourceMap, Vec<Diagnostic>)> {
        let property = tree.system.property.as_ref().map(|name| name.text.to_string());
        let mut lowering = Lowering {
            names: Names::default(),
            exprs: Exprs::default(),
            commands: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            has_asserts: false,
            property,
            channel_types: Vec::new(),
            rendezvous: 0,
        };
        match lowering.model(tree, options) {
            Some(mut model) if lowering.errors.is_empty() => {
                model.name = name.to_string();
                model.sources = sources;
                Ok(DveModel { model, names: lowering.names, warnings: lowering.warnings })
            }
            _ => {
                lowering.errors.append(&mut lowering.warnings);
                lowering.errors.sort_by_key(|error| error.primary.span.lo);
                Err((sources, lowering.errors))
            }
        }
    }

    pub(super) fn is_property(&self, process: &ast::Process) -> bool {
        self.property.as_deref() == Some(&*process.name.text)
    }

    fn model(&mut self, tree: &ast::Model, options: DveOptions) -> Option<Model> {
        let mut globals = Block::new(Region::Global, HEADER_SIZE);
        for global in &tree.globals {
            match global {
                Global::Vars(decl) => self.variables(decl, None, &mut globals),
                Global::Channels(decl) => self.channels(decl),
            }
        }
        let processes = self.order(tree)?;
        // Names first: a process may refer to those behind it.
        let mut blocks = Vec::new();
        for (pid, process) in processes.iter().enumerate() {
            let watches = self.is_property(process) && !options.property;
            blocks.push(self.declare_process(process, pid as u8, !watches));
        }
        let mut proctypes = Vec::new();
        let mut property = None;
        let mut claims = Vec::new();
        for (pid, (process, block)) in processes.iter().zip(blocks).enumerate() {
            if self.is_property(process) {
                property = self.property(process, pid as u8);
                if !options.property {
                    claims.push(ProctypeId(pid as u8));
                    self.check_claim(process, property.take());
                }
            }
            proctypes.push(self.proctype(process, block));
        }
        let queues = self.channel_types.iter().map(|queue| queue.size as u64);
        let frames = proctypes.iter().map(|proctype| proctype.frame_size as u64);
        if globals.size() as u64 + queues.sum::<u64>() + frames.sum::<u64>() > MAX_STATE {
            let message = format!("a state of this model has more than {MAX_STATE} bytes");
            self.errors.push(Diagnostic::error(tree.system.span, message));
        }
        let discipline = match tree.system.synchrony {
            Synchrony::Async => Discipline::Divine,
            Synchrony::Sync => Discipline::DivineLockStep,
        };
        if discipline == Discipline::DivineLockStep {
            self.check_lock_step(tree);
        }
        let queues = (0..self.channel_types.len()).map(|number| Init::Channels {
            place: Place::simple(Region::Nothing, 0, Scalar::Byte),
            count: 1,
            channel: crate::ir::ChannelTypeId(number as u8),
        });
        globals.inits.extend(queues);
        let initial_processes = (0..proctypes.len() - claims.len())
            .map(|pid| InitialProcess { proctype: ProctypeId(pid as u8), priority: 1 })
            .collect();
        Some(Model {
            name: String::new(),
            sources: SourceMap::new(),
            globals_size: globals.size(),
            globals: globals.variables,
            hidden: Vec::new(),
            hidden_size: 0,
            global_inits: globals.inits,
            channel_types: std::mem::take(&mut self.channel_types),
            proctypes,
            initial_processes,
            exprs: std::mem::take(&mut self.exprs),
            commands: std::mem::take(&mut self.commands),
            d_steps: Vec::new(),
            start: None,
            trail_numbers: Vec::new(),
            claims,
            trace: None,
            ltl: Vec::new(),
            mtypes: Vec::new(),
            uses: Uses { asserts: self.has_asserts, ..Uses::default() },
            discipline,
            property,
        })
    }

    /// The processes of the system, then the property.
    fn order<'t>(&mut self, tree: &'t ast::Model) -> Option<Vec<&'t ast::Process>> {
        let mut order: Vec<&ast::Process> =
            tree.processes.iter().filter(|process| !self.is_property(process)).collect();
        if let Some(name) = &tree.system.property {
            let found = tree.processes.iter().find(|process| process.name.text == name.text);
            match found {
                Some(process) => order.push(process),
                None => {
                    let message = format!("there is no process `{}`", name.text);
                    self.errors.push(Diagnostic::error(name.span, message));
                }
            }
        }
        let mut names = HashMap::new();
        for process in &tree.processes {
            let declared = declare(&mut names, &process.name, process.name.span, |span| *span);
            self.checked(declared);
        }
        if let Some(process) = order.get(MAX_LIVE) {
            let message = format!("more than {MAX_LIVE} processes");
            self.errors.push(Diagnostic::error(process.name.span, message));
            return None;
        }
        Some(order)
    }

    /// Variables and states of a process become known.
    fn declare_process(&mut self, process: &ast::Process, pid: u8, in_state: bool) -> Block {
        let symbol = ProcessSymbol {
            span: process.name.span,
            proctype: ProctypeId(pid),
            pid: in_state.then_some(pid),
            states: self.state_names(process),
            vars: Default::default(),
        };
        // That each has a name of its own was seen to by `order`.
        let is_new = self.names.processes.insert(process.name.text.clone(), symbol).is_none();
        let mut block = Block::new(Region::Local, FRAME_HEADER);
        if is_new {
            for decl in &process.vars {
                self.variables(decl, Some(&process.name.text), &mut block);
            }
        }
        block
    }

    fn proctype(&mut self, process: &ast::Process, block: Block) -> Proctype {
        let locations = self.locations(process);
        let initial = self.state(process, &process.init).unwrap_or(LocationId(0));
        let kind = match self.is_property(process) {
            true => ProctypeKind::Never,
            false => ProctypeKind::Process,
        };
        Proctype {
            name: process.name.text.to_string(),
            kind,
            params: 0,
            frame_size: block.size(),
            variables: block.variables,
            inits: block.inits,
            channels: Vec::new(),
            locations,
            initial,
            end: LocationId(0),
            provided: None,
            deterministic: false,
            span: process.name.span,
        }
    }

    fn variables(&mut self, decl: &ast::VarDecl, process: Option<&str>, block: &mut Block) {
        for var in &decl.vars {
            let symbol = self.variable(decl, var, process, block);
            let Some(symbol) = self.checked(symbol) else { continue };
            let scope = match process.and_then(|name| self.names.processes.get_mut(name)) {
                Some(process) => &mut process.vars,
                None => &mut self.names.globals,
            };
            let declared = declare(scope, &var.name, symbol, |symbol| symbol.span);
            self.checked(declared);
        }
    }

    fn variable(
        &mut self,
        decl: &ast::VarDecl,
        var: &ast::Var,
        process: Option<&str>,
        block: &mut Block,
    ) -> Result<Symbol, Diagnostic> {
        let scalar = scalar(decl.ty);
        let count = match var.size {
            Some(size) if !(1..=MAX_ELEMENTS).contains(&size.value) => {
                let message = format!("an array has between 1 and {MAX_ELEMENTS} elements");
                return Err(Diagnostic::error(size.span, message));
            }
            Some(size) => Some(size.value as u32),
            None => None,
        };
        let elements = count.unwrap_or(1);
        let given: &[ast::Expr] = match &var.init {
            None => &[],
            Some(InitTree::Value(value)) => std::slice::from_ref(value),
            Some(InitTree::List(values, span)) if values.len() > elements as usize => {
                let message = format!("{} values for {elements} elements", values.len());
                let warning = Diagnostic::warning(*span, message);
                self.warnings.push(warning.note("those that are left over are ignored"));
                &values[..elements as usize]
            }
            Some(InitTree::List(values, _)) => values,
        };
        let mut initial = Vec::new();
        for expr in given {
            let value = constant::value(&self.names, expr, process)?;
            if !scalar.fits(value) {
                return Err(out_of_range(expr, value, decl.ty));
            }
            initial.push(value);
        }
        initial.resize(elements as usize, 0);
        let storage = match decl.is_const {
            true => Storage::Const,
            false => {
                let offset = block.packer.place(scalar, elements);
                self.initialise(block, offset, scalar, &initial);
                block.variables.push(Variable {
                    name: var.name.text.to_string(),
                    region: block.region,
                    offset,
                    scalar,
                    count,
                    kind: VariableKind::Number,
                });
                Storage::At(block.region, offset)
            }
        };
        Ok(Symbol { span: var.name.span, scalar, count, initial, storage })
    }

    /// One initialisation for each element that is not 0.
    fn initialise(&mut self, block: &mut Block, offset: u32, scalar: Scalar, values: &[i32]) {
        for (at, &value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
            let offset = offset + at as u32 * scalar.size();
            let place = Place::simple(block.region, offset, scalar);
            let span = lariat_syntax::diagnostics::Span::NOWHERE;
            let value = self.exprs.add(Expr::Const(value), span);
            block.inits.push(Init::Fill { place, count: 1, value });
        }
    }

    fn channels(&mut self, decl: &ast::ChannelDecl) {
        let types: Option<Vec<Scalar>> =
            decl.types.as_ref().map(|types| types.iter().map(|ty| scalar(*ty)).collect());
        for channel in &decl.channels {
            let kind = self.channel_kind(channel, types.as_deref().unwrap_or(&[]));
            let Some(kind) = self.checked(kind) else { continue };
            let symbol =
                ChannelSymbol { span: channel.name.span, kind, types: types.clone(), arity: None };
            let declared =
                declare(&mut self.names.channels, &channel.name, symbol, |symbol| symbol.span);
            self.checked(declared);
        }
    }

    fn channel_kind(
        &mut self,
        channel: &ast::Channel,
        types: &[Scalar],
    ) -> Result<ChannelKind, Diagnostic> {
        let capacity = channel.capacity.map_or(0, |capacity| capacity.value);
        if capacity == 0 {
            let number = self.rendezvous;
            self.rendezvous = number
                .checked_add(1)
                .ok_or_else(|| Diagnostic::error(channel.name.span, "more than 65535 channels"))?;
            return Ok(ChannelKind::Rendezvous(number));
        }
        if capacity > u8::MAX as i32 {
            let span = channel.capacity.map_or(channel.name.span, |capacity| capacity.span);
            return Err(Diagnostic::error(span, "a channel holds at most 255 messages"));
        }
        let number = self.channel_types.len();
        if number >= MAX_LIVE {
            let message = format!("more than {MAX_LIVE} buffered channels");
            return Err(Diagnostic::error(channel.name.span, message));
        }
        let fields = types.iter().map(|scalar| (*scalar, VariableKind::Number)).collect();
        let name = channel.name.text.to_string();
        self.channel_types.push(ChannelType::new(name, capacity as u32, fields));
        Ok(ChannelKind::Buffered(number as u8))
    }

    /// All processes move at once; how they could communicate then is not defined.
    fn check_lock_step(&mut self, tree: &ast::Model) {
        for process in &tree.processes {
            for sync in process.transitions.iter().filter_map(|t| t.sync.as_ref()) {
                let message = "no communication in a `system sync`";
                let error = Diagnostic::error(sync.span, message)
                    .also(tree.system.span, "all processes move at once");
                self.errors.push(error);
            }
        }
    }
}

fn scalar(ty: Type) -> Scalar {
    match ty {
        Type::Byte => Scalar::Byte,
        // 16 bits in DiVinE 2.
        Type::Int => Scalar::Short,
    }
}

fn out_of_range(expr: &ast::Expr, value: i32, ty: Type) -> Diagnostic {
    let (name, range) = match ty {
        Type::Byte => ("byte", "0..255"),
        Type::Int => ("int", "-32768..32767"),
    };
    Diagnostic::error(expr.span, format!("{value} does not fit in a `{name}` ({range})"))
}

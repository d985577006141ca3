//! From the syntax tree of a Promela model to IR.
//!
//! Names must be declared before they are used, so one pass over the items in textual order
//! suffices for names and types; it turns bodies into elements (`flow`). When all labels that
//! are named from outside are known, a second pass makes control graphs of them (`graph`).
//!
//! - `types`: types, typedefs, symbols, scopes
//! - `decl`, `constant`: declarations, layout, initialisers
//! - `expr`: expressions and places
//! - `stmt`, `comm`, `loops`: statements to elements
//! - `flow`, `atomic`: the lists of elements as Spin makes them
//! - `graph`, `rounds`, `dstep`: control points and commands
//! - `finish`: the model
//! - `proposition`: expressions over a finished model
//! - `text`: statements as the user sees them

mod atomic;
mod comm;
mod constant;
mod decl;
mod dstep;
mod expr;
mod finish;
mod flow;
mod graph;
mod loops;
mod proposition;
mod remote;
mod rounds;
mod stmt;
mod text;
mod types;

use std::collections::HashMap;
use std::sync::Arc;

use crate::ir::layout::{HEADER_SIZE, Packer};
use crate::ir::{
    ChannelType, ExprId, Exprs, Init, InitialProcess, LocationId, LtlProperty, Model, MtypeSet,
    ProctypeId, ProctypeKind, Uses, Variable,
};
use flow::{Body, SequenceId};
use lariat_syntax::diagnostics::{Diagnostic, SourceMap, Span};
use lariat_syntax::promela::ast;
pub use proposition::Vocabulary;
pub use text::label_references;
use types::{InitRank, Names};

/// What the command line says about the meaning of a model.
#[derive(Clone, Debug, Default)]
pub struct LowerOptions {
    /// A send to a full channel loses its message (`spin -m`).
    pub message_loss: bool,
    /// Priorities are ignored (`spin -o6`).
    pub ignore_priorities: bool,
    /// Labels, as `P@label`, that are control points as if an `ltl` block of the model named them.
    pub control_points: Vec<String>,
}

/// A finished model.
pub struct Lowered {
    pub model: Model,
    pub vocabulary: Vocabulary,
    pub warnings: Vec<Diagnostic>,
}

/// Lowers a program. The source map moves into the model, or comes back with the errors.
pub fn lower(
    program: &ast::Program,
    name: &str,
    sources: SourceMap,
    options: LowerOptions,
) -> Result<Lowered, (SourceMap, Vec<Diagnostic>)> {
    let mut lowerer = Lowerer::new(options);
    lowerer.collect_proctypes(program);
    for item in &program.items {
        lowerer.lower_item(item);
    }
    lowerer.finish(name, sources)
}

/// A proctype whose body is elements, not yet a graph.
struct PendingProctype {
    name: Arc<str>,
    kind: ProctypeKind,
    body: Body,
    top: SequenceId,
    variables: Vec<Variable>,
    params: usize,
    packer: Packer,
    inits: Vec<(InitRank, Init)>,
    provided: Option<ExprId>,
    deterministic: bool,
    span: Span,
}

/// A part of the model that variables are placed in.
struct Area {
    packer: Packer,
    variables: Vec<Variable>,
    inits: Vec<(InitRank, Init)>,
}

impl Area {
    fn new(start: u32) -> Area {
        Area { packer: Packer::new(start), variables: Vec::new(), inits: Vec::new() }
    }
}

struct Lowerer {
    options: LowerOptions,
    names: Names,
    exprs: Exprs,
    channel_types: Vec<ChannelType>,
    globals: Area,
    hidden: Area,
    /// The area of locals while a body is lowered.
    locals: Area,
    pending: Vec<Option<PendingProctype>>,
    /// The bodies in the order of the text.
    bodies: Vec<ProctypeId>,
    initial: Vec<InitialProcess>,
    mtypes: Vec<MtypeSet>,
    ltl: Vec<LtlProperty>,
    /// Where the formulas and never claims were named, as Spin names those without a name.
    claim_names: HashMap<Arc<str>, Span>,
    unnamed_formulas: u32,
    never_claims: u32,
    /// Where the trace is.
    trace: Option<Span>,
    uses: Uses,
    diagnostics: Vec<Diagnostic>,
    /// The largest number of fields of any channel: a longer message fits nowhere.
    max_fields: usize,
    /// Sends seen, checked against `max_fields` when all channels are known.
    sends: Vec<(Span, usize)>,
    /// Parameters of proctypes, for `run`; filled before bodies are lowered.
    parameter_counts: HashMap<ProctypeId, usize>,
    runs: Vec<(Span, ProctypeId, usize)>,
    body: Body,
    /// Declarations still stand at the head of a body: they are no steps.
    at_head: bool,
    next_scope: u32,
    next_d_step: u32,
    loops: Vec<flow::LoopId>,
    in_claim: bool,
    current: Option<ProctypeId>,
}

impl Lowerer {
    fn new(options: LowerOptions) -> Lowerer {
        Lowerer {
            uses: Uses { message_loss: options.message_loss, ..Uses::default() },
            options,
            names: Names::default(),
            exprs: Exprs::default(),
            channel_types: Vec::new(),
            globals: Area::new(HEADER_SIZE),
            hidden: Area::new(0),
            locals: Area::new(0),
            pending: Vec::new(),
            bodies: Vec::new(),
            initial: Vec::new(),
            mtypes: Vec::new(),
            ltl: Vec::new(),
            claim_names: HashMap::new(),
            unnamed_formulas: 0,
            never_claims: 0,
            trace: None,
            diagnostics: Vec::new(),
            max_fields: 0,
            sends: Vec::new(),
            parameter_counts: HashMap::new(),
            runs: Vec::new(),
            body: Body::default(),
            at_head: false,
            next_scope: 0,
            next_d_step: 0,
            loops: Vec::new(),
            in_claim: false,
            current: None,
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(span, message));
    }

    /// `run` may name a proctype that comes later.
    fn collect_proctypes(&mut self, program: &ast::Program) {
        let mut seen: HashMap<Arc<str>, Span> = HashMap::new();
        for item in &program.items {
            let ast::ItemKind::Proctype(proctype) = &item.kind else { continue };
            let name = &proctype.name;
            if let Some(&first) = seen.get(&name.text) {
                let message = format!("proctype `{}` is declared twice", name.text);
                let diagnostic = Diagnostic::error(name.span, message).also(first, "first here");
                self.diagnostics.push(diagnostic);
            }
            seen.insert(name.text.clone(), name.span);
            let id = self.add_pending(name.span);
            self.names.proctypes.insert(name.text.clone(), id);
        }
    }

    fn add_pending(&mut self, span: Span) -> ProctypeId {
        if self.pending.len() >= 255 {
            self.error(span, "a model may have at most 255 proctypes and claims");
            return ProctypeId(254);
        }
        self.pending.push(None);
        ProctypeId(self.pending.len() as u8 - 1)
    }

    fn lower_item(&mut self, item: &ast::Item) {
        match &item.kind {
            ast::ItemKind::Vars(decl) => self.global_variables(decl),
            ast::ItemKind::Mtype(decl) => self.mtype(decl),
            ast::ItemKind::Typedef(typedef) => self.typedef(typedef),
            ast::ItemKind::Proctype(proctype) => self.proctype(proctype, item.span),
            ast::ItemKind::Init(init) => {
                let id = self.add_pending(item.span);
                self.note_priority(init.priority.as_ref());
                self.body_of(id, ":init:", ProctypeKind::Init, &init.body, item.span);
                let priority = self.priority(init.priority.as_ref());
                self.initial.push(InitialProcess { proctype: id, priority });
            }
            ast::ItemKind::Never(never) => {
                let id = self.add_pending(item.span);
                let name = match &never.name {
                    Some(name) => name.text.clone(),
                    None => format!("never_{}", self.never_claims).into(),
                };
                self.never_claims += 1;
                self.name_claim(&name, never.name.as_ref().map_or(item.span, |name| name.span));
                self.in_claim = true;
                self.body_of(id, &name, ProctypeKind::Never, &never.body, item.span);
                self.in_claim = false;
            }
            ast::ItemKind::Trace(trace) => {
                if let Some(first) = self.trace.replace(item.span) {
                    let error = Diagnostic::error(item.span, "a second trace");
                    self.diagnostics.push(error.also(first, "the first one is here"));
                }
                let id = self.add_pending(item.span);
                let (name, kind) = match trace.negated {
                    true => (":notrace:", ProctypeKind::NoTrace),
                    false => (":trace:", ProctypeKind::Trace),
                };
                self.in_claim = true;
                self.body_of(id, name, kind, &trace.body, item.span);
                self.in_claim = false;
            }
            ast::ItemKind::Ltl(ltl) => {
                let name = match &ltl.name {
                    Some(name) => name.text.clone(),
                    None => format!("ltl_{}", self.unnamed_formulas).into(),
                };
                self.unnamed_formulas += u32::from(ltl.name.is_none());
                self.name_claim(&name, ltl.name.as_ref().map_or(ltl.formula, |name| name.span));
                let name = name.to_string();
                let (text, span, origins) = (ltl.text.clone(), ltl.formula, ltl.origins.clone());
                self.ltl.push(LtlProperty { name, text, span, origins });
            }
            ast::ItemKind::Inline(_) => {}
            ast::ItemKind::EmbeddedC(c) => self.refuse_c(c),
        }
    }

    /// Formulas and never claims are asked for by name, so each needs one of its own.
    fn name_claim(&mut self, name: &Arc<str>, span: Span) {
        if let Some(&first) = self.claim_names.get(name) {
            let error = Diagnostic::error(span, format!("claim `{name}` is defined twice"));
            self.diagnostics.push(error.also(first, "first defined here"));
        } else {
            self.claim_names.insert(name.clone(), span);
        }
    }

    fn refuse_c(&mut self, c: &ast::EmbeddedC) {
        let message = format!("embedded C (`{}`) is not supported", c.kind.keyword());
        let help = "write the data and the steps in Promela, or check this model with Spin";
        self.diagnostics.push(Diagnostic::error(c.span, message).help(help));
    }

    fn note_priority(&mut self, priority: Option<&ast::IntLit>) {
        self.uses.priorities |= priority.is_some() && !self.options.ignore_priorities;
    }

    fn priority(&mut self, priority: Option<&ast::IntLit>) -> u8 {
        let Some(literal) = priority else { return 1 };
        match u8::try_from(literal.value) {
            Ok(value @ 1..) => value,
            _ => {
                self.error(literal.span, "a priority must be in 1..255");
                1
            }
        }
    }

    fn proctype(&mut self, proctype: &ast::Proctype, span: Span) {
        let id = self.names.proctypes[&proctype.name.text];
        if let Some(variable) = self.names.globals.get(&proctype.name.text) {
            let message = format!("`{}` is the name of a variable", proctype.name.text);
            let earlier = variable.span;
            let diagnostic = Diagnostic::error(proctype.name.span, message);
            self.diagnostics.push(diagnostic.also(earlier, "declared here"));
        }
        self.note_priority(proctype.priority.as_ref());
        self.start_body(id);
        for group in &proctype.params {
            self.parameters(group);
        }
        let params = self.locals.variables.len();
        self.parameter_counts.insert(id, params);
        let provided = proctype.provided.as_ref().map(|condition| self.expr(condition));
        self.uses.provided |= provided.is_some();
        let top = self.top_sequence(&proctype.body);
        let name = proctype.name.text.clone();
        let mut pending = self.end_body(name, ProctypeKind::Process, top, span);
        pending.params = params;
        pending.provided = provided;
        pending.deterministic = proctype.deterministic;
        self.pending[id.0 as usize] = Some(pending);
        self.bodies.push(id);
        if let Some(active) = &proctype.active {
            let count = active.count.as_ref().map_or(1, |count| self.instance_count(count));
            let priority = self.priority(proctype.priority.as_ref());
            for _ in 0..count {
                self.initial.push(InitialProcess { proctype: id, priority });
            }
        }
    }

    fn instance_count(&mut self, count: &ast::Expr) -> i32 {
        let value = self.constant(count).unwrap_or(0);
        if !(0..=255).contains(&value) {
            self.error(count.span, "the number of processes must be in 0..255");
            return 0;
        }
        value
    }

    fn body_of(
        &mut self,
        id: ProctypeId,
        name: &str,
        kind: ProctypeKind,
        body: &ast::Block,
        span: Span,
    ) {
        self.start_body(id);
        let top = self.top_sequence(body);
        let pending = self.end_body(name.into(), kind, top, span);
        self.pending[id.0 as usize] = Some(pending);
        self.bodies.push(id);
    }

    fn start_body(&mut self, id: ProctypeId) {
        self.names.open_scope();
        self.locals = Area::new(crate::ir::layout::FRAME_HEADER);
        self.body = Body::default();
        self.at_head = true;
        self.current = Some(id);
    }

    fn end_body(
        &mut self,
        name: Arc<str>,
        kind: ProctypeKind,
        top: SequenceId,
        span: Span,
    ) -> PendingProctype {
        self.names.close_scope();
        self.current = None;
        let area = std::mem::replace(&mut self.locals, Area::new(0));
        PendingProctype {
            name,
            kind,
            body: std::mem::take(&mut self.body),
            top,
            variables: area.variables,
            params: 0,
            packer: area.packer,
            inits: area.inits,
            provided: None,
            deterministic: false,
            span,
        }
    }
}

/// The control point that a label stands for.
fn location_of(element: flow::ElementId) -> LocationId {
    LocationId(element.0 as u16 + 1)
}

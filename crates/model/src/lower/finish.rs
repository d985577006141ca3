//! The last pass: checks that need the whole model, control graphs, the model itself.

use std::collections::{HashMap, HashSet};

use super::types::InitRank;
use super::{Lowered, Lowerer, PendingProctype, Vocabulary, graph, text};
use crate::ir::layout::MAX_EVENTS;
use crate::ir::transition::Discipline;
use crate::ir::{
    Action, Command, DStep, EventTrace, Init, Model, Proctype, ProctypeId, ProctypeKind,
};
use lariat_syntax::diagnostics::{Diagnostic, SourceMap, Span};

impl Lowerer {
    pub(super) fn finish(
        mut self,
        name: &str,
        sources: SourceMap,
    ) -> Result<Lowered, (SourceMap, Vec<Diagnostic>)> {
        self.check_sends_and_runs();
        self.expose_labels_of_formulas();
        self.check_labels();
        let passed_labels = self.passed_labels();
        let mut commands: Vec<Command> = Vec::new();
        let mut d_steps: Vec<DStep> = Vec::new();
        // Spin numbers the elements of all bodies in the order in which it makes them.
        let mut trail_numbers: Vec<u32> = Vec::new();
        let (first_numbers, mut in_turn) = (self.first_trail_numbers(), true);
        let mut proctypes = Vec::new();
        let mut claims = Vec::new();
        for (id, pending) in std::mem::take(&mut self.pending).into_iter().enumerate() {
            let Some(mut pending) = pending else { continue };
            let is_claim =
                pending.kind != ProctypeKind::Process && pending.kind != ProctypeKind::Init;
            pending.body.tie_loose_ends();
            for &span in &pending.body.duplicate_else {
                self.diagnostics.push(Diagnostic::error(span, "a second `else` in one choice"));
            }
            for &span in &pending.body.dubious_else {
                let message = "`else` beside input or output";
                let note = "it is taken if none of the other options is executable";
                self.diagnostics.push(Diagnostic::warning(span, message).note(note));
            }
            let first = trail_numbers.len();
            in_turn &= !pending.body.out_of_turn;
            let builder = graph::Builder::new(
                &mut pending.body,
                &mut commands,
                &mut trail_numbers,
                &mut d_steps,
                &mut self.diagnostics,
                is_claim,
            );
            let Some(graph) = builder.build(pending.top, pending.span) else { continue };
            trail_numbers[first..].iter_mut().for_each(|number| *number += first_numbers[id]);
            let is_trace = matches!(pending.kind, ProctypeKind::Trace | ProctypeKind::NoTrace);
            if is_trace && graph.locations.len() > MAX_EVENTS {
                let message = "a trace may have at most 251 control points";
                self.diagnostics.push(Diagnostic::error(pending.span, message));
            }
            if pending.kind == ProctypeKind::Never {
                claims.push(ProctypeId(id as u8));
            }
            proctypes.push(finish_proctype(pending, graph));
        }
        let mut diagnostics = Vec::new();
        for diagnostic in std::mem::take(&mut self.diagnostics) {
            if !diagnostics.contains(&diagnostic) {
                diagnostics.push(diagnostic);
            }
        }
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err((sources, diagnostics));
        }
        let trace = proctypes.iter().position(|proctype: &Proctype| {
            matches!(proctype.kind, ProctypeKind::Trace | ProctypeKind::NoTrace)
        });
        let trace = trace.map(|at| event_trace(ProctypeId(at as u8), &proctypes[at], &commands));
        let model = Model {
            name: name.into(),
            sources,
            globals_size: self.globals.packer.finish().next_multiple_of(4),
            globals: self.globals.variables,
            hidden_size: self.hidden.packer.finish().next_multiple_of(4),
            hidden: self.hidden.variables,
            global_inits: ordered(merge(self.globals.inits, self.hidden.inits)),
            channel_types: self.channel_types,
            proctypes,
            initial_processes: self.initial,
            exprs: self.exprs,
            commands,
            d_steps,
            start: None,
            trail_numbers: if in_turn { trail_numbers } else { Vec::new() },
            claims,
            trace,
            ltl: self.ltl,
            mtypes: self.mtypes,
            uses: self.uses,
            discipline: Discipline::Spin,
            property: None,
        };
        if model.initial_processes.is_empty() {
            let message = "the model has no process to start with";
            let help = "write `init { … }`, or `active` before a proctype";
            diagnostics.push(Diagnostic::error(Span::NOWHERE, message).help(help));
            return Err((model.sources, diagnostics));
        }
        let vocabulary = Vocabulary {
            names: self.names,
            options: self.options,
            passed_labels,
            asked_labels: Vec::new(),
        };
        Ok(Lowered { model, vocabulary, warnings: diagnostics })
    }

    /// By proctype: the number that Spin gives to its first element.
    fn first_trail_numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.pending.len()];
        let mut next = 0;
        for id in &self.bodies {
            numbers[id.0 as usize] = next;
            let body = self.pending[id.0 as usize].as_ref().map(|pending| &pending.body);
            next += body.map_or(0, |body| body.elements.len() as u32);
        }
        numbers
    }

    fn check_sends_and_runs(&mut self) {
        for (span, fields) in std::mem::take(&mut self.sends) {
            if fields > self.max_fields {
                let most = self.max_fields;
                self.error(
                    span,
                    format!("a message of {fields} fields: no channel takes more than {most}"),
                );
            }
        }
        for (span, id, given) in std::mem::take(&mut self.runs) {
            let expected = self.parameter_counts.get(&id).copied().unwrap_or(given);
            if given != expected {
                let message = format!("{given} arguments for {expected} parameters");
                self.error(span, message);
            }
        }
    }

    /// `P@label` in a formula makes the label a control point, as in a claim.
    fn expose_labels_of_formulas(&mut self) {
        let of_model = self.ltl.iter().map(|ltl| ltl.text.clone());
        let formulas: Vec<String> = of_model.chain(self.options.control_points.clone()).collect();
        for formula in formulas {
            for (proctype, label) in text::label_references(&formula) {
                if let Some(&id) = self.names.proctypes.get(proctype)
                    && let Some(pending) = &mut self.pending[id.0 as usize]
                {
                    pending.body.expose_label(label);
                }
            }
        }
    }

    /// Labels at jumps that nothing in the model asks for: no process ever rests there.
    fn passed_labels(&self) -> Vec<(ProctypeId, String)> {
        let mut passed = Vec::new();
        for (id, pending) in self.pending.iter().enumerate() {
            let Some(PendingProctype { body, .. }) = pending else { continue };
            // Of several with one name, expressions mean the last.
            let mut seen = HashSet::new();
            let meant = body.labels.iter().rev().filter(|label| seen.insert(&label.name));
            let at_jump = meant.filter(|label| body.is_jump(label.element));
            passed.extend(at_jump.map(|label| (ProctypeId(id as u8), label.name.clone())));
        }
        passed
    }

    fn check_labels(&mut self) {
        for pending in self.pending.iter().flatten() {
            let mut seen = HashMap::new();
            for label in &pending.body.labels {
                if let Some(first) = seen.insert((&label.name, &label.scope), label.span) {
                    let message = format!("label `{}` stands twice", label.name);
                    let error = Diagnostic::error(label.span, message);
                    self.diagnostics.push(error.also(first, "first here"));
                }
            }
        }
    }
}

fn merge(mut a: Vec<(InitRank, Init)>, b: Vec<(InitRank, Init)>) -> Vec<(InitRank, Init)> {
    a.extend(b);
    a
}

/// Initialisers in Spin's order: by type, then as declared.
fn ordered(mut inits: Vec<(InitRank, Init)>) -> Vec<Init> {
    inits.sort_by_key(|(rank, _)| *rank);
    inits.into_iter().map(|(_, init)| init).collect()
}

fn finish_proctype(pending: PendingProctype, graph: graph::Graph) -> Proctype {
    let inits = ordered(pending.inits);
    let channels = inits.iter().flat_map(|init| match init {
        Init::Channels { count, channel, .. } => vec![*channel; *count as usize],
        Init::Fill { .. } => Vec::new(),
    });
    Proctype {
        name: pending.name.to_string(),
        kind: pending.kind,
        variables: pending.variables,
        params: pending.params,
        frame_size: pending.packer.finish().next_multiple_of(4),
        channels: channels.collect(),
        inits,
        locations: graph.locations,
        initial: graph.initial,
        end: graph.end,
        provided: pending.provided,
        deterministic: pending.deterministic,
        span: pending.span,
    }
}

/// The channels that a trace watches.
fn event_trace(id: ProctypeId, graph: &Proctype, commands: &[Command]) -> EventTrace {
    let (mut sends, mut receives) = (Vec::new(), Vec::new());
    for edge in graph.locations.iter().flat_map(|location| &location.edges) {
        match &commands[edge.command.0 as usize].action {
            Action::Send(send) => sends.push(send.channel),
            Action::Receive(receive) => receives.push(receive.channel),
            _ => {}
        }
    }
    let negated = graph.kind == ProctypeKind::NoTrace;
    EventTrace { proctype: id, negated, sends, receives }
}

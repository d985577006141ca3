//! From elements to control points and commands.
//!
//! Three rounds, as in Spin's code generator and the start of its verifier:
//! 1. every element gets its transition, whose target is found by going over jumps and joins;
//! 2. choices inside choices are flattened, then every choice takes over the first
//!    transitions of its options;
//! 3. transitions of escapes are put before those of the elements that they guard.

use super::dstep;
use super::flow::{Body, ElementId, ElementKind, SequenceId};
use crate::ir::{Action, Command, CommandId, DStep, DStepId, Location, LocationId};
use lariat_syntax::diagnostics::{Diagnostic, Span};

/// More jumps and joins than this in a row are taken for a loop without a statement.
const MAX_HOPS: usize = 500;

/// One transition of an element, or a mere pointer to the option of a choice.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    /// The element that it comes from.
    pub(super) id: ElementId,
    /// None for the head of a choice and for its pointers.
    pub(super) command: Option<CommandId>,
    pub(super) target: u16,
    pub(super) escapes: Vec<u16>,
    pub(super) escape: u16,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Marks {
    pub(super) end: bool,
    pub(super) accept: bool,
    pub(super) progress: bool,
}

impl Marks {
    pub(super) fn include(&mut self, other: Marks) {
        self.end |= other.end;
        self.accept |= other.accept;
        self.progress |= other.progress;
    }
}

/// The control graph of a body.
pub(super) struct Graph {
    pub(super) locations: Vec<Location>,
    pub(super) initial: LocationId,
    pub(super) end: LocationId,
}

pub(super) struct Builder<'a> {
    pub(super) body: &'a mut Body,
    commands: &'a mut Vec<Command>,
    /// By command: the element that it comes from.
    origins: &'a mut Vec<u32>,
    d_steps: &'a mut Vec<DStep>,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// A never claim: self-loops are fine.
    pub(super) is_claim: bool,
    pub(super) table: Vec<Vec<Transition>>,
    pub(super) marks: Vec<Marks>,
    done: Vec<bool>,
    failed: bool,
}

pub(super) fn number(id: ElementId) -> u16 {
    id.0 as u16 + 1
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        body: &'a mut Body,
        commands: &'a mut Vec<Command>,
        origins: &'a mut Vec<u32>,
        d_steps: &'a mut Vec<DStep>,
        diagnostics: &'a mut Vec<Diagnostic>,
        is_claim: bool,
    ) -> Self {
        let size = body.elements.len() + 1;
        Builder {
            body,
            commands,
            origins,
            d_steps,
            diagnostics,
            is_claim,
            table: vec![Vec::new(); size],
            marks: vec![Marks::default(); size],
            done: vec![false; size],
            failed: false,
        }
    }

    /// Builds the graph of the body whose outermost sequence is `top`. None if there were
    /// errors.
    pub(super) fn build(mut self, top: SequenceId, span: Span) -> Option<Graph> {
        if self.body.elements.len() >= u16::MAX as usize {
            let message = "this process has more than 65534 control points";
            self.diagnostics.push(Diagnostic::error(span, message));
            return None;
        }
        self.check_jumps();
        if self.failed {
            return None;
        }
        self.put_sequence(top);
        let first = self.body.sequence(top).first?;
        let start = self.hunt_start(first);
        let initial = self.first_behind_jumps(start, self.body.element(first).atomic);
        if self.failed {
            return None;
        }
        let end = self.body.sequence(top).last.map_or(0, number);
        self.mark_labels(end);
        self.flatten();
        self.take_over_options();
        self.put_escapes_first();
        self.spread_end_marks();
        self.check(span);
        if self.failed {
            return None;
        }
        Some(self.finish(number(initial), end))
    }

    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.failed = true;
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    /// Goes over jumps and joins to the next control point. Inside an atomic sequence a jump
    /// out of it is a control point itself: there atomicity ends.
    fn first_behind_jumps(&mut self, from: ElementId, atomic: bool) -> ElementId {
        let mut at = from;
        for _ in 0..MAX_HOPS {
            let element = self.body.element(at);
            let next = match &element.kind {
                ElementKind::Goto(jump) => match self.body.jump_target(jump) {
                    Some(target) if target == at => {
                        let span = element.span;
                        self.error(span, "this jump leads to itself");
                        return at;
                    }
                    Some(target) => target,
                    None => {
                        self.undefined_label(at);
                        return at;
                    }
                },
                ElementKind::Join | ElementKind::Break => match element.next {
                    Some(next) => next,
                    None => return at,
                },
                ElementKind::Unless => {
                    let main = element.sub[0];
                    match self.body.sequence(main).first {
                        Some(first) => self.first_behind_jumps(first, atomic),
                        None => return at,
                    }
                }
                _ => return at,
            };
            if atomic && !self.body.element(next).atomic {
                return at;
            }
            at = next;
        }
        let span = self.body.element(from).span;
        let message = format!("more than {MAX_HOPS} jumps in a row, or a loop of jumps");
        self.error(span, message);
        at
    }

    fn undefined_label(&mut self, at: ElementId) {
        let element = self.body.element(at);
        if let ElementKind::Goto(super::flow::Jump::Label { name, span, .. }) = &element.kind {
            let (message, span) = (format!("undefined label `{name}`"), *span);
            self.error(span, message);
        }
    }

    fn check_jumps(&mut self) {
        for at in 0..self.body.elements.len() {
            let id = ElementId(at as u32);
            if let ElementKind::Goto(jump) = &self.body.element(id).kind {
                match self.body.jump_target(jump) {
                    Some(target) => self.check_jump(id, target),
                    None => self.undefined_label(id),
                }
            }
        }
    }

    /// No jumps into or out of a `d_step`.
    fn check_jump(&mut self, from: ElementId, to: ElementId) {
        let (source, target) = (self.body.element(from), self.body.element(to));
        if source.d_step == target.d_step {
            return;
        }
        let (message, span) = match target.d_step {
            Some(_) => ("jump into a d_step", source.span),
            None => ("jump out of a d_step", source.span),
        };
        self.error(span, message);
    }

    /// The first element that matters of an option or block.
    fn hunt_start(&mut self, from: ElementId) -> ElementId {
        let mut at = from;
        for _ in 0..MAX_HOPS {
            let element = self.body.element(at);
            at = match element.kind {
                ElementKind::Join => match element.next {
                    Some(next) => next,
                    None => return at,
                },
                ElementKind::Unless => match self.body.sequence(element.sub[0]).first {
                    Some(first) => first,
                    None => return at,
                },
                _ => return at,
            };
        }
        at
    }

    // Recursion is as deep as the nesting of statements.
    fn put_sequence(&mut self, id: SequenceId) {
        let mut at = self.body.sequence(id).first;
        while let Some(element) = at {
            if !std::mem::replace(&mut self.done[element.0 as usize], true) {
                self.put_element(element);
            }
            if at == self.body.sequence(id).last {
                break;
            }
            at = self.body.element(element).next;
        }
    }

    fn put_element(&mut self, id: ElementId) {
        let element = self.body.element(id);
        match &element.kind {
            ElementKind::Unless => self.put_sequence(element.sub[0]),
            ElementKind::If | ElementKind::Do => self.put_choice(id),
            ElementKind::Atomic(inner) | ElementKind::Block(inner) => {
                let inner = *inner;
                self.patch_jumps(inner);
                self.tie(id, inner);
                let Some(first) = self.body.sequence(inner).first else { return };
                let target = number(self.hunt_start(first));
                self.table[number(id) as usize] = vec![pointer(id, 0), pointer(id, target)];
                self.put_sequence(inner);
            }
            ElementKind::DStep(inner) => {
                let inner = *inner;
                self.patch_jumps(inner);
                self.tie(id, inner);
                self.put_d_step(id, inner);
            }
            _ => self.put_step(id),
        }
    }

    fn tie(&mut self, id: ElementId, inner: SequenceId) {
        let next = self.body.element(id).next;
        if let Some(last) = self.body.sequence(inner).last {
            self.body.element_mut(last).next = next;
        }
    }

    fn put_choice(&mut self, id: ElementId) {
        let options = self.body.element(id).sub.clone();
        let mut list = vec![pointer(id, 0)];
        for &option in &options {
            let Some(first) = self.body.sequence(option).first else { continue };
            let first = self.hunt_start(first);
            let element = self.body.element(first);
            // An option that starts with `false` is no option.
            if matches!(element.kind, ElementKind::Never) && element.escapes.is_empty() {
                continue;
            }
            list.push(pointer(id, number(first)));
        }
        self.table[number(id) as usize] = list;
        for option in options {
            self.put_sequence(option);
        }
    }

    fn put_step(&mut self, id: ElementId) {
        let element = self.body.element(id);
        let atomic = element.atomic;
        let target = match (&element.kind, element.next) {
            (ElementKind::Goto(_), _) => self.hunt_jump(id, atomic).map_or(0, number),
            (_, Some(next)) => number(self.first_behind_jumps(next, atomic)),
            (_, None) => 0,
        };
        let element = self.body.element(id);
        let (action, is_silent) = match &element.kind {
            ElementKind::Skip => (Action::Skip, false),
            ElementKind::Act(action) => (action.clone(), false),
            ElementKind::Else => (Action::Else, false),
            ElementKind::Goto(_) => (Action::Skip, false),
            ElementKind::Stop => (Action::End, true),
            // `false` stays a step that is never executable: it has no command.
            ElementKind::Never => {
                self.table[number(id) as usize] = vec![pointer(id, 0)];
                self.put_escapes_of(id);
                return;
            }
            _ => (Action::Skip, true),
        };
        self.add_command(id, action, atomic, target, is_silent);
        self.put_escapes_of(id);
    }

    fn hunt_jump(&mut self, id: ElementId, atomic: bool) -> Option<ElementId> {
        let ElementKind::Goto(jump) = &self.body.element(id).kind else { return None };
        match self.body.jump_target(jump) {
            // A jump to itself is reported on the way.
            Some(target) => Some(self.first_behind_jumps(target, atomic)),
            None => {
                self.undefined_label(id);
                None
            }
        }
    }

    fn add_command(
        &mut self,
        id: ElementId,
        action: Action,
        atomic: bool,
        target: u16,
        is_silent: bool,
    ) {
        let element = self.body.element(id);
        let command = CommandId(self.commands.len() as u32);
        self.origins.push(id.0);
        self.commands.push(Command {
            action,
            target: LocationId(target),
            atomic,
            span: element.span,
            text: element.text.clone(),
            is_silent,
        });
        let transition =
            Transition { id, command: Some(command), target, escapes: Vec::new(), escape: 0 };
        self.table[number(id) as usize] = vec![transition];
    }

    fn put_d_step(&mut self, id: ElementId, inner: SequenceId) {
        let element = self.body.element(id);
        let (atomic, next) = (element.atomic, element.next);
        let target = next.map_or(0, |next| number(self.first_behind_jumps(next, atomic)));
        let mut errors = Vec::new();
        let program = dstep::build(self.body, inner, &mut errors);
        self.failed |= !errors.is_empty();
        self.diagnostics.append(&mut errors);
        let d_step = DStepId(self.d_steps.len() as u32);
        self.d_steps.push(program);
        self.add_command(id, Action::DStep(d_step), atomic, target, false);
        self.put_escapes_of(id);
    }

    fn put_escapes_of(&mut self, id: ElementId) {
        let element = self.body.element(id);
        if element.escapes.is_empty() || matches!(element.kind, ElementKind::Join) {
            return;
        }
        let atomic = element.atomic;
        let escapes = element.escapes.clone();
        let firsts: Vec<ElementId> =
            escapes.iter().filter_map(|&escape| self.body.sequence(escape).first).collect();
        let starts: Vec<u16> = firsts
            .into_iter()
            .map(|first| number(self.first_behind_jumps(first, atomic)))
            .collect();
        self.table[number(id) as usize][0].escapes = starts;
        for escape in escapes {
            self.put_sequence(escape);
        }
    }

    /// A `goto` out of an atomic sequence ends it; one from its end into another goes on.
    fn patch_jumps(&mut self, sequence: SequenceId) {
        let bounds = self.body.sequence(sequence);
        let mut at = bounds.first;
        while let Some(id) = at {
            let element = self.body.element(id);
            if let ElementKind::Goto(jump) = &element.kind {
                if let Some(target) = self.body.jump_target(jump) {
                    let target = self.body.element(target);
                    let inside = target.atomic || target.last_atomic;
                    let element = self.body.element_mut(id);
                    if (element.atomic || element.last_atomic) && !inside {
                        element.atomic = false;
                        element.last_atomic = true;
                    }
                    if element.last_atomic && inside {
                        element.last_atomic = false;
                        element.atomic = true;
                    }
                }
            } else {
                for sub in element.sub.clone() {
                    self.patch_jumps(sub);
                }
            }
            if at == bounds.extent {
                break;
            }
            at = self.body.element(id).next;
        }
    }
}

fn pointer(id: ElementId, target: u16) -> Transition {
    Transition { id, command: None, target, escapes: Vec::new(), escape: 0 }
}

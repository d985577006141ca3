//! The program of a `d_step`.

use std::collections::HashMap;

use super::flow::{Body, ElementId, ElementKind, SequenceId};
use crate::ir::{Action, DStep, DStepNode, NodeId};
use lariat_syntax::diagnostics::Diagnostic;

struct Builder<'a> {
    body: &'a Body,
    group: Option<u32>,
    nodes: Vec<DStepNode>,
    known: HashMap<ElementId, NodeId>,
    /// Elements whose nodes wait for their successors.
    open: Vec<ElementId>,
    exit: NodeId,
}

/// Translates the elements of the `d_step` whose sequence this is.
pub(super) fn build(body: &Body, sequence: SequenceId, errors: &mut Vec<Diagnostic>) -> DStep {
    let first = body.sequence(sequence).first;
    let group = first.and_then(|first| body.element(first).d_step);
    let mut builder = Builder {
        body,
        group,
        nodes: vec![DStepNode::Exit],
        known: HashMap::new(),
        open: Vec::new(),
        exit: NodeId(0),
    };
    let entry = first.map_or(builder.exit, |first| builder.node_of(first));
    while let Some(id) = builder.open.pop() {
        builder.finish_node(id);
    }
    if let Some(endless) = builder.find_empty_loop() {
        let span = body.element(endless).span;
        errors.push(Diagnostic::error(span, "a loop without any statement inside a d_step"));
    }
    let mut guards = Vec::new();
    if let Some(first) = first {
        builder.collect_entry_guards(first, &mut guards);
    }
    DStep { guards, nodes: builder.nodes, entry }
}

impl Builder<'_> {
    /// The node that stands for an element, made if it is new: jumps and joins are followed.
    fn node_of(&mut self, from: ElementId) -> NodeId {
        let Some(id) = self.resolve(from) else { return self.exit };
        if let Some(&node) = self.known.get(&id) {
            return node;
        }
        let node = NodeId(self.nodes.len() as u32);
        self.known.insert(id, node);
        self.nodes.push(DStepNode::Exit);
        self.open.push(id);
        node
    }

    /// The next element of the d_step that is a statement or a choice; None behind its end.
    fn resolve(&self, from: ElementId) -> Option<ElementId> {
        let mut at = from;
        for _ in 0..self.body.elements.len() + 1 {
            let element = self.body.element(at);
            if element.d_step != self.group {
                return None;
            }
            at = match &element.kind {
                ElementKind::Goto(jump) => self.body.jump_target(jump)?,
                ElementKind::Join | ElementKind::Break => element.next?,
                ElementKind::Block(inner) | ElementKind::Atomic(inner) => {
                    self.body.sequence(*inner).first?
                }
                ElementKind::Unless => self.body.sequence(element.sub[0]).first?,
                _ => return Some(at),
            };
        }
        None
    }

    fn finish_node(&mut self, id: ElementId) {
        let element = self.body.element(id).clone();
        let node = match element.kind {
            ElementKind::If | ElementKind::Do => {
                let firsts = element.sub.iter().filter_map(|&s| self.body.sequence(s).first);
                let firsts: Vec<ElementId> = firsts.collect();
                let options = firsts.into_iter().map(|first| self.node_of(first)).collect();
                DStepNode::Select { options, span: element.span }
            }
            kind => {
                let next = element.next.map_or(self.exit, |next| self.node_of(next));
                let action = match kind {
                    ElementKind::Act(action) => action,
                    ElementKind::Never => {
                        // Never executable: a choice without options.
                        self.set(id, DStepNode::Select { options: vec![], span: element.span });
                        return;
                    }
                    _ => Action::Skip,
                };
                DStepNode::Do { action, next, span: element.span, text: element.text }
            }
        };
        self.set(id, node);
    }

    fn set(&mut self, id: ElementId, node: DStepNode) {
        let at = self.known[&id];
        self.nodes[at.0 as usize] = node;
    }

    /// A `do` all of whose options lead straight back to it would never end.
    fn find_empty_loop(&self) -> Option<ElementId> {
        self.known.iter().find_map(|(&id, &node)| match &self.nodes[node.0 as usize] {
            DStepNode::Select { options, .. } if options.contains(&node) => Some(id),
            _ => None,
        })
    }

    /// What must be executable for the d_step to start. Spin looks at guards only: an option
    /// that starts with an assignment adds nothing.
    fn collect_entry_guards(&self, first: ElementId, guards: &mut Vec<Action>) {
        let element = self.body.element(first);
        match &element.kind {
            ElementKind::If => self.collect_option_guards(first, guards),
            ElementKind::Join => {
                if let Some(next) = element.next
                    && matches!(self.body.element(next).kind, ElementKind::Do)
                {
                    self.collect_option_guards(next, guards);
                }
            }
            ElementKind::Block(inner) | ElementKind::Atomic(inner) => {
                if let Some(first) = self.body.sequence(*inner).first {
                    self.collect_entry_guards(first, guards);
                }
            }
            ElementKind::Unless => {
                if let Some(first) = self.body.sequence(element.sub[0]).first {
                    self.collect_entry_guards(first, guards);
                }
            }
            kind => push_guard(kind, guards),
        }
    }

    fn collect_option_guards(&self, choice: ElementId, guards: &mut Vec<Action>) {
        for &option in &self.body.element(choice).sub {
            let Some(mut first) = self.body.sequence(option).first else { continue };
            while let ElementKind::Unless = self.body.element(first).kind {
                match self.body.sequence(self.body.element(first).sub[0]).first {
                    Some(inner) => first = inner,
                    None => return,
                }
            }
            let element = self.body.element(first);
            match &element.kind {
                ElementKind::If => self.collect_option_guards(first, guards),
                ElementKind::Block(inner) => {
                    if let Some(inner) = self.body.sequence(*inner).first {
                        self.collect_option_guards(inner, guards);
                    }
                }
                ElementKind::Join => {
                    if let Some(next) = element.next
                        && matches!(self.body.element(next).kind, ElementKind::Do)
                    {
                        self.collect_option_guards(next, guards);
                    }
                }
                ElementKind::Else => guards.push(Action::Skip),
                kind => push_guard(kind, guards),
            }
        }
    }
}

fn push_guard(kind: &ElementKind, guards: &mut Vec<Action>) {
    match kind {
        ElementKind::Skip => guards.push(Action::Skip),
        ElementKind::Else => guards.push(Action::Else),
        ElementKind::Act(action @ (Action::Guard(_) | Action::Send(_) | Action::Receive(_))) => {
            guards.push(action.clone());
        }
        _ => {}
    }
}

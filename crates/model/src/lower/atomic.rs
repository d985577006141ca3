//! Marks of `atomic` and `d_step`, redundant `skip`s, and the ties between nested sequences.

use super::flow::{Body, ElementId, ElementKind, Jump, LabelDef, SequenceId};
use crate::ir::Action;

impl Body {
    /// Marks the elements of an atomic sequence, all but the last step.
    pub(super) fn make_atomic(&mut self, sequence: SequenceId, d_step: bool) {
        self.walk_atomic(sequence, d_step);
        let Some(last) = self.sequence(sequence).last else { return };
        match self.element(last).kind {
            ElementKind::Block(inner) | ElementKind::Atomic(inner) => {
                self.make_atomic(inner, d_step);
            }
            // The escape belongs to the main part.
            ElementKind::Unless => self.make_atomic(self.element(last).sub[0], d_step),
            _ => {
                let element = self.element_mut(last);
                element.atomic = false;
                element.last_atomic = true;
            }
        }
    }

    fn walk_atomic(&mut self, sequence: SequenceId, d_step: bool) {
        let bounds = self.sequence(sequence);
        let mut at = bounds.first;
        while let Some(id) = at {
            let element = self.element_mut(id);
            element.atomic = true;
            match element.kind {
                // Atomic inside atomic is a plain block.
                ElementKind::Atomic(inner) | ElementKind::Block(inner) => {
                    element.kind = ElementKind::Block(inner);
                    self.walk_atomic(inner, d_step);
                }
                ElementKind::DStep(inner) if d_step => {
                    element.kind = ElementKind::Block(inner);
                    self.walk_atomic(inner, d_step);
                }
                _ => {}
            }
            for sub in self.element(id).sub.clone() {
                self.walk_atomic(sub, d_step);
            }
            if at == bounds.last {
                break;
            }
            at = self.element(id).next;
        }
    }

    /// In an option, a `skip` behind another one is dropped, unless it is labelled or the last
    /// statement. `printf` starts or goes on with such a run and is never dropped.
    pub(super) fn prune_skips(&mut self, option: SequenceId) {
        let bounds = self.sequence(option);
        let mut run = 0;
        let mut before: Option<ElementId> = None;
        let mut at = bounds.first;
        while let Some(id) = at {
            let element = self.element(id);
            let next = element.next;
            let is_skip = matches!(element.kind, ElementKind::Skip);
            let is_print = matches!(element.kind, ElementKind::Act(Action::Print(_)));
            if (is_skip || is_print) && !self.has_label(id) {
                run += 1;
                let inside = at != bounds.first && at != bounds.last;
                if let (true, Some(before)) = (run > 1 && is_skip && inside, before) {
                    self.element_mut(before).next = next;
                    at = next;
                    continue;
                }
            } else {
                run = 0;
            }
            before = at;
            at = next;
        }
    }

    /// The end of a nested sequence leads to what follows it.
    pub(super) fn tie_loose_ends(&mut self) {
        // Newest first.
        for at in (0..self.elements.len()).rev() {
            let element = &self.elements[at];
            let (ElementKind::Atomic(inner)
            | ElementKind::Block(inner)
            | ElementKind::DStep(inner)) = element.kind
            else {
                continue;
            };
            if element.next.is_none() {
                continue;
            }
            let mut follow = element.next;
            while let Some(next) = follow.filter(|&id| self.is_join(id)) {
                follow = self.element(next).next;
            }
            let Some(last) = self.sequence(inner).last else { continue };
            match self.element(last).next {
                None => self.element_mut(last).next = follow,
                // A jump was put behind the last statement: it wins.
                Some(next) if matches!(self.element(next).kind, ElementKind::Goto(_)) => {
                    self.sequences[inner.0 as usize].last = Some(next);
                }
                Some(_) => {}
            }
        }
    }

    fn is_join(&self, id: ElementId) -> bool {
        matches!(self.element(id).kind, ElementKind::Join)
    }

    pub(super) fn is_jump(&self, id: ElementId) -> bool {
        matches!(self.element(id).kind, ElementKind::Goto(_))
    }

    /// A label that is asked for from outside must be a control point: a `goto` that bears it
    /// becomes a `skip` with the `goto` behind it.
    pub(super) fn expose_label(&mut self, name: &str) -> Option<ElementId> {
        let label = self.labels.iter().rev().find(|label| label.name == name)?;
        let id = label.element;
        if let ElementKind::Goto(jump) = self.element(id).kind.clone() {
            let element = self.element(id).clone();
            let goto = self.new_element(ElementKind::Goto(jump), element.span, element.text);
            self.out_of_turn = true;
            let copy = self.element_mut(goto);
            copy.next = element.next;
            copy.d_step = element.d_step;
            let skip = self.element_mut(id);
            skip.kind = ElementKind::Skip;
            skip.text = "skip".into();
            skip.next = Some(goto);
        }
        Some(id)
    }

    /// The label that a jump means: in the same block, else in an enclosing one, else any of
    /// that name in the body.
    pub(super) fn find_label(&self, name: &str, scope: &[u32]) -> Option<&LabelDef> {
        let mut best: Option<&LabelDef> = None;
        for label in self.labels.iter().rev().filter(|label| label.name == name) {
            if label.scope == scope {
                return Some(label);
            }
            if scope.starts_with(&label.scope) || best.is_none() {
                best = Some(label);
            }
        }
        best
    }

    pub(super) fn jump_target(&self, jump: &Jump) -> Option<ElementId> {
        match jump {
            Jump::Break(exit) => self.loop_exits[exit.0 as usize],
            Jump::Label { name, scope, .. } => {
                self.find_label(name, scope).map(|label| label.element)
            }
        }
    }
}

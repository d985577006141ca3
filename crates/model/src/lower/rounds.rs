//! The rounds over the table of transitions: choices, escapes, marks, control points.

use super::flow::ElementKind;
use super::graph::{Builder, Graph, Transition, number};
use crate::ir::{Edge, Location, LocationId};
use lariat_syntax::diagnostics::Span;

impl Builder<'_> {
    pub(super) fn mark_labels(&mut self, end: u16) {
        for label in &self.body.labels {
            let marks = &mut self.marks[number(label.element) as usize];
            marks.end |= label.name.starts_with("end");
            marks.accept |= label.name.starts_with("accept");
            marks.progress |= label.name.starts_with("progress");
        }
        self.marks[end as usize].end = true;
    }

    /// The marks of a skipped control point go to the target of what is taken from it.
    fn inherit(&mut self, target: u16, skipped: u16) {
        let marks = self.marks[skipped as usize];
        self.marks[target as usize].include(marks);
    }

    pub(super) fn flatten(&mut self) {
        loop {
            let mut changed = false;
            for at in 1..self.table.len() {
                let nested =
                    |t: &Transition| t.target != 0 && self.table[t.target as usize].len() > 1;
                if !self.table[at].iter().skip(1).any(nested) {
                    continue;
                }
                let old = std::mem::take(&mut self.table[at]);
                let mut list = vec![old[0].clone()];
                for option in &old[1..] {
                    let inner = &self.table[option.target as usize];
                    let taken = match inner.len() {
                        0 | 1 => vec![option.clone()],
                        _ => {
                            changed = true;
                            inner[1..].to_vec()
                        }
                    };
                    for transition in taken {
                        self.inherit(transition.target, option.target);
                        list.push(transition);
                    }
                }
                self.table[at] = list;
            }
            if !changed {
                return;
            }
        }
    }

    pub(super) fn take_over_options(&mut self) {
        for at in 1..self.table.len() {
            if self.table[at].len() < 2 {
                continue;
            }
            let targets: Vec<u16> = self.table[at][1..].iter().map(|t| t.target).collect();
            let mut list = Vec::with_capacity(targets.len());
            for target in targets {
                let Some(first) = self.table[target as usize].first().cloned() else { continue };
                self.inherit(first.target, target);
                list.push(first);
            }
            self.table[at] = list;
        }
    }

    pub(super) fn put_escapes_first(&mut self) {
        for at in 1..self.table.len() {
            let own = self.table[at].clone();
            for transition in &own {
                for &escape in transition.escapes.iter().rev() {
                    for first in self.table[escape as usize].clone() {
                        if self.table[at].iter().any(|known| known.id == first.id) {
                            continue;
                        }
                        self.table[at].insert(0, Transition { escape, ..first });
                    }
                }
            }
        }
    }

    /// A join that stays a control point hands its `end` mark on.
    pub(super) fn spread_end_marks(&mut self) {
        for at in 1..self.table.len() {
            if let [only] = &self.table[at][..]
                && self.marks[at].end
                && matches!(self.body.element(only.id).kind, ElementKind::Join)
            {
                let target = only.target as usize;
                self.marks[target].end = true;
            }
        }
    }

    /// What Spin's verifier refuses to run.
    pub(super) fn check(&mut self, span: Span) {
        if self.is_claim {
            return;
        }
        for at in 1..self.table.len() {
            let mut elses = 0;
            let mut own_loop = None;
            for transition in &self.table[at] {
                let element = self.body.element(transition.id);
                elses += matches!(element.kind, ElementKind::Else) as usize;
                if transition.target as usize == at && matches!(element.kind, ElementKind::Skip) {
                    own_loop = Some(element.span);
                }
            }
            if let Some(span) = own_loop {
                self.error(span, "unconditional self-loop: the process does nothing for ever");
            }
            if elses > 1 {
                let place = self.body.elements.get(at - 1).map_or(span, |e| e.span);
                self.error(place, format!("this choice has {elses} `else` options"));
            }
        }
    }

    pub(super) fn finish(self, initial: u16, end: u16) -> Graph {
        let mut locations = vec![Location::default(); self.table.len()];
        for (at, location) in locations.iter_mut().enumerate().skip(1) {
            let marks = self.marks[at];
            location.is_end = marks.end;
            location.is_accept = marks.accept;
            location.is_progress = marks.progress;
            let element = &self.body.elements[at - 1];
            location.span = (!element.span.is_nowhere()).then_some(element.span);
            let edges = self.table[at].iter().filter_map(|transition| {
                let escape = transition.escape;
                transition.command.map(|command| Edge { command, escape })
            });
            location.edges = edges.collect();
        }
        for label in &self.body.labels {
            locations[number(label.element) as usize].labels.push(label.name.clone());
        }
        Graph { locations, initial: LocationId(initial), end: LocationId(end) }
    }
}

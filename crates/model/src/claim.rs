//! Never claims as property automata.
//!
//! A claim is a control graph whose commands test the state before each step of the system.
//! Every test becomes a proposition, every control point a state of the automaton; control
//! points with an `accept` label are accepting. A claim that reaches its closing brace, or
//! whose assertion fails, has found a violation: it stays in an accepting state for ever.

use std::fmt;

use lariat_core::{Automaton, Edge, Guard, Marks, Props, Word};

use crate::ir::{Action, Edge as Choice, ExprId, Model, ProctypeId};
use lariat_syntax::diagnostics::{Diagnostic, Span};

/// A never claim for the product with a state space whose propositions are
/// [`ClaimAutomaton::propositions`].
#[derive(Clone, Debug)]
pub struct ClaimAutomaton {
    propositions: Vec<ExprId>,
    initial: [Word; 1],
    states: Vec<State>,
}

#[derive(Clone, Debug, Default)]
struct State {
    edges: Vec<Edge>,
    accepting: bool,
}

/// Why a claim cannot be an automaton.
#[derive(Clone, Debug)]
pub struct NotAClaim(pub Diagnostic);

impl fmt::Display for NotAClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

const MAX_PROPOSITIONS: usize = Props::BITS as usize;

struct Builder<'m> {
    model: &'m Model,
    propositions: Vec<ExprId>,
    /// The state of a violation.
    trap: Word,
}

impl ClaimAutomaton {
    /// The automaton of a claim of the model.
    pub fn new(model: &Model, claim: ProctypeId) -> Result<ClaimAutomaton, NotAClaim> {
        let graph = model.proctype(claim);
        let trap = graph.locations.len() as Word;
        let mut builder = Builder { model, propositions: Vec::new(), trap };
        let mut states = vec![State::default(); graph.locations.len() + 1];
        for (state, location) in states.iter_mut().zip(&graph.locations) {
            state.accepting = location.is_accept;
            state.edges = builder.edges(&location.edges, location.is_accept)?;
        }
        let violation = |dst| {
            let guards = vec![Guard::default()].into_boxed_slice();
            State { edges: vec![Edge { guards, marks: Marks::one(0), dst }], accepting: true }
        };
        states[trap as usize] = violation(trap);
        // The closing brace.
        states[graph.end.0 as usize] = violation(trap);
        let initial = [graph.initial.0 as Word];
        Ok(ClaimAutomaton { propositions: builder.propositions, initial, states })
    }

    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// What the bits of the propositions mean.
    pub fn propositions(&self) -> &[ExprId] {
        &self.propositions
    }
}

impl Builder<'_> {
    fn edges(&mut self, choices: &[Choice], accepting: bool) -> Result<Vec<Edge>, NotAClaim> {
        let marks = if accepting { Marks::one(0) } else { Marks::NONE };
        let mut edges = Vec::new();
        let mut others = Guard::default();
        let mut others_are_true = false;
        // An escape of `unless` goes before what it is an escape from: one of a later group is
        // taken only if nothing of the groups before it can be.
        let (mut group, mut before) = (None, 0);
        for &Choice { command, escape } in choices {
            if group.replace(escape) != Some(escape) {
                before = others.must_not;
                if others_are_true {
                    break;
                }
            }
            let command = self.model.command(command);
            let dst = command.target.0 as Word;
            let mut push = |Guard { must, must_not }: Guard, dst: Word| {
                let guard = Guard { must, must_not: must_not | before };
                let guards = vec![guard].into_boxed_slice();
                edges.push(Edge { guards, marks, dst });
            };
            match &command.action {
                Action::Skip => {
                    others_are_true = true;
                    push(Guard::default(), dst);
                }
                Action::Guard(condition) => {
                    let bit = self.bit(*condition, command.span)?;
                    others.must_not |= bit;
                    push(Guard { must: bit, must_not: 0 }, dst);
                }
                Action::Assert(condition) => {
                    others_are_true = true;
                    let bit = self.bit(*condition, command.span)?;
                    push(Guard { must: bit, must_not: 0 }, dst);
                    push(Guard { must: 0, must_not: bit }, self.trap);
                }
                // DVE's property processes; the lowering has refused what is no test.
                Action::Transition(transition) => match transition.guard {
                    None => push(Guard::default(), dst),
                    Some(condition) => {
                        let bit = self.bit(condition, command.span)?;
                        push(Guard { must: bit, must_not: 0 }, dst);
                    }
                },
                // Edges with `else` come last, so the others are known.
                Action::Else if others_are_true => {}
                Action::Else => push(others, dst),
                // Reaching the end is the violation; leaving it is not needed.
                Action::End => {}
                Action::Print(_) => {
                    others_are_true = true;
                    push(Guard::default(), dst);
                }
                _ => {
                    let message = "a never claim may only test the state";
                    return Err(NotAClaim(Diagnostic::error(command.span, message)));
                }
            }
        }
        Ok(edges)
    }

    /// The bit of a test; equal expressions of one place in the source share it.
    fn bit(&mut self, condition: ExprId, span: Span) -> Result<Props, NotAClaim> {
        let exprs = &self.model.exprs;
        let same = |&known: &ExprId| exprs.get(known) == exprs.get(condition);
        let at = self.propositions.iter().position(same).unwrap_or_else(|| {
            self.propositions.push(condition);
            self.propositions.len() - 1
        });
        if at >= MAX_PROPOSITIONS {
            let message = format!("a claim may have at most {MAX_PROPOSITIONS} different tests");
            return Err(NotAClaim(Diagnostic::error(span, message)));
        }
        Ok(1 << at)
    }
}

impl Automaton for ClaimAutomaton {
    fn initial(&self) -> &[Word] {
        &self.initial
    }

    fn edges(&self, state: Word) -> &[Edge] {
        &self.states[state as usize].edges
    }

    fn accepting(&self, state: Word) -> bool {
        self.states[state as usize].accepting
    }

    fn mark_count(&self) -> u32 {
        1
    }
}

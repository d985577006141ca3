//! The state graph, or what is near a position, or the product with a property's automaton.

use std::collections::HashMap;
use std::sync::Arc;

use lariat_automata::{Label, Sccs, Tgba};
use lariat_core::{Marks, Props};
use serde_json::{Value, json};

use super::run::Run;
use super::{Answer, Refusal, Session, locked};
use crate::subject::{Lens, Part, State, Step, Subject};

/// What is asked for.
#[derive(Clone, Debug)]
pub struct GraphOf {
    /// States at most.
    pub max: usize,
    /// A run, and the position in the middle; without one, everything from the initial state on.
    pub run: Option<String>,
    /// The position.
    pub at: Option<usize>,
    /// Steps from there.
    pub radius: usize,
    /// The product with this property's automaton.
    pub property: Option<String>,
}

/// A graph that was drawn, to find the way to a node.
pub(super) struct Drawn {
    /// Where the steps before it begin; without them, at its first node.
    initial: Option<Arc<State>>,
    /// Steps to where it begins.
    before: Vec<Arc<Step>>,
    nodes: Vec<Node>,
}

struct Node {
    state: State,
    automaton: Option<u32>,
    depth: usize,
    /// The node that it was found from, and the step.
    parent: Option<(usize, Arc<Step>)>,
    error: bool,
    stuck: bool,
    more: bool,
}

/// Letters of a label.
const LABEL: usize = 80;

struct Builder<'b, 's> {
    subject: &'b dyn Subject<'s>,
    lens: Option<&'b dyn Lens>,
    max: usize,
    nodes: Vec<Node>,
    known: HashMap<(State, Option<u32>), usize>,
    edges: Vec<(usize, usize, usize)>,
    labels: Vec<String>,
    numbers: HashMap<String, usize>,
    graph: Tgba,
}

impl Session<'_> {
    /// A graph.
    pub fn graph(&self, asked: &GraphOf) -> Answer {
        if asked.max == 0 || asked.max > self.limits.graph {
            return Err(Refusal::bad(format!("1 to {} states", self.limits.graph)));
        }
        let run = asked.run.as_deref().map(|id| self.run(id)).transpose()?;
        let lens = asked.property.as_deref().map(|id| self.lens(id)).transpose()?;
        let lens: Option<&dyn Lens> = lens.as_deref().map(|looked| &*looked.bound);
        let automaton = lens.and_then(|lens| lens.automaton());
        if asked.property.is_some() && automaton.is_none() {
            return Err(Refusal::refused("this property has no automaton"));
        }
        let (start, before, radius) = match (&run, asked.at) {
            (Some(run), Some(at)) => {
                let state = run.state(at);
                let state =
                    state.ok_or_else(|| Refusal::bad(format!("no state at position {at}")))?;
                (vec![state.clone()], run.steps[..at.min(run.steps.len())].to_vec(), asked.radius)
            }
            _ => {
                let initial = self.subject.initial();
                let initial = initial.map_err(|fault| Refusal::refused(fault.message))?;
                (initial, Vec::new(), usize::MAX)
            }
        };
        let mut builder =
            Builder::new(&*self.subject, lens.filter(|_| automaton.is_some()), asked.max);
        builder.explore(&start, radius);
        let sccs = Sccs::new(&builder.graph);
        let mut answer = builder.shown(&sccs);
        answer["run"] = json!(run.as_ref().map(|run| builder.along(run)));
        // Near a position, the way begins with that of the run.
        let initial = run.filter(|_| asked.at.is_some()).map(|run| run.initial.clone());
        let drawn = Drawn { initial, before, nodes: builder.nodes };
        answer["id"] = json!(locked(&self.graphs).add(drawn).0);
        Ok((200, answer))
    }

    /// The shortest run to a node.
    pub fn run_to(&self, graph: &str, node: usize) -> Answer {
        let missing = || format!("there is no graph {graph} any more");
        let drawn = locked(&self.graphs).get(graph);
        let drawn = drawn.ok_or_else(|| Refusal::missing("no-such-graph", missing()))?;
        let mut at = drawn.nodes.get(node);
        let mut way = Vec::new();
        if at.is_none() {
            return Err(Refusal::bad(format!("{graph} has no node {node}")));
        }
        while let Some((parent, step)) = at.and_then(|found| found.parent.as_ref()) {
            way.push(step.clone());
            at = drawn.nodes.get(*parent);
        }
        way.reverse();
        let first = drawn.initial.as_deref().or(at.map(|first| &first.state));
        let mut run = Run::played(first.cloned().ok_or_else(|| Refusal::bad("no such way"))?);
        run.title = format!("to node {node}");
        run.steps = drawn.before.iter().cloned().chain(way).collect();
        let id = self.add(run)?;
        Ok((201, self.summary_of(&id)?.1))
    }
}

impl<'b, 's> Builder<'b, 's> {
    fn new(subject: &'b dyn Subject<'s>, lens: Option<&'b dyn Lens>, max: usize) -> Self {
        let mark_count = lens.and_then(|lens| lens.automaton()).map_or(0, |a| a.mark_count);
        Builder {
            subject,
            lens,
            max,
            nodes: Vec::new(),
            known: HashMap::new(),
            edges: Vec::new(),
            labels: Vec::new(),
            numbers: HashMap::new(),
            graph: Tgba { mark_count, ..Tgba::default() },
        }
    }

    /// The number of a node; none if there is no room for it.
    fn node(
        &mut self,
        state: &State,
        automaton: Option<u32>,
        depth: usize,
        parent: Option<(usize, Arc<Step>)>,
    ) -> Option<usize> {
        let key = (state.clone(), automaton);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        if self.nodes.len() >= self.max {
            return None;
        }
        let (error, stuck, more) = (false, false, false);
        let state = state.clone();
        self.nodes.push(Node { state, automaton, depth, parent, error, stuck, more });
        self.graph.add_state();
        self.known.insert(key, self.nodes.len() - 1);
        Some(self.nodes.len() - 1)
    }

    fn label(&mut self, text: String) -> usize {
        let Builder { labels, numbers, .. } = self;
        *numbers.entry(text).or_insert_with_key(|text| {
            labels.push(text.clone());
            labels.len() - 1
        })
    }

    /// The letter that the automaton reads in a state.
    fn letter(&self, state: &State) -> Props {
        let mut letter = 0;
        if let Some(lens) = self.lens {
            lens.look(&mut std::iter::once(state), &mut |_, found| letter = found);
        }
        letter
    }

    /// Breadth first.
    fn explore(&mut self, start: &[State], radius: usize) {
        let automaton = self.lens.and_then(|lens| lens.automaton()).cloned();
        for first in start {
            match &automaton {
                None => {
                    self.node(first, None, 0, None);
                }
                Some(automaton) => {
                    for &state in &automaton.initial {
                        self.node(first, Some(state), 0, None);
                    }
                }
            }
        }
        self.graph.initial = (0..self.nodes.len() as u32).collect();
        let mut at = 0;
        while at < self.nodes.len() {
            if self.nodes[at].depth >= radius {
                self.nodes[at].more = true;
            } else {
                self.expand(at, automaton.as_ref());
            }
            at += 1;
        }
    }

    fn expand(&mut self, at: usize, automaton: Option<&Tgba>) {
        let (state, depth) = (self.nodes[at].state.clone(), self.nodes[at].depth);
        let enabled = self.subject.enabled(&state);
        self.nodes[at].stuck = enabled.is_empty();
        // What the automaton may do with the letter of this state.
        let moves: Vec<(Option<u32>, Marks)> = match (automaton, self.nodes[at].automaton) {
            (Some(automaton), Some(from)) => {
                let letter = self.letter(&state);
                let edges = automaton.edges[from as usize].iter();
                let edges = edges.filter(|edge| edge.label.holds_in(letter));
                edges.map(|edge| (Some(edge.target), edge.marks)).collect()
            }
            _ => vec![(None, Marks::NONE)],
        };
        if enabled.is_empty() && automaton.is_some() {
            // A run that ends stays in its last state for ever.
            let rest = Arc::new(Step { moves: Vec::new(), state: Some(state.clone()) });
            self.edges_to(at, &state, depth, &rest, &moves, "no process moves");
        }
        for one in enabled {
            self.nodes[at].error |= one.error.is_some();
            let step = Arc::new(one.step);
            let Some(next) = step.state.clone() else { continue };
            let text = self.told(&state, &step);
            self.edges_to(at, &next, depth, &step, &moves, &text);
        }
    }

    fn edges_to(
        &mut self,
        at: usize,
        next: &State,
        depth: usize,
        step: &Arc<Step>,
        moves: &[(Option<u32>, Marks)],
        text: &str,
    ) {
        let label = self.label(text.to_owned());
        for &(target, marks) in moves {
            match self.node(next, target, depth + 1, Some((at, step.clone()))) {
                Some(to) => {
                    self.edges.push((at, to, label));
                    self.graph.add_edge(at as u32, Label::True, marks, to as u32);
                }
                None => self.nodes[at].more = true,
            }
        }
    }

    fn told(&self, before: &State, step: &Arc<Step>) -> String {
        let steps = [step.clone()];
        let part = Part { before, steps: &steps, first: 0, decides: false };
        let mut who = String::new();
        self.subject.processes(&part, &mut |_, _, name| {
            if who.is_empty() {
                who = name.to_owned();
            }
        });
        let texts = self.subject.texts(&step.moves);
        cut(&format!("{who}: {}", texts.join("; ")))
    }

    fn shown(&self, sccs: &Sccs) -> Value {
        let nodes = self.nodes.iter().enumerate().map(|(id, node)| {
            let values = self.subject.values(&node.state);
            let values = values.iter().map(|value| format!("{}={}", value.name, value.value));
            let label = cut(&values.take(12).collect::<Vec<_>>().join(" "));
            json!({
                "id": id, "depth": node.depth, "component": sccs.of(id as u32), "label": label,
                "automaton": node.automaton, "error": node.error, "stuck": node.stuck,
                "more": node.more,
            })
        });
        let components = (0..sccs.len() as u32).map(|id| {
            let members = &sccs.members[id as usize];
            let leaves = members.iter().any(|&state| {
                let mut edges = self.graph.edges[state as usize].iter();
                edges.any(|edge| sccs.of(edge.target) != Some(id))
                    || self.nodes[state as usize].more
            });
            let is_product = self.lens.is_some();
            json!({
                "id": id, "size": members.len(), "trivial": sccs.is_trivial(&self.graph, id),
                "accepting": is_product && sccs.is_accepting(&self.graph, id),
                "terminal": !leaves,
            })
        });
        json!({
            "complete": !self.nodes.iter().any(|node| node.more),
            "of": if self.lens.is_some() { "product" } else { "states" },
            "nodes": nodes.collect::<Vec<_>>(),
            "edges": self.edges,
            "labels": self.labels,
            "components": components.collect::<Vec<_>>(),
            "initial": 0,
        })
    }

    /// The nodes of a run's positions. In a product, the first node of each state.
    fn along(&self, run: &Run) -> Vec<Option<usize>> {
        let mut first: HashMap<&State, usize> = HashMap::new();
        for (at, node) in self.nodes.iter().enumerate() {
            first.entry(&node.state).or_insert(at);
        }
        let positions = 0..=run.steps.len();
        positions.map(|at| run.state(at).and_then(|state| first.get(state)).copied()).collect()
    }
}

fn cut(text: &str) -> String {
    match text.chars().count() <= LABEL {
        true => text.to_owned(),
        false => text.chars().take(LABEL - 1).chain(['…']).collect(),
    }
}

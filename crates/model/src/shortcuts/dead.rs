//! Dead variables: a local variable that is not read any more before it is written has no
//! value. Spin does the same at the end of a variable's life (`-o1` switches it off).
//!
//! Backward liveness on each proctype's control graph. A `d_step` is no black box: the nodes of
//! its program are part of the graph ([`Flow`]). What is dead at a control point is
//! recorded there ([`Location::dead`]); interpreter and native code put 0 there whenever a
//! process arrives. Two states that differ in dead variables only have the same futures.
//!
//! One kind of variable keeps its value: a parameter that nobody writes and that says which channel
//! or which element of an array is used. It mostly belongs to the process as its pid does, so little is
//! won; and as a constant it tells native code, remembered steps and reduction what a process touches.
//!
//! [`Location::dead`]: crate::ir::Location::dead

use lariat_core::makes_mistake;

use super::range::is_harmless;
use crate::analysis::{Access, OutsideReads, Touch, touch};
use crate::ir::layout::FRAME_HEADER;
use crate::ir::transition::Sync;
use crate::ir::{
    Action, DStep, DStepNode, ExprId, Model, NodeId, Place, Proctype, ProctypeKind, ReceiveArg,
    Region, Variable,
};

/// Records dead variables; how many places of the control graphs have some.
pub(super) fn mark(model: &mut Model, outside: &OutsideReads) -> usize {
    let mut marked = 0;
    for at in 0..model.proctypes.len() {
        let proctype = &model.proctypes[at];
        if !matches!(proctype.kind, ProctypeKind::Process | ProctypeKind::Init) {
            continue;
        }
        let live = Flow::of(model, proctype).liveness();
        let keeps = addresses(model, proctype);
        let dead: Vec<Vec<(u32, u32)>> = live
            .iter()
            .take(proctype.locations.len())
            .map(|live| {
                let mut dead: Vec<(u32, u32)> = proctype
                    .variables
                    .iter()
                    .zip(live.iter().zip(&keeps))
                    .filter(|&(_, (&live, &keeps))| !live && !keeps)
                    .map(|(variable, _)| extent(variable))
                    .filter(|&(start, end)| !outside.touches(start, end))
                    .collect();
                dead.sort_unstable();
                join(dead)
            })
            .collect();
        for (location, dead) in model.proctypes[at].locations.iter_mut().zip(dead) {
            marked += usize::from(!dead.is_empty());
            location.dead = dead;
        }
    }
    marked
}

/// Neighbouring ranges as one.
fn join(sorted: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (start, end) in sorted {
        match joined.last_mut() {
            Some(last) if last.1 == start => last.1 = end,
            _ => joined.push((start, end)),
        }
    }
    joined
}

fn extent(variable: &Variable) -> (u32, u32) {
    let size = variable.scalar.size() * variable.count.unwrap_or(1);
    (variable.offset, variable.offset + size)
}

/// By variable: whether nobody writes it and a channel or a subscript is made of it.
fn addresses(model: &Model, proctype: &Proctype) -> Vec<bool> {
    let (mut written, mut addressing) = (Vec::new(), Vec::new());
    let mut add = |expr: ExprId| addressing.extend(model.expr_accesses(expr).reads);
    for edge in proctype.locations.iter().flat_map(|location| &location.edges) {
        written.extend(model.accesses(edge.command).writes);
        touch::of_action(model, &model.command(edge.command).action, &mut |_, touch| match touch {
            Touch::Read(cells) | Touch::Write(cells) => {
                cells.indices.iter().for_each(|index| add(index.value));
            }
            Touch::Channel(expr, _) => add(expr),
            _ => {}
        });
    }
    let is_in = |accesses: &[Access], variable: &Variable| {
        let (from, to) = extent(variable);
        let meets = |access: &Access| matches!(*access, Access::Local { start, end } if from < end && start < to);
        accesses.iter().any(meets)
    };
    let keeps = |variable: &Variable| {
        variable.count.is_none() && is_in(&addressing, variable) && !is_in(&written, variable)
    };
    proctype.variables.iter().map(keeps).collect()
}

/// The ways of a process, as far as its variables are concerned: first a node for each control
/// point, then one for each edge, and those of the programs of `d_step`s.
struct Flow<'m> {
    model: &'m Model,
    variables: &'m [Variable],
    nodes: Vec<Node>,
}

/// First it reads, then it writes, then it goes on.
struct Node {
    /// By variable: whether it may be read here.
    uses: Vec<bool>,
    /// Whether it is certainly overwritten here.
    kills: Vec<bool>,
    next: Vec<usize>,
}

impl<'m> Flow<'m> {
    fn of(model: &'m Model, proctype: &'m Proctype) -> Self {
        let mut flow = Flow { model, variables: &proctype.variables, nodes: Vec::new() };
        for location in &proctype.locations {
            let at = flow.add(Vec::new());
            for expr in proctype.provided.iter().chain(&location.asserts) {
                flow.reads_expr(at, *expr);
            }
        }
        for (at, location) in proctype.locations.iter().enumerate() {
            for edge in &location.edges {
                let command = model.command(edge.command);
                let target = command.target.0 as usize;
                let first = match &command.action {
                    Action::DStep(id) => flow.program(&model.d_steps[id.0 as usize], target),
                    Action::End => flow.add(Vec::new()),
                    action => flow.action(action, target),
                };
                flow.nodes[at].next.push(first);
            }
        }
        flow
    }

    fn add(&mut self, next: Vec<usize>) -> usize {
        let none = vec![false; self.variables.len()];
        self.nodes.push(Node { uses: none.clone(), kills: none, next });
        self.nodes.len() - 1
    }

    fn action(&mut self, action: &Action, next: usize) -> usize {
        let at = self.add(vec![next]);
        for (variable, kills) in self.variables.iter().zip(&mut self.nodes[at].kills) {
            *kills = overwrites(action, variable);
        }
        self.reads(at, action);
        at
    }

    /// A `d_step` tests its guards, then goes through its program.
    fn program(&mut self, program: &DStep, target: usize) -> usize {
        let start = self.add(Vec::new());
        for guard in &program.guards {
            self.reads(start, guard);
        }
        let first = self.nodes.len();
        let node = |id: NodeId| first + id.0 as usize;
        for from in &program.nodes {
            match from {
                DStepNode::Do { action, next, .. } => self.action(action, node(*next)),
                // Options that are tried and cannot be taken have only read, as if they were taken.
                DStepNode::Select { options, .. } => {
                    let tried = match makes_mistake("dead-d-step-option") {
                        true => 1,
                        false => options.len(),
                    };
                    self.add(options.iter().take(tried).map(|&option| node(option)).collect())
                }
                DStepNode::Exit => self.add(vec![target]),
            };
        }
        self.nodes[start].next.push(node(program.entry));
        start
    }

    fn reads(&mut self, at: usize, action: &Action) {
        let is_idle = match action {
            // Runs are shown on the given model, so nobody sees what is printed here.
            Action::Print(print) => print.args.iter().all(|&arg| is_harmless(self.model, arg)),
            Action::Send(_) => makes_mistake("dead-messages"),
            _ => false,
        };
        if !is_idle {
            self.uses(at, &self.model.action_accesses(action).reads);
        }
    }

    fn reads_expr(&mut self, at: usize, expr: ExprId) {
        self.uses(at, &self.model.expr_accesses(expr).reads);
    }

    fn uses(&mut self, at: usize, reads: &[Access]) {
        for &access in reads {
            // Frames that are read from outside are never dead.
            let Access::Local { start, end } = access else { continue };
            for (variable, uses) in self.variables.iter().zip(&mut self.nodes[at].uses) {
                let (from, to) = extent(variable);
                *uses |= from < end && start < to;
            }
        }
    }

    /// By node and variable: whether its value may still be read.
    fn liveness(&self) -> Vec<Vec<bool>> {
        let mut before = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            node.next.iter().for_each(|&next| before[next].push(at));
        }
        let mut live: Vec<Vec<bool>> = self.nodes.iter().map(|node| node.uses.clone()).collect();
        let mut open: Vec<usize> = (0..self.nodes.len()).collect();
        let mut is_open = vec![true; self.nodes.len()];
        while let Some(at) = open.pop() {
            is_open[at] = false;
            for &earlier in &before[at] {
                let mut grows = false;
                let behind = live[at].clone().into_iter();
                let reaching =
                    behind.zip(&self.nodes[earlier].kills).map(|(live, kills)| live && !kills);
                for (known, reaches) in live[earlier].iter_mut().zip(reaching) {
                    grows |= reaches && !*known;
                    *known |= reaches;
                }
                if grows && !is_open[earlier] {
                    is_open[earlier] = true;
                    open.push(earlier);
                }
            }
        }
        live
    }
}

/// Whether the action, when it is executed, always writes the whole variable.
fn overwrites(action: &Action, variable: &Variable) -> bool {
    let is_it = |place: &Place| {
        place.region == Region::Local
            && place.indices.is_empty()
            && variable.count.is_none()
            && place.offset == variable.offset
            && place.scalar == variable.scalar
    };
    debug_assert!(variable.offset >= FRAME_HEADER);
    match action {
        Action::Assign(assign) => is_it(&assign.target),
        Action::Receive(receive) => {
            receive.args.iter().any(|arg| matches!(arg, ReceiveArg::Store(place) if is_it(place)))
        }
        Action::Transition(transition) => {
            transition.effects.iter().any(|assign| is_it(&assign.target))
                || matches!(&transition.sync,
                    Some(Sync::Accept { targets, .. } | Sync::Take { targets, .. })
                    if targets.iter().any(is_it))
        }
        _ => false,
    }
}

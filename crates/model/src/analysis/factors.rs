//! Pieces of a command that are executed without each other.
//!
//! A process that counts down seven clocks at once looks at all of them, and what it does is known in hardly any state by all that it
//! looks at. But what it does to one clock depends on that clock alone. So where a process has one command, its conjuncts and
//! assignments are joined where one writes what another one looks at; what is left are *factors*.
//!
//! **Claim.** Let process p be at control point l in two states of one [`Population`], and let [`factors`] say what the factors of
//! the command there are. A factor *allows* in a state if its conditions are true and its assignments are executed without a fault, and
//! it *forbids* if one of its conditions is false.
//! 1. What a factor does (allows, forbids, which values it writes) depends on the bytes only that it touches.
//! 2. In a state in which all factors allow, p has one step, and that changes what the factors change, each without the others.
//! 3. In a state in which one forbids, p has no step and nothing fails.
//! 4. If the command is executed without a fault, all factors allow. If it is not executed and nothing fails, one forbids.
//!
//! **Argument.** There is one command at l, which is no escape, no `else`, no rendezvous and no message; nobody has priorities,
//! `provided` clauses, an event trace, a property process or, at l, assertions, and nobody can be committed (DVE): so p has a step if and only if the
//! command's guard is true. The step ends behind the command, as that does not keep control. All that it reads and writes is
//! reported by [`touch`] piece by piece; where that is anything but a variable, the answer is `None`. A piece is
//! - a conjunct of the guard, by the `&&` at its top: the guard is true if and only if all of them are. No conjunct can fail
//!   ([`Constants::may_fail_for`](super::Constants::may_fail_for)), so one that is not evaluated behind a false one would have changed nothing (3);
//! - an assignment of a straight line, with the subscripts of its target. Assignments may fail: a factor with one that does neither allows
//!   nor forbids. Guards behind the first statement of a `d_step` may block, which is a fault: where there are any the answer is `None`;
//! - being there, a condition: the header of the state, which says which processes there are, whether a run stays inside an atomic sequence for
//!   ever, and who was last. Where p is not there, or nobody moves, this forbids;
//! - the move: the header of the frame, and the variables that are dead at the target.
//!
//! Pieces are joined if one writes a byte that the other touches. So no piece reads what a piece of another factor writes, whatever their order:
//! each sees, of what it reads, what the pieces of its own factor have left, and these are executed in the same order among themselves (1). No two factors
//! write the same byte, so all changes together are those of the step (2). For 4: the step is there if and only if all conditions are true, each of
//! which belongs to one factor; a conjunct that reads nothing is always true or always false, and counts as one of being there.
//!
//! A subscript that is a constant of the process means one element; any other one all of the array, as in [`Finder::span`].

use lariat_core::makes_mistake;

use super::Constants;
use super::footprint::{Finder, Population};
use super::touch::{self, Phase, Touch};
use crate::ir::layout::{FRAME_HEADER, HEADER_SIZE};
use crate::ir::transition::Discipline;
use crate::ir::{
    Action, Assign, BinaryOp, DStep, DStepNode, Expr, ExprId, Location, Model, Region, Transition,
};

/// Bytes of the globals, of the hidden variables or of the frame of the process itself, from and to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    pub region: Region,
    pub start: u32,
    pub end: u32,
}

impl Span {
    fn meets(self, other: Span) -> bool {
        self.region == other.region && self.start < other.end && other.start < self.end
    }
}

/// What a factor reads or writes, and what it may write.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Factor {
    pub touched: Vec<Span>,
    pub written: Vec<Span>,
    /// It may forbid: it has a conjunct, or is being there.
    pub has_condition: bool,
}

impl Factor {
    fn write(&mut self, span: Span) {
        self.touched.push(span);
        self.written.push(span);
    }

    /// Whether one of the two writes what the other one touches.
    fn meets(&self, other: &Factor) -> bool {
        let is_one = |written: &[Span], touched: &[Span]| {
            written.iter().any(|&one| touched.iter().any(|&other| one.meets(other)))
        };
        is_one(&self.written, &other.touched) || is_one(&other.written, &self.touched)
    }

    fn join(&mut self, other: Factor) {
        self.touched.extend(other.touched);
        self.written.extend(other.written);
        self.has_condition |= other.has_condition;
    }
}

/// The factors of the only command that a process has at a control point. None if there are more commands, or it is not known
/// to fall apart as the claim says.
pub fn factors(
    constants: &Constants<'_>,
    population: &Population,
    (pid, at): (usize, usize),
) -> Option<Vec<Factor>> {
    let model = constants.model;
    let proctype = model.proctype(population.processes.get(pid)?.proctype);
    let location = proctype.locations.get(at)?;
    let finder = Finder { constants, population, model };
    let is_alone = !model.uses.priorities
        && proctype.provided.is_none()
        && model.trace.is_none()
        && model.property.is_none()
        && location.asserts.is_empty()
        && (location.is_committed || finder.committed().iter().next().is_none());
    let [edge] = location.edges[..] else { return None };
    let command = model.command(edge.command);
    if !is_alone || edge.escape != 0 || command.atomic {
        return None;
    }
    let pieces = match (model.discipline, &command.action) {
        (Discipline::Spin | Discipline::Divine, action) => Pieces::of(model, action)?,
        (Discipline::DivineLockStep, _) => return None,
    };
    let target = command.target.0 as usize;
    let moving = moving(&proctype.locations[target], target != at);
    finder.joined(pid, moving, &pieces)
}

/// The conjuncts and the assignments of a command.
struct Pieces<'m> {
    conjuncts: Vec<ExprId>,
    assignments: Vec<&'m Assign>,
}

impl<'m> Pieces<'m> {
    fn of(model: &'m Model, action: &'m Action) -> Option<Self> {
        let mut pieces = Pieces { conjuncts: Vec::new(), assignments: Vec::new() };
        match action {
            Action::Guard(guard) => pieces.add_guard(model, *guard),
            Action::Assign(assign) => pieces.assignments.push(assign),
            Action::DStep(id) => pieces.add_program(model, &model.d_steps[id.0 as usize])?,
            Action::Transition(transition) => {
                let Transition { guard, sync: None, effects, writes: _ } = &**transition else {
                    return None;
                };
                guard.iter().for_each(|&guard| pieces.add_guard(model, guard));
                pieces.assignments.extend(effects);
            }
            _ => return None,
        }
        Some(pieces)
    }

    /// The operands of `&&`.
    fn add_guard(&mut self, model: &Model, guard: ExprId) {
        match *model.exprs.get(guard) {
            Expr::Binary(BinaryOp::And, left, right) => {
                self.add_guard(model, left);
                self.add_guard(model, right);
            }
            _ => self.conjuncts.push(guard),
        }
    }

    /// Perhaps a guard, which is the one that is tested before, then assignments only. None otherwise.
    fn add_program(&mut self, model: &Model, program: &'m DStep) -> Option<()> {
        let mut at = program.entry;
        match (&program.guards[..], &program.nodes[at.0 as usize]) {
            ([], _) => {}
            ([Action::Guard(tested)], DStepNode::Do { action: Action::Guard(guard), next, .. })
                if model.exprs.are_same(*tested, *guard) =>
            {
                self.add_guard(model, *tested);
                at = *next;
            }
            _ => return None,
        }
        // More of them go round in a ring.
        for _ in 0..=program.nodes.len() {
            match &program.nodes[at.0 as usize] {
                DStepNode::Exit => return Some(()),
                DStepNode::Do { action: Action::Assign(assign), next, .. } => {
                    self.assignments.push(assign);
                    at = *next;
                }
                DStepNode::Do { action: Action::Skip, next, .. } => at = *next,
                DStepNode::Do { .. } | DStepNode::Select { .. } => return None,
            }
        }
        None
    }
}

impl<'m> Finder<'_, 'm> {
    /// The pieces and the move, joined.
    fn joined(&self, pid: usize, moving: Factor, pieces: &Pieces<'m>) -> Option<Vec<Factor>> {
        let who = Some((pid, &self.population.processes[pid]));
        let mut factors = vec![self.being_there(), moving];
        for &conjunct in &pieces.conjuncts {
            if self.constants.may_fail_for(who, conjunct) {
                return None;
            }
            let mut piece = Factor { has_condition: true, ..Factor::default() };
            self.add_expr(pid, conjunct, &mut piece)?;
            if makes_mistake("factors-read") {
                piece.touched.truncate(1);
            }
            // One that reads nothing counts as one of being there.
            if !piece.touched.is_empty() {
                add(&mut factors, piece);
            }
        }
        for assign in &pieces.assignments {
            let mut piece = Factor::default();
            self.add_expr(pid, assign.value, &mut piece)?;
            for index in &assign.target.indices {
                self.add_expr(pid, index.value, &mut piece)?;
            }
            self.add_touch(pid, Touch::Write((&assign.target).into()), &mut piece)?;
            add(&mut factors, piece);
        }
        Some(factors)
    }

    fn add_expr(&self, pid: usize, root: ExprId, piece: &mut Factor) -> Option<()> {
        let mut is_known = true;
        touch::of_expr(self.model, root, Phase::Condition, &mut |_, touch| {
            is_known &= self.add_touch(pid, touch, piece).is_some();
        });
        is_known.then_some(())
    }

    /// None of what is no variable.
    fn add_touch(&self, pid: usize, touch: Touch<'m>, piece: &mut Factor) -> Option<()> {
        let (Touch::Read(cells) | Touch::Write(cells)) = touch else { return None };
        let (start, end) = self.span(Some(pid), cells);
        let span = Span { region: cells.region, start, end };
        match touch {
            _ if cells.region == Region::Nothing => {}
            Touch::Write(_) => piece.write(span),
            _ => piece.touched.push(span),
        }
        Some(())
    }

    /// That the process is there, and that the state is none from which nobody moves; and who moves now.
    fn being_there(&self) -> Factor {
        let mut piece = Factor { has_condition: true, ..Factor::default() };
        let header = Span { region: Region::Global, start: 0, end: HEADER_SIZE };
        match self.model.uses.last {
            true => piece.write(header),
            false => piece.touched.push(header),
        }
        piece
    }
}

/// What changes when a process arrives at a control point, which may be another one.
fn moving(target: &Location, is_other: bool) -> Factor {
    let mut piece = Factor::default();
    let span = |start, end| Span { region: Region::Local, start, end };
    match is_other {
        true => piece.write(span(0, FRAME_HEADER)),
        false => piece.touched.push(span(0, FRAME_HEADER)),
    }
    for &(start, end) in &target.dead {
        piece.write(span(start, end));
    }
    piece
}

/// Joins a piece with those that it meets.
fn add(factors: &mut Vec<Factor>, mut piece: Factor) {
    let mut at = 0;
    while at < factors.len() {
        let meets = factors[at].meets(&piece) && !makes_mistake("factors-apart");
        match meets {
            true => piece.join(factors.remove(at)),
            false => at += 1,
        }
    }
    factors.push(piece);
}

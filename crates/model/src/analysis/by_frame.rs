//! What the steps of a process depend on or change, by its control point and its own variables.
//!
//! Less than by the control point alone: a command whose guard is false by variables of the process itself is not executed, whatever
//! the rest of the state is. So with whom a process meets is often told by a variable of its own (`i == 3 && ... ; visit_3!1`).
//!
//! **Claim.** That of [`footprints`](super::footprints), for two states that agree in all of the process's frame, which is in the footprint as
//! always. What is left out are commands of the control point at hand that cannot be executed ([`Finder::is_idle`]); all
//! others are there with everything that they touch, and so is what decides who may move at all. A command that is
//! not executed reads no more than its guard does, and that is read in the interpreter's order: the guard is false by
//! bytes of the frame and by constants, *before* anything else is read, and without a fault ([`Finder::own_value`] knows nothing
//! where that is not so). So it reads nothing outside of the frame, and `else`, escapes and priorities find the same answer in both
//! states. What happens behind the first command (atomic sequences, partners) is taken from the footprints by control point: by then
//! the variables may have other values.

use lariat_core::makes_mistake;

use super::Constants;
use super::footprint::{Finder, Population};
use super::objects::Footprint;
use crate::ir::transition::Discipline;
use crate::ir::{Action, BinaryOp, Command, Expr, ExprId, Model, Region};

/// What is known of the variables of a process.
#[derive(Clone, Copy, Debug)]
pub enum Own<'f> {
    /// Its frame.
    Frame(&'f [u8]),
    /// Whatever they are: no command counts that some values would keep from being executed. Then it is
    /// said what any frame leaves, at least.
    Least,
}

/// What the steps that a process begins at a control point depend on or change. `all`: the same by control points alone, of
/// all processes ([`footprints`](super::footprints)).
pub fn footprint_by_frame(
    constants: &Constants<'_>,
    population: &Population,
    all: &[Vec<Footprint>],
    (pid, location): (usize, usize),
    own: Own<'_>,
) -> Footprint {
    let finder = Finder { constants, population, model: constants.model };
    let proctype = finder.model.proctype(population.processes[pid].proctype);
    let location = &proctype.locations[location];
    let counts = |command: &Command| match own {
        Own::Frame(frame) => !finder.is_idle(pid, frame, command),
        Own::Least => !finder.may_be_idle(pid, command),
    };
    match finder.model.discipline {
        Discipline::Spin => {
            let begins = finder.own(pid, location, &counts);
            let Footprint::Only(mut objects) = begins.footprint.clone() else {
                return begins.footprint;
            };
            match finder.follow(pid, &begins, all, &mut objects) {
                true => Footprint::Only(objects),
                false => Footprint::Everything,
            }
        }
        Discipline::Divine => {
            let others = (finder.committed(), finder.property());
            finder.divine_at(pid, location, &others, &counts)
        }
        Discipline::DivineLockStep => Footprint::Everything,
    }
}

/// The guards of a command, one of which must be true; none if it is not only they that decide, or not by a value.
fn guards<'m>(model: &'m Model, command: &'m Command) -> Vec<ExprId> {
    let of_action = |action: &Action| match action {
        Action::Guard(guard) => Some(*guard),
        _ => None,
    };
    match &command.action {
        Action::DStep(id) => {
            let guards = model.d_steps[id.0 as usize].guards.iter().map(of_action);
            guards.collect::<Option<_>>().unwrap_or_default()
        }
        Action::Transition(transition) => transition.guard.into_iter().collect(),
        action => of_action(action).into_iter().collect(),
    }
}

impl Finder<'_, '_> {
    /// Whether a command cannot be executed in any state in which the process has this frame.
    fn is_idle(&self, pid: usize, frame: &[u8], command: &Command) -> bool {
        let guards = guards(self.model, command);
        let is_false = |&guard: &ExprId| match self.own_value(pid, Some(frame), guard) {
            Some(value) => value == 0,
            None => makes_mistake("footprint-frame"),
        };
        !guards.is_empty() && guards.iter().all(is_false)
    }

    /// Whether there may be such a frame.
    fn may_be_idle(&self, pid: usize, command: &Command) -> bool {
        let guards = guards(self.model, command);
        !guards.is_empty() && guards.iter().all(|&guard| self.may_be_false(pid, guard))
    }

    /// Whether an expression may be false by the frame: something that the frame decides is read first.
    fn may_be_false(&self, pid: usize, expr: ExprId) -> bool {
        if self.is_own(expr) {
            // Not by constants: there would be nothing to choose.
            return self.own_value(pid, None, expr).is_none();
        }
        match *self.model.exprs.get(expr) {
            Expr::Binary(BinaryOp::And, left, right) => {
                self.may_be_false(pid, left) || self.is_own(left) && self.may_be_false(pid, right)
            }
            _ => false,
        }
    }

    /// Whether only the frame and constants are read.
    fn is_own(&self, expr: ExprId) -> bool {
        !self.model.exprs.any(expr, |node| match node {
            Expr::Const(_)
            | Expr::Pid
            | Expr::Table(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(..) => false,
            &Expr::Var(region, offset, scalar) => {
                region != Region::Local && self.constants.global(region, offset, scalar).is_none()
            }
            Expr::Load(place) => place.region != Region::Local,
            _ => true,
        })
    }

    /// The value of an expression, if the frame and constants are all that is read on the way to it, and nothing fails.
    fn own_value(&self, pid: usize, frame: Option<&[u8]>, expr: ExprId) -> Option<i32> {
        let value = |expr| self.own_value(pid, frame, expr);
        match self.model.exprs.get(expr) {
            Expr::Const(value) => Some(*value),
            Expr::Pid => i32::try_from(pid).ok(),
            &Expr::Var(Region::Local, offset, scalar) => Some(scalar.load(frame?, offset as usize)),
            &Expr::Var(region, offset, scalar) => self.constants.global(region, offset, scalar),
            Expr::Load(place) if place.region == Region::Local => {
                let mut offset = place.offset;
                for index in &place.indices {
                    let at = u32::try_from(value(index.value)?).ok()?;
                    offset += (at < index.count).then_some(at * index.stride)?;
                }
                Some(place.scalar.load(frame?, offset as usize))
            }
            Expr::Table(values, index) => {
                values.get(usize::try_from(value(*index)?).ok()?).copied()
            }
            Expr::Unary(op, operand) => Some(op.apply(value(*operand)?)),
            Expr::Binary(BinaryOp::And, left, right) => match value(*left)? {
                0 => Some(0),
                _ => Some(i32::from(value(*right)? != 0)),
            },
            Expr::Binary(BinaryOp::Or, left, right) => match value(*left)? {
                0 => Some(i32::from(value(*right)? != 0)),
                _ => Some(1),
            },
            Expr::Binary(op, left, right) => op.apply(value(*left)?, value(*right)?),
            Expr::Conditional(condition, then, otherwise) => match value(*condition)? {
                0 => value(*otherwise),
                _ => value(*then),
            },
            _ => None,
        }
    }
}

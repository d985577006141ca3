//! Which evaluations may fail.
//!
//! Whoever skips an evaluation because its result does not matter asks this first: an evaluation that
//! fails is a run-time error of its own.

use super::{Constants, Fixed};
use crate::ir::{Action, BinaryOp, Expr, ExprId, Place, Receive, ReceiveArg};

impl Constants<'_> {
    /// Whether the evaluation of an expression may be a run-time error, whoever evaluates it.
    pub fn may_fail(&self, root: ExprId) -> bool {
        self.may_fail_for(None, root)
    }

    /// The same for a process: its pid, its type and the values of its constants.
    pub fn may_fail_for(&self, who: Option<(usize, &Fixed)>, root: ExprId) -> bool {
        let constant = |expr: ExprId| self.value(who, expr);
        let may_miss = |place: &Place| {
            place.indices.iter().any(|index| {
                let value = constant(index.value).and_then(|value| u32::try_from(value).ok());
                value.is_none_or(|value| value >= index.count)
            })
        };
        self.model.exprs.any(root, |node| match node {
            Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, divisor) => {
                constant(*divisor).is_none_or(|value| value == 0 || value == -1)
            }
            Expr::Load(place) => may_miss(place),
            Expr::Remote(remote) => may_miss(&remote.place),
            // A channel variable may be 0.
            Expr::Len(channel) | Expr::Probe(_, channel) => {
                constant(*channel).is_none_or(|id| id < 1)
            }
            Expr::Table(..) | Expr::Poll(_) | Expr::Run(_) | Expr::Enabled(_) => true,
            Expr::Const(_)
            | Expr::Var(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(..)
            | Expr::Pid
            | Expr::NrProcesses
            | Expr::Last
            | Expr::Priority
            | Expr::GetPriority(_)
            | Expr::NonProgress
            | Expr::AtAccept
            | Expr::Timeout
            | Expr::PcValue(_)
            | Expr::At(_) => false,
        })
    }

    /// Whether a `provided` clause may be a run-time error.
    pub fn provided_may_fail(&self) -> bool {
        let mut clauses = self.model.proctypes.iter().filter_map(|proctype| proctype.provided);
        clauses.any(|clause| self.may_fail(clause))
    }

    /// Whether it may be one to ask who may receive an offered message, and who of those comes first:
    /// then everybody must be asked.
    pub fn offers_may_fail(&self) -> bool {
        self.provided_may_fail() || self.model.uses.priorities && self.receives_may_fail()
    }

    fn receives_may_fail(&self) -> bool {
        let fails = |receive: &Receive| {
            self.may_fail(receive.channel)
                || receive
                    .args
                    .iter()
                    .any(|arg| matches!(arg, ReceiveArg::Match(value) if self.may_fail(*value)))
        };
        let action_fails =
            |action: &Action| matches!(action, Action::Receive(receive) if fails(receive));
        let mut guards = self.model.d_steps.iter().flat_map(|program| &program.guards);
        self.model.commands.iter().any(|command| action_fails(&command.action))
            || guards.any(action_fails)
    }
}

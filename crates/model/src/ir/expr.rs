//! Expressions as an arena of nodes: small, copied by id, dispatched by one `match`.

use super::{Place, ProctypeId, ReceiveArg, Region, Scalar};
use lariat_syntax::diagnostics::Span;

/// Names a node of an [`Exprs`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// A node. All values are 32-bit integers; everything but 0 is true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    Const(i32),
    /// A variable without subscripts: the common case of `Load`.
    Var(Region, u32, Scalar),
    Load(Box<Place>),
    /// An element of a constant array.
    Table(Box<[i32]>, ExprId),
    Unary(UnaryOp, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    /// Evaluates only one of the branches.
    Conditional(ExprId, ExprId, ExprId),
    /// `_pid`
    Pid,
    /// `_nr_pr`
    NrProcesses,
    /// `_last`
    Last,
    /// `_priority`
    Priority,
    /// `np_`: no process is at a progress label.
    NonProgress,
    /// Some process is at an accept label; not in the language, but a property is about it.
    AtAccept,
    /// True where nothing else can move.
    Timeout,
    /// The number of messages in a channel.
    Len(ExprId),
    /// `full(c)` and the like.
    Probe(Probe, ExprId),
    /// `c?[…]`: whether a receive could be done.
    Poll(Box<Poll>),
    /// Creates a process; the value is its pid.
    Run(Box<Run>),
    /// Whether a process can move.
    Enabled(ExprId),
    /// The control point of a process.
    PcValue(ExprId),
    GetPriority(ExprId),
    /// Whether a process is at a control point: `P[pid]@label`.
    At(Box<RemoteLabel>),
    /// A local variable of another process: `P[pid]:x`.
    Remote(Box<RemoteVar>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    Full,
    NotFull,
    Empty,
    NotEmpty,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Poll {
    pub channel: ExprId,
    /// Any message may match, not only the oldest.
    pub random: bool,
    pub args: Vec<ReceiveArg>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub proctype: ProctypeId,
    pub args: Vec<ExprId>,
    pub priority: u8,
}

/// A process named from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    pub proctype: ProctypeId,
    /// Without a pid: the first process of that type.
    pub pid: Option<ExprId>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteLabel {
    pub instance: Instance,
    pub location: super::LocationId,
    pub label: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteVar {
    pub instance: Instance,
    /// Relative to the frame of that process; subscripts belong to the one that evaluates.
    pub place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Negate,
    Not,
    Complement,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// The arena. Ids stay valid, nodes are only added.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: Vec<Expr>,
    spans: Vec<Span>,
}

impl Exprs {
    pub fn add(&mut self, expr: Expr, span: Span) -> ExprId {
        self.nodes.push(expr);
        self.spans.push(span);
        ExprId(self.nodes.len() as u32 - 1)
    }

    /// Puts another node with the same meaning in the place of one.
    pub(crate) fn replace(&mut self, id: ExprId, expr: Expr) {
        self.nodes[id.0 as usize] = expr;
    }

    #[inline]
    pub fn get(&self, id: ExprId) -> &Expr {
        &self.nodes[id.0 as usize]
    }

    pub fn span(&self, id: ExprId) -> Span {
        self.spans[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Calls `visit` on `root` and all nodes below it, parents first.
    pub fn walk<'e>(&'e self, root: ExprId, visit: &mut impl FnMut(ExprId, &'e Expr)) {
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            let expr = self.get(id);
            visit(id, expr);
            expr.for_each_child(&mut |child| todo.push(child));
        }
    }

    /// Whether two expressions are written in the same way. If so, they have the same value.
    pub fn are_same(&self, one: ExprId, other: ExprId) -> bool {
        let same = |one, other| self.are_same(one, other);
        let same_place = |one: &Place, other: &Place| {
            let Place { region, offset, scalar, indices } = one;
            let indices = indices.iter().zip(&other.indices);
            (region, offset, scalar) == (&other.region, &other.offset, &other.scalar)
                && one.indices.len() == other.indices.len()
                && indices.into_iter().all(|(one, other)| {
                    (one.count, one.stride) == (other.count, other.stride)
                        && same(one.value, other.value)
                })
        };
        match (self.get(one), self.get(other)) {
            (Expr::Unary(op, a), Expr::Unary(other, b)) => op == other && same(*a, *b),
            (Expr::Binary(op, a, b), Expr::Binary(other, c, d)) => {
                op == other && same(*a, *c) && same(*b, *d)
            }
            (Expr::Len(a), Expr::Len(b)) => same(*a, *b),
            (Expr::Probe(probe, a), Expr::Probe(other, b)) => probe == other && same(*a, *b),
            (Expr::Load(one), Expr::Load(other)) => same_place(one, other),
            (Expr::At(one), Expr::At(other)) => {
                let (a, b) = (&one.instance, &other.instance);
                let same_pid = match (a.pid, b.pid) {
                    (Some(a), Some(b)) => same(a, b),
                    (a, b) => a == b,
                };
                one.location == other.location && a.proctype == b.proctype && same_pid
            }
            (one, other) => one == other,
        }
    }

    /// Whether a node below `root` fulfils `test`.
    pub fn any(&self, root: ExprId, test: impl Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(root, &mut |_, expr| found |= test(expr));
        found
    }
}

impl Expr {
    /// The operands, subscripts of places included.
    pub fn for_each_child(&self, visit: &mut impl FnMut(ExprId)) {
        match self {
            Expr::Const(_)
            | Expr::Var(..)
            | Expr::Pid
            | Expr::NrProcesses
            | Expr::Last
            | Expr::Priority
            | Expr::NonProgress
            | Expr::AtAccept
            | Expr::Timeout => {}
            Expr::Load(place) => place.indices.iter().for_each(|index| visit(index.value)),
            Expr::Table(_, index) => visit(*index),
            Expr::Unary(_, operand) => visit(*operand),
            Expr::Binary(_, left, right) => {
                visit(*left);
                visit(*right);
            }
            Expr::Conditional(condition, then, otherwise) => {
                visit(*condition);
                visit(*then);
                visit(*otherwise);
            }
            Expr::Len(channel) | Expr::Probe(_, channel) => visit(*channel),
            Expr::Poll(poll) => {
                visit(poll.channel);
                poll.args.iter().filter_map(ReceiveArg::pattern).for_each(visit);
            }
            Expr::Run(run) => run.args.iter().copied().for_each(visit),
            Expr::Enabled(pid) | Expr::PcValue(pid) | Expr::GetPriority(pid) => visit(*pid),
            Expr::At(remote) => remote.instance.pid.into_iter().for_each(visit),
            Expr::Remote(remote) => {
                remote.instance.pid.into_iter().for_each(&mut *visit);
                remote.place.indices.iter().for_each(|index| visit(index.value));
            }
        }
    }
}

impl BinaryOp {
    /// The value, or `None` where C's is undefined: division by 0, and the one quotient that
    /// does not fit. `&&` and `||` are here for constant folding; evaluation short-circuits.
    #[inline]
    pub fn apply(self, left: i32, right: i32) -> Option<i32> {
        Some(match self {
            BinaryOp::Or => (left != 0 || right != 0) as i32,
            BinaryOp::And => (left != 0 && right != 0) as i32,
            BinaryOp::BitOr => left | right,
            BinaryOp::BitXor => left ^ right,
            BinaryOp::BitAnd => left & right,
            BinaryOp::Equal => (left == right) as i32,
            BinaryOp::NotEqual => (left != right) as i32,
            BinaryOp::Less => (left < right) as i32,
            BinaryOp::Greater => (left > right) as i32,
            BinaryOp::LessEqual => (left <= right) as i32,
            BinaryOp::GreaterEqual => (left >= right) as i32,
            BinaryOp::ShiftLeft => left.wrapping_shl(right as u32),
            BinaryOp::ShiftRight => left.wrapping_shr(right as u32),
            BinaryOp::Add => left.wrapping_add(right),
            BinaryOp::Subtract => left.wrapping_sub(right),
            BinaryOp::Multiply => left.wrapping_mul(right),
            BinaryOp::Divide => return left.checked_div(right),
            BinaryOp::Remainder => return left.checked_rem(right),
        })
    }
}

impl UnaryOp {
    #[inline]
    pub fn apply(self, operand: i32) -> i32 {
        match self {
            UnaryOp::Negate => operand.wrapping_neg(),
            UnaryOp::Not => (operand == 0) as i32,
            UnaryOp::Complement => !operand,
        }
    }
}

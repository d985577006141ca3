//! Expressions and references to variables.

use super::{EmbeddedC, Ident, ReceiveArg};
use crate::diagnostics::Span;

/// A variable or something like it: `a`, `a[i]`, `a[i].b.c[j]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarRef {
    /// At least one.
    pub path: Vec<PathSegment>,
    pub span: Span,
}

impl VarRef {
    /// The name, if the reference is nothing but a name.
    pub fn as_name(&self) -> Option<&Ident> {
        match &self.path[..] {
            [PathSegment { name, index: None }] => Some(name),
            _ => None,
        }
    }

    /// The first name.
    pub fn head(&self) -> &Ident {
        &self.path[0].name
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathSegment {
    pub name: Ident,
    pub index: Option<Box<Expr>>,
}

/// An integer constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntLit {
    /// The value as Spin reads it; a sign belongs to it only in receives and lists.
    pub value: i32,
    pub form: IntForm,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntForm {
    Decimal,
    /// `'a'`
    Character,
    /// `true`
    True,
    /// `false`
    False,
    /// `skip`, which is the constant 1.
    Skip,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    Int(IntLit),
    Var(VarRef),
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `(c -> a : b)`
    Conditional {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Run {
        proctype: Ident,
        args: Vec<Expr>,
        priority: Option<IntLit>,
    },
    /// `len(c)`
    Len(VarRef),
    /// `full(c)` and the like: only under `&&`, `||` and parentheses.
    Probe {
        kind: ProbeKind,
        channel: VarRef,
    },
    /// `c?[…]`, `c??[…]`
    Poll {
        channel: VarRef,
        random: bool,
        args: Vec<ReceiveArg>,
    },
    /// `enabled(pid)`
    Enabled(Box<Expr>),
    /// `pc_value(pid)`
    PcValue(Box<Expr>),
    /// `get_priority(pid)`
    GetPriority(Box<Expr>),
    Timeout,
    /// `np_`
    NonProgress,
    /// `P[pid]@label`, `P@label`
    RemoteLabel {
        proctype: Ident,
        pid: Option<Box<Expr>>,
        label: Ident,
    },
    /// `P[pid]:x`, `P:x[i]`
    RemoteVar {
        proctype: Ident,
        pid: Option<Box<Expr>>,
        var: VarRef,
    },
    EmbeddedC(EmbeddedC),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeKind {
    Full,
    NotFull,
    Empty,
    NotEmpty,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `!`
    Not,
    /// `~`
    Complement,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

impl BinaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::BitAnd => "&",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::Greater => ">",
            BinaryOp::LessEqual => "<=",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
        }
    }
}

//! The syntax tree of a DVE model.
//!
//! Order is kept, names are not resolved, nothing is desugared, with one exception: a
//! transition without source (`-> b { … }`) carries the source of the one before it.

use std::sync::Arc;

use crate::diagnostics::Span;

/// A name as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    pub text: Arc<str>,
    pub span: Span,
}

/// A whole model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    pub globals: Vec<Global>,
    pub processes: Vec<Process>,
    pub system: System,
}

/// A declaration before the first process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Global {
    Vars(VarDecl),
    Channels(ChannelDecl),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Byte,
    Int,
}

/// `const byte a, b[3] = {1, 2};`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarDecl {
    pub is_const: bool,
    pub ty: Type,
    pub vars: Vec<Var>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    pub name: Ident,
    /// The number of elements, if it is an array.
    pub size: Option<Number>,
    pub init: Option<Init>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    pub value: i32,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Init {
    Value(Expr),
    List(Vec<Expr>, Span),
}

/// `channel a, b;` or `channel {byte, int} c[2];`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelDecl {
    /// The types of the values; `None` for an untyped channel.
    pub types: Option<Vec<Type>>,
    pub channels: Vec<Channel>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    pub name: Ident,
    /// Present exactly for typed channels; 0 is a rendezvous.
    pub capacity: Option<Number>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    pub name: Ident,
    pub vars: Vec<VarDecl>,
    pub states: Vec<Ident>,
    pub init: Ident,
    pub commit: Vec<Ident>,
    pub accept: Option<Accept>,
    pub asserts: Vec<Assert>,
    pub transitions: Vec<Transition>,
    pub span: Span,
}

/// Which runs of a property process are accepting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Accept {
    /// `accept a, b;`: one of these states infinitely often.
    Buchi(Vec<Ident>),
    /// `accept genbuchi (a), (b, c);`: one of each set infinitely often.
    GenBuchi(Vec<Vec<Ident>>),
}

/// `assert s: e`: in state `s`, `e` holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assert {
    pub state: Ident,
    pub condition: Expr,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    pub source: Ident,
    pub target: Ident,
    pub guard: Option<Expr>,
    pub sync: Option<Sync>,
    pub effects: Vec<Assignment>,
    pub span: Span,
}

/// `c!e`, `c?v`, `c!{e, f}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sync {
    pub channel: Ident,
    pub direction: Direction,
    pub values: Vec<Expr>,
    /// Whether the values stand in braces; `c!{x}` and `c!x` mean the same.
    pub braces: bool,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Send,
    Receive,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// A name or a name with index; the parser refuses other expressions.
    pub target: Expr,
    pub value: Expr,
    pub span: Span,
}

/// `system async property P;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct System {
    pub synchrony: Synchrony,
    pub property: Option<Ident>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Synchrony {
    Async,
    Sync,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    Bool(bool),
    Number(i32),
    Name(Ident),
    Index(Ident, Box<Expr>),
    /// `P.s`: process `P` is in state `s`.
    InState(Ident, Ident),
    /// `P->v`: a local variable of another process.
    Remote(Ident, Ident),
    /// `P->v[e]`
    RemoteIndex(Ident, Ident, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Negate,
    Complement,
    Not,
}

impl UnaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Negate => "-",
            UnaryOp::Complement => "~",
            UnaryOp::Not => "not",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Imply,
    Or,
    And,
    BitOr,
    BitAnd,
    BitXor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    GreaterEqual,
    Greater,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl BinaryOp {
    /// A higher number binds tighter; all levels are left associative. `and` and `or` are one
    /// level, and so are `|`, `&`, `^`: this is DVE's way, not C's.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Imply => 1,
            BinaryOp::Or | BinaryOp::And => 2,
            BinaryOp::BitOr | BinaryOp::BitAnd | BinaryOp::BitXor => 3,
            BinaryOp::Equal | BinaryOp::NotEqual => 4,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::GreaterEqual | BinaryOp::Greater => 5,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => 6,
            BinaryOp::Add | BinaryOp::Subtract => 7,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 8,
        }
    }

    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Imply => "imply",
            BinaryOp::Or => "or",
            BinaryOp::And => "and",
            BinaryOp::BitOr => "|",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Greater => ">",
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

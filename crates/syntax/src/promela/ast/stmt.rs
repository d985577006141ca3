//! Statements.

use std::sync::Arc;

use super::{EmbeddedC, Expr, Ident, IntLit, VarDecl, VarRef};
use crate::diagnostics::Span;

/// `{ … }`: statements in a scope of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Never empty in a model without errors.
    pub stmts: Vec<Stmt>,
    /// With the braces.
    pub span: Span,
}

/// A statement, declaration or `xr`/`xs` line, with the labels before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    pub labels: Vec<Ident>,
    pub kind: StmtKind,
    /// Without the labels.
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    Decl(VarDecl),
    /// `xr c, d` or `xs c`.
    Exclusive(Exclusive),
    /// `main unless escape`. Labels before the whole stand at `main`.
    Unless {
        main: Box<Stmt>,
        escape: Box<Stmt>,
    },
    /// An expression as statement, `skip` and `true` included.
    Expr(Expr),
    Else,
    /// Nothing behind a label; acts like `skip`.
    Empty,
    Assign {
        target: VarRef,
        value: Expr,
    },
    Increment(VarRef),
    Decrement(VarRef),
    Send(Send),
    Receive(Receive),
    If(Vec<Choice>),
    Do(Vec<Choice>),
    For(For),
    Select(Select),
    Atomic(Block),
    DStep(Block),
    Block(Block),
    Inline(InlineCall),
    Break,
    Goto(Ident),
    Assert(Expr),
    Printf(Printf),
    /// `printm(x)`
    Printm(Expr),
    /// `set_priority(pid, value)`
    SetPriority {
        pid: Expr,
        value: Expr,
    },
    EmbeddedC(EmbeddedC),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exclusive {
    pub kind: ExclusiveKind,
    pub channels: Vec<VarRef>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExclusiveKind {
    /// `xr`
    Receive,
    /// `xs`
    Send,
}

/// `c!a,b`, `c!!a`, `c!a(b)`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Send {
    pub channel: VarRef,
    /// `!!`
    pub sorted: bool,
    pub args: Vec<Expr>,
}

/// `c?a,b`, `c??a`, `c?<a>`, `c??<a>`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receive {
    pub channel: VarRef,
    /// `??`
    pub random: bool,
    /// `<…>`: copies, does not remove.
    pub peek: bool,
    pub args: Vec<ReceiveArg>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReceiveArg {
    /// A variable to fill, or an mtype constant to match: names decide.
    Var(VarRef),
    /// `_`
    Any(Span),
    /// `eval(e)`
    Eval(Expr),
    /// A literal, perhaps negative.
    Const(IntLit),
}

/// One `:: …` of `if` or `do`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    pub stmts: Vec<Stmt>,
    /// With the `::`.
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct For {
    pub var: VarRef,
    pub range: ForRange,
    pub body: Block,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForRange {
    /// `for (i : a .. b)`
    Bounds { from: Expr, to: Expr },
    /// `for (i in a)`: an array or a channel.
    In(VarRef),
}

/// `select (i : a .. b)`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Select {
    pub var: VarRef,
    pub from: Expr,
    pub to: Expr,
    /// Spin's lexer turns this one into an `if` with one assignment per value; otherwise it is
    /// `i = a; do :: i < b -> i++ :: break od`.
    pub as_choice: bool,
}

/// A call of an inline, expanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineCall {
    /// The name in the call.
    pub name: Ident,
    /// The body with the arguments put in.
    pub body: Block,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printf {
    pub format: StringLit,
    pub args: Vec<Expr>,
}

/// A string as written, with quotes and escapes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLit {
    pub text: Arc<str>,
    pub span: Span,
}

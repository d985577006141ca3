//! The syntax tree of a Promela model.
//!
//! The tree keeps what Spin's meaning needs and nothing is desugared behind the reader's back:
//!
//! - **Order**: [`Program::items`] are in textual order, which decides pids, channel ids, mtype
//!   numbers and which names are visible.
//! - **Scopes**: every `{ }` is a scope: proctype bodies, [`Block`]s, `atomic`, `d_step`, bodies
//!   of `for`, bodies of inline calls. Options of `if` and `do` are *not* scopes.
//! - **Declarations** stand in a body where the source has them, as [`StmtKind::Decl`]; those at
//!   the head of a proctype body are no steps, all others are.
//! - **Inline calls** are expanded: [`StmtKind::Inline`] holds the body with the arguments put
//!   in, so every call has its own copy and its own scope. Spans of that body point to the
//!   definition, their expansion points to the call. `return e` has become an assignment to the
//!   variable of `x = f(…)`.
//! - **Macros** are gone; spans remember them.
//! - `for`, `select` are kept; `select` says which of Spin's two expansions applies.
//! - Separators (`;`, `->`, newline) leave no trace. A label without statement (`L: }`) labels a
//!   statement of kind [`StmtKind::Empty`], which acts like `skip`.
//! - Names are not resolved: an mtype constant, a predefined variable (`_pid`, `_last`,
//!   `_nr_pr`, `_priority`) or a wrong name are all a [`VarRef`] with one segment.
//! - Embedded C is kept as text ([`EmbeddedC`]).

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
pub struct Program {
    pub items: Vec<Item>,
}

/// One unit at the top level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// Global variables.
    Vars(VarDecl),
    /// `mtype = { … }` or `mtype:set = { … }`.
    Mtype(MtypeDecl),
    Typedef(Typedef),
    Proctype(Box<Proctype>),
    Init(Init),
    Never(Never),
    Trace(Trace),
    Ltl(Ltl),
    /// An inline definition, for listings only: its calls are expanded already.
    Inline(InlineDef),
    /// `c_decl`, `c_code`, `c_state` or `c_track` at the top level.
    EmbeddedC(EmbeddedC),
}

/// `active [n] proctype P(…) priority n provided (e) { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proctype {
    pub active: Option<Active>,
    /// `D_proctype`.
    pub deterministic: bool,
    pub name: Ident,
    /// The groups of the parameter list, as `byte a, b; bit c` has two.
    pub params: Vec<VarDecl>,
    pub priority: Option<IntLit>,
    pub provided: Option<Expr>,
    pub body: Block,
}

/// `active` or `active [n]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Active {
    /// A constant expression or the name of a variable with constant initialiser; 1 if absent.
    pub count: Option<Expr>,
    pub span: Span,
}

/// `init priority n { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Init {
    pub priority: Option<IntLit>,
    pub body: Block,
}

/// `never name { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Never {
    pub name: Option<Ident>,
    pub body: Block,
}

/// `trace { … }` or `notrace { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// `notrace`: the events must *not* be matched to the end.
    pub negated: bool,
    pub body: Block,
}

/// `ltl name { formula }`. The formula is kept as text for the LTL parser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ltl {
    pub name: Option<Ident>,
    /// The formula after macro expansion, tokens parted by blanks.
    pub text: String,
    /// Where the tokens of `text` come from: byte offset in `text` where a token starts, and
    /// its span. Ascending offsets.
    pub origins: Vec<(u32, Span)>,
    /// What stands between the braces.
    pub formula: Span,
}

impl Ltl {
    /// The source of the token at this byte offset of `text`.
    pub fn origin(&self, offset: usize) -> Span {
        let at = self.origins.partition_point(|&(start, _)| start as usize <= offset);
        at.checked_sub(1).map_or(self.formula, |at| self.origins[at].1)
    }
}

/// `typedef T { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typedef {
    pub name: Ident,
    pub fields: Vec<VarDecl>,
}

/// `mtype = { a, b }`, `mtype:set = { c }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MtypeDecl {
    pub set: Option<Ident>,
    /// In textual order; Spin numbers them from the last (1) to the first.
    pub names: Vec<Ident>,
}

/// `inline f(a, b) { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlineDef {
    pub name: Ident,
    pub params: Vec<Ident>,
    /// What stands between the braces, macros expanded, tokens parted by blanks and newlines.
    pub text: String,
}

/// Text of the `c_…` family, recognised so that it can be refused where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmbeddedC {
    pub kind: EmbeddedCKind,
    /// What stands between the braces, or the strings of `c_state` and `c_track`.
    pub text: Arc<str>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmbeddedCKind {
    Code,
    Expr,
    Decl,
    State,
    Track,
}

impl EmbeddedCKind {
    pub fn keyword(self) -> &'static str {
        match self {
            EmbeddedCKind::Code => "c_code",
            EmbeddedCKind::Expr => "c_expr",
            EmbeddedCKind::Decl => "c_decl",
            EmbeddedCKind::State => "c_state",
            EmbeddedCKind::Track => "c_track",
        }
    }
}

/// `hidden byte a = 1, b[3]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarDecl {
    pub visibility: Option<Visibility>,
    pub ty: TypeName,
    pub vars: Vec<Declarator>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    Hidden,
    Show,
    Local,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeName {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeKind {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    /// The width stands with the variable: [`Declarator::width`].
    Unsigned,
    Pid,
    Chan,
    /// `mtype` or `mtype:set`.
    Mtype(Option<Ident>),
    /// A typedef.
    User(Ident),
}

/// One variable of a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declarator {
    pub name: Ident,
    /// `x : 3`. Spin takes it for every type.
    pub width: Option<IntLit>,
    /// `x[e]`: a constant expression, or the name of a variable with constant initialiser.
    pub array: Option<Expr>,
    pub init: Option<Initialiser>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Initialiser {
    Expr(Expr),
    /// `{ 1, 2, 3 }`
    List(Vec<IntLit>),
    Chan(ChanInit),
}

/// `[capacity] of { fields }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChanInit {
    /// A constant expression.
    pub capacity: Expr,
    pub fields: Vec<TypeName>,
    pub span: Span,
}

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

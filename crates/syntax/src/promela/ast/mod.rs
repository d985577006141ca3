//! The syntax tree of a Promela model.
//!
//! The tree keeps what Spin's meaning needs and nothing is desugared behind the reader's back:
//!
//! - **Order**: [`Program::items`] are in textual order, which decides pids, channel ids, mtype
//!   numbers and which names are visible.
//! - **Scopes**: every `{ }` is a scope: proctype bodies, [`Block`]s, `atomic`, `d_step`, bodies
//!   of `for`, bodies of inline calls. CppOptions of `if` and `do` are *not* scopes.
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

mod expr;
mod stmt;

pub use expr::*;
pub use stmt::*;

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

//! Reading and printing formulas, as Spin's users write them and as Spot's do.

mod atoms;
mod error;
mod lexer;
mod parser;
mod print;

pub use error::{SyntaxError, SyntaxWarning};
pub use parser::{Parsed, parse};
pub use print::Printer;

/// Whose syntax.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Spin's if the text has something that only Spin's users write (`[]`, `<>`, `V`,
    /// `always`, ...), Spot's otherwise.
    #[default]
    Auto,
    /// `[]`, `<>`, `V`, `U`, `X`; `&&` and `||`.
    Spin,
    /// `G`, `F`, `R`, `W`, `M`, `U`, `X`; `&` and `|`.
    Spot,
}

/// What a proposition may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Atoms {
    /// A name or a quoted text.
    #[default]
    Names,
    /// Also any expression of a model's language, whose text is returned for the caller to
    /// bind. Single `&` and `|` are then arithmetic.
    Model,
}

/// How to read a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ParseOptions {
    /// Whose syntax it is.
    pub dialect: Dialect,
    /// What may stand for a proposition.
    pub atoms: Atoms,
}

/// Deeper formulas are refused: all later steps may then recurse over them.
pub const MAX_DEPTH: u32 = 400;
/// Longer texts are refused.
pub const MAX_LENGTH: usize = 1 << 20;

//! Tokens of Promela after preprocessing.

use crate::diagnostics::Span;

/// A token: its kind and the range of the preprocessed text that spells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Tok,
    pub(crate) lo: u32,
    pub(crate) hi: u32,
    pub(crate) span: Span,
}

macro_rules! tokens {
    (keywords { $($word:literal => $key:ident,)* } symbols { $($text:literal => $symbol:ident,)* }) => {
        /// Kinds of tokens.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Tok {
            /// End of the model.
            Eof,
            Name,
            /// Digits.
            Int,
            /// `'a'`
            Char,
            /// `"…"`
            Str,
            /// A character that no token starts with.
            Unknown,
            $($key,)*
            $($symbol,)*
        }

        impl Tok {
            pub(crate) fn keyword(word: &str) -> Option<Tok> {
                Some(match word {
                    $($word => Tok::$key,)*
                    _ => return None,
                })
            }

            /// How the kind is named in messages.
            pub(crate) fn describe(self) -> &'static str {
                match self {
                    Tok::Eof => "the end of the model",
                    Tok::Name => "a name",
                    Tok::Int => "a number",
                    Tok::Char => "a character constant",
                    Tok::Str => "a string",
                    Tok::Unknown => "a stray character",
                    $(Tok::$key => concat!("`", $word, "`"),)*
                    $(Tok::$symbol => concat!("`", $text, "`"),)*
                }
            }
        }
    };
}

tokens! {
    keywords {
        "active" => Active,
        "assert" => Assert,
        "atomic" => Atomic,
        "bit" => Bit,
        "bool" => Bool,
        "break" => Break,
        "byte" => Byte,
        "c_code" => CCode,
        "c_decl" => CDecl,
        "c_expr" => CExpr,
        "c_state" => CState,
        "c_track" => CTrack,
        "D_proctype" => DProctype,
        "do" => Do,
        "d_step" => DStep,
        "chan" => Chan,
        "else" => Else,
        "empty" => Empty,
        "enabled" => Enabled,
        "eval" => Eval,
        "false" => False,
        "fi" => Fi,
        "for" => For,
        "full" => Full,
        "get_priority" => GetPriority,
        "goto" => Goto,
        "hidden" => Hidden,
        "if" => If,
        "init" => Init,
        "inline" => Inline,
        "int" => IntType,
        "len" => Len,
        "local" => Local,
        "ltl" => Ltl,
        "mtype" => Mtype,
        "nempty" => NotEmpty,
        "never" => Never,
        "nfull" => NotFull,
        "notrace" => NoTrace,
        "np_" => NonProgress,
        "od" => Od,
        "of" => Of,
        "pc_value" => PcValue,
        "pid" => Pid,
        "printf" => Printf,
        "printm" => Printm,
        "priority" => Priority,
        "proctype" => Proctype,
        "provided" => Provided,
        "return" => Return,
        "run" => Run,
        "select" => Select,
        "set_priority" => SetPriority,
        "short" => Short,
        "show" => Show,
        "skip" => Skip,
        "timeout" => Timeout,
        "trace" => Trace,
        "true" => True,
        "typedef" => Typedef,
        "unless" => Unless,
        "unsigned" => Unsigned,
        "xr" => Xr,
        "xs" => Xs,
    }
    symbols {
        "{" => OpenBrace,
        "}" => CloseBrace,
        "(" => OpenParen,
        ")" => CloseParen,
        "[" => OpenBracket,
        "]" => CloseBracket,
        ";" => Semi,
        "->" => Arrow,
        "," => Comma,
        ":" => Colon,
        "::" => Option_,
        "." => Dot,
        ".." => DotDot,
        "@" => At,
        "=" => Assign,
        "==" => Equal,
        "!" => Bang,
        "!=" => NotEqual,
        "!!" => BangBang,
        "?" => Query,
        "??" => QueryQuery,
        "<" => Less,
        "<=" => LessEqual,
        "<<" => ShiftLeft,
        ">" => Greater,
        ">=" => GreaterEqual,
        ">>" => ShiftRight,
        "&" => BitAnd,
        "&&" => And,
        "|" => BitOr,
        "||" => Or,
        "^" => BitXor,
        "~" => Tilde,
        "+" => Plus,
        "++" => Increment,
        "-" => Minus,
        "--" => Decrement,
        "*" => Star,
        "*/" => CommentEnd,
        "/" => Slash,
        "%" => Percent,
    }
}

impl Tok {
    /// A newline behind such a token separates statements.
    pub(super) fn may_end_statement(self) -> bool {
        use Tok::*;
        matches!(
            self,
            CloseParen
                | CloseBracket
                | Od
                | Fi
                | Else
                | Break
                | CCode
                | CExpr
                | CDecl
                | Name
                | Int
                | Char
                | True
                | False
                | Skip
                | Timeout
                | NonProgress
                | Increment
                | Decrement
        )
    }
}

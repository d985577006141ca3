//! What a writer may have meant who knows another language, or slipped on a key.

use super::Parser;
use crate::diagnostics::{Diagnostic, similar};
use crate::promela::lexer::{Tok, Token};

/// Words that start a unit of a model.
const UNITS: [&str; 21] = [
    "active",
    "proctype",
    "D_proctype",
    "init",
    "never",
    "ltl",
    "typedef",
    "inline",
    "trace",
    "notrace",
    "mtype",
    "chan",
    "byte",
    "bool",
    "bit",
    "short",
    "int",
    "unsigned",
    "pid",
    "hidden",
    "show",
];

/// Words that start a statement.
const STATEMENTS: [&str; 16] = [
    "if", "do", "for", "select", "atomic", "d_step", "assert", "printf", "printm", "goto", "break",
    "skip", "run", "else", "return", "timeout",
];

/// Words of other languages, and what to write for them.
fn foreign(word: &str) -> Option<&'static str> {
    Some(match word {
        "while" => "Promela has no `while`: write `do :: condition -> … :: else -> break od`",
        "switch" | "case" | "when" => {
            "Promela has no `switch`: write `if :: x == 1 -> … :: else -> … fi`"
        }
        "elif" | "elseif" | "elsif" => "write a further option: `if :: a -> … :: b -> … fi`",
        "then" | "endif" | "end" => "write `if :: condition -> … :: else -> … fi`",
        "repeat" | "loop" => "write `do :: … od`; `break` leaves it",
        "continue" => "put a label before the loop and write `goto` to it",
        "print" | "println" | "echo" => "write `printf(\"…\")`",
        "process" | "thread" => "write `proctype`",
        "function" | "fn" | "def" | "void" | "procedure" => {
            "write `inline name(parameters) { … }`, or `proctype` for a process"
        }
        "const" | "let" | "var" => "write `#define NAME value`, or a type: `byte x = 1`",
        "boolean" => "write `bool`",
        "integer" | "long" => "write `int`",
        "float" | "double" => "Promela has whole numbers only",
        "char" | "string" => "Promela has no text: use `mtype` for names",
        "enum" => "write `mtype = { red, green }`",
        "struct" => "write `typedef Name { … }`",
        "and" => "write `&&`",
        "or" => "write `||`",
        "not" => "write `!`",
        _ => return None,
    })
}

impl Parser<'_> {
    /// An error about a word at the top level, with what may have been meant.
    pub(super) fn hint_unit(&self, error: Diagnostic, word: Token) -> Diagnostic {
        let word = self.lexer.text(word);
        let typedefs = self.typedefs.iter().map(|name| &**name);
        match (foreign(word), similar(word, UNITS.into_iter().chain(typedefs))) {
            (Some(advice), _) => error.help(advice),
            (None, Some(meant)) => error.help(format!("did you mean `{meant}`?")),
            (None, None) => error.help("a typedef must stand before its first use"),
        }
    }

    /// An error about a word that begins a statement. None if nothing comes to mind.
    pub(super) fn hint_statement(&self, word: Token) -> Option<String> {
        let word = self.lexer.text(word);
        let inlines = self.inlines.keys().map(|name| &**name);
        let meant = || similar(word, STATEMENTS.into_iter().chain(inlines));
        let advice = foreign(word).map(str::to_owned);
        advice.or_else(|| meant().map(|meant| format!("did you mean `{meant}`?")))
    }

    /// Why a statement may have ended too early before `token`.
    pub(super) fn hint_missing_separator(&self, token: Token) -> Option<String> {
        let text = self.lexer.text(token);
        match token.kind {
            Tok::Query => Some("a conditional expression is `(condition -> a : b)`".to_owned()),
            Tok::Name if foreign(text).is_some() => foreign(text).map(str::to_owned),
            // `atomc { … }`, `brek x`
            Tok::OpenBrace | Tok::Name => {
                let before = self.lexer.sources.text(self.last_span);
                foreign(before).map(str::to_owned).or_else(|| {
                    similar(before, STATEMENTS).map(|meant| format!("did you mean `{meant}`?"))
                })
            }
            _ => None,
        }
    }

    /// Two operators in a row that are one in C: `x += 1`.
    pub(super) fn hint_operator(&mut self, error: Diagnostic) -> Diagnostic {
        let token = self.peek();
        let is_adjacent = self.last_span.hi == token.span.lo;
        let before = self.lexer.sources.text(self.last_span).to_owned();
        match (token.kind, before.as_str()) {
            (Tok::Assign, "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^") if is_adjacent => error
                .help(format!(
                    "Promela has no `{before}=`: write `x = x {before} …`, or `x++` and `x--`"
                )),
            (Tok::Assign, _) => error.help("to compare two values write `==`"),
            _ => error,
        }
    }
}

//! Text to tokens, for both dialects and for the expressions of a model's language.

use super::error::SyntaxError;
use super::{Atoms, Dialect};
use crate::formula::Binary;
use std::ops::Range;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// A name, or text in double quotes (then without them).
    Ap(String),
    True,
    False,
    Not,
    And,
    Or,
    Binary(Binary),
    Next,
    Finally,
    Globally,
    Open,
    Close,
    /// The next three occur only where propositions are expressions of a model.
    Number,
    /// `[` (true) or `]`.
    Bracket(bool),
    /// What stands between operands, or before one: `<`, `+`, `@`, ...
    ModelOp,
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct Spanned {
    pub(crate) token: Token,
    pub(crate) span: Range<usize>,
}

/// Operators written with signs; longer ones first.
const SIGNS: &[(&str, Token)] = &[
    ("<-->", Token::Binary(Binary::Equiv)),
    ("<==>", Token::Binary(Binary::Equiv)),
    ("-->", Token::Binary(Binary::Implies)),
    ("==>", Token::Binary(Binary::Implies)),
    ("<->", Token::Binary(Binary::Equiv)),
    ("<=>", Token::Binary(Binary::Equiv)),
    ("->", Token::Binary(Binary::Implies)),
    ("=>", Token::Binary(Binary::Implies)),
    ("&&", Token::And),
    ("/\\", Token::And),
    ("||", Token::Or),
    ("\\/", Token::Or),
    ("[]", Token::Globally),
    ("<>", Token::Finally),
    ("()", Token::Next),
    ("&", Token::And),
    ("|", Token::Or),
    ("!", Token::Not),
    ("~", Token::Not),
    ("^", Token::Binary(Binary::Xor)),
    ("(", Token::Open),
    (")", Token::Close),
    ("□", Token::Globally),
    ("◇", Token::Finally),
    ("○", Token::Next),
    ("∧", Token::And),
    ("∨", Token::Or),
    ("¬", Token::Not),
    ("→", Token::Binary(Binary::Implies)),
    ("↔", Token::Binary(Binary::Equiv)),
    ("⊕", Token::Binary(Binary::Xor)),
];

/// In a model's expressions these belong to the expression, although they would be (or begin
/// with) operators here. Longer ones first.
const MODEL_SIGNS: &[&str] = &[
    "<<", ">>", "<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "[",
    "]", "@", ":", ".", ",", "?",
];

/// Words that are operators in either dialect.
const WORDS: &[(&str, Token)] = &[
    ("true", Token::True),
    ("false", Token::False),
    ("always", Token::Globally),
    ("eventually", Token::Finally),
    ("next", Token::Next),
    ("until", Token::Binary(Binary::Until)),
    ("stronguntil", Token::Binary(Binary::Until)),
    ("weakuntil", Token::Binary(Binary::WeakUntil)),
    ("release", Token::Binary(Binary::Release)),
    ("implies", Token::Binary(Binary::Implies)),
    ("equivalent", Token::Binary(Binary::Equiv)),
    ("U", Token::Binary(Binary::Until)),
    ("V", Token::Binary(Binary::Release)),
    ("W", Token::Binary(Binary::WeakUntil)),
    ("X", Token::Next),
];

/// Words that only Spot knows; for Spin they are names.
const SPOT_WORDS: &[(&str, Token)] = &[
    ("G", Token::Globally),
    ("F", Token::Finally),
    ("R", Token::Binary(Binary::Release)),
    ("M", Token::Binary(Binary::StrongRelease)),
    ("xor", Token::Binary(Binary::Xor)),
];

/// Signs and words that only Spin's users write. One of them makes the text Spin's, unless
/// the dialect was given.
pub(crate) fn looks_like_spin(text: &str) -> bool {
    const WORDS: [&str; 9] = [
        "always",
        "eventually",
        "next",
        "until",
        "stronguntil",
        "weakuntil",
        "release",
        "implies",
        "equivalent",
    ];
    let outside_quotes: String = text.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    outside_quotes.contains("[]")
        || outside_quotes.contains("<>")
        || outside_quotes
            .split(|c: char| !is_name_char(c))
            .any(|word| word == "V" || WORDS.contains(&word))
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

pub(crate) fn tokens(
    text: &str,
    dialect: Dialect,
    atoms: Atoms,
) -> Result<Vec<Spanned>, SyntaxError> {
    let spin = dialect == Dialect::Spin || dialect == Dialect::Auto && looks_like_spin(text);
    let mut lexer = Lexer {
        text,
        at: 0,
        atoms,
        // Who writes `[] (p -> F q)` means the operator, unless they said that it is Spin's.
        spot_words: dialect != Dialect::Spin,
        spot_names: !spin,
        out: Vec::new(),
    };
    while lexer.one()? {}
    lexer.push(Token::End, text.len(), text.len());
    Ok(lexer.out)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    atoms: Atoms,
    /// `G F R M xor` are operators.
    spot_words: bool,
    /// `GFp1` is G F p1, and names may contain dots.
    spot_names: bool,
    out: Vec<Spanned>,
}

impl Lexer<'_> {
    fn push(&mut self, token: Token, start: usize, end: usize) {
        self.out.push(Spanned { token, span: start..end });
        self.at = end;
    }

    /// Reads one token; false at the end.
    fn one(&mut self) -> Result<bool, SyntaxError> {
        let rest = &self.text[self.at..];
        let rest = rest.trim_start();
        let start = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(false) };
        if rest.starts_with("/*") && self.atoms == Atoms::Model {
            let Some(length) = rest.find("*/") else {
                return Err(SyntaxError::new(start..start + 2, "this comment is never closed"));
            };
            self.at = start + length + 2;
            return Ok(true);
        }
        if first == '"' {
            self.quoted(start)?;
        } else if first == '{' || first == '}' {
            return Err(SyntaxError::new(start..start + 1, "braces have no meaning in LTL")
                .with_hint("sequences in braces belong to PSL, which is not supported"));
        } else if is_name_start(first) {
            self.word(start)?;
        } else if first.is_ascii_digit() {
            self.number(start)?;
        } else if !self.sign(start)? {
            let end = start + first.len_utf8();
            let shown =
                if first.is_control() { format!("{first:?}") } else { format!("`{first}`") };
            return Err(SyntaxError::new(start..end, format!("{shown} has no meaning here")));
        }
        Ok(true)
    }

    fn quoted(&mut self, start: usize) -> Result<(), SyntaxError> {
        let mut name = String::new();
        let mut chars = self.text[start + 1..].char_indices();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' if name.trim().is_empty() => {
                    let span = start..start + offset + 2;
                    return Err(SyntaxError::new(span, "a proposition needs a name"));
                }
                '"' => {
                    self.push(Token::Ap(name), start, start + offset + 2);
                    return Ok(());
                }
                '\\' => match chars.next() {
                    Some((_, escaped)) if escaped != '\n' => name.push(escaped),
                    _ => break,
                },
                '\n' => break,
                _ => name.push(c),
            }
        }
        let end = self.text[start..].find('\n').map_or(self.text.len(), |n| start + n);
        Err(SyntaxError::new(start..end, "this quoted name is never closed")
            .with_hint("add the closing \""))
    }

    fn number(&mut self, start: usize) -> Result<(), SyntaxError> {
        let rest = &self.text[start..];
        let length = rest.find(|c: char| !is_name_char(c)).unwrap_or(rest.len());
        let end = start + length;
        match &rest[..length] {
            "0" => self.push(Token::False, start, end),
            "1" => self.push(Token::True, start, end),
            _ if self.atoms == Atoms::Model => self.push(Token::Number, start, end),
            digits => {
                return Err(SyntaxError::new(
                    start..end,
                    format!("`{digits}` is no truth value and no name"),
                )
                .with_hint("use 0 or 1, or put a proposition's name in quotes"));
            }
        }
        Ok(())
    }

    fn word(&mut self, start: usize) -> Result<(), SyntaxError> {
        let rest = &self.text[start..];
        let dots = self.spot_names && self.atoms == Atoms::Names;
        let length =
            rest.find(|c: char| !(is_name_char(c) || dots && c == '.')).unwrap_or(rest.len());
        let word = &rest[..length];
        // A digit after the letter makes it a name.
        let splits = self.spot_names
            && word.starts_with(['G', 'F', 'X'])
            && word[1..].starts_with(is_name_start);
        let word = if splits { &word[..1] } else { word };
        let end = start + word.len();
        let spot = if self.spot_words { SPOT_WORDS } else { &[] };
        let known = WORDS.iter().chain(spot).find(|(name, _)| *name == word);
        let constant = ["true", "false"].iter().any(|c| word.eq_ignore_ascii_case(c));
        match known {
            Some((_, token)) => self.push(token.clone(), start, end),
            None if constant => {
                let value = word.eq_ignore_ascii_case("true");
                self.push(if value { Token::True } else { Token::False }, start, end);
            }
            None => self.push(Token::Ap(word.to_owned()), start, end),
        }
        let unary = matches!(
            self.out.last().map(|last| &last.token),
            Some(Token::Next | Token::Finally | Token::Globally)
        );
        if unary && self.text[end..].starts_with('[') && !self.text[end..].starts_with("[]") {
            return self.bounds(start, end);
        }
        Ok(())
    }

    /// `X[!]` is a next; everything else in brackets after an operator is a bound.
    fn bounds(&mut self, start: usize, at: usize) -> Result<(), SyntaxError> {
        if self.text[at..].starts_with("[!]") {
            if self.out.last().is_some_and(|last| last.token == Token::Next) {
                self.at = at + 3;
                return Ok(());
            }
            return Err(SyntaxError::new(start..at + 3, "only X has a strong form `[!]`"));
        }
        let end = self.text[at..].find(']').map_or(self.text.len(), |offset| at + offset + 1);
        Err(SyntaxError::new(start..end, "bounded operators are not supported")
            .with_hint("write the bound out with X, for example `p | X p | X X p` for F[0:2] p"))
    }

    fn sign(&mut self, start: usize) -> Result<bool, SyntaxError> {
        let rest = &self.text[start..];
        let model = self.atoms == Atoms::Model;
        let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
        if model {
            let own = MODEL_SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let length = sign.map_or(0, |(sign, _)| sign.len());
            // `()` is an empty argument list there; a single `&`, `|` or `^` is arithmetic.
            if let Some(own) = own.filter(|own| own.len() >= length) {
                let token = match *own {
                    "[" => Token::Bracket(true),
                    "]" => Token::Bracket(false),
                    _ => Token::ModelOp,
                };
                self.push(token, start, start + own.len());
                return Ok(true);
            }
            if rest.starts_with("()") {
                self.push(Token::Open, start, start + 1);
                return Ok(true);
            }
        }
        let Some((sign, token)) = sign else {
            if !model && rest.starts_with(['<', '>', '=', '+', '-', '*', '%', '@', '.', ':', '[']) {
                return Err(SyntaxError::new(
                    start..start + 1,
                    "an expression of a model has no meaning in a plain formula",
                )
                .with_hint("put the expression in double quotes, or give the model"));
            }
            return Ok(false);
        };
        self.push(token.clone(), start, start + sign.len());
        Ok(true)
    }
}

//! Tokens to a formula, by precedence climbing.
//!
//! Both tools agree on the levels (`-> <->` below `xor` below `|` below `&` below `U R W M`
//! below the prefix operators). They differ in how operators of one level associate: to the
//! left in Spin's `ltl` blocks, to the right in Spot (tl.pdf, "Operator precedence"). Where
//! the two readings of a text differ, there is a warning that shows the one taken.

use super::atoms::model_expression;
use super::error::{SyntaxError, SyntaxWarning};
use super::lexer::{Spanned, Token, looks_like_spin, tokens};
use super::print::Printer;
use super::{Atoms, Dialect, MAX_DEPTH, MAX_LENGTH, ParseOptions};
use crate::formula::{Binary, Formulas, Ltl, Node};
use std::ops::Range;

/// What a text was read as.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The formula, in the arena that was given.
    pub formula: Ltl,
    /// What the writer may not have meant.
    pub warnings: Vec<SyntaxWarning>,
    /// Where each proposition occurs, from left to right.
    pub atoms: Vec<AtomUse>,
}

/// One occurrence of a proposition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtomUse {
    /// Index into [`Formulas::ap_names`].
    pub ap: u32,
    /// Byte range in the text.
    pub span: Range<usize>,
}

/// Reads one formula.
///
/// ```
/// use lariat_ltl::Formulas;
/// use lariat_ltl::syntax::{ParseOptions, Printer, parse};
///
/// let mut all = Formulas::new();
/// let spin = parse(&mut all, "[] (req -> <> grant)", ParseOptions::default()).unwrap().formula;
/// let spot = parse(&mut all, "G(req -> F grant)", ParseOptions::default()).unwrap().formula;
/// assert_eq!(spin, spot);
/// assert_eq!(Printer::new(&all).text(spin), "G(req -> Fgrant)");
/// let error = parse(&mut all, "G(req", ParseOptions::default()).unwrap_err();
/// assert_eq!(error.span, 1..2, "the parenthesis that is not closed");
/// ```
pub fn parse(all: &mut Formulas, text: &str, options: ParseOptions) -> Result<Parsed, SyntaxError> {
    if text.len() > MAX_LENGTH {
        let message = format!("the formula is longer than {MAX_LENGTH} bytes");
        return Err(SyntaxError::new(0..1, message));
    }
    let tokens = tokens(text, options.dialect, options.atoms)?;
    let spin = options.dialect == Dialect::Spin
        || options.dialect == Dialect::Auto && looks_like_spin(text);
    let read = |all: &mut Formulas, left_associative: bool| {
        let mut parser = Parser {
            all,
            text,
            tokens: &tokens,
            at: 0,
            depth: 0,
            left_associative,
            atoms_are: options.atoms,
            atoms: Vec::new(),
        };
        let formula = parser.expression(0)?;
        parser.end()?;
        Ok((formula, parser.atoms))
    };
    let (formula, atoms) = read(all, spin)?;
    let mut warnings = Vec::new();
    // The other reading can only fail by its depth; then there is nothing to compare.
    if let Ok((other, _)) = read(all, !spin)
        && other != formula
    {
        let shown = Printer::new(all).explicit();
        let (tool, other_tool) = if spin { ("Spin", "Spot") } else { ("Spot", "Spin") };
        warnings.push(SyntaxWarning {
            span: 0..text.trim_end().len(),
            message: format!(
                "read as {tool} does: `{}`; {other_tool} reads `{}`; parentheses make it clear",
                shown.text(formula),
                shown.text(other)
            ),
        });
    }
    Ok(Parsed { formula, warnings, atoms })
}

struct Parser<'a> {
    all: &'a mut Formulas,
    text: &'a str,
    tokens: &'a [Spanned],
    at: usize,
    depth: u32,
    left_associative: bool,
    atoms_are: Atoms,
    atoms: Vec<AtomUse>,
}

/// An operator between two operands, with its level; a higher level binds tighter.
#[derive(Clone, Copy, PartialEq)]
enum Infix {
    And,
    Or,
    Binary(Binary),
}

impl Infix {
    fn of(token: &Token) -> Option<Infix> {
        match token {
            Token::And => Some(Infix::And),
            Token::Or => Some(Infix::Or),
            Token::Binary(op) => Some(Infix::Binary(*op)),
            _ => None,
        }
    }

    fn level(self) -> u32 {
        match self {
            Infix::Binary(Binary::Implies | Binary::Equiv) => 1,
            Infix::Binary(Binary::Xor) => 2,
            Infix::Or => 3,
            Infix::And => 4,
            Infix::Binary(_) => 5,
        }
    }
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        &self.tokens[self.at].token
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.at].span.clone()
    }

    fn expression(&mut self, lowest: u32) -> Result<Ltl, SyntaxError> {
        self.nest()?;
        let mut left = self.prefixed()?;
        while let Some(infix) = Infix::of(self.token()).filter(|infix| infix.level() >= lowest) {
            let span = self.span();
            self.at += 1;
            let level = infix.level();
            let to_the_left = match infix {
                Infix::Binary(op) => self.left_associative || op == Binary::Xor,
                _ => true,
            };
            let right = self.expression(if to_the_left { level + 1 } else { level })?;
            left = match infix {
                Infix::And => self.all.and2(left, right),
                Infix::Or => self.all.or2(left, right),
                Infix::Binary(op) => self.all.binary(op, left, right),
            };
            if self.all.depth(left) > MAX_DEPTH {
                return Err(too_deep(span));
            }
        }
        self.depth -= 1;
        Ok(left)
    }

    fn nest(&mut self) -> Result<(), SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(too_deep(self.span())) } else { Ok(()) }
    }

    fn prefixed(&mut self) -> Result<Ltl, SyntaxError> {
        let first = self.at;
        while matches!(self.token(), Token::Not | Token::Next | Token::Finally | Token::Globally) {
            self.at += 1;
        }
        let last = self.at;
        let mut formula = self.primary()?;
        for token in self.tokens[first..last].iter().rev() {
            formula = match token.token {
                Token::Not => self.all.not(formula),
                Token::Next => self.all.next(formula),
                Token::Finally => self.all.finally(formula),
                _ => self.all.globally(formula),
            };
            if self.all.depth(formula) > MAX_DEPTH {
                return Err(too_deep(token.span.clone()));
            }
        }
        Ok(formula)
    }

    fn primary(&mut self) -> Result<Ltl, SyntaxError> {
        if self.atoms_are == Atoms::Model
            && let Some(end) = model_expression(self.tokens, self.at)?
        {
            let span = self.tokens[self.at].span.start..self.tokens[end - 1].span.end;
            self.at = end;
            // On one line, so that it can be printed as a quoted name.
            let words: Vec<&str> = self.text[span.clone()].split_whitespace().collect();
            return Ok(self.atom(&words.join(" "), span));
        }
        let span = self.span();
        match self.token().clone() {
            Token::Ap(name) => {
                self.at += 1;
                Ok(self.atom(&name, span))
            }
            Token::True => {
                self.at += 1;
                Ok(Ltl::TRUE)
            }
            Token::False => {
                self.at += 1;
                Ok(Ltl::FALSE)
            }
            Token::Open => {
                self.at += 1;
                let inner = self.expression(0)?;
                if *self.token() != Token::Close {
                    let message = match self.token() {
                        Token::End => "this parenthesis is never closed".to_owned(),
                        _ => return Err(self.unexpected("an operator or `)`")),
                    };
                    return Err(SyntaxError::new(span, message).with_hint("add a `)`"));
                }
                self.at += 1;
                Ok(inner)
            }
            _ => Err(self.unexpected("a proposition, a constant, `(` or a prefix operator")),
        }
    }

    fn atom(&mut self, name: &str, span: Range<usize>) -> Ltl {
        let formula = self.all.ap(name);
        if let Node::Ap(ap) = *self.all.node(formula) {
            self.atoms.push(AtomUse { ap, span });
        }
        formula
    }

    fn end(&mut self) -> Result<(), SyntaxError> {
        match self.token() {
            Token::End => Ok(()),
            Token::Close => Err(SyntaxError::new(self.span(), "this `)` closes nothing")),
            _ => Err(self.unexpected("an operator or the end")),
        }
    }

    fn unexpected(&self, expected: &str) -> SyntaxError {
        let span = self.span();
        let found = match self.token() {
            Token::End if self.at == 0 => "nothing at all".to_owned(),
            Token::End => "the end of the formula".to_owned(),
            _ => format!("`{}`", &self.text[span.clone()]),
        };
        SyntaxError::new(span, format!("expected {expected}, found {found}"))
    }
}

fn too_deep(span: Range<usize>) -> SyntaxError {
    SyntaxError::new(span, format!("the formula is nested deeper than {MAX_DEPTH} levels"))
}

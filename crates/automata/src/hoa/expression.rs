//! Label expressions and acceptance conditions: two grammars of one shape, `!` before `&`
//! before `|`. Nesting is limited, since the results are walked by recursion.

use super::lexer::Token;
use super::parser::{Parsed, Parser, fail};
use crate::{Label, Span};
use std::collections::HashMap;

/// How deep parentheses may nest.
pub(crate) const MAX_NESTING: u32 = 256;

/// How many levels a label may have after its aliases are expanded.
const MAX_HEIGHT: u32 = 1024;

/// How many operators and propositions a label may have after its aliases are expanded.
const MAX_SIZE: usize = 1 << 16;

/// A label with its size, which aliases can make much larger than the text of it.
#[derive(Clone, Debug)]
pub(crate) struct Sized {
    pub(crate) label: Label,
    pub(crate) size: usize,
    height: u32,
}

/// What labels refer to.
#[derive(Debug, Default)]
pub(crate) struct LabelScope {
    /// Once `AP:` was read.
    pub(crate) ap_count: Option<u32>,
    pub(crate) aliases: HashMap<String, (Sized, Span)>,
    /// Propositions used before `AP:` was read, to be checked once it was.
    pub(crate) early_uses: Vec<(u32, Span)>,
}

impl LabelScope {
    fn check(&mut self, ap: u32, span: Span) -> Parsed<()> {
        match self.ap_count {
            None => self.early_uses.push((ap, span)),
            Some(count) if ap >= count => return undeclared(ap, count, span),
            Some(_) => {}
        }
        Ok(())
    }
}

pub(crate) fn undeclared<T>(ap: u32, count: u32, span: Span) -> Parsed<T> {
    let range = match count {
        0 => "no proposition is declared".into(),
        _ => format!("expected 0 to {}", count - 1),
    };
    fail(span, format!("proposition {ap} is not declared by `AP:`: {range}"))
}

#[derive(Clone, Copy)]
enum Operator {
    And,
    Or,
}

pub(crate) fn label(parser: &mut Parser<'_>, scope: &mut LabelScope) -> Parsed<Sized> {
    disjunction(parser, scope, 0)
}

fn disjunction(parser: &mut Parser<'_>, scope: &mut LabelScope, depth: u32) -> Parsed<Sized> {
    let start = parser.span;
    let mut parts = vec![conjunction(parser, scope, depth)?];
    while parser.take('|')? {
        parts.push(conjunction(parser, scope, depth)?);
    }
    combine(parts, Operator::Or, start)
}

fn conjunction(parser: &mut Parser<'_>, scope: &mut LabelScope, depth: u32) -> Parsed<Sized> {
    let start = parser.span;
    let mut parts = vec![factor(parser, scope, depth)?];
    while parser.take('&')? {
        parts.push(factor(parser, scope, depth)?);
    }
    combine(parts, Operator::And, start)
}

fn combine(mut parts: Vec<Sized>, operator: Operator, start: Span) -> Parsed<Sized> {
    if parts.len() == 1 {
        return Ok(parts.remove(0));
    }
    let size = parts.iter().fold(1, |sum: usize, part| sum.saturating_add(part.size));
    let height = 1 + parts.iter().map(|part| part.height).max().expect("at least two parts");
    if size > MAX_SIZE || height > MAX_HEIGHT {
        let message = format!(
            "this label is too large after its aliases are expanded: expected at most {MAX_SIZE} operators and {MAX_HEIGHT} levels"
        );
        return fail(start, message);
    }
    let labels = parts.into_iter().map(|part| part.label);
    let label = match operator {
        Operator::And => Label::and(labels),
        Operator::Or => Label::or(labels),
    };
    Ok(Sized { label, size, height })
}

fn factor(parser: &mut Parser<'_>, scope: &mut LabelScope, depth: u32) -> Parsed<Sized> {
    let mut negate = false;
    while parser.take('!')? {
        negate = !negate;
    }
    let span = parser.span;
    let atom = |label| Sized { label, size: 1, height: 1 };
    let mut found = match parser.token {
        Token::Identifier("t") => atom(Label::True),
        Token::Identifier("f") => atom(Label::False),
        Token::Int(ap) => {
            scope.check(ap, span)?;
            atom(Label::Ap(ap))
        }
        Token::Alias(name) => match scope.aliases.get(name) {
            Some((body, _)) => body.clone(),
            None => return fail(span, format!("alias `@{name}` is not defined before its use")),
        },
        Token::Punctuation('(') => {
            nest(depth, span)?;
            parser.advance()?;
            let inner = disjunction(parser, scope, depth + 1)?;
            if !parser.at(')') {
                return parser.unexpected("`)`, `&` or `|`");
            }
            inner
        }
        _ => {
            return parser
                .unexpected("a label: a proposition's number, an alias, `t`, `f`, `!` or `(`");
        }
    };
    parser.advance()?;
    if negate {
        found.label = found.label.negated();
        found.size += 1;
        found.height += 1;
    }
    Ok(found)
}

fn nest(depth: u32, span: Span) -> Parsed<()> {
    if depth < MAX_NESTING {
        return Ok(());
    }
    fail(span, format!("parentheses nest too deep: expected at most {MAX_NESTING} levels"))
}

/// An acceptance condition as it was written.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Constant(bool),
    Atom(Atom),
    /// Conjunction when `all`, else disjunction.
    Junction {
        all: bool,
        parts: Vec<Condition>,
    },
}

/// `Inf(set)`, `Fin(!set)` and the like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Atom {
    pub(crate) finite: bool,
    pub(crate) complemented: bool,
    pub(crate) set: u32,
    pub(crate) span: Span,
}

pub(crate) fn condition(parser: &mut Parser<'_>, set_count: u32) -> Parsed<Condition> {
    any_of(parser, set_count, 0)
}

fn any_of(parser: &mut Parser<'_>, set_count: u32, depth: u32) -> Parsed<Condition> {
    let mut parts = vec![all_of(parser, set_count, depth)?];
    while parser.take('|')? {
        parts.push(all_of(parser, set_count, depth)?);
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Junction { all: false, parts } })
}

fn all_of(parser: &mut Parser<'_>, set_count: u32, depth: u32) -> Parsed<Condition> {
    let mut parts = vec![primary(parser, set_count, depth)?];
    while parser.take('&')? {
        parts.push(primary(parser, set_count, depth)?);
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Junction { all: true, parts } })
}

fn primary(parser: &mut Parser<'_>, set_count: u32, depth: u32) -> Parsed<Condition> {
    let start = parser.span;
    match parser.token {
        Token::Identifier("t") => {
            parser.advance()?;
            Ok(Condition::Constant(true))
        }
        Token::Identifier("f") => {
            parser.advance()?;
            Ok(Condition::Constant(false))
        }
        Token::Identifier(name @ ("Inf" | "Fin")) => {
            parser.advance()?;
            parser.expect('(')?;
            let complemented = parser.take('!')?;
            let (set, at) = parser.expect_int("the number of an acceptance set")?;
            check_set(set, set_count, at)?;
            let end = parser.span;
            parser.expect(')')?;
            let finite = name == "Fin";
            Ok(Condition::Atom(Atom { finite, complemented, set, span: start.to(end) }))
        }
        Token::Identifier(name) => {
            fail(start, format!("unknown acceptance atom `{name}`: expected `Inf` or `Fin`"))
        }
        Token::Punctuation('(') => {
            nest(depth, start)?;
            parser.advance()?;
            let inner = any_of(parser, set_count, depth + 1)?;
            if !parser.at(')') {
                return parser.unexpected("`)`, `&` or `|`");
            }
            parser.advance()?;
            Ok(inner)
        }
        _ => parser.unexpected("an acceptance condition: `Inf(`, `Fin(`, `t`, `f` or `(`"),
    }
}

pub(crate) fn check_set(set: u32, set_count: u32, span: Span) -> Parsed<()> {
    if set < set_count {
        return Ok(());
    }
    let range = match set_count {
        0 => "no set is declared".into(),
        _ => format!("expected 0 to {}", set_count - 1),
    };
    fail(span, format!("acceptance set {set} is not declared by `Acceptance:`: {range}"))
}

//! The header: everything before `--BODY--`.

use super::acceptance::{self, Acceptance};
use super::expression::{self, Condition, LabelScope};
use super::lexer::Token;
use super::parser::{Parsed, Parser, fail};
use super::properties::Properties;
use crate::{Diagnostic, Span};
use std::collections::HashMap;

/// How many propositions an automaton may have: decision diagrams of labels recurse once for
/// each.
const MAX_PROPOSITIONS: u32 = 4096;

#[derive(Debug, Default)]
pub(crate) struct Header {
    pub(crate) name: Option<String>,
    pub(crate) states: Option<(u32, Span)>,
    pub(crate) initial: Vec<(u32, Span)>,
    pub(crate) aps: Vec<String>,
    pub(crate) scope: LabelScope,
    pub(crate) acceptance: Acceptance,
    pub(crate) properties: Properties,
    /// Where the header ends: for what is missing in it.
    pub(crate) end: Span,
}

impl Header {
    /// Refuses a state that `States:` does not allow.
    pub(crate) fn check_state(&self, state: u32, span: Span) -> Parsed<()> {
        let Some((count, declared)) = self.states else { return Ok(()) };
        if state < count {
            return Ok(());
        }
        let range = match count {
            0 => "no state is declared".into(),
            _ => format!("expected 0 to {}", count - 1),
        };
        let message = format!("state {state} is beyond the declared states: {range}");
        Err(Diagnostic::error(span, message)
            .note_at(declared, "the number of states is declared here")
            .into())
    }
}

/// What can be understood only when the whole header is known.
#[derive(Debug, Default)]
struct Pending {
    condition: Option<(u32, Condition, Span)>,
    acc_name: Option<AccName>,
    controllable: Vec<(u32, Span)>,
}

#[derive(Debug)]
struct AccName {
    name: String,
    parameters: Vec<u32>,
    text: String,
    span: Span,
}

/// Reads from the token after `HOA:` up to `--BODY--`, which is consumed.
pub(crate) fn header(parser: &mut Parser<'_>) -> Parsed<Header> {
    version(parser)?;
    let (mut header, mut pending) = (Header::default(), Pending::default());
    let mut seen: HashMap<String, Span> = HashMap::new();
    loop {
        match parser.token {
            Token::Body => {
                header.end = parser.advance()?;
                break;
            }
            Token::Header(name @ ("HOA" | "State")) => {
                return parser.unexpected(match name {
                    "HOA" => "a header or `--BODY--` before the next automaton",
                    _ => "a header or `--BODY--`",
                });
            }
            Token::Header(name) => {
                let span = parser.advance()?;
                let repeatable = matches!(name, "Start" | "Alias" | "properties");
                if let Some(first) = seen.insert(name.to_owned(), span)
                    && !repeatable
                {
                    return Err(Diagnostic::error(span, format!("header `{name}:` is repeated"))
                        .note_at(first, "it is first given here")
                        .into());
                }
                item(parser, name, span, &mut header, &mut pending)?;
            }
            _ => return parser.unexpected("a header or `--BODY--`"),
        }
    }
    finish(&mut header, pending, &seen)?;
    Ok(header)
}

fn version(parser: &mut Parser<'_>) -> Parsed<()> {
    let Token::Identifier(version) = parser.token else {
        return parser.unexpected("a version: `v1`");
    };
    let span = parser.span;
    let Some(number) = version.strip_prefix('v') else {
        return fail(span, format!("unknown version `{version}`: expected `v1`"));
    };
    let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match (&number[..digits], &number[digits..]) {
        ("1", "") => {}
        ("1", _) => {
            parser.warn(span, format!("version `{version}` is read as if it were `v1`"));
        }
        ("", _) => return fail(span, format!("unknown version `{version}`: expected `v1`")),
        _ => return fail(span, format!("unsupported version `{version}`: expected `v1`")),
    }
    parser.advance()?;
    Ok(())
}

fn item(
    parser: &mut Parser<'_>,
    name: &str,
    span: Span,
    header: &mut Header,
    pending: &mut Pending,
) -> Parsed<()> {
    match name {
        "States" => header.states = Some(parser.expect_int("the number of states")?),
        "Start" => {
            let start = parser.expect_int("the number of an initial state")?;
            if parser.at('&') {
                return universal(parser.span);
            }
            header.initial.push(start);
        }
        "AP" => propositions(parser, header)?,
        "Alias" => alias(parser, header)?,
        "Acceptance" => {
            let (count, start) = parser.expect_int("the number of acceptance sets")?;
            let condition = expression::condition(parser, count)?;
            pending.condition = Some((count, condition, start));
        }
        "acc-name" => pending.acc_name = Some(acc_name(parser)?),
        "name" => match parser.take_string()? {
            Some((text, _)) => header.name = Some(text),
            None => return parser.unexpected("a string"),
        },
        "tool" => {
            if parser.take_string()?.is_none() {
                return parser.unexpected("a string");
            }
            parser.take_string()?;
        }
        "properties" => properties(parser, header)?,
        "controllable-AP" => {
            while let Token::Int(ap) = parser.token {
                pending.controllable.push((ap, parser.advance()?));
            }
            if header.scope.ap_count.is_none() {
                return fail(span, "`controllable-AP:` before `AP:`");
            }
        }
        _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
            let message = format!(
                "unknown header `{name}:`: its capital says that it changes what the automaton means"
            );
            return fail(span, message);
        }
        _ => {
            while matches!(parser.token, Token::Identifier(_) | Token::Int(_) | Token::String(_)) {
                parser.advance()?;
            }
        }
    }
    Ok(())
}

/// Refuses a conjunction of states.
pub(crate) fn universal<T>(span: Span) -> Parsed<T> {
    Err(Diagnostic::error(span, "universal branching (`&` between states) is not supported")
        .note("an alternating automaton must be made non-deterministic first")
        .into())
}

fn propositions(parser: &mut Parser<'_>, header: &mut Header) -> Parsed<()> {
    let (count, at) = parser.expect_int("the number of propositions")?;
    if count > MAX_PROPOSITIONS {
        let message = format!("too many propositions: expected at most {MAX_PROPOSITIONS}");
        return fail(at, message);
    }
    let mut names: HashMap<String, Span> = HashMap::new();
    while let Some((name, span)) = parser.take_string()? {
        if let Some(first) = names.insert(name.clone(), span) {
            return Err(Diagnostic::error(span, "proposition is declared twice")
                .note_at(first, "it is first declared here")
                .into());
        }
        header.aps.push(name);
    }
    if header.aps.len() != count as usize {
        let found = header.aps.len();
        return fail(at, format!("`AP:` announces {count} propositions, but {found} names follow"));
    }
    header.scope.ap_count = Some(count);
    Ok(())
}

fn alias(parser: &mut Parser<'_>, header: &mut Header) -> Parsed<()> {
    let Token::Alias(name) = parser.token else {
        return parser.unexpected("the name of an alias: `@` and letters");
    };
    let span = parser.advance()?;
    if let Some((_, first)) = header.scope.aliases.get(name) {
        return Err(Diagnostic::error(span, format!("alias `@{name}` is defined twice"))
            .note_at(*first, "it is first defined here")
            .into());
    }
    let body = expression::label(parser, &mut header.scope)?;
    header.scope.aliases.insert(name.to_owned(), (body, span));
    Ok(())
}

fn acc_name(parser: &mut Parser<'_>) -> Parsed<AccName> {
    let Token::Identifier(name) = parser.token else {
        return parser.unexpected("the name of an acceptance");
    };
    let start = parser.advance()?;
    let (mut parameters, mut text, mut end) = (Vec::new(), name.to_owned(), start);
    loop {
        match parser.token {
            Token::Int(number) => {
                parameters.push(number);
                text += &format!(" {number}");
            }
            Token::Identifier(word) => text += &format!(" {word}"),
            _ => break,
        }
        end = parser.advance()?;
    }
    Ok(AccName { name: name.to_owned(), parameters, text, span: start.to(end) })
}

fn properties(parser: &mut Parser<'_>, header: &mut Header) -> Parsed<()> {
    loop {
        let start = parser.span;
        let denied = parser.take('!')?;
        match parser.token {
            Token::Identifier(name) => {
                let name = if denied { format!("!{name}") } else { name.to_owned() };
                let end = parser.advance()?;
                header.properties.declare(name, start.to(end))?;
            }
            _ if denied => return parser.unexpected("a property after `!`"),
            _ => return Ok(()),
        }
    }
}

fn finish(header: &mut Header, pending: Pending, seen: &HashMap<String, Span>) -> Parsed<()> {
    let count = header.scope.ap_count.unwrap_or(0);
    header.scope.ap_count = Some(count);
    for &(ap, span) in header.scope.early_uses.iter().chain(&pending.controllable) {
        if ap >= count {
            return expression::undeclared(ap, count, span);
        }
    }
    for &(state, span) in &header.initial {
        header.check_state(state, span)?;
    }
    if header.initial.is_empty()
        && let Some(span) = header.properties.get("complete")
    {
        return fail(span, "an automaton without `Start:` is not `complete`");
    }
    let Some((sets, condition, start)) = pending.condition else {
        return fail(header.end, "header `Acceptance:` is missing before `--BODY--`");
    };
    let whole = seen["Acceptance"].to(start);
    let name = pending.acc_name.as_ref();
    header.acceptance =
        acceptance::normalise(sets, &condition, whole, name.map(|name| name.text.as_str()))?;
    if let Some(name) = name
        && header.acceptance.is_named(&name.name, &name.parameters) == Some(false)
    {
        let message = format!("`Acceptance:` is not what `acc-name: {}` means", name.text);
        return Err(Diagnostic::error(whole, message)
            .note_at(name.span, "the name is given here")
            .into());
    }
    Ok(())
}

//! `#define` and `#undef`.

use std::sync::Arc;

use super::Preprocessor;
use super::token::{PpKind, PpToken};
use crate::diagnostics::{Diagnostic, Span};

#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: Arc<str>,
    /// The name in the `#define`.
    pub(super) definition: Span,
    /// Absent for an object-like macro.
    pub(super) params: Option<Params>,
    pub(super) body: Vec<PpToken>,
}

#[derive(PartialEq, Eq, Debug)]
pub(super) struct Params {
    pub(super) names: Vec<Arc<str>>,
    /// The last name takes all further arguments.
    pub(super) variadic: bool,
}

impl Macro {
    pub(super) fn param(&self, token: &PpToken) -> Option<usize> {
        if token.kind != PpKind::Ident {
            return None;
        }
        self.params.as_ref()?.names.iter().position(|name| *name == token.text)
    }

    /// C11 6.10.3p2: same parameters, same tokens, blanks in the same places.
    fn same_as(&self, other: &Macro) -> bool {
        let same_token = |(at, (a, b)): (usize, (&PpToken, &PpToken))| {
            a.text == b.text && (at == 0 || a.space == b.space)
        };
        self.params == other.params
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).enumerate().all(same_token)
    }
}

impl Preprocessor<'_> {
    /// Handles `-D` options: they are read like lines of `#define`.
    pub(super) fn define_from_command_line(&mut self, defines: &[String]) {
        if defines.is_empty() {
            return;
        }
        let line = |define: &String| {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            format!("#define {} {}\n", name.trim(), value.replace('\n', " "))
        };
        let text: String = defines.iter().map(line).collect();
        let Some(file) = self.sources.try_add("<command line>", &text) else {
            return self.error(Span::NOWHERE, "the -D options are too long");
        };
        self.open(file);
        while self.file_token(super::Reading::Text).kind != PpKind::Eof {}
    }

    pub(super) fn define(&mut self, hash: &PpToken) {
        let Some(name) = self.macro_name(hash, "#define") else { return };
        let mut tokens = self.rest_of_directive();
        let is_function = tokens.first().is_some_and(|token| token.is("(") && !token.space);
        let params = if is_function {
            match self.params(&name, &mut tokens) {
                Some(params) => Some(params),
                None => return,
            }
        } else {
            None
        };
        if let Some(first) = tokens.first_mut() {
            first.space = false;
        }
        for token in &mut tokens {
            token.line_start = false;
        }
        let new = Macro { name: name.text.clone(), definition: name.span, params, body: tokens };
        if !self.check_body(&new) {
            return;
        }
        if let Some(old) = self.macros.get(&name.text)
            && !old.same_as(&new)
        {
            let warning =
                Diagnostic::warning(name.span, format!("macro `{}` redefined", name.text))
                    .also(old.definition, "first defined here");
            self.diagnostics.push(warning);
        }
        self.macros.insert(name.text, Arc::new(new));
    }

    pub(super) fn undef(&mut self, hash: &PpToken) {
        if let Some(name) = self.macro_name(hash, "#undef") {
            self.macros.remove(&name.text);
        }
        self.rest_of_directive();
    }

    /// The name behind `#define`, `#undef`, `#ifdef`, `#ifndef`.
    pub(super) fn macro_name(&mut self, hash: &PpToken, directive: &str) -> Option<PpToken> {
        let token = self.directive_token();
        let (span, found) = match token {
            Some(token) if token.kind == PpKind::Ident && &*token.text != "defined" => {
                return Some(token);
            }
            Some(token) => (token.span, format!("found `{}`", token.text)),
            None => (hash.span, "found the end of the line".to_string()),
        };
        self.rest_of_directive();
        let error = Diagnostic::error(span, format!("expected a macro name behind `{directive}`"));
        self.diagnostics.push(error.label(found));
        None
    }

    /// Takes `(a, b, ...)` off the front of the tokens.
    fn params(&mut self, name: &PpToken, tokens: &mut Vec<PpToken>) -> Option<Params> {
        let mut params = Params { names: Vec::new(), variadic: false };
        let mut at = 1;
        if tokens.get(at).is_some_and(|token| token.is(")")) {
            tokens.drain(..=at);
            return Some(params);
        }
        loop {
            match tokens.get(at) {
                Some(token) if token.is("...") => {
                    params.names.push("__VA_ARGS__".into());
                    params.variadic = true;
                    at += 1;
                }
                Some(token) if token.kind == PpKind::Ident => {
                    if params.names.contains(&token.text) {
                        let message = format!("macro parameter `{}` occurs twice", token.text);
                        self.error(token.span, message);
                        return None;
                    }
                    params.names.push(token.text.clone());
                    at += 1;
                    if tokens.get(at).is_some_and(|token| token.is("...")) {
                        params.variadic = true;
                        at += 1;
                    }
                }
                _ => break,
            }
            match tokens.get(at) {
                Some(token) if token.is(")") => {
                    tokens.drain(..=at);
                    return Some(params);
                }
                Some(token) if token.is(",") && !params.variadic => at += 1,
                _ => break,
            }
        }
        let span = tokens.get(at).map_or(name.span, |token| token.span);
        let message = format!("malformed parameter list of macro `{}`", name.text);
        self.diagnostics
            .push(Diagnostic::error(span, message).help(
                "write `#define NAME(a, b) …`; a blank before `(` makes it part of the body",
            ));
        None
    }

    fn check_body(&mut self, new: &Macro) -> bool {
        if let Some(end) =
            [new.body.first(), new.body.last()].into_iter().flatten().find(|t| t.is("##"))
        {
            self.error(end.span, "`##` cannot stand at either end of a macro");
            return false;
        }
        if new.params.is_none() {
            return true;
        }
        for (at, token) in new.body.iter().enumerate() {
            let operand = new.body.get(at + 1);
            if token.is("#") && operand.and_then(|operand| new.param(operand)).is_none() {
                self.error(token.span, "`#` is not followed by a macro parameter");
                return false;
            }
        }
        true
    }
}

//! Lines that begin with `#`: dispatch, conditionals, line markers.

use super::Preprocessor;
use super::condition::evaluate;
use super::lex::lex_text;
use super::token::{PpKind, PpToken};
use crate::diagnostics::{Diagnostic, Span};

/// An open `#if`, `#ifdef` or `#ifndef`.
pub(super) struct Conditional {
    span: Span,
    /// One of its branches was taken.
    taken: bool,
    seen_else: bool,
}

impl Preprocessor<'_> {
    /// The next token of the directive's line.
    pub(super) fn directive_token(&mut self) -> Option<PpToken> {
        self.files.last_mut()?.lexer.next_on_line(&mut self.diagnostics)
    }

    pub(super) fn rest_of_directive(&mut self) -> Vec<PpToken> {
        std::iter::from_fn(|| self.directive_token()).collect()
    }

    /// Obeys the directive behind this `#`.
    pub(super) fn directive(&mut self, hash: &PpToken) {
        let Some(name) = self.directive_token() else { return };
        let span = self.sources.join(hash.span, name.span);
        match (name.kind, &*name.text) {
            (PpKind::Number, _) => self.line_marker(&name, hash),
            (PpKind::Ident, "line") => match self.directive_token() {
                Some(number) => self.line_marker(&number, hash),
                None => self.error(span, "expected a line number behind `#line`"),
            },
            (PpKind::Ident, "define") => self.define(hash),
            (PpKind::Ident, "undef") => self.undef(hash),
            (PpKind::Ident, "include") => self.include(span),
            (PpKind::Ident, "if") => {
                let holds = self.condition(span);
                self.open_conditional(span, holds);
            }
            (PpKind::Ident, word @ ("ifdef" | "ifndef")) => {
                let wanted = word == "ifdef";
                let Some(macro_name) = self.macro_name(hash, &format!("#{word}")) else {
                    return self.open_conditional(span, false);
                };
                self.ignore_rest(word);
                let defined = self.is_defined(&macro_name.text);
                self.open_conditional(span, defined == wanted);
            }
            (PpKind::Ident, word @ ("elif" | "else" | "endif")) => {
                // Text was being read, so the branch before was the one taken: skip the others.
                if self.next_branch(word, span) {
                    self.skip_branches();
                }
            }
            (PpKind::Ident, word @ ("error" | "warning")) => {
                let (text, at) = self.files.last_mut().expect("in a file").lexer.rest_of_line();
                let message = format!("#{word} {text}");
                let at = self.sources.join(span, at);
                let diagnostic =
                    if word == "error" { Diagnostic::error } else { Diagnostic::warning };
                self.diagnostics.push(diagnostic(at, message.trim_end().to_string()));
            }
            (PpKind::Ident, "pragma" | "ident" | "sccs" | "assert" | "unassert") => {
                self.rest_of_directive();
                let message = format!("`#{}` has no meaning in a model and is ignored", name.text);
                self.diagnostics.push(Diagnostic::warning(span, message));
            }
            _ => {
                self.rest_of_directive();
                let message = format!("`#{}` is not a preprocessor directive", name.text);
                self.diagnostics.push(Diagnostic::error(span, message).help(
                    "known are define, undef, include, if, ifdef, ifndef, elif, else, endif, error",
                ));
            }
        }
    }

    fn ignore_rest(&mut self, directive: &str) {
        if let Some(extra) = self.rest_of_directive().first() {
            let message = format!("extra text behind `#{directive}` is ignored");
            self.diagnostics.push(Diagnostic::warning(extra.span, message));
        }
    }

    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name) || matches!(name, "__LINE__" | "__FILE__")
    }

    /// `# 12 "file" flags`, as an outside preprocessor leaves it.
    fn line_marker(&mut self, number: &PpToken, hash: &PpToken) {
        let rest = self.rest_of_directive();
        let Ok(line) = number.text.parse::<u32>() else {
            let message = format!("`{}` is not a line number", number.text);
            return self.error(number.span, message);
        };
        let file = match rest.first() {
            Some(name) if name.kind == PpKind::String => {
                name.text[1..name.text.len() - 1].to_string()
            }
            Some(other) => {
                let span = other.span;
                return self.error(span, "expected a file name in quotes");
            }
            None => match self.sources.location(number.span) {
                Some(location) => location.file.to_string(),
                None => return,
            },
        };
        self.sources.mark_line(hash.span.lo, line, &file);
    }

    fn open_conditional(&mut self, span: Span, holds: bool) {
        let file = self.files.last_mut().expect("in a file");
        file.conditionals.push(Conditional { span, taken: holds, seen_else: false });
        if !holds {
            self.skip_branches();
        }
    }

    /// Moves to the next branch of the innermost conditional. Says whether it is to be skipped.
    fn next_branch(&mut self, word: &str, span: Span) -> bool {
        let Some(conditional) = self.files.last_mut().and_then(|file| file.conditionals.last_mut())
        else {
            self.rest_of_directive();
            let error = Diagnostic::error(span, format!("`#{word}` without `#if`"));
            self.diagnostics.push(error);
            return false;
        };
        let (opened, taken, seen_else) =
            (conditional.span, conditional.taken, conditional.seen_else);
        if word == "endif" {
            self.files.last_mut().expect("in a file").conditionals.pop();
            self.ignore_rest(word);
            return false;
        }
        if seen_else {
            let error = Diagnostic::error(span, format!("`#{word}` behind `#else`"));
            self.diagnostics.push(error.also(opened, "of this conditional"));
            self.rest_of_directive();
            return true;
        }
        let holds = match word {
            "else" => {
                self.ignore_rest(word);
                true
            }
            _ if taken => {
                self.rest_of_directive();
                true
            }
            _ => self.condition(span),
        };
        let file = self.files.last_mut().expect("in a file");
        let conditional = file.conditionals.last_mut().expect("still open");
        conditional.taken = taken || holds;
        conditional.seen_else = word == "else";
        taken || !holds
    }

    /// Skips text up to the branch to be read, or behind `#endif`.
    fn skip_branches(&mut self) {
        let mut nested = 0u32;
        // Text that is skipped may hold anything; only an unclosed comment is an error there.
        let mut ignored = Vec::new();
        loop {
            let file = self.files.last_mut().expect("in a file");
            let token = file.lexer.next(&mut ignored);
            if token.kind == PpKind::Eof {
                break; // reported where the file is closed
            }
            if !token.line_start || !token.is("#") {
                continue;
            }
            let Some(name) = file.lexer.next_on_line(&mut ignored) else { continue };
            match &*name.text {
                "if" | "ifdef" | "ifndef" => {
                    nested += 1;
                    file.lexer.skip_line(&mut ignored);
                }
                "endif" if nested > 0 => {
                    nested -= 1;
                    file.lexer.skip_line(&mut ignored);
                }
                word @ ("elif" | "else" | "endif") if nested == 0 => {
                    let span = self.sources.join(token.span, name.span);
                    if !self.next_branch(word, span) {
                        break;
                    }
                }
                _ => file.lexer.skip_line(&mut ignored),
            }
        }
        self.diagnostics.extend(ignored.into_iter().filter(Diagnostic::is_error));
    }

    /// Evaluates the rest of the line; an error counts as false.
    fn condition(&mut self, span: Span) -> bool {
        let tokens = self.rest_of_directive();
        let mut replaced = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            if !token.is_ident("defined") {
                replaced.push(token.clone());
                continue;
            }
            let paren = tokens.get(at).is_some_and(|token| token.is("("));
            let name =
                tokens.get(at + usize::from(paren)).filter(|name| name.kind == PpKind::Ident);
            let closed = !paren || tokens.get(at + 2).is_some_and(|token| token.is(")"));
            let (Some(name), true) = (name, closed) else {
                self.error(token.span, "expected a name behind `defined`");
                return false;
            };
            at += if paren { 3 } else { 1 };
            let value = if self.is_defined(&name.text) { "1" } else { "0" };
            replaced.extend(lex_text(value, token.span));
        }
        let expanded = self.expand_list(replaced);
        let line = tokens.last().map_or(span, |last| self.sources.join(span, last.span));
        match evaluate(&expanded, line) {
            Ok(holds) => holds,
            Err(error) => {
                self.diagnostics.push(error);
                false
            }
        }
    }

    /// Leaves the current file.
    pub(super) fn close_file(&mut self) {
        let Some(file) = self.files.pop() else { return };
        for open in file.conditionals {
            let error = Diagnostic::error(open.span, "this conditional has no `#endif`");
            self.diagnostics.push(error);
        }
    }

    /// Expands a list by itself: an argument, or what stands in a directive.
    pub(super) fn expand_list(&mut self, tokens: Vec<PpToken>) -> Vec<PpToken> {
        self.contexts.push(super::Context { tokens, at: 0, of_macro: None, closed: true });
        let mut expanded = Vec::new();
        loop {
            let token = self.expanded_token();
            if token.kind == PpKind::Eof {
                break;
            }
            expanded.push(token);
        }
        self.pop_context();
        expanded
    }
}

//! Reading inline bodies in place of their calls, and arguments in place of parameters.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::scan;
use super::token::{Tok, Token};
use super::{Lexer, MAX_INLINE_TOKENS};
use crate::diagnostics::{Diagnostic, Expansion, ExpansionId, ExpansionKind, Span};

/// The definition of an inline, as the lexer needs it.
#[derive(Debug)]
pub(crate) struct InlineBody {
    pub(crate) name: Arc<str>,
    pub(crate) definition: Span,
    pub(crate) params: Vec<Arc<str>>,
    /// Range of the preprocessed text, with the braces.
    pub(crate) lo: u32,
    pub(crate) hi: u32,
}

/// A call being read.
pub(super) struct Call {
    body: Rc<InlineBody>,
    args: Vec<Rc<[Token]>>,
    expansion: ExpansionId,
    /// Macro calls within the body, copied so that they lead on to this call.
    copies: HashMap<ExpansionId, ExpansionId>,
}

pub(super) enum Frame {
    /// The model or the body of an inline.
    Text { at: usize, end: usize, inline: Option<Box<Call>> },
    /// An argument in place of a parameter. Its tokens take the parameter's place in the body,
    /// so that a statement lies where the inline's text is; the call is known anyway.
    Argument { tokens: Rc<[Token]>, at: usize, place: Span },
}

impl Frame {
    pub(super) fn model(end: usize) -> Frame {
        Frame::Text { at: 0, end, inline: None }
    }
}

impl Lexer<'_> {
    /// Is this inline being expanded right now?
    pub(crate) fn is_expanding(&self, name: &str) -> bool {
        self.frames.iter().any(|frame| match frame {
            Frame::Text { inline: Some(call), .. } => &*call.body.name == name,
            _ => false,
        })
    }

    pub(crate) fn inline_depth(&self) -> usize {
        self.frames
            .iter()
            .filter(|frame| matches!(frame, Frame::Text { inline: Some(_), .. }))
            .count()
    }

    /// From here on reads the body, starting with its `{`.
    pub(crate) fn enter_inline(
        &mut self,
        body: &Rc<InlineBody>,
        args: Vec<Rc<[Token]>>,
        call: Span,
    ) {
        // Frames that are read to their end are left first, so that the depth is the real one.
        while self.frames.len() > 1 && self.frames.last().is_some_and(|frame| self.is_at_end(frame))
        {
            self.frames.pop();
        }
        let expansion = self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Inline,
            name: body.name.clone(),
            call,
        });
        let call = Call { body: body.clone(), args, expansion, copies: HashMap::new() };
        self.frames.push(Frame::Text {
            at: body.lo as usize,
            end: body.hi as usize,
            inline: Some(Box::new(call)),
        });
    }

    fn is_at_end(&self, frame: &Frame) -> bool {
        match frame {
            Frame::Text { inline: None, .. } => false,
            Frame::Text { at, end, .. } => self.expanded.text()[*at..*end].trim_start().is_empty(),
            Frame::Argument { tokens, at, .. } => *at == tokens.len(),
        }
    }

    /// The next token of the innermost frame, with the newline rule.
    pub(super) fn cut_from_frames(&mut self) -> Token {
        let text = self.expanded.text();
        loop {
            // The text of the model ends by itself; what its inlines make of it may not.
            if self.frames.len() > 1 {
                match self.tokens_left.checked_sub(1) {
                    Some(left) => self.tokens_left = left,
                    None => return self.stop_runaway(),
                }
            }
            match self.frames.last_mut() {
                None => return self.end_of_model(),
                Some(Frame::Argument { tokens, at, place }) => match tokens.get(*at) {
                    Some(token) => {
                        *at += 1;
                        return Token { span: *place, ..*token };
                    }
                    None => {
                        self.frames.pop();
                    }
                },
                Some(Frame::Text { at, end, inline }) => {
                    let blank = text[*at..*end].find(|c: char| !c.is_ascii_whitespace());
                    let stop = blank.map_or(*end, |blank| *at + blank);
                    let newline = text[*at..stop].find('\n').map(|offset| *at + offset);
                    if let Some(newline) = newline
                        && self.in_body
                        && self.open_parens == 0
                        && self.last_cut.may_end_statement()
                    {
                        *at = newline + 1;
                        let (lo, hi) = (newline, newline + 1);
                        let span = self.span_of(newline.saturating_sub(1), newline).end();
                        return Token { kind: Tok::Semi, lo: lo as u32, hi: hi as u32, span };
                    }
                    let Some((start, mut stop, kind)) = scan::next_token(text, *at, *end) else {
                        if self.frames.len() == 1 {
                            return self.end_of_model();
                        }
                        self.frames.pop();
                        continue;
                    };
                    if kind == Tok::Name
                        && let Some(call) = inline
                        && let Some(argument) = call.argument(&text[start..stop], text)
                    {
                        *at = stop;
                        self.substitute(argument, start, stop);
                        continue;
                    }
                    if matches!(kind, Tok::CCode | Tok::CExpr | Tok::CDecl) {
                        stop = embedded_c_end(text, stop, *end).unwrap_or(stop);
                    }
                    *at = stop;
                    let span = self.span_of(start, stop);
                    if kind == Tok::CommentEnd {
                        self.stray_comment_end(span);
                        continue;
                    }
                    return Token { kind, lo: start as u32, hi: stop as u32, span };
                }
            }
        }
    }

    /// Comments do not nest, so `/* a /* b */ */` leaves one over. Spin ignores it.
    fn stray_comment_end(&mut self, span: Span) {
        let warning = Diagnostic::warning(span, "`*/` without a comment to end is ignored");
        self.diagnostics.push(warning.note("comments do not nest"));
    }

    fn stop_runaway(&mut self) -> Token {
        let end = self.end_of_model();
        let call = self.frames.iter().find_map(|frame| match frame {
            Frame::Text { inline: Some(call), .. } => self.sources.expansion(call.expansion),
            _ => None,
        });
        let span = call.map_or(end.span, |expansion| expansion.call);
        self.diagnostics.push(
            Diagnostic::error(span, "the calls of inlines make too much text")
                .note(format!("at most {MAX_INLINE_TOKENS} tokens may come from inlines")),
        );
        self.frames.clear();
        end
    }

    fn substitute(&mut self, argument: Argument, start: usize, stop: usize) {
        let place = self.span_of(start, stop);
        let tokens = match argument {
            Argument::Tokens(tokens) => tokens,
            Argument::Formal(tokens) => {
                let actual = tokens[0];
                let name = self.text(actual);
                let message = format!("the argument `{name}` is also a parameter of this inline");
                self.diagnostics.push(
                    Diagnostic::error(actual.span, message)
                        .also(place, "would be replaced again here")
                        .help("rename the parameter; Spin refuses this too"),
                );
                tokens
            }
        };
        self.frames.push(Frame::Argument { tokens, at: 0, place });
    }

    /// Gives text of an inline body the call as its innermost origin beyond macros.
    pub(super) fn within_inline(&mut self, span: Span) -> Span {
        let call = self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Text { inline, .. } => Some(inline),
            Frame::Argument { .. } => None,
        });
        let Some(Some(call)) = call else { return span };
        let expansion = self.sources.rebase(span.expansion, call.expansion, &mut call.copies);
        Span { expansion, ..span }
    }
}

enum Argument {
    Tokens(Rc<[Token]>),
    /// Just the name of another parameter, which Spin refuses.
    Formal(Rc<[Token]>),
}

impl Call {
    /// The argument to read in place of this name, if it is a parameter.
    fn argument(&self, name: &str, text: &str) -> Option<Argument> {
        let at = self.body.params.iter().position(|param| &**param == name)?;
        let tokens = self.args.get(at)?.clone();
        let [only] = tokens[..] else { return Some(Argument::Tokens(tokens)) };
        let actual = &text[only.lo as usize..only.hi as usize];
        if actual == name {
            return Some(Argument::Tokens(tokens)); // replaced by itself, once
        }
        let formal = self.body.params.iter().any(|param| &**param == actual);
        Some(if formal { Argument::Formal(tokens) } else { Argument::Tokens(tokens) })
    }
}

/// Behind `c_code` and the like: the end of `[…] {…}`.
fn embedded_c_end(text: &str, from: usize, end: usize) -> Option<usize> {
    let (_, mut stop, mut kind) = scan::next_token(text, from, end)?;
    if kind == Tok::OpenBracket {
        let mut depth = 1;
        while depth > 0 {
            (_, stop, kind) = scan::next_token(text, stop, end)?;
            match kind {
                Tok::OpenBracket => depth += 1,
                Tok::CloseBracket => depth -= 1,
                _ => {}
            }
        }
        (_, stop, kind) = scan::next_token(text, stop, end)?;
    }
    if kind != Tok::OpenBrace {
        return None;
    }
    scan::matching_brace(text, stop, end).map(|close| close + 1)
}

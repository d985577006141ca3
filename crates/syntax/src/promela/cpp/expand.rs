//! Macro expansion, C11 6.10.3, in the way of gcc's preprocessor: a stack of token lists; a
//! macro is disabled while its list is on the stack, and a name that is met while disabled is
//! painted for ever.

use std::sync::Arc;

use super::define::Macro;
use super::lex::lex_text;
use super::token::{PpKind, PpToken};
use super::{Context, Preprocessor, Reading};
use crate::diagnostics::{Diagnostic, Expansion, ExpansionId, ExpansionKind, Span};

/// Macro calls within arguments of macro calls within …
const MAX_ARGUMENT_DEPTH: u32 = 100;

struct Argument {
    raw: Vec<PpToken>,
    /// Expanded by itself, when first needed.
    expanded: Option<Vec<PpToken>>,
}

impl Preprocessor<'_> {
    /// The next token with macros expanded.
    pub(super) fn expanded_token(&mut self) -> PpToken {
        loop {
            let mut token = self.raw_token(Reading::Text);
            if token.kind != PpKind::Ident || token.painted {
                if token.kind == PpKind::Placemarker {
                    continue;
                }
                return token;
            }
            if self.contexts.is_empty() {
                self.call_line = token.line;
            }
            let entered = match self.macros.get(&token.text).cloned() {
                Some(_) if self.disabled.contains(&token.text) => {
                    token.painted = true;
                    return token;
                }
                Some(found) if found.params.is_some() => self.enter_function(&found, &token),
                Some(found) => {
                    self.enter_object(&found, &token);
                    true
                }
                None => self.enter_builtin(&token),
            };
            if !entered {
                return token;
            }
        }
    }

    fn enter_builtin(&mut self, name: &PpToken) -> bool {
        let Some(location) = self.sources.location(self.sources.call_site(name.span)) else {
            return false;
        };
        let text = match &*name.text {
            "__LINE__" => location.line.to_string(),
            "__FILE__" => format!("\"{}\"", location.file),
            _ => return false,
        };
        let mut tokens = lex_text(&text, name.span);
        for token in &mut tokens {
            token.space = name.space;
        }
        self.contexts.push(Context { tokens, at: 0, of_macro: None, closed: false });
        true
    }

    fn add_expansion(&mut self, found: &Macro, call: Span) -> ExpansionId {
        self.sources.add_expansion(Expansion {
            kind: ExpansionKind::Macro,
            name: found.name.clone(),
            call,
        })
    }

    fn enter_object(&mut self, found: &Arc<Macro>, name: &PpToken) {
        let expansion = self.add_expansion(found, name.span);
        let body = self.substitute(found, &mut [], expansion);
        self.push_body(found, name, body);
    }

    fn push_body(&mut self, found: &Macro, name: &PpToken, mut body: Vec<PpToken>) {
        if let Some(first) = body.first_mut() {
            first.space = name.space;
        } else {
            self.space_due |= name.space;
        }
        self.disabled.insert(found.name.clone());
        let of_macro = Some(found.name.clone());
        self.contexts.push(Context { tokens: body, at: 0, of_macro, closed: false });
    }

    /// Expands a call, if a `(` follows.
    fn enter_function(&mut self, found: &Arc<Macro>, name: &PpToken) -> bool {
        let call_line = self.call_line;
        let paren = self.raw_token(Reading::LookingForParen);
        if !paren.is("(") {
            self.unread(paren);
            return false;
        }
        let Some((mut arguments, close)) = self.collect(found, name) else { return true };
        self.call_line = call_line;
        let call = self.sources.join(name.span, close);
        let expansion = self.add_expansion(found, call);
        if self.argument_depth >= MAX_ARGUMENT_DEPTH {
            self.stopped = true;
            self.error(call, "macro calls are nested too deeply in arguments");
            return true;
        }
        self.argument_depth += 1;
        let body = self.substitute(found, &mut arguments, expansion);
        self.argument_depth -= 1;
        self.push_body(found, name, body);
        true
    }

    /// Reads the arguments up to the closing parenthesis, and checks their number.
    fn collect(&mut self, found: &Macro, name: &PpToken) -> Option<(Vec<Argument>, Span)> {
        let params = found.params.as_ref().expect("a function-like macro");
        let mut lists = vec![Vec::new()];
        let mut depth = 0u32;
        let close = loop {
            let mut token = self.raw_token(Reading::Arguments);
            match token.kind {
                PpKind::Eof => {
                    let message = format!("call of macro `{}` has no closing `)`", found.name);
                    self.error(name.span, message);
                    return None;
                }
                PpKind::Punct if token.is("(") => depth += 1,
                PpKind::Punct if token.is(")") && depth == 0 => break token.span,
                PpKind::Punct if token.is(")") => depth -= 1,
                PpKind::Punct
                    if token.is(",")
                        && depth == 0
                        && !(params.variadic && lists.len() == params.names.len()) =>
                {
                    lists.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            token.space |= std::mem::take(&mut token.line_start);
            lists.last_mut().expect("at least one").push(token);
        };
        if params.names.is_empty() && lists.len() == 1 && lists[0].is_empty() {
            lists.clear();
        }
        if params.variadic && lists.len() + 1 == params.names.len() {
            lists.push(Vec::new());
        }
        if lists.len() != params.names.len() {
            let count =
                |n: usize| if n == 1 { "1 argument".into() } else { format!("{n} arguments") };
            let message = format!(
                "macro `{}` takes {} but is given {}",
                found.name,
                count(params.names.len()),
                lists.len()
            );
            let error = Diagnostic::error(self.sources.join(name.span, close), message);
            self.diagnostics.push(error.also(found.definition, "defined here"));
            return None;
        }
        let arguments = lists.into_iter().map(|raw| Argument { raw, expanded: None }).collect();
        Some((arguments, close))
    }

    /// The body with arguments put in, `#` and `##` done. Tokens of the body get the expansion.
    fn substitute(
        &mut self,
        found: &Macro,
        arguments: &mut [Argument],
        expansion: ExpansionId,
    ) -> Vec<PpToken> {
        let mut made: Vec<PpToken> = Vec::with_capacity(found.body.len());
        let mut paste_due = false;
        let mut at = 0;
        while let Some(token) = found.body.get(at) {
            at += 1;
            if token.is("##") {
                paste_due = true;
                continue;
            }
            let pasted_next = found.body.get(at).is_some_and(|next| next.is("##"));
            let mut part = if token.is("#") && found.params.is_some() {
                let operand = found.body.get(at).and_then(|operand| found.param(operand));
                at += 1;
                let argument = &arguments[operand.expect("checked at the definition")];
                vec![stringify(&argument.raw, token)]
            } else if let Some(param) = found.param(token) {
                let variadic =
                    found.params.as_ref().is_some_and(|p| p.variadic && param + 1 == p.names.len());
                if paste_due && variadic && made.last().is_some_and(|last| last.is(",")) {
                    // gcc: `, ## __VA_ARGS__` drops the comma before nothing, else does not paste.
                    paste_due = false;
                    if arguments[param].raw.is_empty() {
                        made.pop();
                    }
                    let part = self.expand_argument(&mut arguments[param]);
                    made.extend(self.as_argument(part, expansion));
                    continue;
                } else if paste_due || pasted_next {
                    let part = self.as_argument(arguments[param].raw.clone(), expansion);
                    placemark(part, token)
                } else {
                    let part = self.expand_argument(&mut arguments[param]);
                    self.as_argument(part, expansion)
                }
            } else {
                vec![token.clone()]
            };
            for made_token in &mut part {
                // Only tokens of the body: an argument's tokens were written in the call.
                if made_token.span.lo == token.span.lo
                    && made_token.span.expansion == ExpansionId::NONE
                {
                    made_token.span.expansion = expansion;
                }
            }
            if let Some(first) = part.first_mut() {
                first.space = token.space;
            }
            if std::mem::take(&mut paste_due) && !part.is_empty() {
                let right = part.remove(0);
                let left = made.pop();
                let pasted = self.paste(left, right);
                made.extend(pasted);
            }
            made.append(&mut part);
        }
        made
    }

    fn expand_argument(&mut self, argument: &mut Argument) -> Vec<PpToken> {
        if argument.expanded.is_none() {
            argument.expanded = Some(self.expand_list(argument.raw.clone()));
        }
        argument.expanded.clone().unwrap_or_default()
    }

    /// Marks tokens of one argument as such, so that joined spans reach over the whole call.
    fn as_argument(&mut self, mut tokens: Vec<PpToken>, expansion: ExpansionId) -> Vec<PpToken> {
        let mut known: Option<(ExpansionId, ExpansionId)> = None;
        for token in &mut tokens {
            let written_in = token.span.expansion;
            token.span.expansion = match known {
                Some((same, id)) if same == written_in => id,
                _ => {
                    let of = self.sources.expansion(expansion).expect("just added").clone();
                    let kind = ExpansionKind::Argument { written_in };
                    self.sources.add_expansion(Expansion { kind, ..of })
                }
            };
            known = Some((written_in, token.span.expansion));
        }
        tokens
    }

    fn paste(&mut self, left: Option<PpToken>, right: PpToken) -> Vec<PpToken> {
        let Some(left) = left else { return vec![right] };
        if left.kind == PpKind::Placemarker {
            return vec![PpToken { space: left.space, ..right }];
        }
        if right.kind == PpKind::Placemarker {
            return vec![left];
        }
        let text = format!("{}{}", left.text, right.text);
        let span = self.sources.join(left.span, right.span);
        let mut pasted = lex_text(&text, span);
        if pasted.len() == 1 {
            let token = &mut pasted[0];
            (token.space, token.line) = (left.space, left.line);
            return pasted;
        }
        let message =
            format!("pasting `{}` and `{}` does not give one token", left.text, right.text);
        self.error(span, message);
        vec![left, right]
    }
}

/// An operand of `##` must be something even if the argument is empty.
fn placemark(tokens: Vec<PpToken>, param: &PpToken) -> Vec<PpToken> {
    if tokens.is_empty() {
        return vec![PpToken { kind: PpKind::Placemarker, text: "".into(), ..param.clone() }];
    }
    tokens
}

/// `#x`: the argument's spelling as a string.
fn stringify(tokens: &[PpToken], hash: &PpToken) -> PpToken {
    let mut text = String::from("\"");
    for (at, token) in tokens.iter().enumerate() {
        if at > 0 && token.space {
            text.push(' ');
        }
        if matches!(token.kind, PpKind::String | PpKind::Char) {
            for c in token.text.chars() {
                if matches!(c, '"' | '\\') {
                    text.push('\\');
                }
                text.push(c);
            }
        } else {
            text.push_str(&token.text);
        }
    }
    text.push('"');
    PpToken { kind: PpKind::String, text: text.into(), ..hash.clone() }
}

//! The C preprocessor, as far as Promela meets it.
//!
//! Spin runs `gcc -std=gnu99 -E -x c` on a model, so the odd cases are gcc's: `1..N` is one
//! preprocessing number (the `N` does not expand), an unclosed apostrophe hides the rest of its
//! line from expansion, a macro call printed over several lines becomes one line. Newlines of
//! the output matter, since Promela takes a newline as separator.
//!
//! The outcome is text like gcc's, with the origin of each piece ([`Expanded`]).

mod condition;
mod define;
mod directive;
mod expand;
mod include;
mod lex;
mod output;
mod token;

#[cfg(test)]
mod tests;

pub(crate) use include::read_source;
pub use output::Expanded;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use self::define::Macro;
use self::directive::Conditional;
use self::lex::FileLexer;
use self::output::Output;
use self::token::{PpKind, PpToken};
use super::CppOptions;
use crate::diagnostics::{Diagnostic, FileId, SourceMap, Span};

/// Macros and included files may not make more tokens than this. The text of the model itself
/// has no such limit.
const MAX_TOKENS: u32 = 4_000_000;

/// The macros that are defined at the end of a text.
#[derive(Clone, Debug, Default)]
pub struct Macros(HashMap<Arc<str>, Arc<Macro>>);

/// Preprocesses a file of `sources` (and what it includes), with macros known before, and those
/// known behind. Errors are among the diagnostics.
pub fn preprocess(
    sources: &mut SourceMap,
    root: FileId,
    options: &CppOptions,
    macros: &mut Macros,
) -> (Expanded, Vec<Diagnostic>) {
    let mut run = Preprocessor {
        sources,
        include_dirs: &options.include_dirs,
        diagnostics: Vec::new(),
        files: Vec::new(),
        macros: std::mem::take(&mut macros.0),
        disabled: HashSet::new(),
        contexts: Vec::new(),
        pushed_back: Vec::new(),
        newline_due: false,
        space_due: false,
        call_line: 0,
        tokens_left: MAX_TOKENS,
        argument_depth: 0,
        stopped: false,
    };
    run.define_from_command_line(&options.defines);
    run.open(root);
    let mut output = Output::default();
    loop {
        let mut token = run.expanded_token();
        token.space |= std::mem::take(&mut run.space_due);
        if token.kind == PpKind::Eof {
            break;
        }
        let line = if run.contexts.is_empty() { token.line } else { run.call_line };
        output.push(&token, std::mem::take(&mut run.newline_due), line);
    }
    macros.0 = run.macros;
    (output.finish(), run.diagnostics)
}

struct OpenFile {
    id: FileId,
    lexer: FileLexer,
    conditionals: Vec<Conditional>,
    /// Where its `#include "…"` look first.
    directory: PathBuf,
}

/// Tokens to read before the file goes on: the body of a macro, or an argument.
struct Context {
    tokens: Vec<PpToken>,
    at: usize,
    /// The macro that is disabled until these tokens are read.
    of_macro: Option<Arc<str>>,
    /// An argument is expanded by itself: nothing is read beyond its end.
    closed: bool,
}

struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    include_dirs: &'a [PathBuf],
    diagnostics: Vec<Diagnostic>,
    files: Vec<OpenFile>,
    macros: HashMap<Arc<str>, Arc<Macro>>,
    disabled: HashSet<Arc<str>>,
    contexts: Vec<Context>,
    /// File tokens that were read too far.
    pushed_back: Vec<PpToken>,
    /// A new source line began since the last token of the output.
    newline_due: bool,
    /// A macro that expanded to nothing stood behind a blank.
    space_due: bool,
    /// Line of the outermost macro call; its tokens count as being on that line.
    call_line: u32,
    tokens_left: u32,
    argument_depth: u32,
    /// Nothing more is read, because of a fatal error.
    stopped: bool,
}

/// Why a token is read from the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Text,
    /// Is there a `(` behind this name? A directive waits until that is known.
    LookingForParen,
    Arguments,
}

impl Preprocessor<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn open(&mut self, id: FileId) {
        let text = self.sources.file_text(id);
        let base = self.sources.file_span(id).lo;
        let name = PathBuf::from(&*self.sources.file_name(id));
        let directory = name.parent().map(PathBuf::from).unwrap_or_default();
        let lexer = FileLexer::new(text, base);
        self.files.push(OpenFile { id, lexer, conditionals: Vec::new(), directory });
    }

    fn eof(&self) -> PpToken {
        let end =
            self.files.last().map_or(Span::NOWHERE, |file| self.sources.file_span(file.id).end());
        PpToken {
            kind: PpKind::Eof,
            text: "".into(),
            span: end,
            space: false,
            line_start: true,
            painted: false,
            line: 0,
        }
    }

    /// The next token of the files, directives obeyed.
    fn file_token(&mut self, reading: Reading) -> PpToken {
        loop {
            if self.stopped {
                return self.eof();
            }
            let token = match self.pushed_back.pop() {
                Some(token) => token,
                None => match self.files.last_mut() {
                    Some(file) => file.lexer.next(&mut self.diagnostics),
                    None => return self.eof(),
                },
            };
            match token.kind {
                PpKind::Eof if reading == Reading::Text && self.files.len() > 1 => {
                    self.close_file()
                }
                PpKind::Eof => {
                    if reading == Reading::Text {
                        self.close_file();
                    }
                    return token;
                }
                PpKind::Punct
                    if token.line_start && token.is("#") && reading != Reading::LookingForParen =>
                {
                    self.directive(&token);
                }
                _ => {
                    if reading == Reading::Text && token.line_start {
                        self.newline_due = true;
                    }
                    return token;
                }
            }
        }
    }

    /// The next token of macro bodies or files, not expanded.
    fn raw_token(&mut self, reading: Reading) -> PpToken {
        let is_own_text = self.contexts.is_empty() && self.files.len() <= 1;
        self.tokens_left = self.tokens_left.saturating_sub(u32::from(!is_own_text));
        if self.tokens_left == 0 && !self.stopped {
            let token = self.eof();
            let span =
                self.contexts.first().and_then(|c| c.tokens.first()).map_or(token.span, |t| t.span);
            self.too_much_text(span);
        }
        if self.stopped {
            self.contexts.retain(|context| context.closed);
            return self.eof();
        }
        while let Some(context) = self.contexts.last_mut() {
            if let Some(token) = context.tokens.get(context.at) {
                context.at += 1;
                return token.clone();
            }
            if context.closed {
                return self.eof();
            }
            self.pop_context();
        }
        self.file_token(reading)
    }

    fn too_much_text(&mut self, span: Span) {
        self.stopped = true;
        self.diagnostics.push(
            Diagnostic::error(span, "macros and included files make too much text")
                .note(format!("at most {MAX_TOKENS} tokens may come from them")),
        );
    }

    fn pop_context(&mut self) {
        if let Some(name) = self.contexts.pop().and_then(|context| context.of_macro) {
            self.disabled.remove(&name);
        }
    }

    /// Puts the token that was read last back.
    fn unread(&mut self, token: PpToken) {
        if token.kind == PpKind::Eof {
            return; // the end is found again
        }
        match self.contexts.last_mut() {
            Some(context) => context.at -= 1,
            None => self.pushed_back.push(token),
        }
    }
}

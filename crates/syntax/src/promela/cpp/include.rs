//! `#include`.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::Preprocessor;
use super::lex::lex_text;
use crate::diagnostics::{Diagnostic, FileId, Span};

/// As deep as gcc goes; also what stops a file that includes itself.
const MAX_INCLUDE_DEPTH: usize = 200;

/// An included file counts as so many tokens, however few it has.
const TOKENS_FOR_A_FILE: u32 = 100;

/// A larger file is not a model.
const MAX_FILE_BYTES: u64 = 64 << 20;

impl Preprocessor<'_> {
    pub(super) fn include(&mut self, directive: Span) {
        let (text, at) = self.files.last_mut().expect("in a file").lexer.rest_of_line();
        let span = self.sources.join(directive, at);
        let Some((name, quoted)) = header_name(&text).or_else(|| self.header_from_macro(&text, at))
        else {
            let error =
                Diagnostic::error(span, "expected `\"file\"` or `<file>` behind `#include`");
            return self.diagnostics.push(error);
        };
        if self.files.len() >= MAX_INCLUDE_DEPTH {
            let error = Diagnostic::error(span, format!("`{name}`: files are included too deeply"))
                .note(format!("at most {MAX_INCLUDE_DEPTH} levels; does a file include itself?"));
            self.stopped = true;
            return self.diagnostics.push(error);
        }
        // Files that include each other twice are opened more often than anybody can wait for.
        self.tokens_left = self.tokens_left.saturating_sub(TOKENS_FOR_A_FILE);
        if self.tokens_left == 0 {
            return self.too_much_text(span);
        }
        match self.load(&name, quoted) {
            Ok(file) => self.open(file),
            Err(why) => {
                let mut error = Diagnostic::error(span, format!("cannot include `{name}`: {why}"));
                if why.contains("not found") {
                    error = error.help("name its directory with -I");
                }
                self.diagnostics.push(error);
            }
        }
    }

    /// `#include NAME`, where NAME expands to a header name.
    fn header_from_macro(&mut self, text: &str, at: Span) -> Option<(String, bool)> {
        let expanded = self.expand_list(lex_text(text, at));
        let spelled: String = expanded.iter().map(|token| &*token.text).collect();
        header_name(&spelled)
    }

    fn load(&mut self, name: &str, quoted: bool) -> Result<FileId, String> {
        let beside = self.files.last().filter(|_| quoted).map(|file| file.directory.clone());
        let directories = beside.iter().chain(self.include_dirs);
        let candidates: Vec<PathBuf> = directories.map(|directory| directory.join(name)).collect();
        let Some(path) = candidates.into_iter().find(|path| path.is_file()) else {
            return Err("file not found".into());
        };
        let shown = path.to_string_lossy();
        if let Some(known) = self.sources.find(&shown) {
            return Ok(known);
        }
        let text = read_source(&path).map_err(|error| error.to_string())?;
        self.sources.try_add(&shown, &text).ok_or_else(|| "too much text in all".into())
    }
}

/// Reads a source file; bytes that are not UTF-8 (old Latin-1 comments) are replaced.
pub(crate) fn read_source(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(std::io::Error::other("the file is larger than 64 MiB"));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

fn header_name(text: &str) -> Option<(String, bool)> {
    let close = match text.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return None,
    };
    let end = text[1..].find(close)? + 1;
    (end > 1).then(|| (text[1..end].to_string(), close == '"'))
}

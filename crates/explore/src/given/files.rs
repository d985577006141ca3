//! Places in the sources, as browsers count.

use lariat_syntax::diagnostics::{SourceMap, Span};

use crate::subject::Place;

/// The files of a model, with where their lines begin.
pub(super) struct Files {
    files: Vec<File>,
}

struct File {
    name: String,
    text: std::sync::Arc<str>,
    /// In the position space of all files.
    base: u32,
    /// Bytes.
    lines: Vec<u32>,
}

impl Files {
    /// Of the sources as they are now: what is typed later is no file of the model.
    pub(super) fn of(sources: &SourceMap) -> Files {
        let mut base = 1;
        let file = |(name, text): (std::sync::Arc<str>, std::sync::Arc<str>)| {
            let begins = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
            let begins = begins.map(|(at, _)| at as u32 + 1);
            let lines = std::iter::once(0).chain(begins).collect();
            let file = File { name: name.to_string(), base, lines, text };
            base += file.text.len() as u32 + 1;
            file
        };
        Files { files: sources.files().map(file).collect() }
    }

    /// Names and texts.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|file| (file.name.as_str(), &*file.text))
    }

    /// Where a text is written, or the macro that it comes from is called.
    pub(super) fn place(&self, sources: &SourceMap, span: Span) -> Option<Place> {
        let span = sources.outside_macros(span);
        let number = self.files.partition_point(|file| file.base <= span.lo).checked_sub(1)?;
        let file = &self.files[number];
        let end = file.base + file.text.len() as u32;
        if span.is_nowhere() || span.lo > end {
            return None;
        }
        let (line, column) = file.locate(span.lo - file.base)?;
        let (end_line, end_column) = file.locate(span.hi.clamp(span.lo, end) - file.base)?;
        Some(Place { file: number, line, column, end_line, end_column })
    }
}

impl File {
    fn locate(&self, offset: u32) -> Option<(u32, u32)> {
        let line = self.lines.partition_point(|&begin| begin <= offset) - 1;
        let before = self.text.get(self.lines[line] as usize..offset as usize)?;
        Some((line as u32 + 1, before.encode_utf16().count() as u32 + 1))
    }
}

//! Source files, spans, and the record of macro and inline expansions.
//!
//! All files share one position space, so a position alone names file and offset. A span also
//! carries the expansion that its text came through: `lo..hi` is where the text is *written*
//! (for a token of a macro body: in the `#define`), and walking the expansions leads to the
//! place in the user's file where the outermost macro or inline was called.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Names a file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// Names an expansion of a [`SourceMap`]; `NONE` means "written where it is used".
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExpansionId(pub u32);

impl ExpansionId {
    pub const NONE: ExpansionId = ExpansionId(0);
}

/// A range of source text and the expansion it came through.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// First position, in the position space of the [`SourceMap`].
    pub lo: u32,
    /// One past the last position.
    pub hi: u32,
    /// The innermost macro or inline call that produced this text.
    pub expansion: ExpansionId,
}

impl Span {
    /// A span for things that have no text. Position 0 belongs to no file.
    pub const NOWHERE: Span = Span { lo: 0, hi: 0, expansion: ExpansionId::NONE };

    pub fn new(lo: u32, hi: u32) -> Span {
        Span { lo, hi, expansion: ExpansionId::NONE }
    }

    pub fn is_nowhere(self) -> bool {
        self.lo == 0 && self.hi == 0
    }

    /// The empty span behind this one, to say "expected … here".
    pub fn end(self) -> Span {
        Span { lo: self.hi, ..self }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}..{}", self.lo, self.hi)?;
        if self.expansion != ExpansionId::NONE {
            write!(f, "#{}", self.expansion.0)?;
        }
        Ok(())
    }
}

impl fmt::Debug for ExpansionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// What kind of call produced some text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpansionKind {
    /// A `#define` of the preprocessor, or a `-D` of the command line.
    Macro,
    /// A Promela `inline`.
    Inline,
    /// Text that was an argument of a macro call and now stands in the macro's body. The text
    /// is written in the call, whose own origin is `written_in`.
    Argument { written_in: ExpansionId },
}

/// One call of a macro or an inline.
#[derive(Clone, Debug)]
pub struct Expansion {
    pub kind: ExpansionKind,
    pub name: Arc<str>,
    /// The call; its own `expansion` says whether the call was itself produced by a call.
    pub call: Span,
}

/// A human-readable place; line and column count from 1, columns count characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// From a `# 12 "file"` line on, text belongs to another file and line.
#[derive(Clone, Debug)]
struct LineMarker {
    /// Physical line (from 0) to which the marker applies first.
    from_line: u32,
    /// The number that the marker gives to that line.
    line: u32,
    file: Arc<str>,
}

#[derive(Clone, Debug)]
struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    base: u32,
    line_starts: Vec<u32>,
    markers: Vec<LineMarker>,
}

impl SourceFile {
    fn line_of(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= offset) as u32 - 1
    }

    fn line_range(&self, line: u32) -> std::ops::Range<u32> {
        let next = self.line_starts.get(line as usize + 1).copied();
        self.line_starts[line as usize]..next.unwrap_or(self.text.len() as u32)
    }

    /// File name and number under which the user knows a physical line (from 0).
    fn presented(&self, line: u32) -> (Arc<str>, u32) {
        let at = self.markers.partition_point(|marker| marker.from_line <= line);
        match at.checked_sub(1).map(|at| &self.markers[at]) {
            Some(marker) => {
                let number = marker.line.saturating_add(line - marker.from_line);
                (marker.file.clone(), number)
            }
            None => (self.name.clone(), line + 1),
        }
    }
}

/// Consecutive lines of one file, as a snippet wants them.
pub(super) struct Excerpt {
    pub(super) file: Arc<str>,
    /// Number of the first line.
    pub(super) line: u32,
    pub(super) text: String,
    /// Position of the first byte.
    pub(super) lo: u32,
}

/// All source text of one run.
#[derive(Clone, Debug)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
}

impl Default for SourceMap {
    fn default() -> Self {
        Self::new()
    }
}

/// Where lines end: behind a newline, or behind a carriage return that stands alone.
fn line_ends(text: &str) -> impl Iterator<Item = u32> {
    let bytes = text.as_bytes();
    let ends = move |&at: &usize| match bytes[at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..bytes.len()).filter(ends).map(|at| at as u32 + 1)
}

/// More text than this cannot be addressed; one file of 1 GiB is no model.
const MAX_POSITION: u32 = 1 << 30;

impl SourceMap {
    pub fn new() -> SourceMap {
        SourceMap { files: Vec::new(), expansions: Vec::new() }
    }

    /// Adds a file. `None` if there is too much text in all.
    pub fn try_add(&mut self, name: &str, text: &str) -> Option<FileId> {
        // Position 0 is `Span::NOWHERE`; a gap of one keeps the ends of files apart.
        let base = self.files.last().map_or(1, |file| file.base + file.text.len() as u32 + 1);
        if text.len() >= (MAX_POSITION - base.min(MAX_POSITION)) as usize {
            return None;
        }
        let line_starts = std::iter::once(0).chain(line_ends(text)).collect();
        self.files.push(SourceFile {
            name: name.into(),
            text: text.into(),
            base,
            line_starts,
            markers: Vec::new(),
        });
        Some(FileId(self.files.len() as u32 - 1))
    }

    /// Adds a file.
    ///
    /// # Panics
    /// If all text together exceeds 1 GiB; use [`SourceMap::try_add`] for text of unknown size.
    pub fn add(&mut self, name: &str, text: &str) -> FileId {
        self.try_add(name, text).expect("less than 1 GiB of source text")
    }

    pub fn file_name(&self, file: FileId) -> Arc<str> {
        self.files[file.0 as usize].name.clone()
    }

    pub fn file_text(&self, file: FileId) -> Arc<str> {
        self.files[file.0 as usize].text.clone()
    }

    /// The text of every file, in the order in which they were added.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| &*file.text)
    }

    /// Name and text of every file, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = (Arc<str>, Arc<str>)> {
        self.files.iter().map(|file| (file.name.clone(), file.text.clone()))
    }

    /// The span of all of a file.
    pub fn file_span(&self, file: FileId) -> Span {
        let file = &self.files[file.0 as usize];
        Span::new(file.base, file.base + file.text.len() as u32)
    }

    /// The file with this name, if it was added already.
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.files.iter().position(|file| &*file.name == name).map(|at| FileId(at as u32))
    }

    /// Records that the line behind `position` is line `line` of `file`, as an outside
    /// preprocessor says by `# line "file"`. Calls must come in ascending order of position.
    pub fn mark_line(&mut self, position: u32, line: u32, file: &str) {
        let Some(id) = self.file_at(position) else { return };
        let source = &mut self.files[id.0 as usize];
        let from_line = source.line_of(position - source.base) + 1;
        source.markers.push(LineMarker { from_line, line, file: file.into() });
    }

    /// Records a call of a macro or inline.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion);
        ExpansionId(self.expansions.len() as u32)
    }

    pub fn expansion(&self, id: ExpansionId) -> Option<&Expansion> {
        id.0.checked_sub(1).map(|at| &self.expansions[at as usize])
    }

    /// The calls that led to this text, innermost first, each with the text that it replaced
    /// by more text.
    pub fn expansions(&self, span: Span) -> impl Iterator<Item = (&Expansion, Span)> {
        let mut next = span;
        std::iter::from_fn(move || {
            loop {
                let (expansion, outer) = self.outer(next)?;
                let written = std::mem::replace(&mut next, outer);
                if !matches!(expansion.kind, ExpansionKind::Argument { .. }) {
                    return Some((expansion, written));
                }
            }
        })
    }

    /// One expansion further out: the call, or the text itself if it was an argument.
    fn outer(&self, span: Span) -> Option<(&Expansion, Span)> {
        let expansion = self.expansion(span.expansion)?;
        let outer = match expansion.kind {
            ExpansionKind::Argument { written_in } => Span { expansion: written_in, ..span },
            ExpansionKind::Macro | ExpansionKind::Inline => expansion.call,
        };
        Some((expansion, outer))
    }

    /// The text in the user's file that led to this text, through any expansions.
    pub fn call_site(&self, mut span: Span) -> Span {
        while let Some((_, outer)) = self.outer(span) {
            span = outer;
        }
        span
    }

    /// Leaves macros but not inlines: the line that Spin would print for this text.
    pub fn outside_macros(&self, mut span: Span) -> Span {
        while let Some((expansion, outer)) = self.outer(span) {
            if expansion.kind == ExpansionKind::Inline {
                break;
            }
            span = outer;
        }
        span
    }

    /// Copies the expansions that lead to `id`, so that they lead on to `base`. `copies`
    /// remembers what was copied for this base.
    pub fn rebase(
        &mut self,
        id: ExpansionId,
        base: ExpansionId,
        copies: &mut HashMap<ExpansionId, ExpansionId>,
    ) -> ExpansionId {
        copies.insert(ExpansionId::NONE, base);
        let mut missing = Vec::new();
        let mut next = vec![id];
        while let Some(id) = next.pop() {
            if copies.contains_key(&id) {
                continue;
            }
            copies.insert(id, ExpansionId::NONE); // to be replaced below
            missing.push(id);
            let expansion = self.expansion(id).expect("not the base");
            next.push(expansion.call.expansion);
            if let ExpansionKind::Argument { written_in } = expansion.kind {
                next.push(written_in);
            }
        }
        // An expansion is older than those within it.
        missing.sort_unstable();
        for id in missing {
            let mut copy = self.expansion(id).expect("just seen").clone();
            copy.call.expansion = copies[&copy.call.expansion];
            if let ExpansionKind::Argument { written_in } = &mut copy.kind {
                *written_in = copies[written_in];
            }
            let new = self.add_expansion(copy);
            copies.insert(id, new);
        }
        copies[&id]
    }

    /// The smallest span that covers both, climbed to the innermost expansion that they share.
    pub fn join(&self, a: Span, b: Span) -> Span {
        if a.is_nowhere() || b.is_nowhere() {
            return if a.is_nowhere() { b } else { a };
        }
        let (mut a, mut b) = (a, b);
        // A call has a smaller id than the calls made from its text, so climbing from the
        // larger id finds the nearest common one.
        while a.expansion != b.expansion {
            let inner = if a.expansion > b.expansion { &mut a } else { &mut b };
            match self.expansion(inner.expansion) {
                Some(expansion) => *inner = expansion.call,
                None => break,
            }
        }
        if self.file_at(a.lo) != self.file_at(b.lo) {
            return a;
        }
        Span { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi), expansion: a.expansion }
    }

    pub fn file_at(&self, position: u32) -> Option<FileId> {
        let at = self.files.partition_point(|file| file.base <= position).checked_sub(1)?;
        Some(FileId(at as u32))
    }

    /// File, line and column where this text is written.
    pub fn location(&self, span: Span) -> Option<Location> {
        let source = &self.files[self.file_at(span.lo)?.0 as usize];
        let offset = (span.lo - source.base).min(source.text.len() as u32);
        let line = source.line_of(offset);
        let before =
            &source.text.as_bytes()[source.line_starts[line as usize] as usize..offset as usize];
        let column = 1 + before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32;
        let (file, line) = source.presented(line);
        Some(Location { file, line, column })
    }

    /// The text as written. A span never cuts a character, but a hostile caller might.
    pub fn text(&self, span: Span) -> &str {
        let Some(id) = self.file_at(span.lo) else { return "" };
        let source = &self.files[id.0 as usize];
        let range = (span.lo - source.base) as usize..span.hi.saturating_sub(source.base) as usize;
        source.text.get(range).unwrap_or("")
    }

    /// The whole lines that a span touches, at most `max_lines` of them.
    pub(super) fn excerpt(&self, span: Span, max_lines: u32) -> Option<Excerpt> {
        let source = &self.files[self.file_at(span.lo)?.0 as usize];
        let end = source.text.len() as u32;
        let first = source.line_of((span.lo - source.base).min(end));
        let last = source.line_of(span.hi.saturating_sub(source.base).min(end));
        let last = last.min(first + max_lines - 1);
        let (start, stop) = (source.line_range(first).start, source.line_range(last).end);
        let (file, line) = source.presented(first);
        let text = source.text.get(start as usize..stop as usize)?.to_string();
        Some(Excerpt { file, line, text, lo: source.base + start })
    }
}

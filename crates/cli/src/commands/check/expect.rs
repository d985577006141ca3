//! Verdicts that the model itself says are right: in comments, or in a file beside it. A folder of
//! models is a regression suite then. See docs/expectations.md.

use std::path::{Path, PathBuf};

use lariat_model::promela::Failure;
use lariat_syntax::diagnostics::{Diagnostic, SourceMap, Span};
use lariat_verify::{Loaded, Status};

use crate::arguments::reading;
use crate::exit::Exit;
use crate::input;

/// How a comment begins that is meant for us.
const MARK: &str = "lariat:";
/// The number of reachable states is expected under this name.
pub(super) const STATES: &str = "states";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    Status(Status),
    States(u64),
}

struct Expectation {
    name: String,
    expected: Expected,
    span: Span,
}

#[derive(Default)]
pub(super) struct Expectations(Vec<Expectation>);

impl Expectations {
    /// What the model's file and MODEL.expect say. A name that is none of `known` is an error, as
    /// is everything else that would never be looked at.
    pub(super) fn read(
        path: &Path,
        loaded: &Loaded,
        known: &[String],
    ) -> Result<Expectations, Exit> {
        let sources = &loaded.model().sources;
        let refuse = |sources: &SourceMap, error: Diagnostic| {
            reading::refuse(&Failure { sources: sources.clone(), diagnostics: vec![error] })
        };
        let mut found = Expectations::default();
        if let Some(file) = sources.find(&loaded.model().name) {
            let (text, start) = (sources.file_text(file), sources.file_span(file).lo);
            let in_model = of_comments(&text, start);
            in_model
                .and_then(|list| found.add(list, known))
                .map_err(|error| refuse(sources, error))?;
        }
        let beside = beside(path);
        if path != Path::new("-") && beside.is_file() {
            let (name, text) = input::read(&beside).map_err(|message| input::refuse(&message))?;
            let mut own = SourceMap::new();
            let file = own.add(&name, &text);
            let in_file = of_lines(&text, own.file_span(file).lo);
            in_file.and_then(|list| found.add(list, known)).map_err(|error| refuse(&own, error))?;
        }
        Ok(found)
    }

    fn add(&mut self, list: Vec<Expectation>, known: &[String]) -> Result<(), Diagnostic> {
        for more in list {
            if more.name != STATES && !known.contains(&more.name) {
                let message = format!("the model has no property `{}`", more.name);
                let names = format!("it has {}", known.join(", "));
                return Err(Diagnostic::error(more.span, message).help(names));
            }
            if self.0.iter().any(|other| other.name == more.name) {
                let message = format!("what is expected of `{}` was said before", more.name);
                return Err(Diagnostic::error(more.span, message));
            }
            self.0.push(more);
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The verdict that is expected of a property.
    pub(super) fn of(&self, name: &str) -> Option<Status> {
        let found = self.0.iter().find(|expectation| expectation.name == name)?;
        match found.expected {
            Expected::Status(status) => Some(status),
            Expected::States(_) => None,
        }
    }

    /// How many states are expected.
    pub(super) fn states(&self) -> Option<u64> {
        self.0.iter().find_map(|expectation| match expectation.expected {
            Expected::States(count) => Some(count),
            Expected::Status(_) => None,
        })
    }
}

/// `model.pml.expect`
fn beside(model: &Path) -> PathBuf {
    let mut name = model.as_os_str().to_owned();
    name.push(".expect");
    PathBuf::from(name)
}

/// `lariat: expect NAME VERDICT …` at the beginning of a line in a comment.
fn of_comments(text: &str, start: u32) -> Result<Vec<Expectation>, Diagnostic> {
    let mut found = Vec::new();
    for (comment, at) in comments(text) {
        let mut from = at;
        for line in comment.split_inclusive('\n') {
            let said = line.trim_start_matches(|c: char| c.is_whitespace() || c == '*');
            let at = from + (line.len() - said.len());
            from += line.len();
            let Some(rest) = said.strip_prefix(MARK) else { continue };
            let rest_at = at + MARK.len();
            let mut words = words(rest, start as usize + rest_at);
            match words.next() {
                Some(("expect", _)) => pairs(words, &mut found)?,
                other => {
                    let mark = span(start as usize + at, MARK.len());
                    let span = other.map_or(mark, |(_, span)| span);
                    let message = "expected `lariat: expect NAME VERDICT`";
                    return Err(Diagnostic::error(span, message));
                }
            }
        }
    }
    Ok(found)
}

/// `NAME VERDICT` on each line; `#` begins a comment.
fn of_lines(text: &str, start: u32) -> Result<Vec<Expectation>, Diagnostic> {
    let mut found = Vec::new();
    let mut from = start as usize;
    for line in text.split_inclusive('\n') {
        let said = line.split('#').next().unwrap_or_default();
        pairs(words(said, from), &mut found)?;
        from += line.len();
    }
    Ok(found)
}

/// Words with their places. Commas are as good as blanks.
fn words(text: &str, start: usize) -> impl Iterator<Item = (&str, Span)> {
    let ends = |c: char| c.is_whitespace() || c == ',';
    text.split(ends).filter(|word| !word.is_empty()).map(move |word| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        (word, span(start + at, word.len()))
    })
}

fn span(at: usize, length: usize) -> Span {
    Span::new(at as u32, (at + length) as u32)
}

fn pairs<'t>(
    mut words: impl Iterator<Item = (&'t str, Span)>,
    found: &mut Vec<Expectation>,
) -> Result<(), Diagnostic> {
    while let Some((name, span)) = words.next() {
        let Some((expected, at)) = words.next() else {
            let message = format!("what is expected of `{name}`? `holds` or `violated`");
            return Err(Diagnostic::error(span, message));
        };
        let expected = match (name, expected) {
            (STATES, number) => number.parse().map(Expected::States).ok(),
            (_, "holds") => Some(Expected::Status(Status::Holds)),
            (_, "violated") => Some(Expected::Status(Status::Violated)),
            (_, "inconclusive") => Some(Expected::Status(Status::Inconclusive)),
            _ => None,
        };
        let Some(expected) = expected else {
            let message = match name {
                STATES => "expected a number of states",
                _ => "expected `holds`, `violated` or `inconclusive`",
            };
            return Err(Diagnostic::error(at, message));
        };
        found.push(Expectation { name: name.to_owned(), expected, span });
    }
    Ok(())
}

/// The texts of all comments, with their places.
fn comments(text: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = if let Some(inside) = rest.strip_prefix("/*") {
            let length = inside.find("*/").unwrap_or(inside.len());
            found.push((&inside[..length], at + 2));
            (length + 4).min(rest.len())
        } else if let Some(inside) = rest.strip_prefix("//") {
            let length = inside.find('\n').unwrap_or(inside.len());
            found.push((&inside[..length], at + 2));
            length + 2
        } else if let Some(inside) = rest.strip_prefix('"') {
            let mut escaped = false;
            let end = inside.find(|c| {
                let ends = !escaped && (c == '"' || c == '\n');
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Expected)> {
        let found = of_comments(text, 0).unwrap_or_else(|error| panic!("{error:?}"));
        found.into_iter().map(|found| (found.name, found.expected)).collect()
    }

    #[test]
    fn in_all_kinds_of_comments() {
        let holds = ("p".to_owned(), Expected::Status(Status::Holds));
        let states = ("states".to_owned(), Expected::States(12));
        for text in [
            "/* lariat: expect p holds, states 12 */ byte x;",
            "byte x; // lariat: expect p holds\n// lariat: expect states 12",
            "/* A model.\n * lariat: expect p holds\n * lariat: expect states 12\n */",
            "\"/*\" /* lariat: expect p holds */ \"\\\"\" // lariat: expect states 12",
        ] {
            assert_eq!(read(text), [holds.clone(), states.clone()], "{text}");
        }
    }

    #[test]
    fn not_elsewhere() {
        for text in [
            "lariat: expect p holds",
            "printf(\"/* lariat: expect p holds */\")",
            "/* what lariat: expect does */",
            "/* lariat is here */ /* open",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }

    #[test]
    fn mistakes_are_located() {
        for (text, at) in [
            ("/* lariat: expct p holds */", "expct"),
            ("/* lariat: expect p */", "p"),
            ("// lariat: expect p hold", "hold"),
            ("// lariat: expect states many", "many"),
            ("// lariat:", "lariat:"),
        ] {
            let error = of_comments(text, 0).err().expect("an error");
            let span = error.primary.span;
            assert_eq!(&text[span.lo as usize..span.hi as usize], at);
        }
        assert!(of_lines("p holds\nq # violated\n", 0).is_err());
    }
}

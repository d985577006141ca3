//! The `properties:` header. They are hints: nothing is concluded from them. But a file that
//! contradicts itself is not trusted.

use super::parser::Parsed;
use crate::{Diagnostic, Span};

/// Pairs that exclude each other, `!` before a property that is denied.
const EXCLUSIVE: &[(&str, &str)] = &[
    ("implicit-labels", "explicit-labels"),
    ("implicit-labels", "state-labels"),
    ("implicit-labels", "exist-branch"),
    ("implicit-labels", "!deterministic"),
    ("implicit-labels", "!complete"),
    ("state-labels", "trans-labels"),
    ("state-labels", "explicit-labels"),
    ("explicit-labels", "!trans-labels"),
    ("state-acc", "trans-acc"),
    ("univ-branch", "no-univ-branch"),
    ("deterministic", "exist-branch"),
    ("deterministic", "!unambiguous"),
    ("deterministic", "!semi-deterministic"),
    ("terminal", "!weak"),
    ("terminal", "!inherently-weak"),
    ("very-weak", "!weak"),
    ("very-weak", "!inherently-weak"),
    ("weak", "!inherently-weak"),
    ("stutter-invariant", "stutter-sensitive"),
];

/// What was declared, in order.
#[derive(Debug, Default)]
pub(crate) struct Properties {
    declared: Vec<(String, Span)>,
}

impl Properties {
    /// The place where `property` was declared.
    pub(crate) fn get(&self, property: &str) -> Option<Span> {
        self.declared.iter().find(|(name, _)| name == property).map(|(_, span)| *span)
    }

    pub(crate) fn declare(&mut self, property: String, span: Span) -> Parsed<()> {
        if self.get(&property).is_some() {
            return Ok(());
        }
        let opposite = match property.strip_prefix('!') {
            Some(denied) => denied.to_owned(),
            None => format!("!{property}"),
        };
        let rivals = EXCLUSIVE.iter().filter_map(|&(one, other)| {
            if property == one {
                Some(other)
            } else if property == other {
                Some(one)
            } else {
                None
            }
        });
        for rival in std::iter::once(opposite.as_str()).chain(rivals) {
            if let Some(first) = self.get(rival) {
                let message = format!("property `{property}` contradicts `{rival}`");
                return Err(Diagnostic::error(span, message)
                    .note_at(first, format!("`{rival}` is declared here"))
                    .into());
            }
        }
        self.declared.push((property, span));
        Ok(())
    }
}

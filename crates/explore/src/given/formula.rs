//! What somebody types: read as far as it goes, with complaints at their places.

use std::ops::Range;

use lariat_ltl::Formulas;
use lariat_ltl::syntax::{Atoms, ParseOptions, parse};
use lariat_syntax::diagnostics::{Diagnostic, Remark};
use lariat_verify::Loaded;

use super::Given;
use crate::subject::{Complaint, Question};

/// Errors, warnings, and the propositions.
pub(super) fn complaints(
    given: &Given,
    question: &Question,
) -> (Vec<Complaint>, Vec<String>, Vec<String>) {
    let text = question.text.as_deref().unwrap_or("");
    // Expressions are added to a copy that is thrown away.
    let mut loaded = given.loaded.clone();
    let mut errors = Vec::new();
    let (mut warnings, mut propositions) = (Vec::new(), Vec::new());
    if matches!(question.kind.as_str(), "invariant" | "reach") {
        if text.trim().is_empty() {
            errors.push(complaint(text, 0..text.len(), "an expression is missing", None));
        } else {
            errors.extend(bound(&mut loaded, text, text, 0));
        }
        propositions.push(text.trim().to_owned());
    } else {
        let mut formulas = Formulas::new();
        let options = ParseOptions { dialect: loaded.dialect(), atoms: Atoms::Model };
        match parse(&mut formulas, text, options) {
            Err(error) => {
                errors.push(complaint(text, error.span, &error.message, error.hint));
            }
            Ok(parsed) => {
                warnings.extend(parsed.warnings.iter().map(|warning| warning.message.clone()));
                propositions = formulas.ap_names().to_vec();
                for name in &propositions {
                    let at = text.find(name.as_str()).unwrap_or(0);
                    errors.extend(bound(&mut loaded, text, name, at));
                }
            }
        }
    }
    if let Some(label) = loaded.asked_labels().first() {
        let at = text.find(label.as_str()).unwrap_or(0);
        let message = "this label is inside an atomic sequence, where no process is seen to rest";
        let hint = format!("start again with --control-point {label}");
        errors.push(complaint(text, at..text.len(), message, Some(hint)));
    }
    (errors, warnings, propositions)
}

/// What is wrong with an expression that begins at a byte of the text.
fn bound(loaded: &mut Loaded, text: &str, expression: &str, at: usize) -> Vec<Complaint> {
    let Err(found) = loaded.expression("formula", expression) else { return Vec::new() };
    let sources = &loaded.model().sources;
    let located = |found: &Diagnostic| {
        let span = sources.call_site(found.primary.span);
        // Where the text was added to the sources, last of all.
        let home = sources.find("formula").or_else(|| sources.file_at(span.lo));
        let home = sources.file_at(span.lo).filter(|_| !span.is_nowhere()).or(home);
        let base = home.map_or(0, |file| sources.file_span(file).lo);
        let inside =
            |position: u32| at + (position.saturating_sub(base) as usize).min(expression.len());
        let hints = found.remarks.iter().map(|remark| match remark {
            Remark::Note(text) | Remark::Help(text) => text.clone(),
        });
        let label = Some(found.primary.text.clone()).filter(|text| !text.is_empty());
        let mut one = complaint(text, inside(span.lo)..inside(span.hi), &found.message, label);
        one.help.extend(hints);
        one
    };
    found.iter().filter(|found| found.is_error()).map(located).collect()
}

fn complaint(text: &str, bytes: Range<usize>, message: &str, hint: Option<String>) -> Complaint {
    let units = |byte: usize| {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        text[..byte].encode_utf16().count()
    };
    Complaint {
        message: message.to_owned(),
        from: units(bytes.start),
        to: units(bytes.end.max(bytes.start)),
        help: hint.into_iter().collect(),
    }
}

//! Lists of formulas: one a line, `#` and empty lines apart.

use crate::formula::{Formulas, Ltl};
use crate::syntax::{ParseOptions, SyntaxError, SyntaxWarning, parse};

/// One formula of a list.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// Counted from 1.
    pub line: usize,
    /// The line without what is around the formula.
    pub text: &'a str,
    /// What it was read as.
    pub formula: Ltl,
    /// What the writer may not have meant.
    pub warnings: Vec<SyntaxWarning>,
}

/// A line that is no formula.
#[derive(Clone, Debug)]
pub struct BadLine<'a> {
    /// Counted from 1.
    pub line: usize,
    /// The line.
    pub text: &'a str,
    /// What is wrong with it.
    pub error: SyntaxError,
}

/// Reads a list.
pub fn read<'a>(
    all: &mut Formulas,
    text: &'a str,
    options: ParseOptions,
) -> Vec<Result<Entry<'a>, BadLine<'a>>> {
    let mut out = Vec::new();
    for (index, text) in text.lines().enumerate() {
        let line = index + 1;
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        out.push(match parse(all, text, options) {
            Ok(parsed) => {
                Ok(Entry { line, text, formula: parsed.formula, warnings: parsed.warnings })
            }
            Err(error) => Err(BadLine { line, text, error }),
        });
    }
    out
}

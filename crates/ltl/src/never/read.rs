//! Reading claims, as Spin (`spin -f`), Spot and ltl2ba print them: labels, `if` or `do` with
//! `:: guard -> goto label`, `skip`, `false`, and the `atomic { guard -> assert(!guard) }` by
//! which newer versions of Spin say that the claim is at its end.

use crate::formula::{Formulas, Ltl, Node};
use crate::syntax::{Atoms, Dialect, ParseOptions, SyntaxError, parse};
use lariat_automata::{Label, StateId, Tgba};
use lariat_core::Marks;
use std::collections::HashMap;
use std::ops::Range;

/// Reads one claim. The first state is the initial one; labels that begin with `accept` make
/// their state accepting.
pub fn read(text: &str) -> Result<Tgba, SyntaxError> {
    let mut reader = Reader {
        text: blank_comments(text)?,
        at: 0,
        formulas: Formulas::new(),
        states: Vec::new(),
        by_label: HashMap::new(),
        jumps: Vec::new(),
        needs_end: false,
    };
    reader.claim()?;
    reader.finish()
}

/// Comments become blanks, so that places stay the same.
fn blank_comments(text: &str) -> Result<String, SyntaxError> {
    let mut out = text.to_owned();
    while let Some(start) = out.find("/*") {
        let Some(length) = out[start..].find("*/") else {
            return Err(SyntaxError::new(start..start + 2, "this comment is never closed"));
        };
        let blank: String = out[start..start + length + 2]
            .chars()
            .flat_map(|c| std::iter::repeat_n(if c == '\n' { '\n' } else { ' ' }, c.len_utf8()))
            .collect();
        out.replace_range(start..start + length + 2, &blank);
    }
    Ok(out)
}

struct State {
    accepting: bool,
    edges: Vec<(Ltl, usize)>,
}

struct Reader {
    text: String,
    at: usize,
    formulas: Formulas,
    states: Vec<State>,
    by_label: HashMap<String, usize>,
    /// Labels that edges lead to: the edges have indices into this.
    jumps: Vec<(String, Range<usize>)>,
    /// Whether some edge leads to the claim's end.
    needs_end: bool,
}

const END: &str = " end of the claim";

impl Reader {
    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at = self.text.len() - rest.trim_start().len();
    }

    fn take(&mut self, word: &str) -> bool {
        self.skip_blanks();
        let Some(behind) = self.text[self.at..].strip_prefix(word) else { return false };
        let goes_on = behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if goes_on && word.ends_with(|c: char| c.is_ascii_alphanumeric()) {
            return false;
        }
        self.at += word.len();
        true
    }

    fn expect(&mut self, word: &str) -> Result<(), SyntaxError> {
        if self.take(word) { Ok(()) } else { Err(self.wrong(&format!("`{word}`"))) }
    }

    fn wrong(&mut self, expected: &str) -> SyntaxError {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let found = if rest.is_empty() { "the end" } else { &rest[..end] };
        SyntaxError::new(
            self.at..self.at + end.max(1).min(rest.len().max(1)),
            format!("expected {expected}, found `{found}`"),
        )
    }

    fn name(&mut self) -> Option<(String, Range<usize>)> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end == 0 || rest.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let span = self.at..self.at + end;
        self.at += end;
        Some((self.text[span.clone()].to_owned(), span))
    }

    fn claim(&mut self) -> Result<(), SyntaxError> {
        self.expect("never")?;
        // A claim may have a name.
        if !self.take("{") {
            self.name();
            self.expect("{")?;
        }
        while !self.take("}") {
            self.state()?;
            while self.take(";") {}
        }
        self.skip_blanks();
        match self.at == self.text.len() {
            true => Ok(()),
            false => Err(self.wrong("nothing more after the claim")),
        }
    }

    fn state(&mut self) -> Result<(), SyntaxError> {
        let index = self.states.len();
        let mut accepting = false;
        let mut labelled = false;
        loop {
            let before = self.at;
            let Some((name, span)) = self.name() else { break };
            if !self.take(":") || self.text[self.at..].starts_with(':') {
                self.at = before;
                break;
            }
            accepting |= name.starts_with("accept");
            labelled = true;
            if self.by_label.insert(name.clone(), index).is_some() {
                return Err(SyntaxError::new(span, format!("label `{name}` is defined twice")));
            }
        }
        if !labelled && index > 0 {
            return Err(self.wrong("a label"));
        }
        let mut edges = Vec::new();
        if self.take("skip") {
            // Either the loop of a state that accepts everything, or the claim's end.
            edges.push((Ltl::TRUE, self.jump(END, 0..0)));
        } else if self.take("false") {
        } else if self.take("goto") {
            let target = self.target()?;
            edges.push((Ltl::TRUE, target));
        } else {
            let closing = match (self.take("if"), self.take("do")) {
                (true, _) => "fi",
                (_, true) => "od",
                _ => return Err(self.wrong("`if`, `do`, `skip`, `goto` or `false`")),
            };
            while self.take("::") {
                edges.push(self.option(index)?);
            }
            self.expect(closing)?;
        }
        self.states.push(State { accepting, edges });
        Ok(())
    }

    fn option(&mut self, own: usize) -> Result<(Ltl, usize), SyntaxError> {
        if self.take("atomic") {
            self.expect("{")?;
            let guard = self.guard()?;
            self.expect("assert")?;
            self.parenthesis()?;
            self.expect("}")?;
            return Ok((guard, self.jump(END, 0..0)));
        }
        let guard = self.guard()?;
        if self.take("skip") {
            return Ok((guard, self.jump(&format!(" {own}"), 0..0)));
        }
        self.expect("goto")?;
        Ok((guard, self.target()?))
    }

    fn target(&mut self) -> Result<usize, SyntaxError> {
        match self.name() {
            Some((name, span)) => Ok(self.jump(&name, span)),
            None => Err(self.wrong("a label")),
        }
    }

    fn jump(&mut self, label: &str, span: Range<usize>) -> usize {
        self.needs_end |= label == END;
        self.jumps.push((label.to_owned(), span));
        self.jumps.len() - 1
    }

    /// Skips a parenthesis with what is in it.
    fn parenthesis(&mut self) -> Result<Range<usize>, SyntaxError> {
        self.skip_blanks();
        let start = self.at;
        let mut depth = 0usize;
        for (offset, c) in self.text[start..].char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                if c != ')' {
                    break;
                }
                self.at = start + offset + 1;
                return Ok(start..self.at);
            }
        }
        Err(self.wrong("a condition in parentheses"))
    }

    /// A condition and the arrow after it.
    fn guard(&mut self) -> Result<Ltl, SyntaxError> {
        self.skip_blanks();
        let start = self.at;
        // The arrow is the first one outside of parentheses.
        let mut depth = 0usize;
        let mut end = None;
        for (offset, c) in self.text[start..].char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                '-' if depth == 0 && self.text[start + offset..].starts_with("->") => {
                    end = Some(start + offset);
                    break;
                }
                ':' if depth == 0 && self.text[start + offset..].starts_with("::") => break,
                '}' => break,
                _ => {}
            }
        }
        let Some(end) = end else { return Err(self.wrong("a condition and `->`")) };
        self.at = end + 2;
        let options = ParseOptions { dialect: Dialect::Spin, atoms: Atoms::Model };
        let text = self.text[start..end].to_owned();
        let parsed = parse(&mut self.formulas, &text, options).map_err(|mut error| {
            error.span = error.span.start + start..error.span.end + start;
            error
        })?;
        if !self.formulas.classes(parsed.formula).boolean() {
            return Err(SyntaxError::new(
                start..end,
                "a condition of a claim cannot speak of other moments",
            ));
        }
        Ok(parsed.formula)
    }

    fn finish(mut self) -> Result<Tgba, SyntaxError> {
        if self.states.is_empty() {
            // `never { }` is at its end at once: everything is accepted.
            self.states.push(State { accepting: true, edges: vec![] });
            let end = self.jump(END, 0..0);
            self.states[0].edges.push((Ltl::TRUE, end));
        }
        // A claim that ends is violated, as if in a state that accepts everything. A last
        // state of just that kind is it.
        let end = self.states.iter().position(|state| {
            state.accepting
                && matches!(state.edges[..], [(Ltl::TRUE, jump)] if self.jumps[jump].0 == END)
        });
        let end = end.unwrap_or(self.states.len());
        if self.needs_end && end == self.states.len() {
            let jump = self.jump(END, 0..0);
            self.states.push(State { accepting: true, edges: vec![(Ltl::TRUE, jump)] });
        }
        let mut tgba = Tgba {
            aps: self.formulas.ap_names().to_vec(),
            mark_count: 1,
            initial: vec![0],
            ..Tgba::default()
        };
        for (index, state) in self.states.iter().enumerate() {
            tgba.add_state();
            let marks = if state.accepting { Marks::one(0) } else { Marks::NONE };
            for &(guard, jump) in &state.edges {
                let (name, span) = &self.jumps[jump];
                let target = match name.as_str() {
                    END => end,
                    own if own.starts_with(' ') => index,
                    _ => *self.by_label.get(name).ok_or_else(|| {
                        SyntaxError::new(span.clone(), format!("there is no label `{name}`"))
                    })?,
                };
                let label = label(&self.formulas, guard);
                if label != Label::False {
                    tgba.add_edge(index as StateId, label, marks, target as StateId);
                }
            }
        }
        Ok(tgba)
    }
}

/// A Boolean formula as a label.
fn label(all: &Formulas, f: Ltl) -> Label {
    use crate::formula::Binary::*;
    match all.node(f) {
        Node::True => Label::True,
        Node::False => Label::False,
        Node::Ap(ap) => Label::Ap(*ap),
        Node::Not(a) => label(all, *a).negated(),
        Node::And(parts) => Label::and(parts.iter().map(|&part| label(all, part))),
        Node::Or(parts) => Label::or(parts.iter().map(|&part| label(all, part))),
        Node::Binary(op, a, b) => {
            let (a, b) = (label(all, *a), label(all, *b));
            match op {
                Implies => Label::or([a.negated(), b]),
                Equiv => Label::or([
                    Label::and([a.clone(), b.clone()]),
                    Label::and([a.negated(), b.negated()]),
                ]),
                _ => Label::or([
                    Label::and([a.clone(), b.clone().negated()]),
                    Label::and([a.negated(), b]),
                ]),
            }
        }
        _ => unreachable!("only Boolean formulas are guards"),
    }
}

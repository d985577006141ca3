//! Formulas that somebody types. A proposition is one of the check's, by name, or compares a part of the state, as
//! it is written by `Debug`, with a value: `inside[0] == true`, `queue.len`, `round >= 2`.

use super::Explorer;
use crate::answer::NO_PANIC;
use crate::check::Claim;
use crate::diff;
use crate::formula::{Ltl, Tests};
use crate::graph::Test;
use crate::model::Model;
use crate::panics::caught;
use crate::typed;
use lariat_explore::subject::{Complaint, Question};
use lariat_ltl::eval::{Letter, Word};
use lariat_ltl::syntax::{Atoms, Dialect, ParseOptions, parse};
use lariat_ltl::{Formulas, eval};
use std::ops::Range;
use std::sync::Arc;

/// What is wrong with a text, and where.
pub(super) struct Wrong {
    span: Range<usize>,
    message: String,
    help: Option<String>,
}

impl Wrong {
    pub(super) fn message(self) -> String {
        self.message
    }
}

/// A formula that was read, and what its propositions mean.
struct Read<'m, S> {
    formulas: Formulas,
    formula: lariat_ltl::Ltl,
    tests: Vec<(String, Test<'m, S>)>,
}

impl<'m, M: Model> Explorer<'m, M> {
    /// The propositions of the check by name. Where two differ, the later one is named after its question, too.
    pub(super) fn propositions(&self) -> Vec<(String, Test<'m, M::State>)> {
        let mut all: Vec<(String, Test<'m, M::State>)> = Vec::new();
        for (claim_name, claim) in &self.claims {
            let mut tests = Tests(Vec::new());
            match claim {
                Claim::Always(test) | Claim::Reachable(test) | Claim::EndsOnlyIn(test) => {
                    tests.0.push((claim_name.clone(), Arc::clone(test)));
                }
                // What is wrong with it is said when it is asked.
                Claim::Temporal(formula) => drop(formula.lower(&mut Formulas::new(), &mut tests)),
            }
            for (name, test) in tests.0 {
                match all.iter().find(|(known, _)| *known == name) {
                    Some((_, known)) if Arc::ptr_eq(known, &test) => {}
                    Some(_) => all.push((format!("{claim_name}: {name}"), test)),
                    None => all.push((name, test)),
                }
            }
        }
        all
    }

    fn read(&self, text: &str) -> Result<Read<'m, M::State>, Wrong> {
        let mut formulas = Formulas::new();
        let options = ParseOptions { dialect: Dialect::Auto, atoms: Atoms::Model };
        let parsed = parse(&mut formulas, text, options).map_err(|error| Wrong {
            span: error.span,
            message: error.message,
            help: error.hint,
        })?;
        let known = self.propositions();
        let mut tests = Vec::new();
        for used in &parsed.atoms {
            let name = &formulas.ap_names()[used.ap as usize];
            if !tests.iter().any(|(seen, _)| seen == name) {
                let test = self.meaning(name, &known);
                let wrong = |(message, help)| Wrong { span: used.span.clone(), message, help };
                tests.push((name.clone(), test.map_err(wrong)?));
            }
        }
        Ok(Read { formulas, formula: parsed.formula, tests })
    }

    /// What a proposition means; else what is wrong, and what may help.
    fn meaning(
        &self,
        name: &str,
        known: &[(String, Test<'m, M::State>)],
    ) -> Result<Test<'m, M::State>, (String, Option<String>)> {
        let plain = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
        if let Some((_, test)) = known.iter().find(|(known, _)| known == plain) {
            return Ok(Arc::clone(test));
        }
        let comparison = Comparison::read(plain);
        let parts = self.parts();
        let begins = |part: &String| {
            let rest = comparison.part.strip_prefix(part.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        if !parts.iter().any(begins) {
            let message =
                format!("`{}` is no proposition and no part of the state", comparison.part);
            let help = format!("the state has {}", parts.join(", "));
            return Err((message, Some(help)));
        }
        Ok(Arc::new(move |state: &M::State| comparison.holds(&diff::fields(&format!("{state:?}")))))
    }

    /// The names of the first state's parts, up to the first bracket or dot.
    pub(super) fn parts(&self) -> Vec<String> {
        let model = self.model;
        let first = caught(|| typed::initial(model).next().map(|(state, _)| format!("{state:?}")));
        let fields = first.ok().flatten().map_or(Vec::new(), |text| diff::fields(&text));
        let mut parts: Vec<String> =
            fields.into_iter().filter_map(|field| field.path.into_iter().next()).collect();
        parts.dedup();
        parts
    }

    /// The question as one of a check; none if it is whether the model panics.
    pub(super) fn asked(&self, question: &Question) -> Result<Option<Claim<'m, M::State>>, Wrong> {
        let text = question.text.as_deref().unwrap_or("");
        let nowhere = |message: String| Wrong { span: 0..0, message, help: None };
        if question.kind == "named" {
            let name = question.name.as_deref().unwrap_or("");
            if name == NO_PANIC {
                return Ok(None);
            }
            let claim = self.claim(name).cloned();
            return claim.map(Some).ok_or_else(|| nowhere(format!("nothing is called `{name}`")));
        }
        let read = self.read(text)?;
        Ok(Some(match question.kind.as_str() {
            "invariant" | "reach" => {
                if !read.formulas.classes(read.formula).boolean() {
                    let message =
                        "a state has no later ones: no temporal operators here".to_owned();
                    return Err(Wrong { span: 0..text.len(), message, help: None });
                }
                let test = read.test();
                match question.kind.as_str() {
                    "invariant" => Claim::Always(test),
                    _ => Claim::Reachable(test),
                }
            }
            "ltl" => Claim::Temporal(Ltl::of_expressions(text.to_owned(), read.tests)),
            // A run on which it holds is one on which its negation does not.
            "exists" => Claim::Temporal(!Ltl::of_expressions(text.to_owned(), read.tests)),
            other => return Err(nowhere(format!("`{other}` is no kind of question"))),
        }))
    }

    /// Errors, warnings, and the propositions.
    pub(super) fn complain(
        &self,
        question: &Question,
    ) -> (Vec<Complaint>, Vec<String>, Vec<String>) {
        let text = question.text.as_deref().unwrap_or("");
        match self.asked(question) {
            Err(wrong) => (vec![wrong.located(text)], Vec::new(), Vec::new()),
            Ok(_) => {
                let read = self.read(text);
                let names =
                    read.map_or(Vec::new(), |read| read.tests.into_iter().map(|t| t.0).collect());
                (Vec::new(), Vec::new(), names)
            }
        }
    }
}

impl<'m, S: 'm> Read<'m, S> {
    /// A formula without temporal operators as a test of a state.
    fn test(self) -> Test<'m, S> {
        let Read { formulas, formula, tests } = self;
        Arc::new(move |state: &S| {
            let mut letter = Letter::default();
            for (ap, name) in (0..).zip(formulas.ap_names()) {
                if tests.iter().any(|(known, test)| known == name && test(state)) {
                    letter.set(ap);
                }
            }
            eval::holds(&formulas, formula, &Word { letters: vec![letter], loop_start: 0 })
        })
    }
}

impl Wrong {
    fn located(self, text: &str) -> Complaint {
        let units = |byte: usize| {
            let byte = (0..=byte.min(text.len())).rev().find(|&byte| text.is_char_boundary(byte));
            text[..byte.unwrap_or(0)].encode_utf16().count()
        };
        let (from, to) = (units(self.span.start), units(self.span.end));
        Complaint { message: self.message, from, to, help: self.help.into_iter().collect() }
    }
}

/// `part`, or `part == value`.
struct Comparison {
    part: String,
    operator: &'static str,
    value: String,
}

impl Comparison {
    fn read(text: &str) -> Comparison {
        let operators = ["==", "!=", "<=", ">=", "<", ">"];
        let first = operators.iter().filter_map(|&op| Some((text.find(op)?, op)));
        // At the same place, the longer one.
        let first = first.min_by_key(|&(at, op)| (at, std::cmp::Reverse(op.len())));
        let plain = |text: &str| text.trim().to_owned();
        match first {
            None => Comparison { part: plain(text), operator: "==", value: "true".to_owned() },
            Some((at, operator)) => {
                let value = plain(&text[at + operator.len()..]);
                Comparison { part: plain(&text[..at]), operator, value }
            }
        }
    }

    /// A part that is not there is equal to nothing.
    fn holds(&self, fields: &[diff::Field]) -> bool {
        let Some(field) = fields.iter().find(|field| field.name == self.part) else { return false };
        let spaceless = |text: &str| text.split_whitespace().collect::<String>();
        match (self.operator, field.value.parse::<i128>(), self.value.parse::<i128>()) {
            ("==", _, _) => spaceless(&field.value) == spaceless(&self.value),
            ("!=", _, _) => spaceless(&field.value) != spaceless(&self.value),
            (operator, Ok(is), Ok(than)) => match operator {
                "<=" => is <= than,
                ">=" => is >= than,
                "<" => is < than,
                _ => is > than,
            },
            _ => false,
        }
    }
}

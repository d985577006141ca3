//! Properties along runs: waves of their propositions, and the automaton that watches.

use super::Explorer;
use crate::check::Claim;
use crate::formula::Tests;
use crate::graph::Test;
use crate::model::Model;
use crate::panics::caught;
use lariat_automata::Tgba;
use lariat_core::Props;
use lariat_explore::subject::{Lens, Question, State};
use lariat_ltl::Formulas;
use lariat_ltl::syntax::{Dialect, Printer};
use lariat_ltl::translate::translate;
use std::sync::Arc;

struct Bound<'m, S> {
    name: String,
    kind: String,
    text: String,
    names: Vec<String>,
    tests: Vec<Test<'m, S>>,
    automaton: Option<Tgba>,
    /// What its letters are made of, by the numbers of tests.
    letters: Vec<usize>,
    is_negated: bool,
}

/// What a question of a check is called.
pub(super) fn kind<S>(claim: &Claim<'_, S>) -> &'static str {
    match claim {
        Claim::Always(_) => "always",
        Claim::Reachable(_) => "reachable",
        Claim::EndsOnlyIn(_) => "ends only in",
        Claim::Temporal(_) => "holds",
    }
}

/// What it says.
pub(super) fn in_words<S>(claim: &Claim<'_, S>) -> String {
    let formula = match claim {
        Claim::Always(_) => return "in every state".to_owned(),
        Claim::Reachable(_) => return "in some state".to_owned(),
        Claim::EndsOnlyIn(_) => return "wherever no step leads on".to_owned(),
        Claim::Temporal(formula) => formula,
    };
    let mut formulas = Formulas::new();
    match formula.lower(&mut formulas, &mut Tests(Vec::new())) {
        Ok(lowered) => Printer::new(&formulas).dialect(Dialect::Spin).text(lowered),
        Err(why) => why,
    }
}

impl<'m, M: Model> Explorer<'m, M> {
    pub(super) fn bound(&self, question: &Question) -> Result<Arc<dyn Lens + 'm>, String> {
        let claim = self.asked(question).map_err(|wrong| wrong.message())?;
        let claim = claim.ok_or("there are no propositions")?;
        let name = question.name.as_deref().unwrap_or("");
        let text = match (&question.text, &claim) {
            (Some(text), _) => text.trim().to_owned(),
            (None, Claim::Temporal(_)) => in_words(&claim),
            (None, _) => name.to_owned(),
        };
        let mut bound = Bound {
            name: question.name.clone().unwrap_or_else(|| question.kind.clone()),
            kind: match question.kind.as_str() {
                "named" => kind(&claim).to_owned(),
                typed => typed.to_owned(),
            },
            names: vec![text.clone()],
            text,
            tests: Vec::new(),
            automaton: None,
            letters: Vec::new(),
            is_negated: question.kind != "exists",
        };
        match claim {
            Claim::Always(test) | Claim::Reachable(test) | Claim::EndsOnlyIn(test) => {
                bound.tests.push(test);
            }
            Claim::Temporal(formula) => {
                let (mut formulas, mut tests) = (Formulas::new(), Tests(Vec::new()));
                let lowered = formula.lower(&mut formulas, &mut tests)?;
                let wanted = formulas.not(lowered);
                let automaton = translate(&mut formulas, wanted);
                let automaton =
                    automaton.map_err(|why| format!("it cannot be translated: {why}"))?;
                let number = |name: &String| tests.0.iter().position(|(known, _)| known == name);
                bound.letters = automaton.aps.iter().filter_map(number).collect();
                bound.automaton = Some(automaton);
                (bound.names, bound.tests) = tests.0.into_iter().unzip();
            }
        }
        Ok(Arc::new(bound))
    }
}

impl<S: Send + Sync + 'static> Lens for Bound<'_, S> {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> &str {
        &self.kind
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn propositions(&self) -> &[String] {
        &self.names
    }

    fn automaton(&self) -> Option<&Tgba> {
        self.automaton.as_ref()
    }

    fn is_negated(&self) -> bool {
        self.is_negated
    }

    fn look(
        &self,
        states: &mut dyn Iterator<Item = &State>,
        see: &mut dyn FnMut(&[Option<bool>], Props),
    ) {
        for state in states {
            let state = state.of::<S>();
            let truth: Vec<Option<bool>> =
                self.tests.iter().map(|test| caught(|| test(state)).ok()).collect();
            let bits = self.letters.iter().enumerate();
            let letter = bits.fold(0, |letter: Props, (bit, &test)| {
                letter | Props::from(truth[test] == Some(true)) << bit
            });
            see(&truth, letter);
        }
    }
}

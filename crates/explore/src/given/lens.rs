//! Properties that are looked at along runs.

use lariat_automata::Tgba;
use lariat_core::Props;
use lariat_model::interp::Interp;
use lariat_model::ir::{Expr, ExprId};
use lariat_verify::property::automaton::claim;
use lariat_verify::property::formula::{Mode, Origin, Property, about_labels};
use lariat_verify::property::read;
use lariat_verify::{Error, Loaded};

use super::{Bytes, Given};
use crate::subject::{Lens, Question, State};

/// A property with the model that knows its expressions.
pub(super) struct Bound {
    loaded: Loaded,
    name: String,
    kind: &'static str,
    text: String,
    names: Vec<String>,
    exprs: Vec<ExprId>,
    automaton: Option<Tgba>,
    /// What the automaton's letters are made of.
    letters: Vec<ExprId>,
    is_negated: bool,
}

/// An `ltl` block of the model, or its never claim.
pub(super) fn named(loaded: &mut Loaded, name: &str) -> Result<Property, Error> {
    let model = loaded.model();
    if let Some(block) = model.ltl.iter().find(|block| block.name == name) {
        let text = block.text.clone();
        return Ok(read::formula(loaded, name, &text, Mode::Always, &mut |p| p.to_owned())?.0);
    }
    let is_it = |id: &&_| name == "never" || model.proctype(**id).name == name;
    let Some(&id) = model.claims.iter().find(is_it) else {
        return Err(Error::Refused(format!("{} has no property `{name}`", model.name)));
    };
    claim(model, id, name).map_err(|found| Error::Refused(found.message))
}

/// A property of runs; none if the question is about states.
pub(super) fn property(
    loaded: &mut Loaded,
    question: &Question,
) -> Result<Option<Property>, Error> {
    let text = || {
        let text = question.text.clone();
        text.ok_or_else(|| Error::Refused("the question has no `text`".to_owned()))
    };
    let formula = |loaded: &mut Loaded, mode| {
        let found = read::formula(loaded, "formula", &text()?, mode, &mut |p| p.to_owned());
        found.map(|(property, _)| Some(property))
    };
    match question.kind.as_str() {
        "ltl" => formula(loaded, Mode::Always),
        "exists" => formula(loaded, Mode::Exists),
        "named" => {
            let name = question.name.as_deref();
            let name =
                name.ok_or_else(|| Error::Refused("the question has no `name`".to_owned()))?;
            named(loaded, name).map(Some)
        }
        "acceptance" => about_labels(Origin::Acceptance, loaded.add(Expr::AtAccept)).map(Some),
        "non-progress" => {
            about_labels(Origin::NonProgress, loaded.add(Expr::NonProgress)).map(Some)
        }
        "safety" | "invariant" | "reach" => Ok(None),
        other => Err(Error::Refused(format!("`{other}` is no kind of question"))),
    }
}

impl Bound {
    pub(super) fn new(given: &Given, question: &Question) -> Result<Bound, String> {
        let mut loaded = given.loaded.clone();
        let bound = bind(&mut loaded, question).map_err(|error| error.to_string())?;
        if let Some(label) = loaded.asked_labels().first() {
            return Err(format!(
                "`{label}` is inside an atomic sequence, where no process is seen to rest; start \
                 again with --control-point {label}"
            ));
        }
        Ok(Bound { loaded, ..bound })
    }
}

fn bind(loaded: &mut Loaded, question: &Question) -> Result<Bound, Error> {
    let Some(property) = property(loaded, question)? else {
        let (kind, text) = match question.kind.as_str() {
            "invariant" => ("invariant", question.text.clone()),
            "reach" => ("reach", question.text.clone()),
            _ => return Err(Error::Refused("safety has no propositions".to_owned())),
        };
        let text = text.ok_or_else(|| Error::Refused("the question has no `text`".to_owned()))?;
        let expr = loaded.expression(kind, &text).map_err(|diagnostics| {
            let sources = loaded.model().sources.clone();
            Error::from(lariat_model::promela::Failure { sources, diagnostics })
        })?;
        return Ok(Bound {
            loaded: loaded.clone(),
            name: kind.to_owned(),
            kind,
            names: vec![text.trim().to_owned()],
            text,
            exprs: vec![expr],
            automaton: None,
            letters: Vec::new(),
            is_negated: false,
        });
    };
    let automaton = property.watcher.automaton();
    let automaton = automaton
        .map_err(|error| Error::Refused(format!("the formula cannot be translated: {error}")))?
        .into_owned();
    Ok(Bound {
        loaded: loaded.clone(),
        kind: property.kind().name(),
        letters: property.propositions(&automaton),
        automaton: Some(automaton),
        is_negated: property.mode == Mode::Always,
        name: property.name,
        text: property.text.trim().to_owned(),
        names: property.names,
        exprs: property.bound,
    })
}

impl Lens for Bound {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> &str {
        self.kind
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
        let mut interp = Interp::new(self.loaded.model());
        let mut truth = vec![None; self.exprs.len()];
        for state in states {
            let (state, hidden) = state.of::<Bytes>();
            interp.load_with_hidden(state, hidden);
            let has_meaning = !interp.is_error_state(state);
            let mut value = |expr: ExprId| match has_meaning {
                true => interp.eval_loaded(expr, None).ok().map(|value| value != 0),
                false => None,
            };
            for (truth, &expr) in truth.iter_mut().zip(&self.exprs) {
                *truth = value(expr);
            }
            // As the judge reads it: what cannot be evaluated is not true.
            let bits = self.letters.iter().enumerate();
            let letter = bits.fold(0, |letter: Props, (at, &expr)| {
                letter | Props::from(value(expr) == Some(true)) << at
            });
            see(&truth, letter);
        }
    }
}

//! A model and what is asked about it: the short way from a file to a verdict.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lariat_model::ir::Expr;
use lariat_model::promela::Failure;
use lariat_report::run_text;
use lariat_search::safety::{Condition, Exploration};
use lariat_syntax::diagnostics::Diagnostic;

use crate::answer::{Answer, Kind, Status};
use crate::config::Config;
use crate::error::Error;
use crate::judge::Confirmed;
use crate::model::{Language, Loaded, Parts, Reading};
use crate::observer::{Observer, Silent};
use crate::property::automaton::claim;
use crate::property::formula::{Mode, Origin, Property, about_labels};
use crate::property::read;
use crate::safety;
use crate::temporal;
use crate::vacuity::Vacuity;

/// Where a model comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file: DVE if its name ends in `.dve`, else Promela.
    File(PathBuf),
    /// A text that goes by a name.
    Text {
        /// In messages.
        name: String,
        /// In the model's language.
        text: String,
        /// Which one that is.
        language: Language,
    },
}

/// What can be asked about a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// No run-time error, no failed assertion, no invalid end state.
    Safety,
    /// This expression is true in every state.
    Invariant(String),
    /// This expression is true in no state.
    Reach(String),
    /// This formula holds on every run.
    Ltl(String),
    /// This formula holds on some run.
    Exists(String),
    /// What the model's own property of this name says: an `ltl` block, or a never claim.
    Named(String),
    /// No cycle through an accept label of a process.
    Acceptance,
    /// No cycle without a progress label.
    NonProgress,
}

/// For a search that only says more about statements.
const LONGEST_LOOK: Duration = Duration::from_secs(10);

/// A question that was asked, and is bound to the model's expressions.
enum Bound {
    States(safety::StateProperty),
    Runs(Box<Property>),
}

/// A question that a [`Model`] was asked. It is of no use to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked(usize);

/// A model, and the questions that were asked about it.
///
/// ```
/// use lariat_verify::{Config, Model, Verdict};
///
/// let mut model = Model::promela("count.pml", "byte n; active proctype P() { do :: n++ od }")?;
/// let question = model.invariant("n < 3")?;
/// let answer = model.check(question, &Config::default())?;
/// assert!(matches!(answer.verdict, Verdict::Violated(_)));
/// # Ok::<(), lariat_verify::Error>(())
/// ```
pub struct Model {
    source: Source,
    reading: Reading,
    loaded: Loaded,
    asked: Vec<(Question, Bound)>,
}

impl Model {
    /// Reads a file: DVE if its name ends in `.dve`, else Promela.
    pub fn load(path: impl AsRef<Path>) -> Result<Model, Error> {
        Model::read(Source::File(path.as_ref().to_owned()), Reading::default())
    }

    /// Reads a text in Promela.
    pub fn promela(name: &str, text: &str) -> Result<Model, Error> {
        let (name, text) = (name.to_owned(), text.to_owned());
        let source = Source::Text { name, text, language: Language::Promela };
        Model::read(source, Reading::default())
    }

    /// Reads a text in DVE.
    pub fn dve(name: &str, text: &str) -> Result<Model, Error> {
        let (name, text) = (name.to_owned(), text.to_owned());
        Model::read(Source::Text { name, text, language: Language::Dve }, Reading::default())
    }

    /// Reads a model with options.
    pub fn read(source: Source, reading: Reading) -> Result<Model, Error> {
        let loaded = load(&source, &reading)?;
        Ok(Model { source, reading, loaded, asked: Vec::new() })
    }

    /// What is doubtful about the model. Places are those of its sources.
    pub fn warnings(&self) -> &[Diagnostic] {
        self.loaded.warnings()
    }

    /// The model as it was read.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Asks that no state or step is in error.
    pub fn safety(&mut self) -> Result<Asked, Error> {
        self.ask(Question::Safety)
    }

    /// Asks that this expression of the model's language is true in every state.
    pub fn invariant(&mut self, expression: &str) -> Result<Asked, Error> {
        self.ask(Question::Invariant(expression.to_owned()))
    }

    /// Asks that this expression is true in no state.
    pub fn reach(&mut self, expression: &str) -> Result<Asked, Error> {
        self.ask(Question::Reach(expression.to_owned()))
    }

    /// Asks that this formula holds on every run. Its propositions are expressions of the model's
    /// language.
    pub fn ltl(&mut self, formula: &str) -> Result<Asked, Error> {
        self.ask(Question::Ltl(formula.to_owned()))
    }

    /// Asks for a run on which this formula holds.
    pub fn exists(&mut self, formula: &str) -> Result<Asked, Error> {
        self.ask(Question::Exists(formula.to_owned()))
    }

    /// Asks something. A question that names a label inside an atomic sequence makes it a control
    /// point: the model is read anew then, with all that was asked.
    pub fn ask(&mut self, question: Question) -> Result<Asked, Error> {
        let bound = bind(&mut self.loaded, &question)?;
        self.asked.push((question, bound));
        if !self.loaded.asked_labels().is_empty() {
            self.reading = self.reading.with_control_points(self.loaded.asked_labels());
            self.loaded = load(&self.source, &self.reading)?;
            for (question, bound) in &mut self.asked {
                *bound = bind(&mut self.loaded, question)?;
            }
        }
        Ok(Asked(self.asked.len() - 1))
    }

    /// Answers a question.
    pub fn check(&self, asked: Asked, config: &Config) -> Result<Answer, Error> {
        self.check_observed(asked, config, &Silent)
    }

    /// Answers a question, and says meanwhile how far that is.
    pub fn check_observed(
        &self,
        asked: Asked,
        config: &Config,
        observer: &dyn Observer,
    ) -> Result<Answer, Error> {
        config.limits.within(|| match self.bound(asked)? {
            Bound::States(property) => safety::check(&self.loaded, property, config, observer),
            Bound::Runs(property) => temporal::check(&self.loaded, property, config, observer),
        })
    }

    /// What makes an answer worth less than it seems: a left side that is never true, say. Small
    /// models are walked through once more for it; of large ones nothing is said.
    pub fn doubts(&self, asked: Asked, answer: &Answer, config: &Config) -> Vec<String> {
        match self.bound(asked) {
            Ok(Bound::Runs(property)) => {
                let model = self.loaded.model();
                let mut vacuity = Vacuity::new(model, std::slice::from_ref(property));
                vacuity.warnings(model, 0, answer, &config.engine)
            }
            _ => Vec::new(),
        }
    }

    /// A search through all states once more, which tells the statements inside `d_step` apart: native code does not.
    /// None if there are no such statements, or if it would take long.
    pub fn look_inside_d_steps(&self, asked: Asked, config: &Config) -> Option<Exploration> {
        if self.loaded.model().d_steps.is_empty() {
            return None;
        }
        let mut config = config.clone();
        config.engine.switches.interpret = true;
        let time = config.limits.time.unwrap_or(LONGEST_LOOK);
        config.limits.time = Some(time.min(LONGEST_LOOK));
        let answer = self.check(asked, &config).ok()?;
        let is_whole = answer.status() == Status::Holds;
        answer.exploration.filter(|_| is_whole)
    }

    /// What was asked about runs, with its automaton; nothing for a question about states.
    pub fn property(&self, asked: Asked) -> Option<&Property> {
        match self.bound(asked) {
            Ok(Bound::Runs(property)) => Some(property),
            _ => None,
        }
    }

    fn bound(&self, asked: Asked) -> Result<&Bound, Error> {
        let found = self.asked.get(asked.0).map(|(_, bound)| bound);
        found.ok_or_else(|| Error::Refused("another model was asked this".to_owned()))
    }

    /// A run as text: its steps, the loop, how it ends.
    pub fn show(&self, run: &Confirmed) -> String {
        run_text::text(self.loaded.model(), run, &run_text::How::default())
    }
}

fn load(source: &Source, reading: &Reading) -> Result<Loaded, Error> {
    match source {
        Source::File(path) => reading.load(path, Parts::System),
        Source::Text { name, text, language } => {
            reading.load_text(name, text, *language, Parts::System)
        }
    }
}

fn bind(loaded: &mut Loaded, question: &Question) -> Result<Bound, Error> {
    let itself = &mut |proposition: &str| proposition.to_owned();
    let property = match question {
        Question::Safety => {
            let (name, kind) = (Kind::Safety.name().to_owned(), Kind::Safety);
            return Ok(Bound::States(safety::StateProperty { name, kind, condition: None }));
        }
        Question::Invariant(text) => return condition(loaded, Kind::Invariant, text),
        Question::Reach(text) => return condition(loaded, Kind::Reach, text),
        Question::Ltl(text) => read::formula(loaded, "formula", text, Mode::Always, itself)?.0,
        Question::Exists(text) => read::formula(loaded, "formula", text, Mode::Exists, itself)?.0,
        Question::Named(name) => named(loaded, name)?,
        Question::Acceptance => about_labels(Origin::Acceptance, loaded.add(Expr::AtAccept))?,
        Question::NonProgress => about_labels(Origin::NonProgress, loaded.add(Expr::NonProgress))?,
    };
    Ok(Bound::Runs(Box::new(property)))
}

fn condition(loaded: &mut Loaded, kind: Kind, text: &str) -> Result<Bound, Error> {
    let name = kind.name().to_owned();
    let expr = loaded.expression(&name, text).map_err(|diagnostics| {
        let sources = loaded.model().sources.clone();
        Error::from(Failure { sources, diagnostics })
    })?;
    let condition = Condition { expr, wanted: kind == Kind::Invariant };
    let condition = Some((condition, text.to_owned()));
    Ok(Bound::States(safety::StateProperty { name, kind, condition }))
}

/// An `ltl` block of the model, or its never claim.
fn named(loaded: &mut Loaded, name: &str) -> Result<Property, Error> {
    let model = loaded.model();
    if let Some(block) = model.ltl.iter().find(|block| block.name == name) {
        let text = block.text.clone();
        let itself = &mut |proposition: &str| proposition.to_owned();
        return Ok(read::formula(loaded, name, &text, Mode::Always, itself)?.0);
    }
    let is_it = |id: &&_| name == "never" || model.proctype(**id).name == name;
    let Some(&id) = model.claims.iter().find(is_it) else {
        return Err(Error::Refused(format!("{} has no property `{name}`", model.name)));
    };
    claim(model, id, name).map_err(|diagnostic| {
        let sources = model.sources.clone();
        Failure { sources, diagnostics: vec![diagnostic] }.into()
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lariat_core::Limit;

    use super::*;
    use crate::answer::{Status, Verdict};
    use crate::config::Limits;

    /// A jump at `half` is no control point, unless a question names it.
    const MODEL: &str = "byte n; active proctype P() {
        do :: n = 3; half: goto next; next: n = 0 od } ltl low { [] (n < 3) }";

    fn status(model: &Model, asked: Asked) -> Status {
        model.check(asked, &Config::default()).expect("an answer").status()
    }

    #[test]
    fn every_question_has_its_verdict() {
        let mut model = Model::promela("m.pml", MODEL).expect("a model");
        for (question, expected) in [
            (Question::Safety, Status::Holds),
            (Question::Invariant("n <= 3".to_owned()), Status::Holds),
            (Question::Invariant("n < 3".to_owned()), Status::Violated),
            (Question::Reach("n == 2".to_owned()), Status::Holds),
            (Question::Ltl("[]<> (n == 0)".to_owned()), Status::Holds),
            (Question::Named("low".to_owned()), Status::Violated),
            (Question::NonProgress, Status::Violated),
        ] {
            let asked = model.ask(question.clone()).expect("a question");
            assert_eq!(status(&model, asked), expected, "{question:?}");
        }
        let wanted = model.exists("[]<> (n == 3)").expect("a question");
        let answer = model.check(wanted, &Config::default()).expect("an answer");
        assert!(matches!(answer.verdict, Verdict::Found(_)));
        let unwanted = model.exists("<> (n == 7)").expect("a question");
        let answer = model.check(unwanted, &Config::default()).expect("an answer");
        assert!(matches!(answer.verdict, Verdict::Refuted));
    }

    #[test]
    fn a_label_that_becomes_a_control_point_leaves_other_questions_as_they_were() {
        let mut model = Model::promela("m.pml", MODEL).expect("a model");
        let before = model.invariant("n == 0 || n == 3").expect("a question");
        let states = |model: &Model| {
            let answer = model.check(before, &Config::default()).expect("an answer");
            assert_eq!(answer.status(), Status::Holds);
            answer.statistics.states
        };
        let few = states(&model);
        let at_label = model.reach("P@half").expect("a question");
        assert_eq!(status(&model, at_label), Status::Violated);
        assert!(states(&model) > few, "the label is a control point now");
    }

    #[test]
    fn doubts_and_limits() {
        let mut model = Model::promela("m.pml", MODEL).expect("a model");
        let vain = model.ltl("[] (n == 9 -> <> (n == 5))").expect("a question");
        let answer = model.check(vain, &Config::default()).expect("an answer");
        assert_eq!(answer.status(), Status::Holds);
        let doubts = model.doubts(vain, &answer, &Config::default());
        assert!(doubts.iter().any(|doubt| doubt.contains("is never true")), "{doubts:?}");
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let endless = "int n; active proctype P() { do :: n++ od }";
        let mut model = Model::promela("endless.pml", endless).expect("a model");
        let safety = model.safety().expect("a question");
        let config = Config { limits, ..Config::default() };
        let answer = model.check(safety, &config).expect("an answer");
        assert!(answer.inconclusive().is_some_and(|why| why.limit == Limit::Time));
    }

    #[test]
    fn errors_say_where() {
        let error = Model::promela("m.pml", "byte n = ;").err().map(|error| error.to_string());
        assert!(error.is_some_and(|text| text.contains("m.pml:1")), "a place");
        let mut model = Model::promela("m.pml", MODEL).expect("a model");
        let error = model.ltl("[] (m == 0)").expect_err("no such variable");
        assert!(matches!(&error, Error::Proposition { text, .. } if text.contains('m')), "{error}");
        assert!(matches!(model.ltl("[] ("), Err(Error::Formula(_))));
        assert!(matches!(model.check(Asked(9), &Config::default()), Err(Error::Refused(_))));
    }
}

//! Spin as the referee, without its reduction and its shortcuts, where it can answer and is
//! right.

use std::io;
use std::time::Duration;

use super::ask::{Asked, asked};
use super::case::{About, Case, Fairness, Language, Question};
use super::compare::{Finding, Told, What};
use super::run::{Runner, Said};
use super::spin_rules::{compiler_flags, spin_is_wrong_about};
use crate::ltl::Verdict;
use crate::ltl::ours::Lariat;
use crate::ltl::pan::Pan;
use crate::versus::spin::{counts_of, verdict_of};

/// What Spin said about a case.
#[derive(Default)]
pub struct Refereed {
    pub compared: usize,
    /// Questions to which Spin had no answer.
    pub open: usize,
    pub findings: Vec<Finding>,
    /// Spin or its compiler does not take the model.
    pub refusal: Option<String>,
}

const LIMIT: Duration = Duration::from_secs(20);

/// Compares what lariat told with Spin's answers. The model is the one that was written last.
pub fn referee(case: &Case, told: &[Told], runner: &Runner, name: &str) -> io::Result<Refereed> {
    let mut found = Refereed::default();
    if case.language != Language::Promela {
        return Ok(found);
    }
    let text = case.model.to_string();
    let asked = asked(case);
    let told = |number: usize| told.iter().find(|told| told.number == number);
    let mut builds = Builds { case, text: &text, runner, name, built: Vec::new() };
    for (number, question) in asked.iter().enumerate() {
        let Some(told) = told(number) else { continue };
        let answer = match question {
            Asked::Count => builds.count()?.map(|spin| {
                let (states, transitions) = (told.answer.states, told.answer.transitions);
                let is_other = told.answer.said == Said::Holds && spin != (states, transitions);
                is_other.then(|| format!("{} states, {} transitions", spin.0, spin.1))
            }),
            Asked::Question(question) => builds.answer(question, number)?.map(|spin| {
                let ours = match &told.answer.said {
                    Said::Holds => false,
                    Said::Violated => true,
                    _ => return None,
                };
                let of_errors = matches!(question.about, About::Safety | About::Assertions);
                let kind = if of_errors { kind_of(&told.answer.error) } else { "" };
                let is_equal = spin.is_violated == ours && (kind.is_empty() || kind == spin.error);
                (!is_equal).then_some(spin.error)
            }),
        };
        let Some(answer) = answer else {
            found.open += 1;
            continue;
        };
        found.compared += 1;
        let Some(note) = answer else { continue };
        if let Asked::Question(question) = question
            && builds.is_lost_by_fairness(question, told, number)?
        {
            continue;
        }
        let note = format!("Spin: {note}");
        found.findings.push(Finding {
            what: What::Spin,
            one: told.clone(),
            other: told.clone(),
            note,
        });
    }
    found.refusal = builds.refusal();
    Ok(found)
}

/// lariat's kinds of errors in Spin's words; nothing for those that have none.
fn kind_of(error: &str) -> &'static str {
    match error {
        "assertion" => "assertion violated",
        "invalid-end-state" => "invalid end state",
        _ => "",
    }
}

/// What Spin says to a question.
struct SpinAnswer {
    is_violated: bool,
    error: String,
}

/// Verifiers of one model, by what was added to its text.
struct Builds<'a> {
    case: &'a Case,
    text: &'a str,
    runner: &'a Runner,
    name: &'a str,
    built: Vec<(String, &'static str, Result<Pan, String>)>,
}

impl Builds<'_> {
    fn build(&mut self, more: &str, flags: &'static [&'static str]) -> io::Result<Option<&Pan>> {
        let key = flags.first().copied().unwrap_or("");
        let known = self.built.iter().position(|(known, of, _)| known == more && *of == key);
        let at = match known {
            Some(at) => at,
            None => {
                let file = self.runner.folder().join("spin.pml");
                // Claims of formulas have assertions of their own, which must not be ignored.
                let ours = if flags == OF_SAFETY { "" } else { "#define assert(x) skip\n" };
                let labels = named(self.case);
                std::fs::write(&file, format!("{ours}{}\n{labels}{more}\n", self.text))?;
                let lossy: &[&str] = if self.case.lossy { &["-m"] } else { &[] };
                let name = format!("{}-{}", self.name, self.built.len());
                let flags = [flags, compiler_flags(self.case)].concat();
                let pan = Pan::build_with(lossy, &file, &flags, &name)?;
                self.built.push((more.to_owned(), key, pan));
                self.built.len() - 1
            }
        };
        Ok(self.built[at].2.as_ref().ok())
    }

    /// Why Spin takes none of the models.
    fn refusal(&self) -> Option<String> {
        let complaint = |(_, _, built): &(String, &str, Result<Pan, String>)| match built {
            Err(complaint) => Some(complaint.lines().take(2).collect::<Vec<_>>().join(" / ")),
            Ok(_) => None,
        };
        let complaints: Vec<String> = self.built.iter().filter_map(complaint).collect();
        complaints.first().filter(|_| complaints.len() == self.built.len()).cloned()
    }

    /// States and transitions.
    fn count(&mut self) -> io::Result<Option<(u64, u64)>> {
        let Some(pan) = self.build("", OF_SAFETY)? else { return Ok(None) };
        let Some((status, said)) = pan.output(&["-E", "-A", "-c0", "-m1000000"], LIMIT)? else {
            return Ok(None);
        };
        // Behind a run-time error Spin does not go on.
        let counts = counts_of(&said).filter(|_| status.success() && !said.contains("pan:1:"));
        Ok(counts.map(|counts| (counts.states, counts.transitions)))
    }

    fn answer(&mut self, question: &Question, number: usize) -> io::Result<Option<SpinAnswer>> {
        // Conditions are asked as formulas.
        let about = formula(&question.about).map_or(question.about.clone(), About::Ltl);
        let asked = Question { about, ..question.clone() };
        if spin_is_wrong_about(self.case, &asked).is_some() {
            return Ok(None);
        }
        let fair: &[&str] = match question.fairness {
            None => &[],
            Some(Fairness::Spin) => &["-f"],
            Some(Fairness::Weak | Fairness::Strong) => return Ok(None),
        };
        let name = format!("net{number}");
        let of_formula: &[&str] = &["-a", "-N", &name];
        let is_turned = matches!(question.about, About::Exists(_));
        let (more, flags, args): (String, _, &[&str]) = match &question.about {
            About::Safety => return self.safety(&["-m1000000"]),
            About::Assertions => return self.safety(&["-E", "-m1000000"]),
            About::NonProgress => (String::new(), OF_PROGRESS, &["-l"]),
            About::Acceptance => (String::new(), OF_CYCLES, &["-a"]),
            About::Never(text) => (text.clone(), OF_CYCLES, &["-a"]),
            about if formula(about).is_none() => return Ok(None),
            _ if self.build(&self.formulas(None), OF_CYCLES)?.is_some() => {
                (self.formulas(None), OF_CYCLES, of_formula)
            }
            // One that Spin does not take keeps it from the others.
            _ => (self.formulas(Some(number)), OF_CYCLES, of_formula),
        };
        let Some(pan) = self.build(&more, flags)? else { return Ok(None) };
        let answer = pan.run(&[args, &["-E"], fair].concat(), LIMIT)?;
        Ok(match answer {
            Ok(Verdict::Holds) => {
                Some(SpinAnswer { is_violated: is_turned, error: "none".to_owned() })
            }
            Ok(Verdict::Violated) => {
                Some(SpinAnswer { is_violated: !is_turned, error: "a run".to_owned() })
            }
            Ok(Verdict::Cut) | Err(_) => None,
        })
    }

    fn safety(&mut self, args: &[&str]) -> io::Result<Option<SpinAnswer>> {
        let Some(pan) = self.build("", OF_SAFETY)? else { return Ok(None) };
        let Some((status, said)) = pan.output(args, LIMIT)? else { return Ok(None) };
        let verdict = verdict_of(&said, status).filter(|verdict| verdict != "crash");
        Ok(verdict.map(|error| SpinAnswer { is_violated: error != "none", error }))
    }

    /// The formulas of all questions, or of one, as `ltl` blocks.
    fn formulas(&self, only: Option<usize>) -> String {
        let numbered = (1..).zip(&self.case.questions);
        let wanted = numbered.filter(|&(number, _)| only.is_none_or(|only| only == number));
        let blocks = wanted.filter_map(|(number, question)| {
            Some(format!("ltl net{number} {{ {} }}\n", formula(&question.about)?))
        });
        blocks.collect()
    }

    /// With `-f` Spin loses runs that come to rest (docs/fairness.md, 2): it reports an error
    /// without `-f`, and lariat finds none without runs that end.
    fn is_lost_by_fairness(
        &mut self,
        question: &Question,
        told: &Told,
        number: usize,
    ) -> io::Result<bool> {
        if question.fairness != Some(Fairness::Spin) || told.answer.said != Said::Violated {
            return Ok(false);
        }
        let unfair = Question { fairness: None, ..question.clone() };
        if self.answer(&unfair, number)?.is_none_or(|answer| !answer.is_violated) {
            return Ok(false);
        }
        let run = super::ask::run(self.case, &asked(self.case), &[number], &told.config);
        let mut args: Vec<&str> = run.args.iter().map(String::as_str).collect();
        args.extend(["--finite-runs", "ignore", "--no-save"]);
        let lariat = Lariat {
            program: self.runner.program().to_owned(),
            limit_seconds: LIMIT.as_secs(),
            folder: self.runner.folder().to_owned(),
        };
        let verdict = lariat.check(&self.runner.model_file(self.case), &args);
        Ok(verdict == Ok(Verdict::Holds))
    }
}

const OF_SAFETY: &[&str] = &["-DSAFETY", "-DNOCLAIM"];
const OF_PROGRESS: &[&str] = &["-DNP"];
const OF_CYCLES: &[&str] = &[];

/// A process that never runs names the labels, for Spin makes control points of those only.
fn named(case: &Case) -> String {
    let labels = case.named_labels();
    match labels.is_empty() {
        true => String::new(),
        false => format!("proctype names_labels() {{ ({}) }}\n", labels.join(" && ")),
    }
}

/// The formula that must hold on all runs, if Spin takes it.
fn formula(about: &About) -> Option<String> {
    match about {
        About::Ltl(text) if !has_next(text) => Some(text.clone()),
        About::Exists(text) if !has_next(text) => Some(format!("!({text})")),
        About::Invariant(text) => Some(format!("[] ({text})")),
        About::Reach(text) => Some(format!("[] !({text})")),
        _ => None,
    }
}

/// Spin as it is packaged does not take X.
fn has_next(formula: &str) -> bool {
    let mut words = formula.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.any(|word| word == "X")
}

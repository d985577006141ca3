//! Questions as command lines of lariat, as many in one run as it can answer.

use super::case::{About, Case, Fairness, Language, Question};
use super::config::Config;
use super::switches::{DIRECT, OTHER_WORDS, RESUMED};

/// Which switches have to do with a question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    Count,
    Safety,
    /// Invariants, and expressions to reach.
    Conditions,
    Temporal,
    WeakFair,
    StrongFair,
}

/// What is asked about a model: its states are counted whatever the questions are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    Count,
    Question(Question),
}

impl Asked {
    pub fn scope(&self) -> Scope {
        let Asked::Question(Question { about, fairness }) = self else { return Scope::Count };
        match (about, fairness) {
            (About::Safety | About::Assertions, _) => Scope::Safety,
            (About::Invariant(_) | About::Reach(_), _) => Scope::Conditions,
            (_, None) => Scope::Temporal,
            (_, Some(Fairness::Weak | Fairness::Spin)) => Scope::WeakFair,
            (_, Some(Fairness::Strong)) => Scope::StrongFair,
        }
    }

    fn fairness(&self) -> Option<Fairness> {
        match self {
            Asked::Question(question) if self.scope() != Scope::Conditions => question.fairness,
            _ => None,
        }
    }
}

/// All that is asked about a case.
pub fn asked(case: &Case) -> Vec<Asked> {
    let questions = case.questions.iter().cloned().map(Asked::Question);
    std::iter::once(Asked::Count).chain(questions).collect()
}

/// Numbers of what one run of lariat can be asked together.
pub fn groups(asked: &[Asked]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, one) in asked.iter().enumerate() {
        let are_several = !matches!(one.scope(), Scope::Count | Scope::Safety);
        let fits = |group: &&mut Vec<usize>| {
            let first = &asked[group[0]];
            are_several && first.scope() == one.scope() && first.fairness() == one.fairness()
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups
}

/// How an answer is found in the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    Count,
    /// The property of this kind.
    Kind(&'static str),
    Name(String),
}

/// One answer of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    pub number: usize,
    pub place: Place,
    /// `--exists` with the negation was asked instead.
    pub is_negated: bool,
}

/// A run of lariat: its arguments but for limits and the model, the files that must be there, and
/// where the answers are.
#[derive(Clone, Debug, Default)]
pub struct Run {
    pub command: &'static str,
    pub args: Vec<String>,
    pub files: Vec<(String, String)>,
    pub wanted: Vec<Wanted>,
    /// It is cut and saved, and gone on with.
    pub is_resumed: bool,
}

/// The run that asks these questions, which are of one group.
pub fn run(case: &Case, asked: &[Asked], group: &[usize], config: &Config) -> Run {
    let scope = asked[group[0]].scope();
    let mut run = Run { command: "check", ..Run::default() };
    if scope == Scope::Count {
        run.command = "count";
    }
    run.is_resumed = config.puts(RESUMED, scope);
    run.args = config.args(scope).into_iter().map(str::to_owned).collect();
    if case.lossy {
        run.args.push("--lose-messages".to_owned());
    }
    for label in case.named_labels() {
        run.args.extend(["--control-point".to_owned(), label]);
    }
    if let Some(fairness) = asked[group[0]].fairness() {
        let name = match fairness {
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
            Fairness::Spin => "spin",
        };
        run.args.extend(["--fair".to_owned(), name.to_owned()]);
    }
    let (mut always, mut exists, mut invariants, mut goals) = (0, 0, 0, 0);
    for &number in group {
        let mut want = |place, is_negated| run.wanted.push(Wanted { number, place, is_negated });
        let Asked::Question(Question { about, .. }) = &asked[number] else {
            want(Place::Count, false);
            continue;
        };
        let turned = config.puts(OTHER_WORDS, scope);
        let mut put = |option: &str, text: &str| {
            run.args.extend([option.to_owned(), text.to_owned()]);
        };
        match about {
            About::Safety | About::Assertions => {
                want(Place::Kind("safety"), false);
                run.args.push("--safety".to_owned());
                match (case.language, about) {
                    (Language::Promela, About::Assertions) => {
                        run.args.push("--no-deadlock".to_owned())
                    }
                    (Language::Dve, About::Safety) => run.args.push("--deadlock".to_owned()),
                    _ => {}
                }
            }
            About::Invariant(text) => {
                invariants += 1;
                put("--invariant", text);
                want(Place::Name(format!("--invariant#{invariants}")), false);
            }
            About::Reach(text) => {
                goals += 1;
                put("--reach", text);
                want(Place::Name(format!("--reach#{goals}")), false);
            }
            About::Ltl(text) if turned => {
                exists += 1;
                put("--exists", &format!("!({text})"));
                want(Place::Name(format!("--exists#{exists}")), true);
            }
            About::Exists(text) if turned => {
                always += 1;
                put("--ltl", &format!("!({text})"));
                want(Place::Name(format!("--ltl#{always}")), true);
            }
            About::Ltl(text) => {
                always += 1;
                put("--ltl", text);
                want(Place::Name(format!("--ltl#{always}")), false);
            }
            About::Exists(text) => {
                exists += 1;
                put("--exists", text);
                want(Place::Name(format!("--exists#{exists}")), false);
            }
            About::Never(text) => {
                let file = format!("never{number}.pml");
                put("--never", &file);
                run.files.push((file.clone(), text.clone()));
                want(Place::Name(file), false);
            }
            About::NonProgress => {
                let is_direct = config.puts(DIRECT, scope);
                let how = if is_direct { "--non-progress=direct" } else { "--non-progress" };
                run.args.push(how.to_owned());
                want(Place::Kind("non-progress"), false);
            }
            About::Acceptance => match case.language {
                Language::Promela => {
                    put("--property", "accept");
                    want(Place::Kind("acceptance"), false);
                }
                Language::Dve => {
                    put("--property", "never");
                    want(Place::Kind("never"), false);
                }
            },
        }
    }
    run
}

//! Whether answers to the same questions agree.

use super::ask::{Asked, Scope};
use super::case::{About, Fairness, Question};
use super::config::Config;
use super::run::{LariatAnswer, Said};

/// How lariat was asked, and what it said.
#[derive(Clone, Debug)]
pub struct Told {
    /// The number of what was asked.
    pub number: usize,
    /// All that was asked in the same run of lariat, this one included: what is visible to one
    /// question keeps shortcuts of others from states.
    pub beside: Vec<usize>,
    pub config: Config,
    pub answer: LariatAnswer,
}

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum What {
    /// Holds and violated.
    Verdict,
    /// States or transitions of the same graph, or its errors.
    Numbers,
    /// Breadth first finds a shortest run.
    Length,
    /// A lossy store, or a reduction that may miss runs, says that something holds.
    Lossy,
    /// A cache forgets states and enters them again, but it enters each.
    Skipped,
    /// A run that is strongly fair is weakly fair, and so on.
    Fairness,
    /// A proof, though some runs end in a run-time error, behind which nobody has looked.
    Fault,
    /// Errors of the model that only one question knows of.
    Errors,
    /// An internal error, a crash, no end.
    Failed,
    /// Only one of two refuses a question.
    Refused,
    /// lariat and Spin.
    Spin,
}

impl What {
    pub fn in_words(self) -> &'static str {
        match self {
            What::Verdict => "verdicts differ",
            What::Numbers => "numbers differ",
            What::Length => "lengths of shortest runs differ",
            What::Lossy => "a search that may miss something proves something",
            What::Skipped => "a cache enters fewer states than there are",
            What::Fairness => "a run counts under a stronger fairness only",
            What::Fault => "a proof in spite of a run-time error",
            What::Errors => "only one question knows of an error",
            What::Failed => "lariat fails",
            What::Refused => "refused by one only",
            What::Spin => "Spin says something else",
        }
    }
}

/// A disagreement: what was told, and by whom it is contradicted.
#[derive(Clone, Debug)]
pub struct Finding {
    pub what: What,
    pub one: Told,
    /// The same as `one` if it is wrong by itself.
    pub other: Told,
    /// What else there is to say.
    pub note: String,
}

/// What is wrong with these answers, at most one finding of a kind for each question.
pub fn compare(asked: &[Asked], told: &[Told]) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, question) in asked.iter().enumerate() {
        let of_it: Vec<&Told> = told.iter().filter(|told| told.number == number).collect();
        let alone = |what, wrong: &dyn Fn(&Told) -> bool| {
            let told = of_it.iter().find(|told| wrong(told));
            told.map(|&told| Finding {
                what,
                one: told.clone(),
                other: told.clone(),
                note: String::new(),
            })
        };
        found.extend(alone(What::Failed, &|told| matches!(told.answer.said, Said::Failed(_))));
        found.extend(alone(What::Lossy, &|told| is_proved_by_loss(question, told)));
        let pair = |what, wrong: &dyn Fn(&Told, &Told) -> bool| first_pair(&of_it, what, wrong);
        found.extend(pair(What::Verdict, &|one, other| {
            let both = (&one.answer.said, &other.answer.said);
            matches!(both, (Said::Holds, Said::Violated) | (Said::Violated, Said::Holds))
        }));
        let is_proof = |told: &Told| has_run(question, &told.answer.said) == Some(false);
        found.extend(pair(What::Fault, &|one, other| {
            is_proof(one) && meets_fault(other) || is_proof(other) && meets_fault(one)
        }));
        found.extend(pair(What::Refused, &|one, other| refuses(one) && is_answered(other)));
        found.extend(pair(What::Refused, &|one, other| refuses(other) && is_answered(one)));
        let scope = question.scope();
        found.extend(pair(What::Numbers, &|one, other| {
            is_proof(one) && is_proof(other) && differ_in_numbers(one, other, scope)
        }));
        found.extend(pair(What::Skipped, &|one, other| {
            let skips = |one, other| skips_states(one, other, scope);
            is_proof(one) && is_proof(other) && (skips(one, other) || skips(other, one))
        }));
        found.extend(pair(What::Length, &|one, other| differ_in_length(one, other, scope)));
    }
    by_fairness(asked, told, &mut found);
    by_errors(asked, told, &mut found);
    found
}

fn first_pair(told: &[&Told], what: What, wrong: &dyn Fn(&Told, &Told) -> bool) -> Option<Finding> {
    for (at, &one) in told.iter().enumerate() {
        if let Some(&other) = told[at + 1..].iter().find(|other| wrong(one, other)) {
            return Some(Finding {
                what,
                one: one.clone(),
                other: other.clone(),
                note: String::new(),
            });
        }
    }
    None
}

/// Whether the answer rests on a run that was found; if not, on all states.
fn has_run(question: &Asked, said: &Said) -> Option<bool> {
    let wants_run = matches!(question, Asked::Question(Question { about: About::Exists(_), .. }));
    match said {
        Said::Holds => Some(wants_run),
        Said::Violated => Some(!wants_run),
        _ => None,
    }
}

/// Whether a search has no answer because runs end in a run-time error.
fn meets_fault(told: &Told) -> bool {
    matches!(&told.answer.said, Said::Open(why) if why.starts_with("run-time error"))
}

fn is_proved_by_loss(question: &Asked, told: &Told) -> bool {
    let scope = question.scope();
    let may_miss = told.answer.is_reduced && told.config.args(scope).contains(&"--por-proviso");
    let is_lossy = told.config.is_lossy(scope) || may_miss;
    is_lossy && has_run(question, &told.answer.said) == Some(false)
}

fn is_answered(told: &Told) -> bool {
    matches!(told.answer.said, Said::Holds | Said::Violated)
}

/// Whether a question is refused for no good reason. Two checks do not take all automata; several processes do not take all models.
fn refuses(told: &Told) -> bool {
    let has_reason = told.config.has_check(&["sd", "reach"]) || is_not_spread(told);
    matches!(told.answer.said, Said::Refused(_)) && !has_reason
}

/// Whether several processes have said that they cannot do that.
pub fn is_not_spread(told: &Told) -> bool {
    let Said::Refused(why) = &told.answer.said else { return false };
    !told.config.is("processes", &[]) && why.contains("several processes")
}

/// The same states were seen, all of them.
fn differ_in_numbers(one: &Told, other: &Told, scope: Scope) -> bool {
    if one.config.walk(scope) != other.config.walk(scope) || one.beside != other.beside {
        return false;
    }
    let numbers = |told: &Told| {
        let LariatAnswer { states, system_states, transitions, .. } = told.answer;
        [states, system_states, transitions]
    };
    numbers(one) != numbers(other) || one.answer.error != other.answer.error
}

/// Whether the one has a cache and has entered fewer states than the other, which has none, has met.
/// Both went depth first through all states of the same system.
fn skips_states(one: &Told, other: &Told, scope: Scope) -> bool {
    let has_cache = |told: &Told| told.config.args(scope).contains(&"--cache");
    let is_dfs = |told: &Told| told.config.is("order", &["--dfs"]);
    scope == Scope::Safety
        && has_cache(one)
        && !has_cache(other)
        && !other.config.is_lossy(scope)
        && is_dfs(other)
        && !one.answer.is_reduced
        && !other.answer.is_reduced
        && one.config.args_of("shortcuts") == other.config.args_of("shortcuts")
        && one.beside == other.beside
        && one.answer.states < other.answer.states
}

/// Only where lariat promises a shortest run, over all questions.
fn differ_in_length(one: &Told, other: &Told, scope: Scope) -> bool {
    let is_shortest = |told: &Told| {
        matches!(scope, Scope::Safety | Scope::Conditions)
            && told.answer.said == Said::Violated
            && ["--bfs", "--processes"].iter().any(|it| told.config.args(scope).contains(it))
            // What is nearest may have been missed.
            && !told.config.is_lossy(scope)
            && told.config.is("por", &["--no-por"])
    };
    is_shortest(one) && is_shortest(other) && one.answer.steps != other.answer.steps
}

/// A run that is fair in a stronger sense is fair in a weaker one.
fn by_fairness(asked: &[Asked], told: &[Told], found: &mut Vec<Finding>) {
    for (number, question) in asked.iter().enumerate() {
        let Asked::Question(Question { about, fairness }) = question else { continue };
        let weaker: &[Option<Fairness>] = match fairness {
            Some(Fairness::Strong) => &[Some(Fairness::Weak), None],
            Some(Fairness::Weak) => &[Some(Fairness::Spin), None],
            Some(Fairness::Spin) => &[None],
            None => &[],
        };
        let says = |at: usize, wanted: bool| {
            let mut of_it = told.iter().filter(move |told| told.number == at);
            of_it.find(|told| has_run(&asked[at], &told.answer.said) == Some(wanted))
        };
        let Some(one) = says(number, true) else { continue };
        let contradicts = |(at, other): (usize, &Asked)| match other {
            Asked::Question(other) if other.about == *about && weaker.contains(&other.fairness) => {
                says(at, false)
            }
            _ => None,
        };
        if let Some(other) = asked.iter().enumerate().find_map(contradicts) {
            found.push(Finding {
                what: What::Fairness,
                one: one.clone(),
                other: other.clone(),
                note: String::new(),
            });
        }
    }
}

/// Errors behind which there is no state, by the names that `count` has for them.
const FATAL: &[&str] = &[
    "division-by-zero",
    "blocked-in-d_step",
    "too-many-processes",
    "priority-out-of-range",
    "value-out-of-range",
    "double-assignment",
];

/// What different questions say about errors of the model:
/// - An error that `count` meets is on a run, so safety does not hold.
/// - If safety holds, no search meets a run-time error.
/// - `[] p` looks at every state, if at any, so it does not hold where a run ends in a run-time error.
fn by_errors(asked: &[Asked], told: &[Told], found: &mut Vec<Finding>) {
    let counted =
        |told: &&Told| asked[told.number] == Asked::Count && told.answer.said == Said::Holds;
    let errs = |told: &Told, is_meant: &dyn Fn(&str) -> bool| {
        let names = told.answer.error.split('"').skip(1).step_by(2);
        names.into_iter().any(is_meant)
    };
    let contradicts = |one: &Told, other: &Told| {
        let Asked::Question(Question { about, .. }) = &asked[one.number] else { return false };
        let is_count = counted(&other);
        match about {
            About::Safety if is_count => errs(other, &|_| true),
            About::Assertions if is_count => errs(other, &|name| name != "invalid-end-state"),
            About::Safety | About::Assertions => meets_fault(other),
            // A condition that is never true needs no search.
            About::Ltl(formula) if is_count && is_always(formula) && one.answer.transitions > 0 => {
                errs(other, &|name| FATAL.contains(&name))
            }
            _ => false,
        }
    };
    let holds = told.iter().filter(|told| told.answer.said == Said::Holds);
    let pair = |one: &Told| {
        let other = told.iter().find(|other| contradicts(one, other))?;
        let (what, note) = (What::Errors, String::new());
        Some(Finding { what, one: one.clone(), other: other.clone(), note })
    };
    found.extend(holds.filter_map(pair).next());
}

/// Whether a formula is `[]` before one without temporal operators.
fn is_always(formula: &str) -> bool {
    let has = |operator: &str| formula[2..].split([' ', '(', ')']).any(|word| word == operator);
    let temporal = ["[]", "<>", "X", "U", "V", "W"];
    formula.starts_with("[] !(") && !temporal.iter().any(|operator| has(operator))
}

#[cfg(test)]
mod tests {
    use super::super::switches::SWITCHES;
    use super::*;

    fn told(number: usize, said: Said, states: u64) -> Told {
        let answer = LariatAnswer {
            said,
            error: String::new(),
            states,
            system_states: states,
            transitions: 2 * states,
            steps: 3,
            is_reduced: false,
        };
        Told { number, beside: vec![number], config: Config::plain(), answer }
    }

    fn question(about: About, fairness: Option<Fairness>) -> Asked {
        Asked::Question(Question { about, fairness })
    }

    #[test]
    fn different_answers_are_found() {
        let asked = [question(About::Safety, None)];
        let whats = |told: &[Told]| -> Vec<What> {
            compare(&asked, told).into_iter().map(|finding| finding.what).collect()
        };
        let open = Said::Open("time".to_owned());
        assert_eq!(whats(&[told(0, Said::Holds, 5), told(0, open, 4)]), []);
        let both = [told(0, Said::Holds, 5), told(0, Said::Violated, 4)];
        assert_eq!(whats(&both), [What::Verdict]);
        assert_eq!(whats(&[told(0, Said::Holds, 5), told(0, Said::Holds, 4)]), [What::Numbers]);
        assert_eq!(whats(&[told(0, Said::Failed(String::new()), 5)]), [What::Failed]);
        let refused = Said::Refused(String::new());
        assert_eq!(whats(&[told(0, refused, 0), told(0, Said::Holds, 4)]), [What::Refused]);
    }

    #[test]
    fn a_cache_enters_every_state() {
        let set = |config: Config, name: &str, args: &[&str]| {
            let switch = SWITCHES.iter().position(|switch| switch.name == name).unwrap();
            let mut settings = SWITCHES[switch].settings.iter();
            config.with(switch, settings.position(|setting| setting.args == args).unwrap())
        };
        let cached = |states: u64| {
            let config = set(Config::plain(), "system-store", &["--plan-after", "4"]);
            let config = set(config, "store", &["--cache", "200"]);
            Told { config, ..told(0, Said::Holds, states) }
        };
        let asked = [question(About::Safety, None)];
        let found = compare(&asked, &[told(0, Said::Holds, 5), cached(4)]);
        assert_eq!(found.iter().map(|found| found.what).collect::<Vec<_>>(), [What::Skipped]);
        assert!(compare(&asked, &[told(0, Said::Holds, 5), cached(7)]).is_empty());
    }

    #[test]
    fn nothing_is_proved_in_spite_of_run_time_errors() {
        let asked = [
            Asked::Count,
            question(About::Safety, None),
            question(About::Ltl("[] !(a == 1)".to_owned()), None),
            question(About::Ltl("[] !(<> a == 1)".to_owned()), None),
        ];
        let whats = |told: &[Told]| -> Vec<What> {
            compare(&asked, told).into_iter().map(|finding| finding.what).collect()
        };
        let fault = || Said::Open("run-time error: division by zero at 3:1".to_owned());
        let mut count = told(0, Said::Holds, 5);
        count.answer.error = r#"{"assertion":1,"division-by-zero":2}"#.to_owned();
        let (holds, open) = (told(2, Said::Holds, 5), told(2, fault(), 3));
        assert_eq!(whats(&[holds.clone(), open.clone()]), [What::Fault]);
        assert_eq!(whats(&[told(1, Said::Holds, 5), open.clone()]), [What::Errors]);
        assert_eq!(whats(&[count.clone(), told(1, Said::Holds, 5)]), [What::Errors]);
        assert_eq!(whats(&[count.clone(), holds.clone()]), [What::Errors]);
        // Another formula may look at fewer states, and an assertion is no end.
        assert_eq!(whats(&[count.clone(), told(3, Said::Holds, 5), open]), []);
        count.answer.error = r#"{"assertion":1}"#.to_owned();
        assert_eq!(whats(&[count, holds]), []);
    }

    #[test]
    fn a_strongly_fair_run_is_weakly_fair() {
        let about = || About::Ltl("<> a".to_owned());
        let asked =
            [question(about(), Some(Fairness::Weak)), question(about(), Some(Fairness::Strong))];
        let found = compare(&asked, &[told(0, Said::Holds, 5), told(1, Said::Violated, 5)]);
        assert_eq!(found.iter().map(|found| found.what).collect::<Vec<_>>(), [What::Fairness]);
        let found = compare(&asked, &[told(1, Said::Holds, 5), told(0, Said::Violated, 5)]);
        assert!(found.is_empty());
    }
}

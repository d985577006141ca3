//! Cross-checks of translations, after H. Tauriainen and K. Heljanko, "Testing LTL formula
//! translation into Büchi automata", STTT 4 (2002), and Spot's ltlcross.
//!
//! For a formula f there is an automaton for f and one for !f from each level, generalised
//! and plain, and from each other translator. Call those of f P, Q, .. and those of !f N, ..:
//! - every P ∩ N is empty;
//! - on each sampled word exactly one of the two accepts, the one that the evaluator names;
//! - a deterministic P can be complemented: Q ∩ ¬P is empty for every Q, and likewise for !f;
//!   if some P and N are deterministic, ¬P ∩ ¬N is empty, so that P ∪ N is proved universal.
//!
//! For deterministic automata that is equivalence. A nondeterministic Q is inside P, and
//! shares no word with any N: words that it misses are left to the samples.

mod external;

pub use external::{External, ExternalError};

use crate::eval::{self, Letter, Word};
use crate::formula::{Formulas, Ltl};
use crate::membership::accepts_symbolic;
use crate::random::{self, Rng};
use crate::translate::{Level, Options, TooLarge, Translator};
use lariat_automata::reduce::complement::complement;
use lariat_automata::reduce::product::product;
use lariat_automata::reduce::prune::is_empty;
use lariat_automata::symbolic::{Bdd, Symbolic};

/// How much is checked.
#[derive(Clone, Debug)]
pub struct CrossOptions {
    /// Sampled words for each formula.
    pub words: usize,
    /// Limit for each translation and each product.
    pub max_states: usize,
    /// Other translators that take part.
    pub external: Vec<External>,
}

/// What came out for one formula.
#[derive(Clone, Debug, Default)]
pub struct CrossReport {
    /// Automata of f and of !f.
    pub automata: usize,
    /// Pairs of automata whose intersection was looked at.
    pub products: usize,
    /// Words on which all were compared with the meaning.
    pub words: usize,
    /// Whether the automata of f and of !f accept all words together, by emptiness of the
    /// product of two complements.
    pub universal: bool,
    /// What was left out because it grew too large or took too long.
    pub skipped: Vec<String>,
    /// Translators that do not know an operator of the formula.
    pub refused: Vec<String>,
    /// Empty if all agree.
    pub inconsistencies: Vec<String>,
}

/// What the two sides are automata of.
const SIDES: [&str; 2] = ["the formula", "its negation"];

struct Named {
    name: String,
    automaton: Symbolic,
}

/// Checks one formula.
pub fn check(all: &mut Formulas, f: Ltl, options: &CrossOptions, rng: &mut Rng) -> CrossReport {
    let mut report = CrossReport::default();
    // Many automata and products share the diagrams.
    let shared = options.max_states.saturating_mul(5);
    let mut bdd = Options { max_states: shared, ..Options::default() }.bdd();
    let aps = all.aps_of(f);
    let negated = all.not(f);
    let mut sides: [Vec<Named>; 2] = [Vec::new(), Vec::new()];
    for (side, formula) in [f, negated].into_iter().enumerate() {
        for level in [Level::Low, Level::Medium, Level::High] {
            for buchi in [false, true] {
                let name = format!("{level:?} {}", if buchi { "Büchi" } else { "TGBA" });
                let own =
                    Options { max_states: options.max_states, ..Options::new(level).buchi(buchi) };
                match translated(all, formula, &aps, own, &mut bdd) {
                    Ok(automaton) => sides[side].push(Named { name, automaton }),
                    Err(error) => report.skipped.push(format!("{name}: {error}")),
                }
            }
        }
        for external in &options.external {
            match external.translate(all, formula, &aps, &mut bdd) {
                Ok(Some(automaton)) => {
                    sides[side].push(Named { name: external.command.clone(), automaton });
                }
                Ok(None) => {
                    report.refused.push(format!("{}: does not know X", external.command));
                }
                Err(ExternalError::Timeout) => {
                    let why = format!("{}: took too long for {}", external.command, SIDES[side]);
                    report.skipped.push(why);
                }
                Err(error) => {
                    report.inconsistencies.push(format!("{}: {error}", external.command));
                }
            }
        }
    }
    let [positive, negative] = &sides;
    report.automata = positive.len() + negative.len();
    products(positive, negative, options, &mut report, &mut bdd);
    complements(positive, negative, options, &mut report, &mut bdd);
    for _ in 0..options.words {
        let word = random::word(rng, all.ap_names().len(), 5, 5);
        words(all, f, &word, positive, negative, &mut report, &bdd);
    }
    if bdd.exhausted() {
        report.inconsistencies.clear();
        report.skipped.push("the decision diagrams grew too large".to_owned());
    }
    report
}

fn translated(
    all: &mut Formulas,
    f: Ltl,
    aps: &[u32],
    options: Options,
    bdd: &mut Bdd,
) -> Result<Symbolic, TooLarge> {
    let mut translator = Translator::new(options);
    let simplified = translator.simplify(all, f);
    translator.symbolic(all, simplified, aps, bdd)
}

/// No automaton of the formula shares a word with one of its negation.
fn products(
    positive: &[Named],
    negative: &[Named],
    options: &CrossOptions,
    report: &mut CrossReport,
    bdd: &mut Bdd,
) {
    for a in positive {
        for b in negative {
            disjoint(
                [&a.automaton, &b.automaton],
                || format!("{} for the formula and {} for its negation", a.name, b.name),
                options,
                report,
                bdd,
            );
        }
    }
}

/// What can be said by complementing the deterministic automata.
fn complements(
    positive: &[Named],
    negative: &[Named],
    options: &CrossOptions,
    report: &mut CrossReport,
    bdd: &mut Bdd,
) {
    let mut smallest: [Option<(&Named, Symbolic)>; 2] = [None, None];
    for (side, of) in [positive, negative].into_iter().enumerate() {
        for a in of {
            if !a.automaton.is_deterministic(bdd) {
                continue;
            }
            let outside = complement(&a.automaton, bdd);
            for b in of.iter().filter(|b| b.name != a.name) {
                disjoint(
                    [&b.automaton, &outside],
                    || format!("{} and the complement of {} for {}", b.name, a.name, SIDES[side]),
                    options,
                    report,
                    bdd,
                );
            }
            let best = &mut smallest[side];
            if best.as_ref().is_none_or(|(_, best)| outside.state_count() < best.state_count()) {
                *best = Some((a, outside));
            }
        }
    }
    if let [Some((a, not_a)), Some((b, not_b))] = &smallest {
        let who = || {
            format!("the complements of {} for the formula, {} for its negation", a.name, b.name)
        };
        report.universal = disjoint([not_a, not_b], who, options, report, bdd);
    }
}

/// Checks that two automata share no word; `who` names them.
fn disjoint(
    [a, b]: [&Symbolic; 2],
    who: impl Fn() -> String,
    options: &CrossOptions,
    report: &mut CrossReport,
    bdd: &mut Bdd,
) -> bool {
    let Some(both) = product(a, b, options.max_states, bdd) else {
        report.skipped.push(format!("product of {}", who()));
        return false;
    };
    report.products += 1;
    let empty = is_empty(&both);
    if !empty {
        report.inconsistencies.push(format!("{} accept a common word", who()));
    }
    empty
}

fn words(
    all: &Formulas,
    f: Ltl,
    word: &Word,
    positive: &[Named],
    negative: &[Named],
    report: &mut CrossReport,
    bdd: &Bdd,
) {
    report.words += 1;
    let truth = eval::holds(all, f, word);
    for (side, (of, expected)) in [(positive, truth), (negative, !truth)].into_iter().enumerate() {
        for named in of {
            if accepts_symbolic(&named.automaton, bdd, all, word) != expected {
                report.inconsistencies.push(format!(
                    "{} for {}: the formula is {truth} on {}, but the automaton {} it",
                    named.name,
                    SIDES[side],
                    word_text(all, f, word),
                    if expected { "rejects" } else { "accepts" },
                ));
            }
        }
    }
}

/// A word as the propositions of `f` that hold at each step: `{p} {} ({p, q})*`.
fn word_text(all: &Formulas, f: Ltl, word: &Word) -> String {
    let aps = all.aps_of(f);
    let letter = |letter: &Letter| {
        let holding = aps.iter().filter(|&&ap| letter.holds(ap));
        let names: Vec<&str> = holding.map(|&ap| all.ap_names()[ap as usize].as_str()).collect();
        format!("{{{}}}", names.join(", "))
    };
    let letters: Vec<String> = word.letters.iter().map(letter).collect();
    let (prefix, repeated) = letters.split_at(word.loop_start);
    format!("{} ({})*", prefix.join(" "), repeated.join(" ")).trim_start().to_owned()
}

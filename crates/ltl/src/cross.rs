//! Cross-checks of translations, after H. Tauriainen and K. Heljanko, "Testing LTL formula
//! translation into Büchi automata", STTT 4 (2002), and Spot's ltlcross.
//!
//! For a formula f there is an automaton for f and one for !f from each level, generalised
//! and plain, and from each other translator. No automaton of f shares a word with one of !f;
//! on each sampled word exactly one of the two accepts, the one that the evaluator names.
//! Together: if A and B translate f, and A' and B' translate !f, then A ∩ B' and B ∩ A' are
//! empty and so A and B differ at most on words that neither B nor B' (A nor A') accepts.

mod external;

pub use external::{External, ExternalError};

use crate::eval::{self, Word};
use crate::formula::{Formulas, Ltl};
use crate::membership::accepts_symbolic;
use crate::random::{self, Rng};
use crate::syntax::Printer;
use crate::translate::{Level, Options, TooLarge, Translator};
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
    pub external: Vec<External>,
}

/// What came out for one formula.
#[derive(Clone, Debug, Default)]
pub struct CrossReport {
    /// Automata of f and of !f.
    pub automata: usize,
    pub products: usize,
    pub words: usize,
    /// Why something was left out.
    pub skipped: Vec<String>,
    /// Empty if all agree.
    pub inconsistencies: Vec<String>,
}

struct Named {
    name: String,
    automaton: Symbolic,
}

/// Checks one formula.
pub fn check(all: &mut Formulas, f: Ltl, options: &CrossOptions, rng: &mut Rng) -> CrossReport {
    let mut report = CrossReport::default();
    let mut bdd = Bdd::new();
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
                Ok(None) => report.skipped.push(format!("{}: has X", external.command)),
                Err(ExternalError::Timeout) => {
                    report.skipped.push(format!("{}: took too long", external.command));
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

fn products(
    positive: &[Named],
    negative: &[Named],
    options: &CrossOptions,
    report: &mut CrossReport,
    bdd: &mut Bdd,
) {
    for a in positive {
        for b in negative {
            match product(&a.automaton, &b.automaton, options.max_states, bdd) {
                None => report.skipped.push(format!("product of {} and {}", a.name, b.name)),
                Some(both) => {
                    report.products += 1;
                    if !is_empty(&both) {
                        report.inconsistencies.push(format!(
                            "{} for the formula and {} for its negation accept a common word",
                            a.name, b.name
                        ));
                    }
                }
            }
        }
    }
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
    for (side, expected) in [(positive, truth), (negative, !truth)] {
        for named in side {
            if accepts_symbolic(&named.automaton, bdd, all, word) != expected {
                report.inconsistencies.push(format!(
                    "{}: `{}` is {truth} on {word:?}, but the automaton {} it",
                    named.name,
                    Printer::new(all).text(f),
                    if expected { "rejects" } else { "accepts" },
                ));
            }
        }
    }
}

//! Pairs of a random program and a property that does not count steps: every check must say with
//! partial-order reduction what it says without, in every order (T1 of docs/por.md).
//!
//! Properties are formulas without X, and automata that accept the same runs but guess the lengths of blocks of
//! equal states (`lariat_automata::stutter::twist`). The rules of `--por-proviso` are asked, too: they must not
//! say that something holds, and how often they miss a run is counted.
//!
//! - `ring`: small programs that go round in rings; others are those of the net
//! - `levels`: properties of their states, by levels on several threads; `products`: the pairs themselves

mod levels;
mod products;
mod ring;

use std::fmt;
use std::time::Duration;

use lariat_automata::stutter::twist::twisted;
use lariat_automata::{Tgba, hoa};
use lariat_checks::{Algorithm, Setup, StackProviso};
use lariat_ltl::Formulas;
use lariat_ltl::random::{self, Shape};
use lariat_ltl::syntax::{Dialect, Printer};
use lariat_model::shortcuts::Shortcuts;
use lariat_search::safety::{ExploreOptions, explore};
use lariat_verify::engine::EngineSwitches;
use lariat_verify::model::Reading;
use lariat_verify::property::formula::{Mode, Property};
use lariat_verify::property::read;
use lariat_verify::reduction::ReductionSwitches;
use lariat_verify::{Answer, Config, Engine, Error, Limits, Loaded, Order, Parts, Silent, Status};

use crate::net::case::{About, Case, Language};
use crate::net::coverage::Coverage;
use crate::net::{dve, promela};
use crate::random::Rng;
use levels::ByLevels;
use products::OfThreads;

/// Programs with more states are left to the net.
const MOST_STATES: u64 = 400;
/// Properties of each program, each of them plain and twisted.
const PROPERTIES: usize = 4;
/// A twisted automaton is not made of a larger one.
const MOST_AUTOMATON_STATES: usize = 6;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Programs with such pairs.
    pub programs: u64,
    /// Pairs for which steps may be left out, and those of them with a twisted automaton.
    pub pairs: u64,
    pub twisted: u64,
    /// Pairs with a run that is looked for.
    pub violated: u64,
    /// Answers that were compared.
    pub answers: u64,
    /// Of properties that hold: states of the system without and with reduction, breadth first.
    pub states: [u64; 2],
    /// By rule of the papers, of properties with a run: how often it was missed.
    pub missed: [u64; StackProviso::ALL.len()],
    /// Properties of states.
    pub levels: ByLevels,
    /// Products on several threads.
    pub of_threads: OfThreads,
    /// Answers that are wrong, each with all that is needed to repeat it.
    pub wrong: Vec<String>,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { programs, pairs, twisted, violated, answers, states, .. } = self;
        writeln!(
            f,
            "{pairs} pairs of {programs} programs, {twisted} with a twisted automaton, {violated} \
             violated; {answers} answers, {} wrong",
            self.wrong.len()
        )?;
        let kept = states[1] as f64 / states[0].max(1) as f64;
        writeln!(f, "states where nothing is found: {} → {}, {kept:.3}", states[0], states[1])?;
        write!(f, "missed of {violated}:")?;
        for (rule, missed) in StackProviso::ALL.into_iter().zip(self.missed) {
            write!(f, " {} {missed}", rule.name())?;
        }
        let ByLevels { asked, violated, answers, smaller } = self.levels;
        write!(
            f,
            "\nby levels: {asked} questions about states, {violated} violated, {smaller} with states left out; {answers} answers"
        )?;
        let OfThreads { answers, smaller } = self.of_threads;
        write!(
            f,
            "\non threads: {answers} answers about pairs, {smaller} pairs with states left out"
        )
    }
}

/// A program that can be read, and expressions for propositions.
struct Program {
    name: String,
    text: String,
    language: Language,
    reading: Reading,
    propositions: Vec<String>,
}

/// Looks at so many pairs, or until a pair is wrong. `hear` is told now and then how far it is.
pub fn run(pairs: u64, seed: u64, mut hear: impl FnMut(&Tally)) -> Tally {
    let mut tally = Tally::default();
    let mut coverage = Coverage::new();
    for number in 0.. {
        if tally.pairs >= pairs || !tally.wrong.is_empty() {
            break;
        }
        let seed = seed.wrapping_mul(1 << 32).wrapping_add(number);
        // Rings are small, and made for it; the net knows the whole language.
        let program = match number % 4 {
            0 => Program::of_case(&promela::case(seed, &mut coverage)),
            1 => Program::of_case(&dve::case(seed, &mut coverage)),
            _ => Program::ring(seed),
        };
        tally.look_at(&program, &mut Rng::new(seed));
        if number % 50 == 0 {
            hear(&tally);
        }
    }
    tally
}

impl Program {
    fn ring(seed: u64) -> Program {
        let (text, propositions) = ring::program(&mut Rng::new(seed));
        let name = format!("ring {seed}");
        let (language, reading) = (Language::Promela, Reading::default());
        Program { name, text, language, reading, propositions }
    }

    fn of_case(case: &Case) -> Program {
        let texts = case.questions.iter().filter_map(|question| match &question.about {
            About::Invariant(text) | About::Reach(text) => Some(text.clone()),
            _ => None,
        });
        let reading = Reading {
            lose_messages: case.lossy,
            control_points: case.named_labels(),
            ..Reading::default()
        };
        Program {
            name: format!("{:?} {}", case.language, case.seed),
            text: case.model.to_string(),
            language: case.language,
            reading,
            propositions: texts.collect(),
        }
    }

    fn load(&self) -> Option<Loaded> {
        let language = match self.language {
            Language::Promela => lariat_verify::Language::Promela,
            Language::Dve => lariat_verify::Language::Dve,
        };
        self.reading.load_text("random", &self.text, language, Parts::System).ok()
    }
}

impl Tally {
    fn look_at(&mut self, program: &Program, rng: &mut Rng) {
        let Some(mut loaded) = program.load() else { return };
        if program.propositions.is_empty() {
            return;
        }
        let limits = ExploreOptions {
            max_states: Some(MOST_STATES),
            hidden_is_state: true,
            ..ExploreOptions::default()
        };
        let Ok(seen) = explore(loaded.model(), &limits) else { return };
        // What is behind a run-time error has no meaning, so which search meets one first decides
        // whether there is an answer.
        let is_fault = |name: &&str| !["assertion", "invalid-end-state"].contains(name);
        if seen.limit.is_some() || seen.errors.keys().any(is_fault) {
            return;
        }
        self.look_at_states(program, &mut loaded, rng);
        let before = self.pairs;
        for _ in 0..PROPERTIES {
            let Some(property) = formula(&mut loaded, program, rng) else { continue };
            let Ok(automaton) = property.watcher.automaton() else { continue };
            let automaton: Tgba = automaton.into_owned();
            let text = property.text.clone();
            let is_pair = self.pair(program, &loaded, &property, &text, rng);
            if !is_pair || automaton.state_count() > MOST_AUTOMATON_STATES {
                continue;
            }
            let twisted = twisted(&automaton, 2 + rng.below(2) as u32);
            let text = hoa::to_string(&twisted);
            let meaning = &mut |name: &str| meaning(program, name);
            let Ok(property) = read::automaton(&mut loaded, "twisted", twisted, meaning) else {
                continue;
            };
            self.twisted += u64::from(self.pair(program, &loaded, &property, &text, rng));
        }
        self.programs += u64::from(self.pairs > before);
    }

    /// Whether it is a pair: steps may be left out, and there is an answer.
    fn pair(
        &mut self,
        program: &Program,
        loaded: &Loaded,
        property: &Property,
        text: &str,
        rng: &mut Rng,
    ) -> bool {
        let shortcuts = if rng.chance(70) { Shortcuts::NONE } else { Shortcuts::ALL };
        let plain = Config { shortcuts, ..plain() };
        let check =
            |config: &Config| lariat_verify::temporal::check(loaded, property, config, &Silent);
        let no_por = ReductionSwitches { no_por: true };
        let full = Config { reduction: no_por, order: Order::BreadthFirst, ..plain.clone() };
        let (Ok(full), Ok(first)) = (check(&full), check(&plain)) else { return false };
        let truth = full.status();
        if truth == Status::Inconclusive || !first.reduction.is_used() {
            return false;
        }
        self.pairs += 1;
        self.violated += u64::from(truth == Status::Violated);
        let mut say = |wrong: String| {
            self.wrong.push(format!("{}: {wrong}\n{text}\n{}", program.name, program.text));
        };
        let mut compare = |answer: Result<Answer, Error>, how: &str| match answer {
            Ok(answer) if answer.status() == truth => Some(answer),
            Ok(answer) => {
                say(format!(
                    "{} {how}, {} without reduction",
                    answer.status().name(),
                    truth.name()
                ));
                None
            }
            // Two checks do not take all automata.
            Err(Error::Refused(_)) if ["sd", "reach"].contains(&how) => None,
            Err(error) => {
                say(format!("{how}: {error}"));
                None
            }
        };
        compare(Ok(first), "in both orders");
        let by_levels = Config { order: Order::BreadthFirst, ..plain.clone() };
        let reduced = compare(check(&by_levels), "breadth first");
        let depth_first = Config { order: Order::DepthFirst, ..plain.clone() };
        compare(check(&depth_first), "depth first");
        for algorithm in Algorithm::all() {
            let setup = Setup { algorithm, ..Setup::default() };
            let config = Config { setup, ..depth_first.clone() };
            compare(check(&config), algorithm.name());
        }
        self.answers += 3 + Algorithm::all().count() as u64;
        let of_full = (truth, full.statistics.states);
        self.on_threads(program, (loaded, property), &plain, of_full, rng);
        if let Some(reduced) = reduced.filter(|_| truth == Status::Holds) {
            let count = |answer: &Answer| answer.statistics.system_states.unwrap_or(0);
            self.states[0] += count(&full);
            self.states[1] += count(&reduced);
        }
        for (rule, missed) in StackProviso::ALL.into_iter().zip(&mut self.missed) {
            let config = Config { por_proviso: Some(rule), ..depth_first.clone() };
            match check(&config).map(|answer| answer.status()) {
                Ok(Status::Violated) if truth == Status::Violated => {}
                Ok(Status::Inconclusive) => *missed += u64::from(truth == Status::Violated),
                Ok(other) => {
                    let (rule, other) = (rule.name(), other.name());
                    self.wrong.push(format!("{}: {rule} says {other}\n{text}", program.name));
                }
                Err(error) => self.wrong.push(format!("{}: {error}\n{text}", program.name)),
            }
        }
        true
    }
}

/// Small models do not pay for native code.
fn plain() -> Config {
    let switches = EngineSwitches { interpret: true, ..EngineSwitches::default() };
    Config {
        engine: Engine { switches, ..Engine::default() },
        limits: Limits { time: Some(Duration::from_secs(10)), ..Limits::default() },
        // Whether it pays is not asked.
        por_after: Some(u64::MAX),
        ..Config::default()
    }
}

/// A formula over p0 and p1, which stand for expressions of the program.
fn formula(loaded: &mut Loaded, program: &Program, rng: &mut Rng) -> Option<Property> {
    let mut all = Formulas::new();
    let size = 2 + rng.below(8) as usize;
    let shape = Shape { propositions: 2, size, next: false };
    let f = random::formula(&mut all, &mut random::Rng::new(rng.draw()), shape);
    let text = Printer::new(&all).dialect(Dialect::Spin).text(f);
    let meaning = &mut |name: &str| meaning(program, name);
    read::formula(loaded, "pair", &text, Mode::Always, meaning).ok().map(|(property, _)| property)
}

/// The expression that a proposition stands for.
fn meaning(program: &Program, name: &str) -> String {
    let number: usize = name.trim_start_matches('p').parse().unwrap_or(0);
    program.propositions[number % program.propositions.len()].clone()
}

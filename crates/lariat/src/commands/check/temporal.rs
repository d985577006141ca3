//! Temporal properties: the `ltl` blocks of a model, and formulas of the command line.

use std::time::{Duration, Instant};

use clap::ValueEnum;
use lariat_ltl::syntax::Dialect;
use lariat_search::shared_product::FiniteRuns;

use crate::exit::Exit;
use crate::input;
use crate::limits::Limits;
use crate::model::{Language, Loaded, Reading};
use crate::progress;
use crate::property::formula::{Mode, Property, Watcher, claim, property};
use crate::property::search::{self, Answer, Found};
use lariat_checks::Setup;

#[derive(clap::Args, Clone, Debug)]
#[group(id = "temporal")]
pub(super) struct Options {
    /// A formula that must hold on all runs; propositions are expressions of the model
    #[arg(long, value_name = "FORMULA")]
    ltl: Vec<String>,
    /// A formula of which one run is wanted
    #[arg(long, value_name = "FORMULA")]
    exists: Vec<String>,
    /// Check only the `ltl` block of this name; `never` is the claim in the model
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Check safety only
    #[arg(long, conflicts_with_all = ["ltl", "exists", "property"])]
    safety: bool,
    /// What a run is that cannot go on, for temporal properties
    #[arg(long, value_enum)]
    finite_runs: Option<Finite>,
    #[command(flatten)]
    setup: Setup,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Finite {
    /// It stays in its last state for ever, as in Spin and DiVinE
    Stutter,
    /// No run at all, as in textbooks
    Ignore,
}

impl Options {
    /// Whether safety is to be checked: always, unless certain properties were asked for.
    pub(super) fn with_safety(&self) -> bool {
        self.ltl.is_empty() && self.exists.is_empty() && self.property.is_empty()
    }

    /// The temporal properties to check.
    pub(super) fn properties(
        &self,
        loaded: &mut Loaded,
        reading: &Reading,
    ) -> Result<Vec<Property>, Exit> {
        let dialect = match loaded.language() {
            Language::Promela => Dialect::Spin,
            Language::Dve => Dialect::Auto,
        };
        let mut found = Vec::new();
        for &id in loaded.model().claims.iter().filter(|_| self.wants_claim()) {
            found.push(claim(loaded.model(), id).map_err(|diagnostic| {
                reading.say(&loaded.model().sources, &[diagnostic]);
                Exit::BadInput
            })?);
        }
        for (name, text, mode) in self.texts(loaded)? {
            let mut bind = |text: &str| {
                loaded.expression(&name, text).map_err(|diagnostics| {
                    reading.say(&loaded.model().sources, &diagnostics);
                    format!("error: {name}: `{text}` is no proposition of this model")
                })
            };
            match property(&name, &text, mode, dialect, &mut bind) {
                Ok((property, warnings)) => {
                    reading.warn(&warnings);
                    found.push(property);
                }
                Err(message) => {
                    eprintln!("{}", message.trim_end());
                    return Err(Exit::BadInput);
                }
            }
        }
        Ok(found)
    }

    /// `--property never` names the claim of the model.
    fn wants_claim(&self) -> bool {
        let named = self.property.iter().any(|name| name == NEVER);
        !self.safety && (self.with_safety() || named)
    }

    fn texts(&self, loaded: &Loaded) -> Result<Vec<(String, String, Mode)>, Exit> {
        if self.safety {
            return Ok(Vec::new());
        }
        let blocks = &loaded.model().ltl;
        let mut texts = Vec::new();
        let is_claim = |name: &&String| *name == NEVER && !loaded.model().claims.is_empty();
        for name in self.property.iter().filter(|name| !is_claim(name)) {
            let Some(block) = blocks.iter().find(|block| block.name == *name) else {
                let names: Vec<_> = blocks.iter().map(|block| block.name.as_str()).collect();
                let known = if names.is_empty() {
                    "it has none".to_owned()
                } else {
                    format!("it has {}", names.join(", "))
                };
                let message = format!("the model has no `ltl {name}`: {known}");
                return Err(input::refuse(&message));
            };
            texts.push((block.name.clone(), block.text.clone(), Mode::Always));
        }
        if self.with_safety() {
            let all = blocks.iter();
            texts.extend(all.map(|b| (b.name.clone(), b.text.clone(), Mode::Always)));
        }
        let given = |texts: &[String], option: &str, mode| {
            let texts = texts.iter().enumerate();
            texts
                .map(|(i, text)| (format!("{option}#{}", i + 1), text.clone(), mode))
                .collect::<Vec<_>>()
        };
        texts.extend(given(&self.ltl, "--ltl", Mode::Always));
        texts.extend(given(&self.exists, "--exists", Mode::Exists));
        Ok(texts)
    }
}

/// The name of the claim in the model.
const NEVER: &str = "never";

/// The answer about one property, and how long it took.
pub(super) struct Judged {
    pub(super) property: Property,
    pub(super) answer: Answer,
    pub(super) elapsed: Duration,
}

impl Judged {
    pub(super) fn kind(&self) -> &'static str {
        match (&self.property.watcher, self.property.mode) {
            (Watcher::Claim(_), _) => "never",
            (_, Mode::Always) => "ltl",
            (_, Mode::Exists) => "exists",
        }
    }

    /// `holds` for a formula that all runs satisfy, or that some run was wanted for and found.
    pub(super) fn verdict(&self) -> &'static str {
        match (&self.answer.found, self.property.mode) {
            (Found::Inconclusive(_), _) => "inconclusive",
            (Found::None, Mode::Always) | (Found::Run(_), Mode::Exists) => "holds",
            (Found::None, Mode::Exists) | (Found::Run(_), Mode::Always) => "violated",
        }
    }

    pub(super) fn exit(&self) -> Exit {
        match self.verdict() {
            "holds" => Exit::Holds,
            "violated" => Exit::Violated,
            _ => Exit::Inconclusive,
        }
    }
}

/// Checks one property.
pub(super) fn check(
    loaded: &Loaded,
    property: Property,
    options: &Options,
    limits: &Limits,
) -> Result<Judged, Exit> {
    let started = Instant::now();
    let finite_runs = match options.finite_runs {
        Some(Finite::Stutter) | None => FiniteRuns::Stutter,
        Some(Finite::Ignore) => FiniteRuns::Ignore,
    };
    let setup = options.setup.with_depth_limit(limits.depth_limit());
    let mut guard = || {
        if progress::is_interrupted() {
            Some("interrupted".to_owned())
        } else if limits.time_limit().is_some_and(|limit| started.elapsed() >= limit) {
            Some("the time limit was reached".to_owned())
        } else if limits.max_memory().is_some_and(|limit| resident_bytes() > limit) {
            Some("the memory limit was reached".to_owned())
        } else {
            None
        }
    };
    match search::search(loaded.model(), &property, &setup, finite_runs, &mut guard) {
        Ok(answer) => Ok(Judged { property, answer, elapsed: started.elapsed() }),
        Err(message) => Err(input::refuse(&message)),
    }
}

/// Memory of this process; 0 where the system does not tell.
fn resident_bytes() -> usize {
    const PAGE: usize = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0)
        * PAGE
}

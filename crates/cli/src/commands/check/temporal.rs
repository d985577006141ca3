//! Temporal properties: the `ltl` blocks and claims of a model, and what the command line adds.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use lariat_automata::hoa::{self, Reader};
use lariat_model::interp::Fairness;
use lariat_model::ir::Expr;
use lariat_search::product::FiniteRuns;
use lariat_verify::property::automaton::claim;
use lariat_verify::property::formula::{Mode, Origin, Property, Watcher, about_labels};
use lariat_verify::property::read;
use lariat_verify::{Config, Language, Loaded};
use serde::{Deserialize, Serialize};

use crate::arguments::reading::Reading;
use crate::arguments::{FOR_TESTS, setup};
use crate::bug;
use crate::exit::Exit;
use crate::input;
use crate::limits::size;
use crate::out;
use crate::saved::{self, TemporalOptions};

#[derive(clap::Args, Clone, Debug)]
#[group(id = "temporal")]
pub(super) struct Options {
    /// Check that this formula holds on every run. Propositions are expressions of the model's
    /// language
    #[arg(long, value_name = "FORMULA")]
    ltl: Vec<String>,
    /// Look for a run that satisfies this formula, and show it
    #[arg(long, value_name = "FORMULA")]
    exists: Vec<String>,
    /// Check the never claim in this file. It may use all names of the model
    #[arg(long, value_name = "FILE")]
    never: Vec<PathBuf>,
    /// Check the automata in this HOA file. They accept the runs that are forbidden
    #[arg(long, value_name = "FILE.hoa")]
    automaton: Vec<PathBuf>,
    /// Define a proposition of --automaton, --ltl or --exists. Without this, its name is taken as
    /// an expression of the model
    #[arg(long, value_name = "NAME=EXPR")]
    bind: Vec<String>,
    /// Look for cycles without a progress label, with the automaton of HPY Fig. 6 or with the
    /// search of Fig. 5
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true,
          default_missing_value = "automaton")]
    non_progress: Option<NonProgress>,
    /// Check only this property: an `ltl` block by its name, `never` for the never claim of the
    /// model, or `accept` for the accept labels of its processes
    #[arg(long, value_name = "NAME")]
    property: Vec<String>,
    /// Check safety only, and skip all temporal properties
    #[arg(long, conflicts_with_all = [
        "ltl", "exists", "property", "never", "automaton", "non_progress", "bind",
        "fair", "fair_process", "finite_runs", "explain", "edge_cache", "no_remembered_propositions",
        "algorithm", "store", "dead_store", "lazy_dead", "plain_roots",
        "one_at_a_time", "bits", "hashes", "hash_seed", "cache_states",
    ])]
    safety: bool,
    /// Temporal properties: consider only fair runs
    #[arg(long, value_enum)]
    fair: Option<FairKind>,
    /// Require fairness only for processes of this type
    #[arg(long, value_name = "PROCTYPE", requires = "fair")]
    fair_process: Vec<String>,
    /// Temporal properties: how to treat a run that cannot continue. The default is `stutter`, and
    /// `ignore` for --non-progress
    #[arg(long, value_enum)]
    finite_runs: Option<Finite>,
    /// Explain which emptiness check was chosen, and why
    #[arg(long)]
    explain: bool,
    /// Temporal properties: how much memory to use for a cache of successors. The default is 256M,
    /// but at most an eighth of --max-memory, for checks that visit states twice, and none for
    /// others
    #[arg(long, value_name = "SIZE", value_parser = size, conflicts_with = "fair")]
    edge_cache: Option<usize>,
    /// Temporal properties: evaluate propositions in every state, even if the words that they look
    /// at are as in another state
    #[arg(long, hide_short_help = true, help_heading = FOR_TESTS)]
    no_remembered_propositions: bool,
    #[command(flatten)]
    setup: setup::Args,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum NonProgress {
    Automaton,
    Direct,
}

/// Which runs are fair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FairKind {
    /// A process that stays enabled takes a step again and again
    Weak,
    /// A process that is enabled again and again takes a step again and again
    Strong,
    /// Weak, as in `pan -f`: a process that waits for a rendezvous message may wait for ever
    Spin,
}

/// What of a run that cannot continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Finite {
    /// It repeats its last state for ever, as in Spin and DiVinE
    Stutter,
    /// It is not a run, as in textbooks
    Ignore,
}

impl FairKind {
    pub(crate) fn fairness(self) -> Fairness {
        match self {
            FairKind::Weak => Fairness::Weak,
            FairKind::Strong => Fairness::Strong,
            FairKind::Spin => Fairness::Spin,
        }
    }
}

/// Text of the command line in the model's language.
struct Bindings<'a> {
    given: Vec<(&'a str, &'a str)>,
    used: Vec<bool>,
}

impl<'a> Bindings<'a> {
    fn new(texts: &'a [String]) -> Result<Self, Exit> {
        let given = texts.iter().map(|text| {
            let parts = text.split_once('=').map(|(name, expr)| (name.trim(), expr.trim()));
            parts
                .filter(|(name, expr)| !name.is_empty() && !expr.is_empty())
                .ok_or_else(|| input::refuse(&format!("--bind {text}: expected NAME=EXPR")))
        });
        let given: Vec<_> = given.collect::<Result<_, _>>()?;
        Ok(Bindings { used: vec![false; given.len()], given })
    }

    /// The expression behind a proposition.
    fn text(&mut self, proposition: &str) -> String {
        match self.given.iter().position(|&(name, _)| name == proposition) {
            Some(at) => {
                self.used[at] = true;
                self.given[at].1.to_owned()
            }
            None => proposition.to_owned(),
        }
    }

    /// A name that is no proposition is a mistake.
    fn all_used(&self) -> Result<(), Exit> {
        match self.used.iter().position(|&used| !used) {
            Some(at) => Err(input::refuse(&format!(
                "--bind {}: no formula or automaton has this proposition",
                self.given[at].0
            ))),
            None => Ok(()),
        }
    }
}

impl Options {
    /// Whether safety is to be checked: always, unless certain properties were asked for.
    pub(super) fn with_safety(&self) -> bool {
        self.ltl.is_empty()
            && self.exists.is_empty()
            && self.property.is_empty()
            && self.never.is_empty()
            && self.automaton.is_empty()
            && self.non_progress.is_none()
    }

    /// Options that were given and say how temporal properties are checked: safety does not
    /// look at them.
    pub(super) fn only_temporal(&self) -> Vec<&'static str> {
        let own = [
            (self.fair.is_some(), "--fair"),
            (self.finite_runs.is_some(), "--finite-runs"),
            (self.explain, "--explain"),
            (self.edge_cache.is_some(), "--edge-cache"),
            (self.no_remembered_propositions, "--no-remembered-propositions"),
        ];
        let own = own.into_iter().filter(|&(given, _)| given).map(|(_, option)| option);
        // Safety has shortest runs, too.
        let setup =
            self.setup.setup(None).given().into_iter().filter(|&option| option != "--shortest");
        own.chain(setup).collect()
    }

    /// The names of the temporal properties that the model has.
    pub(super) fn names(&self, loaded: &Loaded) -> Vec<String> {
        let model = loaded.model();
        let mut names: Vec<String> = model.ltl.iter().map(|block| block.name.clone()).collect();
        if !model.claims.is_empty() {
            names.push(NEVER.to_owned());
        }
        if loaded.language() == Language::Promela {
            if self.has_accept_labels(loaded) {
                names.push(ACCEPT.to_owned());
            }
            names.push("non-progress".to_owned());
        }
        names
    }

    /// An option that was given and decides which runs count.
    pub(super) fn changes_meaning(&self) -> Option<&'static str> {
        let given = [
            (self.fair.is_some(), "--fair"),
            (self.finite_runs.is_some(), "--finite-runs"),
            (!self.never.is_empty(), "--never"),
        ];
        given.into_iter().find(|&(given, _)| given).map(|(_, option)| option)
    }

    /// Files with claims about the model.
    pub(super) fn claims(&self) -> &[PathBuf] {
        &self.never
    }

    /// The temporal properties to check.
    pub(super) fn properties(
        &self,
        loaded: &mut Loaded,
        reading: &Reading,
    ) -> Result<Vec<Property>, Exit> {
        let mut found = self.claim_properties(loaded, reading)?;
        found.extend(self.label_properties(loaded)?);
        let mut bindings = Bindings::new(&self.bind)?;
        for (name, text, mode) in self.texts(loaded)? {
            let meaning = &mut |proposition: &str| bindings.text(proposition);
            let (property, warnings) =
                read::formula(loaded, &name, &text, mode, meaning).map_err(bug::tell)?;
            reading.say(&loaded.model().sources, &warnings.located);
            reading.warn(&warnings.texts);
            found.push(property);
        }
        for (name, automaton) in self.automata()? {
            let meaning = &mut |proposition: &str| bindings.text(proposition);
            let bound = read::automaton(loaded, &name, automaton, meaning);
            found.push(bound.map_err(bug::tell)?);
        }
        bindings.all_used()?;
        Ok(found)
    }

    /// The claim of the model, and those of files.
    fn claim_properties(&self, loaded: &Loaded, reading: &Reading) -> Result<Vec<Property>, Exit> {
        let model = loaded.model();
        let mut found = Vec::new();
        let mut without = self.never.clone();
        let file_of = |id| {
            let home = model.sources.file_at(model.proctype(id).span.lo);
            let home = home.map(|file| model.sources.file_name(file));
            self.never
                .iter()
                .find(|file| home.as_deref().is_some_and(|home| Path::new(home) == **file))
        };
        let is_alone = model.claims.iter().filter(|&&id| file_of(id).is_none()).count() == 1;
        for &id in &model.claims {
            let own_name = &model.proctype(id).name;
            let name = match file_of(id) {
                Some(file) => file.display().to_string(),
                None if !self.wants(NEVER) && !self.wants(own_name) => continue,
                None if is_alone => NEVER.to_owned(),
                None => own_name.clone(),
            };
            without.retain(|file| file.display().to_string() != name);
            found.push(claim(model, id, &name).map_err(|diagnostic| {
                reading.say(&model.sources, &[diagnostic]);
                Exit::BadInput
            })?);
        }
        match without.first() {
            Some(file) => Err(input::refuse(&format!("{} has no never claim", file.display()))),
            None => Ok(found),
        }
    }

    /// What the labels of processes say.
    fn label_properties(&self, loaded: &mut Loaded) -> Result<Vec<Property>, Exit> {
        let is_promela = loaded.language() == Language::Promela;
        let mut kinds = Vec::new();
        if is_promela && self.wants(ACCEPT) && self.has_accept_labels(loaded) {
            kinds.push((Origin::Acceptance, Expr::AtAccept));
        }
        if self.non_progress.is_some() {
            if !is_promela {
                return Err(input::refuse("--non-progress is for Promela models"));
            }
            kinds.push((Origin::NonProgress, Expr::NonProgress));
        }
        let mut found = Vec::new();
        for (kind, expr) in kinds {
            let proposition = loaded.add(expr);
            found.push(about_labels(kind, proposition).map_err(bug::tell)?);
        }
        Ok(found)
    }

    fn has_accept_labels(&self, loaded: &Loaded) -> bool {
        loaded.model().process_locations().any(|location| location.is_accept)
    }

    /// What a saved run must know to judge it again, and to notice that it was judged again.
    pub(super) fn saved(&self, property: &Property) -> saved::Options {
        let automaton = match &property.watcher {
            Watcher::Automaton(automaton) if property.origin == Origin::Automaton => {
                Some(hoa::to_string(automaton))
            }
            _ => None,
        };
        saved::Options::Temporal(TemporalOptions {
            fair: self.fair,
            fair_processes: self.fair_process.clone(),
            finite_runs: self.finite_runs,
            bind: self.bind.clone(),
            automaton,
        })
    }

    /// What `--property` may name beside `ltl` blocks.
    fn wants(&self, name: &str) -> bool {
        let named = self.property.iter().any(|wanted| wanted == name);
        !self.safety && (self.with_safety() || named)
    }

    fn automata(&self) -> Result<Vec<(String, lariat_automata::Tgba)>, Exit> {
        let mut found = Vec::new();
        for file in &self.automaton {
            let (name, text) = input::read(file).map_err(|message| input::refuse(&message))?;
            let mut reader = Reader::new(&text, &name);
            let first = found.len();
            while let Some(item) = reader.next() {
                for warning in reader.take_warnings() {
                    err!("{}", reader.render(&warning));
                }
                match item {
                    Ok(automaton) => found.push((name.clone(), automaton)),
                    Err(error) => {
                        out::complain(reader.render(&error).trim_end());
                        return Err(Exit::BadInput);
                    }
                }
            }
            if found.len() > first + 1 {
                let several = found[first..].iter_mut().enumerate();
                several.for_each(|(at, (name, _))| *name = format!("{name}#{}", at + 1));
            }
        }
        Ok(found)
    }

    /// How to check, beside what other arguments say.
    pub(super) fn config(&self) -> Config {
        Config {
            setup: self.setup.setup(None),
            fairness: self.fair.map(FairKind::fairness),
            fair_processes: self.fair_process.clone(),
            finite_runs: self.finite_runs.map(|finite| match finite {
                Finite::Stutter => FiniteRuns::Stutter,
                Finite::Ignore => FiniteRuns::Ignore,
            }),
            direct_non_progress: self.non_progress == Some(NonProgress::Direct),
            edge_cache: self.edge_cache,
            remembers_propositions: !self.no_remembered_propositions,
            ..Config::default()
        }
    }

    pub(super) fn wants_explanation(&self) -> bool {
        self.explain
    }

    fn texts(&self, loaded: &Loaded) -> Result<Vec<(String, String, Mode)>, Exit> {
        if self.safety {
            return Ok(Vec::new());
        }
        let blocks = &loaded.model().ltl;
        let mut texts = Vec::new();
        let is_other = |name: &&String| {
            let claims = &loaded.model().claims;
            let is_claim = |id: &_| loaded.model().proctype(*id).name == **name;
            !claims.is_empty() && (*name == NEVER || claims.iter().any(is_claim))
                || *name == ACCEPT && self.has_accept_labels(loaded)
        };
        for name in self.property.iter().filter(|name| !is_other(name)) {
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
/// The name of what accept labels of processes say.
const ACCEPT: &str = "accept";

//! Temporal properties: the `ltl` blocks and claims of a model, and what the command line adds.

mod properties;

pub(crate) use properties::own_properties;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lariat_automata::hoa;
use lariat_checks::{CheckSwitches, StackProviso};
use lariat_core::Switches;
use lariat_model::interp::Fairness;
use lariat_search::product::FiniteRuns;
use lariat_verify::Config;
use lariat_verify::config::ProductSwitches;
use lariat_verify::property::formula::{Origin, Property, Watcher};
use lariat_verify::saved::{SavedFairness, SavedFinite, SavedOptions, TemporalOptions};

use crate::arguments::setup;
use crate::arguments::switches::{Given, options};
use crate::limits::size;

#[derive(clap::Args, Clone, Debug)]
#[group(id = "temporal")]
pub(super) struct TemporalArgs {
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
        "fair", "fair_process", "finite_runs", "edge_cache", "algorithm",
        "por_proviso",
    ], conflicts_with_all = options::<CheckSwitches>().chain(options::<ProductSwitches>()))]
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
    /// Explain which emptiness check was chosen and why, and where partial-order reduction could leave out
    /// nothing
    #[arg(long)]
    explain: bool,
    /// Temporal properties: how much memory to use for a cache of successors. The default is 256M,
    /// but at most an eighth of --max-memory, for checks that visit states twice, and none for
    /// others
    #[arg(long, value_name = "SIZE", value_parser = size)]
    edge_cache: Option<usize>,
    /// Temporal properties: how partial-order reduction makes sure that no step is put off for
    /// ever, by a rule of the papers. Each of them may miss a counterexample, so without one the
    /// answer is "inconclusive"
    #[arg(long, value_name = "RULE", value_parser = provisos(), conflicts_with = "--no-por")]
    por_proviso: Option<StackProviso>,
    #[command(flatten)]
    switches: Given<ProductSwitches>,
    #[command(flatten)]
    setup: setup::Args,
}

fn provisos() -> impl TypedValueParser<Value = StackProviso> {
    let value = |proviso: StackProviso| {
        PossibleValue::new(proviso.name()).help(match proviso {
            StackProviso::Stack => {
                "Nobody on the search stack, each search for itself (HPY Fig. 2; fails, Fig. 3)"
            }
            StackProviso::SelectionNumber => {
                "The second search takes the set that the first one has chosen (HPY §5.2)"
            }
            StackProviso::SelectionBit => "The same with one bit: the first set, or all",
            StackProviso::Discard => {
                "The second search skips successors that the first one has not seen (SE §6)"
            }
        })
    };
    let names = PossibleValuesParser::new(StackProviso::ALL.map(value));
    names.try_map(|name| StackProviso::named(&name).ok_or("no such proviso"))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum NonProgress {
    Automaton,
    Direct,
}

/// Which runs are fair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FairKind {
    /// A process that stays enabled takes a step again and again
    Weak,
    /// A process that is enabled again and again takes a step again and again
    Strong,
    /// Weak, as in `pan -f`: a process that waits for a rendezvous message may wait for ever
    Spin,
}

/// What of a run that cannot continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Finite {
    /// It repeats its last state for ever, as in Spin and DiVinE
    Stutter,
    /// It is not a run, as in textbooks
    Ignore,
}

impl FairKind {
    fn saved(self) -> SavedFairness {
        match self {
            FairKind::Weak => SavedFairness::Weak,
            FairKind::Strong => SavedFairness::Strong,
            FairKind::Spin => SavedFairness::Spin,
        }
    }

    pub(crate) fn fairness(self) -> Fairness {
        self.saved().fairness()
    }
}

impl Finite {
    fn saved(self) -> SavedFinite {
        match self {
            Finite::Stutter => SavedFinite::Stutter,
            Finite::Ignore => SavedFinite::Ignore,
        }
    }
}

impl TemporalArgs {
    /// Files with properties.
    pub(super) fn files(&self) -> Vec<&Path> {
        self.never.iter().chain(&self.automaton).map(PathBuf::as_path).collect()
    }

    /// Whether safety is to be checked: always, unless certain properties were asked for.
    pub(super) fn with_safety(&self) -> bool {
        self.ltl.is_empty()
            && self.exists.is_empty()
            && self.property.is_empty()
            && self.never.is_empty()
            && self.automaton.is_empty()
            && self.non_progress.is_none()
    }

    /// TemporalArgs that were given and say how temporal properties are checked: safety does not
    /// look at them.
    pub(super) fn only_temporal(&self) -> Vec<&'static str> {
        let own = [
            (self.fair.is_some(), "--fair"),
            (self.finite_runs.is_some(), "--finite-runs"),
            (self.edge_cache.is_some(), "--edge-cache"),
            (self.por_proviso.is_some(), "--por-proviso"),
        ];
        let own = own.into_iter().filter(|&(given, _)| given).map(|(_, option)| option);
        // Safety has shortest runs, too.
        let setup =
            self.setup.setup(None).given().into_iter().filter(|&option| option != "--shortest");
        own.chain(self.switches.0.given()).chain(setup).collect()
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

    /// What a saved run must know to judge it again, and to notice that it was judged again.
    pub(super) fn saved(&self, property: &Property) -> SavedOptions {
        let automaton = match &property.watcher {
            Watcher::Automaton(automaton) if property.origin == Origin::Automaton => {
                Some(hoa::to_string(automaton))
            }
            _ => None,
        };
        SavedOptions::Temporal(TemporalOptions {
            fair: self.fair.map(FairKind::saved),
            fair_processes: self.fair_process.clone(),
            finite_runs: self.finite_runs.map(Finite::saved),
            bind: self.bind.clone(),
            automaton,
            from: 0,
        })
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
            por_proviso: self.por_proviso,
            explains: self.explain,
            switches: self.switches.0,
            ..Config::default()
        }
    }

    pub(super) fn wants_explanation(&self) -> bool {
        self.explain
    }
}

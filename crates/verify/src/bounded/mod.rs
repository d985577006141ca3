//! Checks in bounded memory: what is kept of the states that were visited, how often a search is
//! repeated, and swarms of them.
//!
//! - `safety`: states; `crate::property::bounded`: runs
//! - `swarm`: many small searches, each another one

pub(crate) mod safety;
pub(crate) mod swarm;

use lariat_checks::{Setup, Store};
use lariat_core::Limit;
use lariat_model::interp::Fairness;
use lariat_report::numbers::grouped;
use lariat_search::bounded::coverage::Coverage;
use lariat_store::Policy;

use crate::answer::Inconclusive;
use crate::config::Config;
use crate::engine::SystemStore;
use crate::order::Order;

/// How much is kept of the states that were visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Bit-state hashing: a few bits. It finds errors and proves nothing.
    Bits {
        /// The array has 2 to the power of this bits.
        log_bits: u32,
        /// Hash functions.
        functions: u32,
    },
    /// Hash compaction: so many bits of a hash. It finds errors and proves nothing.
    Prints {
        /// 32, 40, 48, 56 or 64.
        bits: u32,
    },
    /// State-space caching: those that there is room for. It proves what it comes to the end of.
    Cache {
        /// Bytes of the table.
        bytes: usize,
        /// Which state is forgotten.
        policy: Policy,
    },
}

/// A check in bounded memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounded {
    /// What is kept.
    pub keep: Keep,
    /// Of the hash functions: another seed misses other states.
    pub seed: u64,
    /// Searches one after the other, each with hash functions of its own.
    pub repeat: u32,
    /// Many searches that differ in more than that.
    pub swarm: Option<Swarm>,
}

/// Many small bit-state searches until time is over: `Keep::Bits` says how large they may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swarm {
    /// Only the search of this number.
    pub only: Option<u64>,
}

/// One search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) keep: Keep,
    pub(crate) seed: u64,
    pub(crate) shuffle: lariat_search::bounded::Shuffle,
    /// In steps, beside the limit that was given.
    pub(crate) depth: Option<u64>,
    /// Runs: whether steps are left out.
    pub(crate) reduces_runs: bool,
}

impl Bounded {
    /// The searches one after the other, without a swarm.
    pub(crate) fn members(self) -> impl Iterator<Item = Member> {
        let Bounded { keep, seed, repeat, .. } = self;
        let shuffle = lariat_search::bounded::Shuffle::Not;
        (0..u64::from(repeat.max(1))).map(move |number| Member {
            keep,
            seed: seed.wrapping_add(number),
            shuffle,
            depth: None,
            reduces_runs: number % 2 == 1,
        })
    }

    /// Why nothing is left out (docs/por.md): of states, or of runs.
    pub(crate) fn why_unreduced(&self, order: Order, of_runs: bool) -> Option<&'static str> {
        let is_single = self.swarm.is_none() && self.repeat < 2;
        match self.keep {
            Keep::Cache { .. } => {
                Some("a cache forgets states, and with them which steps were put off")
            }
            _ if of_runs && is_single => Some(
                "in bounded memory nobody sees whether steps are put off for ever; --repeat and \
                 --swarm try both",
            ),
            _ if !of_runs && order == Order::BreadthFirst => {
                Some("in bounded memory, the way back is by numbers of successors")
            }
            _ => None,
        }
    }

    /// The option that asks for it.
    pub fn option(&self) -> &'static str {
        match self.keep {
            _ if self.swarm.is_some() => "--swarm",
            Keep::Bits { .. } => "--bitstate",
            Keep::Prints { .. } => "--hash-compact",
            Keep::Cache { .. } => "--cache",
        }
    }

    /// What the reader must know of an answer about runs.
    pub(crate) fn note(&self, config: &Config) -> Option<String> {
        let is_bfs = config.order == Order::BreadthFirst;
        is_bfs.then(|| format!("with {}, runs are looked for depth first", self.option()))
    }

    /// What it is called.
    pub(crate) fn name(&self, is_breadth_first: bool) -> &'static str {
        match (self.keep, is_breadth_first) {
            _ if self.swarm.is_some() => "swarm of bit-state searches",
            (Keep::Bits { .. }, false) => "bit-state search, depth first",
            (Keep::Bits { .. }, true) => "bit-state search, breadth first",
            (Keep::Prints { .. }, false) => "hash compaction, depth first",
            (Keep::Prints { .. }, true) => "hash compaction, breadth first",
            (Keep::Cache { .. }, _) => "state-space caching, depth first",
        }
    }

    /// What does not go with it is refused, not ignored.
    pub(crate) fn fits(&self, config: &Config, is_temporal: bool) -> Result<(), String> {
        let is_cache = matches!(self.keep, Keep::Cache { .. });
        let is_bfs = config.order == Order::BreadthFirst;
        let refused = [
            (config.setup.shortest, "--shortest", "--bfs finds a nearest error of states"),
            (config.edge_cache.is_some(), "--edge-cache", "successors are never kept"),
            (
                config.engine.system_store == SystemStore::Flat,
                "--system-store flat",
                "states are kept in another way",
            ),
            (is_bfs && is_cache, "--bfs", "a cache needs the states on a stack to come to an end"),
            (is_bfs && self.swarm.is_some(), "--bfs", "a swarm goes depth first"),
            (
                is_temporal && config.direct_non_progress,
                "--non-progress=direct",
                "--non-progress=automaton does",
            ),
            (
                is_temporal && config.fairness == Some(Fairness::Strong),
                "--fair strong",
                "the product must be kept as a whole for it",
            ),
        ];
        match refused.into_iter().find(|&(given, ..)| given) {
            Some((_, what, why)) => {
                Err(format!("{} does not go with {what}: {why}", self.option()))
            }
            None => Ok(()),
        }
    }

    /// For the emptiness checks. `width` is the number of words of a product state.
    pub(crate) fn setup(member: &Member, setup: &Setup, width: usize) -> Setup {
        let setup = Setup { hash_seed: Some(member.seed), ..setup.clone() };
        let depth = member.depth.map(|depth| usize::try_from(depth).unwrap_or(usize::MAX));
        let depth_limit =
            setup.depth_limit.map_or(depth, |limit| Some(limit.min(depth.unwrap_or(limit))));
        let setup = Setup { depth_limit, ..setup };
        match member.keep {
            Keep::Bits { log_bits, functions } => Setup {
                store: Store::Bitstate,
                bits: Some(log_bits),
                hashes: Some(functions),
                ..setup
            },
            Keep::Prints { bits } => {
                Setup { store: Store::HashCompact, print_bits: Some(bits), ..setup }
            }
            Keep::Cache { bytes, .. } => {
                // A row, a slot for it and what is known of it.
                let each = width * 4 + 24;
                let states = (bytes / each).clamp(1, 1 << 29) as u64;
                Setup { store: Store::Cache, cache_states: Some(states), hash_seed: None, ..setup }
            }
        }
    }
}

/// What a check in bounded memory has seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Covered {
    /// As far as a lossy store can tell.
    pub(crate) coverage: Option<Coverage>,
    /// States that a cache has places for, and how often it forgot one.
    pub(crate) cache: Option<(u64, u64)>,
    /// Of a swarm: all states of all searches, and the one that has found something.
    pub(crate) swarm: Option<(u64, Option<u64>)>,
}

impl Covered {
    pub(crate) fn and(self, other: Covered) -> Covered {
        let coverage = match (self.coverage, other.coverage) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
        Covered { coverage, cache: other.cache.or(self.cache), swarm: other.swarm.or(self.swarm) }
    }

    /// For the reader.
    pub(crate) fn in_words(&self) -> Option<String> {
        if let Some((places, forgotten)) = self.cache {
            let (places, forgotten) = (grouped(places), grouped(forgotten));
            return Some(format!(
                "cache: room for {places} states, {forgotten} times one was forgotten"
            ));
        }
        let Coverage { states, filling, estimate, runs } = self.coverage?;
        let how = match self.swarm {
            Some((all, _)) => format!(
                "{} searches with {} visits in all, the largest of {} states",
                grouped(runs),
                grouped(all),
                grouped(states)
            ),
            None if runs > 1 => {
                format!("{} states in the best of {runs} searches", grouped(states))
            }
            None => format!("{} states", grouped(states)),
        };
        let filled = filling.map(|part| format!(", {:.2} % of the bits set", 100.0 * part));
        Some(format!(
            "covered: {how}{}; about {} of the states that were met",
            filled.unwrap_or_default(),
            percent(estimate)
        ))
    }

    /// How to repeat what a swarm has found.
    pub(crate) fn repeat_in_words(&self) -> Option<String> {
        let (_, seed) = self.swarm?;
        Some(format!("found by search {0}: repeat it with --swarm-seed {0}", seed?))
    }

    /// What is to be said beside an answer.
    pub(crate) fn notes(&self) -> Vec<String> {
        let cache = self.cache.and_then(|_| self.in_words());
        cache.into_iter().chain(self.repeat_in_words()).collect()
    }

    /// Why there is no answer.
    pub(crate) fn why(&self, limit: Limit) -> Inconclusive {
        match self.in_words() {
            Some(covered) => Inconclusive::new(limit, format!("{limit}; {covered}")),
            None => limit.into(),
        }
    }
}

/// A part that is nearly all is not said to be all.
fn percent(part: f64) -> String {
    match 100.0 * part {
        p if p > 99.9999 => "99.9999 %".to_owned(),
        p if p > 99.0 => format!("{p:.4} %"),
        p => format!("{p:.1} %"),
    }
}

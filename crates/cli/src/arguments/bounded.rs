//! How much is kept of the states that were visited.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use lariat_store::Policy;
use lariat_verify::bounded::{Bounded, Keep, Swarm};

use super::FOR_TESTS;
use crate::limits::size;

/// The heading of these options.
const HEADING: &str = "Bounded memory (docs/lossy.md)";

#[derive(clap::Args, Clone, Debug)]
#[group(id = "bounded")]
pub(crate) struct Args {
    /// Bit-state hashing: keep a few bits of each visited state in an array of 2^N bits. It finds
    /// errors, and never proves that there is none
    #[arg(long, value_name = "N", help_heading = HEADING,
          value_parser = clap::value_parser!(u32).range(6..=44))]
    bitstate: Option<u32>,
    /// Bit-state: the number of hash functions. The default is 3
    #[arg(short = 'k', long, value_name = "K", requires = "bitstate", help_heading = HEADING,
          conflicts_with = "swarm", value_parser = clap::value_parser!(u32).range(1..=16))]
    hash_functions: Option<u32>,
    /// Hash compaction: keep BITS bits of a hash of each visited state: 32, 40, 48, 56 or 64. It
    /// finds errors, and never proves that there is none
    #[arg(long, value_name = "BITS", num_args = 0..=1, require_equals = true,
          default_missing_value = "64", conflicts_with = "bitstate", help_heading = HEADING,
          value_parser = print_bits())]
    hash_compact: Option<u32>,
    /// State-space caching: keep visited states in a table of this size, and forget some when it is
    /// full. They may be visited again
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["bitstate", "hash_compact"],
          help_heading = HEADING, value_parser = size)]
    cache: Option<usize>,
    /// The seed of the hash functions: another one misses other states
    #[arg(long, value_name = "SEED", conflicts_with = "cache", help_heading = HEADING)]
    hash_seed: Option<u64>,
    /// Search N times, each time with other hash functions
    #[arg(long, value_name = "N", conflicts_with_all = ["cache", "swarm"], help_heading = HEADING,
          value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    /// Many small bit-state searches on all cores, each in another order and with other hash functions,
    /// until --time-limit. --bitstate N makes none larger than 2^N bits
    #[arg(long, conflicts_with_all = ["cache", "hash_compact"], help_heading = HEADING)]
    swarm: bool,
    /// The one search of a swarm with this number
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["cache", "hash_compact", "repeat", "hash_seed"],
          help_heading = HEADING)]
    swarm_seed: Option<u64>,
    /// Which state a cache forgets
    #[arg(long, value_name = "POLICY", requires = "cache", value_parser = policies(),
          hide_short_help = true, help_heading = FOR_TESTS)]
    cache_policy: Option<Policy>,
}

/// The largest searches of a swarm, unless told otherwise: 8 MiB each.
const SWARM_BITS: u32 = 26;
/// Hash functions of a bit-state search.
const FUNCTIONS: u32 = 3;

impl Args {
    pub(crate) fn bounded(&self) -> Option<Bounded> {
        let is_swarm = self.swarm || self.swarm_seed.is_some();
        let functions = self.hash_functions.unwrap_or(FUNCTIONS);
        let policy = self.cache_policy.unwrap_or_default();
        let keep = match (self.bitstate, self.hash_compact, self.cache) {
            (Some(log_bits), ..) => Keep::Bits { log_bits, functions },
            (_, Some(bits), _) => Keep::Prints { bits },
            (.., Some(bytes)) => Keep::Cache { bytes, policy },
            _ if is_swarm => Keep::Bits { log_bits: SWARM_BITS, functions },
            _ => return None,
        };
        Some(Bounded {
            keep,
            seed: self.hash_seed.unwrap_or(1),
            repeat: self.repeat.unwrap_or(1),
            swarm: is_swarm.then_some(Swarm { only: self.swarm_seed }),
        })
    }

    /// What is wrong with them. A swarm has no end of its own.
    pub(crate) fn complaint(&self, has_time_limit: bool) -> Option<&'static str> {
        match self.bounded() {
            None if self.hash_seed.is_some() => {
                Some("--hash-seed goes with --bitstate, --hash-compact or --swarm")
            }
            None if self.repeat.is_some() => {
                Some("--repeat goes with --bitstate or --hash-compact")
            }
            Some(bounded) if bounded.swarm == Some(Swarm { only: None }) && !has_time_limit => {
                Some("--swarm goes on until --time-limit or --time-limit-each: give one")
            }
            _ => None,
        }
    }
}

fn print_bits() -> impl TypedValueParser<Value = u32> {
    let names = PossibleValuesParser::new(["32", "40", "48", "56", "64"]);
    names.try_map(|bits| bits.parse::<u32>())
}

fn policies() -> impl TypedValueParser<Value = Policy> {
    let names = PossibleValuesParser::new(Policy::ALL.map(Policy::name));
    names.try_map(|name| Policy::named(&name).ok_or("no such policy"))
}

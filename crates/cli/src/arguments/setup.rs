//! Which check, which store, and their switches. On models, the store is said by `bounded`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use lariat_checks::{Algorithm, CheckSwitches, Setup, Store};

use super::switches::Given;

#[derive(clap::Args, Clone, Debug)]
#[group(id = "setup")]
pub(crate) struct Args {
    /// The emptiness check
    #[arg(long, default_value = "auto", value_parser = algorithms())]
    algorithm: Algorithm,
    /// Shorten the counterexample by breadth-first search
    #[arg(long)]
    shortest: bool,
    #[command(flatten)]
    switches: Given<CheckSwitches>,
}

/// Where states of automata are kept.
#[derive(clap::Args, Clone, Debug)]
#[group(id = "store_of_automata")]
pub(crate) struct StoreArgs {
    /// Where to store visited states
    #[arg(long, default_value = "exact", value_parser = stores())]
    store: Store,
    /// Bit-state: the array has 2^N bits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=40))]
    bits: Option<u32>,
    /// Bit-state: the number of hash functions
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=16))]
    hashes: Option<u32>,
    /// Bit-state: seed of the hash functions; another one misses other states
    #[arg(long, value_name = "SEED")]
    hash_seed: Option<u64>,
    /// Hash compaction: how many bits of each state to keep
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(32..=64))]
    print_bits: Option<u32>,
    /// Cache: the most closed states to keep
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..1 << 30))]
    cache_states: Option<u64>,
}

impl Args {
    pub(crate) fn setup(&self, depth_limit: Option<usize>) -> Setup {
        Setup {
            algorithm: self.algorithm,
            shortest: self.shortest,
            switches: self.switches.0,
            depth_limit,
            ..Setup::default()
        }
    }
}

impl StoreArgs {
    pub(crate) fn store(&self) -> Store {
        self.store
    }

    /// The setup with this store.
    pub(crate) fn with(&self, setup: Setup) -> Setup {
        Setup {
            store: self.store,
            bits: self.bits,
            hashes: self.hashes,
            hash_seed: self.hash_seed,
            print_bits: self.print_bits,
            cache_states: self.cache_states,
            ..setup
        }
    }
}

fn algorithms() -> impl TypedValueParser<Value = Algorithm> {
    let value = |check: Algorithm| match check {
        Algorithm::Auto => {
            PossibleValue::new(check.name()).help("Chosen by the class of the automaton")
        }
        _ => PossibleValue::new(check.name()),
    };
    let names = PossibleValuesParser::new(Algorithm::ALL.map(value));
    names.try_map(|name| Algorithm::named(&name).ok_or("no such check"))
}

fn stores() -> impl TypedValueParser<Value = Store> {
    let value = |store: Store| {
        PossibleValue::new(store.name()).help(match store {
            Store::Exact => "Every state whole",
            Store::Bitstate => "A few bits for each state; finds errors, proves nothing",
            Store::HashCompact => "A hash of each state; finds errors, proves nothing",
            Store::Cache => "Forgets closed states when full; may visit states again",
        })
    };
    let names = PossibleValuesParser::new(Store::ALL.map(value));
    names.try_map(|name| Store::named(&name).ok_or("no such store"))
}

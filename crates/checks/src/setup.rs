//! Which check, which store, and their switches; and which of them go together.

use crate::algorithm::{Algorithm, Store};
use lariat_core::{Switches, switches};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc;
use lariat_store::BitstateOptions;

/// Which check, which store, and their switches.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    pub algorithm: Algorithm,
    pub store: Store,
    /// Shorten the counterexample by breadth-first search.
    pub shortest: bool,
    pub switches: CheckSwitches,
    /// States on the search stack at most.
    pub depth_limit: Option<usize>,
    /// Bit-state: the array has 2^N bits.
    pub bits: Option<u32>,
    /// Bit-state: the number of hash functions.
    pub hashes: Option<u32>,
    /// Bit-state: seed of the hash functions; another one misses other states.
    pub hash_seed: Option<u64>,
    /// Hash compaction: bits that are kept of each state.
    pub print_bits: Option<u32>,
    /// Cache: the most closed states to keep.
    pub cache_states: Option<u64>,
}

switches! {
    /// What is on or off in a check and its store.
    pub struct CheckSwitches {
        /// Keep closed states apart from open ones (+ds of RDKP §6)
        dead_store: "--dead-store" for Users,
        /// Like --dead-store, but move a closed state only when its slot is needed (RDKP §6)
        lazy_dead: "--lazy-dead" for Users,
        /// Do not compress the stack of roots (−cs of RDKP §4.2)
        plain_roots: "--plain-roots" for Users,
        /// Generate successors one at a time
        one_at_a_time: "--one-at-a-time" for Users,
        /// Give every check one set of accepting states: of a weak automaton those of its accepting
        /// components, any other one degeneralised. So all checks see the same graph
        by_states: "--state-acceptance" for Users,
    }
}

/// Bits of a state that hash compaction keeps unless told otherwise.
pub const PRINT_BITS: u32 = 64;

/// Closed states that a cache remembers unless told otherwise.
const CACHE_STATES: u64 = 1 << 20;

impl Setup {
    pub(crate) fn options(&self) -> SearchOptions {
        SearchOptions {
            room: if self.switches.one_at_a_time { 1 } else { usize::MAX },
            depth_limit: self.depth_limit.unwrap_or(usize::MAX),
        }
    }

    /// The size of a bit array and its hash functions.
    pub fn bitstate(&self) -> BitstateOptions {
        let default = BitstateOptions::default();
        BitstateOptions {
            log_bits: self.bits.unwrap_or(default.log_bits),
            functions: self.hashes.unwrap_or(default.functions),
            seed: self.hash_seed.unwrap_or(default.seed),
        }
    }

    #[cfg(feature = "all")]
    pub(crate) fn prints(&self) -> lariat_store::Fingerprints {
        lariat_store::Fingerprints::new(self.print_bits.unwrap_or(PRINT_BITS), self.bitstate().seed)
    }

    pub(crate) fn cache_states(&self) -> usize {
        self.cache_states.unwrap_or(CACHE_STATES) as usize
    }

    /// A switch that the check or the store would not look at is refused, not ignored.
    pub fn fits(&self, algorithm: Algorithm) -> Result<(), String> {
        let stores = algorithm.facts().stores;
        if !stores.contains(&self.store) {
            let names: Vec<_> = stores.iter().map(|store| store.name()).collect();
            let (check, store) = (algorithm.name(), self.store.name());
            return Err(format!(
                "{check} does not take the store {store}; it takes {}",
                names.join(", ")
            ));
        }
        let (bitstate, cache) = (self.store == Store::Bitstate, self.store == Store::Cache);
        let (prints, lossy) = (self.store == Store::HashCompact, self.store.is_lossy());
        let unused = [
            (self.bits.is_some() && !bitstate, "--bits", "the store bitstate"),
            (self.hashes.is_some() && !bitstate, "--hashes", "the store bitstate"),
            (self.hash_seed.is_some() && !lossy, "--hash-seed", "a lossy store"),
            (self.print_bits.is_some() && !prints, "--print-bits", "the store hash-compact"),
            (self.cache_states.is_some() && !cache, "--cache-states", "the store cache"),
            (
                self.switches.dead_store && !algorithm.has_dead_store(),
                "--dead-store",
                "other checks",
            ),
            // The others keep closed states apart in any case.
            (
                self.switches.dead_store && self.store != Store::Exact,
                "--dead-store",
                "the store exact",
            ),
            (
                self.switches.lazy_dead && !algorithm.has_lazy_dead_store(),
                "--lazy-dead",
                "other checks",
            ),
            (
                self.switches.plain_roots && !algorithm.has_root_stack(),
                "--plain-roots",
                "dijkstra or gabow",
            ),
            (
                self.switches.by_states && self.algorithm == Algorithm::Auto,
                "--state-acceptance",
                "a check that --algorithm names",
            ),
        ];
        match unused.into_iter().find(|&(unused, ..)| unused) {
            Some((_, switch, of)) => {
                let (check, store) = (algorithm.name(), self.store.name());
                Err(format!("{switch} is for {of}; this is {check} with the store {store}"))
            }
            None => Ok(()),
        }
    }

    /// A product has all successors of a system state at once: they are found once, however many
    /// automaton states it meets.
    pub fn fits_products(&self) -> Result<(), String> {
        match self.switches.one_at_a_time {
            true => Err("--one-at-a-time is for automata (lariat empty): the successors of a \
                         model's state are always computed together"
                .to_owned()),
            false => Ok(()),
        }
    }

    /// For what is no check of the list: none may be asked for, nor a switch of one.
    pub fn fits_no_check(&self, what: &str) -> Result<(), String> {
        match self.given().first() {
            Some(switch) => Err(format!("{what} has a search of its own, without {switch}")),
            None => Ok(()),
        }
    }

    /// Whether a check may be preceded by a breadth-first sweep: if none was asked for, nor the
    /// way in which states are looked at or kept.
    pub fn allows_sweep(&self) -> bool {
        self.depth_limit.is_none() && self.given().iter().all(|&switch| switch == "--shortest")
    }

    /// The switches that ask for something else than what is done without them.
    pub fn given(&self) -> Vec<&'static str> {
        let switches = [
            (self.algorithm != Algorithm::Auto, "--algorithm"),
            (self.store != Store::Exact, "--store"),
            (self.shortest, "--shortest"),
            (self.bits.is_some(), "--bits"),
            (self.hashes.is_some(), "--hashes"),
            (self.hash_seed.is_some(), "--hash-seed"),
            (self.print_bits.is_some(), "--print-bits"),
            (self.cache_states.is_some(), "--cache-states"),
        ];
        let given = switches.into_iter().filter(|&(given, _)| given).map(|(_, switch)| switch);
        given.chain(self.switches.given()).collect()
    }

    /// The store and its switches in words.
    pub(crate) fn describe_store(&self, algorithm: Algorithm) -> String {
        let size = match self.store {
            Store::Exact => String::new(),
            Store::Bitstate => {
                let BitstateOptions { log_bits, functions, .. } = self.bitstate();
                format!(", 2^{log_bits} bits, {functions} hash functions; it proves nothing")
            }
            Store::HashCompact => {
                let bits = self.print_bits.unwrap_or(PRINT_BITS);
                format!(", {bits} bits of each state; it proves nothing")
            }
            Store::Cache => format!(", {} closed states", self.cache_states()),
        };
        let dead = match (self.switches.dead_store, self.switches.lazy_dead) {
            (_, true) => ", closed states apart when needed",
            (true, false) => ", closed states apart",
            _ => "",
        };
        let roots = match (algorithm.has_root_stack(), self.switches.plain_roots) {
            (false, _) => "",
            (true, true) => ", plain roots",
            (true, false) => ", compressed roots",
        };
        format!("{}{size}{dead}{roots}", self.store.name())
    }

    pub(crate) fn roots(&self) -> scc::Roots {
        if self.switches.plain_roots { scc::Roots::Plain } else { scc::Roots::Compressed }
    }
}

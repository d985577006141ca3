//! From names to code: check × store × switches, each combination compiled once, for one type of graphs.

use crate::algorithm::{Algorithm, Store, Takes};
use crate::erased::Erased;
use lariat_automata::{ExplicitGraph, StateId, Tgba, classify, degeneralise};
use lariat_core::{
    Acceptance, Arena, Emptiness, Fixed, Flat, FlatArena, Full, Graph, Lasso, Limit, Outcome,
    RowOf, Run, Stats, Switches, Word, conclude, switches,
};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::{nested, non_progress, scc, streett, terminal, weak};
use lariat_search::shortest::{Budget, shorten};
use lariat_store::live::{
    BitDead, CacheDead, Eager, ExactDead, InPlace, InPlaceOver, Lazy, PrintDead, UnionInPlace,
    UnionSplit,
};
use lariat_store::{
    Bits, Bitstate, BitstateOptions, Cache, Compact, Evicting, Exact, Fingerprints,
};

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
    }
}

/// Bits of a state that hash compaction keeps unless told otherwise.
pub const PRINT_BITS: u32 = 64;

/// Closed states that a cache remembers unless told otherwise.
const CACHE_STATES: u64 = 1 << 20;

impl Setup {
    fn options(&self) -> SearchOptions {
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

    fn prints(&self) -> Fingerprints {
        Fingerprints::new(self.print_bits.unwrap_or(PRINT_BITS), self.bitstate().seed)
    }

    fn cache_states(&self) -> usize {
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

    fn roots(&self) -> scc::Roots {
        if self.switches.plain_roots { scc::Roots::Plain } else { scc::Roots::Compressed }
    }
}

/// The outcome for one automaton, the check that ran, and why that one.
pub struct Checked {
    pub outcome: Outcome,
    pub algorithm: Algorithm,
    pub why: String,
}

/// Runs the check that `setup` asks for on one explicit automaton. The lasso, if there is
/// one, is a run of `tgba` and was replayed on it.
///
/// # Panics
/// If the run that was found is none: an error of the check.
pub fn check_automaton(tgba: &Tgba, setup: &Setup) -> Result<Checked, String> {
    let Plan { algorithm, why, automaton, origins } = plan(tgba, setup)?;
    setup.fits(algorithm)?;
    let mut graph = ExplicitGraph::new(automaton.as_ref().unwrap_or(tgba)).widened::<2>();
    let mut outcome = check(&mut Erased(&mut graph), Vec::new, algorithm, setup);
    if let Emptiness::Found(lasso) = &mut outcome.verdict {
        *lasso = at_origins(lasso, origins.as_deref());
        let mut graph = ExplicitGraph::new(tgba);
        let (by, budget) = (Acceptance::Edges, Budget::default());
        let replayed = if setup.shortest {
            let store = &mut Exact::new(Vec::new());
            shorten(&mut graph, store, lasso, by, budget).map(|shorter| *lasso = shorter)
        } else {
            lasso.verify(&mut graph, by)
        };
        // An error of lariat, never of the input.
        replayed.unwrap_or_else(|error| panic!("{} found no true run: {error}", algorithm.name()));
    }
    Ok(Checked { outcome, algorithm, why })
}

/// What will run, on which automaton.
pub struct Plan {
    pub algorithm: Algorithm,
    pub why: String,
    /// An equivalent automaton, where the check does not take the given one.
    pub automaton: Option<Tgba>,
    /// The given automaton's state for each state of `automaton`, where they differ.
    pub origins: Option<Vec<StateId>>,
}

pub fn plan(tgba: &Tgba, setup: &Setup) -> Result<Plan, String> {
    let classes = classify::classify(tgba);
    let (algorithm, why) = match setup.algorithm {
        Algorithm::Auto if classes.terminal => (Algorithm::Reach, "the automaton is terminal"),
        Algorithm::Auto if classes.inherently_weak => (Algorithm::Sd, "the automaton is weak"),
        // Colours are bits, and a stack that holds no component is shorter.
        Algorithm::Auto if setup.store.is_lossy() => {
            (Algorithm::And, "the automaton is not weak, and the store is lossy")
        }
        Algorithm::Auto => (Algorithm::Dijkstra, "the automaton is not weak"),
        asked => (asked, "as asked"),
    };
    let mut automaton = None;
    let mut origins = None;
    let mut said = String::new();
    match algorithm.facts().takes {
        Takes::Tgba => {}
        Takes::Buchi => {
            if !classify::is_buchi_by_states(tgba) {
                let (copy, of) = degeneralise(tgba);
                said = format!(
                    ", degeneralised from {} to {} states",
                    tgba.state_count(),
                    copy.state_count()
                );
                (automaton, origins) = (Some(copy), Some(of));
            }
        }
        takes @ (Takes::WeakBuchi | Takes::TerminalBuchi) => {
            let fits = match takes {
                Takes::WeakBuchi => classes.inherently_weak,
                _ => classes.terminal,
            };
            if !fits {
                return Err(format!(
                    "{} is for {} automata, and this one is not; try another --algorithm",
                    algorithm.name(),
                    takes.name()
                ));
            }
            // Same states: only the marks move to the states of the accepting components.
            automaton = classify::to_weak_buchi(tgba);
        }
    }
    Ok(Plan { algorithm, why: format!("{why}{said}"), automaton, origins })
}

/// The lasso in the rows of the given automaton, one word each.
fn at_origins(lasso: &Lasso, origins: Option<&[StateId]>) -> Lasso {
    let origin = |run: &Run| {
        let mut mapped = Run::new(1);
        let state = |row: &[Word]| origins.map_or(row[0], |origins| origins[row[0] as usize]);
        run.iter().for_each(|row| mapped.push(&[state(row)]));
        mapped
    };
    Lasso { prefix: origin(&lasso.prefix), cycle: origin(&lasso.cycle) }
}

/// Runs a check on a product: its rows are the id of a system state and an automaton state.
pub fn check_product(
    graph: &mut dyn Graph<Batch = Fixed<2>>,
    algorithm: Algorithm,
    setup: &Setup,
) -> Outcome {
    let graph = &mut Erased(graph);
    let options = setup.options();
    // What is chosen unless something else is asked for runs on the more compact table.
    match algorithm {
        _ if setup.store != Store::Exact
            || setup.switches.dead_store
            || setup.switches.lazy_dead =>
        {
            check(graph, Vec::new, algorithm, setup)
        }
        Algorithm::Sd => weak::check(graph, &mut Compact::new(), options),
        Algorithm::Reach => terminal::check(graph, &mut Compact::new(), options),
        Algorithm::Auto | Algorithm::Dijkstra => {
            let store = &mut InPlaceOver::over(Compact::new());
            scc::dijkstra_tgba::check(graph, store, options, setup.roots())
        }
        _ => check(graph, Vec::new, algorithm, setup),
    }
}

/// Runs a check on a product of whole rows: nothing but the store keeps states.
pub fn check_rows(
    graph: &mut dyn Graph<Batch = Flat>,
    width: usize,
    algorithm: Algorithm,
    setup: &Setup,
) -> Outcome {
    check(&mut Erased(graph), || FlatArena::new(width), algorithm, setup)
}

/// There is no memory for the store.
fn no_memory() -> Outcome {
    Outcome { verdict: conclude(None, Some(Limit::Memory), true), stats: Stats::default() }
}

/// Looks for a run without progress by HPY Fig. 5: `graph` says *accepting* of a state
/// without progress.
pub fn check_non_progress(graph: &mut dyn Graph<Batch = Fixed<2>>, setup: &Setup) -> Outcome {
    let graph = &mut Erased(graph);
    let options = setup.options();
    let progress = |graph: &Erased<'_, Fixed<2>>, state: &[Word; 2]| !graph.accepting(state);
    match setup.store {
        Store::Exact => non_progress::check(graph, progress, &mut Exact::new(Vec::new()), options),
        Store::Bitstate => {
            let store = &mut Bitstate::new(Vec::new(), setup.bitstate());
            non_progress::check(graph, progress, store, options)
        }
        Store::HashCompact => {
            let store = &mut Bitstate::over(Vec::new(), setup.prints());
            non_progress::check(graph, progress, store, options)
        }
        Store::Cache => {
            let store = &mut Cache::new(Vec::new(), setup.cache_states());
            non_progress::check(graph, progress, store, options)
        }
    }
}

/// Looks for a strongly fair run.
pub fn check_strong(
    graph: &mut dyn Graph<Batch = Fixed<2>>,
    condition: &streett::Condition,
    setup: &Setup,
) -> Outcome {
    let store = &mut Exact::new(Vec::new());
    streett::check(&mut Erased(graph), store, setup.options(), condition)
}

/// Runs a check on any graph. It is compiled for two types of graphs only. `rows` makes empty arenas for
/// the graph's rows.
fn check<G, A>(graph: &mut G, rows: impl Fn() -> A, algorithm: Algorithm, setup: &Setup) -> Outcome
where
    G: Graph,
    A: Arena<Row = RowOf<G::Batch>> + Clone,
{
    let options = setup.options();
    let room = setup.cache_states();

    // A nested search with the store that was asked for.
    macro_rules! tagged {
        ($check:path) => {
            match setup.store {
                Store::Exact => $check(graph, &mut Exact::new(rows()), options),
                Store::Bitstate => match Bitstate::try_new(rows(), setup.bitstate()) {
                    Ok(mut store) => $check(graph, &mut store, options),
                    Err(Full) => no_memory(),
                },
                Store::HashCompact => {
                    $check(graph, &mut Bitstate::over(rows(), setup.prints()), options)
                }
                Store::Cache => $check(graph, &mut Cache::new(rows(), room), options),
            }
        };
    }
    // One whose second search must not meet forgotten states.
    macro_rules! remembering {
        ($check:path) => {
            match setup.store {
                Store::Bitstate => match Bitstate::try_new(rows(), setup.bitstate()) {
                    Ok(mut store) => $check(graph, &mut store, options),
                    Err(Full) => no_memory(),
                },
                Store::HashCompact => {
                    $check(graph, &mut Bitstate::over(rows(), setup.prints()), options)
                }
                _ => $check(graph, &mut Exact::new(rows()), options),
            }
        };
    }
    let bit_dead = || {
        let BitstateOptions { log_bits, functions, seed } = setup.bitstate();
        Bits::try_side_by_side(1, log_bits, functions, seed).map(BitDead::new)
    };
    let print_dead = || PrintDead::new(setup.prints());
    let cache_dead = || CacheDead::new(Evicting::new(rows(), room));
    let exact_dead = || ExactDead::new(rows());
    // A search by component: closed states in the same table, apart, or apart when needed.
    macro_rules! live {
        ($check:path $(, $more:expr)*) => {{
            macro_rules! split {
                ($dead:expr) => {
                    if setup.switches.lazy_dead {
                        $check(graph, &mut Lazy::new(rows(), rows(), $dead), options $(, $more)*)
                    } else {
                        $check(graph, &mut Eager::new(rows(), rows(), $dead), options $(, $more)*)
                    }
                };
            }
            match setup.store {
                Store::Exact if setup.switches.dead_store || setup.switches.lazy_dead => split!(exact_dead()),
                Store::Exact => $check(graph, &mut InPlace::new(rows()), options $(, $more)*),
                Store::Bitstate => match bit_dead() {
                    Ok(dead) => split!(dead),
                    Err(Full) => no_memory(),
                },
                Store::HashCompact => split!(print_dead()),
                Store::Cache => split!(cache_dead()),
            }
        }};
    }
    macro_rules! union {
        ($store:expr) => {
            scc::gabow_tgba::check(graph, &mut $store, options, setup.roots())
        };
    }
    match algorithm {
        Algorithm::Cvwy => tagged!(nested::cvwy::check),
        Algorithm::Hpy => tagged!(nested::hpy::check),
        Algorithm::Gmz => tagged!(nested::gmz::check),
        Algorithm::Se => remembering!(nested::se::check),
        Algorithm::And => remembering!(nested::and::check),
        Algorithm::Sd => tagged!(weak::check),
        Algorithm::Reach => tagged!(terminal::check),
        Algorithm::Tauriainen => nested::tauriainen::check(graph, &mut Exact::new(rows()), options),
        Algorithm::Tarjan => live!(scc::tarjan::check),
        Algorithm::Gv => live!(scc::gv::check),
        Algorithm::C99 => {
            let store = &mut Exact::new(rows()).at_most(scc::couvreur99::MOST_STATES);
            scc::couvreur99::check(graph, store, options, Acceptance::Edges)
        }
        Algorithm::Ascc => live!(scc::ascc::check, Acceptance::Edges),
        Algorithm::TarjanTgba => live!(scc::tarjan_tgba::check),
        Algorithm::Auto | Algorithm::Dijkstra => live!(scc::dijkstra_tgba::check, setup.roots()),
        Algorithm::Gabow => match setup.store {
            Store::Exact if setup.switches.dead_store || setup.switches.lazy_dead => {
                union!(UnionSplit::new(rows(), rows(), exact_dead()))
            }
            Store::Exact => union!(UnionInPlace::new(rows())),
            Store::Bitstate => match bit_dead() {
                Ok(dead) => union!(UnionSplit::new(rows(), rows(), dead)),
                Err(Full) => no_memory(),
            },
            Store::HashCompact => {
                union!(UnionSplit::new(rows(), rows(), print_dead()))
            }
            Store::Cache => union!(UnionSplit::new(rows(), rows(), cache_dead())),
        },
    }
}

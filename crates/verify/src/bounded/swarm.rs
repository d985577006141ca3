//! Swarm verification (Holzmann, Joshi, Groce, *Swarm verification techniques*, TSE 2011): many small
//! bit-state searches that differ in all that may differ, on all cores, until time is over. Each follows
//! from its number alone, so that what it finds can be found again.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use lariat_core::{Limit, stop};
use lariat_model::interp::Fault;
use lariat_search::bounded::{Dice, Shuffle};
use lariat_search::safety::Exploration;

use super::{Bounded, Covered, Keep, Member, Swarm};

/// The smallest array of a member.
const FEWEST_BITS: u32 = 16;

/// The search of this number: sizes, hash functions, order and depth.
pub(crate) fn member(bounded: &Bounded, seed: u64) -> Member {
    let largest = match bounded.keep {
        Keep::Bits { log_bits, .. } => log_bits,
        _ => unreachable!("a swarm is of bit-state searches"),
    };
    let mut dice = Dice::new(seed);
    let sizes = largest.saturating_sub(FEWEST_BITS) as usize + 1;
    // Small ones end soon, and others follow.
    let size = dice.below(sizes).min(dice.below(sizes)).min(dice.below(sizes));
    let log_bits = (FEWEST_BITS + size as u32).min(largest);
    let functions = 1 + dice.below(4) as u32;
    let shuffle = Shuffle::of_seed(dice.roll());
    // One of five is shallow, so that it comes to what a deep search has on its way back only.
    let depth = (dice.below(5) == 0).then(|| 50 << dice.below(12));
    let reduces_runs = seed.is_multiple_of(2);
    Member { keep: Keep::Bits { log_bits, functions }, seed, shuffle, depth, reduces_runs }
}

/// What the members say together.
pub(crate) struct Together<T> {
    /// That of the member that has found something, or else of the first one.
    pub(crate) answer: Option<(T, Covered)>,
    /// Of all that came to their end.
    pub(crate) covered: Covered,
}

/// Runs members, each by `run`, on so many threads or as many as there are cores, until one `finds` something or time is over. `goes_on` is false then.
pub(crate) fn run<T: Send>(
    wanted: Swarm,
    bounded: &Bounded,
    goes_on: &AtomicBool,
    threads: Option<usize>,
    run: impl Fn(Member) -> (T, Covered) + Sync,
    finds: impl Fn(&(T, Covered)) -> bool + Sync,
) -> Together<T> {
    let deadline = stop::deadline();
    let next = AtomicU64::new(wanted.only.unwrap_or(bounded.seed));
    let all = Mutex::new((None::<(u64, bool, (T, Covered))>, Covered::default(), 0_u64));
    let work = || {
        while goes_on.load(Ordering::Relaxed) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let answer = run(member(bounded, seed));
            let has_found = finds(&answer);
            let was_asked = stop::asked().is_some();
            let mut all = all.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            all.1 = std::mem::take(&mut all.1).and(answer.1.clone());
            all.2 += answer.1.coverage.map_or(0, |coverage| coverage.states);
            let had_found = all.0.as_ref().is_some_and(|&(_, found, _)| found);
            if all.0.is_none() || has_found && !had_found {
                all.0 = Some((seed, has_found, answer));
            }
            if has_found || was_asked || wanted.only.is_some() {
                goes_on.store(false, Ordering::Relaxed);
            }
        }
    };
    let threads = match wanted.only {
        Some(_) => 1,
        None => {
            let cores = || thread::available_parallelism().map_or(1, usize::from);
            threads.unwrap_or_else(cores)
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| stop::within(deadline, work));
        }
        work();
    });
    let all = all.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let (first, covered, states) = all;
    let found_by = first.as_ref().and_then(|&(seed, found, _)| found.then_some(seed));
    let covered = Covered { swarm: Some((states, found_by)), ..covered };
    Together { answer: first.map(|(.., answer)| answer), covered }
}

impl Together<Result<Exploration, Vec<Fault>>> {
    /// The answer of all: that of the one that found something. None has seen everything.
    pub(crate) fn into_answer(self) -> Result<(Exploration, Covered), Vec<Fault>> {
        let (found, _) = self.answer.expect("at least one search");
        let mut found = found?;
        if found.first_error.is_none() {
            found.limit = Some(stop::asked().unwrap_or(Limit::Lossy));
            if let Some((states, _)) = self.covered.swarm {
                found.states = states;
            }
        }
        Ok((found, self.covered))
    }
}

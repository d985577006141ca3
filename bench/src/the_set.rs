//! How fast the shared set is, on states that cost nearly nothing to expand, beside the index of today's trees and
//! what the machine can do at most. `bench/set.md` has the last figures.
//!
//! ```sh
//! cargo run --release -p lariat-bench --bin set -- 10        # millions of states
//! ```

use lariat_core::{Batch, Flat, SystemStore};
use lariat_store::Tree;
use lariat_store::hash::prefetch;
use lariat_store::lines::{Budget, Levels, Met, Root, RootSet, Stop};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Processes with a field each. A step flips bits of one field, and which is known by the field's value: as
/// steps are that lariat remembers.
struct Counters {
    bits: u32,
    initial: u64,
    parts: Vec<Part>,
}

struct Part {
    shift: u32,
    mask: u64,
    /// By value of the field: what its steps flip.
    steps: Vec<Vec<u64>>,
}

impl Counters {
    /// About so many states of six processes.
    fn new(bits: u32, states: f64) -> Self {
        let mut random = fastrand::Rng::with_seed(7);
        let (mut parts, mut shift, mut initial, mut left) = (Vec::new(), 0, 0, states);
        for others in (0..6).rev() {
            let width = (bits - shift) / (others + 1);
            let size = left.powf(1.0 / f64::from(others + 1)).round() as usize;
            left /= size as f64;
            let mut codes: Vec<u64> = (0..1 << width).collect();
            random.shuffle(&mut codes);
            codes.truncate(size);
            let mut steps = vec![Vec::new(); 1 << width];
            for (at, &code) in codes.iter().enumerate() {
                let flips = &mut steps[code as usize];
                flips.push((code ^ codes[(at + 1) % size]) << shift);
                if at > 0 && random.bool() {
                    flips.push((code ^ codes[random.usize(..at)]) << shift);
                }
            }
            initial |= codes[0] << shift;
            parts.push(Part { shift, mask: (1 << width) - 1, steps });
            shift += width;
        }
        Counters { bits, initial, parts }
    }

    #[inline]
    fn expand(&self, root: u64, mut found: impl FnMut(u64)) {
        for part in &self.parts {
            for flips in &part.steps[(root >> part.shift & part.mask) as usize] {
                found(root ^ flips);
            }
        }
    }
}

/// Roots that are expanded before their successors are looked up.
const BLOCK: usize = 32;

struct Outcome {
    states: usize,
    looks: u64,
    seconds: f64,
    /// At the end, and with the levels at most.
    bytes: usize,
    most: usize,
}

/// Breadth first with the shared set.
fn shared<R: Root>(work: &Counters, threads: usize, payload: u32) -> Outcome {
    let budget = Arc::new(Budget::unlimited());
    let mut set = RootSet::<R>::new(work.bits, payload, threads, &budget);
    let levels = Levels::<R>::new(work.bits, threads, &budget);
    let (looks, is_done, most) = (AtomicU64::new(0), AtomicBool::new(false), AtomicU64::new(0));
    let began = Instant::now();
    std::thread::scope(|scope| {
        for (me, mut session) in set.sessions().into_iter().enumerate() {
            let (levels, looks, is_done) = (&levels, &looks, &is_done);
            let (most, budget) = (&most, &budget);
            scope.spawn(move || -> Result<(), Stop> {
                let (mut hand, mut mine) = (levels.hand(), 0);
                let (mut roots, mut keys) = (Vec::new(), Vec::new());
                if me == 0 {
                    hand.make_room(1).expect("no limit");
                    let initial = R::from(work.initial);
                    session.insert(&[initial], |_| hand.push(initial))?;
                }
                loop {
                    roots.clear();
                    if hand.take(BLOCK, &mut roots) > 0 {
                        keys.clear();
                        for root in &roots {
                            work.expand(root.low(), |root| keys.push(R::from(root)));
                        }
                        mine += keys.len() as u64;
                        hand.make_room(keys.len()).expect("no limit");
                        session.insert(&keys, |at| hand.push(keys[at]))?;
                        continue;
                    }
                    hand.flush();
                    let met = session.meet(|| {
                        most.fetch_max(budget.taken() as u64, Relaxed);
                        is_done.store(levels.advance() == 0, Relaxed);
                    })?;
                    if met == Met::Done && is_done.load(Relaxed) {
                        looks.fetch_add(mine, Relaxed);
                        return Ok(());
                    }
                }
            });
        }
    });
    let seconds = began.elapsed().as_secs_f64();
    let (looks, most) = (looks.into_inner(), most.into_inner() as usize);
    Outcome { states: set.len(), looks, seconds, bytes: set.bytes(), most }
}

/// Breadth first with numbers, in today's index: a row of two words is a root there.
fn numbered(work: &Counters) -> Outcome {
    let mut tree = Tree::new(2);
    let row = |root: u64| [root as u32, (root >> 32) as u32];
    let began = Instant::now();
    tree.intern(&row(work.initial)).expect("no limit");
    let (mut next, mut looks) = (0, 0);
    let (mut batch, mut ids) = (Flat::new(2, usize::MAX), Vec::new());
    while next < tree.len() as u64 {
        batch.clear();
        let end = (tree.len() as u64).min(next + BLOCK as u64);
        for id in next..end {
            let words = tree.load(id);
            let root = u64::from(words[0]) | u64::from(words[1]) << 32;
            work.expand(root, |root| {
                batch.push_copy(&row(root));
            });
        }
        next = end;
        looks += batch.len() as u64;
        ids.clear();
        tree.take_in_rows(&batch, 0..batch.len(), &mut ids).expect("no limit");
        tree.finish(&mut ids).expect("no limit");
    }
    let (states, bytes) = (tree.len(), tree.bytes());
    Outcome { states, looks, seconds: began.elapsed().as_secs_f64(), bytes, most: bytes }
}

/// Lines of 64 bytes per second, in millions, that threads can look at in a table of so many, asked for in batches.
fn probes(lines: usize, threads: usize) -> f64 {
    const PROBES: usize = 1 << 23;
    let table: Vec<[u64; 8]> = (0..lines as u64).map(|line| [line; 8]).collect();
    let began = Instant::now();
    std::thread::scope(|scope| {
        for me in 0..threads as u64 {
            let table = &table;
            scope.spawn(move || {
                let mut random = fastrand::Rng::with_seed(me);
                let mut sum = 0_u64;
                let mut places = [0; 256];
                for _ in 0..PROBES / places.len() {
                    for place in &mut places {
                        *place = ((u128::from(random.u64(..)) * lines as u128) >> 64) as usize;
                        prefetch(&table[*place]);
                    }
                    sum += places.iter().map(|&place| table[place][7]).sum::<u64>();
                }
                std::hint::black_box(sum);
            });
        }
    });
    (PROBES * threads) as f64 / began.elapsed().as_secs_f64() / 1e6
}

fn main() {
    let millions: f64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10.0);
    println!("| | states | look-ups | M look-ups/s | B/state, end | most, with the levels |");
    println!("|---|---|---|---|---|---|");
    // The least disturbed of three runs.
    let show = |name: &str, run: &dyn Fn() -> Outcome| {
        let runs = (0..3).map(|_| run());
        let best = runs.min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("three");
        let Outcome { states, looks, seconds, bytes, most } = best;
        let each = |bytes: usize| bytes as f64 / states as f64;
        println!(
            "| {name} | {states} | {looks} | {:.1} | {:.2} | {:.2} |",
            looks as f64 / seconds / 1e6,
            each(bytes),
            each(most)
        );
        bytes
    };
    let mut bytes = 0;
    for bits in [32, 40, 48, 64] {
        let work = Counters::new(bits, millions * 1e6);
        for threads in [1, 2] {
            let name = format!("{bits} bits, threads: {threads}");
            let taken = show(&name, &|| shared::<u64>(&work, threads, 0));
            if bits == 40 {
                bytes = taken;
            }
        }
        if bits == 40 {
            show("40 bits, 1 thread, 3 bits of payload", &|| shared::<u64>(&work, 1, 3));
            show("40 bits as 128, 1 thread", &|| shared::<u128>(&work, 1, 0));
            show("40 bits, today's index with numbers", &|| numbered(&work));
        }
    }
    for threads in [1, 2] {
        println!(
            "\n{threads} threads look at {:.1} M lines/s at most",
            probes(bytes / 64, threads)
        );
    }
}

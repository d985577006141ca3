//! Very many states in one path and in one cycle: no stack overflows, memory is linear.
//!
//! One million here; ten million by
//! `LARIAT_DEEP=10000000 cargo test --release -p lariat-search --test all nested_deep`.

use crate::support::checks::{And, Check, Cvwy, Gmz, Hpy, Reach, Sd, Se, Tauriainen};
use lariat_core::lasso::Acceptance;
use lariat_core::{Batch, Cursor, DONE, Emptiness, Fixed, Graph, Marks, Outcome, Successors, Word};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::{non_progress, weak};
use lariat_store::{Bitstate, BitstateOptions, Cache, Exact};
use std::sync::LazyLock;

static LEN: LazyLock<u32> = LazyLock::new(|| {
    std::env::var("LARIAT_DEEP").map_or(1_000_000, |text| text.parse().expect("LARIAT_DEEP"))
});

/// A path 0 → 1 → … → len - 1, closed to a cycle or not.
#[derive(Clone)]
struct Line {
    len: u32,
    cycle: bool,
    accepting: fn(Word) -> bool,
}

impl Successors for Line {
    type Batch = Fixed<1>;

    fn batch(&self, room: usize) -> Fixed<1> {
        Fixed::new(room)
    }

    fn initial(&mut self, out: &mut Fixed<1>) {
        out.push_copy(&[0]);
    }

    fn expand(&mut self, &[src]: &[Word; 1], at: &mut Cursor, out: &mut Fixed<1>) {
        *at = DONE;
        if src + 1 < self.len || self.cycle {
            out.push_copy(&[(src + 1) % self.len]);
            if (self.accepting)(src) {
                out.set_marks(out.len() - 1, Marks::one(0));
            }
        }
    }
}

impl Graph for Line {
    fn accepting(&self, &[state]: &[Word; 1]) -> bool {
        (self.accepting)(state)
    }

    fn mark_count(&self) -> u32 {
        1
    }
}

/// Bytes a state in the exact store: row, tag, at most 22 for the table and slack.
fn assert_linear(outcome: &Outcome, what: &str) {
    assert_eq!(outcome.stats.states, u64::from(*LEN), "{what}");
    assert_eq!(outcome.stats.depth, u64::from(*LEN), "{what}");
    assert!(outcome.stats.bytes < 64 * u64::from(*LEN), "{what}: {} bytes", outcome.stats.bytes);
}

/// Every state accepting: each starts a second search of its own.
fn path(check: Check) {
    let mut graph = Line { len: *LEN, cycle: false, accepting: |_| true };
    let outcome = check.run(&mut graph, SearchOptions::default());
    assert!(matches!(outcome.verdict, Emptiness::Empty { .. }), "{check:?}");
    assert_linear(&outcome, &format!("{check:?}"));
}

/// One accepting state in the middle. The second search goes through half of the cycle or
/// all of it.
fn cycle(check: Check) {
    let accepting: fn(Word) -> bool = match check {
        // Weak: all states or none.
        Sd | Reach => |_| true,
        _ => |state| state == *LEN / 2,
    };
    let mut graph = Line { len: *LEN, cycle: true, accepting };
    let outcome = check.run(&mut graph, SearchOptions::default());
    assert!(outcome.stats.bytes < 64 * u64::from(*LEN), "{check:?}");
    let Emptiness::Found(lasso) = outcome.verdict else { panic!("{check:?}: missed") };
    assert_eq!(lasso.cycle.len(), *LEN as usize);
    lasso.verify(&mut graph, check.acceptance()).unwrap();
}

macro_rules! deep {
    ($($name:ident $check:ident),*) => {
        mod deep_path {
            $(#[test] fn $name() { super::path(super::$check); })*
        }
        mod deep_cycle {
            $(#[test] fn $name() { super::cycle(super::$check); })*
        }
    };
}

deep!(
    cvwy Cvwy, hpy Hpy, gmz Gmz, se Se, and And, tauriainen Tauriainen, sd Sd, reach Reach
);

#[test]
fn non_progress_cycle() {
    for (cycle, progress) in [(false, false), (true, false), (true, true)] {
        let mut graph = Line { len: *LEN, cycle, accepting: |_| true };
        let by_progress = |_: &Line, &[state]: &[Word; 1]| progress && state == 7;
        let mut store = Exact::new(Vec::<[Word; 1]>::new());
        let outcome =
            non_progress::check(&mut graph, by_progress, &mut store, SearchOptions::default());
        match outcome.verdict {
            Emptiness::Found(lasso) => {
                assert!(cycle && !progress);
                lasso.verify(&mut graph, Acceptance::States).unwrap();
            }
            Emptiness::Empty { .. } => assert!(!cycle || progress),
            Emptiness::Inconclusive(reason) => panic!("{reason:?}"),
        }
    }
}

/// The stores that keep only the stack whole: here that is everything.
#[test]
fn lossy_stores() {
    let mut graph = Line { len: *LEN, cycle: true, accepting: |_| true };
    let options = BitstateOptions { log_bits: 28, ..BitstateOptions::default() };
    let mut bits = Bitstate::new(Vec::<[Word; 1]>::new(), options);
    let mut cache = Cache::new(Vec::<[Word; 1]>::new(), 1 << 10);
    for outcome in [
        weak::check(&mut graph, &mut bits, SearchOptions::default()),
        weak::check(&mut graph, &mut cache, SearchOptions::default()),
    ] {
        let Emptiness::Found(lasso) = outcome.verdict else { panic!("missed") };
        assert_eq!(lasso.cycle.len(), *LEN as usize);
        lasso.verify(&mut graph, Acceptance::States).unwrap();
    }
}

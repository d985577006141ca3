//! Rows of a width known only at run time, on every store: the same statistics as with one
//! word a state.

use crate::support::{Explicit, Sweep};
use lariat_core::lasso::Acceptance;
use lariat_core::{
    Batch, Cursor, DONE, Emptiness, Fixed, Flat, FlatArena, Graph, Outcome, Successors, Word,
};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::nested::{and, cvwy, gmz, hpy, se, tauriainen};
use lariat_search::emptiness::{terminal, weak};
use lariat_store::{Bitstate, BitstateOptions, Cache, Exact};

const WIDTH: usize = 5;

/// Every state number spread over five words that are alike in most of them.
struct Wide(Explicit);

fn spread(state: Word) -> [Word; WIDTH] {
    [7, state / 4, 0, state % 4, 1]
}

impl Successors for Wide {
    type Batch = Flat;

    fn batch(&self, room: usize) -> Flat {
        Flat::new(WIDTH, room)
    }

    fn initial(&mut self, out: &mut Flat) {
        for &state in &self.0.initial {
            out.push_copy(&spread(state));
        }
    }

    fn expand(&mut self, src: &[Word], at: &mut Cursor, out: &mut Flat) {
        // Always all at once: producers may overshoot the room.
        let mut narrow = Fixed::new(usize::MAX);
        while *at != DONE {
            self.0.expand(&[src[1] * 4 + src[3]], at, &mut narrow);
        }
        for i in 0..narrow.len() {
            out.push_copy(&spread(narrow.row(i)[0]));
            out.set_marks(out.len() - 1, narrow.marks(i));
        }
    }
}

impl Graph for Wide {
    fn accepting(&self, state: &[Word]) -> bool {
        self.0.accepting[(state[1] * 4 + state[3]) as usize]
    }

    fn mark_count(&self) -> u32 {
        self.0.mark_count
    }
}

fn arena() -> FlatArena {
    FlatArena::new(WIDTH)
}

fn compare(seed: u64, name: &str, graph: &Explicit, narrow: Outcome, wide: Outcome) {
    let numbers = |outcome: &Outcome| {
        let stats = &outcome.stats;
        [stats.states, stats.transitions, stats.expansions, stats.depth]
    };
    assert_eq!(numbers(&narrow), numbers(&wide), "{name}, seed {seed}");
    match (narrow.verdict, wide.verdict) {
        (Emptiness::Found(narrow), Emptiness::Found(wide)) => {
            assert_eq!(narrow.cycle.len(), wide.cycle.len(), "{name}, seed {seed}");
            let by = if name == "tauriainen" { Acceptance::Edges } else { Acceptance::States };
            wide.verify(&mut Wide(graph.clone()), by).unwrap();
        }
        (Emptiness::Empty { .. }, Emptiness::Empty { .. }) => {}
        (Emptiness::Inconclusive(narrow), Emptiness::Inconclusive(wide)) => {
            assert_eq!(narrow, wide)
        }
        verdicts => panic!("{name}, seed {seed}: {verdicts:?}"),
    }
}

#[test]
fn the_width_of_rows_changes_nothing() {
    for seed in Sweep::from_env(2_000).seeds() {
        let options = SearchOptions::default();
        // Roomy, so that both widths forget and confuse nothing.
        let bits = BitstateOptions { log_bits: 20, ..BitstateOptions::default() };
        macro_rules! on {
            ($graph:expr, $name:literal, $check:path, $narrow:expr, $wide:expr) => {
                let graph = $graph;
                let narrow = $check(&mut graph.clone(), &mut $narrow, options);
                let wide = $check(&mut Wide(graph.clone()), &mut $wide, options);
                compare(seed, $name, &graph, narrow, wide);
            };
        }
        let narrow = Vec::<[Word; 1]>::new;
        let buchi = || Explicit::random_buchi(seed);
        let weakly = || Explicit::random_weak(seed);
        on!(buchi(), "cvwy", cvwy::check, Exact::new(narrow()), Exact::new(arena()));
        on!(buchi(), "hpy", hpy::check, Cache::new(narrow(), 999), Cache::new(arena(), 999));
        on!(buchi(), "gmz", gmz::check, Cache::new(narrow(), 999), Cache::new(arena(), 999));
        on!(buchi(), "se", se::check, Bitstate::new(narrow(), bits), Bitstate::new(arena(), bits));
        on!(buchi(), "and", and::check, Exact::new(narrow()), Exact::new(arena()));
        on!(buchi(), "tauriainen", tauriainen::check, Exact::new(narrow()), Exact::new(arena()));
        on!(weakly(), "sd", weak::check, Cache::new(narrow(), 999), Cache::new(arena(), 999));
        on!(weakly(), "reach", terminal::check, Exact::new(narrow()), Exact::new(arena()));
    }
}

//! Random graphs. Every graph has a seed of its own, which is printed when a test fails.

use fastrand::Rng;

use super::{Explicit, oracle::Component};
use lariat_core::{Marks, Word};

pub fn chance(rng: &mut Rng, percent: u32) -> bool {
    rng.u32(..100) < percent
}

/// How many random graphs, from which seed: `LARIAT_SWEEP_COUNT`, `LARIAT_SEED`.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    pub count: u64,
    pub seed: u64,
}

impl Sweep {
    pub fn from_env(count: u64) -> Self {
        let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect(name));
        Sweep {
            count: number("LARIAT_SWEEP_COUNT").unwrap_or(count),
            seed: number("LARIAT_SEED").unwrap_or(1),
        }
    }

    /// A sweep shows little unless each kind of case occurs often: at least once in `share`
    /// graphs. Short sweeps are let off.
    pub fn expect_each(self, share: u64, counts: &[u64]) {
        println!("of {} graphs: {counts:?}", self.count);
        let often = counts.iter().all(|&count| count * share >= self.count);
        assert!(often || self.count < 1000, "{counts:?} of {}", self.count);
    }

    /// The seed of each graph; what is printed makes the same graph again.
    pub fn seeds(self) -> impl Iterator<Item = u64> {
        let mut rng = Rng::with_seed(self.seed);
        (0..self.count).map(move |_| rng.u64(..))
    }
}

impl Explicit {
    /// 1 to 12 states, sparse to dense, with loops, parallel edges, dead ends and up to three
    /// initial states. No acceptance yet.
    fn shape(rng: &mut Rng) -> Self {
        let len = 1 + rng.u64(..12);
        // Mostly about one or two edges a state: there both answers are common.
        let most = 1 + rng.u64(..4);
        let forward = chance(rng, 30);
        let edges = (0..len)
            .map(|src| {
                let out = rng.u64(..most + 1);
                let target = |rng: &mut Rng| {
                    if forward && chance(rng, 80) {
                        (src + rng.u64(..len - src)) as Word
                    } else {
                        rng.u64(..len) as Word
                    }
                };
                (0..out).map(|_| (target(rng), Marks::NONE)).collect()
            })
            .collect();
        let initial = (0..1 + rng.u64(..3)).map(|_| rng.u64(..len) as Word).collect();
        Explicit { initial, edges, accepting: vec![false; len as usize], ..Explicit::default() }
    }

    /// 0 to 4 marks on the edges.
    pub fn random_tgba(seed: u64) -> Self {
        Explicit::random_tgba_with(seed, (seed % 5) as u32)
    }

    /// `mark_count` marks, anything from 0 to 64.
    pub fn random_tgba_with(seed: u64, mark_count: u32) -> Self {
        let mut rng = Rng::with_seed(seed);
        Explicit::shape(&mut rng).with_marks(&mut rng, mark_count)
    }

    fn with_marks(mut self, rng: &mut Rng, mark_count: u32) -> Self {
        let percent = [15, 35, 60, 90][rng.usize(..4)];
        for (_, marks) in self.edges.iter_mut().flatten() {
            let chosen = (0..mark_count).filter(|_| chance(rng, percent));
            *marks = chosen.fold(Marks::NONE, |set, index| set | Marks::one(index));
        }
        Explicit { initial: self.initial, ..Explicit::tgba(mark_count, self.edges) }
    }

    /// One accepting set of states. One in ten has no mark at all: every state is accepting.
    pub fn random_buchi(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let graph = Explicit::shape(&mut rng);
        if chance(&mut rng, 10) {
            return graph.accept(0, |_| true);
        }
        let percent = [10, 30, 60][rng.usize(..3)];
        let accepting: Vec<_> = graph.edges.iter().map(|_| chance(&mut rng, percent)).collect();
        graph.accept(1, |state| accepting[state])
    }

    /// Every component is wholly accepting or not at all. Dead ends stay.
    pub fn random_weak(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let graph = Explicit::shape(&mut rng);
        let percent = [10, 30, 60][rng.usize(..3)];
        let mut accepting = vec![false; graph.len()];
        for component in graph.whole_components() {
            let chosen = chance(&mut rng, percent);
            component.states.iter().for_each(|&state| accepting[state as usize] = chosen);
        }
        graph.accept(1, |state| accepting[state])
    }

    /// Weak; no edge leaves an accepting component for another; accepting states have a
    /// successor, as after stutter extension.
    pub fn random_terminal(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let mut graph = Explicit::shape(&mut rng);
        for (state, out) in graph.edges.iter_mut().enumerate() {
            if out.is_empty() {
                out.push((state as Word, Marks::NONE));
            }
        }
        let mut accepting = vec![false; graph.len()];
        for component in graph.whole_components() {
            let chosen = !component.open && chance(&mut rng, 50);
            component.states.iter().for_each(|&state| accepting[state as usize] = chosen);
        }
        graph.accept(1, |state| accepting[state])
    }

    /// Components of all states, reachable or not.
    fn whole_components(&self) -> Vec<Component> {
        let edges: Vec<_> = (0..)
            .zip(&self.edges)
            .flat_map(|(src, out)| out.iter().map(move |&(dst, marks)| (src, dst, marks)))
            .collect();
        super::oracle::components(self.len(), &edges)
    }

    /// State-based acceptance, with the mark on the edges that leave accepting states.
    fn accept(mut self, mark_count: u32, accepting: impl Fn(usize) -> bool) -> Self {
        self.mark_count = mark_count;
        for (state, out) in self.edges.iter_mut().enumerate() {
            self.accepting[state] = accepting(state);
            let marked = mark_count == 1 && accepting(state);
            out.iter_mut().for_each(|(_, marks)| {
                *marks = if marked { Marks::one(0) } else { Marks::NONE };
            });
        }
        self
    }
}

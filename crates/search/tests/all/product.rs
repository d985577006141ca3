//! The product that stores system states once, against one that is built by its definition:
//! random systems with propositions and marks of their own, random automata.

use crate::support::{Explicit, Sweep, chance, oracle};
use fastrand::Rng;
use lariat_core::lasso::{Acceptance, expand_into};
use lariat_core::{
    Automaton, Batch, Edge, Emptiness, Graph, Guard, Limit, Marks, Props, Successors, SystemId,
    Word,
};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::scc::{Roots, dijkstra_tgba};
use lariat_search::product::components::Components;
use lariat_search::product::{FiniteRuns, Product, sweep};
use lariat_store::Compact;
use lariat_store::live::{InPlace, InPlaceOver};
use lariat_system::{Edges as SystemEdges, Stop, SystemGraph, Valuation};
use std::collections::{BTreeMap, BTreeSet};

/// A system whose states have ids in the order in which they are met, as long as there is room; the
/// row of a state is its number.
struct System {
    graph: Explicit,
    props: Vec<Props>,
    met: Vec<Word>,
    room: usize,
    /// How often each state was expanded.
    expanded: Vec<u32>,
    /// Expansions that make a block.
    block: usize,
}

impl System {
    fn random(rng: &mut Rng) -> System {
        let marks = rng.u32(..4);
        let graph = Explicit::random_tgba_with(rng.u64(..), marks);
        let props = (0..graph.len()).map(|_| rng.u64(..4)).collect();
        let (expanded, block) = (vec![0; graph.len()], 1 + rng.usize(..9));
        System { graph, props, met: Vec::new(), room: usize::MAX, expanded, block }
    }

    /// The same with no states met, and room for so many.
    fn again(&mut self, room: usize) -> &mut System {
        (self.room, self.met) = (room, Vec::new());
        self.expanded.fill(0);
        self
    }

    fn id(&mut self, state: Word) -> Result<SystemId, Stop> {
        if let Some(id) = self.met.iter().position(|&met| met == state) {
            return Ok(id as SystemId);
        }
        if self.met.len() >= self.room {
            return Err(Limit::Memory.into());
        }
        self.met.push(state);
        Ok(self.met.len() as SystemId - 1)
    }
}

impl SystemGraph for System {
    fn initial(&mut self, out: &mut Vec<SystemId>) -> Result<(), Stop> {
        for state in self.graph.initial.clone() {
            out.push(self.id(state)?);
        }
        Ok(())
    }

    fn expand(&mut self, ids: &[SystemId], out: &mut SystemEdges) -> Result<usize, Stop> {
        let count = ids.len().min(self.block);
        for &id in &ids[..count] {
            let state = self.met[id as usize] as usize;
            self.expanded[state] += 1;
            for (dst, marks) in self.graph.edges[state].clone() {
                out.ids.push(self.id(dst)?);
                out.marks.push(marks);
            }
            out.ends.push(out.ids.len());
        }
        Ok(count)
    }

    fn valuation(&mut self, id: SystemId) -> Result<Valuation, Stop> {
        Ok(self.props[self.met[id as usize] as usize] as Valuation + 1)
    }

    fn known_valuation(&self, _: SystemId) -> Option<Valuation> {
        None
    }

    fn truth(&self, valuation: Valuation) -> Props {
        Props::from(valuation) - 1
    }

    fn load(&mut self, id: SystemId) -> &[Word] {
        &self.met[id as usize..][..1]
    }

    fn mark_count(&self) -> u32 {
        self.graph.mark_count
    }

    fn len(&self) -> usize {
        self.met.len()
    }

    fn bytes(&self) -> usize {
        0
    }

    fn reserve(&mut self, _: usize) -> Result<(), Stop> {
        Ok(())
    }

    fn set_budget(&mut self, _: u64) {}

    fn budget(&self) -> u64 {
        u64::MAX
    }

    fn forget_states(&mut self) {
        self.met.clear();
    }

    fn allow_wide_ids(&mut self) {}

    fn count_commands(&mut self) {}

    fn hidden_words(&self) -> usize {
        0
    }

    fn set_hidden(&mut self, _: &[Word]) {}

    fn hidden(&self) -> &[Word] {
        &[]
    }
}

/// An automaton over two propositions.
struct Watcher {
    initial: Vec<Word>,
    edges: Vec<Vec<Edge>>,
    mark_count: u32,
}

impl Watcher {
    fn random(rng: &mut Rng) -> Watcher {
        let mark_count = rng.u32(..3);
        let graph = Explicit::random_tgba_with(rng.u64(..), mark_count);
        let guard = |rng: &mut Rng| {
            let must = rng.u64(..4) & rng.u64(..4);
            Guard { must, must_not: rng.u64(..4) & rng.u64(..4) & !must }
        };
        let edges = graph.edges.iter().map(|out| {
            let edge = |&(dst, marks): &(Word, Marks)| {
                let guards = (0..1 + rng.u64(..2)).map(|_| guard(rng)).collect();
                Edge { guards, marks, dst }
            };
            out.iter().map(edge).collect()
        });
        Watcher { edges: edges.collect(), initial: graph.initial, mark_count }
    }

    /// Several random ones with edges from each to later ones.
    fn layered(rng: &mut Rng) -> Watcher {
        let mut whole = Watcher::random(rng);
        for _ in 0..1 + rng.u64(..3) {
            let (next, first) = (Watcher::random(rng), whole.edges.len() as Word);
            // All marks are needed, wherever they come from.
            whole.mark_count = whole.mark_count.max(next.mark_count);
            whole.edges.extend(next.edges.into_iter().map(|mut edges| {
                edges.iter_mut().for_each(|edge| edge.dst += first);
                edges
            }));
            let later = whole.edges.len() as u64 - u64::from(first);
            for _ in 0..1 + rng.u64(..3) {
                let (from, dst) = (rng.u64(..u64::from(first)), rng.u64(..later) as Word + first);
                let guards = [Guard { must: rng.u64(..4) & rng.u64(..4), must_not: 0 }].into();
                whole.edges[from as usize].push(Edge { guards, marks: Marks::NONE, dst });
            }
            if chance(rng, 20) {
                whole.initial.push(first);
            }
        }
        whole
    }
}

impl Automaton for Watcher {
    fn initial(&self) -> &[Word] {
        &self.initial
    }

    fn edges(&self, state: Word) -> &[Edge] {
        &self.edges[state as usize]
    }

    fn accepting(&self, _: Word) -> bool {
        self.mark_count == 0
    }

    fn mark_count(&self) -> u32 {
        self.mark_count
    }
}

/// (system state, automaton state) to the edges that leave it, each with its marks.
type Edges = BTreeMap<(Word, Word), Vec<((Word, Word), Marks)>>;

/// The product by its definition.
fn by_definition(system: &System, watcher: &Watcher, finite: FiniteRuns) -> Edges {
    let mut found = Edges::new();
    let initial = &system.graph.initial;
    let pairs = initial.iter().flat_map(|&s| watcher.initial.iter().map(move |&q| (s, q)));
    let mut todo: Vec<(Word, Word)> = pairs.collect();
    while let Some((s, q)) = todo.pop() {
        if found.contains_key(&(s, q)) {
            continue;
        }
        let mut steps = system.graph.edges[s as usize].clone();
        if steps.is_empty() && finite == FiniteRuns::Stutter {
            steps.push((s, Marks::all(system.graph.mark_count)));
        }
        let mut out = Vec::new();
        for edge in &watcher.edges[q as usize] {
            if !edge.guards.iter().any(|guard| guard.allows(system.props[s as usize])) {
                continue;
            }
            for &(t, marks) in &steps {
                out.push(((t, edge.dst), edge.marks | Marks(marks.0 << watcher.mark_count)));
            }
        }
        out.sort_unstable();
        todo.extend(out.iter().map(|&(dst, _)| dst));
        found.insert((s, q), out);
    }
    found
}

/// The product as it is walked; the ids of system states are told by their rows.
fn walked(product: &mut Product<'_, System, Watcher>) -> Edges {
    let mut found = Edges::new();
    let (mut batch, mut next) = (product.batch(usize::MAX), product.batch(usize::MAX));
    product.initial(&mut batch);
    let mut todo: Vec<[Word; 2]> = (0..batch.len()).map(|i| *batch.row(i)).collect();
    while let Some(state) = todo.pop() {
        let name = (product.system_row(&state)[0], state[1]);
        if found.contains_key(&name) {
            continue;
        }
        expand_into(product, &state, &mut next);
        let mut out = Vec::new();
        for i in 0..next.len() {
            let dst = *next.row(i);
            out.push(((product.system_row(&dst)[0], dst[1]), next.marks(i)));
            todo.push(dst);
        }
        out.sort_unstable();
        found.insert(name, out);
    }
    found
}

fn accepts(edges: &Edges, mark_count: u32) -> bool {
    let names: Vec<(Word, Word)> = edges.keys().copied().collect();
    let number = |name| names.binary_search(&name).expect("all states are known") as Word;
    let flat: Vec<_> = edges
        .iter()
        .flat_map(|(&src, out)| out.iter().map(move |&(dst, marks)| (src, dst, marks)))
        .map(|(src, dst, marks)| (number(src), number(dst), marks))
        .collect();
    let all = Marks::all(mark_count);
    let components = oracle::components(names.len(), &flat);
    components.iter().any(|component| component.cyclic && component.marks.contains(all))
}

#[test]
fn is_the_product_by_its_definition() {
    let sweep = Sweep::from_env(3000);
    let (mut accepting, mut empty) = (0, 0);
    for seed in sweep.seeds() {
        let mut rng = Rng::with_seed(seed);
        let (mut system, watcher) = (System::random(&mut rng), Watcher::random(&mut rng));
        let finite = if chance(&mut rng, 50) { FiniteRuns::Stutter } else { FiniteRuns::Ignore };
        let expected = by_definition(&system, &watcher, finite);
        let mark_count = watcher.mark_count + system.graph.mark_count;

        let mut product = Product::new(&mut system, &watcher, finite);
        assert_eq!(walked(&mut product), expected, "seed {seed}");
        assert_eq!(product.mark_count(), mark_count, "seed {seed}");

        // The whole way: an emptiness check on the product, its run replayed on it.
        let mut product = Product::new(system.again(usize::MAX), &watcher, finite);
        let live = &mut InPlace::new(Vec::<[Word; 2]>::new());
        let options = SearchOptions::default();
        let outcome = dijkstra_tgba::check(&mut product, live, options, Roots::Compressed);
        match outcome.verdict {
            Emptiness::Found(lasso) => {
                accepting += 1;
                assert!(accepts(&expected, mark_count), "seed {seed}: no run exists");
                let replayed = lasso.verify(&mut product, Acceptance::Edges);
                assert_eq!(replayed, Ok(()), "seed {seed}");
            }
            Emptiness::Empty { .. } => {
                empty += 1;
                assert!(!accepts(&expected, mark_count), "seed {seed}: a run was missed");
            }
            Emptiness::Inconclusive(reason) => panic!("seed {seed}: {reason:?}"),
        }
    }
    sweep.expect_each(10, &[accepting, empty]);
}

#[test]
fn asks_the_system_once() {
    for seed in Sweep::from_env(500).seeds() {
        let mut rng = Rng::with_seed(seed);
        let (mut system, watcher) = (System::random(&mut rng), Watcher::random(&mut rng));
        let mut product = Product::new(&mut system, &watcher, FiniteRuns::Stutter);
        let edges = walked(&mut product);
        let met: BTreeSet<Word> = edges
            .iter()
            .flat_map(|(src, out)| out.iter().map(|(dst, _)| dst.0).chain([src.0]))
            .collect();
        assert_eq!(system.met.len(), met.len(), "seed {seed}: each system state is met once");
        let asked: u32 = system.expanded.iter().sum();
        assert!(asked as usize <= edges.len(), "seed {seed}: once for each product state");
    }
}

fn is_full(product: &Product<'_, System, Watcher>) -> bool {
    product.why_stopped() == Some(Limit::Memory.into())
}

/// The verdict of a check behind a sweep, with the states and transitions of both.
fn swept(
    product: &mut Product<'_, System, Watcher>,
    components: &Components,
) -> (Emptiness, u64, u64) {
    let mut sweep = sweep::Sweep::new(product, components);
    let live = &mut InPlaceOver::over(Compact::new());
    let outcome =
        dijkstra_tgba::check(&mut sweep, live, SearchOptions::default(), Roots::Compressed);
    let stats = sweep.with_own(&outcome.stats);
    let verdict = match outcome.verdict {
        Emptiness::Found(lasso) => Emptiness::Found(sweep.whole(&lasso)),
        other => other,
    };
    if let Emptiness::Found(lasso) = &verdict {
        // A store without room answers nothing more.
        let replayed = lasso.verify(product, Acceptance::Edges);
        assert!(replayed.is_ok() || is_full(product), "{replayed:?}");
    }
    (verdict, stats.states, stats.transitions)
}

#[test]
fn a_sweep_changes_no_verdict_and_sees_every_state_once() {
    let sweep = Sweep::from_env(6000);
    let (mut accepting, mut behind_a_sweep, mut empty, mut full) = (0, 0, 0, 0);
    for seed in sweep.seeds() {
        let mut rng = Rng::with_seed(seed);
        let (mut system, watcher) = (System::random(&mut rng), Watcher::layered(&mut rng));
        let finite = if chance(&mut rng, 50) { FiniteRuns::Stutter } else { FiniteRuns::Ignore };
        let components = Components::of(&watcher).expect("a small automaton");
        if !components.begin_before_acceptance() {
            continue;
        }
        let expected = by_definition(&system, &watcher, finite);
        let accepts = accepts(&expected, watcher.mark_count + system.graph.mark_count);

        let mut product = Product::new(&mut system, &watcher, finite);
        let (verdict, states, transitions) = swept(&mut product, &components);
        match verdict {
            Emptiness::Found(lasso) => {
                accepting += 1;
                behind_a_sweep += u64::from(lasso.prefix.len() > 2);
                assert!(accepts, "seed {seed}: no run exists");
            }
            Emptiness::Empty { .. } => {
                empty += 1;
                assert!(!accepts, "seed {seed}: a run was missed");
                assert_eq!(states, expected.len() as u64, "seed {seed}");
                let edges: usize = expected.values().map(Vec::len).sum();
                assert_eq!(transitions, edges as u64, "seed {seed}");
            }
            Emptiness::Inconclusive(reason) => panic!("seed {seed}: {reason:?}"),
        }

        // A store that is too small: a run that is found is one, and nothing is proved.
        let met: BTreeSet<Word> = expected.values().flatten().map(|((s, _), _)| *s).collect();
        let room = rng.usize(..=met.len());
        let mut product = Product::new(system.again(room), &watcher, finite);
        let (verdict, ..) = swept(&mut product, &components);
        full += u64::from(is_full(&product));
        match verdict {
            Emptiness::Found(_) => assert!(accepts, "seed {seed}: no run exists"),
            Emptiness::Empty { .. } => assert!(!accepts && !is_full(&product), "seed {seed}"),
            Emptiness::Inconclusive(_) => assert!(is_full(&product), "seed {seed}"),
        }
    }
    sweep.expect_each(30, &[accepting, behind_a_sweep, empty, full]);
}

/// Whether the edges of the product that stay in a component of the automaton carry all marks of
/// the automaton, for some component.
fn marks_occur(edges: &Edges, watcher: &Watcher) -> bool {
    let steps = watcher.edges.iter().zip(0..);
    let all: Vec<_> = steps
        .flat_map(|(out, src)| out.iter().map(move |edge| (src, edge.dst, Marks::NONE)))
        .collect();
    let reaches = |from: Word, to: Word| {
        let (mut seen, mut todo) = (BTreeSet::new(), vec![from]);
        while let Some(state) = todo.pop() {
            for &(_, dst, _) in all.iter().filter(|&&(src, ..)| src == state) {
                if seen.insert(dst) {
                    todo.push(dst);
                }
            }
        }
        seen.contains(&to)
    };
    let own = Marks::all(watcher.mark_count);
    (0..watcher.edges.len() as Word).any(|first| {
        let (mut marks, mut is_cyclic) = (Marks::NONE, false);
        for (&(_, src), out) in edges {
            for &((_, dst), found) in out {
                let inside = [src, dst].into_iter().all(|q| reaches(first, q) && reaches(q, first));
                if inside {
                    is_cyclic = true;
                    marks |= Marks(found.0 & own.0);
                }
            }
        }
        is_cyclic && marks.contains(own)
    })
}

#[test]
fn a_sweep_for_marks_finds_those_that_occur() {
    let sweep = Sweep::from_env(3000);
    let (mut missing, mut found, mut in_vain) = (0, 0, 0);
    for seed in sweep.seeds() {
        let mut rng = Rng::with_seed(seed);
        let (mut system, watcher) = (System::random(&mut rng), Watcher::layered(&mut rng));
        let finite = if chance(&mut rng, 50) { FiniteRuns::Stutter } else { FiniteRuns::Ignore };
        let components = Components::of(&watcher).expect("a small automaton");
        let expected = by_definition(&system, &watcher, finite);
        let accepts = accepts(&expected, watcher.mark_count + system.graph.mark_count);
        let occur = marks_occur(&expected, &watcher);
        let mut product = Product::new(&mut system, &watcher, finite);
        let mut seeker = sweep::Sweep::for_marks(&mut product, &components);
        match seeker.look_for_marks() {
            None => {
                found += 1;
                in_vain += u64::from(!accepts);
                assert!(occur, "seed {seed}: marks that do not occur");
            }
            Some(Emptiness::Empty { .. }) => {
                missing += 1;
                assert!(!accepts && !occur, "seed {seed}: marks were missed");
                let states = seeker.with_own(&Default::default()).states;
                assert_eq!(states, expected.len() as u64, "seed {seed}");
            }
            Some(verdict) => panic!("seed {seed}: {verdict:?}"),
        }
    }
    sweep.expect_each(30, &[missing, found, in_vain]);
}

//! Partial-order reduction by the search stack: where HPY (SPIN 1996) say that it fails, and where
//! their corrections and that of SE (TACAS 2005, §6) succeed.

use crate::support::{Explicit, Sweep, chance};
use fastrand::Rng;
use lariat_core::lasso::Acceptance;
use lariat_core::{Batch, Cursor, Emptiness, Fixed, Graph, Limit, Outcome, Successors, Word};
use lariat_search::dfs::SearchOptions;
use lariat_search::emptiness::nested::ample::selection::{Bit, Forgotten, Number};
use lariat_search::emptiness::nested::ample::{cvwy, hpy, se};
use lariat_store::Exact;

/// A graph in which sets of successors may be tried: by state, places among its edges.
#[derive(Clone, Default)]
struct Tried {
    graph: Explicit,
    sets: Vec<Vec<Vec<usize>>>,
}

impl Successors for Tried {
    type Batch = Fixed<1>;

    fn batch(&self, room: usize) -> Fixed<1> {
        self.graph.batch(room)
    }

    fn initial(&mut self, out: &mut Fixed<1>) {
        self.graph.initial(out);
    }

    fn expand(&mut self, src: &[Word; 1], at: &mut Cursor, out: &mut Fixed<1>) {
        self.graph.expand(src, at, out);
    }

    fn stopped(&self) -> Option<Limit> {
        self.graph.stopped()
    }
}

impl Graph for Tried {
    fn accepting(&self, state: &[Word; 1]) -> bool {
        self.graph.accepting(state)
    }

    fn mark_count(&self) -> u32 {
        self.graph.mark_count()
    }

    fn candidates(&mut self, src: &[Word; 1], out: &mut Fixed<1>, sets: &mut Vec<Vec<usize>>) {
        assert_eq!(out.len(), 0);
        self.expand(src, &mut Cursor::default(), out);
        sets.extend_from_slice(&self.sets[src[0] as usize]);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    Cvwy,
    /// HPY §5.1 without §5.2.
    StackTest,
    SelectionNumber,
    SelectionBit,
    Discard,
}

const RULES: [Rule; 5] =
    [Rule::Cvwy, Rule::StackTest, Rule::SelectionNumber, Rule::SelectionBit, Rule::Discard];

fn store<T: Copy + Default>() -> Exact<T, Vec<[u32; 1]>> {
    Exact::new(Vec::new())
}

/// Whether a run is found, which is replayed. Nobody says that there is none.
fn finds(rule: Rule, graph: &Tried, options: SearchOptions) -> bool {
    let mut graph = graph.clone();
    let Outcome { verdict, .. } = match rule {
        Rule::Cvwy => cvwy::check::<_, _, Forgotten>(&mut graph, &mut store(), options),
        Rule::StackTest => hpy::check::<_, _, Forgotten>(&mut graph, &mut store(), options),
        Rule::SelectionNumber => hpy::check::<_, _, Number>(&mut graph, &mut store(), options),
        Rule::SelectionBit => hpy::check::<_, _, Bit>(&mut graph, &mut store(), options),
        Rule::Discard => se::check(&mut graph, &mut store(), options),
    };
    match verdict {
        Emptiness::Found(lasso) => {
            lasso.verify(&mut graph.graph, Acceptance::States).unwrap();
            true
        }
        Emptiness::Inconclusive(Limit::Proviso) => false,
        other => panic!("{rule:?} says {other:?}"),
    }
}

fn found_by(graph: &Tried) -> Vec<Rule> {
    RULES.into_iter().filter(|&rule| finds(rule, graph, SearchOptions::default())).collect()
}

/// HPY Fig. 3, from its prose; s1 is state 0. Its successors s2 (e1) and s3 (e4) are selected first, s4 (e5)
/// is the alternative. s2 is accepting; e2 leads from s2 to s3, e3 from s3 to s1; s4 leads nowhere.
/// "However, once reaching s1 during the second search, a cycle consisting of e3 and e4 is found. […]
/// Closing this cycle with the edge e4 in the second search makes the second search select an
/// alternative subset of successors, e.g., s4, via the edge e5."
#[test]
fn hpy_figure_3() {
    let (s1, s2, s3, s4) = (0, 1, 2, 3);
    let edges: [&[Word]; 4] = [&[s2, s3, s4], &[s3], &[s1], &[]];
    let mut figure = Tried {
        graph: Explicit::buchi(&edges, &[s2]),
        sets: vec![vec![vec![0, 1], vec![2]], vec![], vec![], vec![]],
    };
    assert_eq!(
        found_by(&figure),
        [Rule::StackTest, Rule::SelectionNumber, Rule::SelectionBit, Rule::Discard]
    );
    // With a memory, CVWY finds it, too.
    let kept = cvwy::check::<_, _, Number>(&mut figure, &mut store(), SearchOptions::default());
    assert!(matches!(kept.verdict, Emptiness::Found(_)));
}

/// HPY §5.2: "the first depth-first search can backtrack from a graph component without performing a
/// second search. […] While searching another component […] there can be a transition that leads back to the
/// earlier states." The initial state x leads to a and to the accepting s, and s leads back to d. The first
/// search comes from a to d, and closes a cycle there, so d is expanded fully, which leads to x. The
/// second search comes to d first, and selects a.
#[test]
fn hpy_5_2() {
    let (x, a, d, s, c) = (0, 1, 2, 3, 4);
    let edges: [&[Word]; 5] = [&[a, s], &[d, c], &[a, x], &[d], &[c]];
    let graph = Tried {
        graph: Explicit::buchi(&edges, &[s]),
        sets: vec![vec![], vec![vec![0]], vec![vec![0]], vec![], vec![]],
    };
    assert_eq!(found_by(&graph), [Rule::SelectionNumber, Rule::SelectionBit, Rule::Discard]);
}

/// HPY Fig. 5, step by step: a nested search from every state, which does not go through progress states and
/// reports what closes a cycle on its own stack.
struct Figure5<'g> {
    graph: &'g Tried,
    progress: &'g [Word],
    /// Whether subsets of the successors are selected, as Fig. 4 does: off the stack of the search at hand.
    selects: bool,
    /// §5.1: the nested search ends with a report when it meets the stack of the first one.
    meets_first: bool,
    first: Vec<Word>,
    nested: Vec<Word>,
    first_stack: Vec<Word>,
    nested_stack: Vec<Word>,
    reports: bool,
}

impl<'g> Figure5<'g> {
    fn reports(graph: &'g Tried, progress: &'g [Word], selects: bool, meets_first: bool) -> bool {
        let (first, nested) = (Vec::new(), Vec::new());
        let (first_stack, nested_stack) = (Vec::new(), Vec::new());
        let mut search = Figure5 {
            graph,
            progress,
            selects,
            meets_first,
            first,
            nested,
            first_stack,
            nested_stack,
            reports: false,
        };
        search.dfs(0);
        search.reports
    }

    fn successors(&self, s: Word, stack: &[Word]) -> Vec<Word> {
        let all = &self.graph.graph.edges[s as usize];
        let is_off = |set: &&Vec<usize>| set.iter().all(|&at| !stack.contains(&all[at].0));
        let sets = self.graph.sets[s as usize].iter().filter(|_| self.selects);
        match sets.clone().find(is_off) {
            Some(set) => set.iter().map(|&at| all[at].0).collect(),
            None => all.iter().map(|edge| edge.0).collect(),
        }
    }

    fn dfs(&mut self, s: Word) {
        self.first.push(s);
        self.first_stack.push(s);
        for t in self.successors(s, &self.first_stack) {
            if !self.first.contains(&t) {
                self.dfs(t);
            }
        }
        self.ndfs(s);
        self.first_stack.pop();
    }

    fn ndfs(&mut self, s: Word) {
        if self.progress.contains(&s) {
            return;
        }
        self.nested.push(s);
        self.nested_stack.push(s);
        for t in self.successors(s, &self.nested_stack) {
            let is_met = self.meets_first && self.first_stack.contains(&t);
            self.reports |= is_met || self.nested_stack.contains(&t);
            if !is_met && !self.nested.contains(&t) {
                self.ndfs(t);
            }
        }
        self.nested_stack.pop();
    }
}

/// HPY §6: "A direct combination of this algorithm with the reduction […] fails for the same reasons as before, but
/// this time the correction also fails. Note that when the second search intersects the search stack from the first
/// depth-first search, there does not necessarily exist a valid path back". The graph of Fig. 3 without progress has a
/// cycle, s1 and s3, which is not seen: the nested search from s3 takes s4 in s1. The correction reports a cycle in
/// which there is progress.
#[test]
fn hpy_figure_5_and_reduction() {
    let (s1, s2, s3, s4) = (0, 1, 2, 3);
    let edges: [&[Word]; 4] = [&[s2, s3, s4], &[s3], &[s1], &[]];
    let figure = Tried {
        graph: Explicit::buchi(&edges, &[]),
        sets: vec![vec![vec![0, 1], vec![2]], vec![], vec![], vec![]],
    };
    assert!(Figure5::reports(&figure, &[], false, false), "there is a cycle");
    assert!(!Figure5::reports(&figure, &[], true, false), "it is missed");
    let edges: [&[Word]; 2] = [&[1], &[0]];
    let always = Tried { graph: Explicit::buchi(&edges, &[]), sets: vec![vec![], vec![]] };
    assert!(!Figure5::reports(&always, &[0], false, false), "there is progress on the only cycle");
    assert!(Figure5::reports(&always, &[0], false, true), "a false alarm");
}

/// The selection bit knows one subset: if that closes a cycle, all successors are taken.
#[test]
fn one_bit_knows_one_subset() {
    let edges: [&[Word]; 3] = [&[0, 1, 2], &[], &[2]];
    let graph = Tried {
        graph: Explicit::buchi(&edges, &[2]),
        sets: vec![vec![vec![0], vec![1]], vec![], vec![]],
    };
    assert_eq!(found_by(&graph), [Rule::SelectionBit]);
}

/// The graph that a first search selects, if it tries so many candidates.
fn selected(graph: &Tried, tries: usize) -> Explicit {
    fn visit(graph: &Tried, tries: usize, s: Word, on_stack: &mut Vec<Word>, out: &mut Explicit) {
        let all = &graph.graph.edges[s as usize];
        on_stack.push(s);
        let is_off = |set: &&Vec<usize>| set.iter().all(|&at| !on_stack.contains(&all[at].0));
        let set = graph.sets[s as usize].iter().take(tries).find(is_off);
        let kept = match set {
            Some(set) => set.iter().map(|&at| all[at]).collect(),
            None => all.clone(),
        };
        out.edges[s as usize] = kept.clone();
        for (t, _) in kept {
            if out.calls >> t & 1 == 0 {
                out.calls |= 1 << t;
                visit(graph, tries, t, on_stack, out);
            }
        }
        on_stack.pop();
    }
    let mut out = Explicit { edges: vec![Vec::new(); graph.graph.len()], ..graph.graph.clone() };
    // A store hands out roots from the last to the first.
    for &root in graph.graph.initial.iter() {
        if out.calls >> root & 1 == 0 {
            out.calls |= 1 << root;
            visit(graph, tries, root, &mut Vec::new(), &mut out);
        }
    }
    out
}

/// Without candidates each rule says what the oracle says. With any, a run that is found is one, and the
/// rules that agree on what was selected find a run if the first search has gone through one.
#[test]
fn random_graphs() {
    let sweep = Sweep::from_env(4_000);
    let (mut found, mut missed) = (0, 0);
    for seed in sweep.seeds() {
        let graph = Explicit::random_buchi(seed);
        let has_run = graph.accepting_by_states(&graph.reachable_edges());
        let mut tried = Tried { sets: vec![Vec::new(); graph.len()], graph };
        for rule in RULES {
            let options = SearchOptions::default();
            assert_eq!(finds(rule, &tried, options), has_run, "{rule:?}, seed {seed}");
        }
        let mut rng = Rng::with_seed(seed);
        for (sets, edges) in tried.sets.iter_mut().zip(&tried.graph.edges) {
            for _ in 0..rng.usize(..3) {
                let set: Vec<usize> = (0..edges.len()).filter(|_| chance(&mut rng, 50)).collect();
                sets.extend((!set.is_empty()).then_some(set));
            }
        }
        let by = found_by(&tried);
        assert!(has_run || by.is_empty(), "there is no run, but {by:?} find one, seed {seed}");
        for (rule, tries) in
            [(Rule::SelectionNumber, 9), (Rule::SelectionBit, 1), (Rule::Discard, 9)]
        {
            let seen = selected(&tried, tries);
            let has_run = seen.accepting_by_states(&seen.reachable_edges());
            assert!(!has_run || by.contains(&rule), "{rule:?} loses a run, seed {seed}");
            found += u64::from(has_run);
        }
        missed += u64::from(by.contains(&Rule::SelectionNumber) && !by.contains(&Rule::Cvwy));
    }
    assert!(missed > 0);
    sweep.expect_each(4, &[found]);
}

/// A search that is cut says so.
#[test]
fn limits() {
    let edges: Vec<Vec<Word>> = (0..10).map(|state| vec![state + 1]).chain([vec![10]]).collect();
    let edges: Vec<&[Word]> = edges.iter().map(|targets| &targets[..]).collect();
    let graph = Explicit::buchi(&edges, &[10]);
    let mut tried = Tried { sets: vec![Vec::new(); graph.len()], graph };
    assert_eq!(found_by(&tried), RULES);
    let shallow = SearchOptions { depth_limit: 5, ..SearchOptions::default() };
    let cut = hpy::check::<_, _, Bit>(&mut tried, &mut store(), shallow);
    assert!(matches!(cut.verdict, Emptiness::Inconclusive(Limit::Depth)));
    tried.graph.patience = Some(4);
    tried.graph.expand_calls = 0;
    for _ in 0..2 {
        let cut = se::check(&mut tried, &mut store(), SearchOptions::default());
        assert!(matches!(cut.verdict, Emptiness::Inconclusive(Limit::Interrupted)));
    }
}

//! Random graphs as models, random formulas: verdicts against all lassos of small graphs, and fairness
//! against the formula that says the same.

use crate::support::Graph;
use lariat::{Check, Ltl, Model, Steps, Verdict, eventually, ltl, prop};
use lariat_ltl::Formulas;
use lariat_ltl::eval::{Letter, Word, holds};
use lariat_ltl::random::{Rng, Shape, formula};
use lariat_ltl::syntax::Printer;

/// How many graphs; more by `LARIAT_SWEEP_COUNT`.
fn rounds() -> u64 {
    std::env::var("LARIAT_SWEEP_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

fn random_graph(rng: &mut Rng) -> Graph {
    let states = 1 + rng.below(5);
    let edges = (0..rng.below(2 * states + 2))
        .map(|_| (rng.below(states) as u32, rng.below(states) as u32))
        .collect();
    let initial = (0..1 + rng.below(2)).map(|_| rng.below(states) as u32).collect();
    Graph { initial, edges }
}

/// Proposition i holds in a state if bit i of a random number says so.
fn truth(seed: u64, ap: usize, state: u32) -> bool {
    seed >> (ap * 8 + state as usize) & 1 == 1
}

fn text(all: &Formulas, f: lariat_ltl::Ltl, seed: u64) -> Ltl<'static, u32> {
    let mut formula = ltl(Printer::new(all).text(f));
    for ap in all.aps_of(f) {
        let name = &all.ap_names()[ap as usize];
        let number: usize = name[1..].parse().unwrap();
        formula = formula.with(name.clone(), move |&s: &u32| truth(seed, number, s));
    }
    formula
}

/// Whether some lasso of at most so many states violates the formula.
fn some_lasso_violates(
    graph: &Graph,
    most: usize,
    violates: &dyn Fn(&[u32], usize) -> bool,
) -> bool {
    fn go(
        graph: &Graph,
        path: &mut Vec<u32>,
        most: usize,
        violates: &dyn Fn(&[u32], usize) -> bool,
    ) -> bool {
        let last = path[path.len() - 1];
        let next: Vec<u32> =
            graph.edges.iter().filter(|(src, _)| *src == last).map(|&(_, dst)| dst).collect();
        if next.is_empty() {
            return violates(path, path.len() - 1);
        }
        for dst in next {
            for back in 0..path.len() {
                if path[back] == dst && violates(path, back) {
                    return true;
                }
            }
            if path.len() < most {
                path.push(dst);
                let found = go(graph, path, most, violates);
                path.pop();
                if found {
                    return true;
                }
            }
        }
        false
    }
    graph.initial.iter().any(|&state| go(graph, &mut vec![state], most, violates))
}

#[test]
fn all_lassos_of_small_graphs() {
    let (mut violated, mut held) = (0, 0);
    for seed in 0..rounds() {
        let mut rng = Rng::new(seed);
        let graph = random_graph(&mut rng);
        let truths = rng.bits();
        let mut all = Formulas::new();
        let shape = Shape { propositions: 2, size: 2 + rng.below(6), next: rng.coin() };
        let f = formula(&mut all, &mut rng, shape);
        let check = || Check::of(&graph).holds("f", text(&all, f, truths));
        // With another question, states are there before the temporal search begins.
        let check = || if seed % 2 == 0 { check() } else { check().always("any", |_| true) };
        let report = check().run();
        let violates = |path: &[u32], loop_start: usize| {
            let letter = |&state: &u32| {
                let mut letter = Letter::default();
                for (ap, name) in (0..).zip(all.ap_names()) {
                    if truth(truths, name[1..].parse().unwrap(), state) {
                        letter.set(ap);
                    }
                }
                letter
            };
            let letters = path.iter().map(letter).collect();
            !holds(&all, f, &Word { letters, loop_start })
        };
        match &report.finding("f").verdict {
            // The judge has confirmed it.
            Verdict::Violated(_) => violated += 1,
            Verdict::Holds => {
                let found = some_lasso_violates(&graph, 6, &violates);
                assert!(!found, "seed {seed}: missed\n{graph:?}\n{}", Printer::new(&all).text(f));
                held += 1;
            }
            _ => panic!("seed {seed}\n{report}"),
        }
    }
    assert!(violated > rounds() / 10 && held > rounds() / 10, "{violated} {held}");
}

/// A graph whose states know the edge that led to them, so that formulas can speak of fairness.
struct WithEdge(Graph);

impl Model for WithEdge {
    type State = (u32, Option<usize>);
    type Action = usize;
    fn initial(&self) -> Vec<(u32, Option<usize>)> {
        self.0.initial.iter().map(|&state| (state, None)).collect()
    }
    fn steps(&self, &(state, _): &(u32, Option<usize>), to: &mut Steps<'_, Self>) {
        for (number, &(src, dst)) in self.0.edges.iter().enumerate() {
            if src == state {
                to.step(number, |s| *s = (dst, Some(number)));
            }
        }
    }
}

/// Conditions on edges, as marks and as formulas. Edges that change nothing are not among them: here
/// such a step is seen in the state.
#[test]
fn fairness_as_a_formula() {
    let (mut violated, mut held) = (0, 0);
    for seed in 0..rounds() {
        let mut rng = Rng::new(seed + 1_000_000);
        let graph = random_graph(&mut rng);
        let truths = rng.bits();
        let fair: Vec<(usize, bool)> = (0..graph.edges.len())
            .filter(|&edge| graph.edges[edge].0 != graph.edges[edge].1)
            .map(|edge| (edge, rng.below(4)))
            .filter(|&(_, kind)| kind < 2)
            .map(|(edge, kind)| (edge, kind == 1))
            .collect();
        let mut all = Formulas::new();
        let shape = Shape { propositions: 2, size: 2 + rng.below(4), next: false };
        let f = formula(&mut all, &mut rng, shape);
        let mut by_marks = Check::of(&graph).holds("f", text(&all, f, truths));
        for &(edge, is_strong) in &fair {
            let name = format!("edge {edge}");
            by_marks = match is_strong {
                true => by_marks.strongly_fair(name, move |&a| a == edge),
                false => by_marks.weakly_fair(name, move |&a| a == edge),
            };
        }
        let report = by_marks.run();
        // The same formula on states that know their edge.
        let with_edge = WithEdge(graph.clone());
        let mut wanted = lift(&all, f, truths);
        for &(edge, is_strong) in &fair {
            let src = graph.edges[edge].0;
            let can = prop(format!("can {edge}"), move |s: &(u32, Option<usize>)| s.0 == src);
            let done =
                prop(format!("done {edge}"), move |s: &(u32, Option<usize>)| s.1 == Some(edge));
            let (often, done) =
                (lariat::always(eventually(can.clone())), lariat::always(eventually(done)));
            let kept = match is_strong {
                true => often.implies(done),
                false => eventually(lariat::always(can)).implies(done),
            };
            wanted = kept.implies(wanted);
        }
        let by_formula = Check::of(&with_edge).holds("f", wanted).run();
        let (marks, formula) = (&report.finding("f").verdict, &by_formula.finding("f").verdict);
        match (marks, formula) {
            (Verdict::Violated(_), Verdict::Violated(_)) => violated += 1,
            (Verdict::Holds, Verdict::Holds) => held += 1,
            _ => panic!("seed {seed}: {graph:?}, fair {fair:?}\n{report}\n{by_formula}"),
        }
    }
    assert!(violated > rounds() / 10 && held > rounds() / 10, "{violated} {held}");
}

fn lift(all: &Formulas, f: lariat_ltl::Ltl, seed: u64) -> Ltl<'static, (u32, Option<usize>)> {
    let mut formula = ltl(Printer::new(all).text(f));
    for ap in all.aps_of(f) {
        let name = &all.ap_names()[ap as usize];
        let number: usize = name[1..].parse().unwrap();
        formula = formula.with(name.clone(), move |s: &(u32, _)| truth(seed, number, s.0));
    }
    formula
}

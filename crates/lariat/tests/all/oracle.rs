//! Random graphs as models, random formulas: verdicts against all lassos of small graphs, without automata
//! and searches, and fairness against the formula that says the same.

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

/// What runs must be fair to: edges, and whether strongly.
type Fair = Vec<(usize, bool)>;

/// A lasso as the edges that it goes along. Without any behind `back_to` the system rests.
struct Lasso<'a> {
    states: &'a [u32],
    edges: &'a [usize],
    back_to: usize,
}

impl Lasso<'_> {
    fn is_fair(&self, graph: &Graph, fair: &Fair) -> bool {
        let round = self.back_to..self.states.len();
        let changes = |edge: usize| graph.edges[edge].0 != graph.edges[edge].1;
        fair.iter().filter(|&&(edge, _)| changes(edge)).all(|&(edge, is_strong)| {
            let can = |at: usize| graph.edges[edge].0 == self.states[at];
            let asks = if is_strong { round.clone().any(can) } else { round.clone().all(can) };
            !asks || self.edges[self.back_to..].contains(&edge)
        })
    }
}

/// Whether some lasso of at most so many steps is as wanted.
fn some_lasso(graph: &Graph, most: usize, is_wanted: &dyn Fn(&Lasso<'_>) -> bool) -> bool {
    fn go(
        graph: &Graph,
        (states, edges): (&mut Vec<u32>, &mut Vec<usize>),
        most: usize,
        is_wanted: &dyn Fn(&Lasso<'_>) -> bool,
    ) -> bool {
        let last = states[states.len() - 1];
        let mut is_at_rest = true;
        for (edge, &(_, dst)) in graph.edges.iter().enumerate().filter(|(_, e)| e.0 == last) {
            is_at_rest = false;
            if edges.len() == most {
                continue;
            }
            edges.push(edge);
            for back_to in (0..states.len()).filter(|&at| states[at] == dst) {
                if is_wanted(&Lasso { states, edges, back_to }) {
                    return true;
                }
            }
            states.push(dst);
            if go(graph, (states, edges), most, is_wanted) {
                return true;
            }
            states.pop();
            edges.pop();
        }
        is_at_rest && is_wanted(&Lasso { states, edges, back_to: states.len() - 1 })
    }
    graph.initial.iter().any(|&state| go(graph, (&mut vec![state], &mut vec![]), most, is_wanted))
}

/// Each round: a graph, a formula, some edges to be fair to. What holds is violated by no lasso; what is
/// violated is, by the run that is shown.
#[test]
fn all_lassos_of_small_graphs() {
    let (mut violated, mut held) = ([0; 2], [0; 2]);
    for seed in 0..rounds() {
        let mut rng = Rng::new(seed);
        let graph = random_graph(&mut rng);
        let truths = rng.bits();
        let mut all = Formulas::new();
        let shape = Shape { propositions: 2, size: 2 + rng.below(6), next: rng.coin() };
        let f = formula(&mut all, &mut rng, shape);
        let is_fair = seed % 3 != 0;
        let fair: Fair = (0..graph.edges.len())
            .map(|edge| (edge, rng.below(4)))
            .filter(|&(_, kind)| is_fair && kind < 2)
            .map(|(edge, kind)| (edge, kind == 1))
            .collect();
        let mut check = Check::of(&graph).holds("f", text(&all, f, truths));
        for &(edge, is_strong) in &fair {
            let name = format!("edge {edge}");
            check = match is_strong {
                true => check.strongly_fair(name, move |&a| a == edge),
                false => check.weakly_fair(name, move |&a| a == edge),
            };
        }
        // With another question, states are there before the temporal search begins.
        let check = if seed % 2 == 0 { check } else { check.always("any", |_| true) };
        let report = check.run();
        let violates = |lasso: &Lasso<'_>| {
            let letter = |&state: &u32| {
                let mut letter = Letter::default();
                for (ap, name) in (0..).zip(all.ap_names()) {
                    if truth(truths, name[1..].parse().unwrap(), state) {
                        letter.set(ap);
                    }
                }
                letter
            };
            let letters = lasso.states.iter().map(letter).collect();
            let word = Word { letters, loop_start: lasso.back_to };
            lasso.is_fair(&graph, &fair) && !holds(&all, f, &word)
        };
        let kind = usize::from(is_fair);
        let what = format!("seed {seed}: {graph:?}, fair {fair:?}\n{report}");
        match &report.finding("f").verdict {
            Verdict::Violated(run) => {
                let lasso = Lasso {
                    states: &run.states,
                    edges: &run.actions,
                    back_to: run.back_to.expect("it goes on for ever"),
                };
                assert!(is_lasso(&graph, &lasso) && violates(&lasso), "{what}");
                violated[kind] += 1;
            }
            Verdict::Holds => {
                let formula = Printer::new(&all).text(f);
                assert!(!some_lasso(&graph, 7, &violates), "missed: {formula}\n{what}");
                held[kind] += 1;
            }
            _ => panic!("{what}"),
        }
    }
    let counts = [violated, held].concat();
    assert!(counts.iter().all(|&count| count > rounds() / 20), "{counts:?}");
}

/// Whether the edges lead along the states, and back.
fn is_lasso(graph: &Graph, lasso: &Lasso<'_>) -> bool {
    let Lasso { states, edges, back_to } = *lasso;
    let last = states[states.len() - 1];
    let goes_along = |(at, &edge): (usize, &usize)| {
        let to = *states.get(at + 1).unwrap_or(&states[back_to]);
        graph.edges[edge] == (states[at], to)
    };
    let rests = edges.len() + 1 == states.len() && back_to + 1 == states.len();
    graph.initial.contains(&states[0])
        && edges.iter().enumerate().all(goes_along)
        && (edges.len() == states.len() || rests && graph.edges.iter().all(|e| e.0 != last))
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

//! Runs that are what they are said to be, and the same ones spoilt, which are refused.

use lariat_automata::hoa::Reader;
use lariat_ltl::syntax::Dialect;
use lariat_model::interp::{Expansion, Fairness, Interp, Move};
use lariat_model::ir::{Expr, Model, ProctypeId};
use lariat_model::{dve, promela};
use lariat_report::execution::Ending;
use lariat_search::safety::Condition;

use super::{Claimed, Criterion, Ends, judge};
use crate::error::Error;
use crate::model::Loaded;
use crate::property::automaton::{claim, from_file};
use crate::property::fair::Fair;
use crate::property::formula::{Mode, Origin, Property, about_labels, property};

fn promela(text: &str) -> Loaded {
    let options = promela::PromelaOptions::default();
    Loaded::Promela(promela::load_text("m.pml", text, &options).expect("a model"))
}

fn dve(text: &str) -> Loaded {
    let options = dve::DveOptions { property: false };
    Loaded::Dve(dve::load_text("m.dve", text, options).expect("a model"))
}

/// The commands of a run: each text is in the statement that is taken.
fn steps(model: &Model, statements: &[&str]) -> Vec<Vec<Move>> {
    let mut interp = Interp::new(model);
    let (mut state, mut hidden) = interp.initial().expect("an initial state");
    let mut steps = Vec::new();
    for statement in statements {
        let mut expansion = Expansion::new();
        interp.successors(&state, &hidden, &mut expansion);
        let is_it = |moves: &[Move]| {
            moves.iter().any(|step| model.command(step.command).text.contains(statement))
        };
        if let Some(at) = (0..expansion.len()).find(|&at| is_it(expansion.moves(at))) {
            steps.push(expansion.moves(at).to_vec());
            (state, hidden) = (expansion.state(at).to_vec(), expansion.hidden(at).to_vec());
        } else {
            let mut faults = expansion.faults().iter().map(|fault| expansion.fault_moves(fault));
            steps.push(faults.find(|moves| is_it(moves)).expect(statement).to_vec());
        }
    }
    steps
}

fn endless(model: &Model, statements: &[&str], start: usize) -> Claimed {
    Claimed { steps: steps(model, statements), ending: Ending::Loop { start } }
}

fn finite(model: &Model, statements: &[&str]) -> Claimed {
    Claimed { steps: steps(model, statements), ending: Ending::Error }
}

fn ltl(loaded: &mut Loaded, text: &str) -> Property {
    let bind =
        &mut |atom: &str| loaded.expression("p", atom).map_err(|_| Error::Refused(atom.to_owned()));
    property("p", text, Mode::Always, Dialect::Spin, bind).expect("a formula").0
}

/// What the judge says against the run.
fn against(loaded: &Loaded, question: &Criterion<'_>, run: &Claimed) -> Option<String> {
    judge(loaded.model(), question, run).err()
}

const COUNTER: &str = "byte x;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> x = 0 od }
active proctype Q() { bool q; do :: q = !q od }
";

/// Once from 0 to 2 and round.
const ROUND: [&str; 6] = ["x < 2", "x++", "x < 2", "x++", "x == 2", "x = 0"];

#[test]
fn broken_lassos() {
    let mut loaded = promela(COUNTER);
    let never_two = ltl(&mut loaded, "[] (x < 2)");
    let always_again = ltl(&mut loaded, "[] <> (x == 2)");
    let question = never_two.criterion(None, true);
    let good = endless(loaded.model(), &ROUND, 0);
    let found = judge(loaded.model(), &question, &good).unwrap_or_else(|what| panic!("{what}"));
    assert_eq!(found.by(), ["formula"]);
    assert_eq!(found.propositions[0].truth, [true, true, true, true, false, false]);
    let says = |question: &Criterion<'_>, run: &Claimed| against(&loaded, question, run).unwrap();
    // A step that is not possible there, one too few, one too many.
    let mut run = good.clone();
    run.steps.swap(0, 1);
    assert_eq!(says(&question, &run), "the model cannot take step 1");
    let mut run = good.clone();
    run.steps.remove(3);
    assert_eq!(says(&question, &run), "the model cannot take step 4");
    let mut run = good.clone();
    run.steps.pop();
    assert_eq!(says(&question, &run), "its loop is not closed");
    // The loop starts elsewhere, or nowhere.
    let run = Claimed { ending: Ending::Loop { start: 1 }, ..good.clone() };
    assert_eq!(says(&question, &run), "its loop is not closed");
    let run = Claimed { ending: Ending::Loop { start: 6 }, ..good.clone() };
    assert_eq!(says(&question, &run), "its loop has no step");
    let run = Claimed { ending: Ending::Rest, ..good.clone() };
    assert_eq!(says(&question, &run), "a process can still move at its end");
    let run = Claimed { ending: Ending::Error, ..good.clone() };
    assert_eq!(says(&question, &run), "it does not go on for ever");
    // A run, but not one that was looked for.
    assert_eq!(says(&always_again.criterion(None, true), &good), "the formula says otherwise");
}

#[test]
fn fairness_by_definition() {
    let mut loaded = promela(COUNTER);
    let property = ltl(&mut loaded, "[] (x < 2)");
    let alone = endless(loaded.model(), &ROUND, 0);
    let both = [&ROUND[..], &["q =", "q ="]].concat();
    let both = endless(loaded.model(), &both, 0);
    for fairness in [Fairness::Weak, Fairness::Strong, Fairness::Spin] {
        let fair = Fair { fairness, to: None };
        let question = property.criterion(Some(&fair), true);
        let said = against(&loaded, &question, &alone);
        assert_eq!(said.as_deref(), Some("it is not fair to process 1"), "{fairness:?}");
        assert_eq!(against(&loaded, &question, &both), None, "{fairness:?}");
        // To the type of P only.
        let fair = Fair { fairness, to: Some(vec![ProctypeId(0)]) };
        assert_eq!(against(&loaded, &property.criterion(Some(&fair), true), &alone), None);
    }
}

#[test]
fn weak_strong_and_spin_differ() {
    // R is able only now and then; T waits for a rendezvous all the time.
    let mut loaded = promela(
        "bool b; chan c = [0] of { bit };
active proctype S() { do :: b = 1; b = 0 :: c!0 od }
active proctype R() { do :: b -> skip od }
active proctype T() { do :: c?_ od }
active proctype U() { do :: c?_ od }
",
    );
    let property = ltl(&mut loaded, "[] true");
    let never = Property { mode: Mode::Exists, ..property };
    let model = loaded.model();
    let alone = endless(model, &["b = 1", "b = 0"], 0);
    // With U: it comes after T in the order of successors.
    let mut interp = Interp::new(model);
    let (state, hidden) = interp.initial().expect("an initial state");
    let mut expansion = Expansion::new();
    interp.successors(&state, &hidden, &mut expansion);
    let with_u = (0..expansion.len()).map(|at| expansion.moves(at).to_vec());
    let with_u = with_u.filter(|moves| moves.iter().any(|step| step.pid == 3)).collect();
    let with_u = Claimed { steps: with_u, ending: Ending::Loop { start: 0 } };
    let ask = |fairness, run: &Claimed| {
        let fair = Fair { fairness, to: None };
        against(&loaded, &never.criterion(Some(&fair), true), run)
    };
    assert_eq!(ask(Fairness::Weak, &alone), None);
    assert_eq!(ask(Fairness::Strong, &alone).as_deref(), Some("it is not fair to process 1"));
    assert_eq!(ask(Fairness::Weak, &with_u).as_deref(), Some("it is not fair to process 2"));
    assert_eq!(ask(Fairness::Spin, &with_u), None);
}

#[test]
fn runs_that_come_to_rest() {
    let mut loaded = promela("byte x; init { x = 1; x == 2 }");
    let property = ltl(&mut loaded, "<> (x == 2)");
    let rest = Claimed { steps: steps(loaded.model(), &["x = 1"]), ending: Ending::Rest };
    assert_eq!(against(&loaded, &property.criterion(None, true), &rest), None);
    let said = against(&loaded, &property.criterion(None, false), &rest);
    assert_eq!(said.as_deref(), Some("it is finite"));
    let early = Claimed { steps: Vec::new(), ending: Ending::Rest };
    let said = against(&loaded, &property.criterion(None, true), &early);
    assert_eq!(said.as_deref(), Some("a process can still move at its end"));
}

#[test]
fn labels_by_definition() {
    let mut loaded = promela(
        "byte x;
active proctype P() {
  do
  :: x < 2 -> x++
  :: x == 2 ->
progress: x = 0
  :: x == 1 ->
accept: x = 1
  od
}
",
    );
    let at_accept = loaded.add(Expr::AtAccept);
    let no_progress = loaded.add(Expr::NonProgress);
    let accept = about_labels(Origin::Acceptance, at_accept).expect("a property");
    let progress = about_labels(Origin::NonProgress, no_progress).expect("a property");
    let round = endless(loaded.model(), &ROUND, 0);
    let stay = endless(loaded.model(), &["x < 2", "x++", "x == 1", "x = 1"], 2);
    let says = |property: &Property, run| against(&loaded, &property.criterion(None, true), run);
    assert_eq!(says(&accept, &stay), None);
    assert_eq!(says(&progress, &stay), None);
    let said = says(&accept, &round);
    assert_eq!(said.as_deref(), Some("no process is at an accept label in its loop"));
    let said = says(&progress, &round);
    assert_eq!(said.as_deref(), Some("a process is at a progress label in its loop"));
}

/// What each claim says about the round of [`COUNTER`], in which P is at its `do` in the states
/// with even numbers.
#[test]
fn claims_by_their_control_graph() {
    let matching = [
        "never { do :: x < 2 :: x == 2 -> break od }",
        "never { accept: do :: x <= 2 od }",
        "never { do :: assert(x < 2) od }",
        "never { do :: true :: x == 2 -> break od; accept: do :: x <= 2 od }",
        "never { accept: do :: { x == 0 } unless { x > 0 } od }",
        "never { do :: x == 3 -> break :: else -> goto accept od; accept: do :: true od }",
        "never { do :: true :: P@two -> break od }",
        "never { do :: _last != 0 :: _last == 0 -> break od; accept: do :: _last == 0 od }",
    ];
    let others = [
        "never { do :: x < 2 od }",
        "never { accept: do :: x < 2 od }",
        "never { do :: assert(x <= 2) od }",
        "never { do :: true :: x == 3 -> break od }",
        "never { do :: x < 2 -> accept: x < 2 -> x < 2 od }",
        "never { do :: { x == 0 -> break } unless { x >= 0 } od }",
        "never { do :: true :: timeout -> break od }",
        "never { do :: true :: Q@twice -> break od }",
    ];
    let all = matching.iter().map(|claim| (claim, true));
    for (text, expected) in all.chain(others.iter().map(|claim| (claim, false))) {
        let model = "byte x;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> two: x = 0 od }
active proctype Q() { bool q; do :: q = !q; twice: q = !q od }
";
        let loaded = promela(&format!("{model}{text}\n"));
        let model = loaded.model();
        let property = claim(model, model.claims[0], "never").expect("a claim");
        let run = endless(model, &ROUND, 0);
        let said = against(&loaded, &property.criterion(None, true), &run);
        let expected = (!expected).then(|| "the claim does not match it".to_owned());
        assert_eq!(said, expected, "{text}");
    }
}

#[test]
fn property_processes_and_automata() {
    let mut loaded = dve(
        "byte x = 0;
process P { state a; init a; trans a -> a { guard x < 2; effect x = x + 1; }, a -> a { guard x == 2; effect x = 0; }; }
process W { state w, v; init w; accept v; trans w -> w {}, w -> v { guard x == 2; }, v -> w {}; }
system async property W;
",
    );
    let model = loaded.model();
    let watch = claim(model, model.claims[0], "W").expect("a claim");
    let round = endless(model, &["x < 2", "x < 2", "x == 2"], 0);
    assert_eq!(against(&loaded, &watch.criterion(None, true), &round), None);
    let hoa = |guard: &str| {
        format!(
            "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"x == 2\"\nacc-name: Buchi\n\
             Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[{guard}] 0 {{0}}\n[t] 0\n--END--\n"
        )
    };
    for (guard, expected) in [("0", None), ("f", Some("the automaton does not accept it"))] {
        let text = hoa(guard);
        let automaton = Reader::new(&text, "a").next().expect("one").expect("no error");
        let bind = &mut |atom: &str| {
            loaded.expression("p", atom).map_err(|_| Error::Refused(atom.to_owned()))
        };
        let property = from_file("a", automaton, bind).expect("a property");
        let said = against(&loaded, &property.criterion(None, true), &round);
        assert_eq!(said.as_deref(), expected);
    }
}

#[test]
fn ends_of_finite_runs() {
    let mut loaded = promela(
        "byte x; chan c = [1] of { byte };
active proctype P() { x = 1; assert(x == 2); x = 3; c!1; if :: x = 1 / (x - 3) :: x = 4; 0 fi }
",
    );
    let three = loaded.expression("p", "x < 3").expect("an expression");
    let below_three = |wanted| Ends::Condition(Condition { expr: three, wanted });
    let model = loaded.model();
    let path = ["x = 1", "assert", "x = 3", "c!1", "x = 4", "1 /"];
    let fault = |name: &str| Ends::FaultNamed(name.to_owned());
    let says = |ends: &Ends, statements: &[&str]| {
        against(&loaded, &Criterion::Ends(ends.clone()), &finite(model, statements))
    };
    let not_there = Some("the fault is not at its end".to_owned());
    assert_eq!(says(&fault("assertion"), &path[..2]), None);
    assert_eq!(says(&fault("assertion"), &path[..1]), not_there);
    assert_eq!(says(&fault("assertion"), &path[..3]), not_there);
    assert_eq!(says(&fault("division-by-zero"), &path[..2]), not_there);
    let divided = [&path[..4], &path[5..]].concat();
    assert_eq!(says(&fault("division-by-zero"), &divided), None);
    let end = Ends::InvalidEnd { empty_channels: false };
    assert_eq!(says(&end, &path[..5]), None);
    let still = Some("a process can still move at its end".to_owned());
    assert_eq!(says(&end, &path[..4]), still);
    assert_eq!(says(&below_three(true), &path[..3]), None);
    let met = Some("its last state meets the condition".to_owned());
    assert_eq!(says(&below_three(true), &path[..2]), met);
    assert_eq!(says(&below_three(false), &path[..2]), None);
    let run = Claimed { ending: Ending::Rest, ..finite(model, &path[..5]) };
    assert_eq!(against(&loaded, &Criterion::Ends(end), &run).as_deref(), Some("it does not end"));
}

#[test]
fn messages_that_are_left_over() {
    let loaded = promela("chan c = [1] of { byte }; active proctype P() { c!1 }");
    let run = finite(loaded.model(), &["c!1", "end"]);
    let ask = |empty_channels| {
        against(&loaded, &Criterion::Ends(Ends::InvalidEnd { empty_channels }), &run)
    };
    assert_eq!(ask(true), None);
    assert_eq!(ask(false).as_deref(), Some("its end state is valid"));
}

#[test]
fn initialisers_that_fail() {
    let loaded = promela("byte n; byte x = 1 / n; init { skip }");
    let run = Claimed { steps: Vec::new(), ending: Ending::Error };
    let ask = |name: &str| {
        let ends = Ends::FaultNamed(name.to_owned());
        against(&loaded, &Criterion::Ends(ends), &run)
    };
    assert_eq!(ask("division-by-zero"), None);
    assert_eq!(ask("assertion").as_deref(), Some("there is no initial state"));
}

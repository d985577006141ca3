//! Peterson's lock, leader election and the alternating bit, in Promela and in Rust: the same temporal verdicts, of
//! all runs and of those that are weakly or strongly fair to each process. `crates/lariat/tests/all/promela.rs` compares
//! states, ends and lengths of runs.

#[allow(dead_code, reason = "part of another crate's tests")]
#[path = "../../../lariat/tests/all/support/election.rs"]
mod election;
#[allow(dead_code, reason = "part of another crate's tests")]
#[path = "../../../lariat/tests/all/support/small.rs"]
mod small;

use election::{Election, Ring};
use lariat::{Check, Model, Verdict, ltl};
use lariat_model::interp::Fairness;
use lariat_verify::model::Reading;
use lariat_verify::property::formula::Mode;
use lariat_verify::property::read;
use lariat_verify::{Config, Language, Parts, Silent, Status};
use small::{ALTERNATING_BIT, AlternatingBit, Lock, PETERSON, Peterson, Protocol};

const FORMULAS: [&str; 8] = [
    "<> p",
    "[] <> p",
    "<> [] p",
    "[] (p -> <> q)",
    "[] (q -> <> p)",
    "[] (p -> [] !q)",
    "<> (p && q)",
    "!q U p",
];

/// A proposition in both: an expression, and a test.
type Both<S> = (&'static str, fn(&S) -> bool);

/// Asks everything of both; how often the answers were "holds" and "violated".
fn compare<M: Model>(
    text: &str,
    model: &M,
    (p, q): (Both<M::State>, Both<M::State>),
    processes: usize,
    who: impl Fn(&M::Action) -> usize + Copy + Send + Sync,
) -> [usize; 2] {
    let mut counts = [0; 2];
    for formula in FORMULAS {
        for fairness in [None, Some(Fairness::Weak), Some(Fairness::Strong)] {
            let mut loaded = Reading::default()
                .load_text("protocol.pml", text, Language::Promela, Parts::System)
                .expect("a model");
            let bind = &mut |name: &str| if name == "p" { p.0 } else { q.0 }.to_owned();
            let read = read::formula(&mut loaded, "f", formula, Mode::Always, bind);
            let property = read.expect("a formula").0;
            let config = Config { fairness, ..Config::default() };
            let answer = lariat_verify::temporal::check(&loaded, &property, &config, &Silent);
            let theirs = answer.expect("an answer").status();

            let mut ours = ltl(formula);
            for (name, test) in [("p", p.1), ("q", q.1)] {
                if formula.contains(name) {
                    ours = ours.with(name, test);
                }
            }
            let check = Check::of(model).holds("f", ours);
            let is_of = move |action: &M::Action, process: &usize| who(action) == *process;
            let report = match fairness {
                None => check.run(),
                Some(Fairness::Weak) => check.weakly_fair_each(0..processes, is_of).run(),
                Some(_) => check.strongly_fair_each(0..processes, is_of).run(),
            };
            let status = match report.finding("f").verdict {
                Verdict::Holds => Status::Holds,
                Verdict::Violated(_) => Status::Violated,
                _ => panic!("{formula}\n{report}"),
            };
            assert_eq!(status, theirs, "{formula}, {fairness:?}\n{report}");
            counts[usize::from(status == Status::Violated)] += 1;
        }
    }
    counts
}

#[test]
fn peterson() {
    let (waits, is_in): (Both<Lock>, Both<Lock>) =
        (("flag[0]", |lock| lock.flag[0]), ("inside == 1", |lock| lock.inside == 1));
    let model = Peterson { without_turn: false };
    let counts = compare(PETERSON, &model, (waits, is_in), 2, |action| action.0);
    assert!(counts.iter().all(|&count| count > 4), "{counts:?}");
}

#[test]
fn leader_election() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/models");
    let text = std::fs::read_to_string(folder.join("election.pml")).expect("it is there");
    let (none, one): (Both<Ring>, Both<Ring>) =
        (("leaders == 0", |ring| ring.leaders == 0), ("leaders == 1", |ring| ring.leaders == 1));
    let text = text.replace("#define N 7", "#define N 4");
    // The first process is `init`.
    let counts = compare(&text, &Election(4), (none, one), 5, |&action| action);
    assert!(counts.iter().all(|&count| count > 4), "{counts:?}");
}

#[test]
fn alternating_bit() {
    // What is delivered is what was expected; all else may be lost for ever.
    let (told, sent): (Both<Protocol>, Both<Protocol>) =
        (("delivered == expected", |s| s.delivered == s.expected), ("sent == 1", |s| s.sent == 1));
    let who = |action: &&'static str| {
        usize::from(!matches!(*action, "send" | "can send" | "answer" | "lose answer"))
    };
    let counts = compare(ALTERNATING_BIT, &AlternatingBit, (told, sent), 2, who);
    assert!(counts.iter().all(|&count| count > 4), "{counts:?}");
}

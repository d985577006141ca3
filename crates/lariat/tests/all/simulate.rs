//! Random runs find things, and prove nothing.

use crate::support::Graph;
use lariat::{Check, Reason, Verdict, always, next, prop};

fn graph() -> Graph {
    Graph::new(0, &[(0, 1), (1, 2), (2, 0), (2, 3), (1, 4)])
}

#[test]
fn finds_and_never_proves() {
    let graph = graph();
    let at = |n: u32| prop(format!("at {n}"), move |&s: &u32| s == n);
    let check = || {
        Check::of(&graph)
            .always("not 3", |&s| s != 3)
            .always("small", |&s| s < 5)
            .reachable("two", |&s| s == 2)
            .reachable("ten", |&s| s == 10)
            .ends_only_in("4", |&s| s == 4)
            .holds("1 then 2", always(at(1).implies(next(at(2)))))
            .holds("comes back", at(2).leads_to(at(0)))
    };
    let report = check().simulate(200, 50, 1);
    let not_3 = report.assert_violated("not 3");
    assert_eq!(*not_3.last(), 3);
    assert_eq!(*report.assert_violated("4").last(), 3);
    report.assert_violated("1 then 2");
    assert!(report.assert_violated("comes back").rests());
    assert!(matches!(report.finding("two").verdict, Verdict::Reached(_)));
    for name in ["small", "ten"] {
        let verdict = &report.finding(name).verdict;
        assert!(matches!(verdict, Verdict::Inconclusive(Reason::Simulated)), "{report}");
    }
    assert_eq!(report.stats.runs, 200);
    // The same seed, the same runs.
    assert_eq!(check().simulate(200, 50, 1).to_string(), report.to_string());
    assert!(!check().simulate(200, 50, 1).is_ok());
}

#[test]
fn stops_where_it_is_told() {
    let graph = graph();
    let report = Check::of(&graph).always("none", |_| false).stop_at_first().simulate(9, 9, 2);
    assert_eq!((report.stats.runs, report.assert_violated("none").states.len()), (1, 1));
    let report = Check::of(&graph).always("any", |_| true).max_states(10).simulate(99, 9, 2);
    assert!(matches!(report.finding("any").verdict, Verdict::Inconclusive(Reason::Limit(_))));
    let report = Check::of(&graph).always("any", |&s| s != 2 || panic!("two")).simulate(99, 9, 2);
    assert!(matches!(&report.finding("no panic").verdict, Verdict::Panicked(text, run)
        if text == "two" && *run.last() == 2));
}

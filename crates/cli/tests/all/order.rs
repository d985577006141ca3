//! Safety is searched depth first at the start, and breadth first if that takes long: the same
//! answer, and a shortest run.

use crate::desk::{Desk, report};
use serde_json::Value;

/// Three counters and an observer. Depth first, all 216,000 states in which the observer has ended
/// come before the second one in which it looks.
const MODEL: &str = "
byte a, b, c;
active proctype A() { do :: a = (a + 1) % 60 od }
active proctype B() { do :: b = (b + 1) % 60 od }
active proctype C() { do :: c = (c + 1) % 60 od }
active proctype Observer() { assert(a != 7 || b != 59 || c != SEEN) }
";

fn check(name: &str, seen: u32, arguments: &[&str]) -> (Option<i32>, Value) {
    let desk = Desk::new(name);
    desk.put("m.pml", &format!("#define SEEN {seen}\n{MODEL}"));
    let usual = ["check", "m.pml", "--json", "--no-save", "--quiet", "--no-por"];
    let output = desk.lariat(&[&usual, arguments].concat());
    (output.status.code(), report(&output)["properties"][0].clone())
}

#[test]
fn a_late_error_has_a_shortest_run() {
    let shortest = 7 + 59 + 3 + 1;
    for (name, arguments) in [("late", &[][..]), ("late-interpreted", &["--interpret"])] {
        let (code, safety) = check(name, 3, arguments);
        assert_eq!(code, Some(1), "{safety}");
        assert_eq!(safety["check"], "breadth-first search");
        assert_eq!(safety["run"]["prefix"]["steps"], shortest, "{safety}");
    }
    let (code, safety) = check("late-depth-first", 3, &["--dfs"]);
    assert_eq!(code, Some(1), "{safety}");
    assert_eq!(safety["check"], "depth-first search");
    assert!(safety["run"]["prefix"]["steps"].as_u64().is_some_and(|steps| steps > shortest));
}

#[test]
fn both_orders_see_the_same() {
    let states = |name, arguments: &[&str]| {
        let (code, safety) = check(name, 60, arguments);
        assert_eq!(code, Some(0), "{safety}");
        let statistics = &safety["statistics"];
        (statistics["states"].clone(), statistics["transitions"].clone())
    };
    let first = states("depth-first", &["--dfs"]);
    assert_eq!(states("breadth-first", &[]), first);
    assert_eq!(states("flat", &["--system-store", "flat"]), first);
}

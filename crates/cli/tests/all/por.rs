//! Partial-order reduction keeps every answer: small systems on which rules that look right go
//! wrong (docs/por.md, H1 to H12), under every check and in both orders; and where it is off, and why. H4 is
//! in `por_papers.rs`, H12 in `por/tests/all/hand.rs`.

use crate::desk::{Desk, report};
use crate::models::CHECKS;
use serde_json::Value;

/// A process that runs in a ring can move for ever without the other one. What the other one does is
/// looked for. Each is a name, a model and a formula that is violated.
const IGNORED: &[(&str, &str, &str)] = &[
    // H1: no proviso at all.
    (
        "ring-of-one",
        "bool p; active proctype A() { bit i; do :: i = i od } active proctype B() { p = true }",
        "[] !p",
    ),
    // H3: two states of the ring that each look new from the other one.
    (
        "ring-of-two",
        "bool p; active proctype A() { do :: skip; skip od } active proctype B() { p = true }",
        "[] !p",
    ),
    // H2: two ways into the ring.
    (
        "two-ways-in",
        "bool p;
         active proctype A() { if :: goto one :: goto two fi; one: skip; two: skip; goto one }
         active proctype B() { p = true }",
        "[] !p",
    ),
    // A ring that is entered in the middle.
    (
        "three-in-a-ring",
        "bool p;
         active proctype A() { if :: goto r1 :: goto r0 fi; r0: skip; r1: skip; r2: skip; goto r0 }
         active proctype B() { p = true }",
        "!(<> p)",
    ),
    // H8: what is looked for changes back at once: it must not be left out that both are seen.
    (
        "both-are-seen",
        "bool x, y; active proctype A() { x = true } active proctype B() { y = true; y = false }",
        "[] !(x && y)",
    ),
    // The step of the ring is invisible where it is taken first, but not everywhere.
    (
        "visible-elsewhere",
        "byte x, y;
         active proctype A() { do :: x = y od }
         active proctype B() { y = 1; y = 0 }",
        "[] (x == 0)",
    ),
    // H7: one way out of the ring is not enough for runs: B moves, then A stays in its ring.
    (
        "one-way-out",
        "bool p, x;
         active proctype A() { byte i; do :: i = i :: break od; x = true }
         active proctype B() { p = true }",
        "!(<> p && [] !x)",
    ),
    // Runs, not states: B must move again and again.
    (
        "for-ever",
        "bool p; active proctype A() { bit i; do :: i = i od } active proctype B() { do :: p = !p od }",
        "!([]<> p)",
    ),
];

fn properties(desk: &Desk, arguments: &[&str]) -> Vec<Value> {
    let usual = ["check", "m.pml", "--json", "--no-save", "--quiet"];
    let output = desk.lariat(&[&usual, arguments].concat());
    report(&output)["properties"].as_array().expect("properties").clone()
}

#[test]
fn nothing_is_put_off_for_ever() {
    for (name, model, formula) in IGNORED {
        let desk = Desk::new(&format!("por-{name}"));
        desk.put("m.pml", model);
        let is_violated = |arguments: &[&str]| {
            let found = &properties(&desk, &[&["--ltl", formula], arguments].concat())[0];
            assert_eq!(found["verdict"], "violated", "{name} {arguments:?}");
            found["reduced"].clone()
        };
        assert_eq!(is_violated(&["--no-por"]), false);
        for shortcuts in ["none", "all"] {
            for order in [&[][..], &["--dfs"], &["--bfs"], &["--interpret"]] {
                let reduced = is_violated(&[&["--shortcuts", shortcuts], order].concat());
                assert_eq!(reduced, true, "{name}");
            }
            for check in CHECKS {
                is_violated(&["--shortcuts", shortcuts, "--algorithm", check]);
            }
        }
    }
}

/// H5, H6: the same by claims with an initial state of their own, so that a product state does not come
/// again where the system's does; the second with a branch that dies. Both accept `<> p`.
#[test]
fn nothing_is_put_off_under_a_claim() {
    let claim = |dying: &str| {
        format!(
            "active proctype B() {{ p = true }}
             never {{
               i: if :: !p -> goto w :: p -> goto accept_all {dying} fi;
               w: if :: !p -> goto w :: p -> goto accept_all fi;
               d1: if :: !p -> goto d2 fi;
               d2: if :: !p -> goto d3 fi;
               d3: if :: p -> goto accept_all fi;
               accept_all: do :: true od
             }}"
        )
    };
    let one = "bool p; active proctype A() { bit i; do :: i = i od }";
    let three = "bool p; active proctype A() {
            if :: goto r1 :: goto r0 fi; r0: skip; r1: skip; r2: skip; goto r0
        }";
    for (name, model, dying) in [("h5", one, ""), ("h6", three, ":: !p -> goto d1")] {
        let desk = Desk::new(&format!("por-claim-{name}"));
        desk.put("m.pml", &format!("{model}\n{}", claim(dying)));
        let orders = [&[][..], &["--dfs"], &["--bfs"], &["--interpret"], &["--no-por"]];
        let checks = CHECKS.iter().map(|check| vec!["--algorithm", check]);
        for arguments in orders.iter().map(|order| order.to_vec()).chain(checks) {
            for shortcuts in ["none", "all"] {
                let usual = ["--property", "never", "--shortcuts", shortcuts];
                let found = &properties(&desk, &[&usual[..], &arguments].concat())[0];
                assert_eq!(found["verdict"], "violated", "{name} {arguments:?}");
                let is_reduced = arguments != ["--no-por"];
                assert_eq!(found["reduced"], is_reduced, "{name} {arguments:?}");
            }
        }
    }
}

/// H11: a store that forgets decides anew, and each of two states in a ring may look new from the other one. So
/// nothing is left out where a cache is asked for something that must not be put off.
#[test]
fn nothing_is_put_off_by_a_cache() {
    let desk = Desk::new("por-cache");
    desk.put(
        "m.pml",
        "active proctype A() { do :: skip; skip od } active proctype B() { skip; assert(false) }",
    );
    for size in ["64", "200", "1M"] {
        let arguments = ["--safety", "--shortcuts", "none", "--plan-after", "1", "--cache", size];
        let safety = &properties(&desk, &arguments)[0];
        assert_eq!(safety["error"]["kind"], "assertion", "{size}");
        assert_eq!(safety["reduced"], false, "{size}");
    }
}

/// The assertion is behind a ring, too.
#[test]
fn no_assertion_is_put_off_for_ever() {
    for (name, ring) in [("one", "i = i"), ("two", "skip; skip"), ("three", "skip; skip; skip")] {
        let desk = Desk::new(&format!("por-assert-{name}"));
        let model = format!(
            "active proctype A() {{ bit i; do :: {ring} od }}
             active proctype B() {{ skip; assert(false) }}"
        );
        desk.put("m.pml", &model);
        for order in [&[][..], &["--dfs"], &["--bfs"], &["--interpret", "--system-store", "flat"]] {
            let arguments = [&["--shortcuts", "none"], order].concat();
            let safety = &properties(&desk, &arguments)[0];
            assert_eq!(safety["error"]["kind"], "assertion", "{name} {order:?}");
            assert_eq!(safety["reduced"], true);
        }
    }
}

/// H9, H10: where Spin 6.5.2 with its reduction finds nothing.
#[test]
fn what_spin_misses_is_found() {
    let desk = Desk::new("por-spin");
    // A process that ends frees its pid for the next one.
    for seen in ["_pid != 2", "_nr_pr != 3"] {
        let model = format!(
            "proctype A() {{ skip }} proctype B() {{ assert({seen}) }} init {{ run A(); run B() }}"
        );
        desk.put("m.pml", &model);
        assert_eq!(properties(&desk, &[])[0]["error"]["kind"], "assertion", "{seen}");
    }
    // A sender that always can keeps the others from waiting.
    desk.put(
        "m.pml",
        "chan c = [2] of { bit }; bit got;
         active proctype q() { do :: c!1 od }
         active proctype r() { do :: c?1 od }
         active proctype p() { c?1; got = 1 }",
    );
    for fair in ["weak", "spin"] {
        let found = &properties(&desk, &["--ltl", "<> got", "--fair", fair])[0];
        assert_eq!(found["verdict"], "violated", "{fair}");
    }
}

/// Who steps is seen, or how often: nothing is left out, and lariat says why.
#[test]
fn where_it_is_off() {
    let desk = Desk::new("por-off");
    let plain = "byte a; active [2] proctype P() { a = 1 - a }";
    let off = |model: &str, arguments: &[&str], why: &str| {
        desk.put("m.pml", model);
        let arguments = [&["--explain"], arguments].concat();
        let found = &properties(&desk, &arguments)[0];
        assert_eq!(found["reduced"], false, "{model} {arguments:?}");
        let explanation = found["explanation"].to_string();
        assert!(explanation.contains(why), "{why}: {explanation}");
    };
    off(plain, &["--no-por"], "as asked");
    off(plain, &["--ltl", "[] (a == 0 -> X (a == 1))"], "tells repeated states apart");
    off("byte a; active [2] proctype P() { a = _last }", &[], "none:");
    off("byte a; active [2] proctype P() priority 2 { a = 1 }", &[], "none:");
    // With X, but it does not count.
    desk.put("m.pml", plain);
    let found = &properties(&desk, &["--ltl", "X <> (a == 1) || [] (a == 0) || <> (a == 1)"])[0];
    assert_eq!(found["reduced"], true);
}

/// Where nothing could be left out, with the reason and the line.
#[test]
fn reasons_are_told() {
    let desk = Desk::new("por-explain");
    desk.put(
        "m.pml",
        "byte a, b;\nactive proctype P() { byte x; x = 1; x = 2; a = 1 }\nactive proctype Q() { b = a; b = 2 }",
    );
    let told = |arguments: &[&str]| {
        let arguments = [&["--explain", "--shortcuts", "none"], arguments].concat();
        properties(&desk, &arguments)[0]["explanation"].to_string()
    };
    let safety = told(&["--safety"]);
    assert!(safety.contains("something was left out in"), "{safety}");
    assert!(safety.contains("there is at most one step"), "{safety}");
    assert!(
        safety.contains("m.pml:") && safety.contains("depends on all who can move"),
        "{safety}"
    );
    let seen = told(&["--ltl", "<> (b == 2)"]);
    assert!(seen.contains("m.pml:3"), "{seen}");
    assert!(seen.contains("may change the property's propositions"), "{seen}");
}

/// A shortest run has no detour, though the first one that is found may have.
#[test]
fn shortest_runs_are_shortest() {
    let desk = Desk::new("por-shortest");
    desk.put(
        "m.pml",
        "byte a, b;
         active proctype A() { byte i; do :: i < 9 -> i++; a = i :: else -> break od }
         active proctype B() { b = 1; assert(a > 1) }",
    );
    let steps = |arguments: &[&str]| {
        properties(&desk, arguments)[0]["run"]["prefix"]["steps"].as_u64().expect("a run")
    };
    assert_eq!(steps(&["--shortest"]), steps(&["--bfs", "--no-por", "--shortcuts", "none"]));
}

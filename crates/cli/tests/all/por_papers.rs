//! Reduction by the rules of the papers (`--por-proviso`), which may miss a run and so never prove
//! anything; and reduction under claims and automata of files.

use crate::desk::{Desk, report};
use serde_json::Value;

const RULES: [&str; 4] = ["stack", "selection-number", "selection-bit", "discard"];

fn property(desk: &Desk, arguments: &[&str]) -> Value {
    let usual = ["check", "m.pml", "--json", "--no-save", "--quiet"];
    report(&desk.lariat(&[&usual, arguments].concat()))["properties"][0].clone()
}

/// H4: a claim that accepts (!p)^k p^ω, k ≥ 0: closed under stuttering, but it guesses whether k is odd. So what
/// is accepted from its states is not closed (S. Siegel, "What's wrong with on-the-fly partial order
/// reduction", CAV 2019).
const GUESSES: &str = "bool p;
     active proctype A() { bit h; do :: h = 1 - h od }
     active proctype B() { p = true }
     never {
       T0_init: if :: p -> goto accept :: !p -> goto odd :: !p -> goto even :: !p -> goto last fi;
       last: if :: p -> goto accept fi;
       odd: if :: !p -> goto odd2 fi;
       odd2: if :: !p -> goto odd :: p -> goto accept fi;
       even: if :: !p -> goto even2 fi;
       even2: if :: !p -> goto even3 fi;
       even3: if :: !p -> goto even2 :: p -> goto accept fi;
       accept: do :: p od
     }";

/// Sets that are selected for states of the product miss the run, and nobody says that there is none. Sets
/// that depend on the system's state find it.
#[test]
fn a_claim_that_guesses() {
    let desk = Desk::new("por-guesses");
    desk.put("m.pml", GUESSES);
    for rule in RULES {
        let arguments = ["--property", "never", "--shortcuts", "none", "--por-proviso", rule];
        let found = property(&desk, &arguments);
        assert_eq!(found["verdict"], "inconclusive", "{rule}");
        let output = desk.lariat(&[&["check", "m.pml", "--no-save"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(3), "{rule}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("may have missed one"), "{text}");
    }
    for order in [&[][..], &["--dfs"], &["--bfs"], &["--no-por"]] {
        let found = property(&desk, &[&["--property", "never"], order].concat());
        assert_eq!(found["verdict"], "violated", "{order:?}");
        assert_eq!(found["reduced"], order != ["--no-por"], "the language is closed");
    }
}

/// What is found is found by a run that was judged; what is not is no proof.
#[test]
fn rules_of_the_papers() {
    let desk = Desk::new("por-rules");
    desk.put(
        "m.pml",
        "bool p, q; active proctype A() { bit i; do :: i = 1 - i od }
         active proctype B() { do :: p = !p od } active proctype C() { q = true }",
    );
    for rule in RULES {
        let ask = |formula: &str| property(&desk, &["--ltl", formula, "--por-proviso", rule]);
        assert_eq!(ask("!([]<> p)")["verdict"], "violated", "{rule}");
        assert_eq!(ask("[] !(p && q)")["verdict"], "violated", "{rule}");
        let found = ask("[] (!q || q)");
        assert_eq!(found["verdict"], "inconclusive", "{rule}");
        assert_eq!(found["reduced"], true, "{rule}");
        // Where nothing can be left out, everything was seen.
        let found = ask("X (!p || !q)");
        assert_eq!((&found["verdict"], &found["reduced"]), (&"holds".into(), &false.into()));
    }
}

#[test]
fn what_does_not_go_with_them() {
    let desk = Desk::new("por-refused");
    desk.put("m.pml", "bool p; active proctype A() { p = true } ltl { <> p }");
    for arguments in [
        &["--fair", "weak"][..],
        &["--bfs"],
        &["--shortest"],
        &["--no-por"],
        &["--safety"],
        &["--bitstate", "20"],
        &["--algorithm", "se"],
    ] {
        let usual = ["check", "m.pml", "--no-save", "--por-proviso", "selection-bit"];
        let output = desk.lariat(&[&usual, arguments].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("--por-proviso"), "{arguments:?}: {said}");
    }
}

/// Automata of files are used with reduction if their language is closed under stuttering, and else not.
#[test]
fn automata_of_files() {
    let desk = Desk::new("por-automata");
    desk.put(
        "m.pml",
        "bool p; active proctype A() { bit i; do :: i = 1 - i od }
         active proctype B() { do :: p = !p od }",
    );
    let automaton = |edges: &str| {
        format!(
            "HOA: v1 States: 2 Start: 0 AP: 1 \"p\" acc-name: Buchi Acceptance: 1 Inf(0)\n\
             --BODY-- {edges} --END--"
        )
    };
    for (edges, reduced, why) in [
        // F G p
        ("State: 0 [t] 0 [0] 1 State: 1 {0} [0] 1", true, "left out"),
        // p at all even places
        ("State: 0 {0} [0] 1 State: 1 {0} [t] 0", false, "the automaton tells repeated"),
        // G F p, G F !p, for which it guesses the last p of a block
        ("State: 0 [t] 0 [0] 1 State: 1 {0} [!0] 0", false, "the automaton may tell repeated"),
    ] {
        desk.put("a.hoa", &automaton(edges));
        let found = property(&desk, &["--automaton", "a.hoa", "--explain"]);
        let unreduced = property(&desk, &["--automaton", "a.hoa", "--no-por"]);
        assert_eq!(found["verdict"], unreduced["verdict"], "{edges}");
        assert_eq!(found["reduced"], reduced, "{edges}");
        assert!(found["explanation"].to_string().contains(why), "{}", found["explanation"]);
    }
}

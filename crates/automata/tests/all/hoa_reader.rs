//! Well-formed files, as far as readers differ on them.

use lariat_automata::{Label, Tgba, hoa::Reader};
use lariat_core::Marks;

fn read_all(text: &str) -> (Vec<Result<Tgba, String>>, Vec<String>) {
    let mut reader = Reader::new(text, "test.hoa");
    let mut items = Vec::new();
    while let Some(item) = reader.next() {
        items.push(item.map_err(|error| reader.render(&error)));
    }
    let warnings = reader.take_warnings();
    (items, warnings.iter().map(|warning| reader.render(warning)).collect())
}

/// The only automaton, without warnings.
fn read(text: &str) -> Tgba {
    let (mut items, warnings) = read_all(text);
    assert_eq!(warnings, Vec::<String>::new());
    assert_eq!(items.len(), 1);
    items.remove(0).unwrap_or_else(|error| panic!("{error}"))
}

/// Header and body around `acceptance` for one state with three self-loops: in set 0, in
/// set 1, in none.
fn with_acceptance(acceptance: &str) -> Vec<u64> {
    let text = format!(
        "HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: {acceptance}\n--BODY-- State: 0 [t] 0 {{0}} [t] 0 {{1}} [t] 0 --END--"
    );
    let tgba = read(&text);
    let mut marks: Vec<u64> = tgba.edges[0].iter().map(|edge| edge.marks.0).collect();
    marks.insert(0, tgba.mark_count.into());
    marks
}

#[test]
fn acceptance_becomes_dense_marks() {
    assert_eq!(with_acceptance("2 t"), [0, 0, 0, 0]);
    assert_eq!(with_acceptance("2 f"), [1, 0, 0, 0]);
    assert_eq!(with_acceptance("2 Inf(0)"), [1, 1, 0, 0]);
    assert_eq!(with_acceptance("2 Inf(1)"), [1, 0, 1, 0]);
    assert_eq!(with_acceptance("2 Inf(1)&Inf(0)"), [2, 2, 1, 0]);
    assert_eq!(with_acceptance("2 Inf(!0)"), [1, 0, 1, 1]);
    assert_eq!(with_acceptance("2 Inf(!0)&Inf(0)"), [2, 2, 1, 1]);
    assert_eq!(with_acceptance("2 Inf(1)&(Inf(1)&t)&Inf(1)"), [1, 0, 1, 0]);
    assert_eq!(with_acceptance("2 (f | Inf(0)) & (t | Fin(1))"), [1, 1, 0, 0]);
    assert_eq!(with_acceptance("2 f & Fin(0)"), [1, 0, 0, 0]);
    assert_eq!(with_acceptance("1000000000 Inf(999999999)"), [1, 0, 0, 0]);
}

#[test]
fn state_and_edge_sets_mix() {
    let tgba = read(
        "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 2 Inf(0) & Inf(!1) --BODY--
         State: 0 {0} [0] 0 [!0] 1 {1}
         State: 1 {1} [t] 1 {0} --END--",
    );
    let marks: Vec<_> = tgba.edges.iter().flatten().map(|edge| edge.marks).collect();
    assert_eq!(marks, [Marks(0b11), Marks(0b01), Marks(0b01)]);
}

#[test]
fn implicit_labels_count_from_the_lowest_bit() {
    let tgba = read(
        "HOA: v1 States: 4 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 0 t properties: implicit-labels deterministic complete --BODY--
         State: 0 0 1 2 3 State: 1 1 1 1 1 State: 2 2 2 2 2 State: 3 3 3 3 3 --END--",
    );
    for letter in 0..4 {
        let taken: Vec<_> =
            tgba.edges[0].iter().filter(|edge| edge.label.holds_in(letter)).collect();
        assert_eq!(taken.len(), 1);
        assert_eq!(u64::from(taken[0].target), letter);
    }
}

#[test]
fn state_labels_go_to_all_edges() {
    let tgba = read(
        "HOA: v1 name: \"GFa\" States: 2 Start: 0 Start: 1 Start: 0 acc-name: Buchi Acceptance: 1 Inf(0) AP: 1 \"a\" --BODY--
         State: [0] 0 {0} 0 1 State: [!0] 1 0 1 --END--",
    );
    assert_eq!(tgba.initial, [0, 1]);
    assert_eq!(tgba.name.as_deref(), Some("GFa"));
    assert_eq!(tgba.edges[0][1].label, Label::Ap(0));
    assert_eq!(tgba.edges[1][0].label, Label::literal(0, false));
    assert!(tgba.is_state_based());
}

#[test]
fn aliases_before_propositions_with_dots() {
    let tgba = read(
        "HOA: v1 Alias: @a 0 Alias: @b.c @a & !1 AP: 2 \"x\" \"\\\"b\\\"\" Start: 0 Acceptance: 0 t --BODY--
         State: 0 [@b.c | !@a] 0 [!(@b.c)] 0 --END--",
    );
    assert_eq!(tgba.aps, ["x", "\"b\""]);
    assert_eq!(tgba.edges[0][0].label.to_string(), "0 & !1 | !0");
    assert_eq!(tgba.edges[0][1].label.to_string(), "!(0 & !1)");
}

#[test]
fn comments_strings_and_line_ends() {
    let tgba = read(
        "/* a /* nested\n */ --BODY-- comment */ HOA: v1\r\nname: \"two\nlines \\\\ \\\"q\\\"\"\r\nStates: 1\r\nStart: 0\r\nacc-name: all\r\nAcceptance: 0 t\r\ntool: \"x\" \"1\" foo-bar: 1 t \"s\" id\r\n--BODY--\r\nState: 0 \"n\" /**/ [t] 0\r\n--END--\r\n",
    );
    assert_eq!(tgba.name.as_deref(), Some("two\nlines \\ \"q\""));
    assert_eq!(tgba.state_names, [Some("n".to_owned())]);
}

#[test]
fn no_initial_state_and_no_state() {
    let tgba = read("HOA: v1 States: 0 Acceptance: 0 f --BODY-- --END--");
    assert_eq!((tgba.state_count(), tgba.initial.len(), tgba.mark_count), (0, 0, 1));
    let tgba = read("HOA: v1 Acceptance: 0 t --BODY-- State: 1 [t] 0 State: 0 --END--");
    assert_eq!((tgba.state_count(), tgba.edge_count()), (2, 1));
}

const GOOD: &str = "HOA: v1 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--";

#[test]
fn streams_survive_aborts_and_errors() {
    for bad in [
        "HOA: v1 --ABORT--",
        "HOA: v1 Acceptance: 2 Inf(0) & --ABORT-- --ABORT--",
        "HOA: v1 Acceptance: 0 t AP: 1 \"a\" --BODY-- State: 0 [!0 & --ABORT--",
    ] {
        let (items, warnings) = read_all(&format!("{GOOD}{bad}{GOOD} {GOOD}"));
        assert_eq!(items.len(), 3, "{bad}");
        assert!(items.iter().all(Result::is_ok), "{bad}: {items:?}");
        assert_eq!(warnings.len(), 1, "{bad}");
    }
    for bad in [
        "garbage",
        "HOA: v1 Acceptance: 0 t --BODY-- State: 0 [a] 0 State: 1 --END--",
        "HOA: v1 Acceptance: 0 t --BODY-- State: 0 {a} [t] 0 --END--",
        "HOA: v1 Acceptance: 0 t --BODY-- Stat: 0 --END--",
        "HOA: v1 Acceptance: 0 t --BODY-- State: 0 [t] 1 --END--",
        "HOA: v1 Acceptance: 0 t --BODY-- State: 0 [t] 0 ",
        "HOA: $ Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--",
        "never { T: skip; }",
        "--END--",
    ] {
        let (items, _) = read_all(&format!("{GOOD}{bad}\n{GOOD} {GOOD}"));
        let good: Vec<bool> = items.iter().map(Result::is_ok).collect();
        assert_eq!(good, [true, false, true, true], "{bad}: {items:?}");
    }
}

#[test]
fn warnings() {
    let warned = |text: &str| {
        let (items, warnings) = read_all(text);
        assert!(items.iter().all(Result::is_ok), "{items:?}");
        warnings.iter().map(|text| text.lines().next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for version in ["v1.1", "v1a"] {
        let text = GOOD.replace("v1", version);
        assert_eq!(
            warned(&text),
            [format!("warning: version `{version}` is read as if it were `v1`")]
        );
    }
    let text = GOOD
        .replace("Start: 0", "States: 10 Start: 2")
        .replace("State: 0", "State: 2 [t] 6 State: 6 [t] 2 State: 0");
    assert_eq!(warned(&text), ["warning: these states are neither defined nor used: 1,3-5,7-9"]);
    let text = format!("#line 1 \"x\"\n{GOOD}");
    assert_eq!(warned(&text), ["warning: `#line` is ignored: places are those of this file"]);
}

#[test]
fn unusual_but_legal() {
    // Labels of all three kinds, by state; empty braces; unknown names and properties.
    let tgba = read(
        "HOA: v1 properties: foo-bar stutter-invariant exist-branch acc-name: my-own 3 x Start: 0
         AP: 1 \"a\" controllable-AP: 0 Acceptance: 1 Inf(0) --BODY--
         State: [0] 0 {} 1 2 State: 1 [f] 0 {} [!!0] 1 {0} State: 2 0 {0} 2 --END--",
    );
    let labels: Vec<_> = tgba.edges.iter().flatten().map(|edge| edge.label.to_string()).collect();
    assert_eq!(labels, ["0", "0", "f", "0", "!0", "0"]);

    let name = "x".repeat(50_000);
    let tgba = read(&GOOD.replace("State: 0", &format!("State: 0 \"{name}\"")));
    assert_eq!(tgba.state_names, [Some(name)]);

    let nots = "!".repeat(20_001);
    let tgba = read(&GOOD.replace("[t]", &format!("[{nots}t]")));
    assert_eq!(tgba.edges[0][0].label, Label::False);

    let tgba = read(&format!("\u{feff}{GOOD}"));
    assert_eq!(tgba.state_count(), 1);

    // A large number of states that do not exist takes no memory.
    let (items, warnings) = read_all(&GOOD.replace("Start", "States: 2147483647 Start"));
    assert_eq!(items[0].as_ref().unwrap().state_count(), 1);
    assert!(warnings[0].contains("neither defined nor used: 1-2147483646"), "{warnings:?}");

    let claims = "properties: weak terminal very-weak inherently-weak";
    let text = GOOD.replace("0 t --BODY--", &format!("1 Inf(0) {claims} --BODY--"));
    let (_, warnings) = read_all(&text.replace("[t] 0", "[t] 0 {0} [t] 0"));
    assert_eq!(warnings.len(), 4, "{warnings:?}");
}

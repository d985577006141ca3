//! What is written is read back as the same automaton, without a warning.

use lariat_automata::{Edge, Label, Tgba, hoa};
use lariat_core::Marks;
use proptest::prelude::*;

/// Labels as the reader builds them.
fn label(aps: u32) -> impl Strategy<Value = Label> {
    let leaf = prop_oneof![
        Just(Label::True),
        Just(Label::False),
        (0..aps.max(1), any::<bool>()).prop_map(move |(ap, positive)| match aps {
            0 => Label::True,
            _ => Label::literal(ap, positive),
        }),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Label::and),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Label::or),
            inner.prop_map(Label::negated),
        ]
    })
}

prop_compose! {
    fn tgba()(states in 0u32..6, aps in 0u32..4, mark_count in prop_oneof![0u32..4, Just(64u32)])(
        name in prop::option::of("(?s).{0,6}"),
        ap_names in prop::collection::hash_set("(?s).{0,5}", aps as usize),
        initial in prop::collection::hash_set(0..states.max(1), 0..3),
        edges in prop::collection::vec(
            prop::collection::vec((label(aps), any::<u64>(), 0..states.max(1)), 0..4),
            states as usize,
        ),
        state_names in prop::option::of(prop::collection::vec(prop::option::of("(?s).{0,5}"), states as usize)),
        by_states in any::<bool>(),
        mark_count in Just(mark_count),
        states in Just(states),
    ) -> Tgba {
        let edges = edges.into_iter().map(|edges| {
            let first = edges.first().map_or(0, |edge| edge.1);
            edges.into_iter().map(|(label, marks, target)| {
                let marks = Marks(if by_states { first } else { marks } & Marks::all(mark_count).0);
                Edge { label, marks, target }
            }).collect()
        }).collect();
        // A list without any name is read back as no list.
        let state_names = state_names.filter(|names| names.iter().any(Option::is_some));
        Tgba {
            name,
            aps: ap_names.into_iter().collect(),
            mark_count,
            initial: initial.into_iter().filter(|&state| state < states).collect(),
            edges,
            state_names: state_names.unwrap_or_default(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_automata_read_the_same(one in tgba(), other in tgba()) {
        let text = hoa::to_string(&one) + &hoa::to_string(&other);
        let mut reader = hoa::Reader::new(&text, "written.hoa");
        for written in [one, other] {
            let read = reader.next().expect("one for each").map_err(|error| {
                TestCaseError::fail(error.render(&text, "written.hoa"))
            })?;
            prop_assert_eq!(&read.name, &written.name, "{}", text);
            prop_assert_eq!(&read.aps, &written.aps);
            prop_assert_eq!(read.mark_count, written.mark_count);
            prop_assert_eq!(&read.initial, &written.initial);
            prop_assert_eq!(&read.edges, &written.edges, "{}", text);
            prop_assert_eq!(&read.state_names, &written.state_names);
        }
        prop_assert!(reader.next().is_none());
        prop_assert_eq!(reader.take_warnings(), []);
    }
}

#[test]
fn headers_say_what_is_true() {
    let text = "HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--
        State: 0 [!0] 0 [0] 1 State: 1 {0} [t] 1 --END--";
    let tgba = hoa::Reader::new(text, "f").next().unwrap().unwrap();
    let written = hoa::to_string(&tgba);
    let expected = "HOA: v1
States: 2
Start: 0
AP: 1 \"a\"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc complete deterministic inherently-weak weak very-weak terminal
--BODY--
State: 0
[!0] 0
[0] 1
State: 1 {0}
[t] 1
--END--
";
    assert_eq!(written, expected);
}

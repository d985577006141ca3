//! The parts of an automaton together accept what the whole accepts, and each part is of the
//! class that its check needs.

use crate::common::{is_terminal_by_states, is_weak_by_states};
use fastrand::Rng;
use lariat_automata::classify::classify;
use lariat_automata::decompose::{Strength, part, strengths};
use lariat_automata::{Label, Tgba};
use lariat_core::Marks;

/// Sparse, so that there are several components; one proposition.
fn random(rng: &mut Rng) -> Tgba {
    let mut tgba = Tgba { mark_count: rng.u32(..3), ..Tgba::default() };
    tgba.aps.push("p".to_owned());
    let states = 2 + rng.u32(..7);
    for _ in 0..states {
        tgba.add_state();
    }
    tgba.initial.push(0);
    for source in 0..states {
        for _ in 0..1 + rng.u64(..3) {
            let target = match rng.u64(..3) {
                0 => rng.u32(..states),
                _ => source + rng.u32(..(states - source).min(3)),
            };
            let label = match rng.u64(..4) {
                0 => Label::literal(0, true),
                1 => Label::literal(0, false),
                _ => Label::True,
            };
            tgba.add_edge(source, label, Marks(rng.u64(..1 << tgba.mark_count)), target);
        }
    }
    tgba
}

#[test]
fn parts_accept_what_the_whole_accepts() {
    let mut rng = Rng::with_seed(6);
    let mut mixed = 0;
    for case in 0..2000 {
        let tgba = random(&mut rng);
        let classes = classify(&tgba);
        let found = strengths(&classes);
        mixed += u32::from(found.len() > 1);
        let parts: Vec<(Strength, Tgba)> =
            found.into_iter().map(|strength| (strength, part(&tgba, &classes, strength))).collect();
        for (strength, part) in &parts {
            match strength {
                Strength::Terminal => assert!(is_terminal_by_states(part), "case {case}"),
                Strength::Weak => assert!(is_weak_by_states(part), "case {case}"),
                Strength::Strong => {}
            }
        }
        for _ in 0..20 {
            let (prefix, cycle) = word(&mut rng);
            let whole = tgba.accepts_lasso(&prefix, &cycle);
            let by_parts = parts.iter().any(|(_, part)| part.accepts_lasso(&prefix, &cycle));
            assert_eq!(by_parts, whole, "case {case}: {prefix:?} {cycle:?}");
        }
    }
    assert!(mixed > 100, "only {mixed} automata had several strengths");
}

/// A prefix and a cycle.
fn word(rng: &mut Rng) -> (Vec<u64>, Vec<u64>) {
    let letters = |rng: &mut Rng, len: u64| (0..len).map(|_| rng.u64(..2)).collect::<Vec<_>>();
    let (prefix, cycle) = (rng.u64(..4), 1 + rng.u64(..4));
    (letters(rng, prefix), letters(rng, cycle))
}

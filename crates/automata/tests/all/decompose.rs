//! The parts of an automaton together accept what the whole accepts, and each part is of the
//! class that its check needs.

use crate::common::{is_terminal_by_states, is_weak_by_states};
use lariat_automata::classify::classify;
use lariat_automata::decompose::{Strength, part, strengths};
use lariat_automata::{Label, Tgba};
use lariat_core::Marks;

/// splitmix64 (Steele, Lea, Flood 2014).
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) % bound
    }
}

/// Sparse, so that there are several components; one proposition.
fn random(rng: &mut Rng) -> Tgba {
    let mut tgba = Tgba { mark_count: rng.below(3) as u32, ..Tgba::default() };
    tgba.aps.push("p".to_owned());
    let states = 2 + rng.below(7) as u32;
    for _ in 0..states {
        tgba.add_state();
    }
    tgba.initial.push(0);
    for source in 0..states {
        for _ in 0..1 + rng.below(3) {
            let target = match rng.below(3) {
                0 => rng.below(u64::from(states)) as u32,
                _ => source + rng.below(u64::from(states - source).min(3)) as u32,
            };
            let label = match rng.below(4) {
                0 => Label::literal(0, true),
                1 => Label::literal(0, false),
                _ => Label::True,
            };
            tgba.add_edge(source, label, Marks(rng.below(1 << tgba.mark_count)), target);
        }
    }
    tgba
}

#[test]
fn parts_accept_what_the_whole_accepts() {
    let mut rng = Rng(6);
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
    let letters = |rng: &mut Rng, len: u64| (0..len).map(|_| rng.below(2)).collect::<Vec<_>>();
    let (prefix, cycle) = (rng.below(4), 1 + rng.below(4));
    (letters(rng, prefix), letters(rng, cycle))
}

//! Never claims, most of which count steps and so are not stutter-invariant.

use super::draft::Draft;
use super::question::{atom, between};

/// The text of a never claim.
pub fn claim(draft: &mut Draft) -> String {
    let middle = between(draft);
    let (p, q) = (atom(draft), atom(draft));
    match draft.rng.below(6) {
        // A state in between, once.
        0 => format!("never {{\n  do\n  :: true\n  :: ({middle}) -> break\n  od\n}}"),
        // Exactly two steps.
        1 => format!(
            "never {{\n  do\n  :: true\n  :: ({p}) -> break\n  od;\n  ({middle});\n  ({q})\n}}"
        ),
        // From some moment on.
        2 => format!(
            "never {{\n  do\n  :: true\n  :: ({p}) -> goto accept\n  od;\naccept:\n  do\n  \
             :: !({middle})\n  od\n}}"
        ),
        _ => automaton(draft),
    }
}

/// A random automaton.
fn automaton(draft: &mut Draft) -> String {
    let states = 2 + draft.rng.below(3);
    let accepting = draft.rng.below(states);
    let name = |state: u64| {
        if state == accepting { format!("accept{state}") } else { format!("T{state}") }
    };
    let mut text = "never {\n".to_owned();
    for state in 0..states {
        text += &format!("{}:\n  do\n", name(state));
        for option in 0..2 + draft.rng.below(2) {
            let guard = match draft.rng.below(6) {
                0 | 1 if option == 0 => "true".to_owned(),
                2 => between(draft),
                3 => format!("!({})", atom(draft)),
                _ => atom(draft),
            };
            // Mostly onwards, so that the last states are reached.
            let to =
                if draft.rng.chance(50) { (state + 1) % states } else { draft.rng.below(states) };
            if to == state {
                text += &format!("  :: ({guard})\n");
            } else {
                text += &format!("  :: ({guard}) -> goto {}\n", name(to));
            }
        }
        text += "  od;\n";
    }
    text + "  skip\n}"
}

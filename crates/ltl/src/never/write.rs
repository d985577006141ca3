//! Writing claims, in the form that Spin and Spot print.

use lariat_automata::{Label, StateId, Tgba};
use lariat_core::Marks;
use std::fmt::{self, Write};

/// A never claim can express one acceptance set on states, and one initial state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotBuchi;

impl fmt::Display for NotBuchi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a never claim needs one initial state and one acceptance set on states")
    }
}

impl std::error::Error for NotBuchi {}

/// The claim. `comment` is what it was made from.
pub fn write(automaton: &Tgba, comment: &str) -> Result<String, NotBuchi> {
    if automaton.mark_count > 1 || !automaton.is_state_based() || automaton.initial.len() > 1 {
        return Err(NotBuchi);
    }
    let comment = comment.replace("*/", "* /");
    let mut out = format!("never {{ /* {comment} */\n");
    let Some(&initial) = automaton.initial.first() else {
        out.push_str("T0_init:\n  false;\n}\n");
        return Ok(out);
    };
    let names = Names { automaton, initial };
    // The first state of a claim is where it begins; one that accepts everything comes last.
    let mut order: Vec<StateId> =
        (0..automaton.state_count() as StateId).filter(|&state| state != initial).collect();
    order.insert(0, initial);
    order.sort_by_key(|&state| names.accepts_all(state) && state != initial);
    for state in order {
        let edges = &automaton.edges[state as usize];
        let _ = writeln!(out, "{}:", names.of(state));
        if names.accepts_all(state) {
            out.push_str("  skip\n");
        } else if edges.is_empty() {
            out.push_str("  false;\n");
        } else {
            out.push_str("  if\n");
            for edge in edges {
                let guard = guard(&edge.label, &automaton.aps);
                let _ = writeln!(out, "  :: ({guard}) -> goto {}", names.of(edge.target));
            }
            out.push_str("  fi;\n");
        }
    }
    out.push_str("}\n");
    Ok(out)
}

struct Names<'a> {
    automaton: &'a Tgba,
    initial: StateId,
}

impl Names<'_> {
    fn accepting(&self, state: StateId) -> bool {
        let all = Marks::all(self.automaton.mark_count);
        let edges = &self.automaton.edges[state as usize];
        !edges.is_empty() && edges.iter().all(|edge| edge.marks == all)
    }

    fn accepts_all(&self, state: StateId) -> bool {
        let alone = match &self.automaton.edges[state as usize][..] {
            [edge] => edge.label == Label::True && edge.target == state,
            _ => false,
        };
        // A second one needs a name of its own, and is written in full.
        let first = || {
            (0..state).all(|other| {
                let edges = &self.automaton.edges[other as usize];
                !matches!(&edges[..], [edge] if edge.label == Label::True
                    && edge.target == other && self.accepting(other))
            })
        };
        alone && self.accepting(state) && first()
    }

    fn of(&self, state: StateId) -> String {
        match (self.accepting(state), state == self.initial) {
            (true, true) => "accept_init".to_owned(),
            (false, true) => "T0_init".to_owned(),
            (true, false) if self.accepts_all(state) => "accept_all".to_owned(),
            (true, false) => format!("accept_S{state}"),
            (false, false) => format!("T0_S{state}"),
        }
    }
}

fn guard(label: &Label, aps: &[String]) -> String {
    let list = |parts: &[Label], sign: &str| {
        let parts: Vec<String> = parts.iter().map(|part| operand(part, aps)).collect();
        parts.join(sign)
    };
    match label {
        Label::True => "1".to_owned(),
        Label::False => "0".to_owned(),
        Label::Ap(ap) => proposition(&aps[*ap as usize]),
        Label::Not(inner) => format!("!{}", operand(inner, aps)),
        Label::And(parts) => list(parts, " && "),
        Label::Or(parts) => list(parts, " || "),
    }
}

fn operand(label: &Label, aps: &[String]) -> String {
    match label {
        Label::And(_) | Label::Or(_) => format!("({})", guard(label, aps)),
        _ => guard(label, aps),
    }
}

/// A name stands alone; an expression of the model gets parentheses.
fn proposition(name: &str) -> String {
    if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        name.to_owned()
    } else {
        format!("({name})")
    }
}

//! From the acceptance condition of a file to the marks of a [`crate::Tgba`].
//!
//! A conjunction of `Inf` becomes dense marks, one for each distinct set, which may be a
//! complement; `f` becomes one mark that nothing carries. Everything else is refused by name.

use super::expression::{Atom, Condition};
use super::parser::{Parsed, fail};
use crate::{Diagnostic, Span};
use lariat_core::Marks;
use std::collections::{HashMap, HashSet};

/// Which sets a state or an edge was said to be in, in terms of marks.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Membership {
    /// Marks of the sets it is in.
    gained: Marks,
    /// Marks of the complements it is therefore not in.
    lost: Marks,
}

impl Membership {
    pub(crate) fn union(self, other: Membership) -> Membership {
        Membership { gained: self.gained | other.gained, lost: self.lost | other.lost }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Acceptance {
    pub(crate) set_count: u32,
    pub(crate) mark_count: u32,
    /// What being in a set means; sets that the condition does not mention are absent.
    sets: HashMap<u32, Membership>,
    /// Marks of complements: what an edge carries that is in no set.
    complements: Marks,
}

impl Acceptance {
    pub(crate) fn member(&self, set: u32) -> Membership {
        self.sets.get(&set).copied().unwrap_or_default()
    }

    /// The marks of an edge whose own and whose source's sets are `membership`.
    pub(crate) fn marks(&self, membership: Membership) -> Marks {
        membership.gained | self.complements.without(membership.lost)
    }

    /// Gives a mark to `Inf` of a set; [`simplify`] made the atoms distinct.
    fn add(&mut self, atom: Atom) {
        let mark = Marks::one(self.mark_count);
        let member = self.sets.entry(atom.set).or_default();
        if atom.complemented {
            member.lost |= mark;
            self.complements |= mark;
        } else {
            member.gained |= mark;
        }
        self.mark_count += 1;
    }

    /// Whether the condition is `name` with `parameters`, for the names that lariat reads.
    /// `None` where the name is another one.
    pub(crate) fn is_named(&self, name: &str, parameters: &[u32]) -> Option<bool> {
        let plain = self.complements.is_empty();
        let never = self.mark_count == 1 && self.sets.is_empty();
        Some(match (name, parameters) {
            ("all", _) => self.mark_count == 0,
            ("none", _) => never,
            ("Buchi", _) => plain && !never && self.mark_count == 1,
            ("generalized-Buchi", [count]) => plain && !never && self.mark_count == *count,
            _ => return None,
        })
    }
}

/// The condition as marks, or the error that names what it is.
pub(crate) fn normalise(
    set_count: u32,
    condition: &Condition,
    whole: Span,
    name: Option<&str>,
) -> Parsed<Acceptance> {
    let simple = simplify(condition);
    let parts = match &simple {
        Condition::Constant(true) => {
            return Ok(Acceptance { set_count, ..Acceptance::default() });
        }
        Condition::Constant(false) => {
            return Ok(Acceptance { set_count, mark_count: 1, ..Acceptance::default() });
        }
        Condition::Junction { all: true, parts } => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let mut acceptance = Acceptance { set_count, ..Acceptance::default() };
    for part in parts {
        match part {
            Condition::Atom(atom) if !atom.finite => {
                if acceptance.mark_count == Marks::MAX {
                    let message = format!("more than {} different sets under `Inf`", Marks::MAX);
                    return fail(atom.span, message);
                }
                acceptance.add(*atom);
            }
            _ => return Err(unsupported(&simple, part, whole, name).into()),
        }
    }
    Ok(acceptance)
}

/// Removes constants, repeated atoms and nested junctions of one kind.
fn simplify(condition: &Condition) -> Condition {
    let Condition::Junction { all, parts } = condition else { return condition.clone() };
    let mut kept = Vec::new();
    let mut atoms = HashSet::new();
    for part in parts {
        let inner = match simplify(part) {
            Condition::Constant(value) if value == *all => continue,
            Condition::Constant(value) => return Condition::Constant(value),
            Condition::Junction { all: same, parts } if same == *all => parts,
            other => vec![other],
        };
        kept.extend(inner.into_iter().filter(|part| match part {
            Condition::Atom(atom) => atoms.insert((atom.finite, atom.complemented, atom.set)),
            _ => true,
        }));
    }
    match kept.len() {
        0 => Condition::Constant(*all),
        1 => kept.remove(0),
        _ => Condition::Junction { all: *all, parts: kept },
    }
}

fn unsupported(
    condition: &Condition,
    part: &Condition,
    whole: Span,
    name: Option<&str>,
) -> Diagnostic {
    let name = name.unwrap_or_else(|| shape(condition));
    let offender = first_finite(part).or_else(|| first_finite(condition));
    let reason = match offender {
        Some(atom) => format!("`{}`", if atom.complemented { "Fin(!…)" } else { "Fin(…)" }),
        None => "`|` between `Inf`".into(),
    };
    Diagnostic::error(
        offender.map_or(whole, |atom| atom.span),
        format!("{name} acceptance is not supported: it uses {reason}"),
    )
    .note("expected `t`, `f`, or a conjunction of `Inf`: Büchi or generalised Büchi acceptance")
}

fn first_finite(condition: &Condition) -> Option<Atom> {
    match condition {
        Condition::Constant(_) => None,
        Condition::Atom(atom) => atom.finite.then_some(*atom),
        Condition::Junction { parts, .. } => parts.iter().find_map(first_finite),
    }
}

/// The name of a condition that has no `acc-name:`, as far as its shape tells.
fn shape(condition: &Condition) -> &'static str {
    let is_atom = |part: &Condition| matches!(part, Condition::Atom(_));
    let is_finite = |part: &Condition| matches!(part, Condition::Atom(atom) if atom.finite);
    let one_finite = |part: &Condition| match part {
        Condition::Junction { parts, .. } => {
            parts.iter().all(is_atom) && parts.iter().filter(|part| is_finite(part)).count() == 1
        }
        _ => false,
    };
    match condition {
        Condition::Atom(_) => "co-Büchi",
        Condition::Junction { all: false, parts } if parts.iter().all(is_finite) => {
            "generalised co-Büchi"
        }
        Condition::Junction { all: false, parts } if parts.iter().all(one_finite) => "Rabin",
        Condition::Junction { all: true, parts } if parts.iter().all(one_finite) => "Streett",
        Condition::Junction { all: true, .. } if one_finite(condition) => "Rabin",
        Condition::Junction { all: false, .. } if one_finite(condition) => "Streett",
        _ => "Emerson-Lei",
    }
}

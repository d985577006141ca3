//! Properties against the automaton itself. `deterministic` and `complete` say what the
//! edges must be, so an automaton that refutes them lacks edges or has too many: an error.
//! The classes of components are computed anew wherever lariat uses them: a wrong claim is
//! worth a warning only.

use super::body::MAX_NODES;
use super::header::Header;
use super::parser::{Parsed, Parser};
use crate::classify::classify;
use crate::coverage::coverage;
use crate::{Diagnostic, Span, StateId, Tgba};
use std::collections::BTreeMap;

/// `places` has the definition of each state.
pub(crate) fn check(
    parser: &mut Parser<'_>,
    header: &Header,
    tgba: &Tgba,
    places: &BTreeMap<StateId, Span>,
) -> Parsed<()> {
    let claimed = |property| header.properties.get(property);
    if let Some(span) = claimed("deterministic") {
        if let Some(second) = tgba.initial.get(1) {
            let place = header.initial.iter().find(|(state, _)| state == second);
            let message = "property `deterministic` is wrong: there are several initial states";
            return Err(Diagnostic::error(span, message)
                .note_at(place.expect("it is initial").1, "a second one is given here")
                .into());
        }
        let refutes = |state| cover(tgba, state).disjoint == Some(false);
        refuse(span, "deterministic", "a letter has two edges", places, refutes)?;
    }
    if let Some(span) = claimed("complete") {
        let refutes = |state| cover(tgba, state).total == Some(false);
        refuse(span, "complete", "a letter has no edge", places, refutes)?;
    }

    let claims = ["inherently-weak", "weak", "very-weak", "terminal"];
    if claims.iter().any(|claim| claimed(claim).is_some()) {
        let classes = classify(tgba);
        // HOA's `terminal` allows more than lariat's; both are weak.
        let truths = [classes.inherently_weak, classes.weak, classes.very_weak, classes.weak];
        for (claim, truth) in claims.iter().zip(truths) {
            if let (Some(span), false) = (claimed(claim), truth) {
                parser.warn(span, format!("property `{claim}` is wrong and is ignored"));
            }
        }
    }
    Ok(())
}

fn cover(tgba: &Tgba, state: StateId) -> crate::coverage::Coverage {
    let labels = tgba.edges[state as usize].iter().map(|edge| &edge.label);
    coverage(labels, MAX_NODES)
}

/// Fails at the first state that refutes the property.
fn refuse(
    span: Span,
    property: &str,
    why: &str,
    places: &BTreeMap<StateId, Span>,
    refutes: impl Fn(StateId) -> bool,
) -> Parsed<()> {
    match places.iter().find(|(state, _)| refutes(**state)) {
        None => Ok(()),
        Some((state, place)) => {
            let message = format!("property `{property}` is wrong: {why}");
            Err(Diagnostic::error(span, message)
                .note_at(*place, format!("see state {state}"))
                .into())
        }
    }
}

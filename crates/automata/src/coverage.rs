//! Questions about labels that need more than evaluation: is one satisfiable, which letters
//! do several share, as a short list of cubes. Labels over six propositions are answered by
//! truth tables, others by decision diagrams of limited size.

use crate::Label;
use crate::symbolic::{Bdd, Cube, Func, func_of};

/// How many steps operations may take for each node of a limit.
const STEPS_PER_NODE: u64 = 8;

/// The answer would need more memory or steps than the limit allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooComplex;

/// A manager for some labels: their propositions are its variables, so operations recurse at
/// most once for each.
fn manager(node_limit: usize) -> Bdd {
    Bdd::with_limits(node_limit, node_limit as u64 * STEPS_PER_NODE)
}

fn trusted<T>(bdd: &Bdd, result: T) -> Result<T, TooComplex> {
    if bdd.exhausted() { Err(TooComplex) } else { Ok(result) }
}

/// Whether a letter satisfies the label; fails beyond `node_limit` nodes of a diagram.
pub(crate) fn is_satisfiable(label: &Label, node_limit: usize) -> Result<bool, TooComplex> {
    let mut bdd = manager(node_limit);
    let function = func_of(label, &mut bdd);
    trusted(&bdd, !function.is_false())
}

/// An irredundant disjunction of at most `cube_limit` prime cubes.
pub(crate) fn cubes(
    label: &Label,
    node_limit: usize,
    cube_limit: usize,
) -> Result<Vec<Cube>, TooComplex> {
    let mut bdd = manager(node_limit);
    let function = func_of(label, &mut bdd);
    let cubes = bdd.cover_within(function, function, cube_limit).ok_or(TooComplex)?;
    trusted(&bdd, cubes)
}

/// What the labels of one state's edges do together; `None` where the limit did not suffice
/// to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// No letter satisfies two of them.
    pub disjoint: Option<bool>,
    /// Every letter satisfies one of them.
    pub total: Option<bool>,
}

/// How the labels divide the letters among them.
pub fn coverage<'l>(
    labels: impl Iterator<Item = &'l Label> + Clone,
    node_limit: usize,
) -> Coverage {
    let mut tables = labels.clone().map(Label::table);
    let joined = tables.try_fold((true, 0), |(disjoint, covered), table| {
        Some((disjoint && covered & table? == 0, covered | table?))
    });
    match joined {
        Some((disjoint, covered)) => {
            Coverage { disjoint: Some(disjoint), total: Some(covered == u64::MAX) }
        }
        None => coverage_by_diagrams(labels, node_limit),
    }
}

fn coverage_by_diagrams<'l>(
    labels: impl Iterator<Item = &'l Label>,
    node_limit: usize,
) -> Coverage {
    let mut bdd = manager(node_limit);
    let (mut covered, mut disjoint) = (Func::FALSE, true);
    for label in labels {
        let label = func_of(label, &mut bdd);
        let overlap = bdd.meets(covered, label);
        covered = bdd.or(covered, label);
        if bdd.exhausted() {
            return Coverage { disjoint: (!disjoint).then_some(false), total: None };
        }
        disjoint &= !overlap;
    }
    Coverage { disjoint: Some(disjoint), total: Some(covered.is_true()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_by_tables_and_by_diagrams_agree() {
        let literal = Label::literal;
        let pair = |a, b| Label::and([literal(0, a), literal(1, b)]);
        for labels in [
            vec![],
            vec![Label::True],
            vec![literal(0, true), literal(0, false)],
            vec![literal(0, true), literal(1, false)],
            vec![pair(true, true), pair(true, false), literal(0, false)],
            vec![pair(true, true), pair(false, false)],
            vec![Label::False, Label::True, Label::False],
        ] {
            let diagrams = coverage_by_diagrams(labels.iter(), 1000);
            assert_eq!(coverage(labels.iter(), 1000), diagrams, "{labels:?}");
            let far: Vec<Label> = labels
                .into_iter()
                .chain([Label::and([literal(9, true), literal(9, false)])])
                .collect();
            assert_eq!(coverage(far.iter(), 1000), diagrams, "{far:?}");
        }
    }
}

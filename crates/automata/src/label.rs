//! Edge labels: Boolean formulas over atomic propositions, by index into [`crate::Tgba::aps`].

use crate::coverage;
use crate::symbolic::Cube;
use lariat_core::{Guard, Props};
use std::fmt;

/// A Boolean formula over propositions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// Every letter.
    True,
    /// No letter.
    False,
    /// The proposition of this number holds.
    Ap(u32),
    /// The inner label does not hold.
    Not(Box<Label>),
    /// Of at least two.
    And(Vec<Label>),
    /// Of at least two.
    Or(Vec<Label>),
}

/// Why a label cannot be written as guards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GuardError {
    /// The proposition with this index does not fit into [`Props`].
    TooManyPropositions(u32),
    /// Its disjunctive form has more than [`MAX_CUBES`] cubes.
    TooManyCubes,
}

/// For each of six propositions the letters in which it holds, as bits.
const COLUMNS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// How many cubes the disjunctive form of a label may have.
pub const MAX_CUBES: usize = 1 << 16;

/// How many nodes the decision diagram of a label may have while its cubes are computed.
const MAX_NODES: usize = 1 << 18;

/// How many nodes the decision diagram of a label may have for its satisfiability, which must
/// be known.
const MAX_NODES_AT_ALL: usize = 1 << 24;

impl fmt::Display for GuardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuardError::TooManyPropositions(ap) => write!(
                f,
                "a label uses proposition {ap}, but at most {} propositions can be checked against a model",
                Props::BITS
            ),
            GuardError::TooManyCubes => {
                write!(f, "a label has more than {MAX_CUBES} alternatives in disjunctive form")
            }
        }
    }
}

impl std::error::Error for GuardError {}

impl Label {
    /// The conjunction, simplified where a part is constant.
    pub fn and(parts: impl IntoIterator<Item = Label>) -> Label {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Label::True => {}
                Label::False => return Label::False,
                Label::And(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Label::True,
            1 => kept.remove(0),
            _ => Label::And(kept),
        }
    }

    /// The disjunction, simplified where a part is constant.
    pub fn or(parts: impl IntoIterator<Item = Label>) -> Label {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Label::False => {}
                Label::True => return Label::True,
                Label::Or(inner) => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Label::False,
            1 => kept.remove(0),
            _ => Label::Or(kept),
        }
    }

    /// The label that holds where this one does not.
    pub fn negated(self) -> Label {
        match self {
            Label::True => Label::False,
            Label::False => Label::True,
            Label::Not(inner) => *inner,
            other => Label::Not(Box::new(other)),
        }
    }

    /// The proposition `ap`, or its negation.
    pub fn literal(ap: u32, positive: bool) -> Label {
        if positive { Label::Ap(ap) } else { Label::Not(Box::new(Label::Ap(ap))) }
    }

    /// The conjunction of all literals of a letter: bit `i` of `letter` is the truth of
    /// proposition `i`.
    pub fn letter(letter: Props, ap_count: u32) -> Label {
        Label::and((0..ap_count).map(|ap| Label::literal(ap, letter >> ap & 1 == 1)))
    }

    /// The truth of the label when exactly the propositions for which `holds` is true hold.
    pub fn eval(&self, holds: &impl Fn(u32) -> bool) -> bool {
        match self {
            Label::True => true,
            Label::False => false,
            Label::Ap(ap) => holds(*ap),
            Label::Not(inner) => !inner.eval(holds),
            Label::And(parts) => parts.iter().all(|part| part.eval(holds)),
            Label::Or(parts) => parts.iter().any(|part| part.eval(holds)),
        }
    }

    /// [`Label::eval`] for propositions in a word; those beyond its bits are false.
    pub fn holds_in(&self, props: Props) -> bool {
        self.eval(&|ap| ap < Props::BITS && props >> ap & 1 == 1)
    }

    /// Whether the truth of these propositions matters, the others being as in `props`. If they
    /// are very many, it is taken to.
    pub fn depends_on(&self, unknown: Props, props: Props) -> bool {
        let (known, held) = (props & !unknown, self.holds_in(props));
        let mut some = unknown;
        loop {
            if self.holds_in(known | some) != held || unknown.count_ones() > 12 {
                return true;
            }
            if some == 0 {
                return false;
            }
            some = (some - 1) & unknown;
        }
    }

    /// The truth table over the first six propositions, bit `i` for the letter `i`; `None`
    /// when the label mentions another one.
    pub(crate) fn table(&self) -> Option<u64> {
        match self {
            Label::True => Some(u64::MAX),
            Label::False => Some(0),
            Label::Ap(ap) => COLUMNS.get(*ap as usize).copied(),
            Label::Not(inner) => inner.table().map(|table| !table),
            Label::And(parts) => {
                parts.iter().try_fold(u64::MAX, |all, part| Some(all & part.table()?))
            }
            Label::Or(parts) => parts.iter().try_fold(0, |any, part| Some(any | part.table()?)),
        }
    }

    /// The literal that the label is, if it is one.
    fn as_literal(&self) -> Option<(u32, bool)> {
        match self {
            Label::Ap(ap) => Some((*ap, true)),
            Label::Not(inner) => match **inner {
                Label::Ap(ap) => Some((ap, false)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The literals, sorted, when the label is a conjunction of some.
    fn as_literals(&self) -> Option<Vec<(u32, bool)>> {
        let mut literals = match self {
            Label::And(parts) => parts.iter().map(Label::as_literal).collect::<Option<Vec<_>>>()?,
            _ => vec![self.as_literal()?],
        };
        literals.sort_unstable();
        literals.dedup();
        Some(literals)
    }

    /// Satisfiability where no search is needed to see it.
    fn plainly_satisfiable(&self) -> Option<bool> {
        match self {
            Label::True => Some(true),
            Label::False => Some(false),
            Label::Or(parts) => {
                let mut all_known = true;
                for part in parts {
                    match part.plainly_satisfiable() {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => all_known = false,
                    }
                }
                all_known.then_some(false)
            }
            _ => {
                let literals = self.as_literals()?;
                Some(literals.windows(2).all(|pair| pair[0].0 != pair[1].0))
            }
        }
    }

    /// Whether some valuation of the propositions makes the label true. Labels over few
    /// propositions, conjunctions of literals and disjunctions of those are decided at once,
    /// others by a decision diagram.
    pub fn is_satisfiable(&self) -> bool {
        let plainly = self.table().map(|table| table != 0).or_else(|| self.plainly_satisfiable());
        plainly.unwrap_or_else(|| {
            coverage::is_satisfiable(self, MAX_NODES_AT_ALL)
                .expect("no reader or translation makes labels of this size")
        })
    }

    /// Whether questions about the label can be answered with at most `limit` nodes of a
    /// decision diagram.
    pub(crate) fn is_tractable(&self, limit: usize) -> bool {
        self.table().is_some()
            || self.as_literals().is_some()
            || coverage::is_satisfiable(self, limit).is_ok()
    }

    /// The largest proposition index in the label.
    pub fn max_ap(&self) -> Option<u32> {
        match self {
            Label::True | Label::False => None,
            Label::Ap(ap) => Some(*ap),
            Label::Not(inner) => inner.max_ap(),
            Label::And(parts) | Label::Or(parts) => parts.iter().filter_map(Label::max_ap).max(),
        }
    }

    /// The label as a disjunction of cubes, lists of propositions with whether they hold:
    /// prime, none of them superfluous.
    pub fn cubes(&self) -> Result<Vec<Cube>, GuardError> {
        if let Some(literals) = self.as_literals() {
            let contradictory = literals.windows(2).any(|pair| pair[0].0 == pair[1].0);
            return Ok(if contradictory { Vec::new() } else { vec![literals] });
        }
        coverage::cubes(self, MAX_NODES, MAX_CUBES).map_err(|_| GuardError::TooManyCubes)
    }

    /// The cubes as guards over the bits of [`Props`]. Propositions beyond bit 63 are an
    /// error when the label depends on them.
    pub fn to_guards(&self) -> Result<Vec<Guard>, GuardError> {
        let guard = |cube: &Cube| {
            cube.iter().try_fold(Guard::default(), |guard, &(ap, positive)| {
                if ap >= Props::BITS {
                    return Err(GuardError::TooManyPropositions(ap));
                }
                let bit = (1 as Props) << ap;
                Ok(match positive {
                    true => Guard { must: guard.must | bit, ..guard },
                    false => Guard { must_not: guard.must_not | bit, ..guard },
                })
            })
        };
        self.cubes()?.iter().map(guard).collect()
    }

    /// Writes the label with `ap` writing the propositions.
    pub fn write_with(
        &self,
        f: &mut dyn fmt::Write,
        ap: &dyn Fn(&mut dyn fmt::Write, u32) -> fmt::Result,
    ) -> fmt::Result {
        let operands = |f: &mut dyn fmt::Write, parts: &[Label], sign: &str| {
            for (i, part) in parts.iter().enumerate() {
                f.write_str(if i == 0 { "" } else { sign })?;
                let nested = match part {
                    Label::Or(_) => true,
                    Label::And(_) => sign == " & ",
                    _ => false,
                };
                f.write_str(if nested { "(" } else { "" })?;
                part.write_with(f, ap)?;
                f.write_str(if nested { ")" } else { "" })?;
            }
            Ok(())
        };
        match self {
            Label::True => f.write_str("t"),
            Label::False => f.write_str("f"),
            Label::Ap(index) => ap(f, *index),
            Label::Not(inner) => {
                let nested = matches!(**inner, Label::And(_) | Label::Or(_));
                f.write_str(if nested { "!(" } else { "!" })?;
                inner.write_with(f, ap)?;
                f.write_str(if nested { ")" } else { "" })
            }
            Label::And(parts) => operands(f, parts, " & "),
            Label::Or(parts) => operands(f, parts, " | "),
        }
    }
}

/// HOA's syntax: propositions by number.
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_with(f, &|f, ap| write!(f, "{ap}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    fn a(ap: u32) -> Label {
        Label::Ap(ap)
    }

    #[test]
    fn displays_in_hoa_syntax() {
        let label = Label::or([
            Label::and([a(0), a(1).negated(), Label::or([a(2), a(3)])]),
            Label::and([a(4), a(5)]).negated(),
            Label::True.negated(),
        ]);
        assert_eq!(label.to_string(), "0 & !1 & (2 | 3) | !(4 & 5)");
    }

    /// Random labels over a few propositions, compared with their truth tables.
    #[test]
    fn cubes_and_satisfiability_agree_with_truth_tables() {
        let mut rng = Rng::with_seed(7);
        for _ in 0..3000 {
            let label = random(&mut rng, 4);
            let table: Vec<bool> = (0..32).map(|props| label.holds_in(props)).collect();
            assert_eq!(label.is_satisfiable(), table.contains(&true), "{label}");
            let by_diagram = coverage::is_satisfiable(&label, 1000).unwrap();
            assert_eq!(by_diagram, table.contains(&true), "{label}");
            let plainly = label.plainly_satisfiable();
            assert!(plainly.is_none_or(|plainly| plainly == table.contains(&true)), "{label}");
            let bits = label.table().unwrap();
            assert!((0..32).all(|props| (bits >> props & 1 == 1) == table[props]), "{label}");
            let guards = label.to_guards().unwrap();
            let covers = |guards: &[Guard], props| guards.iter().any(|guard| guard.allows(props));
            for props in 0..32 {
                assert_eq!(covers(&guards, props), table[props as usize], "{label}");
            }
            for i in 0..guards.len() {
                let mut fewer = guards.clone();
                fewer.remove(i);
                assert!(
                    (0..32).any(|props| covers(&fewer, props) != table[props as usize]),
                    "{label}: cube {i} of {guards:?} is superfluous"
                );
            }
        }
    }

    fn random(rng: &mut Rng, depth: u32) -> Label {
        match rng.u32(..7) {
            _ if depth == 0 => a(rng.u32(..5)),
            0 => a(rng.u32(..5)),
            1 => Label::True,
            2 => random(rng, depth - 1).negated(),
            3 | 4 => Label::And(vec![random(rng, depth - 1), random(rng, depth - 1)]),
            _ => Label::Or(vec![random(rng, depth - 1), random(rng, depth - 1)]),
        }
    }

    #[test]
    fn guards_need_64_propositions_at_most() {
        assert_eq!(a(63).to_guards().unwrap(), [Guard { must: 1 << 63, must_not: 0 }]);
        assert_eq!(a(64).to_guards(), Err(GuardError::TooManyPropositions(64)));
        assert_eq!(Label::True.to_guards().unwrap(), [Guard::default()]);
        assert!(Label::False.to_guards().unwrap().is_empty());
    }

    #[test]
    fn exponential_cubes_are_refused() {
        // Parity of 18 propositions: 2^17 cubes, none can be joined.
        let parity = (1..18).fold(a(0), |parity, ap| {
            Label::Or(vec![
                Label::And(vec![parity.clone(), a(ap).negated()]),
                Label::And(vec![parity.negated(), a(ap)]),
            ])
        });
        assert!(parity.is_satisfiable());
        assert_eq!(parity.to_guards(), Err(GuardError::TooManyCubes));
    }
}

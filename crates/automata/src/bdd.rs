//! A small store of reduced ordered binary decision diagrams (Bryant 1986), for questions
//! about labels: satisfiable, disjoint, covering, and as a short list of cubes.
//!
//! Variables are proposition indices in their natural order. Operations recurse at most
//! once per variable, so the depth is bounded by the number of propositions.

use crate::Label;
use rustc_hash::FxHashMap;

/// A function: two are equal exactly when their references are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ref(u32);

impl Ref {
    pub const FALSE: Ref = Ref(0);
    pub const TRUE: Ref = Ref(1);
}

/// The diagrams would need more nodes, or more steps to make them, than the limit allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooComplex;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    ap: u32,
    low: Ref,
    high: Ref,
}

/// A conjunction of literals, by proposition index.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cube {
    pub must: Vec<u32>,
    pub must_not: Vec<u32>,
}

/// How many steps operations may take for each node of the limit.
const STEPS_PER_NODE: usize = 8;

/// Propositions and whether they hold.
type Literals = Vec<(u32, bool)>;

#[derive(Debug)]
pub struct Bdd {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Ref>,
    conjunctions: FxHashMap<(Ref, Ref), Ref>,
    negations: FxHashMap<Ref, Ref>,
    limit: usize,
    steps_left: usize,
}

impl Bdd {
    /// Without a limit: operations never fail.
    pub fn new() -> Self {
        Bdd::with_limit(u32::MAX as usize)
    }

    /// Operations fail rather than make more than `limit` nodes, or than take more than
    /// some steps for each of those.
    pub fn with_limit(limit: usize) -> Self {
        // The constants sort after every variable.
        let constant = Node { ap: u32::MAX, low: Ref::FALSE, high: Ref::TRUE };
        Bdd {
            nodes: vec![constant; 2],
            unique: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
            negations: FxHashMap::default(),
            limit,
            steps_left: limit.saturating_mul(STEPS_PER_NODE),
        }
    }

    /// Pays for a result that was not known: each takes a place in a table.
    fn spend(&mut self) -> Result<(), TooComplex> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(TooComplex)?;
        Ok(())
    }

    fn ap(&self, f: Ref) -> u32 {
        self.nodes[f.0 as usize].ap
    }

    /// Both cofactors of `f` by `ap`, which is not below its top variable.
    fn split(&self, f: Ref, ap: u32) -> (Ref, Ref) {
        let node = self.nodes[f.0 as usize];
        if node.ap == ap { (node.low, node.high) } else { (f, f) }
    }

    fn node(&mut self, ap: u32, low: Ref, high: Ref) -> Result<Ref, TooComplex> {
        if low == high {
            return Ok(low);
        }
        let node = Node { ap, low, high };
        if let Some(&known) = self.unique.get(&node) {
            return Ok(known);
        }
        if self.nodes.len() >= self.limit {
            return Err(TooComplex);
        }
        let new = Ref(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, new);
        Ok(new)
    }

    pub fn not(&mut self, f: Ref) -> Result<Ref, TooComplex> {
        match f {
            Ref::FALSE => return Ok(Ref::TRUE),
            Ref::TRUE => return Ok(Ref::FALSE),
            _ => {}
        }
        if let Some(&known) = self.negations.get(&f) {
            return Ok(known);
        }
        self.spend()?;
        let node = self.nodes[f.0 as usize];
        let low = self.not(node.low)?;
        let high = self.not(node.high)?;
        let result = self.node(node.ap, low, high)?;
        self.negations.insert(f, result);
        Ok(result)
    }

    pub fn and(&mut self, f: Ref, g: Ref) -> Result<Ref, TooComplex> {
        if f == Ref::FALSE || g == Ref::FALSE {
            return Ok(Ref::FALSE);
        }
        if f == Ref::TRUE || f == g {
            return Ok(g);
        }
        if g == Ref::TRUE {
            return Ok(f);
        }
        let key = (f.min(g), f.max(g));
        if let Some(&known) = self.conjunctions.get(&key) {
            return Ok(known);
        }
        self.spend()?;
        let ap = self.ap(f).min(self.ap(g));
        let ((f0, f1), (g0, g1)) = (self.split(f, ap), self.split(g, ap));
        let low = self.and(f0, g0)?;
        let high = self.and(f1, g1)?;
        let result = self.node(ap, low, high)?;
        self.conjunctions.insert(key, result);
        Ok(result)
    }

    pub fn or(&mut self, f: Ref, g: Ref) -> Result<Ref, TooComplex> {
        let (f, g) = (self.not(f)?, self.not(g)?);
        let neither = self.and(f, g)?;
        self.not(neither)
    }

    /// The function of a label.
    pub fn of(&mut self, label: &Label) -> Result<Ref, TooComplex> {
        match label {
            Label::True => Ok(Ref::TRUE),
            Label::False => Ok(Ref::FALSE),
            Label::Ap(ap) => self.node(*ap, Ref::FALSE, Ref::TRUE),
            Label::Not(inner) => {
                let inner = self.of(inner)?;
                self.not(inner)
            }
            // From the last to the first: with ascending literals each step adds one node.
            Label::And(parts) => parts.iter().rev().try_fold(Ref::TRUE, |all, part| {
                let part = self.of(part)?;
                self.and(part, all)
            }),
            Label::Or(parts) => parts.iter().rev().try_fold(Ref::FALSE, |any, part| {
                let part = self.of(part)?;
                self.or(part, any)
            }),
        }
    }

    /// An irredundant disjunction of prime cubes for `f` (Minato 1992, Morreale 1970); fails
    /// when there would be more than `limit` of them.
    pub fn cubes(&mut self, f: Ref, limit: usize) -> Result<Vec<Cube>, TooComplex> {
        let (_, literals) = self.cover(f, f, limit)?;
        Ok(literals
            .into_iter()
            .map(|mut literals| {
                literals.sort_unstable();
                let with = |sign| {
                    literals
                        .iter()
                        .filter(move |literal| literal.1 == sign)
                        .map(|literal| literal.0)
                };
                Cube { must: with(true).collect(), must_not: with(false).collect() }
            })
            .collect())
    }

    /// A cover that includes `lower` and stays within `upper`, and its function.
    fn cover(
        &mut self,
        lower: Ref,
        upper: Ref,
        limit: usize,
    ) -> Result<(Ref, Vec<Literals>), TooComplex> {
        if lower == Ref::FALSE {
            return Ok((Ref::FALSE, Vec::new()));
        }
        if upper == Ref::TRUE {
            return Ok((Ref::TRUE, vec![Vec::new()]));
        }
        let ap = self.ap(lower).min(self.ap(upper));
        let (lower0, lower1) = self.split(lower, ap);
        let (upper0, upper1) = self.split(upper, ap);
        // What only a cube with the literal can cover.
        let outside1 = self.not(upper1)?;
        let only0 = self.and(lower0, outside1)?;
        let (f0, mut cubes) = self.cover(only0, upper0, limit)?;
        let outside0 = self.not(upper0)?;
        let only1 = self.and(lower1, outside0)?;
        let (f1, cubes1) = self.cover(only1, upper1, limit)?;
        // The rest needs no literal of `ap`.
        let (not_f0, not_f1) = (self.not(f0)?, self.not(f1)?);
        let rest0 = self.and(lower0, not_f0)?;
        let rest1 = self.and(lower1, not_f1)?;
        let rest = self.or(rest0, rest1)?;
        let both = self.and(upper0, upper1)?;
        let (f_rest, cubes_rest) = self.cover(rest, both, limit)?;

        cubes.iter_mut().for_each(|cube| cube.push((ap, false)));
        cubes.extend(cubes1.into_iter().map(|mut cube| {
            cube.push((ap, true));
            cube
        }));
        cubes.extend(cubes_rest);
        if cubes.len() > limit {
            return Err(TooComplex);
        }
        let (low, high) = (self.or(f0, f_rest)?, self.or(f1, f_rest)?);
        Ok((self.node(ap, low, high)?, cubes))
    }
}

/// What the labels of one state's edges do together; `None` where more than `limit` nodes
/// would be needed to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// No letter satisfies two of them.
    pub disjoint: Option<bool>,
    /// Every letter satisfies one of them.
    pub total: Option<bool>,
}

/// How the labels divide the letters among them.
pub fn coverage<'l>(labels: impl Iterator<Item = &'l Label> + Clone, limit: usize) -> Coverage {
    let mut tables = labels.clone().map(Label::table);
    let joined = tables.try_fold((true, 0), |(disjoint, covered), table| {
        Some((disjoint && covered & table? == 0, covered | table?))
    });
    match joined {
        Some((disjoint, covered)) => {
            Coverage { disjoint: Some(disjoint), total: Some(covered == u64::MAX) }
        }
        None => coverage_by_diagrams(labels, limit),
    }
}

fn coverage_by_diagrams<'l>(labels: impl Iterator<Item = &'l Label>, limit: usize) -> Coverage {
    let mut bdd = Bdd::with_limit(limit);
    let (mut covered, mut disjoint) = (Ok(Ref::FALSE), Some(true));
    for label in labels {
        let step = covered.and_then(|covered| {
            let label = bdd.of(label)?;
            Ok((bdd.and(covered, label)?, bdd.or(covered, label)?))
        });
        match step {
            Ok((Ref::FALSE, union)) => covered = Ok(union),
            Ok((_, union)) => (disjoint, covered) = (Some(false), Ok(union)),
            Err(TooComplex) => {
                disjoint = disjoint.filter(|disjoint| !disjoint);
                covered = Err(TooComplex);
                break;
            }
        }
    }
    Coverage { disjoint, total: covered.ok().map(|covered| covered == Ref::TRUE) }
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

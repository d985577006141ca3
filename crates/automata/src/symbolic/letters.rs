//! Functions from letters to numbers, as decision diagrams with many leaves (R. Bahar et al.,
//! "Algebraic decision diagrams and their applications", ICCAD 1993). A subset construction
//! asks under which letters one gets to which set of states: with a plain diagram for each
//! set that takes one operation for each pair of sets.

use super::bdd::{Bdd, Func, Var};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A function from letters to numbers: an index into its [`Letters`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Map(u32);

/// An inner node, or a leaf: then `var` is `LEAF` and `low` the number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    var: Var,
    low: u32,
    high: u32,
}

const LEAF: Var = Var::MAX;

/// All nodes. Equal functions are equal indices.
#[derive(Default)]
pub(crate) struct Letters {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Map>,
}

/// The results so far of one operation on two functions.
pub(crate) type Pairs = FxHashMap<(Map, Map), Map>;

impl Letters {
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn add(&mut self, node: Node) -> Map {
        let nodes = &mut self.nodes;
        *self.unique.entry(node).or_insert_with(|| {
            nodes.push(node);
            Map(nodes.len() as u32 - 1)
        })
    }

    /// The same number for all letters.
    pub(crate) fn constant(&mut self, number: u32) -> Map {
        self.add(Node { var: LEAF, low: number, high: 0 })
    }

    fn inner(&mut self, var: Var, low: Map, high: Map) -> Map {
        if low == high { low } else { self.add(Node { var, low: low.0, high: high.0 }) }
    }

    fn node(&self, map: Map) -> Node {
        self.nodes[map.0 as usize]
    }

    /// One number for the letters of `label`, another for the others.
    pub(crate) fn choice(&mut self, bdd: &Bdd, label: Func, inside: Map, outside: Map) -> Map {
        let mut done = FxHashMap::default();
        done.insert(Func::TRUE, inside);
        done.insert(Func::FALSE, outside);
        self.choice_in(bdd, label, &mut done)
    }

    fn choice_in(&mut self, bdd: &Bdd, label: Func, done: &mut FxHashMap<Func, Map>) -> Map {
        if let Some(&known) = done.get(&label) {
            return known;
        }
        let (low, high) = bdd.branches(label);
        let var = bdd.level(label);
        let low = self.choice_in(bdd, low, done);
        let high = self.choice_in(bdd, high, done);
        let result = self.inner(var, low, high);
        done.insert(label, result);
        result
    }

    /// `combine` of the numbers, letter by letter. It must be commutative; `done` belongs to
    /// it.
    pub(crate) fn combine(
        &mut self,
        a: Map,
        b: Map,
        combine: &mut impl FnMut(u32, u32) -> u32,
        done: &mut Pairs,
    ) -> Map {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if let Some(&known) = done.get(&(a, b)) {
            return known;
        }
        let (x, y) = (self.node(a), self.node(b));
        let result = if x.var == LEAF && y.var == LEAF {
            let number = combine(x.low, y.low);
            self.constant(number)
        } else {
            let var = x.var.min(y.var);
            let branches = |node: Node, own: Map| match node.var == var {
                true => (Map(node.low), Map(node.high)),
                false => (own, own),
            };
            let ((a0, a1), (b0, b1)) = (branches(x, a), branches(y, b));
            let low = self.combine(a0, b0, combine, done);
            let high = self.combine(a1, b1, combine, done);
            self.inner(var, low, high)
        };
        done.insert((a, b), result);
        result
    }

    /// The function with each number replaced by another, among the nodes of `into`; `done`
    /// belongs to `rename`.
    pub(crate) fn rename(
        &self,
        map: Map,
        rename: &impl Fn(u32) -> u32,
        into: &mut Letters,
        done: &mut FxHashMap<Map, Map>,
    ) -> Map {
        if let Some(&known) = done.get(&map) {
            return known;
        }
        let node = self.node(map);
        let result = match node.var {
            LEAF => into.constant(rename(node.low)),
            var => {
                let low = self.rename(Map(node.low), rename, into, done);
                let high = self.rename(Map(node.high), rename, into, done);
                into.inner(var, low, high)
            }
        };
        done.insert(map, result);
        result
    }

    /// The numbers that occur, smallest first, each with its letters.
    pub(crate) fn parts(&self, map: Map, bdd: &mut Bdd, done: &mut Parts) -> Rc<Vec<(u32, Func)>> {
        if let Some(known) = done.get(&map) {
            return known.clone();
        }
        let node = self.node(map);
        let result = Rc::new(match node.var {
            LEAF => vec![(node.low, Func::TRUE)],
            var => {
                let low = self.parts(Map(node.low), bdd, done);
                let high = self.parts(Map(node.high), bdd, done);
                merged(&low, &high, |low, high| bdd.make(var, low, high))
            }
        });
        done.insert(map, result.clone());
        result
    }
}

/// The answers of [`Letters::parts`] so far.
pub(crate) type Parts = FxHashMap<Map, Rc<Vec<(u32, Func)>>>;

/// Joins two sorted lists; where a number is in one of them only, the other has false.
fn merged(
    a: &[(u32, Func)],
    b: &[(u32, Func)],
    mut join: impl FnMut(Func, Func) -> Func,
) -> Vec<(u32, Func)> {
    let mut out = Vec::with_capacity(a.len().max(b.len()));
    let (mut i, mut j) = (0, 0);
    loop {
        let (left, right) = (a.get(i), b.get(j));
        let number = match (left, right) {
            (None, None) => return out,
            (Some(left), Some(right)) => left.0.min(right.0),
            (Some(one), None) | (None, Some(one)) => one.0,
        };
        let take = |list: &[(u32, Func)], at: &mut usize| match list.get(*at) {
            Some(&(own, func)) if own == number => {
                *at += 1;
                func
            }
            _ => Func::FALSE,
        };
        let (low, high) = (take(a, &mut i), take(b, &mut j));
        out.push((number, join(low, high)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_by_number() {
        let mut bdd = Bdd::with_limit(1 << 24);
        let (x, y) = (bdd.var(0), bdd.var(1));
        let mut letters = Letters::default();
        let [zero, one, two] = [0, 1, 2].map(|number| letters.constant(number));
        let a = letters.choice(&bdd, x, one, zero);
        let b = letters.choice(&bdd, y, two, zero);
        let mut done = Pairs::default();
        let sum = letters.combine(a, b, &mut |a, b| a + b, &mut done);
        assert_eq!(sum, letters.combine(b, a, &mut |a, b| a + b, &mut done));
        let parts = letters.parts(sum, &mut bdd, &mut Parts::default());
        let (only_x, only_y) = (bdd.minus(x, y), bdd.minus(y, x));
        let (both, either) = (bdd.and(x, y), bdd.or(x, y));
        let neither = bdd.not(either);
        assert_eq!(*parts, [(0, neither), (1, only_x), (2, only_y), (3, both)]);
        let mut parities = Letters::default();
        let odd = letters.rename(sum, &|n| n % 2, &mut parities, &mut FxHashMap::default());
        let not_x = bdd.not(x);
        assert_eq!(*parities.parts(odd, &mut bdd, &mut Parts::default()), [(0, not_x), (1, x)]);
    }
}

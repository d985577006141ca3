//! Irredundant sums of products: S. Minato, "Fast generation of irredundant sum-of-products
//! forms from binary decision diagrams", SASIMI 1992.

use super::bdd::{Bdd, Func, LEAF, Var};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A product: variables with their signs, smallest variable first.
pub type Cube = Vec<(Var, bool)>;

/// A cover, and the function that it covers.
#[derive(Clone)]
struct Cover {
    cubes: Rc<Vec<Cube>>,
    func: Func,
}

/// The covers so far.
struct Known {
    covers: FxHashMap<(Func, Func), Cover>,
    limit: usize,
    /// Whether some cover had more products than the limit.
    exceeded: bool,
}

impl Bdd {
    /// An irredundant set of prime products whose sum is `f`.
    pub fn cover(&mut self, f: Func) -> Vec<Cube> {
        self.cover_between(f, f)
    }

    /// An irredundant set of products whose sum lies between `lower` and `upper`.
    pub fn cover_between(&mut self, lower: Func, upper: Func) -> Vec<Cube> {
        self.cover_within(lower, upper, usize::MAX).expect("no limit on the products")
    }

    /// [`Bdd::cover_between`], or `None` when a part of it needs more than `limit` products.
    pub fn cover_within(&mut self, lower: Func, upper: Func, limit: usize) -> Option<Vec<Cube>> {
        let mut known = Known { covers: FxHashMap::default(), limit, exceeded: false };
        let cover = self.cover_in(lower, upper, &mut known);
        if known.exceeded {
            return None;
        }
        // Built from the bottom upwards, so the topmost variable is last.
        Some(cover.cubes.iter().map(|cube| cube.iter().rev().copied().collect()).collect())
    }

    fn cover_in(&mut self, lower: Func, upper: Func, known: &mut Known) -> Cover {
        if lower.is_false() || self.exhausted() || known.exceeded {
            return Cover { cubes: Rc::new(Vec::new()), func: Func::FALSE };
        }
        if upper.is_true() {
            return Cover { cubes: Rc::new(vec![Vec::new()]), func: Func::TRUE };
        }
        if let Some(cover) = known.covers.get(&(lower, upper)) {
            return cover.clone();
        }
        let var = self.level(lower).min(self.level(upper));
        debug_assert!(var != LEAF);
        let (l0, l1) = self.cofactors(lower, var);
        let (u0, u1) = self.cofactors(upper, var);
        // What only products with ¬var, and with var, can cover.
        let only0 = self.minus(l0, u1);
        let only1 = self.minus(l1, u0);
        let negative = self.cover_in(only0, u0, known);
        let positive = self.cover_in(only1, u1, known);
        let rest0 = self.minus(l0, negative.func);
        let rest1 = self.minus(l1, positive.func);
        let rest = self.or(rest0, rest1);
        let upper_rest = self.and(u0, u1);
        let neither = self.cover_in(rest, upper_rest, known);

        let mut cubes = Vec::new();
        for (cover, sign) in [(&negative, false), (&positive, true)] {
            for cube in cover.cubes.iter() {
                let mut cube = cube.clone();
                cube.push((var, sign));
                cubes.push(cube);
            }
        }
        cubes.extend(neither.cubes.iter().cloned());
        known.exceeded |= cubes.len() > known.limit;
        let low = self.or(negative.func, neither.func);
        let high = self.or(positive.func, neither.func);
        let func = self.make(var, low, high);
        let cover = Cover { cubes: Rc::new(cubes), func };
        known.covers.insert((lower, upper), cover.clone());
        cover
    }
}

//! Binary decision diagrams (Bryant 1986), small and quick to set up: a formula of a few
//! operators is translated in some tens of microseconds, so a manager must cost nothing to
//! make and nothing to drop. There is no garbage collection; a manager lives as long as one
//! translation. Variables are ordered by their number.
//!
//! When a limit is passed, operations give arbitrary (but valid) nodes and
//! [`Bdd::exhausted`] becomes true: callers look at it at each round of their loops.

use super::table::{OpCache, UniqueTable};
use lariat_core::{Limit, Poll};

/// A Boolean function: an index into its [`Bdd`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Func(pub(super) u32);

impl Func {
    /// True nowhere.
    pub const FALSE: Func = Func(0);
    /// True everywhere.
    pub const TRUE: Func = Func(1);

    /// Whether it is true nowhere.
    pub fn is_false(self) -> bool {
        self == Func::FALSE
    }

    /// Whether it is true everywhere.
    pub fn is_true(self) -> bool {
        self == Func::TRUE
    }
}

/// A variable; smaller numbers are tested first.
pub type Var = u32;

/// The variable number of the two constants: below every real one.
pub(super) const LEAF: Var = Var::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Inner {
    pub(super) var: Var,
    pub(super) low: Func,
    pub(super) high: Func,
}

/// The manager: all nodes.
#[derive(Clone)]
pub struct Bdd {
    nodes: Vec<Inner>,
    unique: UniqueTable,
    cache: OpCache,
    node_limit: usize,
    steps_left: u64,
    exhausted: bool,
    /// Looks whether the work must end, if that was asked for.
    poll: Option<Poll>,
    stopped: Option<Limit>,
}

/// Operations between two looks at the clock.
const LOOK_EVERY: u32 = 1 << 14;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Op {
    And = 1,
    Or = 2,
    Xor = 3,
    /// a ∧ ¬b
    Minus = 4,
    /// Whether a ∧ ¬b is not false; the result is TRUE or FALSE.
    Escapes = 5,
}

impl Bdd {
    /// A manager that stops growing at `node_limit` nodes.
    pub fn with_limit(node_limit: usize) -> Self {
        Bdd::with_limits(node_limit, u64::MAX)
    }

    /// A manager that also stops after `steps` steps of operations.
    pub fn with_limits(node_limit: usize, steps: u64) -> Self {
        let leaf = |own: u32| Inner { var: LEAF, low: Func(own), high: Func(own) };
        Bdd {
            nodes: vec![leaf(0), leaf(1)],
            unique: UniqueTable::new(),
            cache: OpCache::new(),
            node_limit,
            steps_left: steps,
            exhausted: false,
            poll: None,
            stopped: None,
        }
    }

    /// A manager that also stops when the work at hand must end ([`lariat_core::stop`]).
    pub fn interruptible(self) -> Self {
        Bdd { poll: Some(Poll::every(LOOK_EVERY)), ..self }
    }

    /// Why the work must end; then the manager is [`Bdd::exhausted`], too.
    pub fn stopped(&self) -> Option<Limit> {
        self.stopped
    }

    /// Whether a limit was hit: then no result since can be trusted.
    pub fn exhausted(&self) -> bool {
        self.exhausted
    }

    /// The topmost variable, none for a constant.
    pub fn top(&self, f: Func) -> Option<Var> {
        Some(self.nodes[f.0 as usize].var).filter(|&var| var != LEAF)
    }

    /// The function where the topmost variable is false, and where it is true.
    pub fn branches(&self, f: Func) -> (Func, Func) {
        let node = self.nodes[f.0 as usize];
        (node.low, node.high)
    }

    pub(super) fn level(&self, f: Func) -> Var {
        self.nodes[f.0 as usize].var
    }

    pub(super) fn cofactors(&self, f: Func, var: Var) -> (Func, Func) {
        let node = self.nodes[f.0 as usize];
        if node.var == var { (node.low, node.high) } else { (f, f) }
    }

    pub(super) fn make(&mut self, var: Var, low: Func, high: Func) -> Func {
        if low == high {
            return low;
        }
        if self.nodes.len() >= self.node_limit {
            self.exhausted = true;
            return low;
        }
        let node = Inner { var, low, high };
        Func(self.unique.find_or_insert(&mut self.nodes, node))
    }

    /// The function that is this variable.
    pub fn var(&mut self, var: Var) -> Func {
        debug_assert!(var < LEAF);
        self.make(var, Func::FALSE, Func::TRUE)
    }

    /// The variable, or its negation.
    pub fn literal(&mut self, var: Var, positive: bool) -> Func {
        match positive {
            true => self.make(var, Func::FALSE, Func::TRUE),
            false => self.make(var, Func::TRUE, Func::FALSE),
        }
    }

    /// a ∧ b
    pub fn and(&mut self, a: Func, b: Func) -> Func {
        self.apply(Op::And, a, b)
    }

    /// a ∨ b
    pub fn or(&mut self, a: Func, b: Func) -> Func {
        self.apply(Op::Or, a, b)
    }

    /// ¬a
    pub fn not(&mut self, a: Func) -> Func {
        self.apply(Op::Xor, a, Func::TRUE)
    }

    /// a ∧ ¬b
    pub fn minus(&mut self, a: Func, b: Func) -> Func {
        self.apply(Op::Minus, a, b)
    }

    /// Whether b is true wherever a is.
    pub fn implies(&mut self, a: Func, b: Func) -> bool {
        self.apply(Op::Escapes, a, b).is_false()
    }

    /// Whether a ∧ b is satisfiable.
    pub fn meets(&mut self, a: Func, b: Func) -> bool {
        !self.apply(Op::And, a, b).is_false()
    }

    fn apply(&mut self, op: Op, a: Func, b: Func) -> Func {
        const F: Func = Func::FALSE;
        const T: Func = Func::TRUE;
        match (op, a, b) {
            (Op::And, F, _) | (Op::And, _, F) | (Op::Minus | Op::Escapes, F, _) => return F,
            (Op::Minus | Op::Escapes, _, T) => return F,
            (Op::And, T, x) | (Op::And, x, T) | (Op::Or | Op::Xor, F, x) => return x,
            (Op::Or | Op::Xor, x, F) | (Op::Minus, x, F) => return x,
            (Op::Or, T, _) | (Op::Or, _, T) | (Op::Escapes, _, F) => return T,
            (Op::And | Op::Or, x, y) if x == y => return x,
            (_, x, y) if x == y => return F,
            _ => {}
        }
        // Symmetric operations are remembered in one order.
        let (a, b) = match op {
            Op::And | Op::Or | Op::Xor if b < a => (b, a),
            _ => (a, b),
        };
        if let Some(poll) = &mut self.poll
            && let Some(why) = poll.step()
        {
            self.stopped = Some(why);
            self.exhausted = true;
        }
        if let Some(known) = self.cache.get(op as u32, a.0, b.0) {
            return Func(known);
        }
        if self.steps_left == 0 || self.exhausted {
            self.exhausted = true;
            return F;
        }
        self.steps_left -= 1;
        let var = self.level(a).min(self.level(b));
        let (a0, a1) = self.cofactors(a, var);
        let (b0, b1) = self.cofactors(b, var);
        let low = self.apply(op, a0, b0);
        let result = if op == Op::Escapes {
            if low.is_true() { low } else { self.apply(op, a1, b1) }
        } else {
            let high = self.apply(op, a1, b1);
            self.make(var, low, high)
        };
        self.cache.put(op as u32, a.0, b.0, result.0, self.nodes.len());
        result
    }

    /// The truth under a valuation.
    pub fn eval(&self, mut f: Func, holds: &impl Fn(Var) -> bool) -> bool {
        while let Some(var) = self.top(f) {
            let (low, high) = self.branches(f);
            f = if holds(var) { high } else { low };
        }
        f.is_true()
    }

    /// Splits `f` at the variables below `bound`: the different functions that are left when
    /// those variables have values, each with the set of values that leave it. False is left
    /// out. The sets are disjoint; the order depends on `f` only.
    pub fn split(&mut self, f: Func, bound: Var) -> Vec<(Func, Func)> {
        let mut order = Vec::new();
        let mut known = rustc_hash::FxHashMap::default();
        self.split_in(f, bound, &mut known);
        if let Some(parts) = known.get(&f) {
            order.clone_from(parts);
        }
        order
    }

    fn split_in(
        &mut self,
        f: Func,
        bound: Var,
        known: &mut rustc_hash::FxHashMap<Func, Vec<(Func, Func)>>,
    ) {
        if known.contains_key(&f) {
            return;
        }
        let var = self.level(f);
        let parts = if f.is_false() {
            Vec::new()
        } else if var >= bound {
            vec![(f, Func::TRUE)]
        } else {
            let (low, high) = self.branches(f);
            self.split_in(low, bound, known);
            self.split_in(high, bound, known);
            // What is left, and the values below `var` that leave it if `var` is false, true.
            let mut found: Vec<(Func, Func, Func)> = Vec::new();
            let mut place: rustc_hash::FxHashMap<Func, usize> = rustc_hash::FxHashMap::default();
            for &(rest, label) in &known[&low] {
                place.insert(rest, found.len());
                found.push((rest, label, Func::FALSE));
            }
            for &(rest, label) in &known[&high] {
                match place.get(&rest) {
                    Some(&i) => found[i].2 = label,
                    None => found.push((rest, Func::FALSE, label)),
                }
            }
            let join = |(rest, low, high)| (rest, self.make(var, low, high));
            let parts: Vec<(Func, Func)> = found.into_iter().map(join).collect();
            parts
        };
        known.insert(f, parts);
    }

    /// One satisfying valuation as the values of the variables on a path; none for false.
    pub fn pick(&self, mut f: Func) -> Option<Vec<(Var, bool)>> {
        if f.is_false() {
            return None;
        }
        let mut path = Vec::new();
        while let Some(var) = self.top(f) {
            let (low, high) = self.branches(f);
            let positive = low.is_false();
            path.push((var, positive));
            f = if positive { high } else { low };
        }
        Some(path)
    }
}

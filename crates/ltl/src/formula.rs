//! Formulas as nodes of an arena, each node stored once (hash-consing): equal formulas have
//! equal ids, so that comparing is free and every later step can remember its results by id.
//!
//! The constructors apply the identities that no reader would miss (`a & true`, `F F a`,
//! `a U a`, double negation); everything deeper is in [`crate::simplify`].

use crate::classes::Classes;
use rustc_hash::FxHashMap;

/// A formula: an index into its [`Formulas`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ltl(pub(crate) u32);

impl Ltl {
    /// No word satisfies it.
    pub const FALSE: Ltl = Ltl(0);
    /// Every word satisfies it.
    pub const TRUE: Ltl = Ltl(1);
}

/// The binary operators whose operands are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Binary {
    /// `a -> b`
    Implies,
    /// `a <-> b`
    Equiv,
    /// One of both holds, not the other.
    Xor,
    /// `a U b`: b comes, and a holds until then.
    Until,
    /// `a R b`: b holds up to and including the first a, for ever if a never comes.
    Release,
    /// `a W b`: as `a U b`, but b need not come if a holds for ever.
    WeakUntil,
    /// `a M b`: as `a R b`, and a comes.
    StrongRelease,
}

/// One node. `And` and `Or` have at least two operands, sorted, none of them of the same kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// No word.
    False,
    /// Every word.
    True,
    /// The proposition of this number holds in the first letter.
    Ap(u32),
    /// `!a`
    Not(Ltl),
    /// `X a`: it holds from the second letter on.
    Next(Ltl),
    /// `F a`: it holds from some letter on.
    Finally(Ltl),
    /// `G a`: it holds from each letter on.
    Globally(Ltl),
    /// All of them.
    And(Box<[Ltl]>),
    /// At least one of them.
    Or(Box<[Ltl]>),
    /// One of the others, with its operands.
    Binary(Binary, Ltl, Ltl),
}

/// The arena: all formulas and the names of the propositions.
#[derive(Clone)]
pub struct Formulas {
    nodes: Vec<Node>,
    classes: Vec<Classes>,
    depths: Vec<u32>,
    ids: FxHashMap<Node, Ltl>,
    aps: Vec<String>,
    ap_ids: FxHashMap<String, u32>,
}

impl Formulas {
    /// An arena with the two constants.
    ///
    /// ```
    /// use lariat_ltl::Formulas;
    ///
    /// let mut all = Formulas::new();
    /// let (p, q) = (all.ap("p"), all.ap("q"));
    /// let (later, not_later) = (all.finally(p), all.finally(p));
    /// assert_eq!(later, not_later, "equal formulas are one");
    /// let response = all.or2(q, later);
    /// assert!(all.classes(response).guarantee());
    /// ```
    pub fn new() -> Self {
        let mut all = Formulas {
            nodes: Vec::new(),
            classes: Vec::new(),
            depths: Vec::new(),
            ids: FxHashMap::default(),
            aps: Vec::new(),
            ap_ids: FxHashMap::default(),
        };
        all.intern(Node::False);
        all.intern(Node::True);
        all
    }

    /// The outer operator of a formula, and its operands.
    pub fn node(&self, f: Ltl) -> &Node {
        &self.nodes[f.0 as usize]
    }

    /// What can be said of the formula from its shape.
    pub fn classes(&self, f: Ltl) -> Classes {
        self.classes[f.0 as usize]
    }

    /// How deep the formula is nested; 0 for a proposition or a constant.
    pub fn depth(&self, f: Ltl) -> u32 {
        self.depths[f.0 as usize]
    }

    /// The names of the propositions, by number.
    pub fn ap_names(&self) -> &[String] {
        &self.aps
    }

    fn intern(&mut self, node: Node) -> Ltl {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = Ltl(self.nodes.len() as u32);
        self.classes.push(Classes::of(&node, |child: Ltl| self.classes[child.0 as usize]));
        let below = children(&node).iter().map(|&child| self.depth(child) + 1).max();
        self.depths.push(below.unwrap_or(0));
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// The proposition of this name, a new one if there is none.
    pub fn ap(&mut self, name: &str) -> Ltl {
        let index = match self.ap_ids.get(name) {
            Some(&index) => index,
            None => {
                let index = self.aps.len() as u32;
                self.aps.push(name.to_owned());
                self.ap_ids.insert(name.to_owned(), index);
                index
            }
        };
        self.intern(Node::Ap(index))
    }

    /// [`Ltl::TRUE`] or [`Ltl::FALSE`].
    pub fn constant(value: bool) -> Ltl {
        if value { Ltl::TRUE } else { Ltl::FALSE }
    }

    /// `!f`
    pub fn not(&mut self, f: Ltl) -> Ltl {
        match *self.node(f) {
            Node::False => Ltl::TRUE,
            Node::True => Ltl::FALSE,
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(f)),
        }
    }

    /// `X f`
    pub fn next(&mut self, f: Ltl) -> Ltl {
        match f {
            Ltl::FALSE | Ltl::TRUE => f,
            _ => self.intern(Node::Next(f)),
        }
    }

    /// `F f`
    pub fn finally(&mut self, f: Ltl) -> Ltl {
        match self.node(f) {
            Node::False | Node::True | Node::Finally(_) => f,
            _ => self.intern(Node::Finally(f)),
        }
    }

    /// `G f`
    pub fn globally(&mut self, f: Ltl) -> Ltl {
        match self.node(f) {
            Node::False | Node::True | Node::Globally(_) => f,
            _ => self.intern(Node::Globally(f)),
        }
    }

    /// All of the parts; true without any.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Ltl>) -> Ltl {
        self.junction(parts.into_iter().collect(), true)
    }

    /// At least one of the parts; false without any.
    pub fn or(&mut self, parts: impl IntoIterator<Item = Ltl>) -> Ltl {
        self.junction(parts.into_iter().collect(), false)
    }

    /// `a & b`
    pub fn and2(&mut self, a: Ltl, b: Ltl) -> Ltl {
        self.junction(vec![a, b], true)
    }

    /// `a | b`
    pub fn or2(&mut self, a: Ltl, b: Ltl) -> Ltl {
        self.junction(vec![a, b], false)
    }

    /// And (or Or): flattened, sorted, each operand once; `a & !a` is false.
    fn junction(&mut self, parts: Vec<Ltl>, conjunction: bool) -> Ltl {
        let (neutral, absorbing) = match conjunction {
            true => (Ltl::TRUE, Ltl::FALSE),
            false => (Ltl::FALSE, Ltl::TRUE),
        };
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match (self.node(part), conjunction) {
                (Node::And(inner), true) | (Node::Or(inner), false) => {
                    flat.extend_from_slice(inner);
                }
                _ if part == neutral => {}
                _ if part == absorbing => return absorbing,
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        for &part in &flat {
            if let Node::Not(inner) = self.node(part)
                && flat.binary_search(inner).is_ok()
            {
                return absorbing;
            }
        }
        match (flat.len(), conjunction) {
            (0, _) => neutral,
            (1, _) => flat[0],
            (_, true) => self.intern(Node::And(flat.into())),
            (_, false) => self.intern(Node::Or(flat.into())),
        }
    }

    /// Another operator with its operands, left and right.
    pub fn binary(&mut self, op: Binary, a: Ltl, b: Ltl) -> Ltl {
        use Binary::*;
        const F: Ltl = Ltl::FALSE;
        const T: Ltl = Ltl::TRUE;
        match (op, a, b) {
            (Implies, F, _) | (Implies, _, T) => T,
            (Implies, T, _) => b,
            (Implies, _, F) => self.not(a),
            (Equiv, T, other) | (Equiv, other, T) | (Xor, F, other) | (Xor, other, F) => other,
            (Equiv, F, other) | (Equiv, other, F) | (Xor, T, other) | (Xor, other, T) => {
                self.not(other)
            }
            (Until, _, F) | (Until, _, T) | (Until, F, _) => b,
            (Until, T, _) => self.finally(b),
            (Release, _, F) | (Release, _, T) | (Release, T, _) => b,
            (Release, F, _) => self.globally(b),
            (WeakUntil, T, _) | (WeakUntil, _, T) => T,
            (WeakUntil, F, _) => b,
            (WeakUntil, _, F) => self.globally(a),
            (StrongRelease, F, _) | (StrongRelease, _, F) => F,
            (StrongRelease, T, _) => b,
            (StrongRelease, _, T) => self.finally(a),
            _ if a == b => match op {
                Implies | Equiv => T,
                Xor => F,
                _ => a,
            },
            // These two are symmetric: one order, so that equal formulas have equal ids.
            (Equiv | Xor, _, _) if b < a => self.intern(Node::Binary(op, b, a)),
            _ => self.intern(Node::Binary(op, a, b)),
        }
    }

    /// `a U b`
    pub fn until(&mut self, a: Ltl, b: Ltl) -> Ltl {
        self.binary(Binary::Until, a, b)
    }

    /// `a R b`
    pub fn release(&mut self, a: Ltl, b: Ltl) -> Ltl {
        self.binary(Binary::Release, a, b)
    }

    /// `a W b`
    pub fn weak_until(&mut self, a: Ltl, b: Ltl) -> Ltl {
        self.binary(Binary::WeakUntil, a, b)
    }

    /// `a M b`
    pub fn strong_release(&mut self, a: Ltl, b: Ltl) -> Ltl {
        self.binary(Binary::StrongRelease, a, b)
    }

    /// The propositions that occur in `f`, smallest first.
    pub fn aps_of(&self, f: Ltl) -> Vec<u32> {
        let mut found = Vec::new();
        for g in self.subformulas(f) {
            if let Node::Ap(index) = self.node(g) {
                found.push(*index);
            }
        }
        found.sort_unstable();
        found
    }

    /// All different subformulas, children before parents; `f` itself is the last.
    pub fn subformulas(&self, f: Ltl) -> Vec<Ltl> {
        let mut order = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![(f, false)];
        while let Some((g, children_done)) = stack.pop() {
            if children_done {
                order.push(g);
            } else if seen.insert(g) {
                stack.push((g, true));
                for &child in children(self.node(g)).iter() {
                    stack.push((child, false));
                }
            }
        }
        order
    }

    /// The operands of a conjunction, or the formula alone.
    pub fn conjuncts(&self, f: Ltl) -> Vec<Ltl> {
        match self.node(f) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![f],
        }
    }

    /// The operands of a disjunction, or the formula alone.
    pub fn disjuncts(&self, f: Ltl) -> Vec<Ltl> {
        match self.node(f) {
            Node::Or(parts) => parts.to_vec(),
            _ => vec![f],
        }
    }
}

/// The operands of a node, from left to right.
pub(crate) fn children(node: &Node) -> Children<'_> {
    match node {
        Node::False | Node::True | Node::Ap(_) => Children::Few([Ltl::FALSE; 2], 0),
        Node::Not(a) | Node::Next(a) | Node::Finally(a) | Node::Globally(a) => {
            Children::Few([*a; 2], 1)
        }
        Node::Binary(_, a, b) => Children::Few([*a, *b], 2),
        Node::And(parts) | Node::Or(parts) => Children::Many(parts),
    }
}

/// Operands without an allocation.
pub(crate) enum Children<'a> {
    Few([Ltl; 2], usize),
    Many(&'a [Ltl]),
}

impl Children<'_> {
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Ltl> {
        match self {
            Children::Few(two, count) => two[..*count].iter(),
            Children::Many(parts) => parts.iter(),
        }
    }
}

//! Products: the intersection of languages.

use crate::StateId;
use crate::symbolic::{Arc, Bdd, Func, Sccs, Symbolic};
use lariat_core::Marks;

/// The product: its language is the intersection. `None` if it has more than `max_states`
/// states, or more than 64 marks.
pub fn product(a: &Symbolic, b: &Symbolic, max_states: usize, bdd: &mut Bdd) -> Option<Symbolic> {
    debug_assert_eq!(a.aps, b.aps);
    let mark_count = a.mark_count + b.mark_count;
    if mark_count > Marks::MAX {
        return None;
    }
    let mut out = Symbolic { mark_count, ..a.like() };
    let mut ids = rustc_hash::FxHashMap::default();
    let mut pairs = vec![(a.initial, b.initial)];
    ids.insert(pairs[0], 0 as StateId);
    let mut at = 0;
    while at < pairs.len() {
        let (s, t) = pairs[at];
        at += 1;
        let mut arcs = Vec::new();
        for x in &a.arcs[s as usize] {
            for y in &b.arcs[t as usize] {
                let label = bdd.and(x.label, y.label);
                if label == Func::FALSE {
                    continue;
                }
                let pair = (x.target, y.target);
                let target = *ids.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    (pairs.len() - 1) as StateId
                });
                let marks = Marks(x.marks.0 | y.marks.0.checked_shl(a.mark_count).unwrap_or(0));
                arcs.push(Arc { label, marks, target });
            }
        }
        out.arcs.push(arcs);
        if pairs.len() > max_states || bdd.exhausted() {
            return None;
        }
    }
    Some(out)
}

/// The product where the language of `b` does not depend on prefixes: `b` is started only
/// when `a` comes to an accepting component (T. Babiak et al., SPIN 2013, section 2:
/// suspension).
pub fn product_suspended(
    a: &Symbolic,
    b: &Symbolic,
    max_states: usize,
    bdd: &mut Bdd,
) -> Option<Symbolic> {
    debug_assert_eq!(a.aps, b.aps);
    let mark_count = a.mark_count + b.mark_count;
    if mark_count > Marks::MAX {
        return None;
    }
    // Without marks of its own, the suspended part would seem to accept.
    let (mark_count, spare) = match mark_count {
        0 => (1, Marks::one(0)),
        _ => (mark_count, Marks::NONE),
    };
    let sccs = Sccs::of(a);
    let awake = |state: StateId| sccs.scc(state).accepting(a.all_marks());
    let start = |state: StateId| (state, awake(state).then_some(b.initial));
    let mut out = Symbolic { mark_count, ..a.like() };
    let mut ids = rustc_hash::FxHashMap::default();
    let mut pairs: Vec<(StateId, Option<StateId>)> = vec![start(a.initial)];
    ids.insert(pairs[0], 0 as StateId);
    let mut at = 0;
    while at < pairs.len() {
        let (s, t) = pairs[at];
        at += 1;
        let mut arcs = Vec::new();
        let mut add = |pair, label: Func, marks: Marks, pairs: &mut Vec<_>| {
            let target = *ids.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                (pairs.len() - 1) as StateId
            });
            arcs.push(Arc { label, marks, target });
        };
        for x in &a.arcs[s as usize] {
            match t.filter(|_| awake(x.target)) {
                None => add(start(x.target), x.label, Marks::NONE, &mut pairs),
                Some(t) => {
                    for y in &b.arcs[t as usize] {
                        let label = bdd.and(x.label, y.label);
                        if label != Func::FALSE {
                            let shifted = y.marks.0.checked_shl(a.mark_count).unwrap_or(0);
                            let marks = Marks(x.marks.0 | shifted) | spare;
                            add((x.target, Some(y.target)), label, marks, &mut pairs);
                        }
                    }
                }
            }
        }
        out.arcs.push(arcs);
        if pairs.len() > max_states || bdd.exhausted() {
            return None;
        }
    }
    Some(out)
}

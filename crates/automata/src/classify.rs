//! Classes of automata, of each component and of the whole.
//!
//! All definitions are over the reachable components; edges that no letter takes do not
//! exist. A cycle is *accepting* when its edges carry all marks together.
//!
//! - *inherently weak*: no component has both an accepting and a rejecting cycle;
//! - *weak* (HOA): all edges inside a component carry the same marks;
//! - *very weak*: weak, and every component is one state;
//! - *terminal* (SE §5.1): weak, accepting components are complete and never left: from a
//!   state of one, every word is accepted.
//!
//! Simple DFS and reachability look at accepting *states* of a Büchi automaton, not at
//! marks: [`to_weak_buchi`] makes those agree.

use crate::coverage::coverage;
use crate::scc::{SccId, Sccs};
use crate::{Label, StateId, Tgba};
use lariat_core::Marks;
use rustc_hash::FxHashMap;

/// How many nodes of a decision diagram may be spent on the labels of one state.
const MAX_NODES: usize = 1 << 18;

/// What is known about one component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SccClass {
    /// No edge inside.
    pub trivial: bool,
    /// It has an accepting cycle.
    pub accepting: bool,
    /// It has no cycle that is not accepting, or none that is.
    pub inherently_weak: bool,
    /// All edges inside carry the same marks.
    pub weak: bool,
    /// All its cycles are accepting, no edge leaves it, and each letter has an edge in each
    /// of its states.
    pub terminal: bool,
}

impl SccClass {
    /// No cycle inside is accepting.
    pub fn rejecting(self) -> bool {
        !self.accepting
    }
}

/// What is known about an automaton. A `true` is proved. Completeness and disjointness of
/// labels whose decision diagram is too large (some 100,000 nodes) count as `false`.
#[derive(Clone, Debug)]
pub struct Classes {
    /// The components themselves.
    pub sccs: Sccs,
    /// One for each component.
    pub per_scc: Vec<SccClass>,
    /// All components are inherently weak.
    pub inherently_weak: bool,
    /// All components are weak.
    pub weak: bool,
    /// Weak, and each component is one state.
    pub very_weak: bool,
    /// All accepting components are terminal.
    pub terminal: bool,
    /// At most one initial state, and no letter has two edges in a state, reachable or not.
    pub deterministic: bool,
    /// An initial state, and each letter has an edge in each state, reachable or not.
    pub complete: bool,
    /// The edges of each state share their marks.
    pub state_based: bool,
}

/// Looks at all components and labels.
///
/// ```
/// use lariat_automata::{classify, hoa};
///
/// let text = "HOA: v1 States: 2 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0)
///     --BODY-- State: 0 [t] 0 [0] 1 State: 1 {0} [t] 1 --END--";
/// let automaton = hoa::Reader::new(text, "f_p.hoa").next().unwrap().unwrap();
/// let classes = classify(&automaton);
/// assert!(classes.terminal && classes.weak && !classes.deterministic);
/// ```
pub fn classify(tgba: &Tgba) -> Classes {
    let sccs = Sccs::new(tgba);
    let per_scc: Vec<SccClass> =
        (0..sccs.len() as SccId).map(|scc| classify_scc(tgba, &sccs, scc)).collect();
    let weak = per_scc.iter().all(|class| class.weak);
    let (mut deterministic, mut complete) = (tgba.initial.len() <= 1, !tgba.initial.is_empty());
    for edges in &tgba.edges {
        let cover = coverage(edges.iter().map(|edge| &edge.label), MAX_NODES);
        deterministic &= cover.disjoint == Some(true);
        complete &= cover.total == Some(true);
    }
    Classes {
        inherently_weak: per_scc.iter().all(|class| class.inherently_weak),
        weak,
        very_weak: weak && sccs.members.iter().all(|members| members.len() == 1),
        terminal: weak && per_scc.iter().all(|class| class.rejecting() || class.terminal),
        deterministic,
        complete,
        state_based: is_state_based(tgba, &sccs),
        sccs,
        per_scc,
    }
}

fn classify_scc(tgba: &Tgba, sccs: &Sccs, scc: SccId) -> SccClass {
    let mut edges = sccs.inner_edges(tgba, scc).map(|(_, edge)| edge);
    let first = edges.next();
    let weak = first.is_none_or(|first| edges.all(|edge| edge.marks == first.marks));
    let accepting = sccs.is_accepting(tgba, scc);
    let inherently_weak = !accepting || !has_rejecting_cycle(tgba, sccs, scc);
    let never_left =
        |state: &StateId| sccs.edges(tgba, *state).all(|edge| sccs.of(edge.target) == Some(scc));
    let terminal = accepting
        && inherently_weak
        && sccs.members[scc as usize]
            .iter()
            .all(|state| never_left(state) && is_complete(tgba, sccs, *state));
    SccClass { trivial: first.is_none(), accepting, inherently_weak, weak, terminal }
}

fn is_complete(tgba: &Tgba, sccs: &Sccs, state: StateId) -> bool {
    let labels = sccs.edges(tgba, state).map(|edge| &edge.label);
    coverage(labels, MAX_NODES).total == Some(true)
}

/// Whether the edges inside that lack some mark form a cycle.
fn has_rejecting_cycle(tgba: &Tgba, sccs: &Sccs, scc: SccId) -> bool {
    let members = &sccs.members[scc as usize];
    let index: FxHashMap<StateId, StateId> =
        members.iter().enumerate().map(|(index, &state)| (state, index as StateId)).collect();
    (0..tgba.mark_count).any(|mark| {
        let mut part = Tgba::default();
        part.initial.extend(0..members.len() as StateId);
        part.edges.resize(members.len(), Vec::new());
        for (source, edge) in sccs.inner_edges(tgba, scc) {
            if !edge.marks.has(mark) {
                part.add_edge(index[&source], Label::True, edge.marks, index[&edge.target]);
            }
        }
        let parts = Sccs::new(&part);
        (0..parts.len() as SccId).any(|inner| !parts.is_trivial(&part, inner))
    })
}

fn is_state_based(tgba: &Tgba, sccs: &Sccs) -> bool {
    (0..tgba.state_count() as StateId).all(|state| {
        let mut edges = sccs.edges(tgba, state);
        edges.next().is_none_or(|first| edges.all(|edge| edge.marks == first.marks))
    })
}

/// State-based with one set or none: what nested searches, simple DFS and reachability run on.
pub fn is_buchi_by_states(tgba: &Tgba) -> bool {
    tgba.mark_count <= 1 && is_state_based(tgba, &Sccs::new(tgba))
}

/// An inherently weak automaton as a weak state-based Büchi automaton with the same states:
/// exactly the states of accepting components are accepting. `None` for others. If the
/// automaton is terminal, the result is so by states.
pub fn to_weak_buchi(tgba: &Tgba) -> Option<Tgba> {
    let classes = classify(tgba);
    classes.inherently_weak.then(|| {
        let mut weak = Tgba { mark_count: 1, ..tgba.clone() };
        for (state, edges) in weak.edges.iter_mut().enumerate() {
            let scc = classes.sccs.of(state as StateId);
            let accepting = scc.is_some_and(|scc| classes.per_scc[scc as usize].accepting);
            let marks = if accepting { Marks::one(0) } else { Marks::NONE };
            edges.iter_mut().for_each(|edge| edge.marks = marks);
        }
        weak
    })
}

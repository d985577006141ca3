//! The body: states and edges, and what can be checked only when all of them are known.

use super::acceptance::Membership;
use super::claims;
use super::expression::{self, Sized, check_set};
use super::header::{Header, universal};
use super::lexer::Token;
use super::parser::{Parsed, Parser, fail};
use crate::{Diagnostic, Edge, Label, Span, Tgba};
use rustc_hash::FxHashMap;
use std::collections::HashSet;

/// How many nodes the decision diagram of one label, or of the labels of one state, may take.
pub(crate) const MAX_NODES: usize = 1 << 16;

/// States need 2^n edges when labels are implicit.
const MAX_IMPLICIT_PROPOSITIONS: u32 = 16;

/// Operators in all labels together, beyond some for each byte of the file: copies of aliases
/// and state labels must not make a short file fill the memory.
const MAX_TOTAL_SIZE: usize = 1 << 21;

/// Numbers of states may exceed their count by this much and this factor.
const SPARSE: (usize, usize) = (1 << 16, 16);

/// Where the labels of a state's edges come from.
enum Labels {
    Unknown,
    OfState(Sized),
    OfEdges,
    /// The i-th edge is taken by the i-th letter.
    Implicit,
}

struct State {
    number: u32,
    span: Span,
    name: Option<String>,
    edges: Vec<Edge>,
}

struct Body<'p, 'a> {
    parser: &'p mut Parser<'a>,
    header: Header,
    states: Vec<State>,
    /// From the number of a state to its index in `states`.
    index: FxHashMap<u32, usize>,
    /// The first use of each state as a target.
    uses: FxHashMap<u32, Span>,
    /// What is left of [`MAX_TOTAL_SIZE`].
    size_left: usize,
}

/// Reads up to `--END--`, which stays the token at hand.
pub(crate) fn body(parser: &mut Parser<'_>, header: Header) -> Parsed<Tgba> {
    let size_left = MAX_TOTAL_SIZE + 4 * parser.lexer.source().len();
    let mut body = Body {
        parser,
        header,
        states: Vec::new(),
        index: FxHashMap::default(),
        uses: FxHashMap::default(),
        size_left,
    };
    loop {
        match body.parser.token {
            Token::Header("State") => body.state()?,
            Token::End => break,
            _ => return body.parser.unexpected("`State:`, an edge or `--END--`"),
        }
    }
    body.check_uses()?;
    let places = body.states.iter().map(|state| (state.number, state.span)).collect();
    let (tgba, header) = body.build();
    claims::check(parser, &header, &tgba, &places)?;
    Ok(tgba)
}

impl Body<'_, '_> {
    fn state(&mut self) -> Parsed<()> {
        self.parser.advance()?;
        let mut labels = Labels::Unknown;
        if self.parser.at('[') {
            let start = self.parser.span;
            labels = Labels::OfState(self.label()?);
            self.contradicts(
                &["trans-labels", "explicit-labels", "implicit-labels"],
                start,
                "the state has a label",
            )?;
        }
        let (number, span) = self.parser.expect_int("the number of a state")?;
        self.header.check_state(number, span)?;
        if let Some(&first) = self.index.get(&number) {
            return Err(Diagnostic::error(span, format!("state {number} is defined twice"))
                .note_at(self.states[first].span, "it is first defined here")
                .into());
        }
        let name = self.parser.take_string()?.map(|(name, _)| name);
        let sets = self.parser.span;
        let membership = self.membership()?;
        if let Some(membership) = membership
            && membership.any
        {
            self.contradicts(&["trans-acc"], sets, "the state is in acceptance sets")?;
        }
        let membership = membership.unwrap_or_default().sets;
        let mut edges = Vec::new();
        while matches!(self.parser.token, Token::Int(_) | Token::Punctuation('[')) {
            let edge = self.edge(&mut labels, edges.len(), membership)?;
            edges.push(edge);
        }
        self.check_edge_count(&labels, edges.len(), number, span)?;
        self.index.insert(number, self.states.len());
        self.states.push(State { number, span, name, edges });
        Ok(())
    }

    fn edge(&mut self, labels: &mut Labels, position: usize, source: Membership) -> Parsed<Edge> {
        let start = self.parser.span;
        let own = if self.parser.at('[') { Some(self.label()?) } else { None };
        let label = self.edge_label(labels, own, position, start)?;
        let (target, span) = self.parser.expect_int("the number of the edge's target")?;
        if self.parser.at('&') {
            return universal(self.parser.span);
        }
        self.header.check_state(target, span)?;
        self.uses.entry(target).or_insert(span);
        let sets = self.parser.span;
        let membership = self.membership()?.unwrap_or_default();
        if membership.any {
            self.contradicts(&["state-acc"], sets, "the edge is in acceptance sets")?;
        }
        let marks = self.header.acceptance.marks(source.union(membership.sets));
        Ok(Edge { label, marks, target })
    }

    /// The label of the edge at `position`, which has a label of its `own` or none.
    fn edge_label(
        &mut self,
        labels: &mut Labels,
        own: Option<Sized>,
        position: usize,
        start: Span,
    ) -> Parsed<Label> {
        match (&*labels, own) {
            (Labels::OfState(_), Some(_)) => {
                fail(start, "unexpected label: the state has one already")
            }
            (Labels::Implicit, Some(_)) => {
                fail(start, "unexpected label: earlier edges of this state have none")
            }
            (Labels::OfEdges, None) => {
                fail(start, "expected a label `[…]`: earlier edges of this state have one")
            }
            (Labels::OfState(label), None) => {
                let label = label.clone();
                self.charge(label.size, start)?;
                Ok(label.label)
            }
            (Labels::Unknown | Labels::OfEdges, Some(label)) => {
                if matches!(labels, Labels::Unknown) {
                    *labels = Labels::OfEdges;
                    self.contradicts(
                        &["state-labels", "implicit-labels"],
                        start,
                        "the edge has a label",
                    )?;
                }
                Ok(label.label)
            }
            (Labels::Unknown | Labels::Implicit, None) => {
                if matches!(labels, Labels::Unknown) {
                    *labels = Labels::Implicit;
                    self.contradicts(
                        &["state-labels", "explicit-labels"],
                        start,
                        "the edge has no label",
                    )?;
                }
                self.implicit_label(position, start)
            }
        }
    }

    fn implicit_label(&mut self, position: usize, start: Span) -> Parsed<Label> {
        let count = self.header.aps.len() as u32;
        if count > MAX_IMPLICIT_PROPOSITIONS {
            let message = format!(
                "expected a label `[…]`: without labels a state needs 2^{count} edges, and lariat reads at most 2^{MAX_IMPLICIT_PROPOSITIONS}"
            );
            return fail(start, message);
        }
        if position >> count != 0 {
            let message = format!(
                "too many edges without label: expected one for each of the {} letters",
                1 << count
            );
            return fail(start, message);
        }
        self.charge(count as usize, start)?;
        Ok(Label::letter(position as u64, count))
    }

    fn check_edge_count(
        &mut self,
        labels: &Labels,
        found: usize,
        number: u32,
        span: Span,
    ) -> Parsed<()> {
        let implicit = match labels {
            Labels::Implicit => true,
            Labels::Unknown => self.header.properties.get("implicit-labels").is_some(),
            _ => false,
        };
        let bits = self.header.aps.len() as u32;
        if implicit && (bits > MAX_IMPLICIT_PROPOSITIONS || found != 1 << bits) {
            let message = format!(
                "state {number} has {found} edges without label: expected 2^{bits}, one for each letter"
            );
            return fail(span, message);
        }
        Ok(())
    }

    /// A label in brackets.
    fn label(&mut self) -> Parsed<Sized> {
        let start = self.parser.span;
        self.parser.expect('[')?;
        let label = expression::label(self.parser, &mut self.header.scope)?;
        let end = self.parser.span;
        if !self.parser.at(']') {
            return self.parser.unexpected("`]`, `&` or `|`");
        }
        self.parser.advance()?;
        self.charge(label.size, start)?;
        if !label.label.is_tractable(MAX_NODES) {
            let message = format!(
                "this label is too complex: its decision diagram has more than {MAX_NODES} nodes"
            );
            return fail(start.to(end), message);
        }
        Ok(label)
    }

    fn charge(&mut self, size: usize, span: Span) -> Parsed<()> {
        match self.size_left.checked_sub(size) {
            Some(left) => {
                self.size_left = left;
                Ok(())
            }
            None => fail(span, "the labels are too large together once aliases are expanded"),
        }
    }

    /// The sets in braces, if there are braces.
    fn membership(&mut self) -> Parsed<Option<Sets>> {
        if !self.parser.take('{')? {
            return Ok(None);
        }
        let mut found = Sets::default();
        while !self.parser.at('}') {
            let (set, span) = self.parser.expect_int("the number of an acceptance set, or `}`")?;
            check_set(set, self.header.acceptance.set_count, span)?;
            found.any = true;
            found.sets = found.sets.union(self.header.acceptance.member(set));
        }
        self.parser.advance()?;
        Ok(Some(found))
    }

    /// Fails when one of `properties`, which the place denies, was declared.
    fn contradicts(&self, properties: &[&str], span: Span, what: &str) -> Parsed<()> {
        for property in properties {
            if let Some(declared) = self.header.properties.get(property) {
                let message = format!("{what}, which contradicts property `{property}`");
                return Err(Diagnostic::error(span, message)
                    .note_at(declared, "the property is declared here")
                    .into());
            }
        }
        Ok(())
    }

    /// Every state that is used must be defined: else edges may be missing.
    fn check_uses(&mut self) -> Parsed<()> {
        let initial = self.header.initial.iter().copied();
        let undefined = initial
            .chain(self.uses.iter().map(|(&state, &span)| (state, span)))
            .filter(|(state, _)| !self.index.contains_key(state))
            .min_by_key(|(_, span)| span.start);
        if let Some((state, span)) = undefined {
            return fail(span, format!("state {state} is used but not defined"));
        }
        let mut defined: Vec<u32> = self.index.keys().copied().collect();
        defined.sort_unstable();
        let count = defined.last().map_or(0, |&last| last as usize + 1);
        let (slack, factor) = SPARSE;
        if count > slack + factor * defined.len() {
            let last = &self.states[self.index[&(count as u32 - 1)]];
            let message = format!(
                "state {} is far beyond the {} states that are defined: expected consecutive numbers",
                last.number,
                defined.len()
            );
            return fail(last.span, message);
        }
        let declared = self.header.states.map_or(count as u32, |(count, _)| count);
        let missing = gaps(&defined, declared);
        if !missing.is_empty() {
            let span = self.header.states.map_or(self.parser.span, |(_, span)| span);
            let message = format!("these states are neither defined nor used: {missing}");
            self.parser.warn(span, message);
        }
        Ok(())
    }

    fn build(mut self) -> (Tgba, Header) {
        let count = self.states.iter().map(|state| state.number as usize + 1).max().unwrap_or(0);
        let named = self.states.iter().any(|state| state.name.is_some());
        let mut tgba = Tgba {
            name: self.header.name.take(),
            aps: std::mem::take(&mut self.header.aps),
            mark_count: self.header.acceptance.mark_count,
            initial: Vec::new(),
            edges: vec![Vec::new(); count],
            state_names: if named { vec![None; count] } else { Vec::new() },
        };
        let mut seen = HashSet::new();
        let initial = self.header.initial.iter().map(|(state, _)| *state);
        tgba.initial.extend(initial.filter(|state| seen.insert(*state)));
        for state in self.states {
            tgba.edges[state.number as usize] = state.edges;
            if named {
                tgba.state_names[state.number as usize] = state.name;
            }
        }
        (tgba, self.header)
    }
}

/// Acceptance sets of a state or an edge.
#[derive(Clone, Copy, Default)]
struct Sets {
    /// Whether one was named, be it used by the condition or not.
    any: bool,
    sets: Membership,
}

/// The numbers below `count` that `defined`, sorted, lacks: `0-1,3-5`.
fn gaps(defined: &[u32], count: u32) -> String {
    let mut ranges = Vec::new();
    let mut next = 0;
    for end in defined.iter().copied().chain([count]) {
        match end.saturating_sub(next) {
            0 => {}
            1 => ranges.push(next.to_string()),
            _ => ranges.push(format!("{next}-{}", end - 1)),
        }
        next = end.saturating_add(1);
        if ranges.len() > 20 {
            ranges.push("…".into());
            break;
        }
    }
    ranges.join(",")
}

//! Properties, their waves along runs, their automata.

use std::sync::{Arc, Mutex};

use lariat_automata::scc::Sccs;
use lariat_automata::{Tgba, classify};
use lariat_core::Props;
use serde_json::{Value, json};

use super::run::Run;
use super::table::Table;
use super::{Answer, Refusal, Session, locked};
use crate::subject::{Lens, Question};

/// The properties that are open.
pub(super) struct Lenses<'s> {
    table: Table<Looked<'s>>,
}

impl Lenses<'_> {
    pub(super) fn new(most: usize) -> Self {
        Lenses { table: Table::new('p', most) }
    }
}

/// A property, and what was seen through it last.
pub(super) struct Looked<'s> {
    question: Question,
    pub(super) bound: Arc<dyn Lens + 's>,
    /// The waves of the run that was looked at last: pages ask for one window after the other.
    last: Mutex<Option<(String, Arc<Waves>)>>,
}

/// The truth of propositions, and the states of the automaton, at each position of a run.
pub(super) struct Waves {
    /// By proposition, a byte for each position: `0`, `1`, `-`.
    truth: Vec<Vec<u8>>,
    /// By position: an index into `sets`.
    sets_of: Vec<u32>,
    sets: Vec<Vec<u32>>,
}

impl Looked<'_> {
    /// The waves of a run, remembered for the next window. A run of an id only ever grows.
    pub(super) fn waves(&self, id: &str, run: &Run) -> Arc<Waves> {
        let mut last = locked(&self.last);
        if let Some((known, waves)) = &*last
            && known == id
            && waves.sets_of.len() == run.states()
        {
            return waves.clone();
        }
        let waves = Arc::new(Waves::of(&*self.bound, run));
        *last = Some((id.to_owned(), waves.clone()));
        waves
    }
}

impl Waves {
    fn of(lens: &dyn Lens, run: &Run) -> Waves {
        let mut truth = vec![Vec::with_capacity(run.states()); lens.propositions().len()];
        let mut letters: Vec<Props> = Vec::with_capacity(run.states());
        lens.look(&mut run.all_states(), &mut |values, letter| {
            for (wave, value) in truth.iter_mut().zip(values) {
                wave.push(match value {
                    Some(true) => b'1',
                    Some(false) => b'0',
                    None => b'-',
                });
            }
            letters.push(letter);
        });
        let mut waves = Waves { truth, sets_of: Vec::new(), sets: Vec::new() };
        if let Some(automaton) = lens.automaton() {
            waves.follow(automaton, &letters, run.from);
        }
        waves.sets_of.resize(letters.len(), 0);
        waves
    }

    /// All states that the automaton may be in before it reads each letter.
    fn follow(&mut self, automaton: &Tgba, letters: &[Props], from: usize) {
        // Nobody watches before the position that the property is about.
        self.sets.push(Vec::new());
        self.sets_of.resize(from.min(letters.len()), 0);
        let mut now: Vec<u32> = automaton.initial.clone();
        for &letter in letters.iter().skip(from) {
            now.sort_unstable();
            now.dedup();
            let known = self.sets.iter().position(|set| *set == now);
            let at = known.unwrap_or_else(|| {
                self.sets.push(now.clone());
                self.sets.len() - 1
            });
            self.sets_of.push(at as u32);
            let edges = now.iter().flat_map(|&state| &automaton.edges[state as usize]);
            now =
                edges.filter(|edge| edge.label.holds_in(letter)).map(|edge| edge.target).collect();
        }
    }

    /// The positions from one to another, both included.
    pub(super) fn window(&self, from: usize, to: usize) -> (Vec<String>, Vec<&[u32]>) {
        let values = self.truth.iter().map(|wave| {
            let value = |at: usize| wave.get(at).map_or('-', |&byte| char::from(byte));
            (from..=to).map(value).collect()
        });
        let set = |at: usize| {
            let set = self.sets_of.get(at).and_then(|&set| self.sets.get(set as usize));
            set.map_or(&[][..], Vec::as_slice)
        };
        (values.collect(), (from..=to).map(set).collect())
    }

    /// What holds at a position; empty if there is no state.
    pub(super) fn holds(&self, at: usize) -> Vec<bool> {
        self.truth.iter().filter_map(|wave| wave.get(at).map(|&byte| byte == b'1')).collect()
    }

    /// One letter for some positions: never, always, both, unknown.
    pub(super) fn summary(&self, proposition: usize, from: usize, to: usize) -> char {
        let wave = &self.truth[proposition];
        let seen = &wave[from.min(wave.len())..to.min(wave.len())];
        match (seen.contains(&b'0'), seen.contains(&b'1')) {
            (true, true) => '2',
            (true, false) => '0',
            (false, true) => '1',
            (false, false) => '-',
        }
    }
}

impl<'s> Session<'s> {
    pub(super) fn lens(&self, id: &str) -> Result<Arc<Looked<'s>>, Refusal> {
        let found = locked(&self.lenses).table.get(id);
        let missing = || format!("there is no property {id} any more");
        found.ok_or_else(|| Refusal::missing("no-such-property", missing()))
    }

    /// What is wrong with a formula that somebody types.
    pub fn formula(&self, question: &Question) -> Answer {
        self.fits(question)?;
        let (errors, warnings, propositions) = self.subject.complaints(question);
        Ok((
            200,
            json!({
                "ok": errors.is_empty(), "errors": errors, "warnings": warnings,
                "propositions": propositions,
            }),
        ))
    }

    /// Formulas are bounded.
    pub(super) fn fits(&self, question: &Question) -> Result<(), Refusal> {
        let length = question.text.as_ref().map_or(0, |text| text.chars().count());
        match length <= self.limits.formula {
            true => Ok(()),
            false => {
                let most = self.limits.formula;
                Err(Refusal::bad(format!("a formula has at most {most} characters here")))
            }
        }
    }

    /// Binds a property, unless it is there already.
    pub fn property(&self, question: &Question) -> Answer {
        let (id, is_new) = self.property_id(question)?;
        Ok((if is_new { 201 } else { 200 }, self.property_of(&id)?.1))
    }

    /// The id of a property, and whether it is new.
    pub(super) fn property_id(&self, question: &Question) -> Result<(String, bool), Refusal> {
        self.fits(question)?;
        let known = locked(&self.lenses).table.all();
        if let Some((id, _)) = known.into_iter().find(|(_, looked)| looked.question == *question) {
            return Ok((id, false));
        }
        let bound = self.subject.lens(question).map_err(Refusal::refused)?;
        let looked = Looked { question: question.clone(), bound, last: Mutex::new(None) };
        Ok((locked(&self.lenses).table.add(looked).0, true))
    }

    /// One property, with its automaton.
    pub fn property_of(&self, id: &str) -> Answer {
        let looked = self.lens(id)?;
        let mut about = about(id, &looked);
        about["automaton"] = looked.bound.automaton().map_or(Value::Null, |automaton| {
            let mut shown = drawn(automaton);
            shown["accepts"] = json!(match looked.bound.is_negated() {
                true => "the runs that violate the property",
                false => "the runs that are looked for",
            });
            shown
        });
        Ok((200, about))
    }

    /// All properties.
    pub fn properties(&self) -> Answer {
        let all = locked(&self.lenses).table.all();
        let all: Vec<Value> = all.iter().map(|(id, looked)| about(id, looked)).collect();
        Ok((200, json!({ "properties": all })))
    }
}

fn about(id: &str, looked: &Looked<'_>) -> Value {
    let lens = &looked.bound;
    json!({
        "id": id, "kind": lens.kind(), "name": lens.name(), "text": lens.text(),
        "propositions": lens.propositions(),
    })
}

/// An automaton, to be drawn.
fn drawn(automaton: &Tgba) -> Value {
    let sccs = Sccs::new(automaton);
    let mut edges = Vec::new();
    for (from, out) in automaton.edges.iter().enumerate() {
        for edge in out {
            let marks: Vec<u32> =
                (0..automaton.mark_count).filter(|&mark| edge.marks.has(mark)).collect();
            let mut label = String::new();
            let name = |out: &mut dyn std::fmt::Write, ap: u32| {
                let name = automaton.aps.get(ap as usize).map_or("?", String::as_str);
                // `!(x == 1)`, not `!x == 1`
                match name.contains(' ') {
                    true => write!(out, "({name})"),
                    false => out.write_str(name),
                }
            };
            // Writing to a string cannot fail.
            let _ = edge.label.write_with(&mut label, &name);
            edges.push(json!({ "from": from, "to": edge.target, "label": label, "marks": marks }));
        }
    }
    let component = |state: u32| sccs.of(state);
    let states = 0..automaton.state_count() as u32;
    let accepting = |state| component(state).is_some_and(|scc| sccs.is_accepting(automaton, scc));
    json!({
        "states": automaton.state_count(),
        "initial": automaton.initial,
        "marks": automaton.mark_count,
        "class": class(automaton),
        "edges": edges,
        "accepting": states.clone().map(accepting).collect::<Vec<_>>(),
        "component": states.map(component).collect::<Vec<_>>(),
    })
}

/// As checks are chosen by.
fn class(automaton: &Tgba) -> &'static str {
    let classes = classify(automaton);
    match (classes.terminal, classes.inherently_weak) {
        (true, _) => "terminal",
        (false, true) => "weak",
        (false, false) => "general",
    }
}

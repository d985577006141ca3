//! Properties that are automata from the start: never claims and HOA files. They accept the
//! runs that must not be.

use lariat_automata::{Label, Tgba};
use lariat_core::{Automaton, Guard, Word};
use lariat_model::claim::ClaimAutomaton;
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{ExprId, Model, ProctypeId};
use lariat_syntax::diagnostics::Diagnostic;

use crate::error::Error;

use super::formula::{Bind, Mode, Origin, Property, Watcher};

/// A never claim of the model as a property.
pub fn claim(model: &Model, claim: ProctypeId, name: &str) -> Result<Property, Diagnostic> {
    let automaton = ClaimAutomaton::new(model, claim).map_err(|error| error.0)?;
    let bound = automaton.propositions().to_vec();
    let names: Vec<String> = bound.iter().map(|&expr| text_of(model, expr)).collect();
    Ok(Property {
        name: name.to_owned(),
        text: match model.discipline {
            Discipline::Spin if name == "never" => "the never claim of the model".to_owned(),
            Discipline::Spin => format!("the never claim of {name}"),
            _ => format!("the property process {}", model.proctype(claim).name),
        },
        mode: Mode::Always,
        origin: Origin::Never(claim),
        watcher: Watcher::Automaton(Box::new(tgba(&automaton, &names))),
        names,
        bound,
    })
}

/// The source of an expression, in one line.
fn text_of(model: &Model, expr: ExprId) -> String {
    let text = model.sources.text(model.exprs.span(expr));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A claim with its tests as propositions.
fn tgba(claim: &ClaimAutomaton, names: &[String]) -> Tgba {
    let mut tgba = Tgba { mark_count: claim.mark_count(), ..Tgba::default() };
    tgba.aps = names.to_vec();
    tgba.initial = claim.initial().to_vec();
    for state in 0..claim.state_count() as Word {
        tgba.add_state();
        for edge in claim.edges(state) {
            let label = Label::or(edge.guards.iter().map(|&guard| label(guard)));
            tgba.add_edge(state, label, edge.marks, edge.dst);
        }
    }
    tgba
}

fn label(guard: Guard) -> Label {
    let bits = |mask: u64| (0..u64::BITS).filter(move |&bit| mask >> bit & 1 == 1);
    let must = bits(guard.must).map(|ap| Label::literal(ap, true));
    Label::and(must.chain(bits(guard.must_not).map(|ap| Label::literal(ap, false))))
}

/// An automaton of a file as a property; its propositions are expressions of the model.
pub fn from_file(name: &str, automaton: Tgba, bind: &mut Bind<'_>) -> Result<Property, Error> {
    let names = automaton.aps.clone();
    let bound = names.iter().map(|name| bind(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(Property {
        name: name.to_owned(),
        text: match &automaton.name {
            Some(title) => format!("no run that the automaton accepts: {title}"),
            None => "no run that the automaton accepts".to_owned(),
        },
        mode: Mode::Always,
        origin: Origin::Automaton,
        watcher: Watcher::Automaton(Box::new(automaton)),
        names,
        bound,
    })
}

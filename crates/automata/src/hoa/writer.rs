//! Automata as HOA text. What is written is read back as the same automaton.

use crate::Tgba;
use crate::classify::classify;
use lariat_core::Marks;
use std::fmt::{self, Write};

/// The automaton as text.
pub fn to_string(tgba: &Tgba) -> String {
    let mut text = String::new();
    write(&mut text, tgba).expect("writing to a string");
    text
}

/// Writes the automaton. Names of propositions must differ, as HOA demands.
///
/// ```
/// use lariat_automata::hoa::{Reader, write};
/// use lariat_automata::{Label, Tgba};
/// use lariat_core::Marks;
///
/// let mut always = Tgba { aps: vec!["p".to_owned()], mark_count: 0, ..Tgba::default() };
/// let state = always.add_state();
/// always.initial.push(state);
/// always.add_edge(state, Label::Ap(0), Marks::NONE, state);
/// let mut text = String::new();
/// write(&mut text, &always).unwrap();
/// let again = Reader::new(&text, "always_p.hoa").next().unwrap().unwrap();
/// assert_eq!((again.edge_count(), again.aps), (1, always.aps));
/// ```
pub fn write(out: &mut impl Write, tgba: &Tgba) -> fmt::Result {
    let state_based = tgba.is_state_based();
    header(out, tgba, state_based)?;
    out.write_str("--BODY--\n")?;
    for (state, edges) in tgba.edges.iter().enumerate() {
        write!(out, "State: {state}")?;
        if let Some(Some(name)) = tgba.state_names.get(state) {
            out.write_char(' ')?;
            string(out, name)?;
        }
        if let Some(first) = edges.first().filter(|_| state_based) {
            sets(out, first.marks)?;
        }
        out.write_char('\n')?;
        for edge in edges {
            write!(out, "[{}] {}", edge.label, edge.target)?;
            sets(out, if state_based { Marks::NONE } else { edge.marks })?;
            out.write_char('\n')?;
        }
    }
    out.write_str("--END--\n")
}

fn header(out: &mut impl Write, tgba: &Tgba, state_based: bool) -> fmt::Result {
    out.write_str("HOA: v1\n")?;
    if let Some(name) = &tgba.name {
        out.write_str("name: ")?;
        string(out, name)?;
        out.write_char('\n')?;
    }
    writeln!(out, "States: {}", tgba.state_count())?;
    for state in &tgba.initial {
        writeln!(out, "Start: {state}")?;
    }
    write!(out, "AP: {}", tgba.aps.len())?;
    for name in &tgba.aps {
        out.write_char(' ')?;
        string(out, name)?;
    }
    match tgba.mark_count {
        0 => out.write_str("\nacc-name: all\nAcceptance: 0 t\n")?,
        1 => out.write_str("\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n")?,
        count => {
            let atoms: Vec<String> = (0..count).map(|set| format!("Inf({set})")).collect();
            let condition = atoms.join("&");
            write!(
                out,
                "\nacc-name: generalized-Buchi {count}\nAcceptance: {count} {condition}\n"
            )?;
        }
    }
    properties(out, tgba, state_based)
}

fn properties(out: &mut impl Write, tgba: &Tgba, state_based: bool) -> fmt::Result {
    let classes = classify(tgba);
    out.write_str("properties: trans-labels explicit-labels")?;
    for (property, holds) in [
        ("state-acc", state_based),
        ("trans-acc", !state_based),
        ("complete", classes.complete),
        ("deterministic", classes.deterministic),
        ("inherently-weak", classes.inherently_weak),
        ("weak", classes.weak),
        ("very-weak", classes.very_weak),
        ("terminal", classes.terminal),
    ] {
        if holds {
            write!(out, " {property}")?;
        }
    }
    out.write_char('\n')
}

fn sets(out: &mut impl Write, marks: Marks) -> fmt::Result {
    let mut separator = " {";
    for mark in marks.iter() {
        write!(out, "{separator}{mark}")?;
        separator = " ";
    }
    out.write_str(if marks.is_empty() { "" } else { "}" })
}

fn string(out: &mut impl Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            out.write_char('\\')?;
        }
        out.write_char(c)?;
    }
    out.write_char('"')
}

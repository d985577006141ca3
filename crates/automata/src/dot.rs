//! Automata as GraphViz pictures.

use crate::{Edge, Tgba};
use lariat_core::Marks;
use std::fmt::{self, Write};

/// The automaton as DOT text. Marks stand behind the label of an edge; accepting states of a
/// state-based Büchi automaton have two circles instead.
pub fn to_string(tgba: &Tgba) -> String {
    let mut text = String::new();
    write(&mut text, tgba).expect("writing to a string");
    text
}

/// Writes the automaton as a graph for Graphviz.
pub fn write(out: &mut impl Write, tgba: &Tgba) -> fmt::Result {
    let circles = tgba.mark_count == 1 && tgba.is_state_based();
    out.write_str("digraph {\n  rankdir=LR\n  node [shape=circle]\n")?;
    if let Some(name) = &tgba.name {
        writeln!(out, "  label=\"{}\"\n  labelloc=t", Escaped(name))?;
    }
    for (number, state) in tgba.initial.iter().enumerate() {
        writeln!(out, "  I{number} [label=\"\", style=invis, width=0]\n  I{number} -> {state}")?;
    }
    for (state, edges) in tgba.edges.iter().enumerate() {
        let name = tgba.state_names.get(state).and_then(Option::as_deref);
        let number = state.to_string();
        write!(out, "  {state} [label=\"{}\"", Escaped(name.unwrap_or(&number)))?;
        if circles && edges.first().is_some_and(|edge| edge.marks.has(0)) {
            out.write_str(", peripheries=2")?;
        }
        out.write_str("]\n")?;
        for edge in edges {
            let label = edge_label(tgba, edge, !circles);
            writeln!(out, "  {state} -> {} [label=\"{}\"]", edge.target, Escaped(&label))?;
        }
    }
    out.write_str("}\n")
}

fn edge_label(tgba: &Tgba, edge: &Edge, with_marks: bool) -> String {
    let mut text = String::new();
    edge.label
        .write_with(&mut text, &|out, ap| match tgba.aps.get(ap as usize) {
            Some(name) if is_plain(name) => out.write_str(name),
            Some(name) => write!(out, "\"{name}\""),
            None => write!(out, "{ap}"),
        })
        .expect("writing to a string");
    if with_marks && edge.marks != Marks::NONE {
        let marks: Vec<String> = edge.marks.iter().map(|mark| mark.to_string()).collect();
        text += &format!("\n{{{}}}", marks.join(","));
    }
    text
}

/// Whether a name cannot be mistaken for a formula.
fn is_plain(name: &str) -> bool {
    !matches!(name, "" | "t" | "f")
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '@'))
}

/// Text inside a quoted DOT string.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '"' => f.write_str("\\\""),
            '\\' => f.write_str("\\\\"),
            '\n' => f.write_str("\\n"),
            _ => f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Label;

    fn automaton() -> Tgba {
        let mut tgba = Tgba { mark_count: 2, initial: vec![1], ..Tgba::default() };
        tgba.name = Some("say \"G\\F\"".into());
        tgba.aps = vec!["req".into(), "x > 1".into()];
        tgba.state_names = vec![Some("two\nlines".into()), None];
        tgba.add_state();
        tgba.add_state();
        let label = Label::and([Label::Ap(0), Label::literal(1, false)]);
        tgba.add_edge(0, label, Marks(3), 1);
        tgba.add_edge(1, Label::True, Marks::NONE, 0);
        tgba
    }

    #[test]
    fn marks_on_edges() {
        let expected = r#"digraph {
  rankdir=LR
  node [shape=circle]
  label="say \"G\\F\""
  labelloc=t
  I0 [label="", style=invis, width=0]
  I0 -> 1
  0 [label="two\nlines"]
  0 -> 1 [label="req & !\"x > 1\"\n{0,1}"]
  1 [label="1"]
  1 -> 0 [label="t"]
}
"#;
        assert_eq!(to_string(&automaton()), expected);
    }

    #[test]
    fn accepting_states_have_two_circles() {
        let mut tgba = automaton();
        tgba.mark_count = 1;
        tgba.edges[0][0].marks = Marks(1);
        let text = to_string(&tgba);
        assert!(text.contains(r#"0 [label="two\nlines", peripheries=2]"#), "{text}");
        assert!(text.contains(r#"[label="req & !\"x > 1\""]"#), "{text}");
    }
}

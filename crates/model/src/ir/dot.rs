//! Control graphs in the language of Graphviz: `lariat show --dot`.

use std::fmt::Write;

use super::{Model, Proctype};

/// All proctypes as clusters of one graph.
pub fn dot(model: &Model) -> String {
    let mut out = String::from("digraph model {\n  node [shape=circle];\n");
    for (number, proctype) in model.proctypes.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = write_proctype(model, number, proctype, &mut out);
    }
    out.push_str("}\n");
    out
}

fn write_proctype(
    model: &Model,
    number: usize,
    proctype: &Proctype,
    out: &mut String,
) -> std::fmt::Result {
    writeln!(out, "  subgraph cluster_{number} {{\n    label=\"{}\";", escape(&proctype.name))?;
    writeln!(out, "    p{number}_start [shape=point];")?;
    writeln!(out, "    p{number}_start -> p{number}_{};", proctype.initial.0)?;
    for (at, location) in proctype.locations.iter().enumerate() {
        if location.edges.is_empty() {
            continue;
        }
        let mut label = at.to_string();
        for name in &location.labels {
            write!(label, "\\n{}", escape(name))?;
        }
        let shape = if location.is_end || location.is_accept { " shape=doublecircle" } else { "" };
        writeln!(out, "    p{number}_{at} [label=\"{label}\"{shape}];")?;
        for edge in &location.edges {
            let command = model.command(edge.command);
            let style = match (command.atomic, edge.escape) {
                (true, _) => " style=bold",
                (false, 0) => "",
                (false, _) => " style=dashed",
            };
            let text = escape(&command.text);
            let target = command.target.0;
            match target {
                0 => {
                    writeln!(out, "    p{number}_gone [shape=point];")?;
                    writeln!(out, "    p{number}_{at} -> p{number}_gone [label=\"{text}\"];")?;
                }
                _ => writeln!(
                    out,
                    "    p{number}_{at} -> p{number}_{target} [label=\"{text}\"{style}];"
                )?,
            }
        }
    }
    out.push_str("  }\n");
    Ok(())
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

//! `lariat scc`: the strongly connected components of automata, and their classes.

use crate::exit::Exit;
use crate::input;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lariat_automata::hoa::Reader;
use lariat_automata::{Classes, Tgba, classify};
use lariat_checks::components::{Enumerator, Found, components};
use lariat_core::Stats;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file of automata in the HOA format; `-` is standard input
    file: PathBuf,
    /// The algorithm that enumerates the components
    #[arg(long, value_parser = enumerators(), default_value = "dijkstra")]
    algorithm: Enumerator,
    /// Print the statistics of the search
    #[arg(long)]
    stats: bool,
    /// One JSON object per automaton and line
    #[arg(long)]
    json: bool,
}

fn enumerators() -> impl TypedValueParser<Value = Enumerator> {
    let names = PossibleValuesParser::new(Enumerator::ALL.map(Enumerator::name));
    names.try_map(|name| {
        let named = |enumerator: &Enumerator| enumerator.name() == name;
        Enumerator::ALL.into_iter().find(named).ok_or("no such algorithm")
    })
}

pub(crate) fn run(args: &Args) -> Exit {
    let (name, text) = match input::read(&args.file) {
        Ok(input) => input,
        Err(message) => return input::refuse(&message),
    };
    let mut reader = Reader::new(&text, &name);
    let mut worst = Exit::Holds;
    let mut index = 0;
    while let Some(item) = reader.next() {
        for warning in reader.take_warnings() {
            err!("{}", reader.render(&warning));
        }
        match item {
            Ok(tgba) => show(index, &tgba, args),
            Err(error) => {
                err!("{}", reader.render(&error));
                worst = Exit::BadInput;
            }
        }
        index += 1;
    }
    worst
}

fn show(index: usize, tgba: &Tgba, args: &Args) {
    let (found, stats) = components(tgba, args.algorithm);
    let classes = classify(tgba);
    if args.json {
        outln!("{}", to_json(index, tgba, &found, &classes, &stats));
        return;
    }
    let class = class_names(&classes).join(", ");
    let class = if class.is_empty() { "general" } else { &class };
    outln!("{index}: {} components in {} states, {class}", found.len(), stats.states);
    for Found { root, component } in &found {
        let marks: Vec<_> = component.acc.0.iter().map(|mark| mark.to_string()).collect();
        let marks =
            if marks.is_empty() { String::new() } else { format!(", marks {}", marks.join(" ")) };
        outln!(
            "   root {root}: {} state{}{marks}, {}",
            component.size,
            if component.size == 1 { "" } else { "s" },
            kind(&classes, *root)
        );
    }
    if args.stats {
        outln!(
            "   states {} transitions {} depth {} roots {} live {}",
            stats.states,
            stats.transitions,
            stats.depth,
            stats.peaks.roots,
            stats.peaks.live
        );
    }
}

fn kind(classes: &Classes, root: u32) -> &'static str {
    let Some(scc) = classes.sccs.of(root) else { return "unreachable" };
    let class = classes.per_scc[scc as usize];
    match class {
        _ if class.trivial => "trivial",
        _ if class.terminal => "terminal",
        _ if class.accepting && class.inherently_weak => "accepting, weak",
        _ if class.accepting => "accepting",
        _ => "rejecting",
    }
}

fn class_names(classes: &Classes) -> Vec<&'static str> {
    let all = [
        (classes.terminal, "terminal"),
        (classes.very_weak, "very weak"),
        (classes.weak, "weak"),
        (classes.inherently_weak, "inherently weak"),
        (classes.deterministic, "deterministic"),
        (classes.complete, "complete"),
        (classes.state_based, "state-based"),
    ];
    all.into_iter().filter(|&(holds, _)| holds).map(|(_, name)| name).collect()
}

fn to_json(index: usize, tgba: &Tgba, found: &[Found], classes: &Classes, stats: &Stats) -> Value {
    let components: Vec<_> = found
        .iter()
        .map(|Found { root, component }| {
            json!({
                "root": root,
                "size": component.size,
                "trivial": component.trivial,
                "marks": component.acc.0.iter().collect::<Vec<_>>(),
                "kind": kind(classes, *root),
            })
        })
        .collect();
    json!({
        "index": index,
        "name": tgba.name,
        "classes": class_names(classes),
        "states": stats.states,
        "transitions": stats.transitions,
        "components": components,
    })
}

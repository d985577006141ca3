//! `lariat algorithms`: the table of emptiness checks.

use crate::exit::Exit;
use lariat_checks::{Algorithm, Store};

#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_args: &Args) -> Exit {
    let row = |name: &str, takes: &str, per_state: &str, stores: &str, source: &str| {
        outln!("{name:12} {takes:15} {per_state:15} {stores:35} {source}");
    };
    row("name", "acceptance", "per state", "stores", "source");
    for check in Algorithm::all() {
        let facts = check.facts();
        let stores: Vec<_> = facts.stores.iter().copied().map(Store::name).collect();
        row(check.name(), facts.takes.name(), facts.per_state, &stores.join(" "), facts.source);
    }
    outln!(
        "\nA check that takes Büchi automata gets other ones degeneralised first. `sd` and \
         `reach` refuse\nautomata that are not weak or terminal. `auto` chooses by class: \
         terminal: reach, weak: sd,\nelse dijkstra, or and with a lossy store. Bitstate and \
         hash-compact are lossy: without a counterexample\ntheir answer is inconclusive."
    );
    Exit::Holds
}

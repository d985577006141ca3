//! One file for each command: its arguments and what it does.

mod algorithms;
mod empty;
mod scc;

use crate::exit::Exit;
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the emptiness checks: source, acceptance, bits per state, stores
    Algorithms(algorithms::Args),
    /// Decide whether automata in the HOA format accept any word
    Empty(empty::Args),
    /// Show the strongly connected components of automata and their classes
    Scc(scc::Args),
}

impl Command {
    pub(crate) fn run(self) -> Exit {
        match self {
            Command::Algorithms(args) => algorithms::run(&args),
            Command::Empty(args) => empty::run(&args),
            Command::Scc(args) => scc::run(&args),
        }
    }
}

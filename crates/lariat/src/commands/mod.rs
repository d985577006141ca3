//! One file for each command: its arguments and what it does.

mod algorithms;

use crate::exit::Exit;
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the emptiness checks: source, acceptance, bits per state, stores
    Algorithms(algorithms::Args),
}

impl Command {
    pub(crate) fn run(self) -> Exit {
        match self {
            Command::Algorithms(args) => algorithms::run(&args),
        }
    }
}

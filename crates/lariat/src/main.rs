//! The `lariat` command.
//!
//! Exit codes of every command: 0 holds or empty, 1 violated or non-empty, 2 bad input or
//! usage, 3 inconclusive, 4 internal error.

mod bug;
mod commands;
mod engine;
mod exit;
mod fingerprint;
mod input;
mod judge;
mod limits;
mod model;
mod progress;
mod property;
mod saved;
mod shortcuts;
mod style;
mod vacuity;
mod views;

use clap::Parser;
use std::process::ExitCode;

/// An on-the-fly explicit-state LTL model checker.
#[derive(Parser)]
#[command(version, after_help = exit::HELP, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    // `lariat … | head` ends quietly when the reader is gone.
    sigpipe::reset();
    bug::report_panics();
    let command = Cli::parse().command;
    bug::guarded(|| Ok(command.run())).unwrap_or_else(|exit| exit).into()
}

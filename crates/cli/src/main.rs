//! The `lariat` command.
//!
//! Exit codes of every command: 0 holds or empty, 1 violated or non-empty, 2 bad input or
//! usage, 3 inconclusive, 4 internal error.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr, reason = "see `out`")]

#[macro_use]
mod out;

mod arguments;
mod bug;
mod commands;
mod exit;
mod input;
mod limits;
mod progress;
mod signals;
mod spin_flags;
mod spread;
mod style;
mod views;
mod watchdog;

use clap::Parser;
use exit::Exit;
use std::io::IsTerminal;
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
    lariat_store::heap::map_large_blocks();
    bug::report_panics();
    let exit = match Cli::try_parse() {
        Ok(cli) => bug::guarded(|| Ok(cli.command.run())).unwrap_or_else(|exit| exit),
        Err(message) => say(&message),
    };
    out::finish(exit).into()
}

/// Help, the version, or what is wrong with the arguments.
fn say(message: &clap::Error) -> Exit {
    let text = message.render();
    let coloured = |on_terminal: bool| on_terminal && !style::colours_unwanted();
    if message.use_stderr() {
        match coloured(std::io::stderr().is_terminal()) {
            true => err!("{}", text.ansi()),
            false => err!("{text}"),
        }
        if message.kind() == clap::error::ErrorKind::UnknownArgument {
            let arguments = std::env::args_os().skip(1);
            let arguments: Vec<String> =
                arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
            spin_flags::hints(&arguments).iter().for_each(|hint| errln!("{hint}"));
        }
        return Exit::BadInput;
    }
    match coloured(std::io::stdout().is_terminal()) {
        true => out!("{}", text.ansi()),
        false => out!("{text}"),
    }
    Exit::Holds
}

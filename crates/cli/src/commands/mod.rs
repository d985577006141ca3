//! One file for each command: its arguments and what it does.

mod algorithms;
pub(crate) mod check;
mod compare;
mod count;
mod cross;
mod empty;
#[cfg(feature = "explore")]
mod explore;
mod replay;
mod report;
mod scc;
mod show;
mod simulate;
mod translate;

use crate::exit::Exit;
use crate::limits;
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check safety, `ltl` blocks and the never claim of models
    Check(Box<check::Args>),
    /// Compare the emptiness checks on the temporal properties of models
    Compare(Box<compare::Args>),
    /// Count the reachable states and transitions of a model
    Count(count::Args),
    /// Show runs of a model in the browser, play with them, and ask about it
    #[cfg(feature = "explore")]
    Explore(explore::Args),
    /// A check that the page of `explore` has asked for
    #[cfg(feature = "explore")]
    #[command(hide = true)]
    ExploreWorker,
    /// Replay saved counterexamples and judge them again
    Replay(replay::Args),
    /// Check models and write all verdicts, charts and coverage as one page
    Report(report::Args),
    /// Execute one run of a model, at random or step by step
    Simulate(simulate::Args),
    /// Show a model as lariat understands it
    Show(show::Args),
    /// List the emptiness checks: source, acceptance, bits per state, stores
    Algorithms(algorithms::Args),
    /// Cross-check translations of LTL formulas
    Cross(cross::Args),
    /// Decide whether automata in the HOA format accept any word
    Empty(empty::Args),
    /// Show the strongly connected components of automata and their classes
    Scc(scc::Args),
    /// Translate LTL formulas to Büchi automata
    Translate(translate::Args),
}

impl Command {
    pub(crate) fn run(self) -> Exit {
        // These catch signals before there is another thread.
        if !matches!(
            self,
            Command::Check(_) | Command::Compare(_) | Command::Count(_) | Command::Report(_)
        ) {
            limits::watch_memory();
        }
        match self {
            // The watchdog looks at them, too.
            Command::Check(args) => check::run(Box::leak(args)),
            Command::Compare(args) => compare::run(&args),
            Command::Count(args) => count::run(&args),
            #[cfg(feature = "explore")]
            Command::Explore(args) => explore::run(&args),
            #[cfg(feature = "explore")]
            Command::ExploreWorker => {
                lariat_explore::worker::run();
                Exit::Holds
            }
            Command::Replay(args) => replay::run(&args),
            Command::Report(args) => report::run(&args),
            Command::Simulate(args) => simulate::run(&args),
            Command::Show(args) => show::run(&args),
            Command::Algorithms(args) => algorithms::run(&args),
            Command::Cross(args) => cross::run(&args),
            Command::Empty(args) => empty::run(&args),
            Command::Scc(args) => scc::run(&args),
            Command::Translate(args) => translate::run(&args),
        }
    }
}

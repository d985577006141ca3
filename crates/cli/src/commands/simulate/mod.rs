//! `lariat simulate`: one run of a model, by chance or as the user says.
//!
//! - `run`: the states so far, and the steps from the last one
//! - `interactive`: asks the user for every step

mod interactive;
mod run;

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::arguments::reading;
use crate::exit::Exit;
use lariat_ltl::random::Rng;
use lariat_verify::Parts;
use run::{Next, Run};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A model: DVE if its name ends in .dve, else Promela
    model: PathBuf,
    #[command(flatten)]
    reading: reading::Args,
    /// The seed of the random choices. The same seed gives the same run
    #[arg(long, value_name = "N", conflicts_with = "interactive")]
    seed: Option<u64>,
    /// Stop after N steps
    #[arg(long, value_name = "N", default_value_t = 100)]
    steps: usize,
    /// Choose every step: a number, `u` to undo, `v` for the values, `q` to quit
    #[arg(short, long)]
    interactive: bool,
}

pub(crate) fn run(args: &Args) -> Exit {
    let loaded = match args.reading.reading().load(&args.model, Parts::System) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let mut run = match Run::start(loaded.model()) {
        Ok(run) => run,
        Err(fault) => {
            outln!("error in the initial state: {}", fault.kind);
            return Exit::Violated;
        }
    };
    match args.interactive {
        true => interactive::guide(&mut run, args.steps),
        false => by_chance(&mut run, args),
    }
}

fn by_chance(run: &mut Run<'_>, args: &Args) -> Exit {
    let seed = args.seed.unwrap_or_else(|| {
        // Any number will do; it is printed, so that the run can be had again.
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_micros() as u64)
    });
    outln!("seed {seed}");
    let mut dice = Rng::new(seed);
    for _ in 0..args.steps {
        let choices = run.choices();
        if choices == 0 {
            return finish(run);
        }
        if let Next::Error(error) = run.take(dice.below(choices)) {
            outln!("error: {error}");
            return Exit::Violated;
        }
    }
    match run.choices() {
        0 => finish(run),
        _ => {
            outln!("stopped after {} steps", args.steps);
            Exit::Holds
        }
    }
}

/// Nobody can move: says whether that is as it should be.
fn finish(run: &mut Run<'_>) -> Exit {
    if run.ends_well() {
        outln!("the run is over");
        return Exit::Holds;
    }
    outln!("error: invalid end state");
    out!("{}", run.standings());
    Exit::Violated
}

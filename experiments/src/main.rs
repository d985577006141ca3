//! `cargo run --release -p lariat-experiments -- PAGE`

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use lariat_experiments::lab::Lab;
use lariat_experiments::{
    beyond, gs2009, hpy1996, misprints, open_ends, rdkp2013, readme, se2005, stored, traversals,
};

/// Repeats an experiment and writes its page. A run that was interrupted goes on where it stopped.
#[derive(Parser)]
struct Args {
    page: Page,
    /// The folder with `beem`, as docs/corpus.md says
    #[arg(long, env = "LARIAT_CORPUS")]
    corpus: Option<PathBuf>,
    /// Larger instances: takes hours
    #[arg(long)]
    full: bool,
    /// Seed of everything that is random
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// Where pages and plots are written
    #[arg(long, default_value = env!("CARGO_MANIFEST_DIR"))]
    out: PathBuf,
    /// Where results are kept until they are measured anew
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/experiments"))]
    cache: PathBuf,
    /// Stop measuring after so many minutes, and write the page from what there is
    #[arg(long)]
    minutes: Option<f64>,
    /// Forget earlier results of this page
    #[arg(long)]
    fresh: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Page {
    /// Schwoon, Esparza 2005, Table 1
    Se2005,
    /// Gaiser, Schwoon 2009, Fig. 3
    Gs2009,
    /// Renault et al. 2013, Fig. 2, Tables 1 to 4
    Rdkp2013,
    /// Holzmann, Peled, Yannakakis 1996, §6
    Hpy1996,
    /// SE §5.2
    Traversals,
    /// Graphs that were computed before, against graphs on the fly
    Stored,
    /// What lariat adds around a check
    Beyond,
    /// What the papers leave open
    OpenEnds,
    /// Lines of the papers that are wrong
    Misprints,
    /// The list of claims, from all pages
    Readme,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let name = args.page.to_possible_value().expect("no page is hidden").get_name().to_owned();
    let lab = Lab::open(&name, args.corpus, args.out, &args.cache, args.fresh);
    let written = lab.and_then(|mut lab| {
        (lab.full, lab.seed) = (args.full, args.seed);
        lab.until =
            args.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(minutes * 60.0));
        match args.page {
            Page::Se2005 => se2005::run(&mut lab),
            Page::Gs2009 => gs2009::run(&mut lab),
            Page::Rdkp2013 => rdkp2013::run(&mut lab),
            Page::Hpy1996 => hpy1996::run(&mut lab),
            Page::Traversals => traversals::run(&mut lab),
            Page::Stored => stored::run(&mut lab),
            Page::Beyond => beyond::run(&mut lab),
            Page::OpenEnds => open_ends::run(&mut lab),
            Page::Misprints => misprints::run(&mut lab),
            Page::Readme => readme::run(&lab),
        }
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

//! How runs are shown, and in which files they are written: `check` and `replay` share these
//! options.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use lariat_chart::{svg, text};
use lariat_model::ir::Model;
use lariat_report::chart::chart;
use lariat_report::execution::{Ending, Execution};
use lariat_report::itf::itf;
use lariat_report::numbers::counted;
use lariat_report::replay::{Shown, part};
use lariat_report::run_text::{self, How};
use lariat_report::trace_table::Vars;
use lariat_report::trail::trail;

#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Views {
    /// Which variables to show beside each step of a run
    #[arg(long, value_enum, default_value = "changed")]
    vars: VarsArg,
    /// Show every step, even if the run is long
    #[arg(long)]
    full_trace: bool,
    /// Show runs as message sequence charts
    #[arg(long)]
    msc: bool,
    /// Write the first run as a message sequence chart in SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the first run in Apalache's Informal Trace Format
    #[arg(long, value_name = "FILE")]
    itf: Option<PathBuf>,
    /// Write the first run as a trail for `spin -t` (see docs/trails.md)
    #[arg(long, value_name = "FILE")]
    trail: Option<PathBuf>,
}

/// What a run is about.
pub(crate) struct About<'a> {
    pub(crate) property: &'a str,
    pub(crate) formula: Option<&'a str>,
    /// The error in which a finite run ends.
    pub(crate) error: Option<&'a str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum VarsArg {
    /// The variables that the step changed
    Changed,
    /// All variables, after every step
    All,
}

/// Rows of a long run in a document.
const DRAWN: (usize, usize) = (500, 1500);

impl Views {
    /// The whole run. `stuck`: say where the processes stand at its end.
    pub(crate) fn text(&self, model: &Model, run: &Execution, what: &str, stuck: bool) -> String {
        let shown = if self.full_trace { Shown::All } else { run_text::ENDS };
        let vars = match self.vars {
            VarsArg::Changed => Vars::Changed,
            VarsArg::All => Vars::All,
        };
        if self.msc {
            let chart = chart(model, run);
            let chart = if self.full_trace { chart } else { chart.cut(20, 60) };
            let mut out = format!("{what}, {}:\n", counted(run.steps.len() as u64, "step"));
            out += &text(&chart);
            if matches!(run.ending, Ending::Error | Ending::Decided { .. }) {
                let prefix = part(model, run, run.prefix(), shown);
                out += &run_text::end(run, &prefix, stuck);
            }
            return out;
        }
        run_text::text(model, run, &How { what, vars, shown, is_stuck: stuck })
    }
}

impl Views {
    /// Whether the first run is to be written somewhere.
    pub(crate) fn has_files(&self) -> bool {
        self.svg.is_some() || self.itf.is_some() || self.trail.is_some()
    }

    /// Says that the files have the first of several runs.
    pub(crate) fn tell_which(&self, properties: &[String]) {
        let files = [("--svg", &self.svg), ("--itf", &self.itf), ("--trail", &self.trail)];
        let given = files.iter().filter(|(_, file)| file.is_some()).map(|&(option, _)| option);
        let given = given.collect::<Vec<_>>().join(", ");
        if let [written, others @ ..] = properties
            && !others.is_empty()
            && self.has_files()
        {
            let others = others.join(", ");
            errln!("note: {given}: only the run of {written} was written, not of {others}");
        }
    }

    /// Writes the files that were asked for. Errors are sentences.
    pub(crate) fn write(
        &self,
        model: &Model,
        run: &Execution,
        about: &About<'_>,
    ) -> Result<(), String> {
        if let Some(file) = &self.svg {
            let (first, last) = DRAWN;
            let name = format!("{}: {}", model.name, about.property);
            let titles: Vec<String> =
                [name].into_iter().chain(about.formula.map(str::to_owned)).collect();
            let failure = match (run.ending, about.error) {
                (Ending::Error, Some(error)) => error.to_owned(),
                (Ending::Decided { holds }, _) => run_text::decision(run, holds),
                _ => String::new(),
            };
            put(file, &svg(&chart(model, run).cut(first, last), &titles, &failure))?;
        }
        if let Some(file) = &self.itf {
            put(file, &format!("{}\n", itf(model, run, about.property)))?;
        }
        if let Some(file) = &self.trail {
            let trail = trail(model, run).map_err(|why| format!("no trail is written: {why}"))?;
            put(file, &trail)?;
        }
        Ok(())
    }
}

fn put(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

//! Models on the command line: which file, read how.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use lariat_model::promela::Failure;
use lariat_syntax::diagnostics::{Diagnostic, SourceMap, render};
use lariat_verify::{Language, Loaded, Parts, model};

use super::FOR_TESTS;
use crate::bug;
use crate::exit::Exit;
use crate::input;
use crate::out;
use crate::spin_flags;
use crate::style::colours_unwanted;

/// How models are read; the files themselves are arguments of each command.
#[derive(clap::Args, Clone, Debug)]
#[group(id = "reading")]
pub(crate) struct Args {
    /// Define a preprocessor macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Also search this directory for included files
    #[arg(short = 'I', value_name = "DIR")]
    include_dirs: Vec<PathBuf>,
    /// Sending to a full channel loses the message instead of waiting (`spin -m`)
    #[arg(short = 'm', long)]
    lose_messages: bool,
    /// Ignore process priorities (`spin -o6`)
    #[arg(long)]
    ignore_priorities: bool,
    /// Show more warnings, as `spin -v` does: unused variables, redundant skips, conditions that
    /// are always false
    #[arg(long, conflicts_with = "quiet")]
    all_warnings: bool,
    /// Show no warnings
    #[arg(short, long)]
    quiet: bool,
    /// Treat this label as a control point even if nothing names it
    #[arg(long = "control-point", value_name = "PROCTYPE@LABEL",
          hide_short_help = true, help_heading = FOR_TESTS)]
    control_points: Vec<String>,
}

impl Args {
    pub(crate) fn reading(&self) -> Reading {
        let how = model::Reading {
            defines: self.defines.clone(),
            include_dirs: self.include_dirs.clone(),
            lose_messages: self.lose_messages,
            ignore_priorities: self.ignore_priorities,
            all_warnings: self.all_warnings,
            control_points: self.control_points.clone(),
        };
        Reading { how, is_quiet: self.quiet }
    }

    /// The options that decide how a model is read, for another process. Nothing that is only said.
    pub(crate) fn as_given(&self) -> Vec<OsString> {
        let mut given: Vec<OsString> = Vec::new();
        given.extend(self.defines.iter().map(|define| format!("-D{define}").into()));
        for folder in &self.include_dirs {
            given.extend(["-I".into(), folder.into()]);
        }
        let labels = self.control_points.iter();
        given.extend(labels.map(|label| format!("--control-point={label}").into()));
        given.extend(self.lose_messages.then(|| "--lose-messages".into()));
        given.extend(self.ignore_priorities.then(|| "--ignore-priorities".into()));
        given
    }

    /// An option that was given and makes another model of the file.
    pub(crate) fn changes_meaning(&self) -> Option<&'static str> {
        let given = [
            (!self.defines.is_empty(), "-D"),
            (self.lose_messages, "--lose-messages"),
            (self.ignore_priorities, "--ignore-priorities"),
        ];
        given.into_iter().find(|&(given, _)| given).map(|(_, option)| option)
    }
}

/// Reads models, and says on standard error what is wrong with them.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) how: model::Reading,
    /// No warnings are wanted.
    pub(crate) is_quiet: bool,
}

impl Reading {
    /// The same where these labels are control points, too. What was to be said about the model
    /// has been said.
    pub(crate) fn with_control_points(&self, labels: &[String]) -> Reading {
        Reading { how: self.how.with_control_points(labels), is_quiet: true }
    }

    pub(crate) fn load(&self, path: &Path, parts: Parts) -> Result<Loaded, Exit> {
        bug::busy_with(path);
        if !self.is_quiet {
            spin_flags::macro_hints(&self.how.defines).iter().for_each(|hint| errln!("{hint}"));
        }
        let loaded = if path == Path::new("-") {
            let (name, text) = input::read(path).map_err(|message| input::refuse(&message))?;
            self.how.load_text(&name, &text, Language::Promela, parts)
        } else {
            self.how.load(path, parts)
        };
        let loaded = loaded.map_err(bug::tell)?;
        self.say(&loaded.model().sources, loaded.warnings());
        bug::busy_with_model(loaded.model());
        Ok(loaded)
    }

    /// Reads a Promela model once more, with files of claims behind its last line.
    pub(crate) fn load_with_claims(&self, path: &Path, claims: &[PathBuf]) -> Result<Loaded, Exit> {
        bug::busy_with(path);
        let loaded = self.how.load_with_claims(path, claims).map_err(bug::tell)?;
        bug::busy_with_model(loaded.model());
        Ok(loaded)
    }

    /// Writes warnings that are text already.
    pub(crate) fn warn(&self, warnings: &[String]) {
        for warning in warnings.iter().filter(|_| !self.is_quiet) {
            errln!("{}", warning.trim_end());
        }
    }

    /// Writes messages to standard error.
    pub(crate) fn say(&self, sources: &SourceMap, diagnostics: &[Diagnostic]) {
        let shown = diagnostics.iter().filter(|found| found.is_error() || !self.is_quiet);
        shown.for_each(|found| say(sources, found));
    }
}

/// Writes all messages about bad input.
pub(crate) fn refuse(failure: &Failure) -> Exit {
    failure.diagnostics.iter().for_each(|found| say(&failure.sources, found));
    Exit::BadInput
}

fn say(sources: &SourceMap, diagnostic: &Diagnostic) {
    let color = std::io::stderr().is_terminal() && !colours_unwanted();
    let text = render(sources, diagnostic, color);
    match diagnostic.is_error() {
        true => out::complain(&text),
        false => errln!("{text}"),
    }
}

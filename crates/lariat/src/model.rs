//! Models on the command line: which file, read how.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use lariat_model::dve::{self, DveModel};
use lariat_model::ir::{Expr, ExprId, Model};
use lariat_model::lower::LowerOptions;
use lariat_model::promela;
use lariat_syntax::diagnostics::{Diagnostic, SourceMap, Span, render};
use lariat_syntax::promela::Options as SyntaxOptions;
use serde_json::{Value, json};

use crate::bug;
use crate::engine::FOR_TESTS;
use crate::exit::Exit;
use crate::input;
use crate::out;
use crate::spin_flags;
use crate::style::colours_unwanted;

/// How models are read; the files themselves are arguments of each command.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Reading {
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

/// Which language a file is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    Promela,
    Dve,
}

/// What of a DVE file is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parts {
    /// The processes of the system, not the one behind `property`.
    System,
    All,
}

/// A model that was read without errors.
#[allow(clippy::large_enum_variant, reason = "there is one of them for each model")]
pub(crate) enum Loaded {
    Promela(promela::Loaded),
    Dve(DveModel),
}

impl Loaded {
    pub(crate) fn language(&self) -> Language {
        match self {
            Loaded::Promela(_) => Language::Promela,
            Loaded::Dve(_) => Language::Dve,
        }
    }

    pub(crate) fn model(&self) -> &Model {
        match self {
            Loaded::Promela(loaded) => &loaded.model,
            Loaded::Dve(loaded) => &loaded.model,
        }
    }

    /// Adds an expression that no text of the model's language stands for.
    pub(crate) fn add(&mut self, expr: Expr) -> ExprId {
        let model = match self {
            Loaded::Promela(loaded) => &mut loaded.model,
            Loaded::Dve(loaded) => &mut loaded.model,
        };
        model.exprs.add(expr, Span::NOWHERE)
    }

    /// Adds an expression of the command line, in the model's own language.
    pub(crate) fn expression(&mut self, name: &str, text: &str) -> Result<ExprId, Vec<Diagnostic>> {
        match self {
            Loaded::Promela(loaded) => loaded.add_expression(name, text),
            Loaded::Dve(loaded) => dve::expression(loaded, name, text),
        }
    }

    /// Labels of those expressions that must be control points before the model is searched.
    pub(crate) fn asked_labels(&self) -> &[String] {
        match self {
            Loaded::Promela(loaded) => loaded.vocabulary.asked_labels(),
            Loaded::Dve(_) => &[],
        }
    }
}

/// How to read a model once more, in a saved run.
impl Reading {
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "defines": self.defines,
            "include_dirs": self.include_dirs,
            "lose_messages": self.lose_messages,
            "ignore_priorities": self.ignore_priorities,
            "control_points": self.control_points,
        })
    }

    /// None if this is not what [`Reading::to_json`] makes.
    pub(crate) fn from_json(value: &Value) -> Option<Reading> {
        let texts = |key: &str| -> Option<Vec<String>> {
            let list = value[key].as_array()?.iter();
            list.map(|text| text.as_str().map(str::to_owned)).collect()
        };
        Some(Reading {
            defines: texts("defines")?,
            include_dirs: texts("include_dirs")?.into_iter().map(PathBuf::from).collect(),
            lose_messages: value["lose_messages"].as_bool()?,
            ignore_priorities: value["ignore_priorities"].as_bool()?,
            all_warnings: false,
            quiet: true,
            // Files of earlier versions have none.
            control_points: texts("control_points").unwrap_or_default(),
        })
    }
}

impl Reading {
    /// The same where these labels are control points, too. What was to be said about the model
    /// has been said.
    pub(crate) fn with_control_points(&self, labels: &[String]) -> Reading {
        let control_points = self.control_points.iter().chain(labels).cloned().collect();
        Reading { control_points, quiet: true, ..self.clone() }
    }

    /// The same with other directories of included files.
    pub(crate) fn map_directories(&self, to: impl Fn(&Path) -> PathBuf) -> Reading {
        let include_dirs = self.include_dirs.iter().map(|directory| to(directory)).collect();
        Reading { include_dirs, ..self.clone() }
    }

    /// Reads a model; says on standard error what is wrong with it.
    pub(crate) fn load(&self, path: &Path, parts: Parts) -> Result<Loaded, Exit> {
        bug::busy_with(path);
        let loaded = self.load_system(path, parts)?;
        bug::busy_with_model(loaded.model());
        Ok(loaded)
    }

    fn load_system(&self, path: &Path, parts: Parts) -> Result<Loaded, Exit> {
        if has_extension(path, "mdve") {
            return Err(input::refuse(&format!(
                "{}: a template is a program for m4, and its macros are in other files; run m4 \
                 on it, the outcome is a .dve model",
                path.display()
            )));
        }
        if !self.quiet {
            spin_flags::macro_hints(&self.defines).iter().for_each(|hint| errln!("{hint}"));
        }
        match language_of(path) {
            Language::Promela => self.load_promela(path).map(Loaded::Promela),
            Language::Dve => self.load_dve(path, parts).map(Loaded::Dve),
        }
    }

    fn load_promela(&self, path: &Path) -> Result<promela::Loaded, Exit> {
        let options = self.promela_options();
        let loaded = if path == Path::new("-") {
            let (name, text) = input::read(path).map_err(|message| input::refuse(&message))?;
            promela::load_text(&name, &text, &options)
        } else {
            promela::load(path, &options)
        };
        match loaded {
            Ok(loaded) => {
                self.say(&loaded.model.sources, &loaded.warnings);
                Ok(loaded)
            }
            Err(failure) => Err(self.refuse(&failure)),
        }
    }

    /// Reads a Promela model once more, with these files behind its last line, as `spin -N`
    /// does: claims that may use all that the model declares.
    pub(crate) fn load_with_claims(&self, path: &Path, claims: &[PathBuf]) -> Result<Loaded, Exit> {
        bug::busy_with(path);
        if language_of(path) == Language::Dve {
            return Err(input::refuse("--never is for Promela models"));
        }
        if path == Path::new("-") {
            return Err(input::refuse("--never needs a model in a file, not standard input"));
        }
        for claim in claims {
            input::read(claim).map_err(|message| input::refuse(&message))?;
        }
        let files = [path].into_iter().chain(claims.iter().map(PathBuf::as_path));
        let text: String = files.map(|file| format!("#include \"{}\"\n", file.display())).collect();
        match promela::load_text("<model and claims>", &text, &self.promela_options()) {
            Ok(mut loaded) => {
                loaded.model.name = path.display().to_string();
                bug::busy_with_model(&loaded.model);
                Ok(Loaded::Promela(loaded))
            }
            Err(failure) => Err(self.refuse(&failure)),
        }
    }

    fn load_dve(&self, path: &Path, parts: Parts) -> Result<DveModel, Exit> {
        let unused = [
            (!self.defines.is_empty(), "-D"),
            (!self.include_dirs.is_empty(), "-I"),
            (self.lose_messages, "--lose-messages"),
            (self.ignore_priorities, "--ignore-priorities"),
            (self.all_warnings, "--all-warnings"),
        ];
        if let Some((_, switch)) = unused.into_iter().find(|&(given, _)| given) {
            return Err(input::refuse(&format!("{switch} is for Promela models")));
        }
        let (name, text) = input::read(path).map_err(|message| input::refuse(&message))?;
        let options = dve::Options { property: parts == Parts::All };
        let loaded =
            dve::load_text(&name, &text, options).map_err(|failure| self.refuse(&failure))?;
        self.say(&loaded.model.sources, &loaded.warnings);
        Ok(loaded)
    }

    fn refuse(&self, failure: &promela::Failure) -> Exit {
        self.say(&failure.sources, &failure.diagnostics);
        Exit::BadInput
    }

    pub(crate) fn promela_options(&self) -> promela::Options {
        promela::Options {
            syntax: SyntaxOptions {
                defines: self.defines.clone(),
                include_dirs: self.include_dirs.clone(),
            },
            lower: LowerOptions {
                message_loss: self.lose_messages,
                ignore_priorities: self.ignore_priorities,
                control_points: self.control_points.clone(),
            },
            all_warnings: self.all_warnings,
        }
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

    /// No warnings are wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Writes warnings that are text already.
    pub(crate) fn warn(&self, warnings: &[String]) {
        for warning in warnings.iter().filter(|_| !self.quiet) {
            errln!("{}", warning.trim_end());
        }
    }

    /// Writes messages to standard error.
    pub(crate) fn say(&self, sources: &SourceMap, diagnostics: &[Diagnostic]) {
        let color = std::io::stderr().is_terminal() && !colours_unwanted();
        let shown = diagnostics.iter().filter(|found| found.is_error() || !self.quiet);
        for diagnostic in shown {
            let text = render(sources, diagnostic, color);
            match diagnostic.is_error() {
                true => out::complain(&text),
                false => errln!("{text}"),
            }
        }
    }
}

pub(crate) fn language_of(path: &Path) -> Language {
    match has_extension(path, "dve") {
        true => Language::Dve,
        false => Language::Promela,
    }
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

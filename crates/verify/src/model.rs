//! Models: how a file or a text is read.

use std::path::{Path, PathBuf};

use lariat_ltl::syntax::Dialect;
use lariat_model::dve::{self, DveModel};
use lariat_model::ir::{Expr, ExprId, Model};
use lariat_model::lower::LowerOptions;
use lariat_model::promela;
use lariat_syntax::diagnostics::{Diagnostic, Span};
use lariat_syntax::promela::CppOptions;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// How models are read.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reading {
    /// Macros of the preprocessor, `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Where included files are searched, too.
    pub include_dirs: Vec<PathBuf>,
    /// Sending to a full channel loses the message instead of waiting (`spin -m`).
    pub lose_messages: bool,
    /// Ignore process priorities (`spin -o6`).
    pub ignore_priorities: bool,
    /// Also the warnings that Spin gives only with `-v`.
    #[serde(skip)]
    pub all_warnings: bool,
    /// Labels, as `proctype@label`, that are control points even if nothing names them.
    #[serde(default)]
    pub control_points: Vec<String>,
}

/// Which language a file is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Spin's.
    Promela,
    /// DiVinE's.
    Dve,
}

/// What of a DVE file is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parts {
    /// The processes of the system, not the one behind `property`.
    System,
    /// The property process, too.
    All,
}

/// A model that was read without errors.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "there is one of them for each model")]
pub enum Loaded {
    /// In Promela.
    Promela(promela::Loaded),
    /// In DVE.
    Dve(DveModel),
}

impl Loaded {
    /// Which language it is in.
    pub fn language(&self) -> Language {
        match self {
            Loaded::Promela(_) => Language::Promela,
            Loaded::Dve(_) => Language::Dve,
        }
    }

    /// The model itself.
    pub fn model(&self) -> &Model {
        match self {
            Loaded::Promela(loaded) => &loaded.model,
            Loaded::Dve(loaded) => &loaded.model,
        }
    }

    /// Adds an expression that no text of the model's language stands for.
    pub fn add(&mut self, expr: Expr) -> ExprId {
        let model = match self {
            Loaded::Promela(loaded) => &mut loaded.model,
            Loaded::Dve(loaded) => &mut loaded.model,
        };
        model.exprs.add(expr, Span::NOWHERE)
    }

    /// Adds an expression in the model's own language.
    pub fn expression(&mut self, name: &str, text: &str) -> Result<ExprId, Vec<Diagnostic>> {
        match self {
            Loaded::Promela(loaded) => loaded.add_expression(name, text),
            Loaded::Dve(loaded) => dve::expression(loaded, name, text),
        }
    }

    /// How formulas over it are written.
    pub fn dialect(&self) -> Dialect {
        match self {
            Loaded::Promela(_) => Dialect::Spin,
            Loaded::Dve(_) => Dialect::Auto,
        }
    }

    /// What is doubtful about it.
    pub fn warnings(&self) -> &[Diagnostic] {
        match self {
            Loaded::Promela(loaded) => &loaded.warnings,
            Loaded::Dve(loaded) => &loaded.warnings,
        }
    }

    /// Labels of those expressions that must be control points before the model is searched.
    pub fn asked_labels(&self) -> &[String] {
        match self {
            Loaded::Promela(loaded) => loaded.vocabulary.asked_labels(),
            Loaded::Dve(_) => &[],
        }
    }
}

impl Reading {
    /// The same where these labels are control points, too.
    pub fn with_control_points(&self, labels: &[String]) -> Reading {
        let control_points = self.control_points.iter().chain(labels).cloned().collect();
        Reading { control_points, ..self.clone() }
    }

    /// The same with other directories of included files.
    pub fn map_directories(&self, to: impl Fn(&Path) -> PathBuf) -> Reading {
        let include_dirs = self.include_dirs.iter().map(|directory| to(directory)).collect();
        Reading { include_dirs, ..self.clone() }
    }

    /// Reads a model from a file: DVE if its name ends in `.dve`, else Promela.
    pub fn load(&self, path: &Path, parts: Parts) -> Result<Loaded, Error> {
        if has_extension(path, "mdve") {
            return Err(Error::Refused(format!(
                "{}: a template is a program for m4, and its macros are in other files; run m4 \
                 on it, the outcome is a .dve model",
                path.display()
            )));
        }
        match language_of(path) {
            Language::Promela => Ok(Loaded::Promela(promela::load(path, &self.promela_options())?)),
            Language::Dve => {
                self.fits_dve()?;
                let (name, text) = read(path)?;
                self.load_text(&name, &text, Language::Dve, parts)
            }
        }
    }

    /// Reads a model from text.
    pub fn load_text(
        &self,
        name: &str,
        text: &str,
        language: Language,
        parts: Parts,
    ) -> Result<Loaded, Error> {
        Ok(match language {
            Language::Promela => {
                Loaded::Promela(promela::load_text(name, text, &self.promela_options())?)
            }
            Language::Dve => {
                self.fits_dve()?;
                let options = dve::DveOptions { property: parts == Parts::All };
                Loaded::Dve(dve::load_text(name, text, options)?)
            }
        })
    }

    /// Reads a Promela model with these files behind its last line, as `spin -N` does: claims
    /// that may use all that the model declares.
    pub fn load_with_claims(&self, path: &Path, claims: &[PathBuf]) -> Result<Loaded, Error> {
        if language_of(path) == Language::Dve {
            return Err(Error::Refused("--never is for Promela models".to_owned()));
        }
        if path == Path::new("-") {
            let message = "--never needs a model in a file, not standard input";
            return Err(Error::Refused(message.to_owned()));
        }
        for claim in claims {
            read(claim)?;
        }
        let files = [path].into_iter().chain(claims.iter().map(PathBuf::as_path));
        let text: String = files.map(|file| format!("#include \"{}\"\n", file.display())).collect();
        let options = self.promela_options();
        let mut loaded = promela::load_text("<model and claims>", &text, &options)?;
        loaded.model.name = path.display().to_string();
        Ok(Loaded::Promela(loaded))
    }

    /// What has no meaning for DVE is refused, not ignored.
    fn fits_dve(&self) -> Result<(), Error> {
        let unused = [
            (!self.defines.is_empty(), "-D"),
            (!self.include_dirs.is_empty(), "-I"),
            (self.lose_messages, "--lose-messages"),
            (self.ignore_priorities, "--ignore-priorities"),
            (self.all_warnings, "--all-warnings"),
        ];
        match unused.into_iter().find(|&(given, _)| given) {
            Some((_, switch)) => Err(Error::Refused(format!("{switch} is for Promela models"))),
            None => Ok(()),
        }
    }

    /// The same for Promela alone.
    pub fn promela_options(&self) -> promela::PromelaOptions {
        promela::PromelaOptions {
            syntax: CppOptions {
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
}

/// DVE if the name ends in `.dve`, else Promela.
pub fn language_of(path: &Path) -> Language {
    match has_extension(path, "dve") {
        true => Language::Dve,
        false => Language::Promela,
    }
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// The name to show and the text of a file. An error is a sentence.
pub fn read(path: &Path) -> Result<(String, String), String> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    Ok((name.clone(), utf8(&name, bytes)?))
}

/// Bytes as text. An error is a sentence.
pub fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes)
        .map_err(|error| format!("{name} is not UTF-8 text: {}", error.utf8_error()))
}

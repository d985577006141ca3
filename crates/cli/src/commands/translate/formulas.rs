//! Where formulas come from: arguments and files.

use crate::exit::Exit;
use crate::input;
use lariat_ltl::syntax::{Dialect, ParseOptions};
use lariat_ltl::{Formulas, Ltl, list};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Source {
    /// A formula in Spin's or Spot's syntax
    pub(crate) formula: Vec<String>,
    /// A file with one formula a line; `-` is standard input
    #[arg(short = 'F', long, value_name = "FILE")]
    pub(crate) file: Vec<PathBuf>,
    /// Whose syntax the formulas are in
    #[arg(long, value_enum, default_value_t = DialectArg::Auto)]
    dialect: DialectArg,
}

#[derive(clap::ValueEnum, Clone, Copy)]
enum DialectArg {
    /// Spin's if it has [], <>, V or a word such as `always`, else Spot's
    Auto,
    Spin,
    Spot,
}

/// A formula and where it stands.
pub(crate) struct Entry {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) text: String,
    pub(crate) formula: Ltl,
}

impl Source {
    /// All formulas that could be read; complaints go to standard error.
    pub(crate) fn formulas(&self, all: &mut Formulas) -> Result<(Vec<Entry>, Exit), String> {
        let mut texts: Vec<(String, String)> = Vec::new();
        for formula in &self.formula {
            texts.push(("formula".to_owned(), formula.replace('\n', " ")));
        }
        for file in &self.file {
            texts.push(input::read(file)?);
        }
        if texts.is_empty() {
            return Err("give a formula, or a file of formulas with -F".to_owned());
        }
        let options = ParseOptions {
            dialect: match self.dialect {
                DialectArg::Auto => Dialect::Auto,
                DialectArg::Spin => Dialect::Spin,
                DialectArg::Spot => Dialect::Spot,
            },
            ..ParseOptions::default()
        };
        let mut entries = Vec::new();
        let mut worst = Exit::Holds;
        for (name, text) in &texts {
            let lines = list::read(all, text, options);
            if lines.is_empty() {
                return Err(format!("{name}: there is no formula"));
            }
            for line in lines {
                match line {
                    Ok(entry) => {
                        for warning in &entry.warnings {
                            err!("{}", warning.render(entry.text, name, entry.line));
                        }
                        entries.push(Entry {
                            file: name.clone(),
                            line: entry.line,
                            text: entry.text.to_owned(),
                            formula: entry.formula,
                        });
                    }
                    Err(bad) => {
                        err!("{}", bad.error.render(bad.text, name, bad.line));
                        worst = Exit::BadInput;
                    }
                }
            }
        }
        Ok((entries, worst))
    }
}

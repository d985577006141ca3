//! The published numbers, answers and propositions of BEEM.

use std::path::{Path, PathBuf};

use crate::table::{Row, Table};

/// All of BEEM's tables.
pub struct Beem {
    folder: PathBuf,
    pub instances: Table,
    pub properties: Table,
    pub propositions: Table,
    ltsmin: Table,
}

impl Beem {
    pub fn read(corpus: &Path) -> Result<Beem, String> {
        let folder = corpus.join("beem");
        let table = |name: &str| Table::read(&folder.join(name));
        Ok(Beem {
            instances: table("beem_instances.csv")?,
            properties: table("beem_properties.csv")?,
            propositions: table("beem_propositions.csv")?,
            ltsmin: table("ltsmin_ref.csv")?,
            folder,
        })
    }

    /// The text of a model, if it is public.
    pub fn model(&self, file: &str) -> Option<String> {
        std::fs::read_to_string(self.folder.join("dve").join(file)).ok()
    }

    pub fn ltsmin(&self, file: &str) -> Option<Row<'_>> {
        self.ltsmin.rows().find(|row| row.get("file") == file && row.get("status") == "ok")
    }

    /// The published number of states of an instance that was explored to the end.
    pub fn states(&self, model: &str, instance: &str) -> Option<u64> {
        let mut rows = self.instances.rows();
        let row = rows.find(|row| row.get("model") == model && row.get("instance") == instance)?;
        if row.get("reach_complete") == "yes" { row.number("states") } else { None }
    }

    /// A formula without temporal operators as a DVE expression: propositions replaced by what
    /// they stand for.
    pub fn expression(&self, model: &str, instance: &str, formula: &str) -> String {
        let mut expression = String::new();
        let mut word = String::new();
        for c in formula.chars().chain([' ']) {
            if c.is_ascii_alphanumeric() || c == '_' {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                match self.proposition(model, instance, &word) {
                    Some(meaning) => expression += &format!("({meaning})"),
                    None => expression += &word,
                }
                word.clear();
            }
            expression.push(c);
        }
        expression
    }

    fn proposition(&self, model: &str, instance: &str, name: &str) -> Option<&str> {
        let mut rows = self.propositions.rows();
        let row = rows.find(|row| {
            (row.get("model"), row.get("instance"), row.get("proposition"))
                == (model, instance, name)
        })?;
        Some(row.get("expression"))
    }
}

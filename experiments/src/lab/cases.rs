//! Models with a question about their runs.

use std::path::{Path, PathBuf};

use lariat_automata::{Tgba, classify};
use lariat_testing::beem::Beem;
use lariat_verify::property::formula::Property;
use lariat_verify::{Asked, Model, Question, Reading, Source};

/// A model and a property.
pub struct Case {
    pub name: String,
    pub model: Model,
    pub asked: Asked,
}

impl Case {
    /// A model of a file; `defines` are macros.
    pub fn new(
        name: &str,
        file: &Path,
        defines: &[&str],
        question: Question,
    ) -> Result<Case, String> {
        let defines = defines.iter().map(|&define| define.to_owned()).collect();
        let reading = Reading { defines, ..Reading::default() };
        let model = Model::read(Source::File(file.to_owned()), reading);
        let mut model = model.map_err(|error| error.to_string())?;
        let asked = model.ask(question).map_err(|error| error.to_string())?;
        Ok(Case { name: name.to_owned(), model, asked })
    }

    /// A model in Promela, and a formula.
    pub fn promela(name: &str, text: &str, formula: &str) -> Result<Case, String> {
        let mut model = Model::promela(name, text).map_err(|error| error.to_string())?;
        let asked = model.ltl(formula).map_err(|error| error.to_string())?;
        Ok(Case { name: name.to_owned(), model, asked })
    }

    pub fn property(&self) -> &Property {
        self.model.property(self.asked).expect("a question about runs")
    }

    /// Accepts the runs that are looked for.
    pub fn automaton(&self) -> Result<Tgba, String> {
        let automaton = self.property().watcher.automaton();
        automaton.map(|automaton| automaton.into_owned()).map_err(|error| error.to_string())
    }

    pub fn is_weak(&self) -> Result<bool, String> {
        Ok(classify(&self.automaton()?).inherently_weak)
    }
}

/// A model of the experiments' own.
pub fn own(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(file)
}

/// A row of BEEM's table of LTL properties.
#[derive(Clone, Debug)]
pub struct BeemRow {
    /// `MODEL.INSTANCE.propN`
    pub name: String,
    pub file: PathBuf,
    /// With expressions in place of propositions.
    pub formula: String,
    /// Of the system alone, as published; very many if nobody has counted them.
    pub states: u64,
}

impl BeemRow {
    pub fn case(&self) -> Result<Case, String> {
        Case::new(&self.name, &self.file, &[], Question::Ltl(self.formula.clone()))
    }
}

/// An expression of DVE as formulas take it: with operators in signs, not in words.
pub fn in_signs(expression: &str) -> String {
    let sign = |word: &str| match word {
        "and" => "&&".to_owned(),
        "or" => "||".to_owned(),
        "not" => "!".to_owned(),
        word => word.to_owned(),
    };
    let (mut out, mut word) = (String::new(), String::new());
    for c in expression.chars() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            out += &sign(&std::mem::take(&mut word));
            out.push(c);
        }
    }
    out + &sign(&word)
}

/// The LTL rows of public instances with at most so many states.
pub fn beem_rows(corpus: &Path, beem: &Beem, most: u64) -> Vec<BeemRow> {
    let rows = beem.properties.rows().filter(|row| row.get("prop_type") == "LTL");
    let row = |row: lariat_testing::table::Row<'_>| {
        let (model, instance) = (row.get("model"), row.get("instance"));
        let states = beem.states(model, instance).unwrap_or(u64::MAX);
        let file = corpus.join("beem/dve").join(format!("{model}.{instance}.dve"));
        let name = format!("{model}.{instance}.prop{}", row.get("prop"));
        let formula = in_signs(&beem.expression(model, instance, row.get("formula")));
        (states <= most && file.exists()).then_some(BeemRow { name, file, formula, states })
    };
    rows.filter_map(row).collect()
}

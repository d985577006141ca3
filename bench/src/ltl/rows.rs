//! The questions about infinite runs that `spin_ref.csv` records answers to, and some more that
//! it does not.

use std::io;
use std::path::Path;

use super::Verdict;

/// A question about a model of the corpus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// In the corpus.
    pub path: String,
    pub about: About,
    /// Only weakly fair runs count (`-f`).
    pub fair: bool,
    /// None if Spin was cut, or never asked.
    pub recorded: Option<Verdict>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// The `ltl` block of this name.
    Formula(String),
    Never,
    Acceptance,
    NonProgress,
}

impl Row {
    /// A line of `spin_ref.csv`, by its columns; None for other questions.
    fn parse(path: &str, mode: &str, status: &str, errors: &str) -> Option<Row> {
        let (mode, name) = mode.split_once(':').unwrap_or((mode, ""));
        let (about, fair) = match mode {
            "ltl" => (About::Formula(name.to_owned()), false),
            "ltlfair" => (About::Formula(name.to_owned()), true),
            "never" => (About::Never, false),
            "neverfair" => (About::Never, true),
            "accept" => (About::Acceptance, false),
            "acceptfair" => (About::Acceptance, true),
            "np" => (About::NonProgress, false),
            "npfair" => (About::NonProgress, true),
            _ => return None,
        };
        let recorded = match (status, errors) {
            ("complete" | "error-found", "0") => Some(Verdict::Holds),
            ("complete" | "error-found", _) => Some(Verdict::Violated),
            _ => None,
        };
        Some(Row { path: path.to_owned(), about, fair, recorded })
    }

    /// The question as Spin's tables name it.
    pub fn mode(&self) -> String {
        let fair = if self.fair { "fair" } else { "" };
        match &self.about {
            About::Formula(name) => format!("ltl{fair}:{name}"),
            About::Never => format!("never{fair}"),
            About::Acceptance => format!("accept{fair}"),
            About::NonProgress => format!("np{fair}"),
        }
    }

    /// The question as arguments of lariat.
    pub fn arguments(&self) -> Vec<String> {
        let mut args: Vec<String> = match &self.about {
            About::Formula(name) => vec!["--property".to_owned(), name.clone()],
            About::Never => ["--property", "never"].map(str::to_owned).to_vec(),
            About::Acceptance => ["--property", "accept"].map(str::to_owned).to_vec(),
            About::NonProgress => vec!["--non-progress".to_owned()],
        };
        if self.fair {
            args.extend(["--fair", "weak"].map(str::to_owned));
        }
        args
    }

    /// The flags of the verifier's compiler, and its arguments.
    pub fn of_pan(&self) -> (Vec<&str>, Vec<&str>) {
        let (flags, mut args) = match &self.about {
            About::Formula(name) => (vec![], vec!["-a", "-N", name]),
            About::Never | About::Acceptance => (vec![], vec!["-a"]),
            About::NonProgress => (vec!["-DNP"], vec!["-l"]),
        };
        if self.fair {
            args.push("-f");
        }
        (flags, args)
    }
}

/// The rows of the corpus, in its order.
pub fn recorded(corpus: &Path) -> io::Result<Vec<Row>> {
    let table = std::fs::read_to_string(corpus.join("spin_ref.csv"))?;
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let column = |name: &str| {
        let found = header.iter().position(|&column| column == name);
        found.ok_or_else(|| io::Error::other(format!("spin_ref.csv has no column {name}")))
    };
    let (path, mode) = (column("path")?, column("mode")?);
    let (status, errors) = (column("status")?, column("errors")?);
    let rows = lines.filter_map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |at: usize| cells.get(at).copied().unwrap_or("");
        Row::parse(cell(path), cell(mode), cell(status), cell(errors))
    });
    Ok(rows.collect())
}

/// What the record leaves out: fairness of non-progress cycles, and acceptance cycles of models
/// that have accept labels and no claim.
pub fn unrecorded(corpus: &Path, rows: &[Row]) -> Vec<Row> {
    let mut more = Vec::new();
    for row in rows.iter().filter(|row| row.about == About::NonProgress && !row.fair) {
        more.push(Row { fair: true, recorded: None, ..row.clone() });
    }
    let models = crate::versus::files::models(corpus).unwrap_or_default();
    for path in models {
        let text = std::fs::read(corpus.join(&path)).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let has = |word: &str| text.lines().any(|line| line.trim_start().starts_with(word));
        let claims = has("never") || text.contains("ltl ") || text.contains("never {");
        if has("accept") && !claims {
            let row = |fair| {
                let (path, about) = (path.clone(), About::Acceptance);
                Row { path, about, fair, recorded: None }
            };
            more.extend([row(false), row(true)]);
        }
    }
    more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_read_and_named_alike() {
        for mode in ["ltl:p", "ltlfair:p", "never", "neverfair", "accept", "np", "npfair"] {
            let row = Row::parse("m.pml", mode, "complete", "0").expect("a question");
            assert_eq!(row.mode(), mode);
            assert_eq!(row.recorded, Some(Verdict::Holds));
        }
        assert_eq!(Row::parse("m.pml", "safety_nored", "complete", "0"), None);
        let cut = Row::parse("m.pml", "np", "cut-0.7s", "0").expect("a question");
        assert_eq!(cut.recorded, None);
    }
}

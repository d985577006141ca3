//! A page: text, tables, plots, and what became of the paper's claims.

use std::fmt::Write;

use super::Lab;

/// What was found out about a sentence of a paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Confirmed,
    NotConfirmed,
    Differs,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Confirmed => "confirmed",
            Status::NotConfirmed => "not confirmed",
            Status::Differs => "differs",
        }
    }

    /// Confirmed or not.
    pub fn of(is_so: bool) -> Status {
        if is_so { Status::Confirmed } else { Status::NotConfirmed }
    }

    /// A number is confirmed if ours is between two thirds and three halves of the paper's.
    pub fn near(ours: f64, paper: f64) -> Status {
        let is_near = (2.0 / 3.0..=1.5).contains(&(ours / paper));
        if is_near { Status::Confirmed } else { Status::Differs }
    }
}

/// A page that is written.
pub struct Page {
    name: String,
    text: String,
    /// The heading of the section at hand.
    section: String,
    claims: Vec<String>,
    plots: Vec<(String, String)>,
}

impl Page {
    pub fn new(lab: &Lab, title: &str) -> Page {
        let Lab { name, seed, full, .. } = lab;
        let full = if *full { " --full" } else { "" };
        let text = format!(
            "# {title}\n\nWritten by `cargo run --release -p lariat-experiments -- {name}{full} \
             --seed {seed}`. Do not edit.\n"
        );
        let (section, claims, plots) = (String::new(), Vec::new(), Vec::new());
        Page { name: name.clone(), text, section, claims, plots }
    }

    pub fn section(&mut self, title: &str) {
        self.section = title.to_owned();
        self.put(&format!("## {title}"));
    }

    /// A paragraph.
    pub fn put(&mut self, text: &str) {
        let _ = write!(self.text, "\n{text}\n");
    }

    pub fn table(&mut self, header: &[&str], rows: &[Vec<String>]) {
        let _ =
            write!(self.text, "\n| {} |\n|{}\n", header.join(" | "), "---|".repeat(header.len()));
        for row in rows {
            let _ = writeln!(self.text, "| {} |", row.join(" | "));
        }
    }

    pub fn plot(&mut self, name: &str, svg: Result<String, String>) -> Result<(), String> {
        let file = format!("plots/{}-{name}.svg", self.name);
        self.put(&format!("![{name}]({file})"));
        self.plots.push((file, svg?));
        Ok(())
    }

    /// A sentence of the paper, shown by the section at hand.
    pub fn claim(&mut self, id: &str, sentence: &str, status: Status, why: &str) {
        let (page, section) = (&self.name, anchor(&self.section));
        let shown = format!("[{page}]({page}.md#{section})");
        self.claims.push(format!("| {id} | {sentence} | {} | {why} | {shown} |", status.name()));
    }

    /// What became of something that the papers leave open.
    pub fn verdict(&mut self, id: &str, sentence: &str, status: Status, why: &str) {
        self.put(&format!("*Verdict* ({id}). {sentence}: {}. {why}.", status.name()));
        self.claim(id, sentence, status, why);
    }

    /// Writes the page and its plots.
    pub fn write(mut self, lab: &Lab) -> Result<(), String> {
        if let Some(load) = lab.load() {
            self.put(&format!(
                "CPU times are user and system time of one process. The load of the machine, which has two cores, while this page was measured: {load}. Above 2, other \
                 work shares cores and caches, and times scatter. Counts do not depend on it."
            ));
        }
        self.put("## Claims");
        let header =
            "| claim | the paper says | status | because | shown by |\n|---|---|---|---|---|";
        let claims = self.claims.join("\n");
        self.put(&format!("{header}\n{claims}"));
        let write = |file: &str, text: &str| {
            let path = lab.out.join(file);
            let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            let written = folder.and_then(|()| std::fs::write(&path, text));
            written.map_err(|error| format!("{}: {error}", path.display()))
        };
        for (file, svg) in &self.plots {
            write(file, svg)?;
        }
        write(&format!("{}.md", self.name), &self.text)
    }
}

/// The link to a heading.
fn anchor(title: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    title.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// A part of a whole, in percent.
pub fn percent(part: f64, whole: f64) -> String {
    format!("{:.1} %", part / whole * 100.0)
}

//! The page: one file without scripts, which needs nothing else.

use std::fmt::Write;

use lariat_chart::xml::escape;
use lariat_report::numbers::{bytes, grouped};
use lariat_verify::Status;

use super::super::check::judgement::Judgement;
use super::{Drawn, Reported};

pub(super) struct Page<'a> {
    pub(super) models: &'a [Reported],
}

/// What a search over states has executed.
pub(super) struct Covered {
    pub(super) is_whole: bool,
    /// Process types, how many statements each has, and those that were not executed.
    pub(super) types: Vec<(String, usize, Vec<String>)>,
}

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #c4232b; --open: #9a6700 }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } td, th { border-bottom: 1px solid var(--line);
  padding: .3rem .6rem; text-align: left; vertical-align: top } td.number { text-align: right }
.holds { color: var(--good) } .violated { color: var(--bad) } .inconclusive { color: var(--open) }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); font-size: 13px }
.chart { overflow-x: auto; border: 1px solid var(--line) } details { margin: .5rem 0 }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; --open: #d29922 } }
";

impl Page<'_> {
    pub(super) fn html(&self) -> String {
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>lariat report</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<h1>lariat report</h1>\n"
        );
        out += &self.contents();
        for (at, model) in self.models.iter().enumerate() {
            put(&mut out, format_args!("<section id=\"m{at}\">\n"));
            put(&mut out, format_args!("<h2>{}</h2>\n", escape(&model.path.display().to_string())));
            about(model, &mut out);
            out += "</section>\n";
        }
        put(
            &mut out,
            format_args!("<footer><p>lariat {}</p></footer>\n", env!("CARGO_PKG_VERSION")),
        );
        out + "</body>\n</html>\n"
    }

    /// One row for each model.
    fn contents(&self) -> String {
        let mut out = "<table>\n<tr><th>model</th><th>properties</th></tr>\n".to_owned();
        for (at, model) in self.models.iter().enumerate() {
            let path = escape(&model.path.display().to_string());
            let summary = escape(&model.summary());
            put(
                &mut out,
                format_args!("<tr><td><a href=\"#m{at}\">{path}</a></td><td>{summary}</td></tr>\n"),
            );
        }
        out + "</table>\n"
    }
}

/// Writing to a string cannot fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

fn about(model: &Reported, out: &mut String) {
    if let Some(refused) = &model.refused {
        put(out, format_args!("<pre class=\"violated\">{}</pre>\n", escape(refused)));
    }
    if !model.warnings.is_empty() {
        let warnings = escape(&model.warnings.join("\n"));
        let count = model.warnings.len();
        put(
            out,
            format_args!(
                "<details><summary>{count} warnings</summary><pre>{warnings}</pre></details>\n"
            ),
        );
    }
    if !model.answers.is_empty() {
        *out += "<table>\n<tr><th>property</th><th>verdict</th><th>states</th><th>transitions</th>\
                 <th>depth</th><th>memory</th><th>seconds</th></tr>\n";
        model.answers.iter().for_each(|(answer, _)| row(answer, out));
        *out += "</table>\n";
    }
    for (answer, drawn) in &model.answers {
        details(answer, drawn, out);
    }
    if let Some(covered) = &model.covered {
        coverage(covered, out);
    }
}

fn row(answer: &Judgement, out: &mut String) {
    let statistics = &answer.statistics;
    let text = answer
        .text
        .as_deref()
        .map_or(String::new(), |text| format!("<br><code>{}</code>", escape(text.trim())));
    let because = answer.because().map_or(String::new(), |why| format!(": {}", escape(&why)));
    put(
        out,
        format_args!(
            "<tr><td>{}{text}</td><td class=\"{}\">{}{because}</td><td class=\"number\">{}</td>\
         <td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
         <td class=\"number\">{:.2}</td></tr>\n",
            escape(&answer.name),
            answer.status().name(),
            answer.in_words(),
            grouped(statistics.states),
            grouped(statistics.transitions),
            grouped(statistics.depth),
            bytes(statistics.memory as usize),
            statistics.elapsed.as_secs_f64(),
        ),
    );
}

fn details(answer: &Judgement, drawn: &Drawn, out: &mut String) {
    if !answer.warnings.is_empty() {
        let warnings = escape(&answer.warnings.join("\n"));
        put(out, format_args!("<p>{}:</p><pre>{warnings}</pre>\n", escape(&answer.name)));
    }
    if drawn.text.is_empty() {
        return;
    }
    let what = if answer.status() == Status::Violated { "counterexample" } else { "example" };
    put(
        out,
        format_args!(
            "<h3>{}: {what}</h3>\n<div class=\"chart\">{}</div>\n\
         <details><summary>as a table</summary><pre>{}</pre></details>\n",
            escape(&answer.name),
            drawn.svg,
            escape(&drawn.text),
        ),
    );
}

fn coverage(covered: &Covered, out: &mut String) {
    let title = if covered.is_whole {
        "Statements never executed"
    } else {
        "Statements not reached so far"
    };
    put(out, format_args!("<h3>{title}</h3>\n<ul>\n"));
    for (name, statements, missed) in &covered.types {
        let count = missed.len();
        put(out, format_args!("<li>{}: {count} of {statements}", escape(name)));
        if !missed.is_empty() {
            put(out, format_args!("<pre>{}</pre>", escape(&missed.join("\n"))));
        }
        *out += "</li>\n";
    }
    *out += "</ul>\n";
}

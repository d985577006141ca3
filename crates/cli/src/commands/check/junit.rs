//! The answer for CI servers: a test suite for each model, a test case for each property.
//!
//! A violated property is a failure. One without an answer is an error of type `inconclusive`:
//! servers must not count it as passed. The crates that write such reports take longer to compile
//! than all of this command's reports.

use std::time::Duration;

use lariat_chart::xml::escape;
use lariat_verify::Status;

use super::judgement::Judgement;
use super::report::{Failure, ModelReport};

pub(super) fn document(reports: &[&ModelReport]) -> String {
    let suites: Vec<(&ModelReport, Vec<Case>)> =
        reports.iter().map(|report| (*report, cases(report))).collect();
    let all = || suites.iter().flat_map(|(_, cases)| cases);
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    text += &format!("<testsuites name=\"lariat check\"{}>\n", numbers(all()));
    for (report, cases) in &suites {
        let elapsed = report.entries.iter().map(|entry| entry.judgement.statistics.elapsed).sum();
        text += &format!(
            "    <testsuite name=\"{}\"{} time=\"{}\">\n",
            escape(&report.model),
            numbers(cases.iter()),
            seconds(elapsed)
        );
        cases.iter().for_each(|case| text += &case.element(&report.model));
        text += "    </testsuite>\n";
    }
    text + "</testsuites>\n"
}

struct Case {
    name: String,
    elapsed: Option<Duration>,
    problem: Option<Problem>,
    /// Warnings.
    output: String,
}

/// Why a case did not pass.
struct Problem {
    /// `failure` or `error`.
    element: &'static str,
    kind: String,
    message: String,
    description: String,
}

impl Case {
    fn element(&self, model: &str) -> String {
        let mut text = format!(
            "        <testcase name=\"{}\" classname=\"{}\"",
            escape(&self.name),
            escape(model)
        );
        if let Some(elapsed) = self.elapsed {
            text += &format!(" time=\"{}\"", seconds(elapsed));
        }
        if self.problem.is_none() && self.output.is_empty() {
            return text + "/>\n";
        }
        text += ">\n";
        if let Some(Problem { element, kind, message, description }) = &self.problem {
            text += &format!(
                "            <{element} message=\"{}\" type=\"{}\">{}</{element}>\n",
                escape(message),
                escape(kind),
                escape(description)
            );
        }
        if !self.output.is_empty() {
            text += &format!("            <system-out>{}</system-out>\n", escape(&self.output));
        }
        text + "        </testcase>\n"
    }
}

fn cases(report: &ModelReport) -> Vec<Case> {
    let entries = report.entries.iter();
    let mut cases: Vec<Case> = entries.map(|entry| case(&entry.judgement, &entry.text)).collect();
    if let Some(failure) = &report.failure {
        let first = report.bug.as_ref().map(|bug| bug.message.clone());
        let problem = Problem {
            element: "error",
            kind: failure.what.name().replace(' ', "-"),
            message: first.unwrap_or_else(|| first_line(failure)),
            description: failure.message.clone(),
        };
        let (name, output) = ("check".to_owned(), String::new());
        cases.push(Case { name, elapsed: None, problem: Some(problem), output });
    }
    cases
}

fn case(judgement: &Judgement, text: &str) -> Case {
    let because = judgement.because().unwrap_or_else(|| judgement.in_words().to_owned());
    let problem = |element, kind: &str, message, description: &str| {
        let (kind, description) = (kind.to_owned(), description.to_owned());
        Some(Problem { element, kind, message, description })
    };
    let problem = match judgement.status() {
        _ if judgement.is_as_expected() == Some(true) => None,
        Status::Holds | Status::Violated if judgement.expected.is_some() => {
            problem("failure", "not-as-expected", judgement.unexpected(), text)
        }
        Status::Holds => None,
        Status::Violated => problem("failure", "violated", because, text),
        Status::Inconclusive => problem("error", "inconclusive", because, ""),
    };
    // `--reach#1` alone says nothing.
    let name = match &judgement.text {
        Some(text) if judgement.name.starts_with("--") => format!("{} {text}", judgement.name),
        _ => judgement.name.clone(),
    };
    let output = judgement.warnings.iter().map(|warning| format!("warning: {warning}\n")).collect();
    Case { name, elapsed: Some(judgement.statistics.elapsed), problem, output }
}

fn first_line(failure: &Failure) -> String {
    let first = failure.message.lines().find(|line| !line.trim().is_empty());
    first.unwrap_or(failure.what.name()).to_owned()
}

/// How many cases there are, and how many did not pass, as attributes.
fn numbers<'c>(cases: impl Iterator<Item = &'c Case> + Clone) -> String {
    let of = |element: &str| {
        let problems = cases.clone().filter_map(|case| case.problem.as_ref());
        problems.filter(|problem| problem.element == element).count()
    };
    let (tests, failures, errors) = (cases.clone().count(), of("failure"), of("error"));
    format!(" tests=\"{tests}\" skipped=\"0\" failures=\"{failures}\" errors=\"{errors}\"")
}

fn seconds(elapsed: Duration) -> String {
    format!("{:.3}", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_counted_by_kind() {
        let problem = |element| Problem {
            element,
            kind: "violated".to_owned(),
            message: "a \"quote\"".to_owned(),
            description: "<run>".to_owned(),
        };
        let case = |problem: Option<Problem>| Case {
            name: "p".to_owned(),
            elapsed: Some(Duration::from_millis(1500)),
            problem,
            output: String::new(),
        };
        let cases = [case(None), case(Some(problem("failure"))), case(Some(problem("error")))];
        assert_eq!(numbers(cases.iter()), " tests=\"3\" skipped=\"0\" failures=\"1\" errors=\"1\"");
        let plain = "        <testcase name=\"p\" classname=\"m\" time=\"1.500\"/>\n";
        assert_eq!(cases[0].element("m"), plain);
        let text = cases[1].element("m");
        assert!(text.contains(
            "<failure message=\"a &quot;quote&quot;\" type=\"violated\">&lt;run&gt;</failure>"
        ));
    }
}

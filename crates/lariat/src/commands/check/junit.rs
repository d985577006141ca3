//! The answer for CI servers: a test suite for each model, a test case for each property.
//!
//! A violated property is a failure. One without an answer is an error of type `inconclusive`:
//! servers must not count it as passed.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::judgement::{Judgement, Verdict};
use super::report::{Failure, ModelReport};

pub(super) fn document(reports: &[&ModelReport]) -> Result<String, String> {
    let mut document = Report::new("lariat check");
    for report in reports {
        let mut suite = TestSuite::new(clean(&report.model));
        for entry in &report.entries {
            suite.add_test_case(case(&report.model, &entry.judgement, &entry.text));
        }
        if let Some(failure) = &report.failure {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            let first = report.bug.as_ref().map(|bug| clean(&bug.message));
            status.set_type(failure.what.replace(' ', "-"));
            status.set_message(first.unwrap_or_else(|| first_line(failure)));
            status.set_description(clean(&failure.message));
            let mut case = TestCase::new("check", status);
            case.set_classname(clean(&report.model));
            suite.add_test_case(case);
        }
        suite.set_time(report.entries.iter().map(|e| e.judgement.statistics.elapsed).sum());
        document.add_test_suite(suite);
    }
    document.to_string().map_err(|error| error.to_string())
}

fn case(model: &str, judgement: &Judgement, text: &str) -> TestCase {
    let because = judgement.because().unwrap_or_else(|| judgement.answer().to_owned());
    let status = match judgement.verdict {
        _ if judgement.is_as_expected() == Some(true) => TestCaseStatus::success(),
        Verdict::Holds | Verdict::Violated if judgement.expected.is_some() => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let message = clean(&judgement.unexpected());
            status.set_type("not-as-expected").set_message(message).set_description(clean(text));
            status
        }
        Verdict::Holds => TestCaseStatus::success(),
        Verdict::Violated => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("violated").set_message(clean(&because)).set_description(clean(text));
            status
        }
        Verdict::Inconclusive => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_type("inconclusive").set_message(clean(&because));
            status
        }
    };
    // `--reach#1` alone says nothing.
    let name = match &judgement.text {
        Some(text) if judgement.name.starts_with("--") => format!("{} {text}", judgement.name),
        _ => judgement.name.clone(),
    };
    let mut case = TestCase::new(clean(&name), status);
    case.set_classname(clean(model)).set_time(judgement.statistics.elapsed);
    if !judgement.warnings.is_empty() {
        let warnings = judgement.warnings.iter().map(|warning| format!("warning: {warning}\n"));
        case.set_system_out(clean(&warnings.collect::<String>()));
    }
    case
}

fn first_line(failure: &Failure) -> String {
    let first = failure.message.lines().find(|line| !line.trim().is_empty());
    clean(first.unwrap_or(failure.what))
}

/// XML 1.0 has no place for control characters, not even escaped.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && !"\n\t".contains(c) { '?' } else { c }).collect()
}

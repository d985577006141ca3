//! The answer for CI servers: a test suite for each model, a test case for each property.
//!
//! A violated property is a failure. One without an answer is an error of type `inconclusive`:
//! servers must not count it as passed.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::judgement::{Judgement, Verdict};
use super::report::ModelReport;

pub(super) fn document(reports: &[ModelReport]) -> Result<String, String> {
    let mut document = Report::new("lariat check");
    for report in reports {
        let mut suite = TestSuite::new(clean(&report.model));
        for entry in &report.entries {
            suite.add_test_case(case(&report.model, &entry.judgement, &entry.text));
        }
        if let Some(failure) = &report.failure {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            let message = report.bug.as_ref().map_or(failure, |bug| &bug.message);
            status.set_message(clean(message)).set_type(clean(failure).replace(' ', "-"));
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
    let mut case = TestCase::new(clean(&judgement.name), status);
    case.set_classname(clean(model)).set_time(judgement.statistics.elapsed);
    if !judgement.warnings.is_empty() {
        let warnings = judgement.warnings.iter().map(|warning| format!("warning: {warning}\n"));
        case.set_system_out(clean(&warnings.collect::<String>()));
    }
    case
}

/// XML 1.0 has no place for control characters, not even escaped.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && !"\n\t".contains(c) { '?' } else { c }).collect()
}

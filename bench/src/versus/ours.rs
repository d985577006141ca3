//! lariat's answers, as `lariat count` and `lariat check` give them.

use std::path::Path;
use std::time::Duration;

use lariat_model::promela::{PromelaOptions, load};
use lariat_search::safety::{ErrorKind, ExploreOptions, explore};

use super::Counts;

/// What lariat makes of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ours {
    /// With the first message, and where.
    Refused(String),
    Ran {
        counts: Option<Counts>,
        verdict: Option<String>,
    },
}

/// Counts and checks a model, each with its own time limit.
pub fn run(model: &Path, count: Duration, check: Duration) -> Ours {
    let loaded = match load(model, &PromelaOptions::default()) {
        Ok(loaded) => loaded,
        Err(failure) => {
            let first = failure.diagnostics.iter().find(|found| found.is_error());
            let message = first.map_or(String::new(), |first| {
                let place = failure.sources.location(first.primary.span);
                let line = place.map_or(String::new(), |place| format!("line {}: ", place.line));
                format!("{line}{}", first.message)
            });
            return Ours::Refused(message);
        }
    };
    let limited = |time| ExploreOptions { time_limit: Some(time), ..Default::default() };
    let counting = limited(count);
    let checking = ExploreOptions { stop_at_error: true, ..limited(check) };
    let counts = explore(&loaded.model, &counting).ok().filter(|found| found.limit.is_none());
    let counts = counts.map(|found| Counts {
        states: found.states,
        transitions: found.stored_and_matched(),
        depth: found.depth,
    });
    let verdict = match explore(&loaded.model, &checking) {
        Err(faults) => faults.first().map(|fault| fault.kind.name().to_owned()),
        Ok(found) => match (found.first_error, found.limit) {
            (Some(trace), _) => Some(match trace.error {
                ErrorKind::Fault(fault) if fault.kind.is_assertion() => "assertion violated".into(),
                ErrorKind::InvalidEndState => "invalid end state".into(),
                error => error.name().to_owned(),
            }),
            (None, None) => Some("none".to_owned()),
            (None, Some(_)) => None,
        },
    };
    Ours::Ran { counts, verdict }
}

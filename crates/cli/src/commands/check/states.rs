//! Whether a model has as many states as it says.

use lariat_model::explore::{ExploreOptions, Order};
use lariat_report::numbers::grouped;
use lariat_verify::safety::reason;
use lariat_verify::{Config, Loaded};

use super::expect::STATES;
use super::judgement::{ErrorInfo, Judgement, Statistics, Verdict};
use crate::progress::Watch;

/// Counts as `lariat count` does: all states, without shortcuts.
pub(super) fn judge(loaded: &Loaded, expected: u64, config: &Config) -> Judgement {
    let model = loaded.model();
    let order = match model.hidden_size > 0 {
        true => Order::DepthFirst,
        false => Order::BreadthFirst,
    };
    let options = ExploreOptions {
        order,
        max_memory: config.limits.memory,
        max_depth: config.limits.depth,
        ..Default::default()
    };
    let watch = Watch::start(format!("{}: {STATES}", model.name));
    let found = config.engine.explore(model, &options, &watch).unwrap_or_default();
    let (verdict, why) = match found.limit {
        Some(limit) => (Verdict::Inconclusive, Some(reason(limit).to_owned())),
        None if found.states == expected => (Verdict::Holds, None),
        None => (Verdict::Violated, None),
    };
    let message =
        || format!("{} states expected, not {}", grouped(expected), grouped(found.states));
    Judgement {
        verdict,
        reason: why,
        error: (verdict == Verdict::Violated).then(|| ErrorInfo {
            kind: STATES,
            message: message(),
            at: None,
            span: None,
        }),
        check: "exploration".to_owned(),
        statistics: Statistics {
            states: found.states,
            transitions: found.transitions,
            matched: found.matched,
            depth: found.depth,
            memory: found.memory as u64,
            elapsed: watch.elapsed(),
            ..Statistics::default()
        },
        ..Judgement::without_answer(STATES, STATES, String::new())
    }
}

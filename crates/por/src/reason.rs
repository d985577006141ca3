//! Why nothing can be left out.

use std::fmt;

use lariat_model::analysis::{Phase, Touch, touch};
use lariat_model::ir::transition::Discipline;
use lariat_model::ir::{Model, ProctypeKind, Region};

/// Why there is no reduction, as a sentence without its full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason(&'static str);

impl Reason {
    pub(crate) fn new(text: &'static str) -> Reason {
        Reason(text)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Whether the steps of this model can be told apart by processes at all.
pub(crate) fn check(model: &Model, fairness: bool) -> Result<(), Reason> {
    let refuse = |text| Err(Reason::new(text));
    match model.discipline {
        Discipline::DivineLockStep => {
            return refuse("in a synchronous system all processes move at once");
        }
        Discipline::Spin | Discipline::Divine => {}
    }
    if model.property.is_some() {
        return refuse("the property process moves with every step");
    }
    if model.uses.last {
        return refuse("`_last` tells who moved last");
    }
    if model.uses.priorities {
        return refuse("priorities decide who may move");
    }
    if model.trace.is_some() {
        return refuse("a `trace` watches the order of messages");
    }
    if fairness && model.uses.timeout {
        return refuse("`timeout` and fairness both look at who can move");
    }
    let mut reason = None;
    let mut visit = |_, touch: Touch<'_>| match touch {
        Touch::Enabled(_) => reason = Some("a process asks for `enabled()`"),
        Touch::ControlOf(_) => reason = Some("a process asks for `pc_value()`"),
        Touch::AllControls => reason = Some("a process asks for `np_`"),
        Touch::Read(cells) if cells.region == Region::Hidden => {
            reason = Some("hidden variables are read, which are no part of a state");
        }
        Touch::Offer(channel) | Touch::Accept(channel) if channel > 255 => {
            reason = Some("there are more than 255 channels");
        }
        _ => {}
    };
    let kinds = [ProctypeKind::Process, ProctypeKind::Init];
    for proctype in model.proctypes.iter().filter(|proctype| kinds.contains(&proctype.kind)) {
        for location in &proctype.locations {
            for edge in &location.edges {
                touch::of_action(model, &model.command(edge.command).action, &mut visit);
            }
            for &assert in &location.asserts {
                touch::of_expr(model, assert, Phase::Condition, &mut visit);
            }
        }
        if let Some(provided) = proctype.provided {
            touch::of_expr(model, provided, Phase::Condition, &mut visit);
        }
    }
    reason.map_or(Ok(()), refuse)
}

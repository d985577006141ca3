//! Which kind of statement comes next, by chance.

use super::draft::{Draft, Site};
use super::kind::{Access, Hold, Kind, Position, Where};
use super::possible;
use super::world::{Channel, Global};

/// How often a kind is drawn where it may stand.
fn weight(kind: Kind) -> u64 {
    match kind {
        Kind::Assign => 14,
        // Shortcuts are about local steps.
        Kind::AssignLocal => 12,
        Kind::Guard | Kind::Skip => 5,
        Kind::Meet | Kind::MeetReceive | Kind::Send | Kind::Receive => 4,
        Kind::If | Kind::Atomic | Kind::DStep => 4,
        Kind::AssignHidden => 3,
        Kind::Timeout | Kind::SetPriority | Kind::GuardSystem => 1,
        Kind::Declare | Kind::Select | Kind::GuardRemote => 1,
        Kind::Else => 0,
        _ => 2,
    }
}

/// A kind that may stand here behind `before` and before `next`.
pub fn kind(
    draft: &mut Draft,
    at: Where,
    site: Site,
    before: Option<Kind>,
    next: Option<Kind>,
    is_last: bool,
) -> Kind {
    let position = if before.is_none() { Position::First } else { Position::Later };
    let mut weights: Vec<(Kind, u64)> = Vec::new();
    for &kind in Kind::ALL {
        let fits = possible::place(kind, at, site.hold, position).is_none()
            && before.is_none_or(|before| possible::next(before, kind, at, site.hold).is_none())
            && next.is_none_or(|next| possible::next(kind, next, at, site.hold).is_none())
            && !is_refused_by_spin(kind, at, site, before, next)
            && is_welcome(draft, kind, site, is_last);
        // Waiting behind the first statement easily ends in a deadlock.
        let waits = kind.may_block() && (before.is_some() || at == Where::Body);
        // In a d_step it would need a guard, which is drawn only where it is given.
        if fits && !(waits && draft.must_be_assured(kind, site.hold)) {
            let weight = weight(kind) * if waits { 1 } else { 3 };
            weights.push((kind, weight));
        }
    }
    let all: u64 = weights.iter().map(|(_, weight)| weight).sum();
    if all == 0 {
        return Kind::Skip;
    }
    let mut left = draft.rng.below(all);
    for (kind, weight) in weights {
        if left < weight {
            return kind;
        }
        left -= weight;
    }
    Kind::Skip
}

/// Whether Spin refuses it: then it stands only where it is wanted.
fn is_refused_by_spin(
    kind: Kind,
    at: Where,
    site: Site,
    before: Option<Kind>,
    next: Option<Kind>,
) -> bool {
    let in_d_step = site.hold == Hold::DStep;
    match kind {
        Kind::Unless => before.is_none() && matches!(at, Where::If | Where::Do),
        Kind::GuardRemote | Kind::Poll => in_d_step,
        Kind::DStep => in_d_step && next == Some(Kind::Break),
        Kind::Break => in_d_step && before == Some(Kind::DStep),
        _ => false,
    }
}

/// Whether the model stays small and alive with one more of this kind.
fn is_welcome(draft: &Draft, kind: Kind, site: Site, is_last: bool) -> bool {
    let process = &draft.processes[site.process];
    let has = |global| draft.world.has(global) || draft.world.extra_globals() < 2;
    match kind {
        Kind::AssignElement => has(Global::Array),
        Kind::AssignField => has(Global::Record) || has(Global::Records),
        Kind::AssignMtype => has(Global::Mtype) || has(Global::Color),
        Kind::AssignHidden => draft.world.has(Global::Hidden),
        Kind::Overflow => has(Global::Wrap),
        Kind::Modulo => has(Global::Short),
        Kind::Increment => has(Global::Unsigned),
        Kind::Break => is_last && site.breakable,
        Kind::Goto => is_last && site.hold != Hold::DStep,
        Kind::Run | Kind::AssignRun => !site.repeats && draft.runs > 0 && !process.is_child,
        Kind::SetPriority => draft.uses_priority,
        Kind::GuardRemote => site.process > 0,
        _ if kind.is_communication() || kind == Kind::GuardQueue => {
            let wanted = |channel: Channel| {
                if matches!(kind, Kind::SendChannel | Kind::ReceiveChannel) {
                    channel.carries_channels
                } else {
                    channel.meets == kind.is_meeting() && !channel.carries_channels
                }
            };
            draft.world.channels().count() < 2 || draft.world.channels().any(wanted)
        }
        _ if kind.is_block() => site.depth < 2 && draft.budget > 0,
        _ => true,
    }
}

/// A channel for a statement: one that is there, if it can be.
pub fn access(draft: &mut Draft, kind: Kind) -> Access {
    let meets = kind.is_meeting();
    let there: Vec<Access> = draft
        .world
        .channels()
        .filter(|channel| channel.meets == meets && !channel.carries_channels)
        .map(|channel| channel.access)
        .collect();
    if !there.is_empty() && draft.rng.chance(80) {
        let mut access = draft.choose(&there);
        if access == Access::Global && draft.world.passes_meeting == meets && draft.rng.chance(15) {
            access = Access::Passed;
        }
        return access;
    }
    let others: &[Access] = if meets {
        &[Access::Global, Access::Global, Access::Array, Access::Fields, Access::Struct]
    } else {
        &[
            Access::Global,
            Access::Global,
            Access::Array,
            Access::Local,
            Access::Fields,
            Access::Struct,
        ]
    };
    if draft.world.passes_meeting == meets && draft.rng.chance(10) {
        return Access::Passed;
    }
    draft.choose(others)
}

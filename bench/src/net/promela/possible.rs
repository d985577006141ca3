//! Which combinations cannot be, and why.

use super::kind::{Access, Hold, Kind, Position, Where};

/// Why a statement of this kind cannot stand there.
pub fn place(kind: Kind, at: Where, hold: Hold, position: Position) -> Option<&'static str> {
    let first = position == Position::First;
    if let Some(reason) = nowhere(at, hold) {
        return Some(reason);
    }
    match kind {
        Kind::Else if !(first && matches!(at, Where::If | Where::Do)) => {
            return Some("else is the guard of an option");
        }
        Kind::Break if matches!(at, Where::Body | Where::DStep) => {
            return Some("break needs a loop, and does not leave a d_step");
        }
        // A head declaration is no statement, and a goto over nothing is none.
        Kind::Goto if at == Where::Body && first => return Some("a body begins with a statement"),
        _ => {}
    }
    if hold != Hold::DStep {
        return None;
    }
    match kind {
        Kind::Run | Kind::AssignRun => Some("no run in a d_step"),
        Kind::Unless => Some("no unless in a d_step"),
        Kind::Timeout => Some("timeout in a d_step is dubious"),
        Kind::Meet => Some("a rendezvous send in a d_step is a run-time error"),
        Kind::MeetReceive | Kind::MeetMatch if !(first && at == Where::DStep) => {
            Some("in a d_step a rendezvous is its first statement")
        }
        kind if kind.may_block() && !may_wait(at) => {
            Some("nothing waits in the middle of a d_step")
        }
        _ => None,
    }
}

/// Whether the first statement of such a block in a `d_step` may wait, and with it one that it
/// makes sure of: it is the guard of the `d_step`, or there is an `else` beside it.
fn may_wait(at: Where) -> bool {
    matches!(at, Where::DStep | Where::If | Where::Do)
}

/// Why there is no such block.
pub fn nowhere(at: Where, hold: Hold) -> Option<&'static str> {
    match (at, hold) {
        (Where::Body, Hold::Atomic | Hold::DStep) => Some("a body is not inside anything"),
        (Where::Atomic, Hold::Free) | (Where::DStep, Hold::Free | Hold::Atomic) => {
            Some("inside an atomic or d_step one is inside it")
        }
        (Where::Main | Where::Escape, Hold::DStep) => Some("no unless in a d_step"),
        _ => None,
    }
}

/// Why one cannot stand before the other in such a block.
pub fn next(kind: Kind, next: Kind, at: Where, hold: Hold) -> Option<&'static str> {
    let nowhere = Position::ALL.iter().map(|&position| place(kind, at, hold, position));
    if let Some(reason) = nowhere.reduce(|one, other| one.and(other)).flatten() {
        return Some(reason);
    }
    if let Some(reason) = place(next, at, hold, Position::Later) {
        return Some(reason);
    }
    match kind {
        Kind::Break => return Some("nothing follows a break"),
        Kind::Goto if next == Kind::Declare => return Some("a declaration has no label"),
        Kind::Goto if next == Kind::DStep => return Some("no jump to a d_step"),
        _ => {}
    }
    (hold == Hold::DStep && next.may_block() && kind != next.assured_by())
        .then_some("nothing waits in the middle of a d_step, but behind its guard")
}

/// Why no statement about such a channel can stand there.
pub fn channel(kind: Kind, access: Access, hold: Hold) -> Option<&'static str> {
    if !kind.is_communication() {
        return Some("no statement about a channel");
    }
    match (kind, access) {
        (Kind::SendChannel | Kind::ReceiveChannel, Access::Global) => {}
        (Kind::SendChannel | Kind::ReceiveChannel, _) => {
            return Some("channels are sent by one global channel");
        }
        (kind, Access::Local) if kind.is_meeting() => {
            return Some("nobody else knows a local rendezvous channel, unless it is passed");
        }
        _ => {}
    }
    (hold == Hold::DStep && kind == Kind::Meet)
        .then_some("a rendezvous send in a d_step is a run-time error")
}

/// Why no handshake has its sender there, or its receiver.
pub fn meeting(sender: (Where, Hold), receiver: (Where, Hold)) -> Option<&'static str> {
    if let Some(reason) = nowhere(sender.0, sender.1).or(nowhere(receiver.0, receiver.1)) {
        return Some(reason);
    }
    if sender.1 == Hold::DStep {
        return Some("a rendezvous send in a d_step is a run-time error");
    }
    (receiver.1 == Hold::DStep && receiver.0 != Where::DStep)
        .then_some("in a d_step a rendezvous is its first statement")
}

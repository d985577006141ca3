//! Fairness of a loop, as docs/fairness.md defines it.

use std::collections::BTreeSet;

use lariat_model::interp::{Expansion, Fairness, Interp, Move};
use lariat_model::ir::Model;
use lariat_model::ir::transition::Discipline;
use lariat_report::execution::Execution;

use crate::property::fair::Fair;

type Pids = BTreeSet<u8>;

pub(super) fn name(fair: &Fair) -> &'static str {
    match fair.fairness {
        Fairness::Weak => "weak fairness",
        Fairness::Strong => "strong fairness",
        Fairness::Spin => "spin's fairness",
    }
}

/// A process that the loop is not fair to.
pub(super) fn starved(model: &Model, fair: &Fair, execution: &Execution) -> Option<u8> {
    let mut interp = Interp::new(model);
    let mut expansion = Expansion::new();
    let (mut always, mut ever): (Option<Pids>, Pids) = (None, Pids::new());
    let mut moved = Pids::new();
    for at in execution.cycle() {
        let (state, hidden) = execution.before(at);
        expansion.clear();
        interp.successors(state, hidden, &mut expansion);
        let can = (0..expansion.len()).flat_map(|next| able(model, fair, expansion.moves(next)));
        let mut can: Pids = can.collect();
        interp.load(state);
        for process in interp.processes() {
            if fair.to.as_ref().is_some_and(|to| !to.contains(&process.proctype)) {
                can.remove(&process.pid);
            }
        }
        moved.extend(execution.steps[at].moves.iter().map(|step| step.pid));
        always = Some(always.map_or_else(|| can.clone(), |always| &always & &can));
        ever.extend(can);
    }
    let must_move = match fair.fairness {
        Fairness::Weak | Fairness::Spin => always.unwrap_or_default(),
        Fairness::Strong => ever,
    };
    must_move.difference(&moved).next().copied()
}

/// Who can take part in this step of a state.
fn able(model: &Model, fair: &Fair, moves: &[Move]) -> Vec<u8> {
    let pids = moves.iter().map(|step| step.pid);
    if model.discipline != Discipline::Spin {
        // A transition, or all that happen together.
        return pids.collect();
    }
    // Whoever begins an atomic sequence has control until there is a state, or until it hands
    // a message over.
    let is_meeting = matches!(moves, [first, second, ..] if first.pid != second.pid);
    // To `pan -f` who waits to receive is blocked.
    pids.take(if is_meeting && fair.fairness != Fairness::Spin { 2 } else { 1 }).collect()
}

//! Own affairs: control points where what a process does concerns nobody else.
//!
//! The claim: let process p be at such a control point in a state s, and let no evaluation there
//! fail. (1) Whatever steps the others take from s, the same commands of p are enabled, and each
//! does the same. (2) Any step of the others is enabled or not, and does the same, whether p takes
//! one of these commands before it or behind it; unless somebody looks at p's control point, or
//! waits for p at a rendezvous, which the caller has to exclude. So all enabled commands of p there
//! are a persistent set, and each commutes with every step of the others.
//!
//! For (1): nobody else writes a frame, and conditions ([`Model::enabling`]) and effects read
//! nothing else. What is printed goes nowhere, so what `printf` reads does not count. For (2): the
//! commands write nothing but bytes of p's frame that nobody reads from outside.
//!
//! Merged steps rest on this, and so may any reduction: it is the simplest case of independence.

use lariat_core::makes_mistake;

use super::access::Access;
use super::outside::OutsideReads;
use crate::ir::{Action, LocationId, Model, ProctypeId};

impl Model {
    /// Whether what processes of this type do at this control point is their own affair.
    pub(crate) fn is_own_affair(
        &self,
        id: ProctypeId,
        at: LocationId,
        outside: &OutsideReads,
    ) -> bool {
        let is_own = |access: &Access| {
            matches!(access, Access::Local { .. })
                || makes_mistake("own-reads") && matches!(access, Access::Global { .. })
        };
        let is_unseen = |access: &Access| match *access {
            Access::Local { start, end } => {
                !outside.touches(start, end) || makes_mistake("own-writes")
            }
            _ => false,
        };
        let edges = &self.proctype(id).locations[at.0 as usize].edges;
        edges.iter().enumerate().all(|(number, edge)| {
            let accesses = self.accesses(edge.command);
            // What `else` reads is in the enabling set.
            let reads = match self.command(edge.command).action {
                Action::Print(_) | Action::Else => &[][..],
                _ => &accesses.reads,
            };
            self.enabling(id, at, number).iter().chain(reads).all(is_own)
                && accesses.writes.iter().all(is_unseen)
        })
    }
}

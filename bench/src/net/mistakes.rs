//! Mistakes on purpose, which the net must find. Each is one condition in the code of lariat that
//! asks `lariat_core::makes_mistake`.

/// A mistake: its name, what it breaks, the file in which it is made.
pub struct Mistake {
    pub name: &'static str,
    pub about: &'static str,
    pub file: &'static str,
}

const fn mistake(name: &'static str, about: &'static str, file: &'static str) -> Mistake {
    Mistake { name, about, file }
}

/// All of them. Those that another test is about (`retrace-wrong` and the like) are not here.
pub static MISTAKES: &[Mistake] = &[
    mistake(
        "merge-into-atomic",
        "merging passes through a command that begins an atomic sequence",
        "model/src/shortcuts/merge.rs",
    ),
    mistake(
        "merge-readiness",
        "merging hides who waits for a rendezvous",
        "model/src/shortcuts/merge.rs",
    ),
    mistake(
        "fold-received",
        "a variable that only receives write is a constant",
        "model/src/shortcuts/fold.rs",
    ),
    mistake("dead-messages", "a variable that is only sent is dead", "model/src/shortcuts/dead.rs"),
    mistake(
        "own-reads",
        "global variables that a process reads are its own affair",
        "model/src/analysis/own.rs",
    ),
    mistake(
        "own-writes",
        "what others read of a process is its own affair",
        "model/src/analysis/own.rs",
    ),
    mistake(
        "dead-d-step-option",
        "liveness goes through the first option of a choice in a d_step only",
        "model/src/shortcuts/dead.rs",
    ),
    mistake(
        "unread-visible",
        "a variable that only the property reads is never read",
        "model/src/shortcuts/unread.rs",
    ),
    mistake(
        "slice-d-step",
        "guards inside a d_step decide nothing",
        "model/src/shortcuts/slice.rs",
    ),
    mistake("slice-messages", "what is sent is irrelevant", "model/src/shortcuts/slice.rs"),
    mistake(
        "footprint-remote",
        "remote references touch nothing",
        "model/src/analysis/footprint.rs",
    ),
    mistake(
        "observed-other-type",
        "a process that is named by the number of another type is not looked at",
        "model/src/analysis/footprint.rs",
    ),
    mistake(
        "footprint-array",
        "a subscript that is not constant touches one element",
        "model/src/analysis/footprint.rs",
    ),
    mistake(
        "footprint-frame",
        "a guard that reads more than the process's own variables is false",
        "model/src/analysis/by_frame.rs",
    ),
    mistake(
        "footprint-byte",
        "the last byte of what a step touches does not matter",
        "codegen/src/footprint.rs",
    ),
    mistake(
        "footprint-committed",
        "a DVE process does not look at whether another is committed",
        "model/src/analysis/footprint.rs",
    ),
    mistake(
        "steps-key",
        "steps are remembered for the state that they lead to",
        "system/src/remembered/mod.rs",
    ),
    mistake(
        "steps-narrow",
        "what a process touches is told by other values of its variables",
        "system/src/remembered/narrow.rs",
    ),
    mistake(
        "steps-quick",
        "what a process touches is told by all but a bit of its control point",
        "system/src/remembered/quick.rs",
    ),
    mistake(
        "factors-read",
        "a factor reads the first variable of a conjunct only",
        "model/src/analysis/factors.rs",
    ),
    mistake(
        "factors-apart",
        "pieces of a command are apart though one writes what the other one looks at",
        "model/src/analysis/factors.rs",
    ),
    mistake(
        "factors-field",
        "factors are apart though they write the same field",
        "system/src/remembered/factored.rs",
    ),
    mistake(
        "factors-lost",
        "what the last factor changes is lost",
        "system/src/remembered/factored.rs",
    ),
    mistake(
        "factors-suspect",
        "one of several factors that may forbid a step does",
        "system/src/remembered/factored.rs",
    ),
    mistake(
        "factors-known",
        "that a step is forbidden tells of another factor than the one that is known to forbid it",
        "system/src/remembered/factored.rs",
    ),
    mistake(
        "steps-shape",
        "steps are remembered although the tree has another shape",
        "system/src/remembered/mod.rs",
    ),
    mistake(
        "steps-ahead",
        "steps that were asked for ahead are taken for those of another state",
        "system/src/remembered/ahead.rs",
    ),
    mistake(
        "steps-widened",
        "steps are found by the bits that fields had before they were given more",
        "store/src/tree/session.rs",
    ),
    mistake(
        "steps-repacked",
        "steps are remembered although states were packed anew",
        "store/src/tree/session.rs",
    ),
    mistake(
        "repack-bit",
        "the lowest bit of each field is lost when states are packed anew",
        "store/src/tree/repack.rs",
    ),
    mistake(
        "split-half",
        "a value of a group that is cut is its first half twice",
        "store/src/tree/split.rs",
    ),
    mistake(
        "reshape-bits",
        "the lowest bit of each field is lost when bits are divided anew",
        "store/src/tree/reshape.rs",
    ),
    mistake(
        "memo-shape",
        "valuations are found by fields of an old shape",
        "system/src/valuations.rs",
    ),
    mistake("memo-key", "valuations are found by their place only", "system/src/valuations.rs"),
    mistake(
        "sweep-calm",
        "accepting components that lead on are swept",
        "search/src/product/components.rs",
    ),
    mistake(
        "sweep-exits",
        "a sweep loses what is behind a state at rest",
        "search/src/product/sweep.rs",
    ),
    mistake("product-stutter", "a system at rest has no run", "search/src/product/mod.rs"),
    mistake(
        "edge-cache-stale",
        "edges of a search that was given up are kept",
        "system/src/edge_cache.rs",
    ),
    mistake(
        "nested-red",
        "the red search knows accepting states of the stack only",
        "search/src/emptiness/nested/se.rs",
    ),
    mistake(
        "fair-blocked",
        "weak fairness is asked for blocked processes, too",
        "model/src/interp/fairness.rs",
    ),
    mistake(
        "fair-strong",
        "strong fairness forgets the first process",
        "model/src/interp/fairness.rs",
    ),
    mistake("native-full", "a channel is full too early", "codegen/src/action.rs"),
    mistake(
        "native-random-receive",
        "a random receive removes the first message",
        "codegen/src/action.rs",
    ),
    mistake("native-dying", "a process ends before younger ones", "codegen/src/action.rs"),
    mistake("native-unless", "an escape does not stop the main part", "codegen/src/process.rs"),
    mistake("native-timeout", "timeout is true inside atomic sequences", "codegen/src/process.rs"),
    mistake("native-else", "else beside an executable option", "codegen/src/process.rs"),
    mistake("native-provided", "a provided clause keeps nobody back", "codegen/src/may_move.rs"),
    mistake("native-priority", "lower priorities keep higher ones back", "codegen/src/may_move.rs"),
    mistake(
        "native-hidden",
        "hidden variables are not handed on to successors",
        "codegen/src/code.rs",
    ),
    mistake("native-trace", "an event trace stays where it is", "codegen/src/trace.rs"),
    mistake(
        "native-fair",
        "who waits to receive is not able to move, for strong fairness, too",
        "codegen/src/fair.rs",
    ),
    mistake(
        "footprint-provided",
        "what a provided clause reads does not matter",
        "model/src/analysis/footprint.rs",
    ),
    mistake(
        "footprint-hidden",
        "hidden variables do not matter",
        "model/src/analysis/footprint.rs",
    ),
    mistake(
        "footprint-priority",
        "who has a higher priority does not matter",
        "model/src/analysis/footprint.rs",
    ),
    mistake(
        "steps-marks",
        "remembered steps forget one who could move",
        "system/src/remembered/mod.rs",
    ),
    mistake(
        "edge-cache-marks",
        "all steps that are kept have the marks of the first one",
        "system/src/edge_cache.rs",
    ),
    mistake("special-dead", "special code moves a dead process", "codegen/src/process.rs"),
    mistake("dve-committed", "others move beside a committed process", "codegen/src/divine.rs"),
    mistake("sorted-send", "a sorted send puts its message first", "model/src/interp/channel.rs"),
    mistake(
        "fatal-forgotten",
        "a run-time error counts only in the state that is expanded last",
        "system/src/system/expand.rs",
    ),
    mistake("parents-word", "the way back loses a word's last state", "core/src/parents.rs"),
    mistake(
        "shared-lost-state",
        "some new states are not expanded where states have no numbers",
        "store/src/tree/session.rs",
    ),
    mistake(
        "owcty-count",
        "a state is out as soon as one of its predecessors is",
        "search/src/product/owcty.rs",
    ),
    mistake(
        "owcty-level",
        "no edge leads back to an earlier level",
        "search/src/product/shared/owcty/forth.rs",
    ),
    mistake(
        "behind-lost",
        "some states behind acceptance are not gathered where states have no numbers",
        "search/src/product/shared/sweep.rs",
    ),
    mistake(
        "owcty-marks",
        "a state that gets marks later does not hand them on",
        "search/src/product/shared/owcty/reach.rs",
    ),
    mistake(
        "cndfs-cyan",
        "the red search of CNDFS does not look for its own stack",
        "search/src/emptiness/shared/cndfs.rs",
    ),
    mistake(
        "cndfs-await",
        "CNDFS does not wait for the red searches of others",
        "search/src/emptiness/shared/cndfs.rs",
    ),
    mistake(
        "ufscc-marks",
        "UFSCC forgets the marks of edges inside a component",
        "search/src/emptiness/shared/ufscc.rs",
    ),
    mistake(
        "spread-lost-message",
        "some states are not sent to the worker that owns them",
        "search/src/spread/shard/talk.rs",
    ),
    mistake(
        "spread-marks",
        "a worker does not hand on marks that it is told of later",
        "search/src/spread/owcty/reach.rs",
    ),
    mistake(
        "spread-repeats",
        "a worker tells of one predecessor of a state only",
        "search/src/spread/owcty/count.rs",
    ),
    mistake(
        "spread-way-back",
        "the way back to an error takes any state of the level before",
        "search/src/spread/visit.rs",
    ),
    mistake(
        "lasso-way-back",
        "the way back to a state of a run takes any state of the level before",
        "search/src/spread/product/expand.rs",
    ),
    mistake(
        "lasso-marks",
        "a cycle that workers put together need not have all marks",
        "search/src/spread/lasso/round.rs",
    ),
    mistake(
        "lasso-component",
        "whatever elimination has left is said to be reached from any of it",
        "search/src/spread/lasso/component.rs",
    ),
    mistake(
        "map-marks",
        "a cycle that is suggested early need not have all marks",
        "search/src/spread/map.rs",
    ),
    mistake(
        "spread-leads-on",
        "an owner says of every state that it leads on",
        "search/src/spread/visit.rs",
    ),
    mistake(
        "wire-part-table",
        "some parts of states get the number of another one on their way",
        "search/src/spread/wire.rs",
    ),
    mistake(
        "checkpoint-next",
        "what waits for the next level is not expanded after a checkpoint",
        "search/src/spread/checkpoint/image.rs",
    ),
    mistake("por-no-proviso", "steps may be left out for ever", "search/src/proviso.rs"),
    mistake("por-suspects", "no state is a suspect", "system/src/reduced.rs"),
    mistake(
        "por-level-equal",
        "a successor of the same level counts as one of a later level",
        "search/src/by_level.rs",
    ),
    mistake(
        "por-level-old",
        "a reduced successor of an earlier level counts as a full one",
        "search/src/by_level.rs",
    ),
    mistake(
        "por-product-level",
        "a successor that is decided on the same level leads on",
        "search/src/product/shared/proviso.rs",
    ),
    mistake(
        "por-product-old",
        "a reduced successor of an earlier level leads on",
        "search/src/product/shared/proviso.rs",
    ),
    mistake(
        "por-product-mark",
        "a state that is found again is decided on the level that was noted first",
        "search/src/product/shared/proviso.rs",
    ),
    mistake(
        "por-product-anew",
        "what was decided of a system state is decided anew for each product state",
        "search/src/product/shared/proviso.rs",
    ),
    mistake(
        "lossy-proof",
        "a bit-state search of states that ends has seen everything",
        "search/src/bounded/mod.rs",
    ),
    mistake(
        "cache-shape",
        "a cache keeps what was packed in another way",
        "store/src/state_cache.rs",
    ),
    mistake("cache-known", "a cache knows a state by half of its bits", "store/src/state_cache.rs"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_mistake_is_made_where_it_is_said_to_be() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
        for Mistake { name, file, .. } in MISTAKES {
            let text = std::fs::read_to_string(crates.join(file)).unwrap();
            assert!(text.contains(&format!("makes_mistake(\"{name}\")")), "{name} in {file}");
        }
    }
}

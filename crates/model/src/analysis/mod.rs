//! What a command reads, writes, enables and disables: for Promela and DVE alike, from the IR
//! alone. Nothing here depends on which states were seen so far.
//!
//! ```text
//! touch      one report for each thing that an expression or action looks at or changes
//!   ├─ access      as parts of the state: reads, writes, condition of a command
//!   │    ├─ enabling    condition, and all that decides about it from outside
//!   │    ├─ own         control points where a process concerns nobody else
//!   │    ├─ constants   variables that nobody writes, channels that they name
//!   │    │    └─ fallible    evaluations that may be run-time errors
//!   │    └─ outside     bytes of frames that others read
//!   └─ footprint   all that a whole step of one process depends on or changes
//!        ├─ by_frame    the same by the values of the process's own variables: fewer commands count
//!        ├─ factors     pieces of a command that are executed without each other
//!        └─ objects     sets of variables, processes, control points, channels
//! ```
//!
//! # What it says, and why it is safe
//!
//! Every set is an over-approximation: it may name too much, never too little. A mistake here is
//! a wrong verdict, so each claim has its reason.
//!
//! **Touches** ([`touch`]). The claim: evaluating an expression, or executing an action, reads and
//! writes nothing that is not reported. It holds construct by construct, by the interpreter's
//! code for it; two `match`es without a default see to it that none is forgotten. Branches of
//! conditions and right sides of `&&` count as evaluated, all statements of a `d_step` as
//! executed. [`Phase::Condition`] is what the answer to "can it be executed?" is computed from.
//! Assignments, assertions and prints can always be executed. A send counts its message: by a
//! rendezvous it decides who receives. The initialisers of a process that is started are
//! evaluated by the step that starts it.
//!
//! **Reads and writes** ([`AccessSet`]). Touches as parts of the state. A variable is its bytes;
//! an array with a computed subscript is all its elements, because a subscript out of range is a
//! fault and reads nothing. A channel is all channels. A variable of another process is those
//! bytes in any frame; if they may lie behind a shorter frame, it is everything, as a pid is not
//! asked for its type. `timeout`, `enabled` and `else` look at everything. What every command
//! writes is not in the lists: its process's control point ([`AccessSet::may_change`] adds it),
//! and dead variables of its own frame, which nobody reads.
//!
//! **Enabling sets** ([`Model::enabling`](crate::ir::Model::enabling)). The claim: take a process
//! at a control point, and a step of others that changes nothing in the set; then the edge is
//! enabled after the step if and only if it was before. Whether a step may change something in
//! it is [`AccessSet::may_change`]: so "may enable" and "may disable" are one question. The set
//! has the condition of the command and
//! - for `else`: the conditions of all other commands there;
//! - for `unless`: those of all edges of another group, as an escape keeps the rest from moving;
//! - `provided`: that clause. Priorities: everything;
//! - for what may be a rendezvous: the control points of the others, as partners come and go by
//!   moving, and what conditions of possible partners read outside their frames. Their own
//!   variables change only when they move;
//! - the youngest process: which processes exist (the condition of the end);
//! - DVE: control points of all, if somebody may be committed and this control point is not; the
//!   guards of a property process, which joins every step. In lock step: everything.
//!
//! Holders of atomic sequences do not occur: a state inside one is stored only when its process
//! is blocked there, and then everybody may move. The event trace disables nothing, a wrong
//! event is an error; that it moves on is a write. `_last` is written by every command, if it is
//! in the state at all.
//!
//! **Constants** ([`Constants`]). A global that no command and no start of a process writes has
//! its initial value, by induction over the steps. So has a local variable that its proctype does
//! not write and that is nowhere dead: nobody else writes frames. A constant channel variable
//! names the channel that it was made with: channels of globals are made in order.
//!
//! **Footprints** ([`footprints`]). The claim: let two states have the first so many processes of
//! the [`Population`], the same header, and agree in the footprint F of process p at control
//! point l, where p is in both. If neither has all processes blocked, then p begins the same
//! steps in both, each step writes the same values, and only into F or the header. And if one
//! evaluation fails in one of them, it does in the other. By induction over what happens in a
//! step:
//! - it begins with a command of p at l: F has all that these commands touch, and p's frame.
//!   Whether `else` or escapes count depends on commands of l only;
//! - behind an atomic command it goes on at the target: F includes that footprint. Where the
//!   sequence stops, blocked, is decided by commands there, which are in it;
//! - a rendezvous send goes on with a receive of any other process: F has the frames of all that
//!   may receive from one of these channels, all that commands beside such a receive touch, and
//!   the footprints behind, as control may be handed on. The receiving half has no steps of its
//!   own, so a control point with nothing else has none;
//! - process ends are decided by the number of processes, `_last` and the control point of the event
//!   trace lie beside it: the header. A trace that compares with more than constants makes F everything;
//! - who may move at all: F has what p's `provided` clause reads, and with priorities the frames of
//!   all processes of higher priority and what conditions of their commands read, anywhere. That is
//!   so only while no command changes a priority; else F is everything. Among those who may receive
//!   an offer the priorities count, too, and that of the sender: all of them are in F. Clauses that
//!   may fail are evaluated for everybody when something is offered: then F is everything;
//! - DVE: who is committed decides whether p moves, unless p is committed itself: F has the
//!   control points of all that may be. Partners must be committed, too: their frames are in F.
//!   Assertions of l are evaluated with the steps, so F has what they read. A property process is
//!   in F with everything that it does anywhere; one with assertions makes F everything. Where p
//!   only waits for messages it begins no steps; if that depends on a guard, F has its frame all
//!   the same, because a reduction asks whether its own variables keep it from waiting;
//! - DVE in lock step: no process has steps of its own, so F is everything;
//! - hidden variables are variables like others, as long as they are part of the state;
//! - what is not known is everything: remote references in Promela's commands, `enabled`,
//!   `pc_value`, `np_`.
//!
//! Whether these positions and constants are right for a state is the caller's to watch, and
//! steps that create or end processes lead out of the population: they must not be foretold.
//!
//! Tests: `tests/all/analysis.rs` watches enabling sets on all micro-models, on the interpreter;
//! `codegen/tests/all/common/parts.rs` foretells steps by footprints.

mod access;
mod by_frame;
mod conditions;
mod constants;
mod enabling;
mod factors;
mod fallible;
mod footprint;
mod objects;
mod outside;
mod own;
pub mod touch;

pub use access::{Access, AccessSet};
pub use by_frame::{Own, footprint_by_frame};
pub use conditions::{Conditions, conditions};
pub use constants::{ChannelArray, Constants, Fixed};
pub use factors::{Factor, Span, factors};
pub use footprint::{Population, footprints, observed};
pub use objects::{Channels, Footprint, Objects, Pids};
pub use touch::{Cells, ChannelUse, Phase, Touch};

pub(crate) use constants::written_globals;
pub(crate) use outside::{Bytes, OutsideReads, read_from_outside};

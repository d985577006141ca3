//! Models as native code.
//!
//! [`Native::compile`] turns the IR of a model into machine code with Cranelift, in
//! milliseconds and with no compiler installed. [`NativeSpace`] is the state space that calls
//! it. The interpreter of `lariat-model` is the meaning; native code is a short cut:
//!
//! - *Code never says anything about a faulty step.* Whenever something exceptional shows while
//!   a state is expanded (a fault, a construct that code does not know, a state too wide), the
//!   function returns "ask", what it has written is dropped, and the interpreter expands the
//!   whole state. So faults are found, located and worded in one place.
//! - *Same successors, same order, duplicates kept.* Counts and depths are compared exactly.
//! - *No signal.* Divisors, subscripts and the room for rows are checked in the code.
//!
//! How code is laid out: one function for each proctype jumps on the control point of a
//! process, then tests that control point's commands only; for each that is executable it
//! copies the row and changes the copy in place.
//!
//! - `facts`: what is known before: positions, constants, channels
//! - `code`: memory, rows, ways out; `expr`, `channel`, `action`, `start`, `d_step` on top of it
//! - `process` and `rendezvous`: Promela's steps, `may_move`: who takes them, `trace`: who watches
//! - `divine`: DVE's steps, `props`: propositions
//! - `fair`: who takes part in steps
//! - `jit`: functions into memory, `native`: calling them, `space`: the state space
//! - `parts`: the steps process by process, `layout`: where processes are, `footprint`: the words
//!   that each one touches

mod action;
mod channel;
mod code;
mod context;
mod d_step;
mod divine;
mod expr;
mod facts;
mod fair;
mod footprint;
#[cfg(test)]
mod harmless;
mod jit;
mod layout;
mod may_move;
mod native;
mod parts;
mod process;
mod props;
mod rendezvous;
mod space;
mod start;
mod support;
mod trace;

use std::fmt;

pub use native::Native;
pub use space::{Counts, NativeSpace};

/// Why a whole model is left to the interpreter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsupported {
    /// No code generator for this processor.
    Machine,
    /// DVE's `system sync`.
    LockStep,
    /// The initialisers are at fault.
    NoInitialState,
    /// A state is too large.
    TooLarge,
    /// The code generator refused; its words.
    Compiler(String),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Machine => write!(f, "no code generator for this processor"),
            Unsupported::LockStep => write!(f, "a lock-step system"),
            Unsupported::NoInitialState => write!(f, "no initial state"),
            Unsupported::TooLarge => write!(f, "states are too large"),
            Unsupported::Compiler(words) => write!(f, "the code generator says: {words}"),
        }
    }
}

//! What can go wrong in a step.

use std::fmt;

use lariat_syntax::diagnostics::Span;

/// A run-time error with its place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    pub kind: FaultKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    Assertion,
    IndexOutOfRange {
        index: i32,
        count: u32,
    },
    DivisionByZero,
    DivisionOverflow,
    UninitialisedChannel,
    DeadChannel,
    PollRendezvous,
    TooFewArguments {
        given: u32,
        expected: u32,
    },
    TooManyArguments {
        given: u32,
        expected: u32,
    },
    TooFewFields {
        given: u32,
        expected: u32,
    },
    TooManyFields {
        given: u32,
        expected: u32,
    },
    TooManyProcesses,
    TooManyChannels,
    PriorityOutOfRange {
        value: i32,
    },
    EnabledOfItself,
    Nondeterminism,
    BlockedInDStep,
    RendezvousInDStep,
    EndlessDStep,
    /// There are more states inside than can be remembered.
    EndlessAtomic,
    /// The walk had to end for want of time or memory, or was interrupted.
    Stopped,
    TraceMismatch,
    TraceMatched,
    TraceChoice,
    /// DVE: a value does not fit the variable.
    ValueOutOfRange {
        value: i32,
    },
    /// DVE: two partners assign to the same variable in one step.
    DoubleAssignment,
    /// DVE: a lock-step system with more combinations of transitions than can be looked at.
    TooManySteps,
}

impl FaultKind {
    /// The step gives no successor state.
    pub fn is_fatal(self) -> bool {
        match self {
            FaultKind::Assertion
            | FaultKind::IndexOutOfRange { .. }
            | FaultKind::UninitialisedChannel
            | FaultKind::PollRendezvous
            | FaultKind::TooFewArguments { .. }
            | FaultKind::TooManyArguments { .. }
            | FaultKind::TooFewFields { .. }
            | FaultKind::Nondeterminism
            | FaultKind::TraceMismatch
            | FaultKind::TraceMatched => false,
            FaultKind::DivisionByZero
            | FaultKind::DivisionOverflow
            | FaultKind::DeadChannel
            | FaultKind::TooManyFields { .. }
            | FaultKind::TooManyProcesses
            | FaultKind::TooManyChannels
            | FaultKind::PriorityOutOfRange { .. }
            | FaultKind::EnabledOfItself
            | FaultKind::BlockedInDStep
            | FaultKind::RendezvousInDStep
            | FaultKind::EndlessDStep
            | FaultKind::EndlessAtomic
            | FaultKind::Stopped
            | FaultKind::TraceChoice
            | FaultKind::ValueOutOfRange { .. }
            | FaultKind::DoubleAssignment
            | FaultKind::TooManySteps => true,
        }
    }

    /// Not an error of the model, but of those who look for one: what follows was not seen.
    pub fn is_cut(self) -> bool {
        matches!(self, FaultKind::EndlessDStep | FaultKind::EndlessAtomic | FaultKind::Stopped)
    }

    /// What Spin reports as a violated assertion.
    pub fn is_assertion(self) -> bool {
        matches!(self, FaultKind::Assertion | FaultKind::IndexOutOfRange { .. })
    }

    /// A short stable name, for tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Assertion => "assertion",
            FaultKind::IndexOutOfRange { .. } => "index-out-of-range",
            FaultKind::DivisionByZero => "division-by-zero",
            FaultKind::DivisionOverflow => "division-overflow",
            FaultKind::UninitialisedChannel => "uninitialised-channel",
            FaultKind::DeadChannel => "dead-channel",
            FaultKind::PollRendezvous => "poll-of-rendezvous",
            FaultKind::TooFewArguments { .. } => "too-few-arguments",
            FaultKind::TooManyArguments { .. } => "too-many-arguments",
            FaultKind::TooFewFields { .. } => "too-few-fields",
            FaultKind::TooManyFields { .. } => "too-many-fields",
            FaultKind::TooManyProcesses => "too-many-processes",
            FaultKind::TooManyChannels => "too-many-channels",
            FaultKind::PriorityOutOfRange { .. } => "priority-out-of-range",
            FaultKind::EnabledOfItself => "enabled-of-itself",
            FaultKind::Nondeterminism => "nondeterminism",
            FaultKind::TraceMismatch => "trace-mismatch",
            FaultKind::TraceMatched => "forbidden-trace",
            FaultKind::TraceChoice => "choice-in-trace",
            FaultKind::BlockedInDStep => "blocked-in-d_step",
            FaultKind::RendezvousInDStep => "rendezvous-in-d_step",
            FaultKind::EndlessDStep => "endless-d_step",
            FaultKind::EndlessAtomic => "endless-atomic",
            FaultKind::Stopped => "stopped",
            FaultKind::ValueOutOfRange { .. } => "value-out-of-range",
            FaultKind::DoubleAssignment => "double-assignment",
            FaultKind::TooManySteps => "too-many-steps",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::Assertion => write!(f, "assertion violated"),
            FaultKind::IndexOutOfRange { index, count } => {
                write!(f, "index {index} is out of range: the array has {count} elements")
            }
            FaultKind::DivisionByZero => write!(f, "division by zero"),
            FaultKind::DivisionOverflow => write!(f, "the quotient does not fit in 32 bits"),
            FaultKind::UninitialisedChannel => write!(f, "channel variable is not initialised"),
            FaultKind::DeadChannel => write!(f, "the channel's process has ended"),
            FaultKind::PollRendezvous => write!(f, "poll of a rendezvous channel"),
            FaultKind::TooFewArguments { given, expected } => {
                write!(f, "message has {given} fields, the channel takes {expected}")
            }
            FaultKind::TooManyArguments { given, expected } => {
                write!(f, "message has {given} fields, the channel takes only {expected}")
            }
            FaultKind::TooFewFields { given, expected } => {
                write!(f, "receive takes {given} fields, messages have {expected}")
            }
            FaultKind::TooManyFields { given, expected } => {
                write!(f, "receive takes {given} fields, messages have only {expected}")
            }
            FaultKind::TooManyProcesses => write!(f, "more than 255 processes"),
            FaultKind::TooManyChannels => write!(f, "more than 255 channels"),
            FaultKind::PriorityOutOfRange { value } => {
                write!(f, "priority {value} is not in 1..255")
            }
            FaultKind::EnabledOfItself => write!(f, "enabled() of the process that asks"),
            FaultKind::Nondeterminism => write!(f, "a choice between two steps in a D_proctype"),
            FaultKind::TraceMismatch => write!(f, "the trace does not allow this message here"),
            FaultKind::TraceMatched => write!(f, "the forbidden trace was seen to its end"),
            FaultKind::TraceChoice => write!(f, "two events of the trace match this message"),
            FaultKind::BlockedInDStep => write!(f, "statement blocks inside a d_step"),
            FaultKind::RendezvousInDStep => write!(f, "rendezvous send inside a d_step"),
            FaultKind::EndlessDStep => write!(f, "d_step does not end"),
            FaultKind::EndlessAtomic => write!(f, "atomic sequence with too many states inside"),
            FaultKind::Stopped => write!(f, "stopped inside a step"),
            FaultKind::ValueOutOfRange { value } => {
                write!(f, "{value} is out of range of the variable")
            }
            FaultKind::TooManySteps => write!(f, "more than a million steps from one state"),
            FaultKind::DoubleAssignment => {
                write!(f, "two processes assign to the same variable in one step")
            }
        }
    }
}
